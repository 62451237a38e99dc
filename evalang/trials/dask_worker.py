"""What happens on a worker of a dask cluster: batches of tasks go to a process of their own, with a pool as at home.

So the same limits hold there, and a learner that ends its process is distinguished from a lost dask worker. A dask
worker has threads and must not fork; the process has none, so that replacing a worker costs no start of Python.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import Connection, Pipe
from typing import Any

from .. import __version__
from .executor import Finished
from .expand import Task
from .identity import version
from .options import RunOptions
from .pool import WorkerPool
from .task import TaskContext
from .worker import end_with_parent, spawn

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
    pool = pool or _RemotePool(packed)
    try:
        answer = pool.run(tasks, run)
    except BaseException:
        pool.close()
        raise
    if isinstance(answer, str) or not answer:
        pool.close()
    else:
        with _changing:
            _pools[place] = pool
    return answer


def close_pools(token: str = "") -> None:
    """End the idle processes of a run, and those of runs that have ended; busy ones end by themselves."""
    if token:
        _ended.add(token)
    with _changing:
        closing = [_pools.pop(place) for place, pool in tuple(_pools.items()) if pool.is_over()]
    for pool in closing:
        pool.close()


_pools: dict[tuple[str, int], _RemotePool] = {}  # idle ones by run and thread: a dask worker may have several
_ended: set[str] = set()
_changing = threading.Lock()
# A process ends with the thread that started it, so this one starts them all and lives as long as its process.
_starter = ThreadPoolExecutor(1, thread_name_prefix="evalang-starter")


@lru_cache(maxsize=1)
def _start_watching() -> None:
    def watch() -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            close_pools()

    threading.Thread(target=watch, name="evalang-watch", daemon=True).start()


class _RemotePool:
    """The process of one thread of a dask worker, as long as its run lasts."""

    def __init__(self, packed: bytes) -> None:
        from distributed import get_worker

        self._data = get_worker().data
        self._run: RemoteRun | None = None
        self._pipe, theirs = Pipe()
        with theirs:
            self._process = _starter.submit(spawn, theirs, packed, f"{__name__}:serve_batches").result()

    def is_over(self) -> bool:
        run = self._run
        return run is not None and (run.token in _ended or run.context_key not in self._data)

    def run(self, tasks: tuple[Task, ...], run: RemoteRun) -> tuple[Finished, ...] | str:
        first, self._run = self._run is None, run
        if first:
            self._pipe.send(run.options)
            mismatch = self._receive()
            if mismatch or mismatch is None:
                return mismatch or ()
        self._pipe.send(tasks)
        return self._receive() or ()

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._pipe.close()

    def _receive(self) -> Any:
        """Return the next answer; None when the run has ended meanwhile."""
        while not self._pipe.poll(0.5):
            if self.is_over():
                return None
        return self._pipe.recv()


def serve_batches(pipe: Connection[Any, Any], context: TaskContext, mismatch: str, parent: int) -> None:
    """Run batches of tasks until the pipe closes."""
    end_with_parent(parent)
    pool: WorkerPool | None = None
    with contextlib.suppress(EOFError, OSError):
        pool = WorkerPool(context, pipe.recv())
        pipe.send(mismatch)
        while True:
            pipe.send(_run_tasks(pool, pipe.recv()))
    if pool is not None:
        pool.cancel()


def _run_tasks(pool: WorkerPool, tasks: tuple[Task, ...]) -> tuple[Finished, ...]:
    todo = list(reversed(tasks))
    finished: list[Finished] = []
    until = time.monotonic() + BATCH_SECONDS
    while (todo and (not finished or time.monotonic() < until)) or pool.pending():
        while todo and pool.capacity() > 0 and (not finished or time.monotonic() < until):
            pool.submit(todo.pop())
        finished += pool.poll(0.5)
    return tuple(finished)
