"""The smallest p that a design can ever give, against the level it has to meet."""

from __future__ import annotations

from collections.abc import Iterator

from ..catalogue.corrections import find_correction
from ..catalogue.tests import find_test
from ..plans.families import first_level
from ..plans.model import Family, Test
from ..source.record import Record
from .case import Case, PlannedTest
from .facts import Facts
from .wording import counted


class Floor(Record):
    """A test over datasets with its smallest p and the level that p has to meet."""

    case: Case
    test: Test
    units: int
    unit: str
    smallest: float
    level: float
    why: str
    help: str


def floors(facts: Facts) -> Iterator[Floor]:
    """One for every test over datasets that the script names or a claim needs, where the number of units is known."""
    for case in facts.compared:
        comparison = case.comparison
        if comparison.data != "datasets" or not case.tests or comparison.name in facts.misfits:
            continue
        over = next((judged for judged in case.tests if judged.over and judged.card.gives_p), None)
        if over is None and comparison.over_note and needed(case):
            over = _left_out(case)
        if over is not None and (over.written or needed(case)):
            yield _floor(case, over)


def needed(case: Case) -> bool:
    """Whether a claim has to be judged by the test over datasets."""
    return any(claim.overall for claim in case.claims)


def _left_out(case: Case) -> PlannedTest | None:
    """The default test over datasets, which the plan has left out because it cannot reject."""
    name = "sign" if case.metrics and all(metric.has_unit for metric in case.metrics) else "wilcoxon"
    card = find_test(name)
    return PlannedTest(test=Test(name=name, origin="default"), card=card, over=True) if card is not None else None


def _floor(case: Case, judged: PlannedTest) -> Floor:
    comparison = case.comparison
    units = len(comparison.datasets)
    learners = max(len(comparison.learners), 2)
    sides = 1 if comparison.expecting and judged.card.one_sided else 2
    family = next((f for f in case.families if f.scope == "over-datasets" or "everything" in f.over), None)
    level = _level(case, family)
    return Floor(
        case=case,
        test=judged.test,
        units=units,
        unit="dataset",
        smallest=judged.card.smallest_p(units, learners, sides),
        level=level,
        why=_why(family, comparison.alpha.value),
        help=_help(judged, units, learners, sides, level),
    )


def _level(case: Case, family: Family | None) -> float:
    """The level of the family; where the plan has none, pairs over datasets would be corrected by holm."""
    if family is not None:
        return family.first_level
    comparison = case.comparison
    return first_level("holm", comparison.alpha.value, max(comparison.pairs + (len(comparison.learners) > 2), 1))


def _why(family: Family | None, alpha: float) -> str:
    if family is None or family.first_level >= alpha or find_correction(family.method) is None:
        return ""
    return f" ({family.method} over {counted(family.size, 'test')})"


def _help(judged: PlannedTest, units: int, learners: int, sides: int, level: float) -> str:
    wanted = next((n for n in range(units, 1000) if judged.card.smallest_p(n, learners, sides) <= level), None)
    if wanted is None:
        return "leave the test over datasets out"
    return f"take {wanted} datasets or more, or leave out the test over datasets and judge each dataset by itself"
