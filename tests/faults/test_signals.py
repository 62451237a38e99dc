"""Faults 22 and 23: Ctrl-C, SIGTERM and a lost terminal."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from evalang.errors import RunError
from evalang.scores.score_table import ScoreTable
from evalang.trials import run
from evalang.trials.options import Progress

from ..support.child import DONE, STOPPED, end, small_run, start
from ..support.engine import FIVEFOLD, carry_out, catalogue, options, stored, table
from ..support.running import trials_in, until


def wait_for_trials(folder: Path, count: int) -> None:
    """Until so many trials are lasting."""
    until(lambda: trials_in(folder) >= count)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, bytes]]:
    """What the run gives when nobody stops it."""
    folder = tmp_path_factory.mktemp("whole")
    assert end(start(lambda: small_run(folder, seconds=0.2))) == DONE
    return stored(folder)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_once_stops_and_keeps(number: signal.Signals, whole: dict[str, tuple[str, bytes]], tmp_path: Path) -> None:
    pid = start(lambda: small_run(tmp_path, seconds=0.2))
    wait_for_trials(tmp_path, 2)
    os.kill(pid, number)
    assert end(pid) == STOPPED
    assert 2 <= trials_in(tmp_path) < 20
    assert end(start(lambda: small_run(tmp_path, seconds=0.2))) == DONE
    assert stored(tmp_path) == whole


def test_once_does_not_wait_for_a_long_fit(tmp_path: Path) -> None:
    """Of an hour: what is nearly done gets a moment."""

    pid = start(lambda: small_run(tmp_path, seconds=3600))
    wait_for_trials(tmp_path, 1)
    began = time.monotonic()
    os.kill(pid, signal.SIGINT)
    assert end(pid) == STOPPED
    assert time.monotonic() - began < 5  # under a second on a machine that does nothing else


def test_twice_stops_at_once(tmp_path: Path) -> None:
    """Whatever patience a run has with what is under way."""
    heard = tmp_path / "heard"

    def work() -> int:
        run.STOP_SECONDS = 3600
        add = run.StopRequest.add

        def noted(self: run.StopRequest, *signal: object) -> None:
            heard.touch()
            add(self, *signal)

        run.StopRequest.add = noted  # type: ignore[method-assign]
        return small_run(tmp_path / "run", seconds=3600)

    pid = start(work)
    wait_for_trials(tmp_path / "run", 1)
    os.kill(pid, signal.SIGINT)
    until(heard.exists)
    os.kill(pid, signal.SIGINT)
    assert end(pid) == STOPPED


def test_no_trial_is_missing_unless_somebody_asked_to_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever stops pytest itself while it runs trials in its own process sees this: the score has a hole to tell of.

    A command never gets there: it scores a complete run only.
    """
    monkeypatch.setattr(run, "PROGRESS_SECONDS", -1.0)  # after every trial
    learner = [catalogue("nb", "naive-bayes")]

    asked: list[int] = []

    def ask(progress: Progress) -> None:
        if progress.done == 2 and not asked:
            asked.append(progress.done)
            os.kill(os.getpid(), signal.SIGTERM)

    comparison, stopped = carry_out(learner, [table()], FIVEFOLD, options(tmp_path, 0), ask)
    assert (stopped.interrupted, stopped.complete, stopped.ran, stopped.failed) == (True, False, 2, ())
    with pytest.raises(RunError, match=r"^nb on made has no fit for fold 3 of repeat 1 \(run"):
        ScoreTable(comparison, stopped).fold_scores("made", "accuracy")
    comparison, whole = carry_out(learner, [table()], FIVEFOLD, options(tmp_path, 0))
    assert (whole.interrupted, whole.complete, whole.reused) == (False, True, 2)
    assert ScoreTable(comparison, whole).fold_scores("made", "accuracy")["nb"].size == 5
