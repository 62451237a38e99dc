"""What every paired test needs: checked numbers, ties that are real ties, and the t distribution's corners.

Accuracies are counts divided by counts, so 33/40 - 31/40 and 15/40 - 13/40 are the same difference although their
floats differ in the last bit. Everything that ranks, counts or compares differences takes them from `differences`
(or `settle` for a whole table), where values that agree to twelve significant digits are made identical.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from ..errors import TestError
from .result import Alternative, Effect, Interval

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

WHOLE_UP_TO = 1_000  # tosses; beyond it 2**n leaves the range of floating-point numbers
TIE_TOLERANCE = 1e-12  # twelve significant digits, of the scores that are compared
CHOICES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


def numbers(values: Any, name: str, *, ndim: int = 1) -> Floats:
    """The values as finite floats with `ndim` axes; an error names the first cell that is not a number.

    >>> numbers([0.8, 0.9], "first")
    array([0.8, 0.9])
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise _unreadable(values, name, ndim) from None
    if array.ndim != ndim:
        raise TestError(f"{name} has {array.ndim} axes where {ndim} are needed", hint=_shape_hint(ndim))
    bad = ~np.isfinite(array)
    if bad.any():
        index = tuple(int(i) for i in np.argwhere(bad)[0])
        what = "a missing score" if math.isnan(float(array[index])) else "an infinite score"
        raise TestError(f"{name} has {what} at {cell(index)}", hint="every unit needs a score of both learners")
    return array


def outcomes(values: Any, name: str, *, ndim: int = 1) -> Bools:
    """Right (True, 1) or wrong (False, 0) for every test row; anything else is an error that names the cell."""
    if isinstance(values, np.ndarray) and values.dtype == np.bool_ and values.ndim == ndim:
        return values
    checked = numbers(values, name, ndim=ndim)
    bad = (checked != 0.0) & (checked != 1.0)
    if bad.any():
        index = tuple(int(i) for i in np.argwhere(bad)[0])
        raise TestError(f"{name} has {checked[index]:g} at {cell(index)}", hint="an outcome is right (1) or wrong (0)")
    return checked.astype(np.bool_)


def pair(a: Any, b: Any, *, ndim: int = 1, names: tuple[str, str] = ("first", "second")) -> tuple[Floats, Floats]:
    """Two checked arrays of the same shape, unit by unit of the first and the second learner."""
    one, two = numbers(a, names[0], ndim=ndim), numbers(b, names[1], ndim=ndim)
    same_shape(one, two, names)
    return one, two


def outcome_pair(a: Any, b: Any, names: tuple[str, str] = ("first", "second")) -> tuple[Bools, Bools]:
    """Two checked arrays of outcomes of the same length."""
    one, two = outcomes(a, names[0]), outcomes(b, names[1])
    same_shape(one, two, names)
    return one, two


def same_shape(one: NDArray[Any], two: NDArray[Any], names: tuple[str, str] = ("first", "second")) -> None:
    """Refuse pairs that do not match."""
    if one.shape != two.shape:
        raise TestError(
            f"{names[0]} has {_size(one)} and {names[1]} has {_size(two)}",
            hint="a paired test needs both learners on the same units, in the same order",
        )


def require_units(n: int, needed: int, unit: str, test: str) -> None:
    """Refuse too few units, with the number needed."""
    if n < needed:
        raise TestError(f"{test} needs at least {needed} {plural(unit, needed)}, and there {_are(n)} {n}")


def check_options(alternative: str, level: float) -> None:
    """Refuse an unknown alternative or a level that is no probability."""
    if alternative not in CHOICES:
        raise TestError(f"unknown alternative '{alternative}'", hint="one of: " + ", ".join(CHOICES))
    if not 0.0 < level < 1.0:
        raise TestError(f"the level {level:g} of the interval is not between 0 and 1", hint="0.95 is usual")


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


def cohen_dz(d: Floats) -> Effect:
    """Cohen's dz: mean of the differences over their standard deviation; 0 when all are zero.

    Callers refuse a constant difference other than zero before, so it is never infinite.
    """
    mean, variance = mean_and_variance(d)
    if is_constant(d) or variance <= 0.0:
        return Effect(name="Cohen's dz", value=0.0)
    return Effect(name="Cohen's dz", value=mean / math.sqrt(variance))


def sign_pvalue(wins: int, losses: int, alternative: Alternative = "two-sided") -> float:
    """The exact sign test: binomial with one half, ties left out; 1 when there are only ties.

    Two-sided is twice the smaller tail, at most 1. Also McNemar's exact test, with wins = n10 and losses = n01.
    """
    n = wins + losses
    if n == 0:
        return 1.0
    if alternative == "greater":
        return half_tail(losses, n)
    if alternative == "less":
        return half_tail(wins, n)
    return min(1.0, 2.0 * half_tail(min(wins, losses), n))


def half_tail(k: int, n: int) -> float:
    """P(X <= k) for n tosses of a fair coin, in whole numbers as long as they are quick: rounded once only.

    >>> half_tail(1, 4)
    0.3125
    """
    if n > WHOLE_UP_TO:
        return min(1.0, float(stats.binom.cdf(k, n, 0.5)))
    return float(sum(math.comb(n, i) for i in range(k + 1)) / 2**n)


def refuse_constant(d: Floats, test: str, unit: str, alternative: Alternative = "two-sided") -> None:
    """A constant difference other than zero has no variance, hence no t: refuse, and offer the exact sign test."""
    if not is_constant(d) or d.flat[0] == 0.0:
        return
    wins, _, losses = wins_ties_losses(d)
    p = sign_pvalue(wins, losses, alternative)
    raise TestError(
        f"{test}: the difference is {d.flat[0]:.6g} on every {unit}, so it has no variance and there is no t",
        hint=f"the exact sign test on these {d.size} {plural(unit, d.size)} gives p = {p:.4g}",
    )


def t_pvalue(t: float, df: float, alternative: Alternative = "two-sided") -> float:
    """The p-value of a t statistic; log-scale accuracy is that of SciPy's t distribution."""
    if alternative == "greater":
        return float(stats.t.sf(t, df))
    if alternative == "less":
        return float(stats.t.cdf(t, df))
    return float(min(1.0, 2.0 * stats.t.sf(abs(t), df)))


def z_pvalue(z: float, alternative: Alternative = "two-sided") -> float:
    """The p-value of a standard normal statistic."""
    if alternative == "greater":
        return float(special.ndtr(-z))
    if alternative == "less":
        return float(special.ndtr(z))
    return float(min(1.0, 2.0 * special.ndtr(-abs(z))))


def tail_level(level: float, alternative: Alternative) -> float:
    """The quantile an interval at `level` needs: one tail for a one-sided test, else both."""
    return level if alternative != "two-sided" else (1.0 + level) / 2.0


def t_interval(mean: float, se: float, df: float, alternative: Alternative, level: float) -> Interval:
    """mean +- t * se; a one-sided test has a one-sided interval, its other end infinite."""
    half = float(stats.t.ppf(tail_level(level, alternative), df)) * se
    return one_sided(mean - half, mean + half, alternative, level, f"t with {df:g} degrees of freedom")


def z_interval(mean: float, se: float, alternative: Alternative, level: float, method: str = "normal") -> Interval:
    """mean +- z * se, as `t_interval`."""
    half = float(special.ndtri(tail_level(level, alternative))) * se
    return one_sided(mean - half, mean + half, alternative, level, method)


def one_sided(low: float, high: float, alternative: Alternative, level: float, method: str) -> Interval:
    """Open the side that a one-sided alternative leaves open."""
    low = -math.inf if alternative == "less" else low
    high = math.inf if alternative == "greater" else high
    return Interval(low=low, high=high, level=level, method=method)


def clip(interval: Interval, low: float, high: float) -> Interval:
    """The interval within the range of what it is about, e.g. -1 to 1 for a difference of accuracies."""
    return Interval(
        low=max(interval.low, low), high=min(interval.high, high), level=interval.level, method=interval.method
    )


NO_DIFFERENCE = "The two learners do not differ on any {unit}: there is nothing to test, so p = 1."


def no_difference(unit: str) -> str:
    """The note of a test of two learners that never differ."""
    return NO_DIFFERENCE.format(unit=unit)


def plural(unit: str, n: int) -> str:
    """`test row` or `test rows`."""
    return unit if n == 1 else unit + "s"


def cell(index: Sequence[int]) -> str:
    """How errors name a place: units count from 1, a grid has a row and a column."""
    if len(index) == 1:
        return f"unit {index[0] + 1}"
    if len(index) == 2:
        return f"row {index[0] + 1}, column {index[1] + 1}"
    return "place " + ", ".join(str(i + 1) for i in index)


def _unreadable(values: Any, name: str, ndim: int) -> TestError:
    """Find what cannot be a number, or the ragged row, and name it."""
    try:
        rows = [list(row) for row in values] if ndim == 2 else [list(values)]
    except TypeError:
        return TestError(f"{name} is not a list of numbers", hint=_shape_hint(ndim))
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            try:
                float(value)
            except (TypeError, ValueError):
                place = cell((i, j) if ndim == 2 else (j,))
                return TestError(f"{name} has {value!r} at {place}, which is not a number")
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            return TestError(f"{name}: row {i + 1} has {len(row)} numbers and row 1 has {len(rows[0])}")
    return TestError(f"{name} does not hold numbers", hint=_shape_hint(ndim))


def _shape_hint(ndim: int) -> str:
    return {1: "one number per unit", 2: "a table of numbers"}.get(ndim, f"an array with {ndim} axes")


def _size(array: NDArray[Any]) -> str:
    return f"{array.shape[0]} units" if array.ndim == 1 else "shape " + " x ".join(map(str, array.shape))


def _are(n: int) -> str:
    return "is" if n == 1 else "are"
