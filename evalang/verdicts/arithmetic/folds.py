"""Fold scores as the tests take them: [partition, fold] of both learners, with the sizes of training and test sets."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import TestError
from ...results.test_result import Alternative
from .checked import Floats, pair
from .differences import differences


def fold_differences(a: Any, b: Any) -> Floats:
    """First minus second, [partition, fold]; a flat list is one partition."""
    one, two = pair(a, b, ndim=2 if _is_nested(a) or _is_nested(b) else 1)
    found = differences(one, two)
    return found.reshape(1, -1) if found.ndim == 1 else found


def five_by_two_differences(a: Any, b: Any, test: str) -> Floats:
    """First minus second of five partitions of two folds."""
    found = fold_differences(a, b)
    if found.shape != (5, 2):
        shape = " x ".join(map(str, found.shape))
        raise TestError(f"{test} needs 5 partitions of 2 folds, and the scores are {shape}", hint="use 5x2cv")
    return found


def size_ratio(train_size: float | None, test_size: float | None, test: str) -> float:
    """The ratio of test to training rows that the corrected variance needs."""
    if train_size is None or test_size is None:
        raise TestError(f"{test} needs the sizes of the training and the test sets")
    if not (train_size > 0 and test_size > 0):
        raise TestError(f"{test}: training sets of {train_size:g} and test sets of {test_size:g} rows cannot be")
    return test_size / train_size


def two_sided_only(alternative: Alternative, test: str) -> None:
    """Refuse a one-sided form where the statistic has no sign."""
    if alternative != "two-sided":
        raise TestError(
            f"{test} has no one-sided form: its statistic is a sum of squares", hint="take a t test instead"
        )


def _is_nested(values: Any) -> bool:
    """Whether there are partitions, also where rows of a list differ in length (numpy could not say)."""
    if isinstance(values, (list, tuple)):
        return any(isinstance(row, (list, tuple, np.ndarray)) for row in values)
    return np.ndim(values) == 2
