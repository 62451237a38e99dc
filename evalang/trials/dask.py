"""Many machines: the same tasks on a dask scheduler. Workers and the scheduler itself may come, go and die.

On a worker of the cluster batches of tasks go to a pool as at home. So the same limits hold there, and a learner that
ends its process is distinguished from a lost dask worker. A dask worker has threads and must not be copied, so its pool
starts from a fork server. Tasks that the cluster loses are sent again. When that does not help, the run stops with an
error: a lost worker is never a learner's failure.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import sys
import threading
import time
import uuid
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pkgutil import resolve_name
from typing import Any

from .. import __version__
from ..errors import RunError
from .capture import clean
from .expand import Task
from .identity import environment, linear_algebra, version
from .learners import package_behind
from .options import RunOptions
from .own_code import UnknownSource, used_packages
from .pool import EnvironmentMismatch, Finished, WorkerPool, start_method
from .task import TaskContext
from .worker import Starter

BATCH_SECONDS = 0.25  # of work that travel together
LOOK_SECONDS = 1.0  # between two looks for processes that no run needs


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteRun:
    """What a worker has to know of a run besides its context."""

    token: str  # one run's processes are not another's
    versions: tuple[tuple[str, str], ...]  # of the machine that asks
    options: RunOptions
    context_key: str = ""  # under which the cluster holds the context; it drops it when the client is gone


@lru_cache(maxsize=8)
def versions(more: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the versions that results depend on; `more` are distributions that the user's own code uses."""
    names = ("numpy", "scipy", "scikit-learn", *more)
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return {**{name: version(name) for name in names}, "evalang": __version__, "python": python}


def different(name: str, far: str, here: str) -> str:
    """Return the sentence about a worker that has another version."""
    return f"a worker of the cluster has {name} {far}, and this machine has {here}"


def kernels() -> tuple[str, ...]:
    """Return the libraries of linear algebra of this process, with their kernels."""
    import scipy.linalg  # noqa: F401 - brings a library of its own
    import sklearn  # noqa: F401

    return tuple(sorted(linear_algebra(environment()["threads"])))


def run_batch(tasks: tuple[Task, ...], packed: bytes, run: RemoteRun) -> tuple[Finished, ...] | str:
    """Run tasks on a worker of the cluster, or return why they cannot run there; dask may run them twice.

    Tasks that would start late are left out, and all of them when the run has ended.
    """
    found = versions(tuple(name for name, _ in run.versions))
    for name, wanted in run.versions:
        if found[name] != wanted:
            return different(name, found[name] or "not at all", wanted)
    _start_watching()
    place = (run.token, threading.get_ident())
    with _changing:
        pool = _pools.pop(place, None)
    pool = pool or _RemotePool(packed, run)
    answer: tuple[Finished, ...] = ()
    try:
        answer = pool.run_tasks(tasks, run)
    except EnvironmentMismatch as mismatch:
        return mismatch.message
    finally:
        if answer:
            with _changing:
                _pools[place] = pool
        else:
            pool.cancel()
    return answer


def close_pools(token: str = "") -> None:
    """End the idle processes of a run, and those of runs that have ended; busy ones end by themselves."""
    if token:
        _ended.add(token)
    with _changing:
        closing = [_pools.pop(place) for place, pool in tuple(_pools.items()) if pool.is_over()]
    for pool in closing:
        pool.cancel()


_pools: dict[tuple[str, int], _RemotePool] = {}  # idle ones by run and thread: a dask worker may have several
_ended: set[str] = set()
_changing = threading.Lock()


@lru_cache(maxsize=1)
def _start_watching() -> None:
    def watch() -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            close_pools()

    threading.Thread(target=watch, name="evalang-watch", daemon=True).start()


class _RemotePool(WorkerPool):
    """The pool of one thread of a dask worker, as long as its run lasts."""

    def __init__(self, packed: bytes, run: RemoteRun) -> None:
        from distributed import get_worker

        self._data, self._run = get_worker().data, run
        super().__init__(Starter(packed, start_method(run.options, own_code=True)), run.options, remote=True)

    def is_over(self) -> bool:
        """Return whether nobody waits for the answers of its run any more."""
        return self._run.token in _ended or self._run.context_key not in self._data

    def run_tasks(self, tasks: tuple[Task, ...], run: RemoteRun) -> tuple[Finished, ...]:
        """Return the tasks that could be finished in time; none when the run has ended."""
        self._run = run
        todo = list(reversed(tasks))
        finished: list[Finished] = []
        until = time.monotonic() + BATCH_SECONDS
        while (todo and (not finished or time.monotonic() < until)) or self.pending():
            while todo and self.capacity() > 0 and (not finished or time.monotonic() < until):
                self.submit(todo.pop())
            finished += self.poll(0.5)
            if self.is_over():
                return ()
        return tuple(finished)


GONE_SECONDS = 60.0  # without scheduler or worker before the run is given up
MAX_LOSSES = 5  # times that one task is sent again
CONNECT_SECONDS = 15.0
RETRY_SECONDS = 2.0  # of one attempt to reach a scheduler that was lost
CLOCK_JUMP = 1.0  # seconds that the wall clock may gain or lose between two looks
AHEAD = 2  # batches for each thread of the cluster, and as many more
BATCH_TASKS = 64


class DaskExecutor:
    """Sends tasks in batches as futures of a dask client."""

    _kernels_here = staticmethod(kernels)

    def __init__(self, context: TaskContext, packed: bytes, options: RunOptions) -> None:
        self._loss_notes: list[str] = []
        self.kernels: dict[str, str] = {}  # of workers whose linear algebra is not that of this machine
        self._address = options.scheduler
        limits = RunOptions(
            jobs=1,
            trial_seconds=options.trial_seconds,
            trial_memory=options.trial_memory,
            start_method=options.start_method,
        )
        self._run = RemoteRun(
            token=uuid.uuid4().hex, versions=tuple(versions(_used_distributions(context)).items()), options=limits
        )
        self._packed = packed
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._waiting: deque[Task] = deque()
        self._sent: dict[str, tuple[tuple[Task, ...], Any]] = {}
        self._batch_size = 1
        self._losses: Counter[str] = Counter()  # by key of a task
        self._lost_tasks = 0
        self._client: Any = None
        self._context: Any = None  # the packed context, as a future of the cluster
        self._threads = self._count = 0
        self._checked: set[str] = set()  # workers that can import this evalang
        self._clock_offset = _clock_offset()
        self._log_levels: dict[str, int] = {}
        try:
            self._client = self._connect(CONNECT_SECONDS)
            self._wait_for_worker()
        except Exception as error:  # of any kind: TLS without a certificate, a protocol that lacks its library
            self.cancel()
            if isinstance(error, RunError):
                raise
            raise RunError(
                f"the scheduler {clean(str(self._address), 100)} cannot be reached: {clean(str(error), 200)}",
                hint="start it with `dask scheduler` and one or more `dask worker ADDRESS --nthreads 1`",
            ) from None
        self._seen = self._looked = time.monotonic()

    @property
    def notes(self) -> list[str]:
        """What the reader of the report has to know."""
        ours = ", ".join(self._kernels_here())
        return self._loss_notes + [
            f"the worker {worker} computes with {theirs}, and this machine with {ours}: the last digits of its fits "
            "may differ"
            for worker, theirs in self.kernels.items()
        ]

    def _wait_for_worker(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=GONE_SECONDS)
        except TimeoutError:
            raise RunError(
                f"no worker has joined the scheduler {clean(str(self._address), 100)} in {GONE_SECONDS:.0f} seconds",
                hint="start one or more with `dask worker ADDRESS --nthreads 1`",
            ) from None

    @property
    def concurrency(self) -> int:
        return self._threads

    def capacity(self) -> int:
        return max(0, AHEAD * (self._threads + 1) * self._batch_size - self.pending())

    def pending(self) -> int:
        return sum(len(tasks) for tasks, _ in self._sent.values()) + len(self._waiting)

    def submit(self, task: Task) -> None:
        self._waiting.append(task)

    def poll(self, seconds: float) -> list[Finished]:
        if time.monotonic() - self._looked > LOOK_SECONDS or not self._threads:
            self._look()
        self._send()
        finished = [one for future in self._arrived(seconds) for one in self._finish(future)]
        if finished:
            self._seen = time.monotonic()
        return finished

    def cancel(self) -> None:
        self._waiting.clear()
        self._sent.clear()
        with contextlib.suppress(Exception):
            if self._client.status == "running":
                self._on_workers(close_pools, self._run.token, on_error="ignore", callback_timeout=5)
            self._client.close(timeout=5)
        self._client = None
        for name, level in self._log_levels.items():
            logging.getLogger(name).setLevel(level)
        self._log_levels.clear()

    def _connect(self, seconds: float) -> Any:
        try:
            import distributed
        except ImportError:
            raise RunError("running on many machines needs dask", hint='install "evalang[cluster]"') from None
        library: Any = distributed
        self._log_levels = _silence_logs() | self._log_levels
        _check_reachable(library, str(self._address), seconds)
        return library.Client(self._address, timeout=seconds, set_as_default=False)

    def _on_workers(self, function: Any, argument: str, **options: Any) -> Any:
        return self._client.sync(self._client._run, function, argument, wait=True, **options)

    def _look(self) -> None:
        """Count the threads of the cluster; send again what a lost scheduler or a lost context took with it."""
        self._looked = time.monotonic()
        self._threads = 0
        try:
            if self._client.status != "running" or self._clock_jumped():
                self._take_back_all()
                self._client.close(timeout=1)
                self._client = self._connect(RETRY_SECONDS)
            threads = self._client.sync(self._client.scheduler.ncores, callback_timeout=RETRY_SECONDS)
            self._check_workers(threads.keys() - self._checked)
            self._threads = sum(threads.values())
            if self._threads and (self._context is None or self._context.status not in ("finished", "pending")):
                self._take_back_all()
                self._context = self._client.scatter(self._packed, hash=False, timeout=RETRY_SECONDS)
        except RunError:
            raise
        except Exception as error:  # of any kind: a cluster that is going down fails in many ways
            self._gone(f"{type(error).__name__}: {error}")
            return
        if self._threads:
            self._seen = time.monotonic()
        else:
            self._gone("no worker has joined")

    def _clock_jumped(self) -> bool:
        """Return whether the wall clock jumped: a dask client then waits until the time at which it last sent."""
        before, self._clock_offset = self._clock_offset, _clock_offset()
        return abs(self._clock_offset - before) > CLOCK_JUMP

    def _check_workers(self, workers: set[str]) -> None:
        """Refuse new workers without this evalang: a dask worker that cannot read a task ends without a word."""
        if not workers:
            return
        found = self._on_workers(
            resolve_name,
            "evalang.__version__",
            workers=sorted(workers),
            on_error="return",
            callback_timeout=RETRY_SECONDS * 5,
        )
        for answer in found.values():
            if isinstance(answer, ImportError | AttributeError):
                raise _missing_package(str(answer))
            if isinstance(answer, str) and answer != __version__:
                raise _mismatch(different("evalang", answer, __version__))
        known = {worker for worker, answer in found.items() if isinstance(answer, str)}
        self._checked |= known
        self._compare_kernels(known)

    def _compare_kernels(self, workers: set[str]) -> None:
        """Note workers whose linear algebra is another one: the last digits of their fits may differ."""
        here = set(self._kernels_here())
        found = self._client.sync(
            self._client._run,
            kernels,
            workers=sorted(workers),
            on_error="return",
            wait=True,
            callback_timeout=RETRY_SECONDS * 5,
        )
        for worker, answer in found.items():
            if isinstance(answer, tuple) and set(answer) != here:
                self.kernels[clean(worker, 60)] = clean(", ".join(answer), 200)

    def _gone(self, reason: str) -> None:
        self._threads = 0
        if time.monotonic() - self._seen > GONE_SECONDS:
            raise RunError(
                f"the cluster has been gone for {GONE_SECONDS:.0f} seconds: {clean(reason, 200)}",
                hint="finished fits are kept; start scheduler and workers and run again to continue",
            )

    def _take_back_all(self) -> None:
        for tasks, _ in reversed(self._sent.values()):
            self._take_back(tasks)
        self._sent.clear()
        self._context = None

    def _take_back(self, tasks: tuple[Task, ...]) -> None:
        self._waiting.extendleft(reversed(tasks))
        self._lost_tasks += len(tasks)
        self._loss_notes[:] = [f"the cluster lost work {self._lost_tasks} times and repeated it: no fit is missing"]

    def _send(self) -> None:
        while self._waiting and self._context is not None and len(self._sent) < AHEAD * (self._threads + 1):
            if not self._threads:
                return
            tasks = self._batch()
            self._count += 1
            key = f"evalang-{self._run.token}-{self._count}"
            run = replace(self._run, context_key=self._context.key)
            try:
                future = self._client.submit(run_batch, tasks, self._context, run, key=key, pure=False)
            except Exception:  # the client is closing
                self._waiting.extendleft(reversed(tasks))
                self._threads = 0
                return
            self._sent[key] = (tasks, future)
            future.add_done_callback(self._done.put)

    def _batch(self) -> tuple[Task, ...]:
        """Return tasks worth a journey; one that was lost before goes alone, and the last ones are shared out."""
        alone = self._waiting[0].keys[0] in self._losses
        size = 1 if alone else min(self._batch_size, -(-len(self._waiting) // self._threads))
        return tuple(self._waiting.popleft() for _ in range(size))

    def _arrived(self, seconds: float) -> Iterator[Any]:
        """Yield futures that are done: the first after so many seconds at most, the others if they are there."""
        with contextlib.suppress(queue.Empty):
            yield self._done.get(timeout=seconds)
            while True:
                yield self._done.get_nowait()

    def _finish(self, future: Any) -> list[Finished]:
        """Return the finished tasks of a batch; those that a worker found no time for wait again."""
        tasks, _ = self._sent.pop(future.key, ((), None))
        if not tasks:  # they were taken back already
            return []
        losses = max(self._losses[task.keys[0]] for task in tasks)
        try:
            # An answer that was lost before may be large or its way slow: it gets more time.
            found = future.result(timeout=min(GONE_SECONDS, RETRY_SECONDS * 4**losses))
            if isinstance(found, str):
                raise _mismatch(found)
            if not found:
                raise RuntimeError("a worker was cancelled because its result is no longer needed")
        except (KeyboardInterrupt, RunError):
            raise
        except BaseException as error:
            self._send_again(tasks, error)
            return []
        finally:
            with contextlib.suppress(Exception):
                future.release()
        asked = {task.keys: task for task in tasks}
        finished = [replace(one, task=asked.pop(one.task.keys)) for one in found]
        self._waiting.extendleft(reversed(asked.values()))
        seconds = sum(one.seconds for one in finished) / len(finished)
        self._batch_size = min(BATCH_TASKS, max(1, int(BATCH_SECONDS / max(seconds, 1e-4))))
        return finished

    def _send_again(self, tasks: tuple[Task, ...], error: BaseException) -> None:
        """Take back tasks that were lost with a worker or with the scheduler."""
        self._take_back(tasks)
        self._losses.update(task.keys[0] for task in tasks)
        self._threads = 0  # look again before sending
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, ImportError):
                raise _missing_package(str(cause))
            cause = cause.__cause__ or cause.__context__
        if max(self._losses[task.keys[0]] for task in tasks) > MAX_LOSSES:
            words = clean(f"{type(error).__name__}: {error}", 200)
            raise RunError(
                f"the cluster lost the same fit {MAX_LOSSES + 1} times: {words}",
                hint="finished fits are kept; check the logs of the workers and run again to continue",
            )


def _used_distributions(context: TaskContext) -> tuple[str, ...]:
    """Return the distributions that the user's own code among the learners is written with."""
    steps = [step for cell in context.cells for step in cell.learner.steps]
    trust = next(iter(context.tables.values())).trust
    code = {name for facts in trust.code.values() for name in facts.packages}
    given: set[str] = set()
    for step in steps:
        with contextlib.suppress(UnknownSource):
            given |= used_packages(type(trust.objects[step.name])) if step.kind == "python" else set()
    return tuple(sorted(code | given | {package_behind(step) for step in steps} - {""}))


def _clock_offset() -> float:
    return time.time() - time.monotonic()


def _silence_logs() -> dict[str, int]:
    """Switch off the loggers of dask, whose tracebacks would repeat our sentence; return their levels."""
    found = (logging.getLogger(name) for name in tuple(logging.root.manager.loggerDict))
    levels = {one.name: one.level for one in found if one.name.partition(".")[0] in ("distributed", "asyncio")}
    for name in levels:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return levels


def _check_reachable(library: Any, address: str, seconds: float) -> None:
    """Raise OSError or ValueError when no scheduler is there; a client would take half a minute to give up."""
    if not address.strip():  # dask would try to reach it all the same
        raise ValueError("the address is empty")

    async def once() -> None:
        secured = library.Security().get_connection_args("client")
        (await library.comm.connect(address, timeout=seconds, **secured)).abort()

    def attempt() -> None:
        try:
            answered.put(asyncio.run(once()))
        except BaseException as error:
            answered.put(error)

    answered: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
    # In a thread: a notebook has a loop of its own here, and dask waits for ever for a server that stays silent.
    threading.Thread(target=attempt, daemon=True).start()
    try:
        problem = answered.get(timeout=2 * seconds)
    except queue.Empty:
        raise OSError("it does not answer") from None
    if isinstance(problem, MemoryError):  # the first bytes of another server were taken for a length
        raise OSError("it is not a scheduler") from None
    if problem is not None:
        raise problem


def _mismatch(words: str) -> RunError:
    return RunError(words, hint="give every worker the versions and the code of this machine, then run again")


def _missing_package(missing: str) -> RunError:
    return RunError(
        f"a worker of the cluster cannot import what the fits need: {clean(missing, 200)}",
        hint="install evalang and what it needs where the workers run, then run again",
    )
