"""Tests of classifiers on the same test rows, by what is right and wrong or by areas under the ROC curve.

McNemar's three forms, binomial, proportions, Cochran's Q, and delong. n01 counts the rows that only the first learner
gets wrong, n10 those that only the second gets wrong (Dietterich's layout). Rows on which both are right or both are
wrong say nothing about which is better.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import scipy

from ...errors import TestError
from ...results.records import Alternative, Effect, Interval, TestResult
from ...scores.row_values import placements
from ..arithmetic.checks import Floats, outcomes, pair, require_units, same_shape
from ..arithmetic.differences import no_difference, tie_equal, units_of
from ..arithmetic.tails import USUAL, Sided, clip, half_tail, sign_pvalue, z_interval, z_pvalue

EXACT_BELOW = 25  # disagreements; below it the chi-squared approximation is poor (fagerland2013)


def mcnemar(
    n01: int,
    n10: int,
    *,
    rows: int | None = None,
    asked: Sided = USUAL,
    correction: bool = True,
    exact_below: int = EXACT_BELOW,
) -> TestResult:
    """chi2 = (|n01 - n10| - 1)^2 / (n01 + n10), 1 df; the exact binomial form when fewer than 25 rows disagree.

    The correction is dropped when n01 = n10, as R does, so that no difference gives p = 1. "greater" means that the
    first is right more often. Without `rows` there is no difference of accuracies and no interval.

    >>> round(mcnemar(15, 35).statistic, 2)
    7.22

    References: mcnemar1947, edwards1948.
    """
    total = n01 + n10
    if total < exact_below:
        how = f"exact binomial: {total} disagreements are fewer than {exact_below}"
        return _of_disagreements("mcnemar", n01, n10, rows, asked, sign_pvalue, how)

    def approximate(n10: int, n01: int, alternative: Alternative) -> float:
        even = n01 == n10 and alternative == "two-sided"
        return 1.0 if even or not total else z_pvalue(_signed_root(n01, n10, corrected=correction), alternative)

    how = "chi-squared, continuity-corrected" if correction else "chi-squared"
    found = _of_disagreements("mcnemar", n01, n10, rows, asked, approximate, how)
    chi2 = _signed_root(n01, n10, corrected=correction) ** 2
    return replace(found, statistic=chi2, statistic_name="chi-squared", df=(1.0,))


def mcnemar_exact(n01: int, n10: int, *, rows: int | None = None, asked: Sided = USUAL) -> TestResult:
    """Twice the smaller binomial tail of n01 among n01 + n10 with one half, at most 1. Reference: mcnemar1947."""
    return _of_disagreements("mcnemar-exact", n01, n10, rows, asked, sign_pvalue, "exact binomial")


def mcnemar_midp(n01: int, n10: int, *, rows: int | None = None, asked: Sided = USUAL) -> TestResult:
    """The exact p less half the probability of the observed count in each tail. Reference: fagerland2013."""
    return _of_disagreements("mcnemar-midp", n01, n10, rows, asked, _midp, "mid-p binomial")


def binomial(n01: int, n10: int, *, rows: int | None = None, asked: Sided = USUAL) -> TestResult:
    """The binomial test of one half on the rows where exactly one learner is right; it is McNemar's exact test.

    Salzberg's example, 35 successes and 15 failures, gives 0.0066 on both sides (0.0064 is printed).

    >>> round(binomial(15, 35).pvalue, 4)
    0.0066

    Reference: salzberg1997.
    """
    how = "exact binomial, the same as mcnemar-exact"
    return _of_disagreements("binomial", n01, n10, rows, asked, sign_pvalue, how)


def _of_disagreements(
    test: str,
    n01: int,
    n10: int,
    rows: int | None,
    asked: Sided,
    pvalue: Callable[[int, int, Alternative], float],  # of wins, losses and alternative
    method: str,
) -> TestResult:
    """Return the result of a test of the two counts with the p-value that is its own."""
    n01, n10 = check_count(n01, "n01"), check_count(n10, "n10")
    total = n01 + n10
    if rows is not None and rows < total:
        raise TestError(f"the classifiers disagree on {total} rows, which is more than the {rows} test rows")
    return TestResult(
        test=test,
        statistic=float(n10),
        statistic_name="disagreements the first gets right",
        pvalue=pvalue(n10, n01, asked.alternative),
        alternative=asked.alternative,
        difference=None if rows is None else (n10 - n01) / rows if rows else 0.0,
        interval=tango_interval(n01, n10, rows, asked) if rows else None,
        effect=Effect(name="Cohen's g", value=n10 / total - 0.5 if total else 0.0),
        wins=n10,
        ties=0 if rows is None else rows - total,
        losses=n01,
        n_units=total if rows is None else rows,
        unit="disagreement" if rows is None else "test row",
        method=method,
        details=(("n01", float(n01)), ("n10", float(n10))),
        notes=() if total else (no_difference("test row"),),
    )


def check_count(value: Any, name: str) -> int:
    """Return a count as an int; a count is a whole number that is not negative."""
    if isinstance(value, bool) or not float(value).is_integer() or value < 0:
        raise TestError(f"{name} is {value}, but a count must be a whole number of at least 0")
    return int(value)


def _signed_root(n01: int, n10: int, *, corrected: bool) -> float:
    """Return the z whose square is the chi-squared statistic, positive when the first learner is right more often."""
    gap = n10 - n01
    if gap == 0:
        return 0.0  # R drops the correction here: it would be larger than the difference
    return math.copysign((abs(gap) - (1 if corrected else 0)) / math.sqrt(n01 + n10), gap)


def _midp(wins: int, losses: int, alternative: Alternative) -> float:
    total = wins + losses
    if total == 0:
        return 1.0

    def point(k: int) -> float:
        """Return P(X = k) for `total` tosses of a fair coin."""
        return half_tail(k, total) - half_tail(k - 1, total) if k else half_tail(0, total)

    if alternative == "two-sided":
        at = point(min(wins, losses))
        return 1.0 - at / 2.0 if wins == losses else sign_pvalue(wins, losses) - at
    low = losses if alternative == "greater" else wins
    return half_tail(low, total) - 0.5 * point(low)


def tango_interval(n01: int, n10: int, rows: int, asked: Sided) -> Interval:
    """Return the differences of two shares on the same rows that the score test does not reject (tango1998).

    At 0 the score is McNemar's z without correction, so its interval goes with that test and the mid-p form. The exact
    and the corrected form are more careful, and may leave open what the interval excludes. Taking the observed share of
    disagreements as given, as an interval of their split does, covers far too little when one side wins most of them.
    """
    z = float(scipy.special.ndtri(asked.quantile))
    low = -_tango_bound(n10, n01, rows, z) if asked.alternative != "less" else -math.inf
    high = _tango_bound(n01, n10, rows, z) if asked.alternative != "greater" else math.inf
    return asked.interval(low, high, "Tango's score interval")


def _tango_bound(n01: int, n10: int, rows: int, z: float) -> float:
    """Return the difference above the observed one at which the score is -z; the lower end mirrors the upper one."""
    observed = (n10 - n01) / rows
    if observed == 1.0:
        return 1.0

    def beyond(difference: float) -> float:
        return _tango_score(n01, n10, rows, difference) + z

    if beyond(1.0) >= 0.0:  # the score at 1 is minus infinity unless all rows say so
        return 1.0
    return float(scipy.optimize.brentq(beyond, observed, 1.0, xtol=1e-14))


def _tango_score(n01: int, n10: int, rows: int, difference: float) -> float:
    """Return (n10 - n01 - rows d) over its standard error under d; the nuisance share is its constrained estimate."""
    gap = n10 - n01 - rows * difference
    b = (2 * rows - n10 + n01) * difference - n10 - n01
    c = -n01 * difference * (1.0 - difference)
    share = (math.sqrt(max(b * b - 8.0 * rows * c, 0.0)) - b) / (4.0 * rows)
    variance = rows * (2.0 * share + difference * (1.0 - difference))
    if variance <= 0.0:
        return 0.0 if gap == 0.0 else math.copysign(math.inf, gap)
    return gap / math.sqrt(variance)


def proportions(n01: int, n10: int, *, both_right: int, rows: int, asked: Sided = USUAL) -> TestResult:
    """z = (p1 - p2) / sqrt(2 p (1 - p) / n), p the mean accuracy: as if the two were tested on different rows.

    They are not, so the variance is wrong: when both err on the same rows it misses real differences, and when they err
    on different rows it finds too many. Reference: dietterich1998 (section 3.2).
    """
    both_right = check_count(both_right, "both_right")
    found = _z_of_rows("proportions", n01, n10, rows, asked)
    first, second = (both_right + n10) / rows, (both_right + n01) / rows
    mean = (2 * both_right + n01 + n10) / (2 * rows)
    se = math.sqrt(2.0 * mean * (1.0 - mean) / rows)
    z = (n10 - n01) / rows / se if n01 + n10 else 0.0
    interval = z_interval((n10 - n01) / rows, se, asked, "normal, pooled standard error")
    return replace(
        found,
        statistic=z,
        pvalue=z_pvalue(z, asked.alternative) if n01 + n10 else 1.0,
        interval=clip(interval, -1.0, 1.0) if n01 + n10 else None,
        effect=Effect(name="Cohen's h", value=2.0 * (math.asin(math.sqrt(first)) - math.asin(math.sqrt(second)))),
        method="normal approximation, the two test sets taken as independent although they are the same rows",
        details=(("first", first), ("second", second), ("standard_error", se)),
    )


def corrected_proportions(n01: int, n10: int, *, rows: int, asked: Sided = USUAL) -> TestResult:
    """z = (n10 - n01) / sqrt(n01 + n10): the difference of accuracies with the variance that pairing gives it.

    Its square is McNemar's statistic without the continuity correction. The Wald standard error and interval are
    among the details. Reference: dietterich1998 (section 3.2).
    """
    return _z_of_rows("corrected-proportions", n01, n10, rows, asked)


def _z_of_rows(test: str, n01: int, n10: int, rows: int, asked: Sided) -> TestResult:
    require_units(rows, 1, "test row", test)
    method = "z of the disagreements, without continuity correction; its square is McNemar's statistic"
    found = _of_disagreements(test, n01, n10, rows, asked, lambda *_: 1.0, method)
    total, difference = n01 + n10, (n10 - n01) / rows
    z = (n10 - n01) / math.sqrt(total) if total else 0.0
    se = math.sqrt(total - (n10 - n01) ** 2 / rows) / rows
    wald = clip(z_interval(difference, se, asked), -1.0, 1.0)
    return replace(
        found,
        statistic=z,
        statistic_name="z",
        pvalue=z_pvalue(z, asked.alternative) if total else 1.0,
        details=(("wald_standard_error", se), ("wald_low", wald.low), ("wald_high", wald.high)),
    )


def cochran_q(right: Any) -> TestResult:
    """Q = (k - 1) (k sum C_j^2 - T^2) / (k T - sum R_i^2), chi-squared with k - 1 df, on right/wrong [row, learner].

    C_j counts what learner j gets right, R_i how many learners get row i right, T all of it. For two learners it is
    McNemar's statistic without correction. Reference: cochran1950.
    """
    checked = outcomes(right, "outcomes", ndim=2)
    n, k = checked.shape
    require_units(n, 1, "test row", "cochran-q")
    if k < 2:
        raise TestError(f"cochran-q compares two or more learners, but there is {k}")
    by_row = checked.sum(axis=1, dtype=np.int64)
    differ = bool(((by_row > 0) & (by_row < k)).any())
    by_learner, total = checked.sum(axis=0, dtype=np.int64), int(by_row.sum())
    between = (k - 1) * (k * int((by_learner**2).sum()) - total**2)
    q = between / (k * total - int((by_row**2).sum())) if differ else 0.0
    shared = np.where(checked, ((by_row + 1) / 2.0)[:, None], (by_row + (k - by_row + 1) / 2.0)[:, None])
    return TestResult(
        test="cochran-q",
        statistic=q,
        statistic_name="Q",
        pvalue=float(scipy.special.chdtrc(k - 1, q)),
        df=(float(k - 1),),
        effect=Effect(name="eta-squared of Q", value=q / (n * (k - 1))),
        n_units=n,
        unit="test row",
        method=f"chi-squared approximation with {k - 1} degrees of freedom",
        ranks=tuple(float(r) for r in shared.mean(axis=0)),
        notes=() if differ else ("The learners do not differ on any test row: there is nothing to test, so p = 1.",),
    )


NO_VARIANCE = 1e-24  # placements are fractions of counts: any real variance is far larger


def delong(truth: Any, first: Any, second: Any, *, asked: Sided = USUAL) -> TestResult:
    """z = (A1 - A2) / sqrt(var), var from the placements of each positive among the negatives and the other way round.

    var = S10 / m + S01 / n, with S10 and S01 the variances of the placements' differences over the m positives and the
    n negatives; tied scores count one half. Reference: delong1988.
    """
    positive = outcomes(truth, "truth")
    one, two = pair(first, second)
    same_shape(positive, one, ("truth", "first"))
    m, n = int(np.count_nonzero(positive)), int(np.count_nonzero(~positive))
    if m < 2 or n < 2:
        raise TestError(f"delong needs at least 2 positive and 2 negative test rows, but there are {m} and {n}")
    (pos1, neg1), (pos2, neg2) = placements(positive, tie_equal(one)), placements(positive, tie_equal(two))
    up, down = pos1 - pos2, neg1 - neg2
    up[np.abs(up) < 1e-12] = 0.0
    down[np.abs(down) < 1e-12] = 0.0
    variance = float(up.var(ddof=1)) / m + float(down.var(ddof=1)) / n
    difference = math.fsum(up) / m
    flat = variance <= NO_VARIANCE
    if flat and abs(difference) > 1e-12:
        raise TestError(
            f"delong: the areas differ by {difference:.6g}, but the estimated variance is 0, so z cannot be computed",
            hint="use the bootstrap or the permutation test, which do not need a variance",
        )
    se = math.sqrt(variance)
    z = 0.0 if flat else difference / se
    differences = np.concatenate([up, down])
    return TestResult(
        test="delong",
        statistic=z,
        statistic_name="z",
        pvalue=1.0 if flat else z_pvalue(z, asked.alternative),
        alternative=asked.alternative,
        difference=difference,
        interval=None if flat else clip(z_interval(difference, se, asked), -1.0, 1.0),
        effect=Effect(name="z over the root of the rows", value=z / math.sqrt(m + n)),
        **units_of(differences, "test row"),
        method=f"normal approximation, placements of {m} positives and {n} negatives",
        details=(
            ("first", float(pos1.mean())),
            ("second", float(pos2.mean())),
            ("variance_first", float(pos1.var(ddof=1)) / m + float(neg1.var(ddof=1)) / n),
            ("variance_second", float(pos2.var(ddof=1)) / m + float(neg2.var(ddof=1)) / n),
            ("covariance", _covariance(pos1, pos2) / m + _covariance(neg1, neg2) / n),
        ),
        notes=(no_difference("test row"),) if not differences.any() else (),
    )


def _covariance(x: Floats, y: Floats) -> float:
    return float(((x - x.mean()) * (y - y.mean())).sum() / (x.size - 1))
