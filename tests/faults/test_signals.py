"""Faults 22 and 23: Ctrl-C, SIGTERM and a lost terminal."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from evalang.errors import RunError
from evalang.scores.score_table import ScoreTable
from evalang.trials import schedule
from evalang.trials.options import Progress
from evalang.trials.store import Store

from ..trials.made import FIVEFOLD, carry_out, catalogue, options, stored, table
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


def test_no_trial_is_missing_unless_somebody_asked_to_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever stops pytest itself while it runs trials in its own process sees this: the score has a hole to tell of.

    A command never gets there: it scores a complete run only.
    """
    monkeypatch.setattr(schedule, "TELL", -1.0)  # after every trial
    learner = [catalogue("nb", "naive-bayes")]

    asked: list[int] = []

    def ask(progress: Progress) -> None:
        if progress.done == 2 and not asked:
            asked.append(progress.done)
            os.kill(os.getpid(), signal.SIGTERM)

    comparison, stopped = carry_out(learner, [table()], FIVEFOLD, options(tmp_path, 0), ask)
    assert (stopped.interrupted, stopped.complete, stopped.ran, stopped.failed) == (True, False, 2, ())
    with pytest.raises(RunError, match=r"^nb on made has no trial for fold 3 of partition 1 \(run"):
        ScoreTable(comparison, stopped).fold_scores("made", "accuracy")
    comparison, whole = carry_out(learner, [table()], FIVEFOLD, options(tmp_path, 0))
    assert (whole.interrupted, whole.complete, whole.reused) == (False, True, 2)
    assert ScoreTable(comparison, whole).fold_scores("made", "accuracy")["nb"].size == 5
