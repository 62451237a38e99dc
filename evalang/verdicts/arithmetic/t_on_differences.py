"""Student's t on paired differences, with the standard error that the design gives: the common part of five tests."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...results.test_result import Alternative, TestResult
from .checked import Floats, check_options, plural, require_units
from .differences import effect_on, is_constant, mean_and_variance, no_difference, refuse_constant, wins_ties_losses
from .tails import t_interval, t_pvalue


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


def t_on_differences(
    d: Floats,
    *,
    test: str,
    unit: str,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    factor: float | None = None,
    df: float | None = None,
    method: str = "",
    notes: tuple[str, ...] = (),
) -> TestResult:
    """t = mean / sqrt(factor * s^2) on n - 1 degrees of freedom; `factor` is 1/n unless the units overlap.

    All differences zero: t = 0 and p = 1, with a note. All the same but not zero: refused, for there is no variance.
    """
    check_options(alternative, level)
    require_units(d.size, 2, unit, test)
    refuse_constant(d, test, unit, alternative)
    wins, ties, losses = wins_ties_losses(d)
    nothing = is_constant(d)
    student = plain_student(d, factor, df)
    t = 0.0 if nothing else student.t()
    variance = mean_and_variance(d)[1]
    return TestResult(
        test=test,
        statistic=t,
        statistic_name="t",
        pvalue=1.0 if nothing else t_pvalue(t, student.df, alternative),
        df=(student.df,),
        alternative=alternative,
        difference=student.estimate,
        interval=None if nothing else t_interval(student.estimate, student.se, student.df, alternative, level),
        effect=effect_on(d, unit),
        wins=wins,
        ties=ties,
        losses=losses,
        n_units=int(d.size),
        unit=unit,
        method=method or f"paired t on {d.size} {plural(unit, d.size)}",
        details=(("standard_error", student.se), ("variance", variance)),
        notes=((no_difference(unit),) if nothing else ()) + notes,
    )
