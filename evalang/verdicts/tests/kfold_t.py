"""kfold-t: the paired t test on the folds of one cross-validation, as if they were independent."""

from __future__ import annotations

from typing import Any

from ...results.records import Alternative, TestResult
from ..arithmetic.differences import fold_differences, t_on_differences


def kfold_t(
    a: Any,
    b: Any,
    *,
    train_size: float | None = None,
    test_size: float | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TestResult:
    """t = mean(d) sqrt(k) / s on k - 1 degrees of freedom, k folds.

    Test sets are disjoint, training sets share rows. On the folds of more than one partition it says in a note that the
    same rows are counted again. The sizes are not used. Reference: dietterich1998 (section 3.4).
    """
    d = fold_differences(a, b)
    times = d.shape[0]
    again = (f"{times} partitions test every row {times} times: kfold-t counts them as new rows.",) if times > 1 else ()
    return t_on_differences(d.ravel(), test="kfold-t", unit="fold", alternative=alternative, level=level, notes=again)
