"""Tests on repeated partitions: 5x2cv-t and 5x2cv-f, averaged-t over many partitions, halving-t on disjoint halves."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import scipy

from ...errors import TestError
from ...results.records import Alternative, Interval, TestResult
from ..arithmetic.checks import Floats, numbers, plural, require_units
from ..arithmetic.differences import (
    TIE_TOLERANCE,
    five_by_two_differences,
    fold_differences,
    is_constant,
    mean_and_variance,
    no_difference,
    paired_differences,
    units_of,
)
from ..arithmetic.tails import USUAL, Sided, Student, plain_student, refuse_constant, t_pvalue, t_result

SIGNS = (
    "The first difference is {first:.3g} and the mean of the ten is {mean:.3g}. Their signs differ, so the result of "
    "this test depends on the order of folds."
)


def five_by_two_t(first: Any, second: Any, *, asked: Sided = USUAL) -> TestResult:
    """t = p_1^(1) / sqrt(mean of s_i^2) on 5 degrees of freedom, s_i^2 the variance of the two halves of partition i.

    The numerator is the first of the ten differences; `difference` is the mean of all ten and stands beside it, with a
    note when the two have different signs. Reference: dietterich1998 (section 3.5).
    """
    d = five_by_two_differences(first, second, "5x2cv-t")
    _refuse_no_variance(d, "5x2cv-t", asked.alternative)
    found = t_result("5x2cv-t", "fold", d.ravel(), five_by_two_student(d), asked)
    numerator, mean = float(d[0, 0]), math.fsum(d.ravel()) / 10.0
    return replace(
        found,
        difference=mean,
        method="t with 5 degrees of freedom, numerator the first of the ten differences",
        details=(("first_difference", numerator), *found.details, *_spreads(d)),
        notes=(SIGNS.format(first=numerator, mean=mean),) if numerator * mean < 0.0 else found.notes,
    )


def five_by_two_f(first: Any, second: Any, *, asked: Sided = USUAL) -> TestResult:
    """F = (sum of the ten squared differences) / (2 sum of s_i^2) on 10 and 5 degrees of freedom.

    It does not depend on which fold came first. The interval holds every shift that the same test would not reject; it
    is absent when there is none. Reference: alpaydin1999.
    """
    d = five_by_two_differences(first, second, "5x2cv-f")
    nothing = _refuse_no_variance(d, "5x2cv-f")
    below = 2.0 * math.fsum(_variances(d))
    f = 0.0 if nothing else math.fsum((d * d).ravel()) / below
    return TestResult(
        test="5x2cv-f",
        statistic=f,
        statistic_name="F",
        pvalue=1.0 if nothing else float(scipy.special.fdtrc(10, 5, f)),
        df=(10.0, 5.0),
        difference=math.fsum(d.ravel()) / 10.0,
        interval=None if nothing else _f_interval(d, below, asked.level),
        method="F with 10 and 5 degrees of freedom",
        details=(("first_difference", float(d[0, 0])), *_spreads(d)),
        notes=(no_difference("fold"),) if nothing else (),
        **units_of(d, "fold"),
    )


def five_by_two_student(d: Floats) -> Student:
    """Return the numerator p_1^(1), its standard error sqrt(mean s_i^2), and 5 degrees of freedom."""
    return Student(estimate=float(d[0, 0]), se=math.sqrt(math.fsum(_variances(d)) / 5.0), df=5.0)


def _variances(d: Floats) -> Floats:
    """Return s_i^2 = (p1 - mean)^2 + (p2 - mean)^2 = (p1 - p2)^2 / 2."""
    return np.asarray((d[:, 0] - d[:, 1]) ** 2 / 2.0)


def _refuse_no_variance(d: Floats, test: str, alternative: Alternative = "two-sided") -> bool:
    """Return True when all ten differences are zero; refuse when the halves agree in all five partitions otherwise."""
    refuse_constant(d, test, "fold", alternative)
    if is_constant(d):
        return True
    if not np.any(_variances(d)):
        raise TestError(
            f"{test}: the difference is the same on both folds of every split, so the variance is 0 and the "
            "statistic cannot be computed",
            hint="use more test rows per fold, or corrected-t on the same ten folds",
        )
    return False


def _f_interval(d: Floats, below: float, level: float) -> Interval | None:
    """Return all shifts c with sum (d - c)^2 <= F_crit * below: a quadratic in c."""
    mean = math.fsum(d.ravel()) / 10.0
    room = float(scipy.special.fdtri(10, 5, level)) * below - math.fsum(((d - mean) ** 2).ravel())
    if room < 0.0:
        return None
    half = math.sqrt(room / 10.0)
    return Interval(low=mean - half, high=mean + half, level=level, method="shifts that 5x2cv-f does not reject")


def _spreads(d: Floats) -> tuple[tuple[str, float], ...]:
    return tuple((f"variance_{i + 1}", float(v)) for i, v in enumerate(_variances(d)))


class Sufficiency(NamedTuple):
    """Whether more partitions could still turn the conclusion. `statistic` is None when the t values do not vary."""

    statistic: float | None
    as_printed: float | None  # with the degrees of freedom of the number of partitions, as in the paper
    threshold: float
    enough: bool


def averaged_t(first: Any, second: Any, *, asked: Sided = USUAL) -> TestResult:
    """Mean of the partitions' t, referred to t with the degrees of freedom of one partition.

    Scores are [partition, fold], or [partition, 5, 2] for partitions of 5x2cv, whose t is that of 5x2cv-t with 5 df. A
    partition without any difference counts t = 0. Reference: bradford2001.
    """
    d = _checked_partitions(first, second)
    students = [_partition_student(part, i, asked.alternative) for i, part in enumerate(d)]
    ts = [0.0 if s.se == 0.0 else s.t() for s in students]
    df, mean_t, count = students[0].df, math.fsum(ts) / len(ts), len(ts)
    nothing, flat = not np.any(d), sum(s.se == 0.0 for s in students)
    enough = enough_partitions(ts, df=df, alpha=1.0 - asked.quantile) if count > 1 else None
    names = ("sufficiency", "sufficiency_as_printed", "sufficiency_threshold", "enough_partitions")
    known = [(name, float(x)) for name, x in zip(names, enough or (), strict=False) if x is not None]
    return TestResult(
        test="averaged-t",
        statistic=mean_t,
        statistic_name="mean t",
        pvalue=1.0 if nothing else t_pvalue(mean_t, df, asked.alternative),
        df=(df,),
        alternative=asked.alternative,
        difference=math.fsum(d.ravel()) / d.size,
        interval=None if nothing else _averaged_interval(students, mean_t, df, asked),
        method=f"mean t of {count} {plural('random split', count)} with {df:g} degrees of freedom, those of one",
        details=(*((f"t_{i + 1}", t) for i, t in enumerate(ts)), *known),
        notes=(no_difference("fold"),) if nothing else _notes(ts, df, enough, flat, asked),
        **units_of(d, "partition") | {"n_units": count},
    )


def enough_partitions(t_values: Any, *, df: float, alpha: float = 0.025, alpha2: float = 0.05) -> Sufficiency:
    """| |mean t| - t_crit | / (s_t / sqrt(n)) > t(alpha2, n - 1), with t_crit at `df`, that of one partition.

    Taken on both sides: the printed rule only ever stops for a difference. Reference: bradford2001 (section 4).
    """
    ts = numbers(t_values, "t_values")
    require_units(ts.size, 2, "random split", "the test for enough random splits")
    mean, variance = mean_and_variance(ts)
    se = math.sqrt(variance / ts.size)
    gap = abs(mean) + float(scipy.special.stdtrit(df, alpha))
    printed = abs(mean) + float(scipy.special.stdtrit(ts.size - 1, alpha))
    threshold = -float(scipy.special.stdtrit(ts.size - 1, alpha2))
    if se == 0.0:
        return Sufficiency(None, None, threshold, gap != 0.0)
    return Sufficiency(gap / se, printed / se, threshold, abs(gap / se) > threshold)


def averaged_student(d: Floats) -> Student:
    """Return estimate sum(m_i / se_i) / sum(1 / se_i) and standard error n / sum(1 / se_i): its t is the mean t."""
    students = [_partition_student(part, i, "two-sided") for i, part in enumerate(d)]
    varied = [s for s in students if s.se > 0.0]
    if not varied:
        raise TestError("averaged-t: in every random split the variance is 0, so the standard error cannot be computed")
    weight = math.fsum(1.0 / s.se for s in varied) / len(students)
    return Student(estimate=math.fsum(s.t() for s in varied) / len(students) / weight, se=1.0 / weight, df=varied[0].df)


def _checked_partitions(first: Any, second: Any) -> Floats:
    ndim = 3 if np.ndim(first) == 3 else 2
    d = paired_differences(first, second, ndim=ndim)
    if ndim == 3 and d.shape[1:] != (5, 2):
        raise TestError(f"averaged-t: a partition of 5x2cv has 5 x 2 folds, but there are {d.shape[1]} x {d.shape[2]}")
    require_units(d.shape[0], 1, "random split", "averaged-t")
    require_units(d.shape[1], 2, "fold", "averaged-t")
    return d


def _partition_student(part: Floats, index: int, alternative: Alternative) -> Student:
    refuse_constant(part, f"averaged-t, random split {index + 1}", "fold", alternative)
    found = student_of_partition(part)
    if found.se == 0.0 and not is_constant(part):
        raise TestError(f"averaged-t, split {index + 1}: the two folds of each half agree, so the variance is 0")
    return found


def student_of_partition(part: Floats) -> Student:
    """Return the t of one partition: that of 5x2cv-t for [5, 2], else of the paired t on its folds."""
    return five_by_two_student(part) if part.ndim == 2 else plain_student(part)


def _averaged_interval(students: list[Student], mean_t: float, df: float, asked: Sided) -> Interval:
    """Return the shifts that the same test does not reject: the mean t is linear in the shift."""
    weight = math.fsum(1.0 / s.se for s in students if s.se > 0.0) / len(students)
    critical = float(scipy.special.stdtrit(df, asked.quantile))
    low, high = (mean_t - critical) / weight, (mean_t + critical) / weight
    return asked.interval(low, high, "shifts that averaged-t does not reject")


MORE_NEEDED = "more of them could still change the result (criterion of Bradford and Brodley)."


def _notes(ts: list[float], df: float, found: Sufficiency | None, flat: int, asked: Sided) -> tuple[str, ...]:
    """Return what single partitions say, each by the t that the mean is made of, at the level before correction."""
    count, alone = len(ts), sum(t_pvalue(t, df, asked.alternative) <= 1.0 - asked.level for t in ts)
    splits = f"{plural('random split', flat)} without any difference {'was' if flat == 1 else 'were'}"
    notes = [f"{flat} {splits} counted as t = 0."] if flat else []
    if found is None:
        return (*notes, "There is only one random split; a different split may give a different result.")
    alpha = f"{1.0 - asked.level:.3g}"
    notes.append(f"{alone} of {count} random splits, each tested alone and without correction, have p <= {alpha}.")
    if not found.enough:
        notes.append(f"{count} random splits are not enough: {MORE_NEEDED}")
    return tuple(notes)


def halving_t(first: Any, second: Any, *, halvings: int | None = None, asked: Sided = USUAL) -> TestResult:
    """t = m / sqrt(v) on M - 1 degrees of freedom: m the mean difference over the folds of all rows, M halvings.

    Scores are [partition, fold]; the last `halvings` partitions (half of them, if not given) are cross-validations in
    two halves of the rows that share none, the first half of their folds in one half and the rest in the other. With
    a_j and b_j the mean differences in the halves of halving j, v = sum((a_j - b_j)^2) / (4 M): the variance of the
    mean of a half is sum((a_j - b_j)^2) / (2 M), and all rows are two halves. No ratio is assumed, so it holds where an
    error depends on more than the size of the training set; Bengio and Grandvalet (2004) show that one cross-validation
    of all rows has no unbiased estimate of its variance. Reference: bengio2004; the study of levels has measured it.

    >>> whole, halves = [[0.8, 0.6, 0.9, 0.7]], [[0.9, 0.7, 0.6, 0.8], [0.5, 0.9, 0.9, 0.7]]
    >>> found = halving_t(whole + halves, [[0.5] * 4] * 3, halvings=2)
    >>> round(found.difference, 3), round(found.details[0][1], 4), found.df
    (0.25, 0.05, (1.0,))
    """
    test = "halving-t"
    d = fold_differences(first, second)
    many = d.shape[0] // 2 if halvings is None else halvings
    require_units(many, 2, "halving", test)
    if d.shape[0] <= many or d.shape[1] % 2 or d.shape[1] < 4:
        raise TestError(
            f"{test}: {d.shape[0]} random splits of {d.shape[1]} folds are no cross-validation of all rows and {many} "
            "halvings",
            hint="use 10 halvings of 10x10cv",
        )
    whole, halves = d[:-many], d[-many:].reshape(many, 2, -1).mean(axis=2)
    gaps = halves[:, 0] - halves[:, 1]
    if d.any() and float(np.abs(gaps).max()) <= TIE_TOLERANCE * float(np.abs(d).max()):
        raise TestError(
            f"{test}: both halves have the same mean difference in every halving, so its variance is 0 and t cannot "
            "be computed"
        )
    student = Student(
        estimate=math.fsum(whole.ravel()) / whole.size,
        se=math.sqrt(math.fsum(gaps**2) / (4.0 * many)),
        df=float(many - 1),
    )
    return t_result(
        test,
        "fold",
        whole.ravel(),
        student,
        asked,
        method=f"mean over {whole.size} {plural('fold', whole.size)} of all rows, variance from {many} halvings",
        details=tuple((f"halving {j}", float(gap)) for j, gap in enumerate(gaps, 1)),
    )
