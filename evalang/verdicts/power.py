"""The power that stands beside every "not settled": how likely this design finds a difference of a named size."""

from __future__ import annotations

import math

from ..catalogue.power import power_mcnemar, power_paired_t, power_t
from ..catalogue.tests import find_test
from ..plans.model import Family
from ..results.verdict import Power
from .apply import metric_card
from .evidence import Evidence
from .tested import Tested

LARGE_EFFECT = 0.8  # Cohen's dz, the size EV103 asks about as well
ROUNDING = 1e-12  # a spread below it is the rounding of equal differences
ASKED = 0.05  # difference asked about where the script names no rope (ours)


def power_of(one: Tested, family: Family | None, evidence: Evidence) -> Power | None:
    """The closed-form power at the family's first level, where there is one."""
    result = one.result
    if result is None or one.test is None:
        return None
    card = find_test(one.test.name)
    if card is None:
        return None
    level = family.first_level if family is not None else one.comparison.alpha.value
    sides = 2 if result.alternative == "two-sided" else 1
    asked = one.comparison.rope.value if one.comparison.rope and one.comparison.rope.value > 0 else ASKED
    if card.evidence == "outcomes" and one.dataset is not None and result.n_units > 1:
        disagreement = max((result.wins + result.losses) / result.n_units, asked)
        found = power_mcnemar(result.n_units, disagreement=disagreement, difference=asked, alpha=level, sides=sides)
        return Power(difference=asked, power=found, method="McNemar's test with the share of disagreements seen here")
    if card.evidence == "dataset-scores" and one.dataset is None and result.n_units > 1:
        spread = _spread(one, evidence)
        if not spread or _in_per_cent(one, evidence):
            return None
        found = power_paired_t(result.n_units, asked / spread, alpha=level, sides=sides)
        return Power(difference=asked, power=found, method="paired t over datasets with the spread seen here")
    error = dict(result.details).get("standard_error")
    if card.evidence == "fold-scores" and error and error > 0 and result.df:
        found = power_t(asked / error, result.df[-1], alpha=level, sides=sides)
        return Power(difference=asked, power=found, method=f"{one.test.name} with the standard error seen here")
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
