"""Bayesian tests: the correlated t test on folds, the signed-rank test over datasets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy

from ...errors import TestError
from ...results.records import Interval, Posterior, TestResult
from ..arithmetic.checks import Floats, pair, require_units
from ..arithmetic.differences import (
    TIE_TOLERANCE,
    differences,
    fold_differences,
    is_constant,
    mean_and_variance,
    orientation,
    size_ratio,
    units_of,
)
from ..arithmetic.tails import USUAL, Sided, t_interval
from .sign_tests import rank_biserial, signed_ranks


def bayes_correlated_t(
    first: Any,
    second: Any,
    *,
    rope: float = 0.0,
    train_size: float | None = None,
    test_size: float | None = None,
    rho: float | None = None,
    asked: Sided = USUAL,
) -> TestResult:
    """The posterior of the mean difference: t with n - 1 degrees of freedom about the mean over the folds.

    Its scale is sqrt((1/n + rho / (1 - rho)) s^2), with rho the correlation of folds that share training rows: the
    share of the rows that is tested (1/10 for tenfold), from the sizes unless it is given. p_left is the probability
    of a difference below -rope, p_right above rope. Under a flat prior and rope 0 it says what corrected-t says.

    References: corani2015, benavoli2017.
    """
    check_rope(rope)
    if rho is None:
        ratio = size_ratio(train_size, test_size, "bayes-correlated-t")
        rho = ratio / (1.0 + ratio)
    if not 0.0 <= rho < 1.0:
        raise TestError(f"the correlation of the folds is {rho:g}", hint="test rows over all rows, from 0 to below 1")
    d = fold_differences(first, second).ravel()
    n = int(d.size)
    require_units(n, 2, "fold", "bayes-correlated-t")
    mean, variance = mean_and_variance(d)
    constant = is_constant(d)
    scale = math.sqrt((1.0 / n + rho / (1.0 - rho)) * variance)
    if constant:
        left, right = float(mean < -rope), float(mean > rope)
        interval = Interval(low=mean, high=mean, level=asked.level, method="no spread at all")
    else:
        left, right = (float(scipy.special.stdtr(n - 1, -(s * mean + rope) / scale)) for s in (1.0, -1.0))
        interval = t_interval(mean, scale, n - 1, asked)
    return TestResult(
        test="bayes-correlated-t",
        statistic=mean,
        statistic_name="posterior mean",
        pvalue=None,
        df=(float(n - 1),),
        difference=mean,
        interval=interval,
        **units_of(d, "fold"),
        method=f"posterior t, correlation of folds {rho:.4g}, rope {rope:g}",
        posterior=Posterior(p_left=left, p_rope=max(0.0, 1.0 - left - right), p_right=right, rope=rope),
        details=(("scale", scale), ("rho", rho)),
        notes=("The difference is the same on every fold, so the posterior is a single value.",) if constant else (),
    )


def check_rope(rope: float) -> None:
    """Refuse a rope that is negative or no number."""
    if not (rope >= 0.0 and math.isfinite(rope)):
        raise TestError(
            f"the equivalence margin is {rope:g}",
            hint="write 0 or a positive difference that does not matter in practice",
        )


SAMPLES = 50_000
CHUNK = 2_000_000  # weights drawn at a time


def bayes_signed_rank(
    first: Any,
    second: Any,
    *,
    rope: float = 0.0,
    asked: Sided = USUAL,
    prior: float = 0.5,
    samples: int = SAMPLES,
    rng: np.random.Generator | None = None,
) -> TestResult:
    """Dirichlet-process posterior of the signed-rank statistic, with a prior of strength `prior` on no difference.

    Each sample draws weights w ~ Dirichlet(prior, 1, ..., 1) for a zero and the differences z, and adds up
    w_i w_j over the pairs whose mean (z_i + z_j) / 2 lies below -rope, within, or above rope; the probabilities are
    the shares of samples in which each of the three is the largest. With the differences sorted once, a sample costs
    one cumulative sum instead of n^2 products.

    References: benavoli2014, benavoli2017.
    """
    check_rope(rope)
    if rng is None:
        raise TestError(
            "bayes-signed-rank draws random weights, so it needs a generator",
            hint="pass rng=numpy.random.default_rng(seed)",
        )
    if prior <= 0.0 or samples < 1:
        raise TestError("bayes-signed-rank needs a prior above 0 and at least one sample")
    one, two = pair(first, second)
    require_units(one.size, 1, "dataset", "bayes-signed-rank")
    d = differences(one, two)
    scale = float(max(np.abs(one).max(), np.abs(two).max()))
    turned = orientation(d) or 1.0  # neither the order of datasets nor of learners touches the draws
    left, right, medians = draw_posterior(turned * d, rope, scale, prior, samples, rng)
    if turned < 0.0:
        left, right, medians = right, left, -medians
    posterior = _shares(left, right, rope) if d.any() else Posterior(p_left=0.0, p_rope=1.0, p_right=0.0, rope=rope)
    tail = (1.0 - asked.level) / 2.0
    low, high = float(np.quantile(medians, tail)), -float(np.quantile(-medians, tail))
    return TestResult(
        test="bayes-signed-rank",
        statistic=float(right.mean() - left.mean()),
        statistic_name="mean weight above less below the rope",
        pvalue=None,
        difference=float(np.median(medians)),
        interval=Interval(low=low, high=high, level=asked.level, method="posterior of the median, Dirichlet weights"),
        effect=rank_biserial(*signed_ranks(d)),
        **units_of(d, "dataset"),
        method=f"Dirichlet process, {samples} samples, prior {prior:g} on no difference, rope {rope:g}",
        posterior=posterior,
        details=(("samples", float(samples)), ("prior", prior)),
        notes=() if d.any() else ("The two learners do not differ on any dataset, so the posterior is at 0.",),
    )


def _shares(left: Floats, right: Floats, rope: float) -> Posterior:
    """Return the share of samples in which each region has the most weight; a draw counts half for either side."""
    middle = 1.0 - left - right
    in_rope = (middle > left) & (middle > right)
    first = right - left
    drawn = np.abs(first) <= 1e-12
    n = left.size
    p_right = float((np.count_nonzero(~in_rope & ~drawn & (first > 0)) + np.count_nonzero(~in_rope & drawn) / 2.0) / n)
    p_rope = float(np.count_nonzero(in_rope) / n)
    return Posterior(p_left=max(0.0, 1.0 - p_rope - p_right), p_rope=p_rope, p_right=p_right, rope=rope)


def draw_posterior(
    d: Floats, rope: float, scale: float, prior: float, samples: int, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Return for each sample the weight of pairs below the rope, above it, and the median of the differences."""
    # Weights are drawn in order of size, the prior's zero first, and then carried to the sorted differences: so neither
    # the order of the datasets nor that of the two learners changes a sample.
    by_size = np.concatenate([[0.0], d[np.argsort(np.abs(d), kind="stable")]])
    order = np.argsort(by_size, kind="stable")
    z = by_size[order]
    slack = TIE_TOLERANCE * scale
    # For each i: how many j have z_i + z_j below the rope's edge for sure, and how many below or on it (on it: half).
    under, on_under = (np.searchsorted(z, -2.0 * rope - z + s, side="left") for s in (-slack, slack))
    within, on_within = (np.searchsorted(z, 2.0 * rope - z + s, side="left") for s in (-slack, slack))
    left, right, medians = np.empty(samples), np.empty(samples), np.empty(samples)
    step = max(1, CHUNK // z.size)
    for start in range(0, samples, step):
        rows = min(step, samples - start)
        weights = rng.standard_exponential((rows, z.size))
        weights[:, 0] = rng.standard_gamma(prior, rows)
        weights = weights[:, order]
        below = np.zeros((rows, z.size + 1))
        np.cumsum(weights, axis=1, out=below[:, 1:])
        total = below[:, -1:]
        weights /= total
        below /= total
        part = slice(start, start + rows)
        left[part] = np.einsum("ij,ij->i", weights, below[:, under] + below[:, on_under]) / 2.0
        right[part] = 1.0 - np.einsum("ij,ij->i", weights, below[:, within] + below[:, on_within]) / 2.0
        medians[part] = z[np.minimum((below[:, 1:] < 0.5).sum(axis=1), z.size - 1)]
    return left, right, medians
