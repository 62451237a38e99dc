"""Wilcoxon's signed-rank test of many pairs of learners in one vectorised pass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .differences import TIE_TOLERANCE
from .guarded import Floats
from .ranks import BLOCK, Ints
from .signed_rank import EXACT_UNITS, counts_up_to, lower_tail


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SignedRanks:
    """One entry for each pair: the sum of positive ranks, the two-sided p, the rank biserial, wins and losses."""

    w_plus: Floats
    pvalue: Floats
    biserial: Floats
    wins: Ints
    losses: Ints


def signed_rank_pairs(scores: Floats, first: Ints, second: Ints) -> SignedRanks:
    """The test of `wilcoxon`, two-sided, zeros split, for every pair of columns of scores [dataset, learner]."""
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
    # With the zeros among the ranked every other rank is larger by their number; their own ranks are shared.
    used = np.where(doubled > 0, doubled + 2 * zeros[:, None], 0)
    above = plus + 2 * zeros * (n - zeros - losses)
    below = minus + 2 * zeros * losses
    return SignedRanks(
        w_plus=(above + zeros * (zeros + 1) // 2) / 2.0,
        pvalue=_pvalues(used, np.minimum(above, below), n - zeros, tied | (zeros > 0)),
        biserial=np.divide(plus - minus, total, out=np.zeros(total.size), where=total > 0),
        wins=n - zeros - losses,
        losses=losses,
    )


def _ranks_in_order(sizes: Floats, scales: Floats) -> tuple[Ints, NDArray[np.bool_]]:
    """Twice the ranks of the non-zero sizes of each sorted row (0 for zeros), and which rows have ties among them."""
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
    """Two-sided p-values; rows without ties share one table of counts for each number of non-zero differences."""
    result = np.ones(small.size)
    many = used > EXACT_UNITS
    if many.any():
        ranks = doubled[many].astype(np.float64)
        spread = np.sqrt(np.einsum("ij,ij->i", ranks, ranks) / 16.0)
        away = (2 * small[many] - ranks.sum(axis=1)) / 4.0
        result[many] = 2.0 * special.ndtr(away / spread)
    for size in np.unique(used[~many & ~tied & (used > 0)]).tolist():
        here = (used == size) & ~tied
        counts = counts_up_to(np.arange(1, size + 1), size * (size + 1) // 4)
        result[here] = np.ldexp(np.cumsum(counts)[small[here] // 2], 1 - size)
    for i in np.flatnonzero(~many & tied).tolist():
        ranks_of_row = doubled[i]
        result[i] = 2.0 * lower_tail(ranks_of_row[ranks_of_row > 0], int(small[i]))
    return np.minimum(result, 1.0)
