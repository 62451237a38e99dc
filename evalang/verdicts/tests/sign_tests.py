"""The sign test and Wilcoxon's signed-rank test of two learners over datasets, exact with ties and zeros."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from ...catalogue.distributions import normal_quantile
from ...errors import TestError
from ...results.numbers import percent
from ...results.records import Alternative, Effect, Interval, TestResult
from ..arithmetic.checks import Floats, plural, require_units
from ..arithmetic.differences import TIE_TOLERANCE, no_difference, paired_differences, units_of, wins_ties_losses
from ..arithmetic.tails import USUAL, Sided, sign_pvalue, z_pvalue
from .rank_tests import BLOCK, Ints, doubled_ranks

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
def _shared(ranks: bytes) -> bytes:
    """Return sorted ranks as one object: pairs without ties have the same."""
    return ranks


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
INTERPOLATED = 5  # steps; then halves, which equal averages do not slow down


def walsh_averages(ordered: Floats, first: int, last: int) -> tuple[float, float]:
    """Return two order statistics, from 1 upwards, of all (d_i + d_j) / 2 with i <= j; `ordered` is sorted.

    >>> walsh_averages(np.array([1.0, 2.0, 6.0]), 3, 6)
    (2.0, 6.0)

    Counting the averages below a value narrows them down: by interpolation first, then by bisection.
    """
    n = ordered.size
    ends = math.nextafter(ordered[0], -math.inf), float(ordered[-1])  # no average is at or below the lower end
    return _between(ordered, first, last, ends, (np.arange(n), np.full(n, n)), (0, n * (n + 1) // 2))


def _between(
    ordered: Floats,
    first: int,
    last: int,
    values: tuple[float, float],
    columns: tuple[Ints, Ints],
    ranks: tuple[int, int],
) -> tuple[float, float]:
    """Return the order statistics, both among the averages between two `values`.

    `columns` are, of each i, the j where they begin and end, and `ranks` how many averages are below and up to them.
    """
    (low, high), (start, stop), (below, up_to) = values, columns, ranks
    places, step = np.arange(ordered.size), 0
    while up_to - below > max(LISTED * ordered.size, FEW):
        share = ((first + last) / 2 - below) / (up_to - below)
        middle = low + (high - low) * (0.05 + 0.9 * share)  # not at an end, so that the other end moves too
        if step >= INTERPOLATED or middle in (low, high):
            middle = low + (high - low) / 2.0
        step += 1
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
            return (
                _between(ordered, first, first, (low, middle), (start, cut), (below, count))[0],
                _between(ordered, last, last, (middle, high), (cut, stop), (count, up_to))[0],
            )
    lengths = stop - start
    offsets = np.cumsum(lengths) - lengths
    j = np.arange(up_to - below) + np.repeat(start - offsets, lengths)
    wanted = first - below - 1, last - below - 1
    near = np.partition(np.repeat(ordered, lengths) + ordered[j], wanted) / 2.0
    return float(near[wanted[0]]), float(near[wanted[1]])


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


def sign(
    first: Any, second: Any, *, asked: Sided = USUAL, zero_method: Literal["drop", "split"] = "drop"
) -> TestResult:
    """The exact sign test: wins of the first learner are binomial with one half among the datasets that are not tied.

    `split` gives half of the ties to each side and ignores an odd one (Demsar 2006). The difference is the median,
    with the interval of order statistics that belongs to the same binomial.

    >>> sign([5, 6, 7, 8, 9], [1, 1, 1, 1, 1]).pvalue
    0.0625

    References: demsar2006, salzberg1997.
    """
    if zero_method not in ("drop", "split"):
        raise TestError(f"unknown zero method '{zero_method}'", hint="one of: drop, split")
    d = paired_differences(first, second)
    require_units(d.size, 1, "dataset", "sign")
    wins, ties, losses = wins_ties_losses(d)
    half = ties // 2 if zero_method == "split" else 0
    used = wins + losses + 2 * half
    how = f"exact binomial on {used} {plural('dataset', used)}"
    if ties:
        how += f"; {ties} {plural('tie', ties)} " + ("split between both sides" if half else "dropped")

    def interval_at(level: float) -> Interval:
        return _order_interval(d, asked.at(level))

    return TestResult(
        test="sign",
        statistic=float(wins + half),
        statistic_name="wins",
        pvalue=sign_pvalue(wins + half, losses + half, asked.alternative),
        alternative=asked.alternative,
        difference=float(np.median(d)),
        interval=interval_at(asked.level),
        interval_at=interval_at,
        effect=superiority(wins, ties, losses),
        method=how,
        dropped=ties - 2 * half,
        details=(("n used", float(used)),),
        notes=(no_difference("dataset"),) if wins + losses == 0 else (),
        **units_of(d, "dataset"),
    )


def _order_interval(d: Floats, asked: Sided) -> Interval:
    """Return the order statistics of the differences between which the median lies."""
    n = int(d.size)
    below = scipy.special.bdtr(np.arange(n // 2 + 1), n, 0.5)  # P(X <= 0), P(X <= 1), ...
    outside = int(np.searchsorted(below, 1.0 - asked.quantile, side="right")) - 1
    if outside < 0:
        note = f"order statistics: {n} {plural('dataset', n)} cannot give a {percent(asked.level)} interval"
        return asked.interval(-math.inf, math.inf, note)
    ordered = np.sort(d)
    note = f"differences {outside + 1} to {n - outside} in order, exact"
    return asked.interval(float(ordered[outside]), float(ordered[n - 1 - outside]), note)


ROUNDING = 1e-12  # 1 - 0.95 is a little more than 0.05
ZeroMethod = Literal["drop", "pratt", "demsar-split"]
ZERO_METHODS: tuple[ZeroMethod, ...] = ("drop", "pratt", "demsar-split")


def wilcoxon(
    first: Any,
    second: Any,
    *,
    asked: Sided = USUAL,
    zero_method: ZeroMethod = "demsar-split",
    method: Literal["auto", "exact", "normal"] = "auto",
    correction: bool = False,
) -> TestResult:
    """Wilcoxon's signed-rank test: W+ sums the ranks of |first - second| where first is larger.

    Exact up to 200 non-zero differences (every one of the 2^n signs is equally likely, given the ranks), above it the
    normal approximation z = (W+ - mean) / sd with the tie-corrected variance sum(rank^2) / 4. The ranks of zeros are
    shared between both sides, and one of an odd number is left out (Demsar 2006); `pratt` ranks all of them and then
    drops them, `drop` leaves them out. The difference is the pseudo-median, the interval is made of the Walsh averages
    (Hodges & Lehmann 1963), both with all zeros but the odd one that Demsar leaves out; where the test rejects and ties
    or zeros would let the interval reach beyond 0, it ends there.

    >>> wilcoxon([72, 73, 74, 75, 76, 77], [71, 72, 73, 74, 75, 76]).pvalue
    0.03125

    References: wilcoxon1945, pratt1959, demsar2006.
    """
    if zero_method not in ZERO_METHODS:
        raise TestError(f"unknown zero method '{zero_method}'", hint="one of: " + ", ".join(ZERO_METHODS))
    if method not in ("auto", "exact", "normal"):
        raise TestError(f"unknown method '{method}'", hint="one of: auto, exact, normal")
    found = paired_differences(first, second)
    require_units(found.size, 1, "dataset", "wilcoxon")
    zeros = int(np.count_nonzero(found == 0.0))
    odd = zeros % 2 if zero_method == "demsar-split" and zeros < found.size else 0
    d = np.delete(found, np.flatnonzero(found == 0.0)[:odd])
    ranks, signs = signed_ranks(d, keep_zeros=zero_method != "drop")
    shared = zeros - odd if zero_method == "demsar-split" else 0
    share = shared * (shared + 1) // 2  # half of the zeros' doubled ranks
    plus = int(ranks[signs > 0].sum())
    minus = int(ranks.sum()) - plus
    exact = method == "exact" or (method == "auto" and ranks.size <= EXACT_UNITS)
    if ranks.size == 0:
        z, p, how = None, 1.0, "no difference to rank"
    elif exact:
        z, p, how = None, _exact_pvalue(ranks, plus, asked.alternative), f"exact: all 2^{ranks.size} signs counted"
    else:
        z = _normal_z(
            ranks,
            plus,
            asked.alternative,
            d.size if zero_method == "demsar-split" and method == "normal" else 0,
            correction,
        )
        p, how = z_pvalue(z, asked.alternative), _normal_words(ranks.size, method, correction)
    ordered = np.sort(d)

    # As bytes: of many pairs, arrays take twice the memory, and it is not given back.
    kept = ordered.tobytes(), _shared(np.sort(ranks).tobytes()), 2 * plus - int(ranks.sum()), p

    def interval_at(level: float) -> Interval:
        return _walsh_interval(*kept, asked.at(level))

    kept_zeros = 0 if zero_method == "drop" else d.size - ranks.size  # ranked below all others
    details = [("W-", (minus + share) / 2.0), ("n used", float(d.size if shared else ranks.size))]
    if z is not None:
        details.append(("z", z))
    return TestResult(
        test="wilcoxon",
        statistic=(plus + share) / 2.0,
        statistic_name="W+",
        pvalue=p,
        alternative=asked.alternative,
        difference=pseudo_median(ordered),
        interval=interval_at(asked.level),
        interval_at=interval_at,
        effect=rank_biserial(ranks - 2 * kept_zeros, signs),
        method=sys.intern(how + _zero_words(zeros, odd, zero_method)),
        dropped=odd if zero_method == "demsar-split" else zeros,
        details=tuple(details),
        notes=(no_difference("dataset"),) if ranks.size == 0 else (),
        **units_of(found, "dataset"),
    )


def _not_beyond(interval: Interval, p: float, ahead: int) -> Interval:
    """Return the interval, ending at 0 where the test rejects 0 and it would contain 0 all the same.

    A true difference on the other side of 0 is lost only when the test rejects 0 towards this side, which then happens
    less often than under 0 itself.
    """
    if p > 1.0 - interval.level + ROUNDING or not interval.low < 0.0 < interval.high:
        return interval
    return replace(interval, low=0.0) if ahead > 0 else replace(interval, high=0.0)


def _exact_pvalue(ranks: Ints, plus: int, alternative: Alternative) -> float:
    total = int(ranks.sum())
    if alternative == "less":
        return lower_tail(ranks, plus)
    if alternative == "greater":
        return lower_tail(ranks, total - plus)
    return min(1.0, 2.0 * lower_tail(ranks, min(plus, total - plus)))


def _normal_z(ranks: Ints, plus: int, alternative: Alternative, split: int, correction: bool) -> float:
    """Return the standardised W+; with `split` units, Demsar's variance n(n+1)(2n+1)/24 without correction for ties."""
    away = (2 * plus - int(ranks.sum())) / 4.0  # W+ minus its mean: the ranks are doubled
    variance = split * (split + 1) * (2 * split + 1) / 24.0 if split else float((ranks * ranks).sum()) / 16.0
    if correction:
        away -= {"greater": 0.5, "less": -0.5}.get(alternative, math.copysign(0.5, away) if away else 0.0)
    return away / math.sqrt(variance)


def _normal_words(n: int, method: str, correction: bool) -> str:
    why = "asked for" if method == "normal" else f"{n} non-zero differences are more than {EXACT_UNITS}"
    return f"normal approximation: {why}" + (", with continuity correction" if correction else "")


def _zero_words(zeros: int, odd: int, zero_method: ZeroMethod) -> str:
    if zeros == 0:
        return ""
    done = {"drop": "dropped", "pratt": "ranked, then dropped (Pratt)", "demsar-split": "split between both sides"}
    if odd:
        rest = f"{zeros - 1} of {zeros} zeros split between both sides and " if zeros > 1 else ""
        return f"; {rest}an odd zero left out (Demsar)"
    return f"; {zeros} {plural('zero', zeros)} {done[zero_method]}"


def _walsh_interval(differences: bytes, sorted_ranks: bytes, ahead: int, p: float, asked: Sided) -> Interval:
    """Return the Walsh averages that the test does not reject as the true difference, zeros included.

    `differences` are sorted, and `ahead` is the sum of the doubled ranks with their signs.
    """
    ordered, ranks = np.frombuffer(differences), np.frombuffer(sorted_ranks, dtype=np.int64)
    n = int(ordered.size)
    if ranks.size == 0:
        return asked.interval(0.0, 0.0, "no difference anywhere")
    pairs = n * (n + 1) // 2
    tail = 1.0 - asked.quantile
    if n <= EXACT_UNITS:
        # Without ties every rank is a whole number; halve the doubled ones to count Walsh averages.
        all_ranks = ranks if ranks.size == n else 2 * np.arange(1, n + 1)
        outside = critical_sum(all_ranks, tail) // 2
        kind = "exact"
    else:
        spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24.0)
        outside = math.floor(pairs / 2.0 + normal_quantile(tail) * spread)
        kind = "normal"
    if outside < 0 or outside >= pairs - outside:
        note = f"Walsh averages: {n} {plural('dataset', n)} cannot give a {percent(asked.level)} interval"
        return asked.interval(-math.inf, math.inf, note)
    low, high = walsh_averages(ordered, outside + 1, pairs - outside)
    interval = asked.interval(low, high, f"Walsh averages {outside + 1} to {pairs - outside}, {kind}")
    return _not_beyond(interval, p, ahead)
