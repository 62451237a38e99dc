"""5x2cv-t and 5x2cv-f: five partitions into two halves; the two training sets of a partition share no row."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import stats

from ...errors import TestError
from ...results.records import Alternative, Interval, TestResult
from ..arithmetic.differences import (
    Sided,
    Student,
    five_by_two_differences,
    is_constant,
    no_difference,
    refuse_constant,
    t_result,
    two_sided_only,
    wins_ties_losses,
)
from ..arithmetic.guarded import Floats, check_options

SIGNS = (
    "The first difference is {first:.3g} and the mean of the ten is {mean:.3g}: their signs differ, so what the "
    "test says depends on which fold came first."
)


def five_by_two_t(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """t = p_1^(1) / sqrt(mean of s_i^2) on 5 degrees of freedom, s_i^2 the variance of the two halves of partition i.

    The numerator is the first of the ten differences; `difference` is the mean of all ten and stands beside it, with a
    note when the two have different signs. Reference: dietterich1998 (section 3.5).
    """
    asked = Sided(alternative=alternative, level=level)
    d = five_by_two_differences(a, b, "5x2cv-t")
    _refuse_no_variance(d, "5x2cv-t", alternative)
    found = t_result("5x2cv-t", "fold", d.ravel(), five_by_two_student(d), asked)
    first, mean = float(d[0, 0]), math.fsum(d.ravel()) / 10.0
    return replace(
        found,
        difference=mean,
        method="t with 5 degrees of freedom, numerator the first of the ten differences",
        details=(("first_difference", first), *found.details, *_spreads(d)),
        notes=(SIGNS.format(first=first, mean=mean),) if first * mean < 0.0 else found.notes,
    )


def five_by_two_f(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """F = (sum of the ten squared differences) / (2 sum of s_i^2) on 10 and 5 degrees of freedom.

    It does not depend on which fold came first. The interval holds every shift that the same test would not reject; it
    is absent when there is none. Reference: alpaydin1999.
    """
    check_options(alternative, level)
    two_sided_only(alternative, "5x2cv-f")
    d = five_by_two_differences(a, b, "5x2cv-f")
    nothing = _refuse_no_variance(d, "5x2cv-f", alternative)
    below = 2.0 * math.fsum(_variances(d))
    f = 0.0 if nothing else math.fsum((d * d).ravel()) / below
    wins, ties, losses = wins_ties_losses(d)
    return TestResult(
        test="5x2cv-f",
        statistic=f,
        statistic_name="F",
        pvalue=1.0 if nothing else float(stats.f.sf(f, 10, 5)),
        df=(10.0, 5.0),
        alternative=alternative,
        difference=math.fsum(d.ravel()) / 10.0,
        interval=None if nothing else _f_interval(d, below, level),
        effect=None,
        wins=wins,
        ties=ties,
        losses=losses,
        n_units=10,
        unit="fold",
        method="F with 10 and 5 degrees of freedom",
        details=(("first_difference", float(d[0, 0])), *_spreads(d)),
        notes=(no_difference("fold"),) if nothing else (),
    )


def five_by_two_student(d: Floats) -> Student:
    """The numerator p_1^(1), its standard error sqrt(mean s_i^2), and 5 degrees of freedom."""
    return Student(estimate=float(d[0, 0]), se=math.sqrt(math.fsum(_variances(d)) / 5.0), df=5.0)


def _variances(d: Floats) -> Floats:
    """s_i^2 = (p1 - mean)^2 + (p2 - mean)^2 = (p1 - p2)^2 / 2."""
    return np.asarray((d[:, 0] - d[:, 1]) ** 2 / 2.0)


def _refuse_no_variance(d: Floats, test: str, alternative: Alternative) -> bool:
    """True when all ten differences are zero; refuses when the two halves agree in all five partitions otherwise."""
    refuse_constant(d, test, "fold", alternative)
    if is_constant(d):
        return True
    if not np.any(_variances(d)):
        raise TestError(
            f"{test}: the two folds of each partition differ by the same amount, so there is no variance to divide by",
            hint="more test rows per fold, or corrected-t on the same ten folds",
        )
    return False


def _f_interval(d: Floats, below: float, level: float) -> Interval | None:
    """All shifts c with sum (d - c)^2 <= F_crit * below: a quadratic in c."""
    mean = math.fsum(d.ravel()) / 10.0
    room = float(stats.f.ppf(level, 10, 5)) * below - math.fsum(((d - mean) ** 2).ravel())
    if room < 0.0:
        return None
    half = math.sqrt(room / 10.0)
    return Interval(low=mean - half, high=mean + half, level=level, method="shifts that 5x2cv-f does not reject")


def _spreads(d: Floats) -> tuple[tuple[str, float], ...]:
    return tuple((f"variance_{i + 1}", float(v)) for i, v in enumerate(_variances(d)))
