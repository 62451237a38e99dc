"""mcnemar, mcnemar-exact, mcnemar-midp: do two classifiers err on the same share of the test rows?

n01 counts the rows that only the first learner gets wrong, n10 those that only the second gets wrong (Dietterich's
layout). Rows on which both are right or both are wrong say nothing about which is better.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from ...errors import TestError
from ...results.records import Alternative, Effect, Interval, TestResult
from ..arithmetic.differences import half_tail, no_difference, sign_pvalue, z_pvalue
from ..arithmetic.guarded import check_options, outcome_pair, require_units
from ..arithmetic.tango import tango_interval

Form = Literal["mcnemar", "mcnemar-exact", "mcnemar-midp"]
EXACT_BELOW = 25  # disagreements; below it the chi-squared approximation is poor (fagerland2013)


def mcnemar(
    a: Any,
    b: Any,
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    correction: bool = True,
    exact_below: int = EXACT_BELOW,
) -> TestResult:
    """chi2 = (|n01 - n10| - 1)^2 / (n01 + n10), 1 df; the exact binomial form when fewer than 25 rows disagree.

    The correction is dropped when n01 = n10, as R does, so that no difference gives p = 1. `a` and `b` say right or
    wrong per row; "greater" means that the first is right more often. References: mcnemar1947, edwards1948.
    """
    n01, n10, rows = count(a, b, "mcnemar")
    return mcnemar_counts(
        n01, n10, rows=rows, alternative=alternative, level=level, correction=correction, exact_below=exact_below
    )


def mcnemar_exact(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """Twice the smaller binomial tail of n01 among n01 + n10 with one half, at most 1. Reference: mcnemar1947."""
    n01, n10, rows = count(a, b, "mcnemar-exact")
    return mcnemar_exact_counts(n01, n10, rows=rows, alternative=alternative, level=level)


def mcnemar_midp(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """The exact p less half the probability of the observed count in each tail. Reference: fagerland2013."""
    n01, n10, rows = count(a, b, "mcnemar-midp")
    return mcnemar_midp_counts(n01, n10, rows=rows, alternative=alternative, level=level)


def mcnemar_counts(
    n01: int,
    n10: int,
    *,
    rows: int | None = None,
    form: Form = "mcnemar",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    correction: bool = True,
    exact_below: int = EXACT_BELOW,
) -> TestResult:
    """The same from the two counts; without `rows` there is no difference of accuracies and no interval.

    >>> round(mcnemar_counts(15, 35).statistic, 2)
    7.22
    """
    check_options(alternative, level)
    n01, n10 = check_count(n01, "n01"), check_count(n10, "n10")
    total = n01 + n10
    if rows is not None and rows < total:
        raise TestError(f"{total} rows disagree, which is more than the {rows} test rows")
    how = _way(form, total, correction, exact_below)
    z = _signed_root(n01, n10, corrected=how != "chi-squared")
    if how == "exact":
        p = sign_pvalue(n10, n01, alternative)
    elif how == "mid-p":
        p = _midp(n10, n01, alternative)
    else:
        p = z_pvalue(z, alternative) if total else 1.0
    chi = how.startswith("chi-squared")
    return TestResult(
        test=form,
        statistic=z * z if chi else float(n10),
        statistic_name="chi-squared" if chi else "disagreements the first gets right",
        pvalue=1.0 if total == 0 or (n01 == n10 and alternative == "two-sided" and chi) else p,
        df=(1.0,) if chi else (),
        alternative=alternative,
        difference=None if rows is None else (n10 - n01) / rows if rows else 0.0,
        interval=accuracy_interval(n01, n10, rows, alternative, level),
        effect=Effect(name="Cohen's g", value=n10 / total - 0.5 if total else 0.0),
        wins=n10,
        ties=0 if rows is None else rows - total,
        losses=n01,
        n_units=total if rows is None else rows,
        unit="disagreement" if rows is None else "test row",
        method=_method(form, how, total, exact_below),
        details=(("n01", float(n01)), ("n10", float(n10))),
        notes=() if total else (no_difference("test row"),),
    )


def mcnemar_exact_counts(
    n01: int, n10: int, *, rows: int | None = None, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """mcnemar-exact from the two counts."""
    return mcnemar_counts(n01, n10, rows=rows, form="mcnemar-exact", alternative=alternative, level=level)


def mcnemar_midp_counts(
    n01: int, n10: int, *, rows: int | None = None, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """mcnemar-midp from the two counts."""
    return mcnemar_counts(n01, n10, rows=rows, form="mcnemar-midp", alternative=alternative, level=level)


def count(a: Any, b: Any, test: str) -> tuple[int, int, int]:
    """(n01, n10, rows) from right or wrong per row."""
    one, two = outcome_pair(a, b)
    require_units(one.size, 1, "test row", test)
    right_one, right_two, both = (int(np.count_nonzero(x)) for x in (one, two, one & two))
    return right_two - both, right_one - both, int(one.size)


def check_count(value: Any, name: str) -> int:
    """A count is a whole number that is not negative."""
    if isinstance(value, bool) or not float(value).is_integer() or value < 0:
        raise TestError(f"{name} is {value}, and a count is a whole number from 0 up")
    return int(value)


def accuracy_interval(n01: int, n10: int, rows: int | None, alternative: Alternative, level: float) -> Interval | None:
    """The interval of the accuracy difference; from the two counts alone there is none.

    One interval for every form: it goes with the mid-p and the uncorrected form. The exact and the corrected form are
    more careful, and may leave open what the interval excludes.
    """
    return tango_interval(n01, n10, rows, alternative, level) if rows else None


def _way(form: Form, total: int, correction: bool, exact_below: int) -> str:
    if form == "mcnemar-exact" or (form == "mcnemar" and total < exact_below):
        return "exact"
    if form == "mcnemar-midp":
        return "mid-p"
    return "chi-squared, continuity-corrected" if correction else "chi-squared"


def _method(form: Form, how: str, total: int, exact_below: int) -> str:
    if form == "mcnemar" and how == "exact":
        return f"exact binomial: {total} disagreements are fewer than {exact_below}"
    return {"exact": "exact binomial", "mid-p": "mid-p binomial"}.get(how, how)


def _signed_root(n01: int, n10: int, *, corrected: bool) -> float:
    """The z whose square is the chi-squared statistic, positive when the first learner is right more often."""
    total, gap = n01 + n10, n10 - n01
    if total == 0 or gap == 0:
        return 0.0  # R drops the correction here: it would be larger than the difference
    return math.copysign((abs(gap) - (1 if corrected else 0)) / math.sqrt(total), gap)


def _point(k: int, n: int) -> float:
    """P(X = k) for n tosses of a fair coin."""
    return half_tail(k, n) - half_tail(k - 1, n) if k else half_tail(0, n)


def _midp(wins: int, losses: int, alternative: Alternative) -> float:
    total = wins + losses
    if total == 0:
        return 1.0
    if alternative == "two-sided":
        point = _point(min(wins, losses), total)
        return 1.0 - point / 2.0 if wins == losses else sign_pvalue(wins, losses) - point
    low = losses if alternative == "greater" else wins
    return half_tail(low, total) - 0.5 * _point(low, total)
