"""What cannot be simulated is a finding at its place, before anything runs."""

from __future__ import annotations

import pytest

from evalang.catalogue.tests import TESTS
from evalang.language.text import Finding, SourceText
from evalang.plans.build import Built, build
from evalang.plans.opened_data import OpenedDataset, with_opened_data
from evalang.plans.simulation import DATASETS, FOLDS, OUTCOMES, SIMULATED, why_not
from evalang.verdicts.simulation import pvalues

TABLES = (
    'dataset visits from csv "visits.csv", target "y", as classification because "r"\n'
    'results old from csv "old.csv", datasets in "d", measuring accuracy\n'
)
COMPARE = "compare decision-tree vs naive-bayes on {} using {}, seed 1 as c\n"
TENFOLD = COMPARE.format("iris", "10cv")
HOLDOUT = COMPARE.format("breast-cancer", "holdout 1/3")


def built(script: str, known: dict[str, OpenedDataset] | None = None) -> Built:
    return with_opened_data(build(SourceText("script.eval", TABLES + script)), known or {})


def errors(script: str, known: dict[str, OpenedDataset] | None = None) -> list[Finding]:
    return [f for f in built(script, known).findings if f.level == "error"]


TYPE_ONE = [
    ("mcnemar with n 10, seed 1", "EV006", "10 rows are too few to simulate with", "10"),
    ("mcnemar with n 300, 19, seed 1", "EV006", "19 rows are too few to simulate with", "19"),
    ("mcnemar with error 0%, seed 1", "EV006", "cannot err on 0% of the rows", "0%"),
    ("mcnemar with error 10%, 67%, seed 1", "EV006", "cannot err on 67% of the rows", "67%"),
    ("mcnemar, delong with n 300, seed 1", "EV007", "only right or wrong", "delong"),
    ("friedman with n 300, seed 1", "EV007", "asks about several learners, and a simulation draws two", "friedman"),
    ("kfold-t with n 30, resamples 31, seed 1", "EV006", "kfold-t cannot make 31 folds of 30 rows", "31"),
    ("kfold-t with resamples 301, seed 1", "EV006", "kfold-t cannot make 301 folds of 300 rows", "301"),
    ("resampled-t with resamples 1, seed 1", "EV006", "a test on resamples cannot work on 1", "1"),
    ("wilcoxon with datasets 1, seed 1", "EV006", "a test over datasets cannot work on 1", "1"),
    ("mcnemar with shared 1%, 2%, seed 1", "EV006", "shared takes one value", "2%"),
    ("mcnemar with trials 10, 100, seed 1", "EV006", "trials takes one value", "100"),
    ("mcnemar with difference 5%, seed 1", "EV007", "difference plays no part here", "difference 5%"),
    ("mcnemar with disagreement 5%, seed 1", "EV007", "disagreement plays no part here", "disagreement 5%"),
    ("mcnemar with spread 5%, seed 1", "EV007", "spread plays no part here", "spread 5%"),
    ("mcnemar with rows 300, seed 1", "EV007", "rows plays no part here", "rows 300"),
    ("mcnemar with resamples 30, seed 1", "EV007", "resamples plays no part here", "resamples 30"),
    ("mcnemar with datasets 30, seed 1", "EV007", "datasets plays no part here", "datasets 30"),
    ("mcnemar with n 300%, seed 1", "EV006", "n cannot be 300%", "300%"),
    ("mcnemar with trials 100 rows, seed 1", "EV006", "trials cannot be 100 rows", "100 rows"),
    ("mcnemar with seed 1, 2", "EV006", "seed takes one value", "2"),
    ("mcnemar with seed 1.5, n 100", "EV006", "seed cannot be 1.5", "1.5"),
    ("mcnemar with seed 1, n 100, seed 2", "EV006", "seed is given twice", "seed 1"),
    ("kfold-t with folds 10, seed 1", "EV002", 'there is no setting named "folds"', "folds"),
    (
        "wilcoxon(zero_method = pratt) with n 300, seed 1",
        "EV007",
        "options of wilcoxon",
        "wilcoxon(zero_method = pratt)",
    ),
]
POWER = [
    (HOLDOUT, "difference 0%", "EV006", "a difference of 0% cannot be looked for", "0%"),
    (HOLDOUT, "difference 51%", "EV006", "a difference of 51% cannot be looked for", "51%"),
    (HOLDOUT, "error 60%, difference 45%", "EV006", "cannot err on 1.05 of the rows", "60%"),
    (HOLDOUT, "difference 5%, disagreement 80%", "EV006", "cannot disagree on 0.8", "80%"),
    (HOLDOUT, "disagreement 80%", "EV006", "cannot disagree on 0.8", "80%"),
    (HOLDOUT, "error 1%", "EV006", "10% is assumed", "1%"),
    (HOLDOUT, "error 10%, 20%", "EV006", "error takes one value", "20%"),
    (HOLDOUT, "resamples 10", "EV007", "resamples plays no part here", "resamples 10"),
    (HOLDOUT, "datasets 10", "EV007", "c has no test over datasets", "datasets 10"),
    (HOLDOUT, "spread 10%", "EV007", "c has no test over datasets", "spread 10%"),
    (HOLDOUT, "n 300, rows 300", "EV007", "n says the rows already", "rows 300"),
    (HOLDOUT, "rows 1, 300", "EV006", "1 rows are too few for mcnemar", "1"),
    (TENFOLD, "rows 19", "EV007", "19 rows are too few", "c"),
    (COMPARE.format("breast-cancer", "10cv, measuring roc-area"), "", "EV007", "measures neither", "c"),
    (
        COMPARE.format("breast-cancer", "leave-one-out, by kfold-t"),
        "",
        "EV007",
        "leave-one-out gives kfold-t nothing",
        "c",
    ),
    (COMPARE.format("breast-cancer", "bootstrap 20, by corrected-t"), "", "EV007", "bootstrap 20 gives", "c"),
    (COMPARE.format("breast-cancer", "20 trainings of 200, by quasi-f"), "", "EV007", "never trained", "c"),
    (COMPARE.format("breast-cancer", "10cv, by bayes-correlated-t"), "", "EV007", "no p-value", "c"),
    (COMPARE.format("visits", "bootstrap 20, by corrected-t"), "", "EV007", "bootstrap 20 gives", "c"),
    ("compare a vs b vs d on old by friedman as c\n", "", "EV007", "several learners, and a simulation draws two", "c"),
    ("compare a vs b on old by bayes-signed-rank, seed 1 as c\n", "", "EV007", "no p-value", "c"),
    ("compare a vs b on old by wilcoxon as c\n", "datasets 1", "EV006", "a test over datasets cannot work on 1", "1"),
    ("estimate decision-tree on iris using 10cv, seed 1 as c\n", "", "EV007", "it estimates one learner", "c"),
]


@pytest.mark.parametrize(("asked", "code", "said", "at"), TYPE_ONE)
def test_type_one_refused(asked: str, code: str, said: str, at: str) -> None:
    script = f"simulate type-I of {asked}"
    (found,) = errors(script)
    assert found.code == code
    assert said in found.message
    assert (TABLES + script)[found.span.start : found.span.end] == at


@pytest.mark.parametrize(("comparison", "asked", "code", "said", "at"), POWER)
def test_power_refused(comparison: str, asked: str, code: str, said: str, at: str) -> None:
    settings = f"{asked}, trials 10" if asked else "trials 10"
    script = f"{comparison}simulate power of c with {settings}, seed 1"
    found = [f for f in errors(script) if f.span.start > len(TABLES + comparison)]
    assert len(found) == 1
    assert found[0].code == code
    assert said in f"{found[0].message} {found[0].help}"
    assert (TABLES + script)[found[0].span.start : found[0].span.end] == at


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
    assert errors(script) == []


def test_rows_that_the_data_tells_are_too_few() -> None:
    script = COMPARE.format("visits", "10cv") + "simulate power of c with difference 5%, seed 1"
    (found,) = errors(script, {"visits": OpenedDataset(task="classification", rows=15)})
    assert "15 rows are too few" in found.message


@pytest.mark.parametrize("script", ["seed 7, n 100, trials 10", "n 100, seed 7, trials 10", "n 100, trials 10, seed 7"])
def test_a_seed_stands_anywhere(script: str) -> None:
    found = built(f"simulate type-I of mcnemar with {script}")
    assert found.findings == ()
    assert dict(found.plan.simulations[0].settings) == {"n": (100,), "trials": (10,), "alpha": (0.05,), "seed": (7,)}


def test_a_subject_named_twice_counts_once() -> None:
    assert built("simulate type-I of sign, mcnemar, sign with seed 1").plan.simulations[0].subjects == (
        "sign",
        "mcnemar",
    )


def test_the_names_are_those_of_the_arrays() -> None:
    """Plans may not import numpy, so the names stand in both places."""
    assert set(OUTCOMES) == set(pvalues.OUTCOMES)
    assert set(FOLDS) == set(pvalues.FOLDS)
    assert set(DATASETS) == set(pvalues.DATASETS)


@pytest.mark.parametrize("test", [t for t in TESTS if t.name not in SIMULATED], ids=lambda t: t.name)
def test_reasons_are_those_of_the_card(test: object) -> None:
    name = getattr(test, "name", "")
    said = why_not(name)
    assert said.startswith(name)
    assert ("several learners" in said) == (getattr(test, "learners", "") == "many")
    assert ("one learner" in said) == (getattr(test, "learners", "") == "one")
    assert "dataset scores" not in said
