"""Tests of many learners over datasets: Friedman, Iman-Davenport, Nemenyi and Bonferroni-Dunn on ranks, and anova."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from ...errors import TestError
from ...results.numbers import p_is
from ...results.records import Effect, PostHoc, TestResult
from ..arithmetic.checks import Floats, numbers, require_units
from ..arithmetic.differences import TIE_TOLERANCE
from ..arithmetic.tails import USUAL, Sided

Ints = NDArray[np.int64]

BLOCK = 500_000  # cells ranked at a time, so that a large table needs little more memory than itself


def table(scores: Any, *, test: str) -> Floats:
    """Return the scores [dataset, learner] as checked numbers; an error names the cell or what is too few."""
    checked = numbers(scores, "scores", ndim=2)
    n, k = checked.shape
    require_units(n, 2, "dataset", test)
    if k < 2:
        raise TestError(f"{test} needs at least 2 learners, but there is {k}")
    return checked


def doubled_ranks(values: Floats, *, descending: bool = False) -> tuple[Ints, int]:
    """Return twice the average ranks along each row (so whole numbers), and the sum of t^3 - t over all groups of ties.

    >>> doubled_ranks(np.array([[0.9, 0.1 + 0.2, 0.3]]), descending=True)
    (array([[2, 5, 5]]), 6)
    """
    n, k = values.shape
    ranks = np.empty((n, k), dtype=np.int64)
    ties = 0
    step = max(1, BLOCK // k)
    for start in range(0, n, step):
        block = values[start : start + step]
        ranks[start : start + step], tied = _block(-block if descending else block)
        ties += tied
    return ranks, ties


def _block(keyed: Floats) -> tuple[Ints, int]:
    n, k = keyed.shape
    order = np.argsort(keyed, axis=1)
    ordered = np.take_along_axis(keyed, order, axis=1)
    sizes = np.abs(ordered)
    first = np.ones((n, k), dtype=np.bool_)
    first[:, 1:] = np.diff(ordered, axis=1) > TIE_TOLERANCE * np.maximum(sizes[:, 1:], sizes[:, :-1])
    starts = np.flatnonzero(first)  # a new row always starts a new group
    lengths = np.diff(np.append(starts, n * k))
    # The ranks of a group that starts at s (from 0, within its row) and has t members average s + (t + 1) / 2.
    in_order = np.repeat(2 * (starts % k) + lengths + 1, lengths).reshape(n, k)
    ranks = np.empty((n, k), dtype=np.int64)
    np.put_along_axis(ranks, order, in_order, axis=1)
    tied = lengths[lengths > 1].astype(np.int64)
    return ranks, int(np.sum(tied**3 - tied))


FEW = 2_000  # distinct values: so many are integrated, in 20 ms; above, a cubic through a grid in log sf
GRID = 500  # points; off by less than 1e-6 (relative) even when the grid has to reach q = 60
STEP = 0.08  # of the trapezoidal rule; halving it changes nothing above 1e-12 for k from 2 to 5000
UNDERFLOW = 60.0  # beyond it the probability is below the smallest float


def range_sf(q: Floats, k: int) -> Floats:
    """Return P(range of k standard normals > q), all values in one pass.

    SciPy's studentized_range.sf takes 0.1 ms a value and ends at 0 or 1e-16 (1.2e-24 is right for q = 15, k = 10).
    With z the largest: k times the integral of phi(z) Phi(z)^(k-1) [1 - (1 - Phi(z-q) / Phi(z))^(k-1)], in which every
    term is positive, so that nothing cancels.
    """
    values, inverse = np.unique(np.clip(q, 0.0, UNDERFLOW), return_inverse=True)
    if values.size <= FEW:
        found = np.exp(_log_range_sf(values, k))
    else:
        # sqrt keeps the grid dense near 0, where log sf is flat and then bends.
        grid = np.linspace(0.0, math.sqrt(float(values[-1])), GRID)
        found = np.exp(scipy.interpolate.CubicSpline(grid, _log_range_sf(grid**2, k))(np.sqrt(values)))
    p = np.clip(found, math.ulp(0.0), 1.0)
    p[values == 0.0] = 1.0
    return np.asarray(p[inverse].reshape(np.shape(q)), dtype=np.float64)


def _log_range_sf(q: Floats, k: int) -> Floats:
    result = np.empty(q.shape)
    for start in range(0, q.size, 200):  # blocks keep the table of integrand values small
        block = q[start : start + 200]
        z = np.arange(-10.0, float(block.max()) / 2.0 + 12.0, STEP)
        log_phi = -0.5 * z * z - 0.5 * math.log(2.0 * math.pi)
        log_cdf = scipy.special.log_ndtr(z)
        ratio = np.exp(np.minimum(scipy.special.log_ndtr(z - block[:, None]) - log_cdf, 0.0))
        with np.errstate(divide="ignore"):
            some_below = -np.expm1((k - 1) * np.log1p(-ratio))
            log_terms = log_phi + (k - 1) * log_cdf + np.log(some_below)
        result[start : start + 200] = scipy.special.logsumexp(log_terms, axis=1)
    return np.minimum(result + math.log(k * STEP), 0.0)


ALL_TIED = "All learners tie on every dataset: there is nothing to test, so p = 1."


@dataclass(frozen=True, slots=True, kw_only=True)
class RankTable:
    """What the rank tests share: twice the ranks [dataset, learner], and the tests' sums as whole numbers."""

    doubled: Ints
    n: int
    k: int
    means: tuple[float, ...]
    between: int  # sum over learners of (twice the rank sum - twice its expectation)^2
    ties: int  # sum of t^3 - t over the groups of ties
    higher_is_better: bool

    @property
    def all_tied(self) -> bool:
        return self.ties == self.n * self.k * (self.k * self.k - 1)

    def chi2(self, *, corrected: bool) -> float:
        """12 / (N k (k+1)) sum (R_j - N (k+1) / 2)^2, over 1 - ties / (N k (k^2 - 1)) when corrected."""
        if self.all_tied:
            return 0.0
        ties = self.ties if corrected else 0
        return 3 * self.between * (self.k - 1) / (self.n * self.k * (self.k * self.k - 1) - ties)

    def perfect(self) -> bool:
        """Return every dataset ranks the learners alike, so the ranks leave no residual."""
        return bool((self.doubled == self.doubled[0]).all())


def rank_table(scores: Any, *, test: str, higher_is_better: bool = True) -> RankTable:
    """Return the ranks of the learners on each dataset, 1 is best; ties share the average."""
    checked = table(scores, test=test)
    doubled, ties = doubled_ranks(checked, descending=higher_is_better)
    n, k = doubled.shape
    sums = [int(s) for s in doubled.sum(axis=0)]
    return RankTable(
        doubled=doubled,
        n=n,
        k=k,
        means=tuple(s / (2 * n) for s in sums),
        between=sum((s - n * (k + 1)) ** 2 for s in sums),
        ties=ties,
        higher_is_better=higher_is_better,
    )


def friedman(
    scores: Any, *, higher_is_better: bool = True, tie_correction: bool = True, ranks: RankTable | None = None
) -> TestResult:
    """Friedman's chi-squared: 12 N / (k (k+1)) sum_j (mean rank_j - (k+1)/2)^2 with k - 1 degrees of freedom.

    Corrected for ties, as R does; the uncorrected value of Demsar's formula is among the details. The p is never below
    the exact chance that all datasets agree. The effect is Kendall's W = chi2 / (N (k - 1)). `ranks` are those of the
    same scores, where they are known already.

    >>> result = friedman([[61, 71, 81], [62, 72, 82], [63, 73, 83], [64, 74, 84], [65, 75, 85]])
    >>> result.statistic, result.ranks
    (10.0, (3.0, 2.0, 1.0))

    References: friedman1937, demsar2006.
    """
    ranks = ranks or rank_table(scores, test="friedman", higher_is_better=higher_is_better)
    chi2, df = ranks.chi2(corrected=tie_correction), ranks.k - 1
    plain = ranks.chi2(corrected=False)
    p = 1.0 if ranks.all_tied else float(scipy.special.chdtrc(df, chi2))
    method = "chi-squared approximation" + _tie_words(ranks, tie_correction)
    if not ranks.all_tied and ranks.perfect() and p < (exact := exact_concordance(ranks)):
        # Nothing is less likely than full agreement, but the approximation may say so (and underflow to 0).
        p, method = exact, "exact: every dataset gives the same ranks"
    return TestResult(
        test="friedman",
        statistic=chi2,
        statistic_name="chi-squared",
        pvalue=p,
        df=(float(df),),
        effect=Effect(name="Kendall's W", value=chi2 / (ranks.n * df)),
        method=method,
        ranks=ranks.means,
        details=(
            ("chi-squared without tie correction", plain),
            ("p without tie correction", float(scipy.special.chdtrc(df, plain))),
        ),
        notes=(ALL_TIED,) if ranks.all_tied else (),
        n_units=ranks.n,
        unit="dataset",
    )


def iman_davenport(
    scores: Any, *, higher_is_better: bool = True, tie_correction: bool = True, ranks: RankTable | None = None
) -> TestResult:
    """Iman and Davenport's F = (N - 1) chi2 / (N (k - 1) - chi2) with k - 1 and (k - 1)(N - 1) degrees of freedom.

    When every dataset ranks the learners alike, F is infinite; the p is then the exact chance of that, one over the
    number of distinct orders of a row to the power N - 1.

    References: iman1980, demsar2006.
    """
    ranks = ranks or rank_table(scores, test="iman-davenport", higher_is_better=higher_is_better)
    chi2 = ranks.chi2(corrected=tie_correction)
    df1, df2 = ranks.k - 1, (ranks.k - 1) * (ranks.n - 1)
    statistic: float | None
    notes: tuple[str, ...] = ()
    method = "F approximation" + _tie_words(ranks, tie_correction)
    if ranks.all_tied:
        statistic, p, notes = 0.0, 1.0, (ALL_TIED,)
    elif ranks.perfect():
        statistic, p, method = None, exact_concordance(ranks), "exact: every dataset gives the same ranks"
        notes = ("All datasets rank the learners in the same order, so F is infinite, and p is the exact probability.",)
    else:
        statistic = (ranks.n - 1) * chi2 / (ranks.n * df1 - chi2)
        p = float(scipy.special.fdtrc(df1, df2, statistic))
    return TestResult(
        test="iman-davenport",
        statistic=statistic,
        statistic_name="F",
        pvalue=p,
        df=(float(df1), float(df2)),
        effect=Effect(name="Kendall's W", value=chi2 / (ranks.n * df1)),
        method=method,
        ranks=ranks.means,
        details=(("Friedman's chi-squared", chi2),),
        notes=notes,
        n_units=ranks.n,
        unit="dataset",
    )


def exact_concordance(ranks: RankTable) -> float:
    """Return the chance that N rows, each a random order of the same (tied) ranks, all agree."""
    groups = Counter(ranks.doubled[0].tolist())
    log_orders = math.lgamma(ranks.k + 1) - math.fsum(math.lgamma(size + 1) for size in groups.values())
    return max(math.exp(-(ranks.n - 1) * log_orders), math.ulp(0.0))


def _tie_words(ranks: RankTable, corrected: bool) -> str:
    if ranks.ties == 0:
        return ""
    return ", corrected for ties" if corrected else ", not corrected for ties"


def rank_standard_error(k: int, n: int) -> float:
    """Return sqrt(k (k+1) / (6 N)), the standard error of a difference of two mean ranks."""
    return math.sqrt(k * (k + 1) / (6.0 * n))


def critical_difference(k: int, n: int, alpha: float = 0.05) -> float:
    """Return q_alpha sqrt(k (k+1) / (6 N)), q_alpha the quantile of the studentized range over sqrt(2).

    >>> round(critical_difference(4, 14, 0.10), 2)  # Demsar 2006, section 3.2.4
    1.12
    """
    return _range_quantile(alpha, k) / math.sqrt(2.0) * rank_standard_error(k, n)


def _range_quantile(alpha: float, k: int) -> float:
    """Return the q that the range of k standard normals exceeds with probability alpha, by bisection.

    It is that of scipy.stats.studentized_range, which is slow to import, to all but the last digit or two.
    """
    low, high = 0.0, UNDERFLOW
    while low < (middle := (low + high) / 2.0) < high:
        if _log_range_sf(np.array([middle]), k)[0] > math.log(alpha):
            low = middle
        else:
            high = middle
    return high


def nemenyi_pvalues(means: Any, n: int) -> Floats:
    """Return the k x k table of p-values for mean ranks over n datasets, adjusted for all pairs; 1 on the diagonal."""
    ranks = np.asarray(means, dtype=np.float64)
    gaps = np.abs(ranks[:, None] - ranks[None, :])
    return range_sf(gaps / rank_standard_error(ranks.size, n) * math.sqrt(2.0), ranks.size)


def nemenyi(scores: Any, *, higher_is_better: bool = True, asked: Sided = USUAL) -> PostHoc:
    """Nemenyi's post-hoc: |R_i - R_j| sqrt(2) / sqrt(k (k+1) / (6 N)) against the range of k normals.

    The p-values are family-wise over all pairs already. Each result's effect is the difference of the mean ranks, and
    its details the interval around it, +- the critical difference at 1 - level.

    References: nemenyi1963, demsar2006, benavoli2016.
    """
    checked = table(scores, test="nemenyi")
    ranks = rank_table(checked, test="nemenyi", higher_is_better=higher_is_better)
    critical = critical_difference(ranks.k, ranks.n, 1.0 - asked.level)
    pairs = np.triu_indices(ranks.k, 1)
    method = f"studentized range, {ranks.k} learners, critical difference {critical:.4g}"
    return _post_hoc("nemenyi", method, checked, ranks, pairs, nemenyi_pvalues(ranks.means, ranks.n)[pairs], critical)


def _post_hoc(
    test: str, method: str, scores: Floats, ranks: RankTable, pairs: tuple[Any, Any], pvalues: Floats, critical: float
) -> PostHoc:
    """Return the test with one record for each pair of columns whose mean ranks were compared."""
    first, second = pairs
    means = np.array(ranks.means)
    gaps = means[first] - means[second]
    standardised = gaps / rank_standard_error(ranks.k, ranks.n)
    averages = np.array([math.fsum(column) / ranks.n for column in scores.T.tolist()])
    smaller = how_often_smaller(ranks.doubled)
    larger = smaller.T
    wins = (smaller if ranks.higher_is_better else larger)[first, second]  # a better rank is a smaller one
    losses = (larger if ranks.higher_is_better else smaller)[first, second]
    results = tuple(
        TestResult(
            test=test,
            statistic=z,
            statistic_name="z of mean ranks",
            pvalue=p,
            difference=difference,
            effect=Effect(name="difference of mean ranks", value=gap),
            ranks=both,
            wins=won,
            ties=ranks.n - won - lost,
            losses=lost,
            n_units=ranks.n,
            unit="dataset",
            method=method,
            details=(("mean rank difference, low", gap - critical), ("mean rank difference, high", gap + critical)),
        )
        for z, p, difference, gap, won, lost, both in zip(
            *(x.tolist() for x in (standardised, pvalues, averages[first] - averages[second], gaps, wins, losses)),
            zip(means[first].tolist(), means[second].tolist(), strict=True),
            strict=True,
        )
    )
    return PostHoc(
        test=test,
        pairs=tuple(zip(first.tolist(), second.tolist(), strict=True)),
        results=results,
        ranks=ranks.means,
        critical_difference=critical,
        adjusted=True,
    )


def how_often_smaller(doubled: Ints) -> Ints:
    """Return on how many datasets the learner of the row has a smaller rank than the learner of the column."""
    k = doubled.shape[1]
    counts = np.zeros((k, k), dtype=np.int64)
    for row in doubled:
        counts += row[:, None] < row[None, :]
    return counts


def bonferroni_dunn_difference(k: int, n: int, alpha: float = 0.05) -> float:
    """Return z at alpha / (2 (k - 1)) times sqrt(k (k+1) / (6 N)): the critical difference from a control."""
    return float(-scipy.special.ndtri(alpha / (2.0 * (k - 1)))) * rank_standard_error(k, n)


def bonferroni_dunn(
    scores: Any, *, control: int | None = None, higher_is_better: bool = True, asked: Sided = USUAL
) -> PostHoc:
    """Column `control` against each other: z = (R_control - R_j) / sqrt(k (k+1) / (6 N)), p times k - 1, at most 1.

    The p-values are family-wise over the k - 1 comparisons already.

    References: dunn1961, demsar2006.
    """
    if control is None:
        raise TestError("bonferroni-dunn needs a control", hint="name the control: control NAME")
    checked = table(scores, test="bonferroni-dunn")
    ranks = rank_table(checked, test="bonferroni-dunn", higher_is_better=higher_is_better)
    if not 0 <= control < ranks.k:
        raise TestError(f"there is no learner {control} to be the control", hint=f"columns are 0 to {ranks.k - 1}")
    others = np.array([j for j in range(ranks.k) if j != control], dtype=np.int64)
    first = np.full(others.size, control, dtype=np.int64)
    means = np.array(ranks.means)
    z = (means[first] - means[others]) / rank_standard_error(ranks.k, ranks.n)
    pvalues = np.minimum(1.0, 2.0 * scipy.special.ndtr(-np.abs(z)) * others.size)
    critical = bonferroni_dunn_difference(ranks.k, ranks.n, 1.0 - asked.level)
    method = f"normal, times {others.size} comparisons with the control, critical difference {critical:.4g}"
    return _post_hoc("bonferroni-dunn", method, checked, ranks, (first, others), pvalues, critical)


SPHERE = 0.75  # below this epsilon the uncorrected p is too small; the usual rule (Girden 1992)


def anova(scores: Any, *, higher_is_better: bool = True) -> TestResult:
    """F = (SS_learner / (k-1)) / (SS_error / ((k-1)(N-1))), datasets as blocks.

    The p assumes sphericity. Greenhouse and Geisser's epsilon and the p with both degrees of freedom multiplied by it
    are among the details, and a note says so when epsilon is below 0.75. The effect is partial eta squared.

    References: demsar2006, greenhouse1959, girden1992.
    """
    checked = table(scores, test="anova")
    n, k = checked.shape
    doubled, _ = doubled_ranks(checked, descending=higher_is_better)
    # Two passes: take each dataset's mean away first, so that large common levels cannot cancel (NIST SmLs07-09).
    centred = checked - checked.mean(axis=1, keepdims=True)
    centred -= centred.mean(axis=1, keepdims=True)
    effect = centred.mean(axis=0)
    residual = centred - effect
    between, error = n * float(np.sum(effect**2)), float(np.sum(residual**2))
    df1, df2 = k - 1, (k - 1) * (n - 1)
    noise = (1e-12 * float(np.abs(checked).max())) ** 2 * n * k
    if error <= noise and between > noise:
        raise TestError(
            "anova: the learners differ by the same amounts on every dataset, so the residual variance is 0",
            hint="use friedman, which does not need a variance",
        )
    equal = between <= noise
    epsilon = greenhouse_geisser(residual) if error > noise else 1.0
    f = 0.0 if equal else (between / df1) / (error / df2)
    p = 1.0 if equal else float(scipy.special.fdtrc(df1, df2, f))
    p_gg = 1.0 if equal else float(scipy.special.fdtrc(df1 * epsilon, df2 * epsilon, f))
    notes: tuple[str, ...] = ()
    if equal:
        notes = ("The learners have the same mean over the datasets: there is nothing to test, so p = 1.",)
    elif k > 2 and epsilon < SPHERE:
        notes = (f"The differences have unequal variances (epsilon {epsilon:.2f}): Greenhouse-Geisser {p_is(p_gg)}.",)
    return TestResult(
        test="anova",
        statistic=f,
        statistic_name="F",
        pvalue=p,
        df=(float(df1), float(df2)),
        effect=Effect(name="partial eta squared", value=0.0 if equal else between / (between + error)),
        method="F, sphericity assumed",
        ranks=tuple(float(r) for r in doubled.mean(axis=0) / 2.0),
        details=(
            ("sum of squares, learners", between),
            ("sum of squares, error", error),
            ("Greenhouse-Geisser epsilon", epsilon),
            ("p, Greenhouse-Geisser", p_gg),
        ),
        notes=notes,
        n_units=n,
        unit="dataset",
    )


def greenhouse_geisser(residual: Floats) -> float:
    """Return tr(S)^2 / ((k-1) tr(S^2)) of the covariance S of the doubly centred scores: 1 for a sphere."""
    k = residual.shape[1]
    covariance = residual.T @ residual
    return float(np.trace(covariance) ** 2 / ((k - 1) * np.sum(covariance**2)))
