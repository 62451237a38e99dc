"""Faults 20, 21 and 26: the run is killed at any instant, or at any write, and goes on as if it had not been."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from evalang.trials.files import POINTS
from evalang.trials.store import Store

from ..trials.made import stored
from .child import DONE, end, small_run, start


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, bytes]]:
    """What the run gives when nobody disturbs it."""
    folder = tmp_path_factory.mktemp("undisturbed")
    assert small_run(folder) == DONE
    return stored(folder)


def kill_after(folder: Path, seconds: float) -> int:
    """Trials that were lasting when the run was killed."""
    pid = start(lambda: small_run(folder, seconds=0.01))
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    end(pid)
    return len(Store(folder).done()) if (folder / "trials.sqlite").exists() else 0


def kill_and_resume(folder: Path, instants: int, seed: int) -> list[int]:
    """Kill at random instants of one run, again and again, then let it finish; how many trials each time left."""
    rng = random.Random(seed)
    left = [kill_after(folder, rng.uniform(0.0, 0.12)) for _ in range(instants)]
    assert end(start(lambda: small_run(folder, seconds=0.01))) == DONE
    return left


@pytest.mark.parametrize("seed", range(5))
def test_killed_at_random_instants(seed: int, tmp_path: Path) -> None:
    """Ten in all. No finished trial is ever lost: what is in the store only grows."""
    pid = start(lambda: small_run(tmp_path / "whole", seconds=0.01))
    assert end(pid) == DONE
    left = kill_and_resume(tmp_path / "killed", 2, seed)
    assert left == sorted(left)
    assert stored(tmp_path / "killed") == stored(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 125))
def test_killed_at_a_hundred_random_instants(seed: int, tmp_path: Path) -> None:
    assert end(start(lambda: small_run(tmp_path / "whole", seconds=0.01))) == DONE
    left = kill_and_resume(tmp_path / "killed", 4, seed)
    assert left == sorted(left)
    assert stored(tmp_path / "killed") == stored(tmp_path / "whole")


@pytest.mark.parametrize("visit", [1, 3])
@pytest.mark.parametrize("point", POINTS)
def test_killed_at_every_write(
    point: str, visit: int, undisturbed: dict[str, tuple[str, bytes]], tmp_path: Path
) -> None:
    pid = start(lambda: small_run(tmp_path), EVALANG_FAULT=f"{point}:{visit}")
    code = end(pid)
    # A place that a run passes once only is not reached a second time.
    assert code in ((-signal.SIGKILL,) if visit == 1 else (-signal.SIGKILL, DONE))
    before = len(Store(tmp_path).done()) if (tmp_path / "trials.sqlite").exists() else 0
    assert end(start(lambda: small_run(tmp_path))) == DONE
    assert stored(tmp_path) == undisturbed
    assert before <= len(undisturbed)
    assert not [name for name in os.listdir(tmp_path) if ".damaged" in name]


def test_workers_die_with_the_run(tmp_path: Path) -> None:
    pid = start(lambda: small_run(tmp_path, seconds=30))
    until = time.monotonic() + 20
    while len(workers := children(pid)) < 2 and time.monotonic() < until:
        time.sleep(0.02)
    os.kill(pid, signal.SIGKILL)
    end(pid)
    until = time.monotonic() + 5
    while any(Path(f"/proc/{worker}").exists() for worker in workers) and time.monotonic() < until:
        time.sleep(0.02)
    assert len(workers) == 2
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


def children(pid: int) -> list[int]:
    """Processes that a process started."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
