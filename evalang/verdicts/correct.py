"""The families of the plan applied: p-values are corrected together exactly as the plan counted them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ..catalogue.corrections import find_correction
from ..catalogue.tests import find_test
from ..plans.families import SELF_ADJUSTING, number_of_tests, tests_together
from ..plans.model import Family, Plan
from ..results.test_result import Kind
from .arithmetic.corrections import adjust
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
    if card is None or card.controls != "false-discovery" or adjusted is None or adjusted > alpha:
        return "simultaneous", alpha / size
    harmonic = math.fsum(1.0 / i for i in range(1, size + 1)) if method == "yekutieli" else 1.0
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
