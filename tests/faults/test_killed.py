"""Faults 20, 21 and 26: the run is killed at any instant and goes on as if it had not been."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from evalang.trials.store import Store

from ..support.child import DONE, end, small_run, start
from ..support.engine import stored


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, bytes]]:
    """What the run gives when nothing disturbs it."""
    folder = tmp_path_factory.mktemp("whole")
    assert small_run(folder, seconds=0.01) == DONE
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


@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(n, marks=pytest.mark.slow) for n in range(100, 120))])
def test_killed_at_random_instants(seed: int, whole: dict[str, tuple[str, bytes]], tmp_path: Path) -> None:
    """Ten in all, a hundred more marked slow. No finished trial is ever lost: what is in the store only grows."""
    left = kill_and_resume(tmp_path, 5, seed)
    assert left == sorted(left)
    assert stored(tmp_path) == whole
