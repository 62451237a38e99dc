"""The families of the plan applied: p-values corrected together exactly as the plan counted them, and how likely a
difference would have been found.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from scipy import stats

from ..catalogue.corrections import find_correction
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
from ..plans.families import SELF_ADJUSTING, alone_level, number_of_tests, tests_together
from ..plans.model import Family, Plan
from ..results.records import Kind, Power, Verdict
from .apply import metric_card
from .arithmetic.guarded import adjust
from .evidence import Evidence
from .item_evidence import ItemEvidence
from .tested import Tested


def family_of(plan: Plan) -> dict[tuple[str, str], Family]:
    """The family of each comparison and scope."""
    found: dict[tuple[str, str], Family] = {}
    for family in plan.families:
        for name in family.comparisons:
            if "everything" in family.over:
                found[name, "dataset"] = found[name, "over-datasets"] = family
            else:
                found[name, family.scope] = family
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A p-value after the correction of its family, and the interval that may stand beside it."""

    pvalue: float | None
    family: Family | None
    size: int = 1  # tests of the family, as planned
    missing: int = 0  # of these, tests that could not be computed: they count
    blocks: int = 1  # parts of the family that share its level
    kind: Kind = "single"
    way: str = ""  # how that interval is simultaneous, where it is not Bonferroni's
    alpha: float | None = None  # one minus the level of that interval; None: the comparison's own


def corrected(plan: Plan, tested: Sequence[Tested]) -> list[Corrected]:
    """For every test what the correction of its family makes of it."""
    families = family_of(plan)
    groups: dict[tuple[object, ...], list[int]] = {}
    owners: list[Family | None] = []
    for index, one in enumerate(tested):
        family = families.get((one.comparison.name, _scope(one)))
        owners.append(family)
        if family is not None and _counts(one):
            groups.setdefault(_key(one, family), []).append(index)
    found = [Corrected(pvalue=_own(one), family=owner) for one, owner in zip(tested, owners, strict=True)]
    for members in groups.values():
        owner = owners[members[0]]
        assert owner is not None
        for i, value in _together(owner, members, tested):
            found[i] = value
    return found


def _together(family: Family, members: list[int], tested: Sequence[Tested]) -> Iterator[tuple[int, Corrected]]:
    """The members of one family, corrected.

    A post-hoc whose p-values cover all its pairs already is a block of its own and the other tests together are one
    more: each block has its share of the level, so its adjusted p-values are multiplied by the number of blocks.
    """
    blocks: dict[tuple[str, str, str], list[int]] = {}
    rest: list[int] = []
    for i in members:
        one = tested[i]
        if one.test is not None and one.test.name in SELF_ADJUSTING:
            blocks.setdefault((one.comparison.name, one.metric.label, one.test.name), []).append(i)
        else:
            rest.append(i)
    shares = len(blocks) + bool(rest)
    alpha = family.alpha / shares
    for block in blocks.values():
        missing = sum(_own(tested[i]) is None for i in block)
        for i in block:
            p = _own(tested[i])
            shared = None if p is None else min(1.0, p * shares)
            kind: Kind = "simultaneous"
            yield i, Corrected(pvalue=shared, family=family, missing=missing, blocks=shares, kind=kind, alpha=alpha)
    if not rest:
        return
    size = max(len(rest), _planned(family, tested[rest[0]]) - (len(members) - len(rest)))
    raw = [_own(tested[i]) for i in rest]
    missing = size - sum(p is not None for p in raw)
    adjusted = adjust(raw, "holm" if family.method in SELF_ADJUSTING else family.method, planned=size)
    selected = sum(p is not None and p <= alpha for p in adjusted)
    made = size
    if family.method == "uncorrected":  # each stands alone; how many there are is said all the same
        made = number_of_tests(tested[rest[0]].comparison, _scope(tested[rest[0]]))
    for i, p in zip(rest, adjusted, strict=True):
        kind, level = interval_level(family.method, alpha, size, p, selected)
        yield (
            i,
            Corrected(
                pvalue=None if p is None else min(1.0, p * shares),
                family=family,
                size=made,
                missing=missing,
                blocks=shares,
                kind="simultaneous" if shares > 1 and kind == "single" else kind,
                alpha=level,
            ),
        )


def interval_level(method: str, alpha: float, size: int, adjusted: float | None, selected: int) -> tuple[Kind, float]:
    """Which interval stands beside a verdict of a family of that size, and one minus its level.

    Whatever the correction steps through, the interval is single-step: Bonferroni's holds for any family. Under a
    false-discovery correction those selected get false-coverage intervals (Benjamini & Yekutieli 2005); of the others
    nothing is promised by them, so these keep Bonferroni's.

    >>> interval_level("holm", 0.05, 10, 0.01, 3)
    ('simultaneous', 0.005)
    >>> interval_level("bh", 0.05, 10, 0.01, 3)
    ('false-coverage', 0.015)
    """
    if size == 1 or method == "uncorrected":
        return "single", alpha
    if method == "sidak":
        return "simultaneous", -math.expm1(math.log1p(-alpha) / size)
    card = find_correction(method)
    harmonic = math.fsum(1.0 / i for i in range(1, size + 1)) if method == "yekutieli" else 1.0
    if card is None or card.controls != "false-discovery" or adjusted is None or adjusted > alpha:
        return "simultaneous", alpha / (size * harmonic)  # yekutieli asks for more than Bonferroni, and so does this
    return "false-coverage", selected * alpha / (size * harmonic)


def _counts(one: Tested) -> bool:
    """Whether a test is a member of its family: planned to give a p-value."""
    card = find_test(one.test.name) if one.test is not None else None
    return card is not None and card.gives_p


def _scope(one: Tested) -> Literal["dataset", "over-datasets"]:
    return "dataset" if one.dataset is not None else "over-datasets"


def _planned(family: Family, one: Tested) -> int:
    """Tests that the plan counted into the family of this one."""
    if "everything" in family.over:
        return family.size
    over = () if family.method == "uncorrected" else family.over
    return tests_together(one.comparison, _scope(one), over, one.metric.label, one.omnibus)


def _own(one: Tested) -> float | None:
    return one.result.pvalue if one.result is not None else None


def _key(one: Tested, family: Family) -> tuple[object, ...]:
    """Tests with the same key are corrected together: whatever `over` does not cover keeps them apart."""
    if "everything" in family.over:
        return ("everything",)
    free = family.method == "uncorrected"
    return (
        family.name,
        None if "learners" in family.over and not free else one.learners,
        None if "datasets" in family.over and not free else one.dataset,
        None if "metrics" in family.over and not free else one.metric.label,
    )


NO_SPREAD = 1e-12  # a spread below it is the rounding of equal differences


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


def _of_items(one: Tested, evidence: ItemEvidence, asked: tuple[float, float, int]) -> Power | None:
    """From the variance of the mean difference that was seen, over items or over groups of them."""
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


def _spread(one: Tested, evidence: Evidence) -> float:
    scores = evidence.dataset_scores(one.metric.label)
    d = [float(v) for v in scores[one.learners[0]] - scores[one.learners[1]]]
    if len(d) < 2:
        return 0.0
    mean = math.fsum(d) / len(d)
    found = math.sqrt(math.fsum((x - mean) ** 2 for x in d) / (len(d) - 1))
    return found if found > NO_SPREAD else 0.0


def _in_per_cent(one: Tested, evidence: Evidence) -> bool:
    """A table of somebody else's may hold 93.5 where the metric says .935: then no size in points fits it."""
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
