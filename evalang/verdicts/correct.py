"""The families of the plan applied: p-values are corrected together exactly as the plan counted them."""

from __future__ import annotations

from collections.abc import Sequence

from ..plans.model import Family, Plan
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


def corrected(plan: Plan, tested: Sequence[Tested]) -> list[tuple[float | None, Family | None, int]]:
    """For every test its adjusted p, its family, and how many p-values that family really held."""
    families = family_of(plan)
    groups: dict[tuple[object, ...], list[int]] = {}
    owners: list[Family | None] = []
    for index, one in enumerate(tested):
        scope = "dataset" if one.dataset is not None else "over-datasets"
        family = families.get((one.comparison.name, scope))
        counted = not one.omnibus and one.result is not None and one.result.pvalue is not None
        owners.append(family)
        if counted and not one.self_adjusted and family is not None:
            groups.setdefault(_key(one, family), []).append(index)
    found: list[tuple[float | None, Family | None, int]] = [
        (_own(one), owner, 1) for one, owner in zip(tested, owners, strict=True)
    ]
    for members in groups.values():
        owner = owners[members[0]]
        assert owner is not None
        raw = [_own(tested[i]) for i in members]
        for i, value in zip(members, adjust(raw, owner.method), strict=True):
            found[i] = (value, owner, len(members))
    return found


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
