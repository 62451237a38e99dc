"""averaged-t: the mean of the t values of many partitions, and whether there are enough partitions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from ...errors import TestError
from ...results.records import Alternative, Interval, TestResult
from ..arithmetic.differences import (
    Student,
    differences,
    is_constant,
    mean_and_variance,
    no_difference,
    one_sided,
    plain_student,
    refuse_constant,
    t_pvalue,
    tail_level,
    wins_ties_losses,
)
from ..arithmetic.guarded import Floats, check_options, numbers, pair, plural, require_units
from .five_by_two import five_by_two_student


@dataclass(frozen=True, slots=True, kw_only=True)
class Sufficiency:
    """Whether more partitions could still turn the conclusion. `statistic` is None when the t values do not vary."""

    statistic: float | None
    as_printed: float | None  # with the degrees of freedom of the number of partitions, as in the paper
    threshold: float
    enough: bool


def averaged_t(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """Mean of the partitions' t, referred to t with the degrees of freedom of one partition.

    Scores are [partition, fold], or [partition, 5, 2] for partitions of 5x2cv, whose t is that of 5x2cv-t with 5 df. A
    partition without any difference counts t = 0. Reference: bradford2001.
    """
    check_options(alternative, level)
    d = _checked(a, b)
    students = [_student(part, i, alternative) for i, part in enumerate(d)]
    ts = [0.0 if s.se == 0.0 else s.t() for s in students]
    df, mean_t = students[0].df, math.fsum(ts) / len(ts)
    nothing = not np.any(d)
    wins, ties, losses = wins_ties_losses(d)
    enough = enough_partitions(ts, df=df, alpha=1.0 - tail_level(level, alternative)) if len(ts) > 1 else None
    partitions = len(ts)
    return TestResult(
        test="averaged-t",
        statistic=mean_t,
        statistic_name="mean t",
        pvalue=1.0 if nothing else t_pvalue(mean_t, df, alternative),
        df=(df,),
        alternative=alternative,
        difference=math.fsum(d.ravel()) / d.size,
        interval=None if nothing else _interval(students, mean_t, df, alternative, level),
        effect=None,
        wins=wins,
        ties=ties,
        losses=losses,
        n_units=partitions,
        unit="partition",
        method=f"mean t of {partitions} {plural('partition', partitions)} with {df:g} degrees of freedom, those of one",
        details=(*((f"t_{i + 1}", t) for i, t in enumerate(ts)), *_details(enough)),
        notes=_notes(nothing, partitions, enough, int(sum(s.se == 0.0 for s in students))),
    )


def enough_partitions(t_values: Any, *, df: float, alpha: float = 0.025, alpha2: float = 0.05) -> Sufficiency:
    """| |mean t| - t_crit | / (s_t / sqrt(n)) > t(alpha2, n - 1), with t_crit at `df`, that of one partition.

    Taken on both sides: the printed rule only ever stops for a difference. Reference: bradford2001 (section 4).
    """
    ts = numbers(t_values, "t_values")
    require_units(ts.size, 2, "partition", "the test for enough partitions")
    mean, variance = mean_and_variance(ts)
    se = math.sqrt(variance / ts.size)
    gap = abs(mean) - float(stats.t.isf(alpha, df))
    printed = abs(mean) - float(stats.t.isf(alpha, ts.size - 1))
    threshold = float(stats.t.isf(alpha2, ts.size - 1))
    if se == 0.0:
        return Sufficiency(statistic=None, as_printed=None, threshold=threshold, enough=gap != 0.0)
    return Sufficiency(
        statistic=gap / se, as_printed=printed / se, threshold=threshold, enough=abs(gap / se) > threshold
    )


def averaged_student(d: Floats) -> Student:
    """Estimate sum(m_i / se_i) / sum(1 / se_i) and standard error n / sum(1 / se_i): its t is the mean t."""
    students = [_student(part, i, "two-sided") for i, part in enumerate(d)]
    varied = [s for s in students if s.se > 0.0]
    if not varied:
        raise TestError("averaged-t: no partition has any variance, so there is no standard error")
    weight = math.fsum(1.0 / s.se for s in varied) / len(students)
    return Student(estimate=math.fsum(s.t() for s in varied) / len(students) / weight, se=1.0 / weight, df=varied[0].df)


def _checked(a: Any, b: Any) -> Floats:
    ndim = 3 if np.ndim(a) == 3 else 2
    one, two = pair(a, b, ndim=ndim)
    d = differences(one, two)
    if ndim == 3 and d.shape[1:] != (5, 2):
        raise TestError(f"averaged-t: a partition of 5x2cv has 5 x 2 folds, and there are {d.shape[1]} x {d.shape[2]}")
    require_units(d.shape[0], 1, "partition", "averaged-t")
    require_units(d.shape[1], 2, "fold", "averaged-t")
    return d


def _student(part: Floats, index: int, alternative: Alternative) -> Student:
    refuse_constant(part, f"averaged-t, partition {index + 1}", "fold", alternative)
    found = five_by_two_student(part) if part.ndim == 2 else plain_student(part)
    if found.se == 0.0 and not is_constant(part):
        raise TestError(f"averaged-t, partition {index + 1}: the two folds of each half agree, so there is no variance")
    return found


def _interval(students: list[Student], mean_t: float, df: float, alternative: Alternative, level: float) -> Interval:
    """Shifts that the same test does not reject: the mean t is linear in the shift."""
    weight = math.fsum(1.0 / s.se for s in students if s.se > 0.0) / len(students)
    critical = float(stats.t.ppf(tail_level(level, alternative), df))
    low, high = (mean_t - critical) / weight, (mean_t + critical) / weight
    return one_sided(low, high, alternative, level, "shifts that averaged-t does not reject")


def _details(found: Sufficiency | None) -> tuple[tuple[str, float], ...]:
    if found is None:
        return ()
    known = (("sufficiency", found.statistic), ("sufficiency_as_printed", found.as_printed))
    return (
        *((name, value) for name, value in known if value is not None),
        ("sufficiency_threshold", found.threshold),
        ("enough_partitions", float(found.enough)),
    )


def _notes(nothing: bool, partitions: int, found: Sufficiency | None, flat: int) -> tuple[str, ...]:
    if nothing:
        return (no_difference("fold"),)
    notes: list[str] = []
    if flat:
        notes.append(f"{flat} {plural('partition', flat)} without any difference counted as t = 0.")
    if found is None:
        notes.append("One partition: whether another would say the same is not known.")
    elif not found.enough:
        notes.append(f"{partitions} partitions are not enough: more of them could still turn the conclusion.")
    return tuple(notes)
