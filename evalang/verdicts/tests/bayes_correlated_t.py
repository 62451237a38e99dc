"""The Bayesian correlated t-test of two learners on the folds of one dataset."""

from __future__ import annotations

import math
from typing import Any

from scipy import stats

from ...errors import TestError
from ...results.records import Interval, Posterior, TestResult
from ..arithmetic.differences import (
    fold_differences,
    is_constant,
    mean_and_variance,
    size_ratio,
    t_interval,
    wins_ties_losses,
)
from ..arithmetic.guarded import check_options, require_units


def bayes_correlated_t(
    a: Any,
    b: Any,
    *,
    rope: float = 0.0,
    train_size: float | None = None,
    test_size: float | None = None,
    rho: float | None = None,
    level: float = 0.95,
) -> TestResult:
    """The posterior of the mean difference a - b: t with n - 1 degrees of freedom about the mean over the folds.

    Its scale is sqrt((1/n + rho / (1 - rho)) s^2), with rho the correlation of folds that share training rows: the
    share of the rows that is tested (1/10 for tenfold), from the sizes unless it is given. p_left is the probability
    of a difference below -rope, p_right above rope. Under a flat prior and rope 0 it says what corrected-t says.

    References: corani2015, benavoli2017.
    """
    check_options("two-sided", level)
    check_rope(rope)
    if rho is None:
        ratio = size_ratio(train_size, test_size, "bayes-correlated-t")
        rho = ratio / (1.0 + ratio)
    if not 0.0 <= rho < 1.0:
        raise TestError(f"the correlation of the folds is {rho:g}", hint="test rows over all rows, from 0 to below 1")
    d = fold_differences(a, b).ravel()
    n = int(d.size)
    require_units(n, 2, "fold", "bayes-correlated-t")
    mean, variance = mean_and_variance(d)
    constant = is_constant(d)
    scale = math.sqrt((1.0 / n + rho / (1.0 - rho)) * variance)
    if constant:
        left, right = float(mean < -rope), float(mean > rope)
        interval = Interval(low=mean, high=mean, level=level, method="no spread at all")
    else:
        left, right = (float(stats.t.sf((s * mean + rope) / scale, n - 1)) for s in (1.0, -1.0))
        interval = t_interval(mean, scale, n - 1, "two-sided", level)
    wins, ties, losses = wins_ties_losses(d)
    return TestResult(
        test="bayes-correlated-t",
        statistic=mean,
        statistic_name="posterior mean",
        pvalue=None,
        df=(float(n - 1),),
        alternative="two-sided",
        difference=mean,
        interval=interval,
        effect=None,
        wins=wins,
        ties=ties,
        losses=losses,
        n_units=n,
        unit="fold",
        method=f"posterior t, correlation of folds {rho:.4g}, rope {rope:g}",
        posterior=Posterior(p_left=left, p_rope=max(0.0, 1.0 - left - right), p_right=right, rope=rope),
        details=(("scale", scale), ("rho", rho)),
        notes=("The difference is the same on every fold, so the posterior is that one value.",) if constant else (),
    )


def check_rope(rope: float) -> None:
    """Refuse a rope that is negative or no number."""
    if not (rope >= 0.0 and math.isfinite(rope)):
        raise TestError(f"the rope is {rope:g}", hint="0 or a positive difference that does not matter in practice")
