"""Many machines: batches of the same tasks as futures of a dask client. Workers and the scheduler may come and go.

On a worker of the cluster a batch goes to a pool as at home, so the same limits hold there, and a learner that ends its
process is distinguished from a lost dask worker. A dask worker has threads and must not be copied, so its pool starts
from a fork server. What the cluster loses is sent again. When that does not help, the run stops with an error: a lost
worker is never a learner's failure.
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
from concurrent.futures import ThreadPoolExecutor
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
from .pool import EnvironmentMismatch, Executor, Finished, WorkerPool, start_method
from .task import TaskContext
from .worker import Starter

BATCH_SECONDS = 0.25  # of work that travel together
BATCH_TASKS = 64
AHEAD = 2  # batches for each thread of the cluster, and as many more
CHECK_SECONDS = 1.0  # between two checks of the cluster
GONE_SECONDS = 60.0  # without scheduler or worker before the run is given up
MAX_LOSSES = 5  # times that one task is sent again
CONNECT_SECONDS = 15.0
RETRY_SECONDS = 2.0  # of one attempt to reach a scheduler that was lost


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteRun:
    """What a worker has to know of a run besides its context."""

    token: str  # one run's processes are not another's
    versions: tuple[tuple[str, str], ...]  # of the machine that asks
    options: RunOptions
    context_key: str = ""  # under which the cluster holds the context; it drops it when the client is gone


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchAnswer:
    """The tasks that a worker could finish in time, and where; or why it cannot run them."""

    finished: tuple[Finished, ...] = ()
    worker: str = ""
    kernels: tuple[str, ...] = ()  # its libraries of linear algebra
    refused: str = ""


@lru_cache(maxsize=8)
def versions(more: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the versions that results depend on; `more` are distributions that the user's own code uses."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = {name: version(name) for name in ("numpy", "scipy", "scikit-learn", *more)}
    return {**found, "evalang": __version__, "python": python}


@lru_cache(maxsize=1)
def kernels() -> tuple[str, ...]:
    """Return the libraries of linear algebra of this process, with their kernels."""
    import scipy.linalg  # noqa: F401 - brings a library of its own
    import sklearn  # noqa: F401

    return tuple(sorted(linear_algebra(environment()["threads"])))


_thread = threading.local()  # each thread of a dask worker has a pool of its own, which ends when it is idle


def run_batch(tasks: tuple[Task, ...], packed: bytes, run: RemoteRun) -> BatchAnswer:
    """Run tasks on a worker of the cluster; dask may run them twice.

    Tasks that would start late are left out, and all of them when the run has ended.
    """
    found = versions(tuple(name for name, _ in run.versions))
    for name, wanted in run.versions:
        if found[name] != wanted:
            return BatchAnswer(refused=_different(name, found[name], wanted))
    from distributed import get_worker

    worker = get_worker()
    if getattr(_thread, "token", "") != run.token:
        if hasattr(_thread, "pool"):
            _thread.pool.cancel()
        _thread.pool = WorkerPool(Starter(packed, start_method(run.options, own_code=True)), run.options, remote=True)
        _thread.token = run.token
    finished: list[Finished] = []
    until = time.monotonic() + BATCH_SECONDS
    in_time = (task for task in tasks if not finished or time.monotonic() < until)
    try:
        _thread.pool.poll(0.0)  # replaces a process that ended while there was nothing to do
        for more in _thread.pool.results(in_time):
            finished += more
            if run.context_key not in worker.data:
                raise RuntimeError("the run has ended")
    except BaseException as error:
        _thread.token = ""
        _thread.pool.cancel()
        if isinstance(error, EnvironmentMismatch):
            return BatchAnswer(refused=error.message)
        raise
    return BatchAnswer(finished=tuple(finished), worker=worker.address, kernels=kernels())


def _different(name: str, far: str, here: str) -> str:
    return f"a worker of the cluster has {name} {far or 'not at all'}, and this machine has {here}"


class DaskExecutor(Executor):
    """Sends tasks in batches as futures of a dask client."""

    def __init__(self, context: TaskContext, packed: bytes, options: RunOptions) -> None:
        super().__init__()
        limits = RunOptions(
            trial_seconds=options.trial_seconds, trial_memory=options.trial_memory, start_method=options.start_method
        )
        used = tuple(versions(_used_distributions(context)).items())
        self._run = RemoteRun(token=uuid.uuid4().hex, versions=used, options=limits)
        self._packed, self._address = packed, str(options.scheduler)
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._waiting: deque[Task] = deque()
        self._sent: dict[str, tuple[tuple[Task, ...], Any]] = {}  # dask drops a future to which nothing refers
        self._batch_size = 1
        self._losses: Counter[str] = Counter()  # by key of a task
        self._lost_tasks = self._threads = self._count = 0
        self._context: Any = None  # the packed context, as a future of the cluster
        self._checked: set[str] = set()  # workers that can import this evalang
        self._log_levels: dict[str, int] = {}
        try:
            self._client = self._connect(CONNECT_SECONDS)
        except RunError:
            raise
        except Exception as error:  # of any kind: TLS without a certificate, a protocol that lacks its library
            raise RunError(
                f"the scheduler {clean(self._address, 100)} cannot be reached: "
                f"{clean(str(error) or 'it does not answer', 200)}",
                hint="start it with `dask scheduler` and one or more `dask worker ADDRESS --nthreads 1`",
            ) from None
        self._seen = self._checked_at = time.monotonic()

    @property
    def notes(self) -> list[str]:
        lost = f"the cluster lost {self._lost_tasks} fits and repeated them, so no fit is missing"
        return [lost] * bool(self._lost_tasks) + [
            f"the worker {worker} computes with {theirs}, and this machine with {', '.join(kernels())}: the last "
            "digits of its fits may differ"
            for worker, theirs in self.kernels.items()
        ]

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
        if time.monotonic() - self._checked_at > CHECK_SECONDS or not self._threads:
            self._check()
        self._send()
        finished: list[Finished] = []
        with contextlib.suppress(queue.Empty):
            finished += self._finish(self._done.get(timeout=seconds))
            while True:
                finished += self._finish(self._done.get_nowait())
        if finished:
            self._seen = time.monotonic()
        return finished

    def cancel(self) -> None:
        self._waiting.clear()
        self._sent.clear()
        with contextlib.suppress(Exception):  # its workers end what they do for a client that is gone
            self._client.close(timeout=5)
        for name, level in self._log_levels.items():
            logging.getLogger(name).setLevel(level)

    def _connect(self, seconds: float) -> Any:
        try:
            import distributed
        except ImportError:
            raise RunError("running on many machines needs dask", hint='install "evalang[cluster]"') from None
        library: Any = distributed

        async def reach() -> None:
            secured = library.Security().get_connection_args("client")
            (await asyncio.wait_for(library.comm.connect(self._address, timeout=seconds, **secured), seconds)).abort()

        self._log_levels = _silence_logs() | self._log_levels
        # A client would take half a minute to give up. In a thread: a notebook has a loop of its own here.
        with ThreadPoolExecutor(1) as beside:
            beside.submit(asyncio.run, reach()).result()
        return library.Client(self._address, timeout=seconds, set_as_default=False)

    def _check(self) -> None:
        """Count the threads of the cluster; send again what a lost scheduler or a lost context took with it."""
        self._checked_at = time.monotonic()
        self._threads = 0
        reason = "no worker has joined"
        try:
            if self._client.status != "running":
                self._take_back_all()
                self._client.close(timeout=1)
                self._client = self._connect(RETRY_SECONDS)
            threads = self._client.sync(self._client.scheduler.ncores, callback_timeout=RETRY_SECONDS)
            self._check_workers(sorted(threads.keys() - self._checked))
            self._threads = sum(threads.values())
            if self._threads and (self._context is None or self._context.status not in ("finished", "pending")):
                self._take_back_all()
                self._context = self._client.scatter(self._packed, hash=False, timeout=RETRY_SECONDS)
        except RunError:
            raise
        except Exception as error:  # of any kind: a cluster that is going down fails in many ways
            self._threads = 0
            reason = f"{type(error).__name__}: {error}"
        if self._threads:
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > GONE_SECONDS:
            raise RunError(
                f"the cluster at {clean(self._address, 100)} has been gone for {GONE_SECONDS:.0f} seconds: "
                f"{clean(reason, 200)}",
                hint="finished fits are kept; start `dask scheduler` and `dask worker ADDRESS --nthreads 1`, and run "
                "again to continue",
            )

    def _check_workers(self, workers: list[str]) -> None:
        """Refuse new workers without this evalang: a dask worker that cannot read a task ends without a word."""
        asked = resolve_name, "evalang.__version__"
        how = {"workers": workers, "on_error": "return", "wait": True, "callback_timeout": RETRY_SECONDS * 5}
        for worker, answer in (self._client.sync(self._client._run, *asked, **how) if workers else {}).items():
            if isinstance(answer, ImportError | AttributeError):
                raise RunError(
                    f"a worker of the cluster cannot import a package that the fits need: {clean(str(answer), 200)}",
                    hint="install evalang and its packages on the machines of the workers, then run again",
                )
            if isinstance(answer, str) and answer != __version__:
                raise _refused(_different("evalang", answer, __version__))
            self._checked |= {worker} if isinstance(answer, str) else set()

    def _take_back_all(self) -> None:
        for tasks, _ in reversed(self._sent.values()):
            self._take_back(tasks)
        self._sent.clear()
        self._context = None

    def _take_back(self, tasks: tuple[Task, ...]) -> None:
        self._waiting.extendleft(reversed(tasks))
        self._lost_tasks += len(tasks)

    def _send(self) -> None:
        while self._waiting and self._threads and len(self._sent) < AHEAD * (self._threads + 1):
            # A task that was lost before goes alone, and the last ones are shared out.
            alone = self._waiting[0].keys[0] in self._losses
            size = 1 if alone else min(self._batch_size, -(-len(self._waiting) // self._threads))
            tasks = tuple(self._waiting.popleft() for _ in range(size))
            self._count += 1
            key = f"evalang-{self._run.token}-{self._count}"
            run = replace(self._run, context_key=self._context.key)
            try:
                future = self._client.submit(run_batch, tasks, self._context, run, key=key, pure=False)
            except Exception:  # the client is closing
                self._waiting.extendleft(reversed(tasks))
                self._threads = 0
                return
            self._sent[key] = tasks, future
            future.add_done_callback(self._done.put)

    def _finish(self, future: Any) -> list[Finished]:
        """Return the finished tasks of a batch; those that a worker found no time for wait again."""
        tasks, _ = self._sent.pop(future.key, ((), None))
        if not tasks:  # they were taken back already
            return []
        losses = max(self._losses[task.keys[0]] for task in tasks)
        try:
            # An answer that was lost before may be large or its way slow: it gets more time.
            answer = future.result(timeout=min(GONE_SECONDS, RETRY_SECONDS * 4**losses))
        except (Exception, asyncio.CancelledError) as error:
            self._take_back(tasks)
            self._losses.update(task.keys[0] for task in tasks)
            self._threads = 0  # check the cluster before sending
            if losses >= MAX_LOSSES:
                words = clean(f"{type(error).__name__}: {error}", 200)
                raise RunError(
                    f"the cluster lost the same fit {MAX_LOSSES + 1} times: {words}",
                    hint="finished fits are kept; check the logs of the workers and run again to continue",
                ) from None
            return []
        finally:
            with contextlib.suppress(Exception):
                future.release()
        if answer.refused:
            raise _refused(answer.refused)
        if set(answer.kernels) != set(kernels()):
            self.kernels[clean(answer.worker, 60)] = clean(", ".join(answer.kernels), 200)
        asked = {task.keys: task for task in tasks}
        finished = [replace(one, task=asked.pop(one.task.keys)) for one in answer.finished]
        self._waiting.extendleft(reversed(asked.values()))
        seconds = sum(one.seconds for one in finished) / len(finished)
        self._batch_size = min(BATCH_TASKS, max(1, int(BATCH_SECONDS / max(seconds, 1e-4))))
        return finished


def _used_distributions(context: TaskContext) -> tuple[str, ...]:
    """Return the distributions that the user's own code among the learners is written with."""
    steps = [step for cell in context.cells for step in cell.learner.steps]
    trust = next(iter(context.tables.values())).trust
    used = {name for facts in trust.code.values() for name in facts.packages}
    for step in steps:
        with contextlib.suppress(UnknownSource):
            used |= used_packages(type(trust.given(step.name))) if step.kind == "python" else {package_behind(step)}
    return tuple(sorted(used - {""}))


def _silence_logs() -> dict[str, int]:
    """Switch off the loggers of dask, whose tracebacks would repeat our sentence; return their levels."""
    found = (logging.getLogger(name) for name in tuple(logging.root.manager.loggerDict))
    levels = {one.name: one.level for one in found if one.name.partition(".")[0] in ("distributed", "asyncio")}
    for name in levels:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return levels


def _refused(words: str) -> RunError:
    return RunError(words, hint="install the same versions and code as on this machine on every worker, then run again")
