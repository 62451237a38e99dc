"""corrected-t: the t test on resamples or folds with a variance that knows the training sets overlap."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import TestError
from ...results.records import Alternative, TestResult
from ..arithmetic.differences import Sided, fold_differences, is_constant, plain_student, size_ratio, t_on_differences
from ..arithmetic.guarded import Floats, plural
from .five_by_two import five_by_two_t


def corrected_t(
    a: Any,
    b: Any,
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
    d = fold_differences(_flat(a), _flat(b))
    ratio = size_ratio(train_size, test_size, "corrected-t")
    found = corrected_on_differences(d, ratio, Sided(alternative=alternative, level=level))
    if d.shape != (5, 2) or is_constant(d):
        return found
    try:
        halves = five_by_two_t(a, b, alternative=alternative, level=level)
    except TestError:  # no variance within the five
        return found
    beside = (("5x2cv-t (not deciding)", halves.statistic or 0.0), ("5x2cv-t p (not deciding)", halves.pvalue or 0.0))
    said = f"5x2cv-t, which does not decide here, has t(5) = {halves.statistic:.2f} and p = {halves.pvalue:.3g}."
    return replace(found, details=(*found.details, *beside), notes=(*found.notes, said))


def _flat(scores: Any) -> Any:
    """N partitions of 5x2cv as one list of replications."""
    return np.reshape(scores, (-1, np.shape(scores)[-1])) if np.ndim(scores) == 3 else scores


def corrected_on_differences(d: Floats, ratio: float, asked: Sided) -> TestResult:
    """The same from differences [partition, fold] and the ratio of test to training rows."""
    units, partitions = d.size, d.shape[0]
    where = f" of {partitions} partitions" if partitions > 1 and d.shape[1] > 1 else ""
    student = plain_student(d, 1.0 / units + ratio)
    found = t_on_differences(d.ravel(), "corrected-t", "fold", asked, student)
    naive = 0.0 if is_constant(d) else plain_student(d).t()
    return replace(
        found,
        method=f"Nadeau-Bengio variance on {units} {plural('fold', units)}{where}, test/training = {ratio:.4g}",
        details=(*found.details, ("uncorrected_t", naive)),
    )
