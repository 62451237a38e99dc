"""partition-t: the corrected t whose certainty is that of one pass through the rows, however often they are dealt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...errors import TestError
from ...results.records import Alternative, TestResult
from ..arithmetic.differences import Sided, fold_differences, plain_student, size_ratio, t_on_differences
from ..arithmetic.guarded import plural


def partition_t(
    a: Any,
    b: Any,
    *,
    train_size: float | None = None,
    test_size: float | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TestResult:
    """t = mean(d) / sqrt((n2/n + n2/n1) s^2), n2 of the n rows tested and n1 trained on; s^2 over all folds.

    n2/n is 1/k for k folds: dealing the same rows again makes the mean steadier and not the evidence larger. Degrees of
    freedom are those of one partition, k - 1; of resamples, which have no partition, all but one. Of a single partition
    it is the corrected t. Reference: nadeau2003; the study of levels has the measurement that asked for it.
    """
    d = fold_differences(a, b)
    ratio = size_ratio(train_size, test_size, "partition-t")
    if d.shape[1] < 2 and d.shape[0] < 2:
        raise TestError("partition-t needs at least 2 folds, and there is 1")
    per = d.shape[1] if d.shape[1] > 1 else d.shape[0]
    student = plain_student(d, ratio / (1.0 + ratio) + ratio, per - 1.0)
    found = t_on_differences(d.ravel(), "partition-t", "fold", Sided(alternative=alternative, level=level), student)
    folds = f"{d.size} {plural('fold', d.size)}"
    return replace(found, method=f"variance of one pass through the rows on {folds}, test/training = {ratio:.4g}")
