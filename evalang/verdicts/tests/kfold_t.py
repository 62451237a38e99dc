"""kfold-t: the paired t test on the folds of one cross-validation, as if they were independent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...results.records import Alternative, TestResult
from ..arithmetic.differences import Sided, fold_differences, t_on_differences


def kfold_t(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """t = mean(d) sqrt(k) / s on k - 1 degrees of freedom, k folds.

    Test sets are disjoint, training sets share rows. On the folds of more than one partition it says in a note that the
    same rows are counted again. Reference: dietterich1998 (section 3.4).
    """
    d = fold_differences(a, b)
    times = d.shape[0]
    again = (f"{times} partitions test every row {times} times: kfold-t counts them as new rows.",) if times > 1 else ()
    found = t_on_differences(d.ravel(), "kfold-t", "fold", Sided(alternative=alternative, level=level))
    return replace(found, notes=(*found.notes, *again))
