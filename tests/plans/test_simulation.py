"""Simulations: what can be asked for, and why a test cannot be simulated (the refusals are in errors.txt)."""

from __future__ import annotations

import pytest

from evalang.catalogue.tests import TESTS
from evalang.plans.simulation import DATASETS, FOLDS, OUTCOMES, SIMULATED, why_not
from evalang.verdicts.simulation import pvalues
from tests.support.plans import planned

TABLES = (
    'dataset visits from csv "visits.csv", target "y", as classification because "r"\n'
    'results old from csv "old.csv", datasets in "d", measuring accuracy\n'
)
COMPARE = "compare decision-tree vs naive-bayes on {} using {}, seed 1 as c\n"
TENFOLD = COMPARE.format("iris", "10cv")
HOLDOUT = COMPARE.format("breast-cancer", "holdout 1/3")


@pytest.mark.parametrize(
    "script",
    [
        "simulate type-I of mcnemar with n 20, error 2/3, seed 1",
        "simulate type-I of resampled-t, kfold-t with n 30, resamples 2, 30, seed 1",
        "simulate type-I of resampled-t with n 30 rows, resamples 31, seed 1",
        "simulate type-I of sign with datasets 2, shared 1%, 1%, seed 1",
        HOLDOUT + "simulate power of c with n 3000, difference 50%, seed 1",
        TENFOLD + "simulate power of c with rows 20, seed 1",
        COMPARE.format("visits", "10cv") + "simulate power of c with difference 5%, seed 1",
        "compare a vs b on old by wilcoxon as c\nsimulate power of c with datasets 6, spread 5%, seed 1",
    ],
)
def test_what_can_be_is_not_refused(script: str) -> None:
    assert planned(TABLES + script).findings == ()


@pytest.mark.parametrize("script", ["seed 7, n 100, trials 10", "n 100, seed 7, trials 10", "n 100, trials 10, seed 7"])
def test_a_seed_stands_anywhere(script: str) -> None:
    found = planned(f"set alpha 0.1\nset seed 4\nsimulate type-I of mcnemar, sign, mcnemar with {script}")
    assert found.plan.simulations[0].subjects == ("mcnemar", "sign")  # named twice, counted once
    assert found.findings == ()
    assert dict(found.plan.simulations[0].settings) == {"n": (100,), "trials": (10,), "alpha": (0.1,), "seed": (7,)}


def test_the_names_are_those_of_the_arrays() -> None:
    """Plans may not import numpy, so the names stand in both places."""
    assert set(OUTCOMES) == set(pvalues.OUTCOMES)
    assert set(FOLDS) == set(pvalues.FOLDS)
    assert set(DATASETS) == set(pvalues.DATASETS)


@pytest.mark.parametrize("test", [t for t in TESTS if t.name not in SIMULATED], ids=lambda t: t.name)
def test_reasons_are_those_of_the_card(test: object) -> None:
    name = getattr(test, "name", "")
    reason = why_not(name)
    assert reason.startswith(f"`{name}`")
    assert ("several learners" in reason) == (getattr(test, "learners", "") == "many")
    assert ("one learner" in reason) == (getattr(test, "learners", "") == "one")
    assert "dataset scores" not in reason
