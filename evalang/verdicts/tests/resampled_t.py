"""resampled-t: the paired t test on repeated random training and test sets, as if they were independent."""

from __future__ import annotations

from typing import Any

from ...results.records import Alternative, TestResult
from ..arithmetic.differences import Sided, fold_differences, t_on_differences


def resampled_t(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """t = mean(d) sqrt(n) / s on n - 1 degrees of freedom, n resamples.

    The training sets overlap and so do the test sets, so s is too small and the level is not kept; more resamples make
    it worse. Here to be warned about and to be simulated. Reference: dietterich1998.
    """
    d = fold_differences(a, b)
    return t_on_differences(d.ravel(), "resampled-t", "resample", Sided(alternative=alternative, level=level))
