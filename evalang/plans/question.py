"""Which of Dietterich's nine questions a statement asks (Dietterich 1998, section 1)."""

from __future__ import annotations

from ..catalogue.entry import SchemeEntry
from ..source.record import replace
from .model import Comparison

QUESTIONS: dict[int, str] = {
    1: "how accurate is this one classifier, judged on a test set of its own",
    2: "how accurate is this one classifier, when the rows have to serve for training and testing",
    3: "which of these classifiers is more accurate, judged on a test set of their own",
    4: "which of these classifiers is more accurate, when the rows have to serve for training and testing",
    5: "how accurate is a learner trained on so many rows, with rows to spare",
    6: "how accurate is a learner on data like this, with few rows",
    7: "which learner is better when trained on so many rows, with rows to spare",
    8: "which learner is better on data like this, with few rows",
    9: "which learner is better over several datasets",
}

_TRAINED = "trained classifiers on a test set of their own"
_ONCE = "there is one training set, so it is about what was trained on it and not about the learners"


def asking(comparison: Comparison) -> Comparison:
    """The comparison with the question that it asks."""
    division = comparison.division
    number, why = question(
        estimate=comparison.estimate,
        this_classifier=comparison.this_classifier,
        scheme=division,
        several=comparison.several,
    )
    return replace(comparison, question=number, question_reason=why)


def question(*, estimate: bool, this_classifier: bool, scheme: SchemeEntry | None, several: bool) -> tuple[int, str]:
    """The number of the question and why it is that one; large or small is decided by the scheme, not by the rows."""
    if scheme is None:
        return 6 if estimate else 9 if several else 8, "nothing says how the rows are split"
    if estimate:
        return _of_one(this_classifier, scheme)
    number, why = _on_one_dataset(this_classifier, scheme)
    if scheme.only_scores:
        return 9, "the table has the scores of each dataset, and they are taken together"
    if not several:
        return number, why
    if this_classifier:  # every dataset trains classifiers of its own: there is nothing to take together
        return number, f"{why}, on each dataset"
    return 9, f"there are several datasets: each has its verdict, on question {number}; a test over them answers 9"


def _of_one(this_classifier: bool, scheme: SchemeEntry) -> tuple[int, str]:
    if scheme.one_test_set:
        return 1, _TRAINED if this_classifier or not scheme.trains else _ONCE
    if this_classifier:
        return 2, "answered through question 6: the folds train several classifiers"
    if scheme.disjoint:
        return 5, "disjoint training sets and one test set"
    return 6, "the rows are used again and again for training and testing"


def _on_one_dataset(this_classifier: bool, scheme: SchemeEntry) -> tuple[int, str]:
    if scheme.one_test_set:
        return 3, _TRAINED if this_classifier or not scheme.trains else _ONCE
    if this_classifier:
        return 4, "answered through question 8: the folds train several classifiers"
    if scheme.disjoint:
        return 7, "disjoint training sets and one test set"
    return 8, "the rows are used again and again for training and testing"


def question_on_one(comparison: Comparison) -> int:
    """The question a verdict on one dataset answers; where several are taken together that is question 9."""
    if comparison.question != 9 or comparison.division is None:
        return comparison.question
    return _on_one_dataset(comparison.this_classifier, comparison.division)[0]


def may_say(comparison: Comparison) -> str:
    """What a significant result (of an estimate: its interval) would allow the author to say, and what not."""
    where = ", ".join(comparison.datasets[:3]) + (", …" if len(comparison.datasets) > 3 else "")
    if comparison.estimate:
        whose = "this trained classifier" if comparison.question == 1 else "the learner, trained on parts of this size"
        return f"how well {whose} does on rows like those of {where}"
    if comparison.question == 3:
        return f"which of these trained classifiers is better on rows like those of {where}; nothing of the learners"
    if comparison.question == 9:
        over = "; over datasets, that the learners differ on data sets like these" if comparison.over else ""
        if comparison.data == "results":
            return "that the learners differ on data sets like these, if these are a fair sample of them"
        return f"for each of {where} which learner is better on rows like it{over}"
    size = f" on {comparison.scheme.rows:,} rows" if comparison.question == 7 and comparison.scheme else ""
    size = " on half of the rows" if comparison.scheme is not None and comparison.scheme.halves else size
    return f"which learner is better when trained{size} from data like {where}; nothing of other data sets"
