"""What a design can reach: the rows of its parts, the smallest p it can ever give, what one training leaves
unanswered.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ..catalogue.corrections import find_correction
from ..catalogue.tests import find_test
from ..language.text import Edit, Fix, Span, counted
from ..plans.families import first_level
from ..plans.model import Claim, Comparison, Family, Scheme, Test
from .case import Case, PlannedTest
from .facts import Facts


def rows_of(facts: Facts, dataset: str) -> int | None:
    """Rows of a dataset, from the data when it was opened, else from the plan."""
    profile = facts.profile(dataset)
    if profile is not None:
        return profile.rows
    known = facts.datasets.get(dataset)
    return known.rows if known is not None else None


def training_rows(scheme: Scheme, rows: int) -> float:
    """Mean rows of a training part; all of them where only the data tells."""
    found = scheme.train_rows(rows)
    return found if found is not None else float(rows)


def judged_rows(case: Case, rows: int, given: int | None) -> float | None:
    """Rows on which a test of rows rests: the test part, or all rows when folds are pooled."""
    scheme = case.comparison.scheme
    if scheme is None:
        return None
    if scheme.card.needs == "tested_on":
        return float(given) if given is not None else None
    return scheme.judged_rows(rows)


def tuning_rows(case: Case, rows: int) -> float | None:
    """Rows on which settings are judged; None without a tuning part."""
    comparison = case.comparison
    if comparison.tuning is None or comparison.scheme is None:
        return None
    training = training_rows(comparison.scheme, rows)
    tuning = comparison.tuning.value
    if tuning.where == "part" and tuning.part is not None:
        return float(tuning.part.of(training))
    return training / tuning.folds if tuning.where == "cv" and tuning.folds else None


def calibration_rows(case: Case, rows: int) -> float | None:
    """Rows on which calibration is fitted; None without one."""
    comparison = case.comparison
    if comparison.calibration is None or comparison.scheme is None:
        return None
    if comparison.calibration.where == "tuning":
        return tuning_rows(case, rows)
    part = comparison.calibration.part
    return float(part.of(training_rows(comparison.scheme, rows))) if part is not None else None


def datasets_of(facts: Facts, case: Case) -> int:
    """Datasets that a test over them rests on; 0 where only the table can tell."""
    comparison = case.comparison
    if comparison.data != "results":
        return len(comparison.datasets)
    read = facts.tables.get(comparison.name)
    return len(comparison.in_table) or (len(read.datasets) if read is not None else 0)


@dataclass(frozen=True, slots=True)
class JudgedUnits:
    """What a test on one dataset of a table rests on: so many items, rows or groups of them."""

    dataset: str
    count: int
    word: str  # item, row, group


def table_units(facts: Facts, case: Case, judged: PlannedTest) -> tuple[JudgedUnits, ...]:
    """The units of a test of items or rows, on each dataset of a table that was read."""
    read = facts.tables.get(case.comparison.name)
    if read is None or judged.over or judged.card.evidence not in ("outcomes", "row-losses", "grouped-rows"):
        return ()
    word = case.units.removesuffix("s")
    grouped = judged.card.evidence == "grouped-rows"
    sizes = read.sizes or ((read.items, read.groups),)
    found = zip(read.datasets, sizes, strict=False)
    units = [JudgedUnits(name, n[1] if grouped else n[0], "group" if grouped else word) for name, n in found]
    return tuple(one for one in units if one.count > 0)


@dataclass(frozen=True, slots=True)
class Floor:
    """A test with its smallest p and the level that p has to meet."""

    case: Case
    test: Test
    units: int
    unit: str
    smallest: float
    level: float
    why: str
    help: str
    read: bool = False  # a table had to be read to count the units


def floors(facts: Facts) -> Iterator[Floor]:
    """One for every test over datasets that the script names or a claim needs, where the number of units is known."""
    for case in facts.compared:
        comparison = case.comparison
        units = datasets_of(facts, case)
        if not units or not case.tests or comparison.name in facts.misfits:
            continue
        over = next((judged for judged in case.tests if judged.over and judged.card.gives_p), None)
        if over is None and comparison.over_note and needed(case):
            over = _left_out(case)
        if over is not None and (over.written or needed(case)):
            yield _floor(case, over, units, "dataset", read=comparison.data == "results")


def table_floors(facts: Facts) -> Iterator[Floor]:
    """One for every test of items, rows or groups of a table that was read: of the dataset that has fewest."""
    for case in facts.compared:
        if case.comparison.name in facts.misfits:
            continue
        for judged in case.tests:
            units = table_units(facts, case, judged) if judged.card.gives_p else ()
            if units:
                fewest = min(units, key=lambda one: one.count)
                yield _floor(case, judged, fewest.count, fewest.word, read=True)


def needed(case: Case) -> bool:
    """Whether a claim has to be judged by the test over datasets."""
    return any(claim.overall for claim in case.claims)


def _left_out(case: Case) -> PlannedTest | None:
    """The default test over datasets, which the plan has left out because it cannot reject."""
    name = "sign" if case.metrics and all(metric.has_unit for metric in case.metrics) else "wilcoxon"
    card = find_test(name)
    return PlannedTest(test=Test(name=name, origin="default"), card=card, over=True) if card is not None else None


def _floor(case: Case, judged: PlannedTest, units: int, unit: str, *, read: bool) -> Floor:
    comparison = case.comparison
    learners = max(len(comparison.learners), 2)
    sides = 1 if comparison.expecting and judged.card.one_sided else 2
    scope = "over-datasets" if judged.over else "dataset"
    family = next((f for f in case.families if f.scope == scope or "everything" in f.over), None)
    level = family.first_level if family is not None else _level_without_family(comparison, judged)
    wanted = next((n for n in range(units, 1000) if judged.card.smallest_p(n, learners, sides) <= level), None)
    return Floor(
        case=case,
        test=judged.test,
        units=units,
        unit=unit,
        smallest=judged.card.smallest_p(units, learners, sides),
        level=level,
        why=_why(family, comparison.alpha.value),
        help=_more_units(wanted, unit) if read else _more_datasets(wanted),
        read=read,
    )


def _level_without_family(comparison: Comparison, judged: PlannedTest) -> float:
    """Return alpha; of pairs over datasets the level of holm, by which they would be corrected."""
    if not judged.over:
        return comparison.alpha.value
    return first_level("holm", comparison.alpha.value, max(comparison.pairs + (len(comparison.learners) > 2), 1))


def _why(family: Family | None, alpha: float) -> str:
    if family is None or family.first_level >= alpha or find_correction(family.method) is None:
        return ""
    return f" ({family.method} over {counted(family.size, 'test')})"


def _more_units(wanted: int | None, unit: str) -> str:
    """What to do about units of a table, which the script cannot leave out."""
    if wanted is None:
        return "no number of them could: ask fewer questions of this table, so that fewer share a level"
    return f"take {counted(wanted, unit)} or more; of fewer describe the difference and test nothing"


def _more_datasets(wanted: int | None) -> str:
    if wanted is None:
        return "leave the test over datasets out"
    return f"take {wanted} datasets or more, or leave out the test over datasets and judge each dataset by itself"


# McNemar's test at 5% of two equal learners, taken for an answer about them. By training and test rows: the lowest and
# the highest share of rejections over learners (the study of levels, one-training.csv; a test holds the two together).
WRONG = {
    (200, 100): (0.040, 0.063),
    (200, 1000): (0.053, 0.197),
    (200, 5000): (0.080, 0.463),
    (2000, 100): (0.043, 0.060),
    (2000, 1000): (0.043, 0.100),
    (2000, 5000): (0.043, 0.143),
}


def wrong_about_learners(trained: float | None, tested: float | None) -> str:
    """How often the test was wrong about the learners in the simulation, at the sizes nearest to these.

    >>> wrong_about_learners(380, 190)
    'in 4.0% to 6.3% of the cases with 200 training and 100 test rows'
    """
    if trained is None or tested is None:
        near, sizes = WRONG, "200 to 2,000 training and 100 to 5,000 test rows"
    else:
        at = [math.log(max(n, 1)) for n in (trained, tested)]
        size = min(WRONG, key=lambda w: math.dist([math.log(n) for n in w], at))
        near, sizes = {size: WRONG[size]}, f"{size[0]:,} training and {size[1]:,} test rows"
    low, high = min(w[0] for w in near.values()), max(w[1] for w in near.values())
    return f"in {low:.1%} to {high:.1%} of the cases with {sizes}"


def about_learners(case: Case) -> bool:
    """Whether one training set has to answer, and nothing says that the trained classifiers are asked about."""
    if case.scheme is None or not case.scheme.one_training or case.comparison.this_classifier:
        return False
    return not case.claims or not all(claim.this_classifier for claim in case.claims)


def random_once(case: Case) -> list[str]:
    """Learners with randomness of their own that are trained once."""
    return [traits.name for traits in case.learners if traits.stochastic and traits.learner.trainings == 1]


def again(case: Case) -> list[str]:
    """Learners that are trained several times on the same rows."""
    return [traits.name for traits in case.learners if traits.learner.trainings > 1]


def rests_on_one_training(facts: Facts, claim: Claim) -> bool:
    """Whether a claim about learners has nothing but one training set; datasets taken together are more."""
    evidence = facts.evidence(claim)
    if claim.this_classifier or claim.new_datasets or not evidence:
        return False
    return all(c.scheme is not None and c.scheme.one_training and not _together(claim, c) for c in evidence)


def _together(claim: Claim, case: Case) -> bool:
    over = case.comparison.over
    whole = set(claim.datasets) == set(case.comparison.datasets)
    named = any(test.origin == "written" for test in over) and whole and not claim.each
    return bool(over) and (claim.overall or named)


def of_this_classifier(case: Case) -> Fix | None:
    """The repair that asks about the trained classifiers; None where claims or datasets stand against it."""
    comparison = case.comparison
    if case.claims or len(comparison.datasets) > 1 or not comparison.learner_spans:
        return None
    return inserted("ask about these trained classifiers", comparison.learner_spans[0])


def inserted(title: str, before: Span) -> Fix:
    """`this classifier` before a name; it changes what is asked, so nobody but the author can decide it."""
    at = Span(before.path, before.start, before.start)
    return Fix(title=title, edits=(Edit(at, "this classifier "),), safe=False)
