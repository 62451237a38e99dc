"""Tests on losses ordered in time, which may depend on those before: forward-t and diebold-mariano."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ...catalogue.tests import exceeding
from ...errors import TestError
from ...results.records import Alternative, TestResult
from ..arithmetic.checks import Floats, pair, require_units
from ..arithmetic.differences import differences, row_weights
from ..arithmetic.tails import Sided, Student, t_result

FEWEST = 50  # time stamps
RELATED = 0.6  # between .5, at which the level was held, and .8, at which it was not
SHARE = 0.25  # of T^(2/3), the number of cosines: .4 (lazarus2018) was wrong too often in six cells of the study


def forward_t(
    first: Any,
    second: Any,
    *,
    times: Any,
    weights: Any = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TestResult:
    """t = mean over its long-run standard error from B cosines, with B degrees of freedom.

    Rows of one time stamp are taken together, stamps in order; the mean is by row, or by `weights` where folds differ
    in size, as in the table of scores. B is 0.25 T^(2/3): each cosine weighs the series by a wave of its own, and the
    mean of the squared weights estimates the long-run variance. References: lazarus2018, muller2007.
    """
    asked = Sided(alternative=alternative, level=level)
    sums, d = by_time(first, second, times, weights, "forward-t")
    count = max(int(SHARE * d.size ** (2.0 / 3.0)), 2)
    at = (np.arange(d.size) + 0.5) / d.size
    waves = math.sqrt(2.0 / d.size) * np.cos(np.pi * np.outer(np.arange(1, count + 1), at))
    long_run = float(np.mean((waves @ d) ** 2))
    method = f"long-run variance from {count} cosines on {d.size} time stamps"
    found = _result("forward-t", (sums, d), long_run, float(count), asked)
    return replace(_related(found, d), method=method)


def _related(found: TestResult, d: Floats) -> TestResult:
    """Return the result with the correlation of neighbours, and a warning where the test was measured to fail."""
    centred = d - d.mean()
    total = float(centred @ centred)
    near = float(centred[1:] @ centred[:-1]) / total if total > 0.0 else 0.0
    above = exceeding("forward-t", "forward")
    assert above is not None
    warning = (
        f"consecutive differences correlate by {near:.2f}; in simulations with a correlation of 0.8, forward-t at the "
        f"level 5% had a type I error of up to {100 * above.rate:.1f}%"
    )
    details = (*found.details, ("autocorrelation", near))
    return replace(found, details=details, unmet=(warning,) if near > RELATED else ())


def diebold_mariano(
    first: Any,
    second: Any,
    *,
    times: Any,
    weights: Any = None,
    horizon: int = 1,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TestResult:
    """Diebold and Mariano's statistic for a horizon of h stamps, with Harvey, Leybourne and Newbold's correction.

    The long-run variance is the sum of the autocovariances up to h - 1; t with T - 1 degrees of freedom. It holds only
    where nothing beyond the horizon is related. References: diebold1995, harvey1997.
    """
    asked = Sided(alternative=alternative, level=level)
    sums, d = by_time(first, second, times, weights, "diebold-mariano")
    if not 1 <= horizon <= d.size // 4:
        raise TestError(f"diebold-mariano: a horizon of {horizon} does not fit {d.size} time stamps")
    centred = d - d.mean()
    lags = [float(centred[k:] @ centred[: d.size - k]) / d.size for k in range(horizon)]
    long_run = lags[0] + 2.0 * math.fsum(lags[1:])
    n, h = d.size, horizon
    shrink = (n + 1 - 2 * h + h * (h - 1) / n) / n
    method = f"autocovariances up to {horizon - 1} on {n} time stamps, Harvey-Leybourne-Newbold"
    return replace(_result("diebold-mariano", (sums, d), long_run / shrink, n - 1.0, asked), method=method)


def by_time(first: Any, second: Any, times: Any, weights: Any, test: str) -> tuple[Floats, Floats]:
    """Return for every time stamp, in order, its summed difference and its part of the mean difference.

    Where stamps have equally many rows that is their mean. Where they have not, a mean of means would be about another
    difference than the scores: a stamp of one row would count as much as one of a hundred.
    """
    one, two = pair(first, second)
    stamps = np.asarray(times)
    if stamps.shape != one.shape:
        raise TestError(f"{test}: {one.size} rows have {stamps.size} time stamps")
    found, place = np.unique(stamps, return_inverse=True)
    require_units(found.size, FEWEST, "time stamp", test)
    w = row_weights(weights, one.size, test)
    d = w * differences(one, two)
    sums, sizes = (np.bincount(place, weights=x).astype(np.float64) for x in (d, w))
    mean = math.fsum(d) / d.size
    return sums, np.asarray(mean + (sums - mean * sizes) * (found.size / d.size), dtype=np.float64)


def _result(test: str, stamps: tuple[Floats, Floats], long_run: float, df: float, asked: Sided) -> TestResult:
    sums, d = stamps
    if long_run <= 1e-15 * float(np.mean(d * d)) and d.any():
        raise TestError(f"{test}: the differences have no variance in the long run, so there is no t")
    student = Student(estimate=math.fsum(d) / d.size, se=math.sqrt(max(long_run, 0.0) / d.size), df=df)
    found = t_result(test, "time stamp", sums, student, asked)
    return replace(found, details=(*found.details, ("long_run_variance", long_run)))
