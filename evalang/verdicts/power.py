"""The power that stands beside every "not settled": how likely this design finds a difference of a named size."""

from __future__ import annotations

import math

from ..catalogue.power import ASKED, assumed_of_datasets, dataset_power, power_t, row_power, seen_of_rows
from ..catalogue.tests import find_test
from ..plans.families import alone_level
from ..plans.model import Family
from ..results.verdict import Power
from .apply import metric_card
from .evidence import Evidence
from .tested import Tested

ROUNDING = 1e-12  # a spread below it is the rounding of equal differences


def power_of(one: Tested, family: Family | None, evidence: Evidence) -> Power | None:
    """The closed-form power at the level of the family, where there is one: as in the plan, with what was seen."""
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
        found = row_power(result.n_units, disagreement=disagreement, difference=asked, alpha=level, sides=sides)
        return Power(difference=asked, power=found, method=seen_of_rows(disagreement) + ", as seen here")
    if card.evidence == "dataset-scores" and one.dataset is None and result.n_units > 1:
        spread = _spread(one, evidence)
        if not spread or _in_per_cent(one, evidence):
            return None
        over = dataset_power(card.name, result.n_units, difference=asked, spread=spread, alpha=level, sides=sides)
        if over is None:
            return None
        return Power(difference=asked, power=over, method=assumed_of_datasets(spread) + ", as seen here")
    error = dict(result.details).get("standard_error")
    if card.evidence == "fold-scores" and error and error > 0 and result.df:
        found = power_t(asked / error, result.df[-1], alpha=level, sides=sides)
        return Power(difference=asked, power=found, method="if the standard error seen here is the true one")
    return None


def _spread(one: Tested, evidence: Evidence) -> float:
    scores = evidence.dataset_scores(one.metric.label)
    d = [float(v) for v in scores[one.learners[0]] - scores[one.learners[1]]]
    if len(d) < 2:
        return 0.0
    mean = math.fsum(d) / len(d)
    found = math.sqrt(math.fsum((x - mean) ** 2 for x in d) / (len(d) - 1))
    return found if found > ROUNDING else 0.0


def _in_per_cent(one: Tested, evidence: Evidence) -> bool:
    """A table of somebody else's may hold 93.5 where the metric says .935: then no size in points fits it."""
    high = metric_card(one.metric).high
    scores = evidence.dataset_scores(one.metric.label)
    return high is not None and any(float(v) > high for x in one.learners for v in scores[x])
