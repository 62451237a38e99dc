"""Friedman's test of many learners over datasets, and the F of Iman and Davenport made from it."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from scipy import stats

from ...results.records import Effect, TestResult
from ..arithmetic.ranks import Ints, doubled_ranks, table

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
        """Every dataset ranks the learners alike, so the ranks leave no residual."""
        return bool((self.doubled == self.doubled[0]).all())


def rank_table(scores: Any, *, test: str, higher_is_better: bool = True) -> RankTable:
    """Ranks of the learners on each dataset, 1 is best; ties share the average."""
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
    p = 1.0 if ranks.all_tied else float(stats.chi2.sf(chi2, df))
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
        alternative="two-sided",
        difference=None,
        interval=None,
        effect=Effect(name="Kendall's W", value=chi2 / (ranks.n * df)),
        wins=0,
        ties=0,
        losses=0,
        n_units=ranks.n,
        unit="dataset",
        method=method,
        ranks=ranks.means,
        details=(
            ("chi-squared without tie correction", plain),
            ("p without tie correction", float(stats.chi2.sf(plain, df))),
        ),
        notes=(ALL_TIED,) if ranks.all_tied else (),
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
        notes = ("Every dataset ranks the learners alike, so F is infinite; p is the exact chance of such agreement.",)
    else:
        statistic = (ranks.n - 1) * chi2 / (ranks.n * df1 - chi2)
        p = float(stats.f.sf(statistic, df1, df2))
    return TestResult(
        test="iman-davenport",
        statistic=statistic,
        statistic_name="F",
        pvalue=p,
        df=(float(df1), float(df2)),
        alternative="two-sided",
        difference=None,
        interval=None,
        effect=Effect(name="Kendall's W", value=chi2 / (ranks.n * df1)),
        wins=0,
        ties=0,
        losses=0,
        n_units=ranks.n,
        unit="dataset",
        method=method,
        ranks=ranks.means,
        details=(("Friedman's chi-squared", chi2),),
        notes=notes,
    )


def exact_concordance(ranks: RankTable) -> float:
    """The chance that N rows, each a random order of the same (tied) ranks, all agree."""
    groups = Counter(ranks.doubled[0].tolist())
    log_orders = math.lgamma(ranks.k + 1) - math.fsum(math.lgamma(size + 1) for size in groups.values())
    return max(math.exp(-(ranks.n - 1) * log_orders), math.ulp(0.0))


def _tie_words(ranks: RankTable, corrected: bool) -> str:
    if ranks.ties == 0:
        return ""
    return ", corrected for ties" if corrected else ", not corrected for ties"
