"""The sign test of two learners over datasets."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from scipy import stats

from ...errors import TestError
from ...results.numbers import percent
from ...results.records import Alternative, Interval, TestResult
from ..arithmetic.differences import differences, no_difference, one_sided, sign_pvalue, tail_level, wins_ties_losses
from ..arithmetic.effect_sizes import superiority
from ..arithmetic.guarded import Floats, check_options, pair, plural, require_units


def sign(
    a: Any,
    b: Any,
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
    one, two = pair(a, b)
    require_units(one.size, 1, "dataset", "sign")
    d = differences(one, two)
    wins, ties, losses = wins_ties_losses(d)
    half = ties // 2 if zero_method == "split" else 0
    used = wins + losses + 2 * half
    how = f"exact binomial on {used} {plural('dataset', used)}"
    if ties:
        how += f"; {ties} {plural('tie', ties)} " + ("split between both sides" if half else "dropped")
    return TestResult(
        test="sign",
        statistic=float(wins + half),
        statistic_name="wins",
        pvalue=sign_pvalue(wins + half, losses + half, alternative),
        df=(),
        alternative=alternative,
        difference=float(np.median(d)),
        interval=_interval(d, alternative, level),
        effect=superiority(wins, ties, losses),
        wins=wins,
        ties=ties,
        losses=losses,
        n_units=int(d.size),
        unit="dataset",
        method=how,
        dropped=ties - 2 * half,
        details=(("n used", float(used)),),
        notes=(no_difference("dataset"),) if wins + losses == 0 else (),
    )


def _interval(d: Floats, alternative: Alternative, level: float) -> Interval:
    """The order statistics of the differences between which the median lies."""
    n = int(d.size)
    outside = int(stats.binom.ppf(1.0 - tail_level(level, alternative), n, 0.5)) - 1
    while outside + 1 <= n // 2 and stats.binom.cdf(outside + 1, n, 0.5) <= 1.0 - tail_level(level, alternative):
        outside += 1
    if outside < 0:
        note = f"order statistics: {n} {plural('dataset', n)} cannot give a {percent(level)} interval"
        return one_sided(-math.inf, math.inf, alternative, level, note)
    ordered = np.sort(d)
    note = f"differences {outside + 1} to {n - outside} in order, exact"
    return one_sided(float(ordered[outside]), float(ordered[n - 1 - outside]), alternative, level, note)
