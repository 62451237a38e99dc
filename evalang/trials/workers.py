"""Local worker processes under one single-threaded parent.

The parent waits in one place only, `_listen`, and there for no longer than it is told. It reads before it writes,
writes without waiting, and gives a worker a bounded number of tasks. So a worker that waits to write is read from, a
worker that waits to read is written to, and neither can wait for the other.

Each worker leads a process group of its own. A worker that dies takes one trial with it and no other; its group is
swept, another takes its place.
"""

from __future__ import annotations

import pickle
import selectors
import signal
import sys
import time
from collections import deque
from dataclasses import dataclass, field

from ..errors import RunError
from .executor import Finished
from .expand import Task
from .fit import Workshop
from .options import RunOptions
from .processes import Channel, adopt, end_found, orphans
from .starting import Process, Start, cause, signal_group, start
from .trial import Failure, FailureKind
from .worker import Ready, TaskAnswer

AHEAD = 0.1  # seconds of work a worker has at hand, so that it never waits for the parent to commit
MOST_AHEAD = 64  # tasks
GRACE = 5.0  # seconds between SIGTERM and SIGKILL
STILLBORN = 5  # workers in a row that end before they are ready
NOBODY = 30.0  # seconds without a single worker before the run is given up
AWAY = 1.0  # seconds beyond those asked for after which the parent has not waited but stood still


class Unlike(RunError):
    """A worker would give other numbers than the machine that asks."""


@dataclass(slots=True, kw_only=True, eq=False)
class _Worker:
    process: Process
    channel: Channel
    tasks: deque[Task] = field(default_factory=deque)
    ready: bool = False
    begun: float = 0.0  # when the first of its tasks began, by a clock that never jumps
    paces: dict[int, float]  # of each cell, seconds that its tasks took of late; all workers know the same

    @property
    def load(self) -> float:
        """Seconds of work at hand. A task of which nobody knows how long it takes is work enough."""
        return sum(self.paces.get(task.cell, AHEAD) for task in self.tasks)

    def room(self) -> int:
        return int(len(self.tasks) < MOST_AHEAD and self.load < AHEAD)

    def give(self, task: Task) -> None:
        if not self.tasks:
            self.begun = time.monotonic()
        self.tasks.append(task)
        self.channel.put(pickle.dumps(task, protocol=5))

    def finish(self, seconds: float) -> Task:
        self.begun = time.monotonic()
        task = self.tasks.popleft()
        self.paces[task.cell] = 0.7 * self.paces.get(task.cell, seconds) + 0.3 * seconds
        return task


def cores() -> int:
    """Those that this process may use: affinity and the quota of a container count, and LOKY_MAX_CPU_COUNT."""
    from joblib import cpu_count

    return max(1, int(cpu_count()))


def wanted(options: RunOptions) -> int:
    """Processes that are wanted."""
    return cores() if options.jobs is None else options.jobs


class Local:
    """`jobs` processes on this machine."""

    def __init__(self, shop: Workshop | None, options: RunOptions, start: Start = start) -> None:
        self.notes: list[str] = []
        self._shop, self._options, self._start = shop, options, start
        self._workers: list[_Worker] = []
        self._ending: list[tuple[Process, float]] = []
        self._waiting: deque[Task] = deque()
        self._paces: dict[int, float] = {}
        self._selector = selectors.DefaultSelector()
        self._wanted = max(1, wanted(options))
        self._stillborn = 0
        self._dead = False  # a worker died, and has left behind what it had started
        self._awake = time.monotonic()
        adopt()
        self._alone: float | None = None  # since when there is no worker
        if options.trial_memory is not None and sys.platform != "linux":
            self.notes.append("memory can be limited on Linux only: no trial was held to --trial-memory")
        self._fill()

    @property
    def standing(self) -> int:
        """Workers alive."""
        return len(self._workers)

    def room(self) -> int:
        return max(0, sum(worker.room() for worker in self._workers) - len(self._waiting))

    def busy(self) -> int:
        return sum(len(worker.tasks) for worker in self._workers) + len(self._waiting)

    def hands(self) -> int:
        return self.standing

    def submit(self, task: Task) -> None:
        self._waiting.append(task)
        self._deal()

    def wait(self, seconds: float) -> list[Finished]:
        self._wake(AWAY)
        self._sweep()
        self._fill()
        self._deal()
        self._listen(seconds)
        finished: list[Finished] = []
        for worker in tuple(self._workers):
            finished += self._collect(worker)
        self._deal()
        return finished

    def close(self) -> None:
        ending = [*(w.process for w in self._workers), *(process for process, _ in self._ending)]
        for process in ending:
            signal_group(process, signal.SIGKILL)
        for process in ending:
            process.join(GRACE)
        for worker in self._workers:
            worker.channel.close()
        self._selector.close()
        self._workers, self._ending = [], []
        end_found(orphans)
        adopt(-1)
        self._waiting.clear()

    def _deal(self) -> None:
        """Each task to the worker that will be free first, among those that have room."""
        while self._waiting:
            free = [worker for worker in self._workers if worker.ready and worker.room() > 0]
            if not free:
                return
            min(free, key=lambda one: one.load).give(self._waiting.popleft())

    def _listen(self, seconds: float) -> None:
        """Until a worker says something or can be told more, a limit is over, or so many seconds have gone by."""
        limit = self._options.trial_seconds
        if limit is not None:
            ends = [worker.begun + limit for worker in self._workers if worker.tasks]
            seconds = max(0.0, min([seconds, *(end - time.monotonic() for end in ends)]))
        for worker in self._workers:
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if worker.channel.pending else 0)
            self._selector.modify(worker.channel, events, worker)
        for key, events in self._selector.select(seconds):
            if events & selectors.EVENT_WRITE:
                key.data.channel.flush()
        self._wake(seconds + AWAY)

    def _wake(self, expected: float) -> None:
        """Time in which this process stood still counts against no trial: its worker may have stood still as well.

        Batch systems that suspend a job and containers that are paused stop all its processes at once.
        """
        before, self._awake = self._awake, time.monotonic()
        lost = self._awake - before - expected
        if lost > 0:
            for worker in self._workers:
                worker.begun = min(self._awake, worker.begun + lost)

    def _collect(self, worker: _Worker) -> list[Finished]:
        """Results of one worker; then whether it died or took too long."""
        code = worker.process.poll()  # before reading, so that everything a dead worker said is heard
        finished: list[Finished] = []
        problem = ""
        for message in worker.channel.take():
            if isinstance(message, Ready):
                if message.unlike:
                    raise Unlike(message.unlike)
                worker.ready, self._stillborn = True, 0
            elif worker.tasks and isinstance(message, TaskAnswer) and _answers(message, worker.tasks[0]):
                task, took = worker.finish(message.seconds), message.seconds
                finished.append(Finished(task=task, trials=message.trials, seconds=took))
                if message.spent:
                    self._dismiss(worker)
                    return finished
            else:
                problem = "sent through the pipe of its process what is no answer"
                break
        limit = self._options.trial_seconds
        if problem or worker.channel.gone or code is not None:
            finished += self._bury(worker, problem)
        elif limit is not None and worker.tasks and time.monotonic() - worker.begun > limit:
            finished += self._stop(worker, limit)
        return finished

    def _dismiss(self, worker: _Worker) -> None:
        """A worker that a learner has changed for good goes, and nobody is blamed for it."""
        self._ending.append((worker.process, time.monotonic() + GRACE))
        self._replace(worker)

    def _bury(self, worker: _Worker, problem: str) -> list[Finished]:
        if not problem and worker.channel.gone:
            worker.process.join(0.1)  # it closed its pipe because it is ending: its exit code is about to be known
        code = worker.process.poll()
        if code is None:
            problem = problem or worker.channel.gone
        signal_group(worker.process, signal.SIGKILL)  # what it started dies with it
        worker.process.join(GRACE)
        self._dead = True
        if not worker.ready:
            self._stillborn += 1
            if self._stillborn >= STILLBORN:
                raise RunError(
                    f"{STILLBORN} worker processes in a row ended before they could work: the last {cause(code)}",
                    hint="every finished trial is kept; run with --jobs 1, or look at the memory of this machine",
                )
        kind: FailureKind = "signal" if code is not None and code < 0 else "exit"
        return self._replace(worker, Failure(kind=kind, error="WorkerDied", message=problem or cause(code)))

    def _stop(self, worker: _Worker, limit: float) -> list[Finished]:
        signal_group(worker.process, signal.SIGTERM)
        self._ending.append((worker.process, time.monotonic() + GRACE))
        words = f"took longer than {limit:g} seconds"
        return self._replace(
            worker, Failure(kind="timeout", error="Timeout", message=words, limits=self._options.limits)
        )

    def _replace(self, worker: _Worker, failure: Failure | None = None) -> list[Finished]:
        """The first of its tasks was under way and is to blame; the others never began and go to somebody else."""
        self._selector.unregister(worker.channel)
        self._workers.remove(worker)
        worker.channel.close()
        finished = [Finished(task=worker.tasks.popleft(), crash=failure)] if worker.tasks and failure else []
        self._waiting.extendleft(reversed(worker.tasks))
        self._fill()
        return finished

    def _fill(self) -> None:
        while len(self._workers) < self._wanted:
            try:
                started = self._start(self._shop, self._options.trial_memory)
            except OSError as error:
                self._too_few(error)
                return
            worker = _Worker(process=started.process, channel=Channel(started.end), paces=self._paces)
            if started.first:
                worker.channel.put(started.first)
            self._selector.register(worker.channel, selectors.EVENT_READ, worker)
            self._workers.append(worker)
            self._alone = None

    def _too_few(self, error: OSError) -> None:
        """Go on with those there are. With none, wait for better times, but not for ever."""
        reason = error.strerror or str(error)
        if self._workers or self._alone is None:
            self.notes.append(f"{len(self._workers)} of {wanted(self._options)} workers could be started: {reason}")
        if self._workers:
            self._wanted = len(self._workers)
            return
        now = time.monotonic()
        self._alone = self._alone or now
        if now - self._alone > NOBODY:
            raise RunError(
                f"no worker process can be started any more: {reason}",
                hint="every finished trial is kept; free what the machine lacks and run again to go on from there",
            )

    def _sweep(self) -> None:
        """Those told to stop are gone after a grace, whatever they do with signals."""
        now = time.monotonic()
        for process, until in tuple(self._ending):
            if process.poll() is not None or now > until:
                signal_group(process, signal.SIGKILL)
                process.join(GRACE)
                self._ending.remove((process, until))
                self._dead = True
        if self._dead:  # what it left behind is a child of this process now
            end_found(orphans)
            self._dead = False


def _answers(answer: TaskAnswer, task: Task) -> bool:
    return tuple(trial.key for trial in answer.trials) == task.keys
