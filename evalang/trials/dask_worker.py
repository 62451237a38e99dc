"""What happens on a worker of a dask cluster: batches of tasks go to a pool as at home.

So the same limits hold there, and a learner that ends its process is distinguished from a lost dask worker. A dask
worker has threads and must not be copied, so its pool starts from a fork server.
"""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass
from functools import lru_cache

from .. import __version__
from .executor import Finished
from .expand import Task
from .identity import environment, linear_algebra, version
from .options import RunOptions
from .pool import EnvironmentMismatch, WorkerPool, start_method
from .processes import Starter

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
