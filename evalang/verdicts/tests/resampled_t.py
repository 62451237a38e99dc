"""resampled-t: the paired t test on repeated random training and test sets, as if they were independent."""

from __future__ import annotations

from typing import Any

from ...results.records import Alternative, TestResult
from ..arithmetic.differences import fold_differences, t_on_differences


def resampled_t(
    a: Any,
    b: Any,
    *,
    train_size: float | None = None,
    test_size: float | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TestResult:
    """t = mean(d) sqrt(n) / s on n - 1 degrees of freedom, n resamples.

    The training sets overlap and so do the test sets, so s is too small and the level is not kept; more resamples make
    it worse. Here to be warned about and to be simulated. The sizes are not used. Reference: dietterich1998.
    """
    d = fold_differences(a, b)
    return t_on_differences(d.ravel(), test="resampled-t", unit="resample", alternative=alternative, level=level)
