"""What happens on a worker of a cluster: tasks go on to a process of their own there, as they would at home.

So limits of time and memory hold there too, a learner that ends its process is told from a worker that was lost, and
the tables travel to each worker once. The scheduler drops the tables of a run whose client is gone, killed or not: that
is how a worker knows that it has nobody left to work for.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache

from .executor import Finished
from .expand import Task
from .identity import version
from .nursery import Nursery
from .options import RunOptions
from .same_code import EVALANG
from .workers import Local, Unlike

BATCH = 0.25  # seconds of work that travel together
LOOK = 1.0  # seconds between two looks for processes that nobody needs


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteRun:
    """What a worker has to know of a run besides its data."""

    token: str  # one run's processes are not another's
    wanted: tuple[tuple[str, str], ...]  # the versions that the run began with
    options: RunOptions
    tables: str = ""  # the name under which the cluster holds its data


@dataclass(slots=True, kw_only=True)
class _Held:
    pool: Local
    nursery: Nursery
    lasts: Callable[[], bool]  # whether its run does
    working: bool = True


_pools: dict[tuple[str, int], _Held] = {}  # by run and thread: a dask worker may have several
_ended: set[str] = set()
_changing = threading.Lock()
# A process ends with the thread that started it, so this one starts them all and lives as long as its process.
_starter = ThreadPoolExecutor(1, thread_name_prefix="evalang-starter")


def run_remote(tasks: tuple[Task, ...], packed: bytes, run: RemoteRun) -> tuple[Finished, ...] | str:
    """Tasks on a worker of the cluster, or why they cannot run there; idempotent, as dask may run them twice.

    Those that would begin after so many seconds are left to another; none is done when the run has ended meanwhile.
    """
    problem = differs(run)
    if problem:
        return problem
    _watch()
    place = (run.token, threading.get_ident())
    held = _take(place, packed, run)
    try:
        return _carry_out(tasks, held)
    except BaseException as error:
        held.lasts = _never
        if isinstance(error, Unlike):
            return error.message
        raise
    finally:
        held.working = False
        if not held.lasts():
            close_pools()


def _carry_out(tasks: tuple[Task, ...], held: _Held) -> tuple[Finished, ...]:
    todo = list(reversed(tasks))
    finished: list[Finished] = []
    until = time.monotonic() + BATCH
    while (todo and (not finished or time.monotonic() < until)) or held.pool.busy():
        while todo and held.pool.room() > 0 and (not finished or time.monotonic() < until):
            held.pool.submit(todo.pop())
        finished += held.pool.wait(0.5)
        if not held.lasts():
            held.lasts = _never  # what its pool is doing now is nobody's, even if the data come back
            return ()
    return tuple(finished)


def _take(place: tuple[str, int], packed: bytes, run: RemoteRun) -> _Held:
    lasts = _lasting(run)
    with _changing:
        held = _pools.get(place)
        if held is not None:
            held.lasts, held.working = lasts, True
            return held
    nursery = Nursery(packed)
    pool = Local(None, run.options, lambda *_: _starter.submit(nursery.start).result())
    held = _Held(pool=pool, nursery=nursery, lasts=lasts)
    with _changing:
        _pools[place] = held
    return held


def _lasting(run: RemoteRun) -> Callable[[], bool]:
    from distributed import get_worker

    data = get_worker().data
    return lambda: run.token not in _ended and run.tables in data


def _never() -> bool:
    return False


@lru_cache(maxsize=1)
def _watch() -> None:
    def look() -> None:
        while True:
            time.sleep(LOOK)
            close_pools()

    threading.Thread(target=look, name="evalang-watch", daemon=True).start()


def differs(run: RemoteRun) -> str:
    """Why this machine's numbers would not be those of the machine that asks; "" when they would."""
    found = versions(tuple(name for name, _ in run.wanted))
    for name, there in run.wanted:
        if found[name] != there:
            return unlike(name, found[name] or "not at all", there)
    return ""


def unlike(name: str, far: str, here: str) -> str:
    """What a worker has that this machine has not."""
    return f"a worker of the cluster has {name} {far}, and this machine has {here}"


def close_pools(token: str = "") -> None:
    """End the processes of a run, and those of runs that have ended."""
    if token:
        _ended.add(token)
    with _changing:
        idle = [place for place, held in _pools.items() if not held.working and not held.lasts()]
        closing = [_pools.pop(place) for place in idle]
    for held in closing:
        held.nursery.close()
        held.pool.close()


@lru_cache(maxsize=8)
def versions(more: tuple[str, ...] = ()) -> dict[str, str]:
    """What a result depends on, on the machine that asks: other versions may give other numbers.

    `more` are distributions that the code of one's own uses (`own_code.py`).
    """
    names = ("numpy", "scipy", "scikit-learn", *more)
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return {**{name: version(name) for name in names}, "evalang": EVALANG, "python": python}
