"""The Bayesian signed-rank test of two learners over datasets."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import TestError
from ...results.records import Interval, Posterior, TestResult
from ..arithmetic.differences import TIE_TOLERANCE, differences, facing, wins_ties_losses
from ..arithmetic.effect_sizes import rank_biserial
from ..arithmetic.guarded import Floats, check_options, pair, require_units
from .bayes_correlated_t import check_rope

SAMPLES = 50_000
CHUNK = 2_000_000  # weights drawn at a time


def bayes_signed_rank(
    a: Any,
    b: Any,
    *,
    rope: float = 0.0,
    level: float = 0.95,
    prior: float = 0.5,
    samples: int = SAMPLES,
    rng: np.random.Generator | None = None,
) -> TestResult:
    """Dirichlet-process posterior of the signed-rank statistic, with a prior of strength `prior` on no difference.

    Each sample draws weights w ~ Dirichlet(prior, 1, ..., 1) for a zero and the differences z = a - b, and adds up
    w_i w_j over the pairs whose mean (z_i + z_j) / 2 lies below -rope, within, or above rope; the probabilities are
    the shares of samples in which each of the three is the largest. With the differences sorted once, a sample costs
    one cumulative sum instead of n^2 products.

    References: benavoli2014, benavoli2017.
    """
    check_options("two-sided", level)
    check_rope(rope)
    if rng is None:
        raise TestError(
            "bayes-signed-rank draws random weights, so it needs a generator",
            hint="pass rng=numpy.random.default_rng(seed)",
        )
    if prior <= 0.0 or samples < 1:
        raise TestError("bayes-signed-rank needs a prior above 0 and at least one sample")
    one, two = pair(a, b)
    require_units(one.size, 1, "dataset", "bayes-signed-rank")
    d = differences(one, two)
    scale = float(max(np.abs(one).max(), np.abs(two).max()))
    turned = facing(d) or 1.0  # neither the order of datasets nor of learners touches the draws
    left, right, medians = draw_posterior(turned * d, rope, scale, prior, samples, rng)
    if turned < 0.0:
        left, right, medians = right, left, -medians
    posterior = _shares(left, right, rope) if d.any() else Posterior(p_left=0.0, p_rope=1.0, p_right=0.0, rope=rope)
    wins, ties, losses = wins_ties_losses(d)
    tail = (1.0 - level) / 2.0
    low, high = float(np.quantile(medians, tail)), -float(np.quantile(-medians, tail))
    return TestResult(
        test="bayes-signed-rank",
        statistic=float(right.mean() - left.mean()),
        statistic_name="mean weight above less below the rope",
        pvalue=None,
        df=(),
        alternative="two-sided",
        difference=float(np.median(medians)),
        interval=Interval(low=low, high=high, level=level, method="posterior of the median, Dirichlet weights"),
        effect=rank_biserial(d),
        wins=wins,
        ties=ties,
        losses=losses,
        n_units=int(d.size),
        unit="dataset",
        method=f"Dirichlet process, {samples} samples, prior {prior:g} on no difference, rope {rope:g}",
        posterior=posterior,
        details=(("samples", float(samples)), ("prior", prior)),
        notes=() if d.any() else ("The two learners do not differ on any dataset: all belief is in no difference.",),
    )


def _shares(left: Floats, right: Floats, rope: float) -> Posterior:
    """In how many samples each of the three regions has the most weight; a draw counts half for either side."""
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
    """For each sample: the weight of pairs below the rope, above it, and the weighted median of the differences."""
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
