"""Paired t tests on datasets, test rows, resamples and folds, with and without correction for shared training rows."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ...catalogue.tests import exceeding
from ...errors import TestError
from ...results.records import Alternative, TestResult
from ..arithmetic.checks import Floats, plural
from ..arithmetic.differences import (
    about_weighted_mean,
    fold_differences,
    is_constant,
    paired_differences,
    row_weights,
    size_ratio,
)
from ..arithmetic.tails import Sided, one_sided, plain_student, t_on_differences, t_pvalue
from .partition_tests import five_by_two_student

ENOUGH = 25  # rows for the square of the skewness, for the t of a mean (Cochran's rule)


def paired_t(first: Any, second: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """Student's paired t: t = mean(d) / (sd(d) / sqrt(n)) with n - 1 degrees of freedom, d = first - second.

    >>> result = paired_t([85, 70, 85, 74, 77, 73, 75, 76], [80, 73, 85, 68, 73, 64, 75, 69])
    >>> round(result.statistic, 2), round(result.pvalue, 4)
    (2.41, 0.0467)

    References: bramer2020, demsar2006.
    """
    d = paired_differences(first, second)
    found = t_on_differences(d, "paired-t", "dataset", Sided(alternative=alternative, level=level))
    nothing = one_sided(0.0, 0.0, alternative, level, "no difference anywhere")
    return replace(
        found,
        interval=found.interval or nothing,
        method=f"t with {found.df[0]:g} degrees of freedom",
        details=(("standard error", found.details[0][1]), ("standard deviation", math.sqrt(found.details[1][1]))),
    )


def row_t(
    first: Any, second: Any, *, weights: Any = None, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """t = mean(d) / (s_d / sqrt(n)) with n - 1 degrees of freedom, d the rows' losses of the first minus the second.

    With `weights` of the rows, where folds differ in size, the mean is the weighted one, m, and s that of w (d - m). It
    asks about these two classifiers, on one test set of independent rows; it knows nothing of other training sets.
    Reference: student1908.
    """
    d = paired_differences(first, second)
    spread = d if weights is None else about_weighted_mean(d, row_weights(weights, d.size, "row-t"))
    asked = Sided(alternative=alternative, level=level)
    found = t_on_differences(d, "row-t", "test row", asked, None if weights is None else plain_student(spread))
    skew = 0.0 if is_constant(d) else _skewness(d)
    if d.size >= ENOUGH * skew**2:
        return found
    above = exceeding("row-t", "holdout")
    assert above is not None
    warning = (
        f"the differences of these {d.size} rows are skewed (skewness {skew:.1f}); in simulations with so few skewed "
        f"rows, row-t at the level 5% had a type I error of up to {100 * above.rate:.1f}%"
    )
    return replace(found, unmet=(warning,))


def _skewness(d: Floats) -> float:
    """Return the third standardised moment."""
    away = d - d.mean()
    return float((away**3).mean() / (away**2).mean() ** 1.5)


def resampled_t(first: Any, second: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """t = mean(d) sqrt(n) / s on n - 1 degrees of freedom, n resamples.

    The training sets overlap and so do the test sets, so s is too small and the level is not kept; more resamples make
    it worse. Here to be warned about and to be simulated. Reference: dietterich1998.
    """
    d = fold_differences(first, second)
    return t_on_differences(d.ravel(), "resampled-t", "resample", Sided(alternative=alternative, level=level))


def kfold_t(first: Any, second: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """t = mean(d) sqrt(k) / s on k - 1 degrees of freedom, k folds.

    Test sets are disjoint, training sets share rows. On the folds of more than one partition it says in a note that the
    same rows are counted again. Reference: dietterich1998 (section 3.4).
    """
    d = fold_differences(first, second)
    times = d.shape[0]
    again = (f"{times} splits test every row {times} times: kfold-t counts them as new rows.",) if times > 1 else ()
    found = t_on_differences(d.ravel(), "kfold-t", "fold", Sided(alternative=alternative, level=level))
    return replace(found, notes=(*found.notes, *again))


def partition_t(
    first: Any,
    second: Any,
    *,
    train_size: float | None = None,
    test_size: float | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TestResult:
    """t = mean(d) / sqrt((n2/n + n2/n1) s^2), n2 of the n rows tested and n1 trained on; s^2 over all folds.

    n2/n is 1/k for k folds: repeating the partition reduces the noise of the mean but adds no new rows. Degrees of
    freedom are those of one partition, k - 1; of resamples, which have no partition, all but one. Of a single partition
    it is the corrected t. Reference: nadeau2003; the study of levels has the measurement behind it.
    """
    d = fold_differences(first, second)
    ratio = size_ratio(train_size, test_size, "partition-t")
    if d.size < 2:
        raise TestError("partition-t needs at least 2 folds, and there is 1")
    return t_on_differences(
        d.ravel(),
        "partition-t",
        "fold",
        Sided(alternative=alternative, level=level),
        plain_student(d, ratio / (1.0 + ratio) + ratio, folds_per_partition(d.shape) - 1.0),
        method=f"variance of one pass through the rows on {d.size} folds, test/training = {ratio:.4g}",
    )


def folds_per_partition(shape: tuple[int, ...]) -> int:
    """Return the folds of one partition; resamples, which have no partition, count as one."""
    return shape[1] if shape[1] > 1 else shape[0]


def corrected_t(
    first: Any,
    second: Any,
    *,
    train_size: float | None = None,
    test_size: float | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TestResult:
    """t = mean(d) / sqrt((1/J + n2/n1) s^2) on J - 1 degrees of freedom, n2 test and n1 training rows.

    J counts all resamples, or all folds of all partitions; for repeated k-fold n2/n1 is 1/(k - 1). On a 5x2cv the t
    and p of 5x2cv-t stand in the details, and decide nothing. References: nadeau2003, bouckaert2004.
    """
    d = fold_differences(flat_partitions(first), flat_partitions(second))
    ratio = size_ratio(train_size, test_size, "corrected-t")
    where = f" of {d.shape[0]} partitions" if d.shape[0] > 1 and d.shape[1] > 1 else ""
    details = [("uncorrected_t", 0.0 if is_constant(d) or d.size < 2 else plain_student(d).t())]
    if d.shape == (5, 2) and (halves := five_by_two_student(d)).se > 0.0:
        p = t_pvalue(halves.t(), halves.df, alternative)
        details += [("5x2cv-t (not deciding)", halves.t()), ("5x2cv-t p (not deciding)", p)]
    return t_on_differences(
        d.ravel(),
        "corrected-t",
        "fold",
        Sided(alternative=alternative, level=level),
        plain_student(d, 1.0 / d.size + ratio),
        method=f"Nadeau-Bengio variance on {d.size} {plural('fold', d.size)}{where}, test/training = {ratio:.4g}",
        details=details,
    )


def flat_partitions(scores: Any) -> Any:
    """Return N partitions of 5x2cv as one list of replications; other scores as they are."""
    return np.reshape(scores, (-1, np.shape(scores)[-1])) if np.ndim(scores) == 3 else scores
