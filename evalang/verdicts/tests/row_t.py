"""row-t: the paired t test on one loss per test row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scipy import stats

from ...catalogue.tests import exceeding
from ...results.records import Alternative, TestResult
from ..arithmetic.differences import Sided, differences, is_constant, t_on_differences
from ..arithmetic.guarded import pair

ENOUGH = 25  # rows for the square of the skewness, for the t of a mean (Cochran's rule)


def row_t(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """t = mean(d) / (s_d / sqrt(n)) with n - 1 degrees of freedom, d the rows' losses of the first minus the second.

    It asks about these two classifiers, on one test set of independent rows; it knows nothing of other training sets.
    Reference: student1908.
    """
    one, two = pair(a, b)
    d = differences(one, two)
    found = t_on_differences(d, "row-t", "test row", Sided(alternative=alternative, level=level))
    skew = 0.0 if is_constant(d) else float(stats.skew(d))
    if d.size >= ENOUGH * skew**2:
        return found
    above = exceeding("row-t", "holdout")
    assert above is not None
    said = (
        f"The differences of {d.size} rows are skewed ({skew:.1f}), for which they are few: at 5% row-t was wrong in "
        f"up to {100 * above.rate:.1f}% of such nulls"
    )
    return replace(found, unmet=(said,))
