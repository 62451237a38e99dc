"""The null distribution of the signed-rank statistic, by counting sign assignments; ties and zeros included."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import NDArray

from ...results.records import Effect
from .checks import Floats
from .differences import TIE_TOLERANCE
from .ranks import BLOCK, Ints, doubled_ranks

EXACT_UNITS = 200  # the count takes some 15 ms there; above it the normal approximation is off by less than 0.001


def signed_ranks(d: Floats, *, keep_zeros: bool = False) -> tuple[Ints, Ints]:
    """Return twice the ranks of the sizes of the non-zero differences, and their signs.

    With `keep_zeros` the zeros take part in the ranking (Pratt 1959) and are left out afterwards.
    """
    ranked = d if keep_zeros else d[d != 0.0]
    if ranked.size == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    ranks = doubled_ranks(np.abs(ranked)[None, :])[0][0]
    used = ranked != 0.0
    return ranks[used], np.sign(ranked[used]).astype(np.int64)


def counts_up_to(ranks: Ints, limit: int) -> Floats:
    """Return how many of the 2^n sign assignments give the positive ranks a sum of 0, 1, ..., `limit`.

    Floats hold the whole numbers exactly below 2^53, which is all of the tail where it matters.
    """
    counts = np.zeros(limit + 1, dtype=np.float64)
    counts[0] = 1.0
    reach = 0
    for rank in np.sort(ranks).tolist():
        if rank > limit:
            break
        reach = min(limit, reach + rank)
        counts[rank : reach + 1] = counts[rank : reach + 1] + counts[: reach + 1 - rank]
    return counts


def _counts_to_middle(ranks: Ints) -> Floats:
    """Return the counts up to the middle of the distribution."""
    return _counts_of_sorted(np.sort(ranks).tobytes())


@lru_cache(maxsize=256)
def _counts_of_sorted(ranks: bytes) -> Floats:
    """Return the counts of sorted ranks: pairs without ties share them."""
    found = np.frombuffer(ranks, dtype=np.int64)
    return counts_up_to(found, int(found.sum()) // 2)


def lower_tail(ranks: Ints, w: int) -> float:
    """Return P(W <= w) for the sum W of the (doubled) ranks with positive sign, each sign a fair coin."""
    total = int(ranks.sum())
    if w < 0:
        return 0.0
    if w >= total:
        return 1.0
    if 2 * w > total:  # symmetric about the middle: count the short tail
        return 1.0 - lower_tail(ranks, total - w - 1)
    return math.ldexp(math.fsum(_counts_to_middle(ranks)[: w + 1]), -ranks.size)


def critical_sum(ranks: Ints, tail: float) -> int:
    """Return the largest w with P(W <= w) <= tail, -1 when even W = 0 is more likely than that."""
    cumulative = np.cumsum(_counts_to_middle(ranks))
    allowed = math.ldexp(tail, ranks.size) * (1.0 + 1e-12)  # 0.025 * 2^n may fall just short of a whole number
    return int(np.searchsorted(cumulative, allowed, side="right")) - 1


LISTED = 4  # times n: the pairs around a Walsh average are listed once so few are left
FEW = 600  # so few are listed at once


def walsh_averages(ordered: Floats, first: int, last: int) -> tuple[float, float]:
    """Return two order statistics, from 1 upwards, of all (d_i + d_j) / 2 with i <= j; `ordered` is sorted.

    >>> walsh_averages(np.array([1.0, 2.0, 6.0]), 3, 6)
    (2.0, 6.0)

    Bisection by counting the averages below a value leaves few of them to be sorted.
    """
    n = ordered.size
    places = np.arange(n)
    low, high = float(ordered[0]), float(ordered[-1])
    start, stop = places, np.full(n, n)  # of each i, the j whose averages are between `low` and `high`
    below, up_to = 0, n * (n + 1) // 2
    while up_to - below > max(LISTED * n, FEW):
        middle = low + (high - low) / 2.0
        if middle in (low, high):
            return high, high
        ascending = 2.0 * middle - ordered[::-1]  # searched for five times faster than descending values
        cut = np.maximum(np.searchsorted(ordered, ascending, side="right")[::-1], places)
        count = int((cut - places).sum())
        if count >= last:
            high, stop, up_to = middle, cut, count
        elif count < first:
            low, start, below = middle, cut, count
        else:
            return walsh_averages(ordered, first, first)[0], walsh_averages(ordered, last, last)[0]
    lengths = stop - start
    offsets = np.cumsum(lengths) - lengths
    j = np.arange(up_to - below) + np.repeat(start - offsets, lengths)
    near = np.sort(np.repeat(ordered, lengths) + ordered[j]) / 2.0
    return float(near[first - below - 1]), float(near[last - below - 1])


def pseudo_median(ordered: Floats) -> float:
    """Return the median of the Walsh averages."""
    pairs = ordered.size * (ordered.size + 1) // 2
    low, high = walsh_averages(ordered, (pairs + 1) // 2, pairs // 2 + 1)
    return (low + high) / 2.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SignedRanks:
    """One entry for each pair: the sum of positive ranks, the two-sided p, the rank biserial, wins and losses."""

    w_plus: Floats
    pvalue: Floats
    biserial: Floats
    wins: Ints
    losses: Ints


def signed_rank_pairs(scores: Floats, first: Ints, second: Ints) -> SignedRanks:
    """Return the test of `wilcoxon`, two-sided, zeros split, for every pair of columns of scores [dataset, learner]."""
    columns = np.ascontiguousarray(scores.T)
    step = max(1, BLOCK // columns.shape[1])
    blocks = [
        _block(columns[first[start : start + step]], columns[second[start : start + step]])
        for start in range(0, first.size, step)
    ]
    return SignedRanks(
        w_plus=np.concatenate([b.w_plus for b in blocks]),
        pvalue=np.concatenate([b.pvalue for b in blocks]),
        biserial=np.concatenate([b.biserial for b in blocks]),
        wins=np.concatenate([b.wins for b in blocks]),
        losses=np.concatenate([b.losses for b in blocks]),
    )


def _block(one: Floats, two: Floats) -> SignedRanks:
    d = one - two
    scale = np.maximum(np.abs(one), np.abs(two))
    sizes = np.abs(d)
    equal = sizes <= TIE_TOLERANCE * scale
    sizes[equal] = 0.0
    negative = (d < 0.0) & ~equal
    n = d.shape[1]
    order = np.argsort(sizes, axis=1)
    doubled, tied = _ranks_in_order(np.take_along_axis(sizes, order, axis=1), np.take_along_axis(scale, order, axis=1))
    zeros = np.count_nonzero(equal, axis=1)
    losses = np.count_nonzero(negative, axis=1)
    total = (n - zeros) * (n - zeros + 1)  # of the doubled ranks, ties or not
    minus = np.where(np.take_along_axis(negative, order, axis=1), doubled, 0).sum(axis=1)
    plus = total - minus
    # With zeros among the ranked every other rank is larger by their number; their own are shared, an odd one left out.
    shared = zeros - np.where(zeros < n, zeros % 2, 0)
    used = np.where(doubled > 0, doubled + 2 * shared[:, None], 0)
    above = plus + 2 * shared * (n - zeros - losses)
    below = minus + 2 * shared * losses
    return SignedRanks(
        w_plus=(above + shared * (shared + 1) // 2) / 2.0,
        pvalue=_pvalues(used, np.minimum(above, below), n - zeros, tied | (zeros > 0)),
        biserial=np.divide(plus - minus, total, out=np.zeros(total.size), where=total > 0),
        wins=n - zeros - losses,
        losses=losses,
    )


def _ranks_in_order(sizes: Floats, scales: Floats) -> tuple[Ints, NDArray[np.bool_]]:
    """Return twice the ranks of the non-zero sizes of each sorted row (0 for zeros), and which rows have ties."""
    rows, n = sizes.shape
    zeros = np.count_nonzero(sizes == 0.0, axis=1)
    first = np.ones((rows, n), dtype=np.bool_)
    first[:, 1:] = np.diff(sizes, axis=1) > TIE_TOLERANCE * np.maximum(scales[:, 1:], scales[:, :-1])
    some = np.flatnonzero((zeros > 0) & (zeros < n))
    first[some, zeros[some]] = True  # the smallest size is no tie of the zeros
    starts = np.flatnonzero(first)
    lengths = np.diff(np.append(starts, rows * n))
    ranks = np.repeat(2 * (starts % n) + lengths + 1, lengths).reshape(rows, n) - 2 * zeros[:, None]
    np.maximum(ranks, 0, out=ranks)
    ranks[np.arange(n) < zeros[:, None]] = 0
    groups = np.count_nonzero(first, axis=1)
    tied = groups < n - zeros + (zeros > 0)
    return ranks, tied


def _pvalues(doubled: Ints, small: Ints, used: Ints, tied: NDArray[np.bool_]) -> Floats:
    """Return two-sided p-values; rows without ties share one table of counts for each number of differences."""
    result = np.ones(small.size)
    many = used > EXACT_UNITS
    if many.any():
        ranks = doubled[many].astype(np.float64)
        spread = np.sqrt(np.einsum("ij,ij->i", ranks, ranks) / 16.0)
        away = (2 * small[many] - ranks.sum(axis=1)) / 4.0
        result[many] = 2.0 * scipy.special.ndtr(away / spread)
    for size in np.unique(used[~many & ~tied & (used > 0)]).tolist():
        here = (used == size) & ~tied
        counts = counts_up_to(np.arange(1, size + 1), size * (size + 1) // 4)
        result[here] = np.ldexp(np.cumsum(counts)[small[here] // 2], 1 - size)
    for i in np.flatnonzero(~many & tied).tolist():
        ranks_of_row = doubled[i]
        result[i] = 2.0 * lower_tail(ranks_of_row[ranks_of_row > 0], int(small[i]))
    return np.minimum(result, 1.0)


def rank_biserial(ranks: Ints, signs: Ints) -> Effect:
    """Return the matched-pairs rank biserial (W+ - W-) / (W+ + W-) of ranks without zeros (Kerby 2014); 0 for none."""
    total = int(ranks.sum())
    value = int((ranks * signs).sum()) / total if total else 0.0
    return Effect(name="matched-pairs rank biserial", value=value)


def superiority(wins: int, ties: int, losses: int) -> Effect:
    """Return the probability of superiority: the share of units won, a tie counts as half."""
    return Effect(name="probability of superiority", value=(wins + ties / 2.0) / (wins + ties + losses))
