"""The null distribution of the signed-rank statistic, by counting sign assignments; ties and zeros included."""

from __future__ import annotations

import math

import numpy as np

from .guarded import Floats
from .ranks import Ints, doubled_ranks

EXACT_UNITS = 200  # the count takes some 15 ms there; above it the normal approximation is off by less than 0.001


def signed_ranks(d: Floats, *, keep_zeros: bool = False) -> tuple[Ints, Ints]:
    """Twice the ranks of the sizes of the non-zero differences, and their signs.

    With `keep_zeros` the zeros take part in the ranking (Pratt 1959) and are left out afterwards.
    """
    ranked = d if keep_zeros else d[d != 0.0]
    if ranked.size == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    ranks = doubled_ranks(np.abs(ranked)[None, :])[0][0]
    used = ranked != 0.0
    return ranks[used], np.sign(ranked[used]).astype(np.int64)


def counts_up_to(ranks: Ints, limit: int) -> Floats:
    """How many of the 2^n sign assignments give the positive ranks a sum of 0, 1, ..., `limit`.

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


def lower_tail(ranks: Ints, w: int) -> float:
    """P(W <= w) for the sum W of the (doubled) ranks with positive sign, each sign a fair coin."""
    total = int(ranks.sum())
    if w < 0:
        return 0.0
    if w >= total:
        return 1.0
    if 2 * w > total:  # symmetric about the middle: count the short tail
        return 1.0 - lower_tail(ranks, total - w - 1)
    return math.ldexp(math.fsum(counts_up_to(ranks, w)), -ranks.size)


def critical_sum(ranks: Ints, tail: float) -> int:
    """The largest w with P(W <= w) <= tail, -1 when even W = 0 is more likely than that."""
    middle = int(ranks.sum()) // 2
    cumulative = np.cumsum(counts_up_to(ranks, middle))
    allowed = math.ldexp(tail, ranks.size) * (1.0 + 1e-12)  # 0.025 * 2^n may fall just short of a whole number
    return int(np.searchsorted(cumulative, allowed, side="right")) - 1


ALL_AT_ONCE = 1000  # above this many differences the pairs are counted, not listed


def walsh_averages(ordered: Floats, ranks: tuple[int, ...]) -> tuple[float, ...]:
    """The order statistics, from 1 upwards, of all (d_i + d_j) / 2 with i <= j; `ordered` is sorted.

    >>> walsh_averages(np.array([1.0, 2.0, 6.0]), (1, 3, 6))
    (1.0, 2.0, 6.0)
    """
    n = ordered.size
    if n <= ALL_AT_ONCE:
        i, j = np.triu_indices(n)
        averages = (ordered[i] + ordered[j]) / 2.0
        averages.partition(np.array(ranks) - 1)
        return tuple(float(averages[rank - 1]) for rank in ranks)
    return tuple(_by_counting(ordered, rank) for rank in ranks)


def pseudo_median(ordered: Floats) -> float:
    """The median of the Walsh averages."""
    pairs = ordered.size * (ordered.size + 1) // 2
    low, high = walsh_averages(ordered, ((pairs + 1) // 2, pairs // 2 + 1))
    return (low + high) / 2.0


def _by_counting(ordered: Floats, rank: int) -> float:
    low, high = float(ordered[0]), float(ordered[-1])
    if _count(ordered, low) >= rank:
        return low
    while True:
        middle = low + (high - low) / 2.0
        if middle <= low or middle >= high:
            return high
        if _count(ordered, middle) >= rank:
            high = middle
        else:
            low = middle


def _count(ordered: Floats, x: float) -> int:
    """How many Walsh averages are at most x."""
    ordered_pairs = int(np.searchsorted(ordered, 2.0 * x - ordered, side="right").sum())
    return (ordered_pairs + int(np.searchsorted(ordered, x, side="right"))) // 2
