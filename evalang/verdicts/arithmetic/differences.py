"""Paired differences with real ties, fold by fold or row by row, and the way from a statistic to p and interval."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ...errors import TestError
from ...results.records import Alternative, Effect, Interval, TestResult
from .guarded import Floats, check_options, pair, plural, require_units

WHOLE_UP_TO = 1_000  # tosses; beyond it 2**n leaves the range of floating-point numbers


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
        return min(1.0, float(special.bdtr(k, n, 0.5)))
    return float(sum(math.comb(n, i) for i in range(k + 1)) / 2**n)


def t_pvalue(t: float, df: float, alternative: Alternative = "two-sided") -> float:
    """The p-value of a t statistic; by scipy.special, which imports faster than scipy.stats."""
    if alternative == "greater":
        return float(special.stdtr(df, -t))
    if alternative == "less":
        return float(special.stdtr(df, t))
    return float(min(1.0, 2.0 * special.stdtr(df, -abs(t))))


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
    half = float(special.stdtrit(df, tail_level(level, alternative))) * se
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


def facing(d: Floats) -> float:
    """1 or -1, times which d is the same whichever learner comes first; 0 where d and -d hold the same values.

    What is drawn from d so turned, and turned back, has the same p and the mirrored interval when the learners swap.
    """
    if total := math.fsum(d):
        return math.copysign(1.0, total)
    up, down = np.sort(d), np.sort(-d)
    apart = np.flatnonzero(up != down)
    return math.copysign(1.0, up[apart[0]] - down[apart[0]]) if apart.size else 0.0


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
        hint = "name the rows of one fold: --train 90 --test 10 on the command line, for 10cv of 100 rows"
        raise TestError(f"{test} needs the sizes of the training and the test sets", hint=hint)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """An estimate of the difference with its standard error and degrees of freedom: all that a t test is made of."""

    estimate: float
    se: float
    df: float

    def t(self, shift: float = 0.0) -> float:
        """The statistic for the hypothesis that the difference is `shift`."""
        return (self.estimate - shift) / self.se


def plain_student(d: Floats, factor: float | None = None, df: float | None = None) -> Student:
    """mean, sqrt(factor * s^2) and n - 1 (or `df`), where factor is 1/n for independent units."""
    mean, variance = mean_and_variance(d)
    share = 1.0 / d.size if factor is None else factor
    return Student(estimate=mean, se=math.sqrt(share * variance), df=float(d.size - 1) if df is None else df)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sided:
    """What may be asked of every t test: its side, and the level of its interval."""

    alternative: Alternative = "two-sided"
    level: float = 0.95

    def __post_init__(self) -> None:
        check_options(self.alternative, self.level)


def t_result(test: str, unit: str, d: Floats, student: Student, asked: Sided) -> TestResult:
    """The result of a t test on the differences of its units; what is its own (method, further numbers) is added to it.

    Without a standard error there is no difference at all (callers refuse one without variance): t = 0 and p = 1.
    """
    nothing = student.se == 0.0
    t = 0.0 if nothing else student.t()
    wins, ties, losses = wins_ties_losses(d)
    return TestResult(
        test=test,
        statistic=t,
        statistic_name="t",
        pvalue=1.0 if nothing else t_pvalue(t, student.df, asked.alternative),
        df=(student.df,),
        alternative=asked.alternative,
        difference=student.estimate,
        interval=None
        if nothing
        else t_interval(student.estimate, student.se, student.df, asked.alternative, asked.level),
        effect=None,
        wins=wins,
        ties=ties,
        losses=losses,
        n_units=int(d.size),
        unit=unit,
        method=f"t with {student.df:g} degrees of freedom",
        details=(("standard_error", student.se),),
        notes=(no_difference(unit),) if nothing else (),
    )


def t_on_differences(d: Floats, test: str, unit: str, asked: Sided, student: Student | None = None) -> TestResult:
    """t = mean / (s / sqrt(n)) on n - 1 degrees of freedom, or that of `student` where the units overlap.

    All differences zero: t = 0 and p = 1, with a note. All the same but not zero: refused, for there is no variance.
    """
    require_units(d.size, 2, unit, test)
    refuse_constant(d, test, unit, asked.alternative)
    found = t_result(test, unit, d, student or plain_student(d), asked)
    return replace(
        found,
        effect=effect_on(d, unit),
        method=f"paired t on {d.size} {plural(unit, d.size)}",
        details=(*found.details, ("variance", mean_and_variance(d)[1])),
    )
