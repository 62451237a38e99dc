"""Differences of paired scores, with ties that are real ties.

Accuracies are counts divided by counts, so 33/40 - 31/40 and 15/40 - 13/40 are the same difference although their
floats differ in the last bit. Everything that ranks, counts or compares differences takes them from `differences`
(or `settle` for a whole table), where values that agree to twelve significant digits are made identical.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import TestError
from ...results.test_result import Alternative, Effect
from .checked import Floats, plural
from .tails import sign_pvalue

TIE_TOLERANCE = 1e-12  # twelve significant digits, of the scores that are compared
NO_DIFFERENCE = "The two learners do not differ on any {unit}: there is nothing to test, so p = 1."


def settle(values: Floats, scale: Floats | None = None) -> Floats:
    """Make values along the last axis identical where they agree to twelve digits of `scale` (default: of themselves).

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
    """First minus second, with exact zeros and with ties in size that are exact (arrays of any shape).

    >>> d = differences(np.array([33 / 40, 15 / 40]), np.array([31 / 40, 13 / 40]))
    >>> bool(d[0] == d[1])
    True
    """
    raw = a - b
    scale = np.maximum(np.abs(a), np.abs(b))
    raw = np.where(np.abs(raw) <= TIE_TOLERANCE * scale, 0.0, raw)
    flat = np.abs(raw).ravel()
    sizes = settle(flat, scale.ravel()).reshape(raw.shape)
    return np.asarray(np.copysign(sizes, raw) + 0.0, dtype=np.float64)  # + 0.0 turns -0.0 into 0.0


def wins_ties_losses(d: NDArray[Any]) -> tuple[int, int, int]:
    """Units where the first learner's raw value is larger, the same, smaller."""
    wins, losses = int(np.count_nonzero(d > 0)), int(np.count_nonzero(d < 0))
    return wins, int(d.size) - wins - losses, losses


def mean_and_variance(d: Floats) -> tuple[float, float]:
    """Mean and variance (divisor n - 1) by exact sums in two passes; 0 variance for one value."""
    mean = math.fsum(d.ravel()) / d.size
    if d.size < 2:
        return mean, 0.0
    return mean, math.fsum(((d - mean) ** 2).ravel()) / (d.size - 1)


def is_constant(d: Floats) -> bool:
    """All differences are one and the same (after `differences` made ties exact)."""
    return bool(d.size) and bool(np.all(d == d.flat[0]))


def effect_on(d: Floats, unit: str) -> Effect | None:
    """Cohen's dz where the units are independent draws; none on folds, where it grows with the rows of a fold."""
    return cohen_dz(d) if unit in ("dataset", "test row") else None


def cohen_dz(d: Floats) -> Effect:
    """Cohen's dz: mean of the differences over their standard deviation; 0 when all are zero.

    Callers refuse a constant difference other than zero before, so it is never infinite.
    """
    mean, variance = mean_and_variance(d)
    if is_constant(d) or variance <= 0.0:
        return Effect(name="Cohen's dz", value=0.0)
    return Effect(name="Cohen's dz", value=mean / math.sqrt(variance))


def refuse_constant(d: Floats, test: str, unit: str, alternative: Alternative = "two-sided") -> None:
    """A constant difference other than zero has no variance, hence no t: refuse; over independent units offer signs."""
    if not is_constant(d) or d.flat[0] == 0.0:
        return
    wins, _, losses = wins_ties_losses(d)
    p = sign_pvalue(wins, losses, alternative)
    raise TestError(
        f"{test}: the difference is {d.flat[0]:.6g} on every {unit}, so it has no variance and there is no t",
        hint=f"the exact sign test on these {d.size} {plural(unit, d.size)} gives p = {p:.4g}"
        if unit in ("dataset", "test row")
        else f"say how large it is; no test counts every {unit} of the same rows as evidence of its own",
    )


def no_difference(unit: str) -> str:
    """The note of a test of two learners that never differ."""
    return NO_DIFFERENCE.format(unit=unit)
