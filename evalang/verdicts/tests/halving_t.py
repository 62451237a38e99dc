"""halving-t: the mean of a repeated cross-validation against the spread of cross-validations in disjoint halves."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import TestError
from ...results.records import Alternative, TestResult
from ..arithmetic.differences import TIE_TOLERANCE, Sided, Student, fold_differences, t_result
from ..arithmetic.guarded import plural, require_units

TEST = "halving-t"


def halving_t(
    a: Any, b: Any, *, halvings: int | None = None, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """t = m / sqrt(v) on M - 1 degrees of freedom: m the mean difference over the folds of all rows, M halvings.

    `a` and `b` are [partition, fold]; the last `halvings` partitions (half of them, if not given) are cross-validations
    in two halves of the rows that share none, the first half of their folds in one half and the rest in the other. With
    a_j and b_j the mean differences in the halves of halving j, v = sum((a_j - b_j)^2) / (4 M): the variance of the
    mean of a half is sum((a_j - b_j)^2) / (2 M), and all rows are two halves. No ratio is assumed, so it holds where an
    error depends on more than the size of the training set; Bengio and Grandvalet (2004) show that one cross-validation
    of all rows has no unbiased estimate of its variance. Reference: bengio2004; the study of levels has measured it.

    >>> whole, halves = [[0.8, 0.6, 0.9, 0.7]], [[0.9, 0.7, 0.6, 0.8], [0.5, 0.9, 0.9, 0.7]]
    >>> found = halving_t(whole + halves, [[0.5] * 4] * 3, halvings=2)
    >>> round(found.difference, 3), round(found.details[0][1], 4), found.df
    (0.25, 0.05, (1.0,))
    """
    asked = Sided(alternative=alternative, level=level)
    d = fold_differences(a, b)
    many = d.shape[0] // 2 if halvings is None else halvings
    require_units(many, 2, "halving", TEST)
    if d.shape[0] <= many or d.shape[1] % 2 or d.shape[1] < 4:
        raise TestError(
            f"{TEST}: {d.shape[0]} partitions of {d.shape[1]} folds are no cross-validation of all rows and {many} "
            "halvings",
            hint="use 10 halvings of 10x10cv",
        )
    whole, halves = d[:-many], d[-many:].reshape(many, 2, -1).mean(axis=2)
    gaps = halves[:, 0] - halves[:, 1]
    if d.any() and float(np.abs(gaps).max()) <= TIE_TOLERANCE * float(np.abs(d).max()):
        raise TestError(
            f"{TEST}: both halves have the same mean difference in every halving, so it has no variance and there is "
            "no t"
        )
    student = Student(
        estimate=math.fsum(whole.ravel()) / whole.size,
        se=math.sqrt(math.fsum(gaps**2) / (4.0 * many)),
        df=float(many - 1),
    )
    found = t_result(TEST, "fold", whole.ravel(), student, asked)
    return replace(
        found,
        method=f"mean over {whole.size} {plural('fold', whole.size)} of all rows, variance from {many} halvings",
        details=(*found.details, *((f"halving {j}", float(gap)) for j, gap in enumerate(gaps, 1))),
    )
