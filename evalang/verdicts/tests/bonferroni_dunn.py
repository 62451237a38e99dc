"""The Bonferroni-Dunn test: a control against each other learner by mean ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ...errors import TestError
from ...results.records import PostHoc
from ..arithmetic.guarded import check_options
from ..arithmetic.ranks import table
from .friedman import rank_table
from .nemenyi import pair_results, rank_standard_error


def bonferroni_dunn_difference(k: int, n: int, alpha: float = 0.05) -> float:
    """z at alpha / (2 (k - 1)) times sqrt(k (k+1) / (6 N)): the critical difference from a control."""
    return float(-special.ndtri(alpha / (2.0 * (k - 1)))) * rank_standard_error(k, n)


def bonferroni_dunn(
    scores: Any, *, control: int | None = None, higher_is_better: bool = True, level: float = 0.95
) -> PostHoc:
    """Column `control` against each other: z = (R_control - R_j) / sqrt(k (k+1) / (6 N)), p times k - 1, at most 1.

    The p-values are family-wise over the k - 1 comparisons already.

    References: dunn1961, demsar2006.
    """
    check_options("two-sided", level)
    if control is None:
        raise TestError("bonferroni-dunn needs a control", hint="say which learner it is: control NAME")
    checked = table(scores, test="bonferroni-dunn")
    ranks = rank_table(checked, test="bonferroni-dunn", higher_is_better=higher_is_better)
    if not 0 <= control < ranks.k:
        raise TestError(f"there is no learner {control} to be the control", hint=f"columns are 0 to {ranks.k - 1}")
    others = np.array([j for j in range(ranks.k) if j != control], dtype=np.int64)
    first = np.full(others.size, control, dtype=np.int64)
    means = np.array(ranks.means)
    z = (means[first] - means[others]) / rank_standard_error(ranks.k, ranks.n)
    pvalues = np.minimum(1.0, 2.0 * special.ndtr(-np.abs(z)) * others.size)
    critical = bonferroni_dunn_difference(ranks.k, ranks.n, 1.0 - level)
    method = f"normal, times {others.size} comparisons with the control, critical difference {critical:.4g}"
    return PostHoc(
        test="bonferroni-dunn",
        pairs=tuple((control, int(j)) for j in others),
        results=pair_results("bonferroni-dunn", method, checked, ranks, (first, others), pvalues, critical),
        ranks=ranks.means,
        critical_difference=critical,
        adjusted=True,
    )
