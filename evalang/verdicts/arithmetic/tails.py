"""From a statistic to its p-value and its interval: the binomial with one half, the normal and the t distribution."""

from __future__ import annotations

import math

from scipy import special

from ...results.test_result import Alternative, Interval

WHOLE_UP_TO = 1_000  # tosses; beyond it 2**n leaves the range of floating-point numbers


def sign_pvalue(wins: int, losses: int, alternative: Alternative = "two-sided") -> float:
    """The exact sign test: binomial with one half, ties left out; 1 when there are only ties.

    Two-sided is twice the smaller tail, at most 1. Also McNemar's exact test, with wins = n10 and losses = n01.
    """
    n = wins + losses
    if n == 0:
        return 1.0
    if alternative == "greater":
        return half_tail(losses, n)
    if alternative == "less":
        return half_tail(wins, n)
    return min(1.0, 2.0 * half_tail(min(wins, losses), n))


def half_tail(k: int, n: int) -> float:
    """P(X <= k) for n tosses of a fair coin, in whole numbers as long as they are quick: rounded once only.

    >>> half_tail(1, 4)
    0.3125
    """
    if n > WHOLE_UP_TO:
        return min(1.0, float(special.bdtr(k, n, 0.5)))
    return float(sum(math.comb(n, i) for i in range(k + 1)) / 2**n)


def t_pvalue(t: float, df: float, alternative: Alternative = "two-sided") -> float:
    """The p-value of a t statistic; by scipy.special, which imports faster than scipy.stats."""
    if alternative == "greater":
        return float(special.stdtr(df, -t))
    if alternative == "less":
        return float(special.stdtr(df, t))
    return float(min(1.0, 2.0 * special.stdtr(df, -abs(t))))


def z_pvalue(z: float, alternative: Alternative = "two-sided") -> float:
    """The p-value of a standard normal statistic."""
    if alternative == "greater":
        return float(special.ndtr(-z))
    if alternative == "less":
        return float(special.ndtr(z))
    return float(min(1.0, 2.0 * special.ndtr(-abs(z))))


def tail_level(level: float, alternative: Alternative) -> float:
    """The quantile an interval at `level` needs: one tail for a one-sided test, else both."""
    return level if alternative != "two-sided" else (1.0 + level) / 2.0


def t_interval(mean: float, se: float, df: float, alternative: Alternative, level: float) -> Interval:
    """mean +- t * se; a one-sided test has a one-sided interval, its other end infinite."""
    half = float(special.stdtrit(df, tail_level(level, alternative))) * se
    return one_sided(mean - half, mean + half, alternative, level, f"t with {df:g} degrees of freedom")


def z_interval(mean: float, se: float, alternative: Alternative, level: float, method: str = "normal") -> Interval:
    """mean +- z * se, as `t_interval`."""
    half = float(special.ndtri(tail_level(level, alternative))) * se
    return one_sided(mean - half, mean + half, alternative, level, method)


def one_sided(low: float, high: float, alternative: Alternative, level: float, method: str) -> Interval:
    """Open the side that a one-sided alternative leaves open."""
    low = -math.inf if alternative == "less" else low
    high = math.inf if alternative == "greater" else high
    return Interval(low=low, high=high, level=level, method=method)


def clip(interval: Interval, low: float, high: float) -> Interval:
    """The interval within the range of what it is about, e.g. -1 to 1 for a difference of accuracies."""
    return Interval(
        low=max(interval.low, low), high=min(interval.high, high), level=interval.level, method=interval.method
    )
