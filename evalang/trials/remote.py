"""What happens on a worker of a cluster: the task goes on to a process of its own there, as it would at home.

So limits of time and memory hold there too, a learner that ends its process is told from a worker that was lost, and
the tables travel to each worker once.
"""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .executor import Finished
from .expand import Task
from .identity import version
from .options import RunOptions
from .starting import Started, launch_packed
from .workers import Local, Unlike

IDLE = 600.0  # seconds after which the processes of a run that nobody ended are ended


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteRun:
    """What a worker has to know of a run besides its data."""

    token: str  # one run's processes are not another's
    wanted: tuple[tuple[str, str], ...]  # the versions that the run began with
    options: RunOptions


@dataclass(slots=True, kw_only=True)
class _Held:
    pool: Local
    used: float


_pools: dict[tuple[str, int], _Held] = {}  # by run and thread: a dask worker may have several
_ended: set[str] = set()
# A process ends with the thread that started it, so this one starts them all and lives as long as its process.
_starter = ThreadPoolExecutor(1, thread_name_prefix="evalang-starter")


def run_remote(task: Task, packed: bytes, run: RemoteRun) -> Finished | str:
    """A task on a worker of the cluster, or why it cannot run there; idempotent, as dask may run it twice."""
    problem = differs(run)
    if problem:
        return problem
    place = (run.token, threading.get_ident())
    if place not in _pools:
        close_pools()
        _pools[place] = _Held(pool=_pool(packed, run), used=0.0)
    pool = _pools[place].pool
    try:
        pool.submit(task)
        while run.token not in _ended:
            _pools[place].used = time.monotonic()
            for finished in pool.wait(0.5):
                return finished
        return "the run has ended"
    except BaseException as error:
        _pools.pop(place).pool.close()
        if isinstance(error, Unlike):
            return error.message
        raise
    finally:
        if run.token in _ended and place in _pools:
            _pools.pop(place).pool.close()


def differs(run: RemoteRun) -> str:
    """Why this machine's numbers would not be those of the machine that asks; "" when they would."""
    found = versions(tuple(name for name, _ in run.wanted))
    for name, there in run.wanted:
        if found[name] != there:
            return f"a worker of the cluster has {name} {found[name] or 'not at all'}, and this machine has {there}"
    return ""


def close_pools(token: str = "") -> None:
    """End the processes of a run, and those that have been idle for long."""
    if token:
        _ended.add(token)
    long_ago = time.monotonic() - IDLE
    for place, held in tuple(_pools.items()):
        if not held.pool.busy() and (place[0] == token or held.used < long_ago):
            _pools.pop(place).pool.close()


@lru_cache(maxsize=8)
def versions(more: tuple[str, ...] = ()) -> dict[str, str]:
    """What a result depends on, on the machine that asks: other versions may give other numbers.

    `more` are distributions that the code of one's own uses (`own_code.py`).
    """
    names = ("evalang", "numpy", "scipy", "scikit-learn", *more)
    return {**{name: version(name) for name in names}, "python": f"{sys.version_info.major}.{sys.version_info.minor}"}


def _pool(packed: bytes, run: RemoteRun) -> Local:
    def start(*_: Any) -> Started:
        return _starter.submit(launch_packed, packed).result()

    return Local(None, run.options, start)
