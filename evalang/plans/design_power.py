"""The closed-form power of a comparison as designed, for `evalang plan`: nothing is loaded and nothing is drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..catalogue.corrections import find_correction
from ..catalogue.power import (
    ASKED,
    ASSUMED_DISAGREEMENT,
    DATASET_TESTS,
    FOLD_TESTS,
    ROW_TESTS,
    assumed_of_datasets,
    assumed_of_rows,
    dataset_power,
    fold_power,
    row_power,
    smallest_found,
)
from .families import alone_level
from .model import Comparison, Family, Plan, Test

_MEASURED = ("accuracy", "error")
PILOT = "run a part of it as a pilot: its report has the power with what was seen in place of what is assumed"


@dataclass(frozen=True, slots=True)
class TestPower:
    """The power of one test of a design."""

    __test__ = False

    test: str
    dataset: str | None  # None: over datasets
    units: int  # rows of the dataset, or datasets
    level: float  # of its family, as if no other test found anything
    at_least: bool  # a step-wise correction only gains from what others find
    difference: float  # asked about: the rope, else 5 points
    power: float
    smallest: float | None  # the smallest difference that is found four times in five


@dataclass(frozen=True, slots=True)
class DesignPower:
    """Power of a comparison on its smallest and its largest dataset whose rows are known, and over datasets."""

    comparison: str
    tests: tuple[TestPower, ...]


def design_power(plan: Plan, comparison: Comparison) -> DesignPower | None:
    """The power of a comparison, or None where neither rows nor test allow a closed form."""
    if comparison.estimate or not any(m.name in _MEASURED for m in comparison.metrics):
        return None
    found = [*_on_datasets(plan, comparison), *_over(plan, comparison)]
    return DesignPower(comparison=comparison.name, tests=tuple(found)) if found else None


def describe_power(found: DesignPower) -> tuple[str, ...]:
    """One line for each test, for people."""
    lines = []
    for one in found.tests:
        where = f"on {one.dataset} ({one.units:,} rows)" if one.dataset else f"over {one.units} datasets"
        least = f"; four in five from {100 * one.smallest:.1f} points on" if one.smallest is not None else ""
        asked = f"a difference of {100 * one.difference:g} points"
        lines.append(
            f"{one.test} {where} finds {asked} with probability {'at least ' if one.at_least else ''}{one.power:.2f} "
            f"at level {one.level:.4g} {_assumed(one)}{least}"
        )
    return (*lines, PILOT) if lines else ()


def _assumed(one: TestPower) -> str:
    return assumed_of_datasets() if one.dataset is None else assumed_of_rows(max(ASSUMED_DISAGREEMENT, one.difference))


def level_of(plan: Plan, comparison: Comparison, scope: str) -> float:
    """The level that a test has to meet when no other of its family finds anything."""
    family = _family(plan, comparison, scope)
    return alone_level(family) if family is not None else comparison.alpha.value


def _family(plan: Plan, comparison: Comparison, scope: str) -> Family | None:
    return next((f for f in plan.families if comparison.name in f.comparisons and _fits(f, scope)), None)


def _stepwise(plan: Plan, comparison: Comparison, scope: str) -> bool:
    family = _family(plan, comparison, scope)
    card = find_correction(family.method) if family is not None and family.size > 1 else None
    return card is not None and card.stepwise


def _fits(family: Family, scope: str) -> bool:
    return family.scope == scope or "everything" in family.over


def _asked(comparison: Comparison) -> float:
    return comparison.rope.value if comparison.rope and comparison.rope.value > 0.0 else ASKED


def _on_datasets(plan: Plan, comparison: Comparison) -> list[TestPower]:
    wanted = set(comparison.datasets)
    sizes = sorted((d.rows, d.name) for d in plan.datasets if d.name in wanted and d.rows)
    ends = sizes[:1] + sizes[1:][-1:]
    level, at_least = level_of(plan, comparison, "dataset"), _stepwise(plan, comparison, "dataset")
    found = []
    for test in comparison.tests:
        for rows, name in ends:
            reach = _reach(comparison, test, rows, level)
            if (
                reach is not None
                and (one := _one(test, name, rows, level, at_least, _asked(comparison), reach)) is not None
            ):
                found.append(one)
    return found


def _over(plan: Plan, comparison: Comparison) -> list[TestPower]:
    level, at_least = level_of(plan, comparison, "over-datasets"), _stepwise(plan, comparison, "over-datasets")
    units = len(comparison.datasets)
    sides = 1 if comparison.expecting else 2
    found = []
    for test in comparison.over:
        if test.name not in DATASET_TESTS or comparison.data != "datasets":
            continue

        def reach(d: float, name: str = test.name) -> float | None:
            return dataset_power(name, units, difference=d, alpha=level, sides=sides)

        one = _one(test, None, units, level, at_least, _asked(comparison), reach)
        if one is not None:
            found.append(one)
    return found


def _one(
    test: Test,
    dataset: str | None,
    units: int,
    level: float,
    at_least: bool,
    asked: float,
    reach: Callable[[float], float | None],
) -> TestPower | None:
    power = reach(asked)
    if power is None:
        return None
    return TestPower(
        test=test.name,
        dataset=dataset,
        units=units,
        level=level,
        at_least=at_least,
        difference=asked,
        power=power,
        smallest=smallest_found(reach),
    )


def _reach(comparison: Comparison, test: Test, rows: int, level: float) -> Callable[[float], float | None] | None:
    """Power as a function of the difference; None without a closed form."""
    scheme = comparison.scheme
    if scheme is None:
        return None
    card = scheme.card
    if test.name in ROW_TESTS:
        tested = int(scheme.judged_rows(rows) or 0) if card.part or card.one_kcv else 0
        sides = _sides(comparison)
        return (lambda d: row_power(test.name, tested, difference=d, alpha=level, sides=sides)) if tested else None
    if test.name not in FOLD_TESTS:
        return None
    ratio = scheme.ratio(rows) if card.part == "trained" else None
    if not ratio and scheme.folds < 2:  # nothing is left to be tested, or nobody can tell how much
        return None
    return lambda d: fold_power(
        test.name,
        rows=rows,
        partitions=scheme.partitions,
        folds=scheme.folds,
        difference=d,
        ratio=ratio,
        alpha=level,
        sides=_sides(comparison),
    )


def _sides(comparison: Comparison) -> int:
    return 1 if comparison.expecting else 2
