"""The faults of the soak: what is done once to a run under way, to the cluster it uses or to the clock it reads."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evalang.trials.processes import children

from ..trials.dask_processes import Dask
from .clock import Clock

YEAR = 365 * 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Struck:
    """What a fault may touch."""

    pid: int  # of the run
    folder: Path
    cluster: Dask
    clock: Clock
    rng: random.Random


def kill_parent(one: Struck) -> None:
    os.kill(one.pid, signal.SIGKILL)


def kill_worker(one: Struck) -> None:
    for worker in sorted(children(one.pid))[:1]:
        os.kill(worker, signal.SIGKILL)


def stop_and_continue(one: Struck) -> None:
    for pid in (one.pid, *sorted(children(one.pid))):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
            time.sleep(0.3)
            os.kill(pid, signal.SIGCONT)


def interrupt(one: Struck) -> None:
    os.kill(one.pid, signal.SIGINT)


def delete_files(one: Struck) -> None:
    for name in ("plan.json", "script.eval", "environment.json", "result.json"):
        (one.folder / name).unlink(missing_ok=True)


def delete_folder(one: Struck) -> None:
    shutil.rmtree(one.folder, ignore_errors=True)


def clock_jumps(one: Struck) -> None:
    """Far ahead, then far back; what is in the folder is from another time besides. It is right again at the end."""
    for _ in range(3):
        one.clock.jump(one.rng.choice((-1, 1)) * one.rng.choice((3600.0, 86_400.0, 20 * YEAR)))
        for path in tuple(one.folder.glob("*")):
            with contextlib.suppress(OSError):
                os.utime(path, (time.time() + one.clock.off(),) * 2)
        time.sleep(one.rng.uniform(0, 0.2))


def fill_disk(one: Struck) -> None:
    """Only on a small file system; the file goes away before the run is taken up."""
    with contextlib.suppress(OSError), (one.folder.parent / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(b"0" * 4096)


def kill_scheduler(one: Struck) -> None:
    """Back after a moment; its workers end of themselves and are started again, as whoever looks after them would."""
    one.cluster.kill_scheduler()
    time.sleep(one.rng.uniform(0, 1))
    one.cluster.start_scheduler()
    one.cluster.replace_worker()


def kill_dask_worker(one: Struck) -> None:
    one.cluster.replace_worker()


def add_dask_worker(one: Struck) -> None:
    """A second one comes, the first one goes."""
    one.cluster.start_worker()
    time.sleep(one.rng.uniform(0, 3))
    one.cluster.kill_worker()


def stop_scheduler(one: Struck) -> None:
    one.cluster.stop_and_continue("scheduler", one.rng.uniform(0, 3))


def stop_dask_worker(one: Struck) -> None:
    one.cluster.stop_and_continue("worker", one.rng.uniform(0, 3))


Fault = Callable[[Struck], None]
HERE: tuple[Fault, ...] = (
    kill_parent, kill_worker, stop_and_continue, interrupt, delete_files, delete_folder, clock_jumps,
)  # fmt: skip
SMALL_DISK: tuple[Fault, ...] = (fill_disk,)
ON_A_CLUSTER: tuple[Fault, ...] = (
    kill_scheduler, kill_dask_worker, add_dask_worker, stop_scheduler, stop_dask_worker, kill_parent, interrupt,
    delete_folder, clock_jumps,
)  # fmt: skip
