"""Tests on test rows that depend on one another: in groups (patients with many visits), or in time."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...catalogue.tests import exceeding
from ...errors import TestError
from ...results.records import Alternative, Interval, TestResult
from ..arithmetic.checks import Floats, pair, require_units
from ..arithmetic.differences import differences, no_difference, row_weights, units_of
from ..arithmetic.tails import USUAL, Sided, Student, t_interval, t_pvalue, t_result


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clusters:
    """The summed difference and the rows of each group; with weights of rows, sums of these and of their squares."""

    sums: Floats
    sizes: Floats
    squares: Floats | None = None  # None: every row counts for one

    @property
    def count(self) -> int:
        """Groups."""
        return int(self.sums.size)

    @property
    def rows(self) -> int:
        """Rows of all groups."""
        return round(float(self.sizes.sum()))

    @property
    def mean(self) -> float:
        """The mean difference by row, or by the weights of the rows."""
        return math.fsum(self.sums) / self.rows

    @property
    def effective(self) -> float:
        """As many groups of one size would say as much: n^2 / sum of n_g^2."""
        return float(self.sizes.sum() ** 2 / (self.sizes**2).sum())

    @property
    def kind_of_mean(self) -> str:
        """By row, or of folds that differ in size: then the rows have weights."""
        return "by row" if self.squares is None else "over folds"


def clusters_of(first: Any, second: Any, groups: Any, test: str, weights: Any = None) -> Clusters:
    """Return the groups of paired row values, in order of their names."""
    one, two = pair(first, second)
    names = np.asarray(groups)
    if names.shape != one.shape:
        raise TestError(f"{test}: {one.size} rows have {names.size} groups")
    _, member = np.unique(names, return_inverse=True)
    w = row_weights(weights, one.size, test)
    d = w * differences(one, two)
    sums, sizes, squares = (np.bincount(member, weights=x).astype(np.float64) for x in (d, w, w * w))
    return Clusters(sums=sums, sizes=sizes, squares=None if weights is None else squares)


CLUSTER_T, PERMUTATION = "cluster-t", "cluster-permutation"
FEWEST = 6  # groups: with five no p of the permutation test reaches .05
FEWEST_EFFECTIVE = 20.0  # groups of one size that would say as much
ENUMERATED = 18  # groups up to which all signs are listed
RESAMPLES = 9_999
METHOD = "sign changes of groups"
_TIE = 1e-9  # sums of the same values in another order differ in the last digits
FEW = (
    "the effective number of groups is {effective:.1f} ({count} groups, adjusted for their sizes); cluster-t was "
    "studied for at least 20 and more than half of the groups (use cluster-permutation, which needs fewer groups)"
)


def cluster_t(first: Any, second: Any, *, groups: Any, weights: Any = None, asked: Sided = USUAL) -> TestResult:
    """t = mean by row over the CR2 standard error, with Bell and McCaffrey's degrees of freedom.

    Of a mean CR2 divides the square of each group's summed residual by 1 - n_g/n. With groups of one size it is the
    paired t on their means. With `weights` of rows the mean is the weighted one and its residual w (d - mean). Where
    the effective number of groups, n^2 / sum n_g^2, is below 20 or not above half of them the result says so: the level
    was measured for more. References: bell2002, pustejovsky2018.
    """
    found = clusters_of(first, second, groups, CLUSTER_T, weights)
    require_units(found.count, FEWEST, "group", CLUSTER_T)
    return of_variance(found, *cr2(found), asked)


def enough_groups(count: int, effective: float) -> bool:
    """Return whether the test may be taken without being asked for."""
    return effective >= FEWEST_EFFECTIVE and effective > count / 2.0


def of_variance(found: Clusters, variance: float, df: float, asked: Sided) -> TestResult:
    """Return the test of groups whose variance is known already."""
    if variance <= 0.0 and found.sums.any():
        raise TestError(
            f"{CLUSTER_T}: the difference is {found.mean:.6g} in every group, so its variance is 0 and t "
            "cannot be computed"
        )
    student = Student(estimate=found.mean, se=math.sqrt(variance), df=df)
    result = t_result(CLUSTER_T, "group", found.sums, student, asked)
    few = FEW.format(count=found.count, effective=found.effective)
    return replace(
        result,
        method=f"CR2 variance of {found.count} groups; the mean is {found.kind_of_mean}",
        details=(*result.details, ("rows", float(found.rows)), ("effective groups", found.effective)),
        notes=(no_difference("test row"),) if result.notes else (),
        unmet=() if enough_groups(found.count, found.effective) else (few,),
    )


NOT_NARROWER = (
    "Group means vary less than the variance of their items predicts. p and interval are therefore those for new "
    "items of these groups; for new groups the uncertainty cannot be smaller."
)


def not_narrower(found: TestResult, fixed: Student, asked: Sided) -> TestResult:
    """Return the test of groups, with the p and the interval for these groups alone where these are larger.

    The larger p is at most alpha where both tests reject; the values that one of them keeps are both intervals
    together. They share their centre, so that is an interval, and decision and interval agree.
    """
    if found.interval is None or found.pvalue is None:
        return found
    pvalue = max(found.pvalue, t_pvalue(fixed.t(), fixed.df, asked.alternative))

    def widened(interval: Interval) -> Interval:
        own = t_interval(fixed.estimate, fixed.se, fixed.df, asked.at(interval.level))
        low, high = min(interval.low, own.low), max(interval.high, own.high)
        if pvalue == found.pvalue and (low, high) == (interval.low, interval.high):
            return interval
        return replace(interval, low=low, high=high, method=f"{interval.method}; these groups alone")

    def interval_at(level: float) -> Interval | None:
        interval = found.interval_at(level) if found.interval_at is not None else None
        return interval and widened(interval)

    wider = widened(found.interval)
    notes = found.notes if wider is found.interval else (*found.notes, NOT_NARROWER)
    known = interval_at if found.interval_at is not None else None
    return replace(found, pvalue=pvalue, interval=wider, interval_at=known, notes=notes)


def cr2(found: Clusters) -> tuple[float, float]:
    """Return the variance of the mean, and its degrees of freedom.

    Of a mean CR2 corrects the summed residual of each group by 1 / sqrt(1 - n_g/n). With weights its factor, too, makes
    the variance unbiased for independent rows of one variance.
    """
    residual = (found.sums - found.mean * found.sizes) / np.sqrt(_kept(found.sizes, found.squares))
    return float(residual @ residual) / found.rows**2, bell_mccaffrey(found.sizes, found.squares)


def _kept(sizes: Floats, squares: Floats | None) -> Floats:
    """Return the share of the variance of each group's summed errors that is left in its residuals.

    With sums of weights W_g and of their squares Q_g it is 1 - 2 W_g/W + (W_g/W)^2 Q/Q_g; without weights 1 - n_g/n.
    """
    share = sizes / sizes.sum()
    if squares is None:
        return np.asarray(1.0 - share, dtype=np.float64)
    return np.asarray(1.0 - 2.0 * share + share**2 * squares.sum() / squares, dtype=np.float64)


def bell_mccaffrey(sizes: Floats, squares: Floats | None = None) -> float:
    """Return the degrees of freedom of CR2 for a mean.

    With v_g = (w_g - share_g w) / sqrt(kept_g), w_g the weights of the rows of a group and 0 elsewhere, it is the
    squared trace of their Gram matrix over its sum of squares. That matrix is one of rank two, a b' + b a', but for its
    diagonal, the squares Q_g; so it need not be made.
    """
    q = sizes if squares is None else squares
    share, kept = sizes / sizes.sum(), np.sqrt(_kept(sizes, squares))
    a, b = share / kept, (share * q.sum() / 2.0 - q) / kept
    others = 2.0 * (a @ a) * (b @ b) + 2.0 * (a @ b) ** 2 - np.sum((2.0 * a * b) ** 2)
    return float(q.sum() ** 2 / (q @ q + others))


def cluster_permutation(
    first: Any, second: Any, *, groups: Any, rng: np.random.Generator, weights: Any = None, asked: Sided = USUAL
) -> TestResult:
    """The share of sign changes of the groups' summed differences whose total is at least as large.

    Under the null the two learners can be exchanged within a group, all its rows at once. All 2^G signs up to 18
    groups, else 9,999 random ones and the observed. The mean is by row, or by `weights`: large groups count for more.
    The interval holds every difference that, taken from each row, the same signs do not reject. Reference: canay2017.
    """
    found = clusters_of(first, second, groups, PERMUTATION, weights)
    require_units(found.count, FEWEST, "group", PERMUTATION)
    flips = sign_flips(found.count, rng)
    return of_flipped(found, flips @ found.sums, flips @ found.sizes, asked)


def sign_flips(count: int, rng: np.random.Generator, draws: int = RESAMPLES) -> Floats:
    """Return [sign change, group]: 1 where a group changes its sign; the first changes nothing."""
    if count <= ENUMERATED:
        return (np.arange(2**count)[:, None] >> np.arange(count) & 1).astype(np.float64)
    return np.concatenate([np.zeros((1, count)), (rng.random((draws, count)) < 0.5).astype(np.float64)])


def of_flipped(found: Clusters, flipped: Floats, sizes: Floats, asked: Sided) -> TestResult:
    """Return the test from what each sign change flips: the summed difference and the rows of its groups.

    So that all pairs of many learners share one product of matrices.
    """
    nothing = not found.sums.any()
    how = "all {:,} sign changes" if found.count <= ENUMERATED else "{:,} random sign changes"
    how = how.format(len(sizes) - (found.count > ENUMERATED))
    return TestResult(
        test=PERMUTATION,
        statistic=found.mean,
        statistic_name=f"mean difference {found.kind_of_mean}",
        pvalue=1.0 if nothing else _pvalue(found.sums, flipped, asked.alternative),
        alternative=asked.alternative,
        difference=found.mean,
        interval=None if nothing else _interval(flipped, sizes, asked),
        **units_of(found.sums, "group"),
        method=f"{how} of {found.count} groups; the mean is {found.kind_of_mean}",
        details=(("rows", float(found.rows)), ("effective groups", found.effective)),
        notes=(no_difference("test row"),) if nothing else (),
    )


def _pvalue(sums: Floats, flipped: Floats, alternative: Alternative) -> float:
    seen = float(sums.sum())
    totals = seen - 2.0 * flipped
    room = _TIE * float(np.abs(sums).sum())
    if alternative == "greater":
        return float(np.mean(totals >= seen - room))
    if alternative == "less":
        return float(np.mean(totals <= seen + room))
    return float(np.mean(np.abs(totals) >= abs(seen) - room))


def _interval(flipped: Floats, sizes: Floats, asked: Sided) -> Interval:
    """Return every difference that the one-sided tests do not reject.

    With `shift` taken from each row, a sign change has at least the observed total where the mean by row of the groups
    it flips is at most `shift`. So p is a step function of `shift`, whose steps are these means: the ends of the
    interval are two of them, and nothing has to be searched.
    """
    some = sizes > 0.0
    steps = flipped[some] / sizes[some]
    tail = (1.0 - asked.level) / (2.0 if asked.alternative == "two-sided" else 1.0)
    place = math.floor(tail * sizes.size + _TIE) - int(sizes.size - steps.size)
    if not 0 <= place < steps.size:  # so few sign changes that no difference is rejected at this level
        return asked.interval(-math.inf, math.inf, METHOD)
    ordered = np.partition(steps, sorted({place, steps.size - 1 - place}))
    low, high = float(ordered[place]), float(ordered[steps.size - 1 - place])
    return asked.interval(low, high, METHOD)


FEWEST_STAMPS = 50  # time stamps
RELATED = 0.6  # between .5, at which the level was held, and .8, at which it was not
SHARE = 0.25  # of T^(2/3), the number of cosines: .4 (lazarus2018) was wrong too often in six cells of the study


def forward_t(first: Any, second: Any, *, times: Any, weights: Any = None, asked: Sided = USUAL) -> TestResult:
    """t = mean over its long-run standard error from B cosines, with B degrees of freedom.

    Rows of one time stamp are taken together, stamps in order; the mean is by row, or by `weights` where folds differ
    in size, as in the table of scores. B is 0.25 T^(2/3): each cosine weighs the series by a wave of its own, and the
    mean of the squared weights estimates the long-run variance. References: lazarus2018, muller2007.
    """
    sums, d = by_time(first, second, times, weights, "forward-t")
    count = max(int(SHARE * d.size ** (2.0 / 3.0)), 2)
    at = (np.arange(d.size) + 0.5) / d.size
    waves = math.sqrt(2.0 / d.size) * np.cos(np.pi * np.outer(np.arange(1, count + 1), at))
    long_run = float(np.mean((waves @ d) ** 2))
    method = f"long-run variance from {count} cosines on {d.size} time stamps"
    found = _result("forward-t", (sums, d), long_run, float(count), asked)
    return replace(_related(found, d), method=method)


def _related(found: TestResult, d: Floats) -> TestResult:
    """Return the result with the correlation of neighbours, and a warning where the test was measured to fail."""
    centred = d - d.mean()
    total = float(centred @ centred)
    near = float(centred[1:] @ centred[:-1]) / total if total > 0.0 else 0.0
    above = exceeding("forward-t", "forward")
    assert above is not None
    warning = (
        f"consecutive differences correlate by {near:.2f}; in simulations with a correlation of 0.8, forward-t at the "
        f"level 5% had a type I error of up to {100 * above.rate:.1f}%"
    )
    details = (*found.details, ("autocorrelation", near))
    return replace(found, details=details, unmet=(warning,) if near > RELATED else ())


def diebold_mariano(
    first: Any, second: Any, *, times: Any, weights: Any = None, horizon: int = 1, asked: Sided = USUAL
) -> TestResult:
    """Diebold and Mariano's statistic for a horizon of h stamps, with Harvey, Leybourne and Newbold's correction.

    The long-run variance is the sum of the autocovariances up to h - 1; t with T - 1 degrees of freedom. It holds only
    where nothing beyond the horizon is related. References: diebold1995, harvey1997.
    """
    sums, d = by_time(first, second, times, weights, "diebold-mariano")
    if not 1 <= horizon <= d.size // 4:
        raise TestError(f"diebold-mariano: a horizon of {horizon} does not fit {d.size} time stamps")
    centred = d - d.mean()
    lags = [float(centred[k:] @ centred[: d.size - k]) / d.size for k in range(horizon)]
    long_run = lags[0] + 2.0 * math.fsum(lags[1:])
    n, h = d.size, horizon
    shrink = (n + 1 - 2 * h + h * (h - 1) / n) / n
    method = f"autocovariances up to {horizon - 1} on {n} time stamps, Harvey-Leybourne-Newbold"
    return replace(_result("diebold-mariano", (sums, d), long_run / shrink, n - 1.0, asked), method=method)


def by_time(first: Any, second: Any, times: Any, weights: Any, test: str) -> tuple[Floats, Floats]:
    """Return for every time stamp, in order, its summed difference and its part of the mean difference.

    Where stamps have equally many rows that is their mean. Where they have not, a mean of means would be about another
    difference than the scores: a stamp of one row would count as much as one of a hundred.
    """
    one, two = pair(first, second)
    stamps = np.asarray(times)
    if stamps.shape != one.shape:
        raise TestError(f"{test}: {one.size} rows have {stamps.size} time stamps")
    found, place = np.unique(stamps, return_inverse=True)
    require_units(found.size, FEWEST_STAMPS, "time stamp", test)
    w = row_weights(weights, one.size, test)
    d = w * differences(one, two)
    sums, sizes = (np.bincount(place, weights=x).astype(np.float64) for x in (d, w))
    mean = math.fsum(d) / d.size
    return sums, np.asarray(mean + (sums - mean * sizes) * (found.size / d.size), dtype=np.float64)


def _result(test: str, stamps: tuple[Floats, Floats], long_run: float, df: float, asked: Sided) -> TestResult:
    sums, d = stamps
    if long_run <= 1e-15 * float(np.mean(d * d)) and d.any():
        raise TestError(f"{test}: the long-run variance is 0, so t cannot be computed")
    student = Student(estimate=math.fsum(d) / d.size, se=math.sqrt(max(long_run, 0.0) / d.size), df=df)
    found = t_result(test, "time stamp", sums, student, asked)
    return replace(found, details=(*found.details, ("long_run_variance", long_run)))
