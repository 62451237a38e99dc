"""cluster-t: a t test on rows that come in groups, with a variance made from the groups."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import TestError
from ...results.test_result import Alternative, TestResult
from ..arithmetic.checked import check_options, require_units
from ..arithmetic.clusters import Clusters, clusters_of
from ..arithmetic.differences import no_difference
from ..arithmetic.tails import t_interval, t_pvalue

TEST = "cluster-t"
FEWEST_EFFECTIVE = 20.0  # groups of one size that would say as much


def cluster_t(
    a: Any, b: Any, *, groups: Any, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """t = mean by row over the CR2 standard error, with Bell and McCaffrey's degrees of freedom.

    Of a mean CR2 divides the square of each group's summed residual by 1 - n_g/n. With groups of one size it is the
    paired t on their means. Refused where the effective number of groups, n^2 / sum n_g^2, is below 20 or not above
    half of them: there it rejects too often. References: bell2002, pustejovsky2018.
    """
    check_options(alternative, level)
    found = clusters_of(a, b, groups, TEST)
    require_units(found.count, int(FEWEST_EFFECTIVE), "group", TEST)
    if found.effective < FEWEST_EFFECTIVE or found.effective <= found.count / 2.0:
        raise TestError(
            f"{TEST} needs an effective number of groups of 20 and above half of them, and {found.count} groups count "
            f"for {found.effective:.1f}",
            hint="use cluster-permutation",
        )
    variance, df = cr2(found)
    nothing = bool(np.all(found.sums == 0.0))
    if variance <= 0.0 and not nothing:
        raise TestError(f"{TEST}: the difference is {found.mean:.6g} in every group, so it has no variance")
    se = math.sqrt(variance)
    t = 0.0 if nothing else found.mean / se
    wins, losses = int(np.count_nonzero(found.sums > 0)), int(np.count_nonzero(found.sums < 0))
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
