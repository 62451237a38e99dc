"""The power of a test at the level of its family with the spread seen, and the smallest difference it would find."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

import numpy as np
import scipy

from ..catalogue.power import (
    ASKED,
    DATASET_TESTS,
    WANTED,
    FoldPower,
    UnitPower,
    power_equivalence,
    power_t,
    seen_of_rows,
    units_for_equivalence,
)
from ..catalogue.tests import find_test
from ..plans.families import alone_level
from ..plans.model import Family
from ..results.records import Power, TestResult, Verdict
from ..scores.evidence import Floats
from .item_evidence import ItemEvidence
from .planned_tests import TestOutcome
from .shapes import metric_card

SEEN = "assuming the standard error seen here"
NO_SPREAD = 1e-12  # a spread below it is the rounding of equal differences


def power_of(one: TestOutcome, family: Family | None) -> Power | None:
    """Return the power at the level of the family with the disagreement or spread seen here; None if unknown.

    The difference asked about is the margin, never the one observed.
    """
    result = one.result
    if result is None or one.test is None:
        return None
    level = alone_level(family) if family is not None else one.comparison.alpha.value
    asked = one.comparison.rope.value if one.comparison.rope and one.comparison.rope.value > 0 else ASKED
    if one.dataset is None and _in_per_cent(one) and one.comparison.rope is None:
        return None
    if result.test == "tost":
        return _of_equivalence(result, asked, level)
    basis = _of_groups(one, level) or basis_of(result, level, _differences(one))
    if basis is not None:
        found = basis.power(result.n_units, asked)
        if found is None:
            return None
        return Power(
            difference=asked,
            power=found,
            method=sys.intern(_seen(basis, result, asked, metric_card(one.metric).high)),
            smallest=basis.smallest(result.n_units),
            needed=basis.needed(asked),
            level=level,
        )
    card, error = find_test(one.test.name), dict(result.details).get("standard_error")
    if card is None or card.evidence not in ("fold-scores", "dataset-folds") or not error or not result.df:
        return None
    found = power_t(asked / error, result.df[-1], alpha=level, sides=_sides(result))
    return Power(difference=asked, power=found, method=SEEN, level=level)


def _of_equivalence(result: TestResult, margin: float, level: float) -> Power | None:
    """Return the power to show that two equal learners are equivalent, by the standard error seen here."""
    error = dict(result.details).get("standard_error")
    if not error or not result.df:
        return None
    needed = None
    if result.unit in ("item", "test row", "row", "dataset"):
        needed = units_for_equivalence(result.n_units * error**2, margin, alpha=level)
    power = power_equivalence(error, margin, df=result.df[-1], alpha=level)
    return Power(difference=margin, power=power, method=SEEN, needed=needed, level=level)


def basis_of(result: TestResult, level: float, differences: Sequence[float] | Floats = ()) -> UnitPower | None:
    """Return what the power of a finished test of a pair rests on, from its own numbers; None if unknown.

    `differences` are those over datasets.
    """
    card, sides = find_test(result.test), _sides(result)
    if card is None or result.n_units < 2 or result.test == "tost":
        return None
    if card.evidence == "outcomes" and not len(differences):
        share = (result.wins + result.losses) / result.n_units
        return UnitPower(test=result.test, level=level, sides=sides, disagreement=share)
    if len(differences):
        spread = float(np.std(differences, ddof=1)) if result.test in DATASET_TESTS and len(differences) > 1 else 0.0
        return UnitPower(test=result.test, level=level, sides=sides, spread=spread) if spread > NO_SPREAD else None
    error = dict(result.details).get("standard_error")
    if result.unit not in ("item", "test row", "row", "group") or not error or error <= NO_SPREAD:
        return None
    freedom = (result.df[-1] if result.df else result.n_units - 1.0) / (result.n_units - 1.0)
    if not freedom > 0.0:
        return None
    spread = error * math.sqrt(result.n_units)
    return UnitPower(test=result.test, level=level, sides=sides, spread=spread, freedom=freedom)


def fold_basis_of(result: TestResult, level: float, folds: int) -> FoldPower | None:
    """Return what the power of a finished t-test on folds rests on, from its own numbers; None if unknown.

    Only the variance of corrected-t shrinks with more repeats; of all other tests the standard error stays.
    """
    details = dict(result.details)
    error, variance = details.get("standard_error", 0.0), details.get("variance", 0.0)
    if result.unit != "fold" or result.test == "tost" or not result.df or error <= NO_SPREAD:
        return None
    sides, floor = _sides(result), error * error
    if result.test != "corrected-t":
        return FoldPower(test=result.test, folds=folds, floor=floor, df=result.df[-1], level=level, sides=sides)
    floor = max(0.0, floor - variance / result.n_units)
    return FoldPower(test=result.test, folds=folds, floor=floor, per_fold=variance, level=level, sides=sides)


def _of_groups(one: TestOutcome, level: float) -> UnitPower | None:
    """Return the basis of cluster-permutation, which has no standard error of its own."""
    result, evidence = one.result, one.evidence
    assert result is not None
    if result.test != "cluster-permutation" or one.dataset is None or not isinstance(evidence, ItemEvidence):
        return None
    found, i, j = evidence.grouped(result.test, one.dataset, one.metric, (one.learners[0], one.learners[1]))
    spread = math.sqrt(found.variance[i, j] * result.n_units)
    if spread <= NO_SPREAD or found.df <= 0.0:
        return None
    freedom = found.df / (result.n_units - 1.0)
    return UnitPower(test=result.test, level=level, sides=_sides(result), spread=spread, freedom=freedom)


def _sides(result: TestResult) -> int:
    return 2 if result.alternative == "two-sided" else 1


def _seen(basis: UnitPower, result: TestResult, asked: float, high: float | None) -> str:
    """Return what the power supposes, as the end of a sentence."""
    if basis.disagreement is not None:
        if basis.disagreement < asked:
            return f"{seen_of_rows(asked)}, the smallest disagreement with such a difference"
        return f"{seen_of_rows(basis.disagreement)}, as seen here"
    if basis.test not in DATASET_TESTS:
        return SEEN
    points = high is not None and basis.spread <= high  # a score without an upper end has no points of a hundred
    shown = f"{100 * basis.spread:.3g} points" if points else f"{basis.spread:.3g}"
    return f"assuming that the true differences have a standard deviation of {shown} over datasets, as here"


def _differences(one: TestOutcome) -> Sequence[float] | Floats:
    if one.dataset is not None or len(one.learners) != 2:
        return ()
    scores = one.evidence.dataset_scores(one.metric.label)
    return scores[one.learners[0]] - scores[one.learners[1]]


def _in_per_cent(one: TestOutcome) -> bool:
    """Return whether a table is in per cent, 93.5 for .935: then no size in points fits it."""
    high = metric_card(one.metric).high
    scores = one.evidence.dataset_scores(one.metric.label)
    return high is not None and any((scores[x] > high).any() for x in one.learners)


def smallest_difference(verdict: Verdict) -> float | None:
    """Return the smallest difference that this test finds with 80% power; None if unknown.

    Known as the minimal detectable effect (Bloom 1995; Miller 2024, section 5). Without a basis of its own it is
    (t at the interval's level + t at the power) times the standard error that the interval stands for.
    """
    interval, test = verdict.interval, verdict.test
    if verdict.power is not None and verdict.power.smallest is not None:
        return verdict.power.smallest
    if test is None:
        return None
    basis = basis_of(test, 1.0 - interval.level if interval is not None else verdict.alpha, verdict.paired)
    if basis is not None:
        return basis.smallest(test.n_units)
    if interval is None or test.n_units < 2 or not interval.high > interval.low:
        return None
    df = test.df[0] if len(test.df) == 1 and test.df[0] > 0 else test.n_units - 1
    at_level = float(scipy.special.stdtrit(df, 0.5 + interval.level / 2))
    return (interval.high - interval.low) / 2 * (1 + float(scipy.special.stdtrit(df, WANTED)) / at_level)
