"""row-t: the paired t test on one loss per test row."""

from __future__ import annotations

from typing import Any

from ...results.test_result import Alternative, TestResult
from ..arithmetic.checked import pair
from ..arithmetic.differences import differences
from ..arithmetic.t_on_differences import t_on_differences


def row_t(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """t = mean(d) / (s_d / sqrt(n)) with n - 1 degrees of freedom, d the rows' losses of the first minus the second.

    It asks about these two classifiers, on one test set of independent rows; it knows nothing of other training sets.
    Reference: student1908.
    """
    one, two = pair(a, b)
    return t_on_differences(differences(one, two), test="row-t", unit="test row", alternative=alternative, level=level)
