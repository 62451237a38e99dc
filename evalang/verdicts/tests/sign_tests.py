"""The sign test and Wilcoxon's signed-rank test of two learners over datasets, exact with ties and zeros."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np
import scipy

from ...errors import TestError
from ...results.numbers import percent
from ...results.records import Alternative, Interval, TestResult
from ..arithmetic.checks import Floats, check_options, plural, require_units
from ..arithmetic.differences import no_difference, paired_differences, units_of, wins_ties_losses
from ..arithmetic.ranks import Ints
from ..arithmetic.signed_ranks import (
    EXACT_UNITS,
    critical_sum,
    lower_tail,
    pseudo_median,
    rank_biserial,
    signed_ranks,
    superiority,
    walsh_averages,
)
from ..arithmetic.tails import one_sided, sign_pvalue, tail_level, z_pvalue


def sign(
    first: Any,
    second: Any,
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    zero_method: Literal["drop", "split"] = "drop",
) -> TestResult:
    """The exact sign test: wins of the first learner are binomial with one half among the datasets that are not tied.

    `split` gives half of the ties to each side and ignores an odd one (Demsar 2006). The difference is the median,
    with the interval of order statistics that belongs to the same binomial.

    >>> sign([5, 6, 7, 8, 9], [1, 1, 1, 1, 1]).pvalue
    0.0625

    References: demsar2006, salzberg1997.
    """
    check_options(alternative, level)
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
    interval_at = partial(_order_interval, d, alternative)
    return TestResult(
        test="sign",
        statistic=float(wins + half),
        statistic_name="wins",
        pvalue=sign_pvalue(wins + half, losses + half, alternative),
        alternative=alternative,
        difference=float(np.median(d)),
        interval=interval_at(level),
        interval_at=interval_at,
        effect=superiority(wins, ties, losses),
        method=how,
        dropped=ties - 2 * half,
        details=(("n used", float(used)),),
        notes=(no_difference("dataset"),) if wins + losses == 0 else (),
        **units_of(d, "dataset"),
    )


def _order_interval(d: Floats, alternative: Alternative, level: float) -> Interval:
    """Return the order statistics of the differences between which the median lies."""
    n = int(d.size)
    below = scipy.special.bdtr(np.arange(n // 2 + 1), n, 0.5)  # P(X <= 0), P(X <= 1), ...
    outside = int(np.searchsorted(below, 1.0 - tail_level(level, alternative), side="right")) - 1
    if outside < 0:
        note = f"order statistics: {n} {plural('dataset', n)} cannot give a {percent(level)} interval"
        return one_sided(-math.inf, math.inf, alternative, level, note)
    ordered = np.sort(d)
    note = f"differences {outside + 1} to {n - outside} in order, exact"
    return one_sided(float(ordered[outside]), float(ordered[n - 1 - outside]), alternative, level, note)


ROUNDING = 1e-12  # 1 - 0.95 is a little more than 0.05
ZeroMethod = Literal["drop", "pratt", "demsar-split"]
ZERO_METHODS: tuple[ZeroMethod, ...] = ("drop", "pratt", "demsar-split")


def wilcoxon(
    first: Any,
    second: Any,
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
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
    check_options(alternative, level)
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
        z, p, how = None, _exact_pvalue(ranks, plus, alternative), f"exact: all 2^{ranks.size} signs counted"
    else:
        z = _normal_z(
            ranks, plus, alternative, d.size if zero_method == "demsar-split" and method == "normal" else 0, correction
        )
        p, how = z_pvalue(z, alternative), _normal_words(ranks.size, method, correction)
    ordered = np.sort(d)
    interval_at = partial(_walsh_interval, ordered, ranks, plus, p, alternative)
    kept_zeros = 0 if zero_method == "drop" else d.size - ranks.size  # ranked below all others
    details = [("W-", (minus + share) / 2.0), ("n used", float(d.size if shared else ranks.size))]
    if z is not None:
        details.append(("z", z))
    return TestResult(
        test="wilcoxon",
        statistic=(plus + share) / 2.0,
        statistic_name="W+",
        pvalue=p,
        alternative=alternative,
        difference=pseudo_median(ordered),
        interval=interval_at(level),
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


def _walsh_interval(
    ordered: Floats, ranks: Ints, plus: int, p: float, alternative: Alternative, level: float
) -> Interval:
    """Return the Walsh averages that the test does not reject as the true difference, zeros included."""
    n = int(ordered.size)
    if ranks.size == 0:
        return one_sided(0.0, 0.0, alternative, level, "no difference anywhere")
    pairs = n * (n + 1) // 2
    tail = 1.0 - tail_level(level, alternative)
    if n <= EXACT_UNITS:
        # Without ties every rank is a whole number; halve the doubled ones to count Walsh averages.
        all_ranks = ranks if ranks.size == n else 2 * np.arange(1, n + 1)
        outside = critical_sum(all_ranks, tail) // 2
        kind = "exact"
    else:
        spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24.0)
        outside = math.floor(pairs / 2.0 + float(scipy.special.ndtri(tail)) * spread)
        kind = "normal"
    if outside < 0 or outside >= pairs - outside:
        note = f"Walsh averages: {n} {plural('dataset', n)} cannot give a {percent(level)} interval"
        return one_sided(-math.inf, math.inf, alternative, level, note)
    low, high = walsh_averages(ordered, outside + 1, pairs - outside)
    interval = one_sided(low, high, alternative, level, f"Walsh averages {outside + 1} to {pairs - outside}, {kind}")
    return _not_beyond(interval, p, 2 * plus - int(ranks.sum()))
