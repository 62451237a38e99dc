"""Reach: what a design can show, from the rows of its parts, its smallest possible p and its one training set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..catalogue.corrections import find_correction
from ..catalogue.power import WILCOXON_EFFICIENCY, dataset_power, power_paired_t
from ..catalogue.tests import TestEntry, find_test
from ..language.text import Edit, Fix, Span, counted, number
from ..plans.families import first_level, level_of_test, pairs_over_datasets
from ..plans.model import Claim, Comparison, Family, Scheme, Test, unopened
from .case import Case, PlannedTest
from .facts import Facts

LARGE_EFFECT = 0.8  # Cohen 1988, 2.2: a large effect in standard deviations
LEAST_POWER = 0.5  # ours: below it, the run is more likely to miss a large difference than to find it
_MOST = 100  # units: a test that needs more is not helped by a number


def count_rows(facts: Facts, dataset: str) -> int | None:
    """Return the rows of a dataset, from the data when it was opened, else from the plan."""
    profile = facts.profile(dataset)
    if profile is not None:
        return profile.rows
    known = facts.datasets.get(dataset)
    return known.rows if known is not None else None


def count_training_rows(scheme: Scheme, rows: int) -> float:
    """Return the mean rows of a training set; all rows where only the data tells."""
    found = scheme.train_rows(rows)
    return found if found is not None else float(rows)


def count_judged_rows(case: Case, rows: int, given: int | None) -> float | None:
    """Return the rows on which a test of rows rests: the test set, or all rows when folds are pooled."""
    scheme = case.comparison.scheme
    if scheme is None:
        return None
    if scheme.card.needs == "tested_on":
        return float(given) if given is not None else None
    return scheme.judged_rows(rows)


def count_tuning_rows(case: Case, rows: int) -> float | None:
    """Return the rows on which settings are judged, of inner folds all together; None without a tuning part."""
    comparison = case.comparison
    if comparison.tuning is None or comparison.scheme is None:
        return None
    training = count_training_rows(comparison.scheme, rows)
    tuning = comparison.tuning.value
    if tuning.where == "part" and tuning.part is not None:
        return float(tuning.part.of(training))
    return training if tuning.where == "cv" and tuning.folds else None


def count_calibration_rows(case: Case, rows: int) -> float | None:
    """Return the rows on which calibration is fitted; None without one."""
    comparison = case.comparison
    if comparison.calibration is None or comparison.scheme is None:
        return None
    if comparison.calibration.where == "tuning":
        return count_tuning_rows(case, rows)
    part = comparison.calibration.part
    return float(part.of(count_training_rows(comparison.scheme, rows))) if part is not None else None


def count_datasets(facts: Facts, case: Case) -> int:
    """Return the number of datasets of a test over them; 0 where only the table can tell."""
    comparison = case.comparison
    if comparison.data != "results":
        return 0 if unopened(comparison.datasets) else len(comparison.datasets)
    read = facts.tables.get(comparison.name)
    known = {level.standing for level in comparison.levels}
    alone = bool(known) and not known & {"dataset", None}
    return len(comparison.in_table) or (len(read.datasets) if read is not None else int(alone))


@dataclass(frozen=True, slots=True)
class JudgedUnits:
    """What a test on one dataset of a table rests on: so many items, rows or groups of them."""

    dataset: str
    count: int
    word: str  # item, row, group


def count_table_units(facts: Facts, case: Case, judged: PlannedTest) -> tuple[JudgedUnits, ...]:
    """Return the units of a test of items or rows, on each dataset of a table that was read."""
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
    card: TestEntry
    units: int
    unit: str  # dataset, item, row, group
    level: float  # that the smallest p has to meet
    power_level: float  # that p has to meet when no other test of the family is significant
    why: str
    read: bool = False  # a table had to be read to count the units

    @property
    def smallest(self) -> float:
        """The smallest p that the test can give."""
        return self._smallest(self.units)

    @property
    def power(self) -> float | None:
        """The power for a large difference; None for units that are not datasets or groups, and unknown tests."""
        return self._power(self.units)

    @property
    def at_power_level(self) -> str:
        """The level of the power as it is read; "" for alpha itself."""
        corrected = self.power_level < self.case.comparison.alpha.value
        return f" at the corrected level {number(self.power_level)}" if corrected else ""

    @property
    def needed(self) -> bool:
        """Whether the script names the test, or a claim needs it."""
        return self.test.origin == "written" or needs_overall_test(self.case)

    @property
    def fewest(self) -> int | None:
        """The units with which the test can reject."""
        return next((n for n in range(self.units, _MOST) if self._smallest(n) <= self.level), None)

    @property
    def wanted(self) -> int | None:
        """The units from which on the test can reject and has 50% power for a large difference."""
        short = [n for n in range(self.units, _MOST) if self._smallest(n) > self.level or self._low(n)]
        return None if short and short[-1] == _MOST - 1 else short[-1] + 1 if short else self.units

    def _smallest(self, units: int) -> float:
        learners = max(len(self.case.comparison.learners), 2)
        return self.card.smallest_p(units, learners, self._sides) if units >= self.card.min_units else 1.0

    def _low(self, units: int) -> bool:
        power = self._power(units)
        return power is not None and power < LEAST_POWER

    @property
    def _sides(self) -> int:
        return 1 if self.case.comparison.expecting and self.card.one_sided else 2

    def _power(self, units: int) -> float | None:
        if self.unit not in ("dataset", "group"):
            return None
        name = "permutation" if self.unit == "group" else self.test.name
        return power_over(name, units, alpha=self.power_level, sides=self._sides)


def power_over(test: str, units: int, *, alpha: float, sides: int = 2) -> float | None:
    """Return the power of a test over datasets or groups for a difference of 0.8 standard deviations.

    Ranks of three learners or more, one of them better than the others, have the power of wilcoxon with one unit less
    (ours: within 0.07 of a simulation of 3 to 8 learners on 6 to 12 datasets).

    >>> round(power_over("friedman", 10, alpha=0.05), 2), round(power_over("friedman", 3, alpha=0.05), 2)
    (0.53, 0.05)
    """
    if test in ("friedman", "iman-davenport"):
        return max(alpha, power_paired_t((units - 1) * WILCOXON_EFFICIENCY, LARGE_EFFECT, alpha=alpha))
    return dataset_power(test, units, difference=LARGE_EFFECT, spread=1.0, alpha=alpha, sides=sides)


def find_floors(facts: Facts) -> Iterator[Floor]:
    """Yield a floor for every test over datasets that the script names, a claim needs or a table rests on alone."""
    for case in facts.compared:
        comparison = case.comparison
        units = count_datasets(facts, case)
        if not units or not case.tests or comparison.name in facts.misfits:
            continue
        tests = [judged for judged in case.tests if judged.over and judged.card.gives_p]
        over = next((judged for judged in tests if judged.written), tests[-1] if tests else None)
        if over is None and comparison.over_note and needs_overall_test(case):
            over = _left_out(case)
        if over is not None and (over.written or needs_overall_test(case) or _nothing_else(case)):
            yield _floor(facts, case, over, units, "dataset", read=comparison.name in facts.tables)


def find_table_floors(facts: Facts) -> Iterator[Floor]:
    """Yield a floor for every test of items, rows or groups of a table that was read: of its smallest dataset."""
    for case in facts.compared:
        if case.comparison.name in facts.misfits:
            continue
        for judged in case.tests:
            units = count_table_units(facts, case, judged) if judged.card.gives_p else ()
            if units:
                fewest = min(units, key=lambda one: one.count)
                yield _floor(facts, case, judged, fewest.count, fewest.word, read=True)


def _nothing_else(case: Case) -> bool:
    """Return whether a table of results is tested over its datasets alone."""
    return case.comparison.data == "results" and all(judged.over for judged in case.tests)


def needs_overall_test(case: Case) -> bool:
    """Return whether a claim has to be judged by the test over datasets."""
    return any(claim.overall for claim in case.claims)


def _left_out(case: Case) -> PlannedTest | None:
    """Return the default test over datasets that the plan leaves out because it cannot reject."""
    return _over_datasets("sign" if case.metrics and all(metric.has_unit for metric in case.metrics) else "wilcoxon")


def can_reject(facts: Facts, case: Case, test: str, datasets: int) -> bool:
    """Return whether a test over so many datasets, in place of the planned one, can be significant."""
    judged = _over_datasets(test)
    floor = _floor(facts, case, judged, datasets, "dataset", read=True) if judged is not None else None
    return floor is not None and floor.smallest <= floor.level


def _over_datasets(name: str) -> PlannedTest | None:
    card = find_test(name)
    return PlannedTest(test=Test(name=name, origin="default"), card=card, over=True) if card is not None else None


def _floor(facts: Facts, case: Case, judged: PlannedTest, units: int, unit: str, *, read: bool) -> Floor:
    comparison, family = case.comparison, _family(case, over=judged.over)
    level = family.first_level if family is not None else _level_without_family(comparison, over=judged.over)
    alone = find_power_level(facts, case, judged.test.name, over=judged.over)
    why = _why(family, comparison.alpha.value)
    return Floor(case, judged.test, judged.card, units, unit, level, alone, why, read)


def _family(case: Case, *, over: bool) -> Family | None:
    scope = "over-datasets" if over else "dataset"
    return next((f for f in case.families if f.scope == scope or "everything" in f.over), None)


def find_power_level(facts: Facts, case: Case, test: str, *, over: bool) -> float:
    """Return the corrected level at which the power of a test is computed."""
    family = _family(case, over=over)
    if family is None:
        return _level_without_family(case.comparison, over=over)
    key = (family.name, test)
    if key not in facts.levels:
        own = [facts.by_name[name].comparison for name in family.comparisons]
        facts.levels[key] = level_of_test(family, test, own)
    return facts.levels[key]


def _level_without_family(comparison: Comparison, *, over: bool) -> float:
    """Return alpha; of pairs over datasets the level of holm, by which they would be corrected."""
    if not over:
        return comparison.alpha.value
    return first_level("holm", comparison.alpha.value, pairs_over_datasets(comparison))


def _why(family: Family | None, alpha: float) -> str:
    if family is None or family.first_level >= alpha or find_correction(family.method) is None:
        return ""
    return f" ({number(alpha)} corrected by `{family.method}` for {counted(family.size, 'test')})"


def advise_a_test(case: Case) -> str:
    """Return what to write so that a comparison without a test has one."""
    comparison = case.comparison
    if comparison.data == "predictions":
        return "write `measuring accuracy` or `measuring brier`, or report each score without a claim"
    if comparison.data != "datasets":
        return (
            "add scores of other datasets (`| dataset / seed`), of folds (`| fold / seed`) or of items (`| item`); "
            "with these scores alone, report the mean of each without a claim"
        )
    if case.scheme is not None and case.scheme.in_time and row_metric(case):
        return f"write `{row_metric(case)[2:]}`, which has a loss for each row"
    several = ["datasets"] * (len(comparison.datasets) > 1) + ["learners"] * (len(comparison.learners) > 2)
    corrected = f", holm over {', '.join(several)}" if several and comparison.correction is None else ""
    return f"write `using {case.halves}{corrected}`"


def row_metric(case: Case) -> str:
    """Return the metric to write for a test that needs a loss for each row; empty if a metric of the script has one."""
    if not case.metrics or any(metric.row_loss for metric in case.metrics):
        return ""
    needs, tasks = case.metrics[0].needs, case.metrics[0].tasks
    return f", measuring {'rmse' if tasks == ('regression',) else 'accuracy' if needs == 'labels' else 'brier'}"


def asks_about_learners(case: Case) -> bool:
    """Return whether the comparison asks about learners although each is trained only once."""
    if case.scheme is None or not case.scheme.one_training or case.comparison.this_classifier:
        return False
    return not case.claims or not all(claim.this_classifier for claim in case.claims)


def random_and_trained_once(case: Case) -> list[str]:
    """Return the learners whose training is random and that are trained once."""
    return [traits.name for traits in case.learners if traits.stochastic and traits.learner.trainings == 1]


def trained_repeatedly(case: Case) -> list[str]:
    """Return the learners that are trained several times on the same rows."""
    return [traits.name for traits in case.learners if traits.learner.trainings > 1]


def rests_on_one_training(facts: Facts, claim: Claim) -> bool:
    """Return whether a claim about learners has nothing but one training set; datasets taken together are more."""
    evidence = facts.evidence(claim)
    if claim.this_classifier or claim.new_datasets or not evidence:
        return False
    return all(c.scheme is not None and c.scheme.one_training and not _together(claim, c) for c in evidence)


def _together(claim: Claim, case: Case) -> bool:
    over = case.comparison.over
    whole = set(claim.datasets) == set(case.comparison.datasets)
    named = any(test.origin == "written" for test in over) and whole and not claim.each
    return bool(over) and (claim.overall or named)


def fix_this_classifier(case: Case) -> Fix | None:
    """Return the repair that asks about the trained classifiers; None where claims or datasets rule it out."""
    comparison = case.comparison
    if case.claims or len(comparison.datasets) > 1 or not comparison.learner_spans:
        return None
    return insert_this_classifier("ask about these trained classifiers", comparison.learner_spans[0])


def insert_this_classifier(title: str, before: Span) -> Fix:
    """Return the insertion of `this classifier` before a name; it changes the question, so it is not safe."""
    at = Span(before.path, before.start, before.start)
    return Fix(title=title, edits=(Edit(at, "this classifier "),), safe=False)
