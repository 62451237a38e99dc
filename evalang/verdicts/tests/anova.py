"""Repeated-measures analysis of variance of many learners over datasets."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from ...errors import TestError
from ...results.numbers import p_is
from ...results.records import Effect, TestResult
from ..arithmetic.checks import Floats
from ..arithmetic.ranks import doubled_ranks, table

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
            "anova: the learners differ by the same amounts on every dataset, so the error has no variance",
            hint="friedman needs no variance",
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
