"""How long a run still takes, and what a trial cost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evalang.plans.model import Given, Grid, Metric, Part, Scheme, Tuning
from evalang.trials.options import ONE_BY_ONE, Progress, RunOptions
from evalang.trials.pool import available_cores
from evalang.trials.run import run

from ..support.engine import (
    FIVEFOLD,
    TENFOLD,
    carry_out,
    catalogue,
    comparison,
    options,
    own,
    plan,
    score_candidate,
    stored,
    table,
    trials_of,
)

FAST, SLOW = own("fast", "Slow", seconds=0.002), own("slow", "Slow", seconds=0.2)


class Watch:
    """What was said of the time left, and when."""

    def __init__(self) -> None:
        self.said: list[tuple[float, Progress]] = []

    def __call__(self, progress: Progress) -> None:
        self.said.append((time.monotonic(), progress))

    def ratios(self, end: float) -> list[float]:
        """Of what was said to what came, while there was more to come than a moment."""
        there = [(p.left / (end - at), p) for at, p in self.said if p.left is not None and end - at > 0.5]
        assert all(ratio < 2 for ratio, p in there if p.at_least)
        return [ratio for ratio, p in there if not p.at_least]


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks that go on by what is slept in this process, and by a moment when they are looked at."""
    now = 1000.0

    def go_on(seconds: float = 1e-6) -> float:
        nonlocal now
        now += seconds
        return now

    for name in ("monotonic", "perf_counter", "sleep"):
        monkeypatch.setattr(time, name, go_on)


def test_the_time_left_is_right_within_a_factor_of_two(slept: None, tmp_path: Path) -> None:
    """One learner takes a hundred times as long as the other, and most trials are the quick one's."""
    said_and_came(tmp_path, 0)


@pytest.mark.benchmark
def test_the_time_left_is_right_with_two_workers(tmp_path: Path) -> None:
    """By the clock of a machine that does nothing else."""
    said_and_came(tmp_path, 2)


def said_and_came(tmp_path: Path, jobs: int) -> None:
    watch = Watch()
    quick = [table(name=f"quick{n}", seed=n) for n in range(4)]
    each = [comparison("c", [FAST, SLOW], [table()], TENFOLD), comparison("d", [FAST], quick, TENFOLD)]
    tables = {t.name: t for t in (table(), *quick)}
    run(plan(each, [FAST, SLOW]), tables, options(tmp_path, jobs), score_candidate, watch)
    ratios = watch.ratios(time.monotonic())
    assert len(ratios) >= 3
    assert all(0.5 < ratio < 2 for ratio in ratios), ratios


def test_a_run_that_goes_on_knows_at_once(tmp_path: Path) -> None:
    """The trials that are there tell how long the others take."""
    carry_out([FAST, SLOW], [table()], FIVEFOLD, options(tmp_path))
    watch = Watch()
    more = Scheme(kind="repeated-cv", partitions=3, folds=5)
    carry_out([FAST, SLOW], [table()], more, options(tmp_path), watch)
    assert watch.said[0][1].left is not None
    assert not watch.said[0][1].at_least


def test_forward_in_time_the_later_folds_are_longer(slept: None, tmp_path: Path) -> None:
    """A learner whose time is that of its rows: what is left is not counted in folds."""
    watch = Watch()
    made = table(rows=120, time=np.arange(120))
    mine = own("rows", "Slow", seconds=0.0, per_row=0.004)
    carry_out([mine, own("other", "Constant")], [made], Scheme(kind="forward", folds=7), options(tmp_path, 0), watch)
    ratios = watch.ratios(time.monotonic())
    assert len(ratios) >= 3
    assert all(0.5 < ratio < 2 for ratio in ratios), ratios


def test_what_fails_shows_at_once(tmp_path: Path) -> None:
    """The first trial of each learner on each dataset comes before the second of any."""
    seen: list[Progress] = []
    late = own("late", "Raises")
    tables = [table(name=f"t{n}", seed=n) for n in range(3)]
    carry_out([own("slow", "Slow", seconds=0.06), late], tables, TENFOLD, options(tmp_path, 0), seen.append)
    assert next(p.done for p in seen if p.failed >= 3) <= 2 * 6


def test_a_trial_says_what_it_cost(slept: None, tmp_path: Path) -> None:
    tuned = catalogue("tree", "decision-tree")
    carry_out([tuned, SLOW], [table()], FIVEFOLD, options(tmp_path, 0))
    found = trials_of(tmp_path)
    assert len(found) == 10
    assert sum(t.seconds > 0.2 for t in found if t.seconds is not None) == 5
    assert all(t.seconds is not None and t.seconds >= t.answers[0].fit_seconds for t in found)
    assert all(t.memory is not None and t.memory >= 0 for t in found)
    assert not any("seconds" in result or "memory" in result for result, _ in stored(tmp_path).values())


def test_trainings_share_the_seconds_of_their_task(tmp_path: Path) -> None:
    """Tuning is done once for all of them; together they took as long as the task."""
    mine = replace(SLOW, trainings=2, grids=(Grid(parameter="seconds", size=2, values=(0.05, 0.1)),))
    tuning = Given(Tuning(where="part", part=Part(fraction=0.2)))
    begun = time.monotonic()
    carry_out([mine], [table()], Scheme(kind="holdout", part=Part(fraction=1 / 3)), options(tmp_path, 0), tuning=tuning)
    elapsed = time.monotonic() - begun
    found = trials_of(tmp_path)
    assert len(found) == 2
    assert 0.05 + 0.1 + 2 * 0.05 < sum(t.seconds or 0 for t in found) < elapsed


def test_memory_is_what_a_process_grew_by() -> None:
    """In a process of its own: one that has given memory back takes that again without growing."""
    code = "import numpy as np; from evalang.trials.capture import CostMeter\n"
    code += "meter = CostMeter(); held = np.ones(4_000_000)\n"
    code += "print(meter.read()[1], held.nbytes); del held; print(CostMeter().read()[1])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    grown, held, little = map(int, found.stdout.split())
    assert 0.9 * held < grown < 2 * held
    assert little < 8_000_000


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity here")
def test_the_cores_are_those_that_this_process_may_use() -> None:
    code = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    code += "from evalang.trials.pool import *; print(available_cores(), worker_count(RunOptions(jobs=None)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["1", "1"]
    assert 1 <= available_cores() <= (os.cpu_count() or 1)


def test_where_times_are_compared_one_trial_runs_after_the_other(tmp_path: Path) -> None:
    two = [catalogue("nb", "naive-bayes"), catalogue("majority")]
    times = {"metrics": (Metric("fit-time"),)}
    _, outcome = carry_out(two, [table()], FIVEFOLD, RunOptions(jobs=None, folder=tmp_path / "a"), **times)
    assert ONE_BY_ONE in outcome.notes
    for jobs, more in ((2, times), (None, {})):
        _, outcome = carry_out(two, [table()], FIVEFOLD, RunOptions(jobs=jobs, folder=tmp_path / str(jobs)), **more)
        assert ONE_BY_ONE not in outcome.notes


def test_a_learner_that_asks_for_all_cores_gets_one(tmp_path: Path) -> None:
    """Workers side by side, each with as many threads as there are cores, would be in each other's way."""
    mine = own("asks", "AsksForCores")
    _, outcome = carry_out([mine, catalogue("majority")], [table()], FIVEFOLD, options(tmp_path, 1))
    assert not outcome.failed, outcome.failed
