"""The families of the plan applied: p-values are corrected together exactly as the plan counted them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..catalogue.corrections import find_correction
from ..catalogue.tests import find_test
from ..plans.families import SELF_ADJUSTING
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
    kind: Kind = "single"
    alpha: float | None = None  # one minus the level of that interval; None: the comparison's own


def corrected(plan: Plan, tested: Sequence[Tested]) -> list[Corrected]:
    """For every test what the correction of its family makes of it."""
    families = family_of(plan)
    groups: dict[tuple[object, ...], list[int]] = {}
    owners: list[Family | None] = []
    for index, one in enumerate(tested):
        scope = "dataset" if one.dataset is not None else "over-datasets"
        family = families.get((one.comparison.name, scope))
        owners.append(family)
        if family is not None and _counts(one):
            groups.setdefault(_key(one, family), []).append(index)
    found = [Corrected(pvalue=_own(one), family=owner) for one, owner in zip(tested, owners, strict=True)]
    for members in groups.values():
        owner = owners[members[0]]
        assert owner is not None
        size = max(len(members), _planned(owner))
        raw = [_own(tested[i]) for i in members]
        missing = size - sum(p is not None for p in raw)
        adjusted = adjust(raw, owner.method, planned=size)
        selected = sum(p is not None and p <= owner.alpha for p in adjusted)
        for i, value in zip(members, adjusted, strict=True):
            kind, alpha = interval_level(owner.method, owner.alpha, size, value, selected)
            found[i] = Corrected(pvalue=value, family=owner, size=size, missing=missing, kind=kind, alpha=alpha)
    return found


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
    """Whether a test is a member of its family: planned to give a p-value that nothing has corrected yet."""
    card = find_test(one.test.name) if one.test is not None else None
    return card is not None and card.gives_p and not one.omnibus and card.name not in SELF_ADJUSTING


def _planned(family: Family) -> int:
    """Tests that the plan counted. Where a post-hoc corrects for its own pairs the plan counts these as well."""
    return 1 if family.method == "uncorrected" or family.method in SELF_ADJUSTING else family.size


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
