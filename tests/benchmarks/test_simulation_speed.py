"""Five tests, four error rates, 1,000 trials: against a call of SciPy for each trial, and growing linearly."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evalang.plans.model import Simulation
from evalang.verdicts.simulation.type_one import type_one

from .test_analysis_speed import seconds

pytestmark = pytest.mark.benchmark
TESTS = ("mcnemar", "proportions", "resampled-t", "kfold-t", "5x2cv-t")
ERRORS = (0.1, 0.2, 0.3, 0.4)


def simulated(trials: int) -> float:
    """The seconds of so many trials of every test and error."""
    settings = (("error", ERRORS), ("trials", (float(trials),)), ("seed", (1.0,)))
    asked = Simulation(name="simulate-1", kind="type-I", subjects=TESTS, settings=settings)
    return seconds(lambda: list(type_one(asked)), 3)


def test_five_times_faster_than_a_call_of_scipy_for_each_trial() -> None:
    """The calls alone: no data are drawn and no folds are dealt for them."""
    pairs = np.random.default_rng(1).normal(size=(1000, 2, 10))
    calls = len(TESTS) * len(ERRORS) * seconds(lambda: [stats.ttest_rel(*pair) for pair in pairs], 3)
    ours = simulated(1000)
    print(f"figure 5 with 1,000 trials: {ours:.3f} s; a call for each trial: {calls:.1f} s; {calls / ours:.0f} times")
    assert calls / ours >= 5


def test_time_grows_linearly() -> None:
    few, many = simulated(2_000), simulated(16_000)
    print(f"2,000 trials: {few:.3f} s; 16,000 trials: {many:.3f} s; {many / few:.1f} times for 8 times the work")
    assert many < 8 * few * 1.5
