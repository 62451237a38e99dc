"""Faults 22 and 23: Ctrl-C, SIGTERM and a lost terminal."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from evalang.trials.store import Store

from ..trials.made import stored
from .child import DONE, STOPPED, end, small_run, start


def wait_for_trials(folder: Path, count: int) -> None:
    """Until so many trials are lasting."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if (folder / "trials.sqlite").exists():
            store = Store(folder, write=False)
            found = len(store.done())
            store.close()
            if found >= count:
                return
        time.sleep(0.02)
    raise AssertionError("the run made no trials")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_once_stops_and_keeps(number: signal.Signals, tmp_path: Path) -> None:
    assert end(start(lambda: small_run(tmp_path / "whole", seconds=0.2))) == DONE
    folder = tmp_path / "stopped"
    pid = start(lambda: small_run(folder, seconds=0.2))
    wait_for_trials(folder, 2)
    os.kill(pid, number)
    assert end(pid, 20) == STOPPED
    kept = len(Store(folder).done())
    assert 2 <= kept < 20
    assert end(start(lambda: small_run(folder, seconds=0.2))) == DONE
    assert stored(folder) == stored(tmp_path / "whole")


def test_once_does_not_wait_for_a_long_fit(tmp_path: Path) -> None:
    pid = start(lambda: small_run(tmp_path, seconds=60))
    wait_for_trials(tmp_path, 1)
    begun = time.monotonic()
    os.kill(pid, signal.SIGINT)
    assert end(pid, 30) == STOPPED
    assert time.monotonic() - begun < 15


def test_twice_stops_at_once(tmp_path: Path) -> None:
    pid = start(lambda: small_run(tmp_path, seconds=60))
    wait_for_trials(tmp_path, 1)
    begun = time.monotonic()
    os.kill(pid, signal.SIGINT)
    time.sleep(0.3)
    os.kill(pid, signal.SIGINT)
    assert end(pid, 30) == STOPPED
    assert time.monotonic() - begun < 4
