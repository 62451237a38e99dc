"""All pairs of many learners on the same items at once: what each pair's test needs comes from one product of matrices.

The residual sums of a pair's groups are those of its first learner less those of its second. So the CR2 variances of
all differences are read off the Gram matrix of the learners' own, and forty models cost little more than two. Items
without groups are groups of one: there CR2 is the variance of the paired t.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..results.records import Interval
from .arithmetic.clusters import Clusters
from .arithmetic.differences import TIE_TOLERANCE
from .arithmetic.guarded import Floats
from .tests.cluster_permutation import ENUMERATED, RESAMPLES, sign_flips
from .tests.cluster_t import bell_mccaffrey

CANCELLED = 1e-9  # of the single variances: below it their difference is computed again from the sums
DRAWN_AT_ONCE = 4_096  # sign changes, so that 100,000 of 500 groups are never in memory together
MANY_DRAWS = 99_999  # with 9,999 no p is below .0001, and 780 pairs corrected by Holm ask for .00006
MANY_PAIRS = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemPairs:
    """What the tests of all pairs are made from."""

    sums: Floats  # [learner, group]
    sizes: Floats  # items of each group
    means: Floats  # by item
    variance: Floats  # [learner, learner] of the difference of the means (CR2)
    df: float

    def clusters(self, first: int, second: int) -> Clusters:
        """The summed difference of each group; what is rounding alone is nothing."""
        one, two = self.sums[first], self.sums[second]
        sums = one - two
        sums[np.abs(sums) <= TIE_TOLERANCE * np.maximum(np.abs(one), np.abs(two))] = 0.0
        return Clusters(sums=sums, sizes=self.sizes)

    def pvalues(self) -> Floats:
        """[learner, learner]: two-sided p of the t of every pair; 1 where two are alike in every group."""
        difference = self.means[:, None] - self.means
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(difference) / np.sqrt(self.variance)
        found = 2.0 * special.stdtr(self.df, -t)
        return np.where(self.variance > 0.0, found, 1.0)


def item_pairs(scores: Floats, groups: NDArray[np.intp] | None = None) -> ItemPairs:
    """Of scores [learner, item] and the group of each item, numbered from 0."""
    if groups is None:
        sums, sizes = scores, np.ones(scores.shape[1])
    else:
        sizes = np.bincount(groups).astype(np.float64)
        order = np.argsort(groups, kind="stable")
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp)
        sums = np.add.reduceat(scores[:, order], starts, axis=1)
    n = sizes.sum()
    means = sums.sum(axis=1) / n
    residual = (sums - means[:, None] * sizes) / (n * np.sqrt(1.0 - sizes / n))
    gram = residual @ residual.T
    own = np.diag(gram)
    variance = np.maximum(own[:, None] + own - 2.0 * gram, 0.0)
    np.fill_diagonal(variance, 0.0)
    near = variance <= CANCELLED * (own[:, None] + own)
    for i, j in np.argwhere(np.triu(near, 1)):
        apart = residual[i] - residual[j]
        apart[np.abs(apart) <= TIE_TOLERANCE * (np.abs(residual[i]) + np.abs(residual[j]))] = 0.0
        variance[i, j] = variance[j, i] = float(apart @ apart)
    return ItemPairs(sums=sums, sizes=sizes, means=means, variance=variance, df=bell_mccaffrey(sizes))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Flipped:
    """What each sign change flips: the learners' sums of its groups, and their items."""

    sums: Floats  # [learner, sign change]
    sizes: Floats


def flipped(found: ItemPairs, rng: np.random.Generator, pairs: int) -> Flipped:
    """The same sign changes for all pairs, more of them where many pairs share a level."""
    both = np.vstack([found.sums, found.sizes]).T
    count = len(found.sizes)
    left = 1 if count <= ENUMERATED else RESAMPLES if pairs <= MANY_PAIRS else MANY_DRAWS
    parts: list[Floats] = []
    while left > 0:
        now = min(left, DRAWN_AT_ONCE)
        parts.append(sign_flips(count, rng, now)[bool(parts) :] @ both)
        left -= now
    whole = np.concatenate(parts).T
    return Flipped(sums=np.ascontiguousarray(whole[:-1]), sizes=np.ascontiguousarray(whole[-1]))


def of_fixed_places(parts: Sequence[Floats], shares: Floats, level: float) -> tuple[float, Interval]:
    """The weighted mean of the places' mean differences, and its interval where the places stay and their items are
    drawn anew: the variances of the places added up, t with Satterthwaite's degrees of freedom (Cochran 1977, 5.4).
    """
    means = np.array([part.mean() for part in parts])
    variances = np.array([shares[i] ** 2 * part.var(ddof=1) / part.size for i, part in enumerate(parts)])
    centre, variance = float(shares @ means), float(variances.sum())
    df = variance**2 / float(np.sum(variances**2 / np.array([part.size - 1.0 for part in parts])))
    half = float(special.stdtrit(df, (1.0 + level) / 2.0)) * variance**0.5
    method = f"t with {df:.4g} degrees of freedom, items drawn within {len(parts)} fixed places"
    return centre, Interval(low=centre - half, high=centre + half, level=level, method=method)
