"""Ending a comparison when it is settled: whether the partitions that are still to come could turn its verdict.

Given the data, partitions are drawn independently of one another. So what the first of them say bounds the statistic
that all of them will have, and a verdict that lies on one side of its critical value for the whole band is the verdict
of the full design (curtailed sampling; lan1982). docs/design/stopping-early.md has the reasons and figures.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from ..errors import TestError
from ..results.records import Alternative
from .arithmetic.differences import differences, plain_student, t_pvalue
from .arithmetic.guarded import Floats
from .tests.five_by_two import five_by_two_student

ERROR = 0.005  # of all looks together: what a verdict may differ from that of the full design


@dataclass(frozen=True, slots=True, kw_only=True)
class Full:
    """The design as declared: which test on how many partitions, and the ratio of test to training rows."""

    test: str
    partitions: int
    ratio: float
    alternative: Alternative = "two-sided"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticBand:
    """Where the statistic of the full design will be, and the p-values there."""

    statistic: float  # of the full design, were the partitions to come like those that are there
    low: float
    high: float
    p_low: float
    p_high: float


def band(a: Any, b: Any, full: Full, error: float) -> StatisticBand | None:
    """The band of the full design's statistic from the first partitions; None where they do not vary or have no t.

    The statistic is a function of means over partitions. Its value with each partition left out in turn (the
    jackknife) says how much one partition moves it, and of N partitions of which n are there the mean still moves by
    s sqrt(1/n - 1/N); n - 1 degrees of freedom.
    """
    d = differences(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    n, left = d.shape[0], full.partitions - d.shape[0]
    if n < 2 or left < 0:
        return None
    try:
        statistic, df = _statistic(d, full)
        without = [_statistic(np.delete(d, i, axis=0), full)[0] for i in range(n)]
    except TestError:
        return None
    pseudo = np.array([n * statistic - (n - 1) * one for one in without])
    spread = float(pseudo.std(ddof=1))
    if left and not spread > 0.0:
        return None  # partitions that do not differ say nothing of those that may
    half = float(stats.t.isf(error / 2, n - 1)) * spread * math.sqrt(1.0 / n - 1.0 / full.partitions) if left else 0.0
    low, high = statistic - half, statistic + half
    ends = [t_pvalue(t, df, full.alternative) for t in (low, high)]
    p_high = 1.0 if full.alternative == "two-sided" and low <= 0.0 <= high else max(ends)
    return StatisticBand(statistic=statistic, low=low, high=high, p_low=min(ends), p_high=p_high)


def _statistic(d: Floats, full: Full) -> tuple[float, float]:
    """(t, degrees of freedom) of the full design, were all its partitions like these on average."""
    return STATISTICS[full.test](d, full)


def _of_moments(d: Floats, full: Full, factor: float, df: float) -> tuple[float, float]:
    folds = full.partitions * d[0].size
    mean = math.fsum(d.ravel()) / d.size
    variance = math.fsum(((d - mean) ** 2).ravel()) / d.size * folds / (folds - 1)
    if not variance > 0.0:
        raise TestError("the differences do not vary")
    return mean / math.sqrt(factor * variance), df


def _partition_t(d: Floats, full: Full) -> tuple[float, float]:
    return _of_moments(d, full, full.ratio / (1.0 + full.ratio) + full.ratio, d[0].size - 1.0)


def _corrected_t(d: Floats, full: Full) -> tuple[float, float]:
    folds = full.partitions * d[0].size
    return _of_moments(d, full, 1.0 / folds + full.ratio, folds - 1.0)


def _averaged_t(d: Floats, full: Full) -> tuple[float, float]:
    students = [five_by_two_student(part) if part.ndim == 2 else plain_student(part) for part in d]
    return math.fsum(0.0 if s.se == 0.0 else s.t() for s in students) / len(students), students[0].df


STATISTICS: dict[str, Callable[[Floats, Full], tuple[float, float]]] = {  # those of catalogue/tests: CURTAILED
    "partition-t": _partition_t,
    "corrected-t": _corrected_t,
    "averaged-t": _averaged_t,
}
