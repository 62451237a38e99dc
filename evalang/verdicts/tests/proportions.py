"""proportions and corrected-proportions: z tests for the difference of two accuracies on one test set."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...results.records import Alternative, Effect, Interval, TestResult
from ..arithmetic.differences import clip, no_difference, z_interval, z_pvalue
from ..arithmetic.guarded import check_options, outcome_pair, require_units
from .mcnemar import accuracy_interval, check_count, count


def proportions(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """z = (p1 - p2) / sqrt(2 p (1 - p) / n), p the mean accuracy: as if the two were tested on different rows.

    They are not, so the variance is wrong: when both err on the same rows it misses real differences, and when they err
    on different rows it finds too many. Reference: dietterich1998 (section 3.2).
    """
    one, two = outcome_pair(a, b)
    n01, n10, rows = count(one, two, "proportions")
    both = int(np.count_nonzero(one & two))
    return proportions_counts(n01, n10, both_right=both, rows=rows, alternative=alternative, level=level)


def proportions_counts(
    n01: int, n10: int, *, both_right: int, rows: int, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """The same from the cells of the two-by-two table."""
    check_options(alternative, level)
    n01, n10, both_right = check_count(n01, "n01"), check_count(n10, "n10"), check_count(both_right, "both_right")
    require_units(rows, 1, "test row", "proportions")
    first, second = (both_right + n10) / rows, (both_right + n01) / rows
    mean = (2 * both_right + n01 + n10) / (2 * rows)
    se = math.sqrt(2.0 * mean * (1.0 - mean) / rows)
    z, p = _ztest(both_right + n10, both_right + n01, rows, alternative) if n01 + n10 else (0.0, 1.0)
    return TestResult(
        test="proportions",
        statistic=z,
        statistic_name="z",
        pvalue=p,
        df=(),
        alternative=alternative,
        difference=(n10 - n01) / rows,
        interval=_within(z_interval((n10 - n01) / rows, se, alternative, level, "normal, pooled standard error"))
        if n01 + n10
        else None,
        effect=Effect(name="Cohen's h", value=2.0 * (math.asin(math.sqrt(first)) - math.asin(math.sqrt(second)))),
        wins=n10,
        ties=rows - n01 - n10,
        losses=n01,
        n_units=rows,
        unit="test row",
        method="normal approximation, the two test sets taken as independent although they are the same rows",
        details=(("first", first), ("second", second), ("standard_error", se)),
        notes=() if n01 + n10 else (no_difference("test row"),),
    )


def _ztest(first: int, second: int, rows: int, alternative: Alternative) -> tuple[float, float]:
    """z and p by statsmodels, which is never asked about learners that agree on every row (0 / 0)."""
    from statsmodels.stats.proportion import proportions_ztest  # slow to import

    side = {"greater": "larger", "less": "smaller"}.get(alternative, alternative)
    z, p = proportions_ztest([first, second], [rows, rows], alternative=side)
    return float(z), float(p)


def corrected_proportions(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """z = (n10 - n01) / sqrt(n01 + n10): the difference of accuracies with the variance that pairing gives it.

    Its square is McNemar's statistic without the continuity correction. The Wald standard error and interval are
    among the details. Reference: dietterich1998 (section 3.2).
    """
    n01, n10, rows = count(a, b, "corrected-proportions")
    return corrected_proportions_counts(n01, n10, rows=rows, alternative=alternative, level=level)


def corrected_proportions_counts(
    n01: int, n10: int, *, rows: int, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """The same from counts."""
    check_options(alternative, level)
    n01, n10 = check_count(n01, "n01"), check_count(n10, "n10")
    require_units(rows, 1, "test row", "corrected-proportions")
    total = n01 + n10
    z = (n10 - n01) / math.sqrt(total) if total else 0.0
    difference = (n10 - n01) / rows
    se = math.sqrt(total - (n10 - n01) ** 2 / rows) / rows
    wald = _within(z_interval(difference, se, alternative, level))
    return TestResult(
        test="corrected-proportions",
        statistic=z,
        statistic_name="z",
        pvalue=1.0 if total == 0 else z_pvalue(z, alternative),
        df=(),
        alternative=alternative,
        difference=difference,
        interval=accuracy_interval(n01, n10, rows, alternative, level),
        effect=Effect(name="Cohen's g", value=n10 / total - 0.5 if total else 0.0),
        wins=n10,
        ties=rows - total,
        losses=n01,
        n_units=rows,
        unit="test row",
        method="z of the disagreements, without continuity correction; its square is McNemar's statistic",
        details=(("wald_standard_error", se), ("wald_low", wald.low), ("wald_high", wald.high)),
        notes=() if total else (no_difference("test row"),),
    )


def _within(interval: Interval) -> Interval:
    return clip(interval, -1.0, 1.0)
