"""cochran-q: do three or more classifiers err on the same share of the same test rows?"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import TestError
from ...results.records import Effect, TestResult
from ..arithmetic.guarded import outcomes as checked_outcomes
from ..arithmetic.guarded import require_units


def cochran_q(outcomes: Any) -> TestResult:
    """Q = (k - 1) (k sum C_j^2 - T^2) / (k T - sum R_i^2), chi-squared with k - 1 df, on right/wrong [row, learner].

    C_j counts what learner j gets right, R_i how many learners get row i right, T all of it. For two learners it is
    McNemar's statistic without correction. Reference: cochran1950.
    """
    right = checked_outcomes(outcomes, "outcomes", ndim=2)
    n, k = right.shape
    require_units(n, 1, "test row", "cochran-q")
    if k < 2:
        raise TestError(f"cochran-q compares two or more learners, and there is {k}")
    by_row = right.sum(axis=1, dtype=np.int64)
    apart = bool(((by_row > 0) & (by_row < k)).any())
    q, p = _statsmodels(right) if apart else (0.0, 1.0)
    return TestResult(
        test="cochran-q",
        statistic=q,
        statistic_name="Q",
        pvalue=p,
        df=(float(k - 1),),
        alternative="two-sided",
        difference=None,
        interval=None,
        effect=Effect(name="eta-squared of Q", value=q / (n * (k - 1))),
        wins=0,
        ties=0,
        losses=0,
        n_units=n,
        unit="test row",
        method=f"chi-squared approximation with {k - 1} degrees of freedom",
        ranks=_mean_ranks(right, by_row),
        notes=() if apart else ("The learners do not differ on any test row: there is nothing to test, so p = 1.",),
    )


def _statsmodels(right: np.ndarray[Any, np.dtype[np.bool_]]) -> tuple[float, float]:
    """statsmodels divides by zero where no row tells the learners apart, and is not asked then."""
    from statsmodels.stats.contingency_tables import cochrans_q  # slow to import

    found = cochrans_q(right.astype(np.float64))
    return float(found.statistic), float(found.pvalue)


def _mean_ranks(right: np.ndarray[Any, np.dtype[np.bool_]], by_row: np.ndarray[Any, Any]) -> tuple[float, ...]:
    """Mean rank of each learner over the rows, 1 is best, ties shared."""
    k = right.shape[1]
    rank_right, rank_wrong = (by_row + 1) / 2.0, by_row + (k - by_row + 1) / 2.0
    ranks = np.where(right, rank_right[:, None], rank_wrong[:, None])
    return tuple(float(r) for r in ranks.mean(axis=0))
