"""Misfits: tests that do not fit what the scheme yields, and the rule that reports each.

One mistake has one code: EV007 when the kind of evidence is missing altogether, EV302, EV303 and EV304 when the kind is
there but its shape is wrong, then EV411 when the test answers another question.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..catalogue.metrics import MetricEntry
from ..catalogue.tests import TestEntry
from ..language.text import counted, listed, listed_names
from ..plans.default_tests import QUESTIONS, question_on_one
from ..plans.model import ResultsTable, Test, on_each_dataset
from .case import Case, PlannedTest

_ROWS = ("outcomes", "row-losses", "row-scores", "count")
_RANKED = ("wilcoxon", "sign")  # B 4 warns of ranking p-values or differences of partitions
_T_LIKE = ("kfold-t", "paired-t")  # S 3.5 and D 5: t-tests that count every fold as independent
HALVES = "10x2cv"  # offered in repairs: of what was measured (the study of levels) the cheapest that holds
_HALVES = ("5x2cv-t", "5x2cv-f")
_YIELDS = {
    "outcomes": "each test row tested exactly once, as right or wrong",
    "row-losses": "each test row tested exactly once, with one loss",
    "grouped-rows": "each test row tested exactly once, and a groups column",
    "timed-rows": "each test row tested exactly once, and a time column",
    "row-scores": "each test row tested exactly once, with one score",
    "retrained-rows": "each test row tested exactly once by each training",
    "count": "each test row tested exactly once, as right or wrong",
    "fold-scores": "scores of several folds",
    "halved-scores": "cross-validations of all rows and of half of the rows (`10 halvings of 10x10cv`)",
    "dataset-scores": "scores of several datasets",
    "dataset-folds": "scores of several folds of several datasets",
    "training-losses": "disjoint training sets and one test set",
    "item-scores": "a score for each item (a results table with a column of items)",
    "procedure": "one learner with its whole training procedure",
}


Wrong = tuple[str, str, str]  # the code of a rule, what is wrong, what to write


@dataclass(frozen=True, slots=True)
class Misfit:
    """A test that does not fit: the code of its rule, what is wrong, what to write."""

    code: str
    test: Test
    message: str
    help: str


def find_misfits(case: Case) -> tuple[Misfit, ...]:
    """Return the tests of a comparison that do not fit; the defaults of the plan always do."""
    found = [
        (judged.test, wrong)
        for judged in case.tests
        for wrong in (_misfit(case, judged), _weights(case, judged), _retrained(case, judged))
        if wrong is not None
    ]
    return tuple([Misfit(code, test, message, help) for test, (code, message, help) in found])


def _weights(case: Case, judged: PlannedTest) -> Wrong | None:
    """Report tests that count rows where rows have weights: scores are weighted means."""
    weighted = next((d.name for d in case.datasets if d.weights is not None), None)
    card = judged.card
    if weighted is None or card.name == "bootstrap" or card.evidence not in (*_ROWS, "training-losses"):
        return None
    return (
        "EV007",
        f"the rows of dataset `{weighted}` have weights, but the test `{card.name}` ignores them",
        "write `by bootstrap`, which uses the weights, or leave out `by` and write "
        f"`using {case.like_scheme('10x10cv')}`",
    )


def _retrained(case: Case, judged: PlannedTest) -> Wrong | None:
    """Report tests of one classifier for learners trained several times: together they would be an ensemble."""
    again = next((x.learner for x in case.learners if x.learner.trainings > 1), None)
    if again is None or judged.over or judged.card.evidence not in (*_ROWS, "grouped-rows"):
        return None
    return (
        "EV007",
        f"learner `{again.name}` is trained {again.trainings} times, but the test `{judged.card.name}` compares one "
        "classifier of each learner",
        "leave out `by` for a test over rows and training runs, or leave out `train N times`",
    )


def _misfit(case: Case, judged: PlannedTest) -> Wrong | None:
    if case.scheme is None or not judged.written:
        return None
    wrong = _evidence(case, judged) or _learners(case, judged) or _metrics(case, judged) or _question(case, judged)
    if wrong is not None or judged.card.name != "tost" or case.comparison.rope is not None or case.has_clause("rope"):
        return wrong
    width = "1" if any(metric.has_unit for metric in case.metrics) else "2 points"
    then = advise_without_by(case).partition(" and write ")[2].partition(":")[0]
    return (
        "EV007",
        "the test `tost` needs an equivalence margin",
        f"add `margin {width}`" + (f" and write {then}" if then else ""),
    )


def _evidence(case: Case, judged: PlannedTest) -> Wrong | None:
    card, scheme = judged.card, case.scheme
    assert scheme is not None
    if judged.over or card.evidence == "dataset-scores":
        if not scheme.only_scores and not case.comparison.several:
            return _one_dataset(case, card)
        return _folds_of_datasets(case, card) if card.evidence == "dataset-folds" else None
    if scheme.only_scores:
        if any(level.standing is None for level in case.comparison.levels):
            return None  # what the scores are of is unknown, which EV007 reports
        return None if card.evidence == "fold-scores" and _table_of_folds(case) else _missing(case, card)
    if case.kind in card.schemes:
        return None
    if card.evidence in _ROWS and scheme.rows_tested_once:
        return _one_classifier(case, card) if card.evidence == "count" else _missing_shape(case, card)
    if card.evidence == "fold-scores" and scheme.gives_folds:
        # resampled-t is EV401 on whatever folds it is used
        return None if card.name == "resampled-t" else _wrong_folds(case, card)
    return _missing(case, card)


def _table_of_folds(case: Case) -> bool:
    """Whether a table has folds, or may have them; seeds on one split are none, whatever a test takes them for."""
    comparison = case.comparison
    nested = isinstance(case.table, ResultsTable) and len(case.table.formula) > 3
    seeds = any(one.standing == "seed" for one in comparison.levels)
    return on_each_dataset(comparison.levels, comparison.scheme) or (nested and not seeds)


def _folds_of_datasets(case: Case, card: TestEntry) -> Wrong | None:
    """Several scores of every dataset, and datasets enough; a table that has not been read may have them."""
    comparison, scheme = case.comparison, case.scheme
    assert scheme is not None
    table = comparison.data == "results"
    if not (on_each_dataset(comparison.levels, comparison.scheme) if table else scheme.gives_folds):
        if table:
            return None if not comparison.levels else _missing(case, card)
        code, message, _ = _missing(case, card)
        return code, message, f"write `using {case.halves}`"
    there = len(comparison.in_table if table else comparison.datasets)
    if (table and not there) or there >= card.min_units:
        return None
    message = f"the test `{card.name}` needs at least {card.min_units} datasets, but there are {there}"
    using = "" if table else f"using {case.like_scheme(HALVES)}, "
    shared = "" if comparison.correction else "add `holm over datasets` and "
    return "EV007", message, f"use more datasets, or {shared}write `{using}by corrected-t`"


def _text(case: Case) -> str:
    comparison = case.comparison
    held = "items" if _of_items(case) else comparison.data
    return f"`{comparison.scheme.text}`" if comparison.scheme else f"the {held} of `{comparison.datasets[0]}`"


def _of_items(case: Case) -> bool:
    return case.scheme is not None and case.scheme.unit == "item"


def advise_without_by(case: Case) -> str:
    """Return what to write in place of a test that does not fit: no `by`, and a scheme whose default test holds."""
    scheme = case.scheme
    if scheme is not None and scheme.one_kcv:
        rate = "its default test had a false-positive rate of at most 6% in our simulations"
        return f"leave out `by` and write `using {case.like_scheme(HALVES)}`: {rate}"
    if case.comparison.estimate and any(d.groups for d in case.datasets):
        return (
            f"leave out `by` and write `using grouped 10cv{case.suggested_seed_clause}`: its folds keep groups together"
        )
    if scheme is not None and scheme.one_training and not case.comparison.this_classifier:
        return "leave out `by` and write `compare this classifier …`: there is only one training set"
    return f"leave out `by` for the default test of {_text(case)}"


def _missing(case: Case, card: TestEntry) -> Wrong:
    yields = _YIELDS[card.evidence]
    if _of_items(case):
        yields = yields.replace("test row", "item").replace("row", "item")
    gives = "does not provide this" if case.comparison.scheme else "do not provide this"
    text = _text(case)
    return "EV007", f"the test `{card.name}` needs {yields}, but {text} {gives}", advise_without_by(case)


def _one_dataset(case: Case, card: TestEntry) -> Wrong:
    scheme = case.scheme
    assert scheme is not None
    if scheme.gives_folds and card.name in _RANKED:
        other = f"write `by {find_default_test(case)}`; `wilcoxon` and `sign` are for scores of several datasets"
        name = case.comparison.datasets[0]
        message = (
            f"the test `{card.name}` treats the {_folds(case)} of dataset `{name}` as independent, but they share "
            "training rows"
        )
        return "EV304", message, advise_without_by(case) if scheme.one_kcv else other
    return _as_trials(case, card) if scheme.repeated and card.name in _T_LIKE else _missing(case, card)


def _wrong_folds(case: Case, card: TestEntry) -> Wrong:
    scheme = case.scheme
    assert scheme is not None
    if card.name in _HALVES:
        other = "" if scheme.one_kcv else f", or `by {find_default_test(case)}` with {_text(case)}"
        return (
            "EV303",
            f"the test `{card.name}` is only for `5x2cv`, not for {_text(case)}",
            f"write `using 5x2cv`{other}",
        )
    return _as_trials(case, card) if card.name in _T_LIKE and scheme.repeated else _missing_shape(case, card)


def find_default_test(case: Case) -> str:
    """Return the default test of a scheme, which keeps its level; corrected-t where there is none."""
    scheme, card = case.comparison.scheme, case.scheme
    if scheme is None or card is None:
        return "corrected-t"
    return (card.halves_test if scheme.halves and card.halves_test else card.test) or "corrected-t"


def _as_trials(case: Case, card: TestEntry) -> Wrong:
    message = (
        f"the test `{card.name}` treats the {_folds(case)} of {_text(case)} as independent, but they reuse the same "
        "rows"
    )
    return "EV302", message, f"write `by {find_default_test(case)}`, which is corrected for the shared rows"


def _one_classifier(case: Case, card: TestEntry) -> Wrong:
    learner, holdout = case.comparison.learners[0], ", or write `using holdout 1/3`"
    message = (
        f"`{card.name}` is a confidence interval for one trained classifier, but {_text(case)} trains learner "
        f"`{learner}` several times"
    )
    grouped = any(d.groups for d in case.datasets)
    return "EV411", message, "leave out `by` for an interval corrected for overlapping folds" + holdout * (not grouped)


def _missing_shape(case: Case, card: TestEntry) -> Wrong:
    return "EV007", f"the test `{card.name}` cannot be computed from {_text(case)}", advise_without_by(case)


def _folds(case: Case) -> str:
    scheme = case.comparison.scheme
    return counted(scheme.trials, "fold") if scheme and scheme.trials > 1 else "folds"


def _learners(case: Case, judged: PlannedTest) -> Wrong | None:
    card, comparison = judged.card, case.comparison
    learners = len(comparison.learners)
    if comparison.estimate:
        return None
    if card.learners == "one":
        message = f"`{card.name}` is for one learner, but learners {listed_names(comparison.learners)} are compared"
        return "EV411", message, "write `estimate` for one learner, or leave out `by` for a test of a difference"
    if card.learners == "many" and learners == 2:
        message = (
            f"the test `{card.name}` is for three or more learners, but only learners "
            f"{listed_names(comparison.learners)} are compared"
        )
        return "EV007", message, advise_without_by(case)
    return None


def _judges(card: TestEntry, metric: MetricEntry) -> bool:
    if card.metrics == "row-loss":
        placed = card.evidence == "training-losses" and metric.name == "roc-area"  # by placement values
        return metric.row_loss or placed
    return metric.name in (("accuracy", "error") if card.metrics == "accuracy" else ("roc-area",))


def _metrics(case: Case, judged: PlannedTest) -> Wrong | None:
    card = judged.card
    if card.metrics == "any" or judged.over:
        return None
    wrong = [metric.name for metric in case.metrics if not _judges(card, metric)]
    if not wrong:
        return None
    words = {
        "accuracy": "right and wrong answers",
        "row-loss": "a loss of every row",
        "roc-area": "the area under the ROC curve",
    }
    subject = f"the test `{card.name}` compares {words[card.metrics]}"
    return "EV007", f"{subject}, not {listed_names(wrong)}", advise_without_by(case)


def _question(case: Case, judged: PlannedTest) -> Wrong | None:
    card, asked = judged.card, find_question(case, judged.over)
    if not card.questions or any(question in card.questions for question in _answered_by(case, judged, asked)):
        return None
    answered = listed([f'"{QUESTIONS[q]}"' for q in card.questions], "or")
    what = "estimate" if case.comparison.estimate else "comparison"
    return (
        "EV411",
        f'the {what} asks "{QUESTIONS[asked]}", but the test `{card.name}` answers {answered}',
        advise_without_by(case)
        if case.comparison.estimate and any(d.groups for d in case.datasets)
        else "leave out `by` for a test that answers it, or add or remove `this classifier`",
    )


def find_question(case: Case, over: bool) -> int:
    """Return the question a test has to answer: on several datasets, question 9 or that of each dataset."""
    return case.comparison.question if over else question_on_one(case.comparison)


def _answered_by(case: Case, judged: PlannedTest, asked: int) -> tuple[int, ...]:
    """Return the questions whose answer is accepted for this one."""
    if asked == 4:
        return (4, 3, 8)
    if asked == 2:
        return (2, 6)
    if asked == 8 and judged.card.evidence in (*_ROWS, "grouped-rows"):
        return (8, 3)  # rows of pooled folds
    return (asked,)
