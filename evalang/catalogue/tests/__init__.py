"""The cards of all tests, and how one is found by its name."""

from __future__ import annotations

from ..entry import TestEntry
from .bayes import BAYES
from .estimates import ESTIMATES
from .folds import FOLDS
from .losses import LOSSES
from .over import OVER
from .related import RELATED
from .rows import ROWS

TESTS: tuple[TestEntry, ...] = ROWS + LOSSES + RELATED + FOLDS + OVER + BAYES + ESTIMATES

_BY_NAME = {entry.name: entry for entry in TESTS}


def find_test(name: str) -> TestEntry | None:
    """The card of this name, or None.

    >>> find_test("mcnemar").unit
    'test row'
    """
    return _BY_NAME.get(name)


__all__ = ["TESTS", "find_test"]
