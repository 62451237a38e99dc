"""The interval beside a verdict: which one it is, the estimate it lies around, and how it reads from either side."""

from __future__ import annotations

from dataclasses import replace

from ..results.test_result import Interval
from ..results.verdict import Verdict
from . import numbers


def interval_name(interval: Interval) -> str:
    """Which interval it is: its level by itself, or what it holds for together with the others of its family.

    >>> interval_name(Interval(low=0, high=1, level=0.995, method="", kind="simultaneous", members=10))
    'simultaneous interval (99.5% each, for 10 tests together)'
    """
    level = f"{100.0 * interval.level:.4g}%"
    if interval.kind == "single":
        return f"{level} interval"
    if interval.kind == "false-coverage":
        return f"false-coverage interval ({level} each, selected from {interval.members} tests)"
    return f"simultaneous interval ({level} each, for {interval.members} tests together)"


def estimate_of(verdict: Verdict) -> float | None:
    """The estimate that the verdict's interval lies around: the difference, but for 5x2cv-t the first of the ten."""
    details = dict(verdict.test.details) if verdict.test is not None else {}
    if verdict.test is not None and verdict.test.test == "5x2cv-t" and "first_difference" in details:
        return details["first_difference"]
    return verdict.difference


def own_estimate(verdict: Verdict) -> bool:
    """Whether the interval lies around another number than the difference that is printed."""
    estimate = estimate_of(verdict)
    if estimate is None or verdict.difference is None or verdict.interval is None:
        return False
    return abs(estimate - verdict.difference) >= numbers.NOISE


def around(verdict: Verdict) -> str:
    """Which number the interval lies around, where it is not the difference beside it."""
    estimate = estimate_of(verdict)
    return f" around the first difference, {numbers.signed(estimate, verdict.metric)}" if own_estimate(verdict) else ""


def turned(interval: Interval) -> Interval:
    """The same interval of the second minus the first."""
    return replace(interval, low=-interval.high, high=-interval.low)


def touches_zero(interval: Interval | None) -> bool:
    """Whether an end lies at 0: it is on neither side."""
    return interval is not None and interval.low < interval.high and 0.0 in (interval.low, interval.high)
