"""cluster-t: a t test on rows that come in groups, with a variance made from the groups."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import TestError
from ...results.records import Alternative, TestResult
from ..arithmetic.clusters import Clusters, clusters_of
from ..arithmetic.differences import Sided, Student, no_difference, t_result
from ..arithmetic.guarded import Floats, require_units

TEST = "cluster-t"
FEWEST = 6  # groups, as for the permutation test
FEWEST_EFFECTIVE = 20.0  # groups of one size that would say as much
FEW = (
    "{count} groups count for {effective:.1f} of one size; the level of cluster-t was studied for 20 or more that are "
    "above half of the groups, and cluster-permutation asks for less"
)


def cluster_t(
    a: Any, b: Any, *, groups: Any, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """t = mean by row over the CR2 standard error, with Bell and McCaffrey's degrees of freedom.

    Of a mean CR2 divides the square of each group's summed residual by 1 - n_g/n. With groups of one size it is the
    paired t on their means. Where the effective number of groups, n^2 / sum n_g^2, is below 20 or not above half of
    them the result says so: the level was measured for more. References: bell2002, pustejovsky2018.
    """
    asked = Sided(alternative=alternative, level=level)
    found = clusters_of(a, b, groups, TEST)
    require_units(found.count, FEWEST, "group", TEST)
    return of_variance(found, *cr2(found), asked)


def enough_groups(count: int, effective: float) -> bool:
    """Whether the test may be taken without being asked for."""
    return effective >= FEWEST_EFFECTIVE and effective > count / 2.0


def of_variance(found: Clusters, variance: float, df: float, asked: Sided) -> TestResult:
    """The test of groups whose variance is known already."""
    if variance <= 0.0 and found.sums.any():
        raise TestError(f"{TEST}: the difference is {found.mean:.6g} in every group, so it has no variance")
    student = Student(estimate=found.mean, se=math.sqrt(variance), df=df)
    result = t_result(TEST, "group", found.sums, student, asked)
    few = FEW.format(count=found.count, effective=found.effective)
    return replace(
        result,
        method=f"CR2 variance of {found.count} groups; the mean is by row",
        details=(*result.details, ("rows", float(found.rows)), ("effective groups", found.effective)),
        notes=(no_difference("test row"),) if result.notes else (),
        unmet=() if enough_groups(found.count, found.effective) else (few,),
    )


def cr2(found: Clusters) -> tuple[float, float]:
    """The variance of the mean by row, and its degrees of freedom.

    The sandwich is statsmodels', whose own correction is CR1: it is handed residuals that are corrected already, of a
    mean by 1 / sqrt(1 - n_g/n) in each group, and asked for none of its own. The degrees of freedom it does not have.
    """
    from statsmodels.stats.sandwich_covariance import cov_cluster  # slow to import

    residual = (found.sums - found.mean * found.sizes) / np.sqrt(1.0 - found.sizes / found.rows)
    bread = np.array([[1.0 / found.rows]])
    variance = cov_cluster((residual[:, None], bread), np.arange(found.count), use_correction=False)
    return float(variance[0, 0]), bell_mccaffrey(found.sizes)


def bell_mccaffrey(sizes: Floats) -> float:
    """The degrees of freedom of CR2 for a mean.

    With v_g = (1_g - share_g 1) / (n sqrt(1 - share_g)) it is the squared trace of their Gram matrix over its sum of
    squares. That matrix is diagonal but for n share_g share_h, so it need not be made.
    """
    n = sizes.sum()
    share = sizes / n
    weight = 1.0 / (n**2 * (1.0 - share))
    own = weight * (sizes - n * share**2)
    other = weight * n * share**2
    return float(own.sum() ** 2 / (np.sum(own**2 - other**2) + other.sum() ** 2))
