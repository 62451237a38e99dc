"""Paired differences in which values that agree to twelve digits are exact ties, and counts made from them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import TestError
from .checks import Floats, pair

TIE_TOLERANCE = 1e-12  # twelve significant digits, of the scores that are compared
NO_DIFFERENCE = "The two learners do not differ on any {unit}: there is nothing to test, so p = 1."


def tie_equal(values: Floats, scale: Floats | None = None) -> Floats:
    """Return values that are identical along the last axis where they agree to twelve digits of `scale`.

    Neighbours in sorted order that are nearer than the tolerance become one value, so no rounding boundary parts them.
    """
    if values.shape[-1] < 2:
        return values.copy()
    size = np.abs(values) if scale is None else np.broadcast_to(scale, values.shape)
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    sizes = np.take_along_axis(size, order, axis=-1)
    apart = np.diff(ordered, axis=-1) > TIE_TOLERANCE * np.maximum(sizes[..., 1:], sizes[..., :-1])
    index = np.arange(1, values.shape[-1])
    leader = np.zeros(values.shape, dtype=np.intp)
    leader[..., 1:] = np.maximum.accumulate(np.where(apart, index, 0), axis=-1)
    result = np.empty_like(values)
    np.put_along_axis(result, order, np.take_along_axis(ordered, leader, axis=-1), axis=-1)
    return result


def differences(a: Floats, b: Floats) -> Floats:
    """Return first minus second with exact zeros and exact ties in size (arrays of any shape).

    >>> d = differences(np.array([33 / 40, 15 / 40]), np.array([31 / 40, 13 / 40]))
    >>> bool(d[0] == d[1])
    True
    """
    raw = a - b
    scale = np.maximum(np.abs(a), np.abs(b))
    raw = np.where(np.abs(raw) <= TIE_TOLERANCE * scale, 0.0, raw)
    flat = np.abs(raw).ravel()
    sizes = tie_equal(flat, scale.ravel()).reshape(raw.shape)
    return np.asarray(np.copysign(sizes, raw) + 0.0, dtype=np.float64)  # + 0.0 turns -0.0 into 0.0


def paired_differences(first: Any, second: Any, *, ndim: int = 1) -> Floats:
    """Return first minus second of checked scores of the same units, with exact ties."""
    return differences(*pair(first, second, ndim=ndim))


def row_weights(weights: Any, rows: int, test: str) -> Floats:
    """Return the weights of the rows with a mean of 1; None counts all rows alike."""
    if weights is None:
        return np.ones(rows)
    found = np.asarray(weights, dtype=np.float64)
    if found.shape != (rows,):
        raise TestError(f"{test}: {rows} rows have {found.size} weights")
    if not (np.isfinite(found).all() and (found > 0.0).all()):
        raise TestError(f"{test}: weights have to be positive numbers")
    return np.asarray(found / found.mean(), dtype=np.float64)


def about_weighted_mean(values: Floats, weights: Floats) -> Floats:
    """Return m + w (value - m) along the last axis, m the weighted mean.

    The plain mean of these is m, and their variance belongs to it: that of w * value has m (w - 1) too much.
    """
    mean = (values * weights).mean(axis=-1, keepdims=True)
    return np.asarray(mean + weights * (values - mean), dtype=np.float64)


def wins_ties_losses(d: NDArray[Any]) -> tuple[int, int, int]:
    """Count the units where the first learner's raw value is larger, the same, smaller."""
    wins, losses = int(np.count_nonzero(d > 0)), int(np.count_nonzero(d < 0))
    return wins, int(d.size) - wins - losses, losses


def units_of(d: NDArray[Any], unit: str) -> dict[str, Any]:
    """Return the fields of a result that count units: wins, ties, losses, n_units and unit."""
    wins, ties, losses = wins_ties_losses(d)
    return {"wins": wins, "ties": ties, "losses": losses, "n_units": int(d.size), "unit": unit}


def orientation(d: Floats) -> float:
    """Return the sign that makes d independent of the order of the learners; 0 where d and -d hold the same values.

    Random draws from sign * d, multiplied by the sign again, give the same p and the mirrored interval when the
    learners swap.
    """
    if total := math.fsum(d):
        return math.copysign(1.0, total)
    up, down = np.sort(d), np.sort(-d)
    apart = np.flatnonzero(up != down)
    return math.copysign(1.0, up[apart[0]] - down[apart[0]]) if apart.size else 0.0


def mean_and_variance(d: Floats) -> tuple[float, float]:
    """Return mean and variance (divisor n - 1) by exact sums in two passes; 0 variance for one value."""
    mean = math.fsum(d.ravel()) / d.size
    if d.size < 2:
        return mean, 0.0
    return mean, math.fsum(((d - mean) ** 2).ravel()) / (d.size - 1)


def is_constant(d: Floats) -> bool:
    """Return whether all differences are equal (after `differences` made ties exact)."""
    return bool(d.size) and bool(np.all(d == d.flat[0]))


def no_difference(unit: str) -> str:
    """Return the note of a test of two learners that never differ."""
    return NO_DIFFERENCE.format(unit=unit)


def fold_differences(a: Any, b: Any) -> Floats:
    """Return first minus second, [partition, fold]; a flat list is one partition."""
    one, two = pair(a, b, ndim=2 if _is_nested(a) or _is_nested(b) else 1)
    found = differences(one, two)
    return found.reshape(1, -1) if found.ndim == 1 else found


def five_by_two_differences(a: Any, b: Any, test: str) -> Floats:
    """Return first minus second of five partitions of two folds."""
    found = fold_differences(a, b)
    if found.shape != (5, 2):
        shape = " x ".join(map(str, found.shape))
        raise TestError(f"{test} needs 5 random splits of 2 folds, but the scores are {shape}", hint="use 5x2cv")
    return found


def size_ratio(train_size: float | None, test_size: float | None, test: str) -> float:
    """Return the ratio of test to training rows that the corrected variance needs."""
    if train_size is None or test_size is None:
        hint = "name the rows of one fold: --train 90 --test 10 on the command line, for 10cv of 100 rows"
        raise TestError(f"{test} needs the sizes of the training and the test sets", hint=hint)
    if not (train_size > 0 and test_size > 0):
        raise TestError(f"{test}: training sets of {train_size:g} and test sets of {test_size:g} rows cannot be")
    return test_size / train_size


def _is_nested(values: Any) -> bool:
    """Return whether there are partitions, also where rows of a list differ in length (numpy cannot tell)."""
    if isinstance(values, (list, tuple)):
        return any(isinstance(row, (list, tuple, np.ndarray)) for row in values)
    return np.ndim(values) == 2
