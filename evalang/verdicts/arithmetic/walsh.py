"""Walsh averages: the means of all pairs of differences, which the signed-rank test orders (Hodges & Lehmann 1963)."""

from __future__ import annotations

import numpy as np

from .checked import Floats

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
