"""The paired t-test of two learners over datasets."""

from __future__ import annotations

import math
from typing import Any

from ...results.records import Alternative, TestResult
from ..arithmetic.differences import (
    cohen_dz,
    differences,
    is_constant,
    mean_and_variance,
    no_difference,
    one_sided,
    refuse_constant,
    t_interval,
    t_pvalue,
    wins_ties_losses,
)
from ..arithmetic.guarded import check_options, pair, require_units


def paired_t(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """Student's paired t: t = mean(d) / (sd(d) / sqrt(n)) with n - 1 degrees of freedom, d = a - b per dataset.

    >>> result = paired_t([85, 70, 85, 74, 77, 73, 75, 76], [80, 73, 85, 68, 73, 64, 75, 69])
    >>> round(result.statistic, 2), round(result.pvalue, 4)
    (2.41, 0.0467)

    References: bramer2020, demsar2006.
    """
    check_options(alternative, level)
    one, two = pair(a, b)
    require_units(one.size, 2, "dataset", "paired-t")
    d = differences(one, two)
    refuse_constant(d, "paired-t", "dataset", alternative)
    wins, ties, losses = wins_ties_losses(d)
    mean, variance = mean_and_variance(d)
    n, se = int(d.size), math.sqrt(variance / d.size)
    equal = is_constant(d)
    t = 0.0 if equal else mean / se
    return TestResult(
        test="paired-t",
        statistic=t,
        statistic_name="t",
        pvalue=1.0 if equal else t_pvalue(t, n - 1, alternative),
        df=(float(n - 1),),
        alternative=alternative,
        difference=mean,
        interval=one_sided(0.0, 0.0, alternative, level, "no difference anywhere")
        if equal
        else t_interval(mean, se, n - 1, alternative, level),
        effect=cohen_dz(d),
        wins=wins,
        ties=ties,
        losses=losses,
        n_units=n,
        unit="dataset",
        method=f"t with {n - 1} degrees of freedom",
        details=(("standard error", se), ("standard deviation", math.sqrt(variance))),
        notes=(no_difference("dataset"),) if equal else (),
    )
