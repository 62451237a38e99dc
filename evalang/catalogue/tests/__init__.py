"""The cards of all tests, and how one is found by its name."""

from __future__ import annotations

from dataclasses import dataclass

from ..entry import TestEntry
from .bayes_cards import BAYES
from .estimate_cards import ESTIMATES
from .fold_cards import FOLDS
from .loss_cards import LOSSES
from .over_datasets_cards import OVER
from .related_rows_cards import RELATED
from .row_cards import ROWS


@dataclass(frozen=True, slots=True)
class Exceeding:
    """A default test at 5%, and where it was wrong in more than 6 of a hundred true nulls."""

    test: str
    kinds: tuple[str, ...]  # of scheme
    rate: float  # the highest that was measured
    where: str
    stumps: bool = False  # where a learner is one
    no_default: bool = False  # in so many cells of the study that with such a learner no test is taken by default


EXCEEDING: tuple[Exceeding, ...] = (
    Exceeding("corrected-t", ("cv", "given-folds"), 0.092, "with stumps", stumps=True, no_default=True),
    Exceeding("halving-t", ("halvings",), 0.064, "with stumps on 60 rows", stumps=True),
    Exceeding("forward-t", ("forward",), 0.073, "where differences follow each other with a correlation of .8"),
    Exceeding(
        "row-t",
        ("holdout", "guarded-holdout", "given-test", "predictions"),
        0.183,
        "with strongly skewed losses of few rows",
    ),
    Exceeding(
        "retrained-t",
        ("holdout", "guarded-holdout", "given-test"),
        0.064,
        "with two trainings that differ more than the rows do",
    ),
)


def exceeding(test: str, kind: str) -> Exceeding | None:
    """The exception of a test under a kind of scheme.

    >>> exceeding("corrected-t", "cv").rate
    0.092
    """
    return next((e for e in EXCEEDING if e.test == test and kind in e.kinds), None)


def exceeding_words(test: str, kind: str) -> str:
    """The exception as the end of a sentence, "" where there is none."""
    found = exceeding(test, kind)
    return f"; at 5% wrong in up to {100 * found.rate:.1f}% of true nulls {found.where}" if found else ""


def no_default_words(test: str, kind: str) -> str:
    """Why no test is taken by default with a stump, "" where one is."""
    found = exceeding(test, kind)
    if found is None or not found.no_default:
        return ""
    wrong = f"{test} at 5% was wrong in up to {100 * found.rate:.1f}% of true nulls"
    return f"none holds with a stump: {wrong}, and no other test of one partition finds much"


TESTS: tuple[TestEntry, ...] = ROWS + LOSSES + RELATED + FOLDS + OVER + BAYES + ESTIMATES

_BY_NAME = {entry.name: entry for entry in TESTS}


# A comparison by these may end `until settled`: smooth functions of means over partitions, with a critical value that
# is known beforehand (verdicts/curtailment.py).
CURTAILED = ("partition-t", "corrected-t", "averaged-t")


def find_test(name: str) -> TestEntry | None:
    """The card of this name, or None.

    >>> find_test("mcnemar").unit
    'test row'
    """
    return _BY_NAME.get(name)


__all__ = ["TESTS", "find_test"]
