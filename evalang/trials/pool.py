"""What executes tasks: this process, or worker processes with a limit on the time and memory of each fit.

The parent has one pipe per worker and waits for all of them in `multiprocessing.connection.wait`. A worker that dies or
hangs is killed with its process group and replaced; only the task it was working on fails. A worker that has run a
user's own code serves only that learner. Sending never blocks: a busy worker is sent no more tasks ahead than its pipe
holds, so parent and worker never wait for each other.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

from ..errors import RunError
from .capture import MAX_PRINTED, ProcessState, captured_output, clean
from .expand import Task
from .identity import thread_pools
from .options import RunOptions, StartMethod
from .task import TaskContext, import_learners, run_task, with_effects
from .trial import Failure, FailureKind, Trial
from .worker import Pipes, Starter, WorkerSettings, cause, end, serve


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A finished task: its trials, or why the process that worked on it ended."""

    task: Task
    trials: tuple[Trial, ...] = ()
    crash: Failure | None = None
    seconds: float = 0.0  # that the worker took; unknown after a crash


POLL_SECONDS = 0.2


class Executor:
    """Executes tasks in any order: `InProcessExecutor`, `WorkerPool`, `DaskExecutor`."""

    def __init__(self) -> None:
        self._notes: list[str] = []
        self.kernels: dict[str, str] = {}  # linear algebra of remote workers, where it is another one

    @property
    def notes(self) -> list[str]:
        """What the reader of the report has to know."""
        return self._notes

    @property
    def concurrency(self) -> int:
        """How many tasks are executed at the same time."""
        return 1

    def results(self, tasks: Iterator[Task]) -> Iterator[list[Finished]]:
        """Yield what has finished of all these tasks, at least every POLL_SECONDS."""
        more = True
        while more or self.pending():
            while more and self.capacity() > 0:
                task = next(tasks, None)
                if task is None:
                    more = False
                else:
                    self.submit(task)
            yield self.poll(POLL_SECONDS)

    def capacity(self) -> int:
        """Return how many more tasks it should be given now."""
        raise NotImplementedError

    def submit(self, task: Task) -> None:
        """Accept a task."""
        raise NotImplementedError

    def poll(self, seconds: float) -> list[Finished]:
        """Return the tasks that have finished, after waiting at most so long for the first."""
        raise NotImplementedError

    def pending(self) -> int:
        """Return the number of tasks submitted and not yet returned."""
        raise NotImplementedError

    def cancel(self) -> None:
        """End all workers now; unfinished tasks are lost."""
        raise NotImplementedError


AT_ONCE = 32  # tasks at hand where the fits of a temporary store are stored together
TOGETHER_SECONDS = 0.05


class InProcessExecutor(Executor):
    """Executes one task after the other in this process: no isolation, no limits, nothing to start.

    `together` are the seconds of work that are returned, and then stored, at once: 0 where a fit is to survive the
    death of this process.
    """

    def __init__(self, context: TaskContext, together: float = 0.0) -> None:
        super().__init__()
        self._together = together
        self._context = context
        self._tasks: deque[Task] = deque()
        self._threads = thread_pools().limit(limits=1)
        self._state = ProcessState()
        self._loaded = frozenset(sys.modules)

    def capacity(self) -> int:
        return (AT_ONCE if self._together else 1) - len(self._tasks)

    def submit(self, task: Task) -> None:
        self._tasks.append(task)

    def poll(self, seconds: float) -> list[Finished]:
        finished: list[Finished] = []
        until = time.monotonic() + self._together
        while self._tasks and (not finished or time.monotonic() < until):
            finished.append(self._run(self._tasks.popleft()))
        return finished

    def _run(self, task: Task) -> Finished:
        with captured_output() as printed:
            trials = run_task(task, self._context)
        text = clean(printed.getvalue(), MAX_PRINTED)
        trials = with_effects(trials, task, self._context, text, self._state, self._loaded)
        return Finished(task=task, trials=trials)

    def pending(self) -> int:
        return len(self._tasks)

    def cancel(self) -> None:
        self._tasks.clear()
        self._threads.restore_original_limits()


AHEAD_SECONDS = 0.1  # work a worker has at hand, so that it never waits while the parent writes to disk
AHEAD_KEYS = 32  # of the tasks of a busy worker: about 4 kB, and the smallest pipe holds 8
MAX_START_FAILURES = 5  # workers in a row that end before they are ready
RESTART_SECONDS = 0.05  # a task shorter than that waits for a worker rather than for the start of another


class EnvironmentMismatch(RunError):
    """A worker has other code of a learner than the process that asks it."""


@dataclass(slots=True, kw_only=True, eq=False)
class _Worker:
    process: BaseProcess
    pipe: Pipes
    tasks: deque[Task] = field(default_factory=deque)
    own_code: str = ""  # the learner that it is reserved for
    ready: bool = False
    started: float = 0.0  # when the first of its tasks started
    seconds: dict[int, float]  # by cell, what its tasks took lately; shared by all workers

    @property
    def load(self) -> float:
        """Seconds of work at hand; a task of unknown length is work enough."""
        return sum(self.seconds.get(task.cell, AHEAD_SECONDS) for task in self.tasks)

    def serves(self, task: Task) -> bool:
        return not self.own_code or self.own_code == task.own_code

    def has_room(self, keys: int = 1) -> bool:
        if not self.ready or not self.tasks:
            return self.ready
        return self.load < AHEAD_SECONDS and sum(len(task.keys) for task in self.tasks) + keys <= AHEAD_KEYS

    def send(self, task: Task) -> None:
        if not self.tasks:
            self.started = time.monotonic()
        self.tasks.append(task)
        self.own_code = task.own_code
        with contextlib.suppress(OSError):  # it has died: reading finds out
            self.pipe.send(task)

    def finish(self, seconds: float) -> Task:
        self.started = time.monotonic()
        task = self.tasks.popleft()
        self.seconds[task.cell] = 0.7 * self.seconds.get(task.cell, seconds) + 0.3 * seconds
        return task


def available_cores() -> int:
    """Return the cores this process may use: affinity, the quota of a container and LOKY_MAX_CPU_COUNT count."""
    from joblib import cpu_count

    return max(1, int(cpu_count()))


def worker_count(options: RunOptions) -> int:
    """Return the number of worker processes that the options ask for."""
    return available_cores() if options.jobs is None else options.jobs


def start_method(options: RunOptions, *, own_code: bool) -> StartMethod:
    """Return how workers start: forked where that is safe, from a clean process for code of the user's own."""
    if options.start_method is not None:
        return options.start_method
    if sys.platform != "linux":
        return "spawn"
    return "forkserver" if own_code else "fork"


class WorkerPool(Executor):
    """`jobs` processes on this machine."""

    def __init__(self, starter: Starter, options: RunOptions, *, remote: bool = False) -> None:
        super().__init__()
        self._starter, self._options = starter, options
        self._settings = WorkerSettings(options.limit, options.trial_memory, remote)
        self._workers: list[_Worker] = []
        self._waiting: deque[Task] = deque()
        self._seconds: dict[int, float] = {}
        self._wanted = max(1, worker_count(options))
        self._start_failures = 0
        self._started = False  # whether any worker ever was
        if options.trial_memory is not None and sys.platform != "linux":
            self._notes.append("memory can be limited on Linux only: --trial-memory had no effect")
        if starter.method == "fork" and isinstance(starter.context, TaskContext):
            import_learners(starter.context)  # forked workers share what is imported
        self._fill()

    @property
    def concurrency(self) -> int:
        return len(self._workers)

    def capacity(self) -> int:
        return max(0, sum(worker.has_room() for worker in self._workers) - len(self._waiting))

    def pending(self) -> int:
        return sum(len(worker.tasks) for worker in self._workers) + len(self._waiting)

    def submit(self, task: Task) -> None:
        self._waiting.append(task)
        self._dispatch()

    def poll(self, seconds: float) -> list[Finished]:
        self._fill()
        self._dispatch()
        now, limit = time.monotonic(), self._options.limit
        seconds = max(0.0, min([seconds, *(worker.started + limit - now for worker in self._workers if worker.tasks)]))
        wait([worker.pipe for worker in self._workers], seconds)
        finished = [one for worker in tuple(self._workers) for one in self._receive(worker)]
        self._dispatch()
        return finished

    def cancel(self) -> None:
        for worker in tuple(self._workers):
            self._remove(worker)
        self._waiting.clear()

    def _dispatch(self) -> None:
        """Send each waiting task to the worker that will be free first; make room for a learner that has no worker."""
        while self._waiting:
            task = self._waiting[0]
            free = [worker for worker in self._workers if worker.serves(task) and worker.has_room(len(task.keys))]
            if not free:
                quick = self._seconds.get(task.cell, RESTART_SECONDS) < RESTART_SECONDS
                serving = [worker for worker in self._workers if worker.serves(task) and (quick or not worker.tasks)]
                idle = [worker for worker in self._workers if worker.ready and not worker.tasks]
                if idle and not serving:
                    self._remove(idle[0])
                    self._fill()
                return
            best = min(free, key=lambda worker: (worker.load, worker.own_code != task.own_code))
            best.send(self._waiting.popleft())

    def _receive(self, worker: _Worker) -> list[Finished]:
        """Return the finished tasks of a worker; then find out whether it died or took too long."""
        ended = worker.process.exitcode  # before reading, so that everything a dead worker sent is read
        finished: list[Finished] = []
        problem = ""
        try:
            while worker.pipe.poll():
                message = worker.pipe.recv()
                if isinstance(message, str):
                    raise EnvironmentMismatch(message, hint="run again to fit the code as it is now")
                if message is None:
                    worker.ready, self._start_failures = True, 0
                else:
                    trials, seconds, outgrown = message
                    finished.append(Finished(task=worker.finish(seconds), trials=trials, seconds=seconds))
                    if outgrown:
                        self._remove(worker)
                        return finished
        except EnvironmentMismatch:
            raise
        except (EOFError, OSError):
            problem = "closed its pipe"
        except Exception as error:
            problem = f"sent a message that cannot be read ({type(error).__name__})"
        if problem or ended is not None:
            finished += self._reap(worker, problem)
        elif worker.tasks and time.monotonic() - worker.started > self._options.limit:
            words = f"took longer than {self._options.limit_text}"
            failure = Failure(kind="timeout", error="Timeout", message=words, limits=self._options.limits)
            finished += self._remove(worker, failure)
        return finished

    def _reap(self, worker: _Worker, problem: str) -> list[Finished]:
        """Remove a worker that died, and return the task that it took with it."""
        worker.process.join(0.1)  # a worker that closed its pipe is about to end
        code = worker.process.exitcode
        if not worker.ready:
            self._start_failures += 1
            if self._start_failures >= MAX_START_FAILURES:
                self._remove(worker)
                raise RunError(
                    f"{MAX_START_FAILURES} worker processes in a row ended before a fit: the last {cause(code)}",
                    hint="finished fits are kept; run with --jobs 1, or check the memory of this machine",
                )
        kind: FailureKind = "signal" if code is not None and code < 0 else "exit"
        message = problem if code is None else cause(code)
        return self._remove(worker, Failure(kind=kind, error="WorkerDied", message=message))

    def _remove(self, worker: _Worker, failure: Failure | None = None) -> list[Finished]:
        """Kill a worker with its process group. Its first task is to blame; the others never began and wait again."""
        end(worker.process)
        self._workers.remove(worker)
        worker.pipe.close()
        tasks = list(worker.tasks)
        failed = [Finished(task=tasks.pop(0), crash=failure)] if tasks and failure else []
        self._waiting.extendleft(reversed(tasks))
        return failed

    def _fill(self) -> None:
        """Start missing workers; where the machine allows no more, go on with those there are."""
        while len(self._workers) < self._wanted:
            try:
                process, pipe = self._starter.start(serve, self._settings)
            except OSError as error:
                reason = error.strerror or str(error)
                if self._started and not self._workers:
                    raise RunError(
                        f"no more worker processes can be started: {reason}",
                        hint="finished fits are kept; free memory or processes and run again to continue",
                    ) from None
                self._notes.append(f"{len(self._workers)} of {self._wanted} workers could be started: {reason}")
                self._wanted = len(self._workers)
                return
            self._started = True
            self._workers.append(_Worker(process=process, pipe=pipe, seconds=self._seconds))
