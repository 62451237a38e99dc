"""The paired t-test of two learners over datasets."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ...results.records import Alternative, TestResult
from ..arithmetic.differences import Sided, differences, one_sided, t_on_differences
from ..arithmetic.guarded import pair


def paired_t(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """Student's paired t: t = mean(d) / (sd(d) / sqrt(n)) with n - 1 degrees of freedom, d = a - b per dataset.

    >>> result = paired_t([85, 70, 85, 74, 77, 73, 75, 76], [80, 73, 85, 68, 73, 64, 75, 69])
    >>> round(result.statistic, 2), round(result.pvalue, 4)
    (2.41, 0.0467)

    References: bramer2020, demsar2006.
    """
    one, two = pair(a, b)
    d = differences(one, two)
    found = t_on_differences(d, "paired-t", "dataset", Sided(alternative=alternative, level=level))
    nothing = one_sided(0.0, 0.0, alternative, level, "no difference anywhere")
    return replace(
        found,
        interval=found.interval or nothing,
        method=f"t with {found.df[0]:g} degrees of freedom",
        details=(("standard error", found.details[0][1]), ("standard deviation", math.sqrt(found.details[1][1]))),
    )
