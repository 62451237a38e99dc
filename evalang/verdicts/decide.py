"""Turns a corrected p-value into a decision; the only place that says which learner is better."""

from __future__ import annotations

from ..results.records import (
    Decision,
    Interval,
    Matters,
    Posterior,
    TestResult,
)

ROUNDING = 1e-12  # 1 - 0.95 is a little more than 0.05
MEAN_RANKS = "difference of mean ranks"  # the effect of nemenyi and bonferroni-dunn
DECISIVE_PROBABILITY = 0.95  # posterior probability at which a Bayesian verdict is given (benavoli2017)


def decide(result: TestResult | None, adjusted_p: float | None, alpha: float, sign: int) -> Decision:
    """Return the decision for a pair; `sign` is +1 when higher scores are better."""
    if result is None:
        return "undecided"
    if result.posterior is not None:
        return _posterior(result, sign)
    if adjusted_p is None:
        return "undecided"
    if adjusted_p > alpha or contradicts_itself(result) or sides_differ(result) or ranks_differ(result, sign):
        return "not-settled"
    if result.test == "tost":
        return "equivalent"
    if result.statistic_name == "wins" and not result.difference and result.wins != result.losses:
        return "first-better" if result.wins > result.losses else "second-better"  # the median may be a tie
    direction = (result.difference or 0.0) * sign
    if direction > 0:
        return "first-better"
    return "second-better" if direction < 0 else "differ"


def contradicts_itself(result: TestResult) -> bool:
    """Return whether the first difference, on which 5x2cv-t rests, and the mean of all ten point to different sides:
    then nothing is decided, whatever its p."""
    first = dict(result.details).get("first_difference")
    return first is not None and first * (result.difference or 0.0) < 0


def ranks_differ(result: TestResult, sign: int) -> bool:
    """Return whether mean ranks and mean scores put different learners first: then neither is called better.

    The first of the pair has the better ranks where their difference is below 0.
    """
    if result.effect is None or result.effect.name != MEAN_RANKS:
        return False
    return result.effect.value * (result.difference or 0.0) * sign > 0.0


def sides_differ(result: TestResult) -> bool:
    """Return whether p rejects "no difference" while the test's own interval contains 0, or the other way round.

    An interval that ends exactly at 0 agrees with either decision.
    """
    interval = result.interval
    if interval is None or result.pvalue is None or result.test == "tost":
        return False
    rejects = result.pvalue <= 1.0 - interval.level + ROUNDING
    return interval.low < 0.0 < interval.high if rejects else interval.low > 0.0 or interval.high < 0.0


def _posterior(result: TestResult, sign: int) -> Decision:
    found = result.posterior
    assert found is not None
    first, second = (found.p_right, found.p_left) if sign > 0 else (found.p_left, found.p_right)
    if first >= DECISIVE_PROBABILITY:
        return "first-better"
    if second >= DECISIVE_PROBABILITY:
        return "second-better"
    return "equivalent" if found.p_rope >= DECISIVE_PROBABILITY else "not-settled"


def decide_omnibus(adjusted_p: float | None, alpha: float) -> Decision:
    """Return the decision for a test of all learners: it is a member of its family as any other."""
    if adjusted_p is None:
        return "undecided"
    return "differ" if adjusted_p <= alpha else "not-settled"


def matters(
    decision: Decision, interval: Interval | None, rope: float | None, equivalence: Interval | None = None
) -> Matters:
    """Return where a difference lies against the margin, by the one rule of equivalence.

    It is too small if the interval at 1 - 2 alpha (`equivalence`) lies inside the margin, which is the two one-sided
    tests at alpha (schuirmann1987). It matters if it is significant and the interval at 1 - alpha lies outside.
    """
    if rope is None:
        return "no-rope"
    narrow = equivalence or interval
    if narrow is None:
        return "cannot-tell"
    if -rope <= narrow.low and narrow.high <= rope:
        return "too-small"
    decided = decision in ("first-better", "second-better", "not-equivalent")
    return "matters" if decided and is_beyond(interval, rope) else "cannot-tell"


def is_beyond(interval: Interval | None, margin: float) -> bool:
    """Return whether the whole interval lies outside the margin."""
    return interval is not None and (interval.low > margin or interval.high < -margin)


def posterior_matters(posterior: Posterior, rope: float | None) -> Matters:
    """Return where a posterior lies against the region of practical equivalence."""
    if rope is None:
        return "no-rope"
    if max(posterior.p_left, posterior.p_right) >= DECISIVE_PROBABILITY:
        return "matters"
    return "too-small" if posterior.p_rope >= DECISIVE_PROBABILITY else "cannot-tell"


def select_effect_interval(result: TestResult, interval: Interval | None) -> Interval | None:
    """Return the interval that bounds the size of a difference; that of 5x2cv-t rests on its first fold alone."""
    return None if "first_difference" in dict(result.details) else interval
