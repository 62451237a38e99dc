"""cluster-t: a t test on rows that come in groups, with a variance made from the groups."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import TestError
from ...results.records import Alternative, TestResult
from ..arithmetic.clusters import Clusters, clusters_of
from ..arithmetic.differences import no_difference, t_interval, t_pvalue
from ..arithmetic.guarded import Floats, check_options, require_units

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
    check_options(alternative, level)
    found = clusters_of(a, b, groups, TEST)
    require_units(found.count, FEWEST, "group", TEST)
    return of_variance(found, *cr2(found), alternative=alternative, level=level)


def enough_groups(count: int, effective: float) -> bool:
    """Whether the test may be taken without being asked for."""
    return effective >= FEWEST_EFFECTIVE and effective > count / 2.0


def of_variance(
    found: Clusters, variance: float, df: float, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """The test of groups whose variance is known already."""
    nothing = bool(np.all(found.sums == 0.0))
    if variance <= 0.0 and not nothing:
        raise TestError(f"{TEST}: the difference is {found.mean:.6g} in every group, so it has no variance")
    se = math.sqrt(variance)
    t = 0.0 if nothing else found.mean / se
    wins, losses = int(np.count_nonzero(found.sums > 0)), int(np.count_nonzero(found.sums < 0))
    few = FEW.format(count=found.count, effective=found.effective)
    return TestResult(
        test=TEST,
        statistic=t,
        statistic_name="t",
        pvalue=1.0 if nothing else t_pvalue(t, df, alternative),
        df=(df,),
        alternative=alternative,
        difference=found.mean,
        interval=None if nothing else t_interval(found.mean, se, df, alternative, level),
        effect=None,
        wins=wins,
        ties=found.count - wins - losses,
        losses=losses,
        n_units=found.count,
        unit="group",
        method=f"CR2 variance of {found.count} groups; the mean is by row",
        details=(("standard_error", se), ("rows", float(found.rows)), ("effective groups", found.effective)),
        notes=(no_difference("test row"),) if nothing else (),
        unmet=() if enough_groups(found.count, found.effective) else (few,),
    )


def cr2(found: Clusters) -> tuple[float, float]:
    """The variance of the mean by row, and its degrees of freedom."""
    n, sizes = found.rows, found.sizes
    residual = found.sums - found.mean * sizes
    share = sizes / n
    variance = float(np.sum(residual**2 / (1.0 - share))) / n**2
    return variance, bell_mccaffrey(sizes)


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
