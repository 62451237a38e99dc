"""P-values and intervals from statistics: binomial, t and normal; the result of a t test."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from typing import Any

import scipy

from ...catalogue.distributions import normal_cdf
from ...errors import TestError
from ...results.records import Alternative, Effect, Interval, TestResult
from .checks import Floats, plural, require_units
from .differences import is_constant, mean_and_variance, no_difference, units_of, wins_ties_losses

CHOICES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
WHOLE_UP_TO = 1_000  # tosses; beyond it 2**n leaves the range of floating-point numbers
INDEPENDENT = ("dataset", "test row")  # units that are independent draws; folds share rows


def sign_pvalue(wins: int, losses: int, alternative: Alternative = "two-sided") -> float:
    """Return the p of the exact sign test: binomial with one half, ties left out; 1 when there are only ties.

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
    """Return P(X <= k) for n tosses of a fair coin, in whole numbers as long as they are quick: rounded once only.

    >>> half_tail(1, 4)
    0.3125
    """
    if n > WHOLE_UP_TO:
        return min(1.0, float(scipy.special.bdtr(k, n, 0.5)))
    return float(sum(math.comb(n, i) for i in range(k + 1)) / 2**n)


def t_pvalue(t: float, df: float, alternative: Alternative = "two-sided") -> float:
    """Return the p-value of a t statistic."""
    if alternative == "greater":
        return float(scipy.special.stdtr(df, -t))
    if alternative == "less":
        return float(scipy.special.stdtr(df, t))
    return float(min(1.0, 2.0 * scipy.special.stdtr(df, -abs(t))))


def z_pvalue(z: float, alternative: Alternative = "two-sided") -> float:
    """Return the p-value of a standard normal statistic."""
    if alternative == "greater":
        return normal_cdf(-z)
    if alternative == "less":
        return normal_cdf(z)
    return min(1.0, 2.0 * normal_cdf(-abs(z)))


@dataclass(frozen=True, slots=True)
class Sided:
    """What a test is asked: its alternative, and the level of its interval."""

    alternative: Alternative = "two-sided"
    level: float = 0.95

    def __post_init__(self) -> None:
        if self.alternative not in CHOICES:
            raise TestError(f"unknown alternative '{self.alternative}'", hint="one of: " + ", ".join(CHOICES))
        if not 0.0 < self.level < 1.0:
            raise TestError(f"the level {self.level:g} of the interval is not between 0 and 1", hint="0.95 is usual")

    @property
    def quantile(self) -> float:
        """The quantile that the interval needs: one tail for a one-sided test, else both."""
        return self.level if self.alternative != "two-sided" else (1.0 + self.level) / 2.0

    def at(self, level: float) -> Sided:
        """Return the same at another level."""
        return Sided(self.alternative, level)

    def interval(self, low: float, high: float, method: str) -> Interval:
        """Return the interval with the side open that a one-sided alternative leaves open."""
        low = -math.inf if self.alternative == "less" else low
        high = math.inf if self.alternative == "greater" else high
        return Interval(low=low, high=high, level=self.level, method=sys.intern(method))  # of many pairs the same words


USUAL = Sided()


def t_interval(mean: float, se: float, df: float, asked: Sided) -> Interval:
    """Return mean +- t * se; a one-sided test has a one-sided interval, its other end infinite."""
    half = float(scipy.special.stdtrit(df, asked.quantile)) * se
    return asked.interval(mean - half, mean + half, f"t with {df:g} degrees of freedom")


def z_interval(mean: float, se: float, asked: Sided, method: str = "normal") -> Interval:
    """Return mean +- z * se, as `t_interval`."""
    half = float(scipy.special.ndtri(asked.quantile)) * se
    return asked.interval(mean - half, mean + half, method)


def clip(interval: Interval, low: float | None, high: float | None) -> Interval:
    """Return the interval within the range of its quantity, e.g. -1 to 1 for a difference of accuracies."""
    return replace(
        interval,
        low=interval.low if low is None else max(interval.low, low),
        high=interval.high if high is None else min(interval.high, high),
    )


def cohen_dz(d: Floats) -> Effect:
    """Return Cohen's dz: mean of the differences over their standard deviation; 0 when all are zero.

    Callers refuse a constant difference other than zero before, so it is never infinite.
    """
    mean, variance = mean_and_variance(d)
    if is_constant(d) or variance <= 0.0:
        return Effect(name="Cohen's dz", value=0.0)
    return Effect(name="Cohen's dz", value=mean / math.sqrt(variance))


def effect_on(d: Floats, unit: str) -> Effect | None:
    """Return Cohen's dz where the units are independent draws; none on folds, where it grows with their rows."""
    return cohen_dz(d) if unit in INDEPENDENT else None


def refuse_constant(d: Floats, test: str, unit: str, alternative: Alternative = "two-sided") -> None:
    """Refuse a constant difference other than zero: it has no variance, hence no t.

    Over independent units the hint gives the exact sign test.
    """
    if not is_constant(d) or d.flat[0] == 0.0:
        return
    wins, _, losses = wins_ties_losses(d)
    p = sign_pvalue(wins, losses, alternative)
    raise TestError(
        f"{test}: the difference is {d.flat[0]:.6g} on every {unit}, so its variance is 0 and t cannot be computed",
        hint=f"the exact sign test on these {d.size} {plural(unit, d.size)} gives p = {p:.4g}"
        if unit in INDEPENDENT
        else f"report the size of the difference; no test can treat every {unit} of the same rows as independent "
        "evidence",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """An estimate of the difference with its standard error and degrees of freedom: the ingredients of a t test."""

    estimate: float
    se: float
    df: float

    def t(self, shift: float = 0.0) -> float:
        """Return the statistic for the hypothesis that the difference is `shift`."""
        return (self.estimate - shift) / self.se


def plain_student(d: Floats, factor: float | None = None, df: float | None = None) -> Student:
    """Return mean, sqrt(factor * s^2) and n - 1 (or `df`), where factor is 1/n for independent units."""
    mean, variance = mean_and_variance(d)
    share = 1.0 / d.size if factor is None else factor
    return Student(estimate=mean, se=math.sqrt(share * variance), df=float(d.size - 1) if df is None else df)


def t_result(test: str, unit: str, d: Floats, student: Student, asked: Sided, **more: Any) -> TestResult:
    """Return the result of a t test on the differences of its units; `more` are further fields of the result.

    Without a standard error there is no difference at all (callers refuse one without variance): t = 0 and p = 1.
    """
    nothing = student.se == 0.0
    t = 0.0 if nothing else student.t()

    def interval_at(level: float) -> Interval:
        return t_interval(student.estimate, student.se, student.df, asked.at(level))

    fields: dict[str, Any] = {
        "statistic": t,
        "statistic_name": "t",
        "pvalue": 1.0 if nothing else t_pvalue(t, student.df, asked.alternative),
        "df": (student.df,),
        "alternative": asked.alternative,
        "difference": student.estimate,
        "interval": None if nothing else interval_at(asked.level),
        "interval_at": None if nothing else interval_at,
        "method": f"t with {student.df:g} degrees of freedom",
        "notes": (no_difference(unit),) if nothing else (),
        **units_of(d, unit),
        **more,
    }
    details = (("standard_error", student.se), *fields.pop("details", ()))
    return TestResult(test=test, details=details, **fields)


def t_on_differences(
    d: Floats, test: str, unit: str, asked: Sided, student: Student | None = None, **more: Any
) -> TestResult:
    """Return t = mean / (s / sqrt(n)) on n - 1 degrees of freedom, or that of `student` where the units overlap.

    All differences zero: t = 0 and p = 1, with a note. All the same but not zero: refused, for there is no variance.
    """
    require_units(d.size, 2, unit, test)
    refuse_constant(d, test, unit, asked.alternative)
    fields: dict[str, Any] = {
        "effect": effect_on(d, unit),
        "method": f"paired t on {d.size} {plural(unit, d.size)}",
        **more,
    }
    details = (("variance", mean_and_variance(d)[1]), *fields.pop("details", ()))
    return t_result(test, unit, d, student or plain_student(d), asked, details=details, **fields)
