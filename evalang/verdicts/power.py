"""The power of a test at the level of its family with the spread seen, and the smallest difference it would find."""

from __future__ import annotations

import math

from scipy import stats

from ..catalogue.distributions import t_quantile
from ..catalogue.power import (
    ASKED,
    WANTED,
    assumed_of_datasets,
    dataset_power,
    power_t,
    row_power,
    rows_needed,
    seen_of_rows,
    smallest_found,
    units_needed,
)
from ..catalogue.tests import find_test
from ..plans.families import alone_level
from ..plans.model import Family
from ..results.records import Power, Verdict
from .evidence import Evidence, metric_card
from .item_evidence import ItemEvidence
from .planned_tests import TestOutcome

NO_SPREAD = 1e-12  # a spread below it is the rounding of equal differences


def power_of(one: TestOutcome, family: Family | None, evidence: Evidence) -> Power | None:
    """Return the closed-form power at the level of the family, with the spread seen here; None without one."""
    result = one.result
    if result is None or one.test is None:
        return None
    card = find_test(one.test.name)
    if card is None:
        return None
    level = alone_level(family) if family is not None else one.comparison.alpha.value
    sides = 2 if result.alternative == "two-sided" else 1
    asked = one.comparison.rope.value if one.comparison.rope and one.comparison.rope.value > 0 else ASKED
    if card.evidence == "outcomes" and one.dataset is not None and result.n_units > 1:
        disagreement = max((result.wins + result.losses) / result.n_units, asked)
        share, rows = (result.wins + result.losses) / result.n_units, result.n_units

        def reach(difference: float) -> float:
            return row_power(card.name, rows, disagreement=share, difference=difference, alpha=level, sides=sides)

        return Power(
            difference=asked,
            power=reach(asked),
            method=seen_of_rows(disagreement)
            + (", as seen here" if share >= asked else ", the fewest that such a difference takes"),
            smallest=smallest_found(reach) if one.comparison.units == "items" else None,
            needed=rows_needed(card.name, disagreement=disagreement, difference=asked, alpha=level * 2 / sides)
            if one.comparison.units == "items"
            else None,
        )
    if card.evidence == "dataset-scores" and one.dataset is None and result.n_units > 1:
        spread = _spread(one, evidence)
        if not spread or _in_per_cent(one, evidence):
            return None
        over = dataset_power(card.name, result.n_units, difference=asked, spread=spread, alpha=level, sides=sides)
        if over is None:
            return None
        supposed = assumed_of_datasets(spread)
        if metric_card(one.metric).high is None:  # a score without an upper end has no points of a hundred
            supposed = f"if the true differences spread by {spread:.3g} over datasets"
        return Power(difference=asked, power=over, method=f"{supposed}, as seen here")
    error = dict(result.details).get("standard_error")
    if isinstance(evidence, ItemEvidence) and one.dataset is not None:
        return _of_items(one, evidence, (asked, level, sides))
    if card.evidence in ("fold-scores", "dataset-folds") and error and error > 0 and result.df:
        found = power_t(asked / error, result.df[-1], alpha=level, sides=sides)
        return Power(difference=asked, power=found, method="if the standard error seen here is the true one")
    return None


def _of_items(one: TestOutcome, evidence: ItemEvidence, asked: tuple[float, float, int]) -> Power | None:
    """Return the power from the observed variance of the mean difference, over items or groups of them."""
    difference, level, sides = asked
    result = one.result
    assert result is not None
    error = dict(result.details).get("standard_error")
    df = result.df[-1] if result.df else result.n_units - 1.0
    if result.test == "cluster-permutation" and one.dataset is not None:
        pair = (one.learners[0], one.learners[1])
        found, i, j = evidence.grouped(result.test, one.dataset, one.metric, pair)
        error, df = math.sqrt(found.variance[i, j]), found.df
    if not error or error <= NO_SPREAD or df <= 0:
        return None
    critical = t_quantile(1.0 - level / sides, df) + t_quantile(WANTED, df)
    return Power(
        difference=difference,
        power=power_t(difference / error, df, alpha=level, sides=sides),
        method="if the standard error seen here is the true one",
        smallest=critical * error,
        needed=units_needed(result.n_units * error**2, difference, alpha=level, sides=sides),
    )


def _spread(one: TestOutcome, evidence: Evidence) -> float:
    scores = evidence.dataset_scores(one.metric.label)
    d = [float(v) for v in scores[one.learners[0]] - scores[one.learners[1]]]
    if len(d) < 2:
        return 0.0
    mean = math.fsum(d) / len(d)
    found = math.sqrt(math.fsum((x - mean) ** 2 for x in d) / (len(d) - 1))
    return found if found > NO_SPREAD else 0.0


def _in_per_cent(one: TestOutcome, evidence: Evidence) -> bool:
    """Return whether a table is in per cent, 93.5 for .935: then no size in points fits it."""
    high = metric_card(one.metric).high
    scores = evidence.dataset_scores(one.metric.label)
    return high is not None and any(float(v) > high for x in one.learners for v in scores[x])


POWER = 0.8  # found four times in five


def smallest_difference(verdict: Verdict) -> float | None:
    """(t at the interval's level + t at the power) times the standard error that the interval stands for.

    Known as the minimal detectable effect (Bloom 1995; Miller 2024, section 5). None without an interval. Of right and
    wrong it is the power of McNemar's test itself, as in the report: of few items no t holds, and 3 find nothing.
    """
    interval, test = verdict.interval, verdict.test
    if verdict.power is not None and verdict.power.smallest is not None:
        return verdict.power.smallest
    card = find_test(test.test) if test is not None else None
    if test is not None and card is not None and card.evidence == "outcomes" and test.n_units:
        share, rows = (test.wins + test.losses) / test.n_units, test.n_units
        level = 1.0 - interval.level if interval is not None else verdict.alpha
        sides = 2 if test.alternative == "two-sided" else 1
        return smallest_found(
            lambda size: row_power(test.test, rows, disagreement=share, difference=size, alpha=level, sides=sides),
            most=1.0,
        )
    if interval is None or test is None or test.n_units < 2 or not interval.high > interval.low:
        return None
    df = test.df[0] if len(test.df) == 1 and test.df[0] > 0 else test.n_units - 1
    at_level = float(stats.t.ppf(0.5 + interval.level / 2, df))
    return (interval.high - interval.low) / 2 * (1 + float(stats.t.ppf(POWER, df)) / at_level)
