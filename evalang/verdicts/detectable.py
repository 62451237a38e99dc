"""The smallest difference that a verdict's evidence could have found, read off the interval beside it."""

from __future__ import annotations

from scipy import stats

from ..results.verdict import Verdict

POWER = 0.8  # found four times in five


def smallest_difference(verdict: Verdict) -> float | None:
    """(t at the interval's level + t at the power) times the standard error that the interval stands for.

    Known as the minimal detectable effect (Bloom 1995; Miller 2024, section 5). None without an interval.
    """
    interval, test = verdict.interval, verdict.test
    if interval is None or test is None or test.n_units < 2 or not interval.high > interval.low:
        return None
    df = test.df[0] if len(test.df) == 1 and test.df[0] > 0 else test.n_units - 1
    at_level = float(stats.t.ppf(0.5 + interval.level / 2, df))
    return (interval.high - interval.low) / 2 * (1 + float(stats.t.ppf(POWER, df)) / at_level)
