"""The simulation gives the rates of Dietterich's figures, and each outcome says what was set."""

from __future__ import annotations

from itertools import pairwise

import pytest
from scipy import stats

from evalang.plans.model import Simulation
from evalang.plans.simulation import SIMULATED
from evalang.results.records import SimulationOutcome
from evalang.verdicts.simulation.type_one import type_one


def run(*tests: str, **settings: tuple[float, ...]) -> tuple[SimulationOutcome, ...]:
    given = tuple(settings.items())
    return tuple(type_one(Simulation(name="simulate-1", kind="type-I", subjects=tests, settings=given)))


def rates(*tests: str, **settings: tuple[float, ...]) -> list[float]:
    return [o.rate for o in run(*tests, **settings)]


# Ranges that two other programs gave with 1,000 and 2,000 trials, for the errors .1, .2, .3, .4.
FIGURE_FIVE = {
    "mcnemar": [(0.02, 0.04)] * 4,
    "5x2cv-t": [(0.02, 0.04)] * 4,
    "kfold-t": [(0.04, 0.05)] * 4,
    "proportions": [(0.05, 0.07)] * 4,
    "resampled-t": [(0.11, 0.11), (0.19, 0.19), (0.25, 0.25), (0.32, 0.32)],
}


@pytest.mark.parametrize("test", FIGURE_FIVE)
def test_figure_five(test: str) -> None:
    """Within three standard errors of 1,500 trials of the range."""
    found = rates(test, error=(0.1, 0.2, 0.3, 0.4), trials=(20_000.0,), seed=(1.0,))
    for rate, (low, high) in zip(found, FIGURE_FIVE[test], strict=True):
        room = 3 * (high * (1 - high) / 1500) ** 0.5
        assert low - room <= rate <= high + room


def test_figure_six() -> None:
    """More resamples, more false alarms; the folds of one cross-validation do not do that."""
    grown = rates("resampled-t", resamples=(5.0, 20.0, 80.0, 300.0), trials=(4000.0,), seed=(1.0,))
    assert all(a < b for a, b in pairwise(grown))
    assert grown[-1] > 0.3
    folds = rates("kfold-t", resamples=(5.0, 10.0, 30.0), trials=(8000.0,), seed=(1.0,))
    assert all(0.03 < rate < 0.065 for rate in folds)


def test_a_training_set_effect_makes_the_fold_tests_err() -> None:
    """`shared` gives what the simulation otherwise lacks: folds that share training rows move together."""
    alone, moved = (rates("kfold-t", shared=(s,), trials=(8000.0,), seed=(1.0,))[0] for s in (0.0, 0.03))
    assert moved > 1.4 * alone


def test_outcomes_carry_wilson_intervals_and_what_was_set() -> None:
    found = run("resampled-t", "mcnemar", n=(90.0,), error=(0.2,), resamples=(7.0,), trials=(500.0,), seed=(3.0,))
    assert [o.subject for o in found] == ["resampled-t", "mcnemar"]
    assert dict(found[0].settings) == {"n": 90.0, "error": 0.2, "resamples": 7.0}
    assert dict(found[1].settings) == {"n": 90.0, "error": 0.2}
    for o in found:
        interval = stats.binomtest(round(o.rate * 500), 500).proportion_ci(0.95, method="wilson")
        assert (o.interval.low, o.interval.high) == pytest.approx((interval.low, interval.high), rel=1e-9)
        assert o.trials == 500


def test_one_cell_does_not_change_another() -> None:
    together = run("mcnemar", "resampled-t", error=(0.1, 0.3), trials=(300.0,), seed=(5.0,))
    assert run("resampled-t", error=(0.3,), trials=(300.0,), seed=(5.0,)) == together[-1:]
    assert run("mcnemar", error=(0.1,), trials=(300.0,), seed=(6.0,)) != together[:1]


def test_every_test_it_names_runs_on_few_rows() -> None:
    for n in (20.0, 31.0):
        assert len(run(*SIMULATED, n=(n,), error=(0.05,), trials=(50.0,))) == len(SIMULATED)
