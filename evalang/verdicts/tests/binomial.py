"""binomial: Salzberg's name for McNemar's exact test."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...results.records import Alternative, TestResult
from .mcnemar import count, mcnemar_exact_counts


def binomial(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """The binomial test of one half on the rows where exactly one learner is right; it is McNemar's exact test.

    Salzberg's example, 35 successes and 15 failures, gives 0.0066 on both sides (0.0064 is printed).
    Reference: salzberg1997.
    """
    n01, n10, rows = count(a, b, "binomial")
    return binomial_counts(n01, n10, rows=rows, alternative=alternative, level=level)


def binomial_counts(
    n01: int,
    n10: int,
    *,
    rows: int | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TestResult:
    """The same from counts: n10 are the successes, the disagreements that the first learner gets right.

    >>> round(binomial_counts(15, 35).pvalue, 4)
    0.0066
    """
    found = mcnemar_exact_counts(n01, n10, rows=rows, alternative=alternative, level=level)
    return replace(found, test="binomial", method="exact binomial, the same as mcnemar-exact")
