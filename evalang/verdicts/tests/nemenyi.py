"""Nemenyi's test: all pairs of learners by their mean ranks, with one critical difference for all."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...results.records import Effect, PostHoc, TestResult
from ..arithmetic.guarded import Floats, check_options
from ..arithmetic.ranks import Ints, table
from ..arithmetic.studentized_range import range_quantile, range_sf
from .friedman import RankTable, rank_table


def rank_standard_error(k: int, n: int) -> float:
    """sqrt(k (k+1) / (6 N)): the standard error of a difference of two mean ranks."""
    return math.sqrt(k * (k + 1) / (6.0 * n))


def critical_difference(k: int, n: int, alpha: float = 0.05) -> float:
    """q_alpha sqrt(k (k+1) / (6 N)), q_alpha the quantile of the studentized range over sqrt(2).

    >>> round(critical_difference(4, 14, 0.10), 2)  # Demsar 2006, section 3.2.4
    1.12
    """
    return range_quantile(alpha, k) / math.sqrt(2.0) * rank_standard_error(k, n)


def nemenyi_pvalues(means: Any, n: int) -> Floats:
    """The k x k table of p-values for mean ranks over n datasets, adjusted for all pairs; 1 on the diagonal."""
    ranks = np.asarray(means, dtype=np.float64)
    gaps = np.abs(ranks[:, None] - ranks[None, :])
    return range_sf(gaps / rank_standard_error(ranks.size, n) * math.sqrt(2.0), ranks.size)


def nemenyi(scores: Any, *, higher_is_better: bool = True, level: float = 0.95) -> PostHoc:
    """Nemenyi's post-hoc: |R_i - R_j| sqrt(2) / sqrt(k (k+1) / (6 N)) against the range of k normals.

    The p-values are family-wise over all pairs already. Each result's effect is the difference of the mean ranks, and
    its details the interval around it, +- the critical difference at 1 - level.

    References: nemenyi1963, demsar2006, benavoli2016.
    """
    check_options("two-sided", level)
    checked = table(scores, test="nemenyi")
    ranks = rank_table(checked, test="nemenyi", higher_is_better=higher_is_better)
    critical = critical_difference(ranks.k, ranks.n, 1.0 - level)
    first, second = np.triu_indices(ranks.k, 1)
    pvalues = nemenyi_pvalues(ranks.means, ranks.n)[first, second]
    method = f"studentized range, {ranks.k} learners, critical difference {critical:.4g}"
    return PostHoc(
        test="nemenyi",
        pairs=tuple(zip(first.tolist(), second.tolist(), strict=True)),
        results=pair_results("nemenyi", method, checked, ranks, (first, second), pvalues, critical),
        ranks=ranks.means,
        critical_difference=critical,
        adjusted=True,
    )


def pair_results(
    test: str,
    method: str,
    scores: Floats,
    ranks: RankTable,
    pairs: tuple[Ints, Ints],
    pvalues: Floats,
    critical: float,
) -> tuple[TestResult, ...]:
    """One record for each pair of columns whose mean ranks were compared."""
    first, second = pairs
    means = np.array(ranks.means)
    gaps = means[first] - means[second]
    standardised = gaps / rank_standard_error(ranks.k, ranks.n)
    averages = np.array([math.fsum(column) / ranks.n for column in scores.T.tolist()])
    smaller = how_often_smaller(ranks.doubled)
    larger = smaller.T
    wins = (smaller if ranks.higher_is_better else larger)[first, second]  # a better rank is a smaller one
    losses = (larger if ranks.higher_is_better else smaller)[first, second]
    return tuple(
        TestResult(
            test=test,
            statistic=z,
            statistic_name="z of mean ranks",
            pvalue=p,
            df=(),
            alternative="two-sided",
            difference=difference,
            interval=None,
            effect=Effect(name="difference of mean ranks", value=gap),
            wins=won,
            ties=ranks.n - won - lost,
            losses=lost,
            n_units=ranks.n,
            unit="dataset",
            method=method,
            details=(("mean rank difference, low", gap - critical), ("mean rank difference, high", gap + critical)),
        )
        for z, p, difference, gap, won, lost in zip(
            standardised.tolist(),
            pvalues.tolist(),
            (averages[first] - averages[second]).tolist(),
            gaps.tolist(),
            wins.tolist(),
            losses.tolist(),
            strict=True,
        )
    )


def how_often_smaller(doubled: Ints) -> Ints:
    """On how many datasets the learner of the row has a smaller rank than the learner of the column."""
    k = doubled.shape[1]
    counts = np.zeros((k, k), dtype=np.int64)
    for row in doubled:
        counts += row[:, None] < row[None, :]
    return counts
