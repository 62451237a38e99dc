"""Combining independent p-values of one hypothesis into one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special

from ..errors import TestError
from ..results.test_result import TestResult
from .arithmetic.checked import Floats, numbers, plural, require_units


def fisher(pvalues: Any) -> TestResult:
    """Fisher's method: -2 sum(log p) is chi-squared with 2m degrees of freedom.

    The logarithm of the combined p is among the details, for where p itself is smaller than any float. The p-values
    have to be independent: those of partitions or folds of one dataset are not (Bradford & Brodley).

    References: fisher1932, bradford.
    """
    p = _probabilities(pvalues, "fisher")
    if (p == 0.0).any():
        place = int(np.argmax(p == 0.0)) + 1
        raise TestError(f"p-value {place} is 0, whose logarithm is infinite", hint="give the p-value its true size")
    statistic = -2.0 * math.fsum(np.log(p).tolist()) + 0.0
    m = int(p.size)
    # With 2m degrees of freedom the tail is exp(-x/2) sum_{i<m} (x/2)^i / i!, which logarithms keep at any size.
    half = statistic / 2.0
    steps = np.arange(m)
    log_p = 0.0
    if half > 0.0:
        log_p = min(0.0, float(special.logsumexp(steps * math.log(half) - special.gammaln(steps + 1.0))) - half)
    return _combined("fisher", statistic, "chi-squared", math.exp(log_p), (2.0 * m,), m, (("log p", log_p),))


def stouffer(pvalues: Any, *, weights: Sequence[float] | None = None) -> TestResult:
    """Stouffer's method on one-sided p-values: z = sum(w z_i) / sqrt(sum(w^2)) with z_i the normal quantile of 1 - p_i.

    References: stouffer1949, liptak1958.
    """
    p = _probabilities(pvalues, "stouffer")
    if ((p == 0.0) | (p == 1.0)).any():
        place = int(np.argmax((p == 0.0) | (p == 1.0))) + 1
        raise TestError(f"p-value {place} is {p[place - 1]:g}, whose normal quantile is infinite")
    w = np.ones(p.size) if weights is None else numbers(weights, "weights")
    if w.shape != p.shape or (w < 0.0).any() or not w.any():
        raise TestError("stouffer needs one weight of at least 0 for each p-value, and not only zeros")
    z = math.fsum((-w * special.ndtri(p)).tolist()) / math.sqrt(math.fsum((w * w).tolist()))
    log_p = float(special.log_ndtr(-z))
    return _combined("stouffer", z, "z", float(special.ndtr(-z)), (), int(p.size), (("log p", log_p),))


def _probabilities(pvalues: Any, test: str) -> Floats:
    p = numbers(pvalues, "p-values")
    require_units(int(p.size), 1, "p-value", test)
    bad = (p < 0.0) | (p > 1.0)
    if bad.any():
        place = int(np.argmax(bad))
        raise TestError(f"p-value {place + 1} is {p[place]:g}, which is no probability")
    return p


def _combined(
    test: str,
    statistic: float,
    name: str,
    pvalue: float,
    df: tuple[float, ...],
    n: int,
    details: tuple[tuple[str, float], ...],
) -> TestResult:
    return TestResult(
        test=test,
        statistic=statistic,
        statistic_name=name,
        pvalue=min(1.0, pvalue),
        df=df,
        alternative="two-sided" if test == "fisher" else "greater",
        difference=None,
        interval=None,
        effect=None,
        wins=0,
        ties=0,
        losses=0,
        n_units=n,
        unit="p-value",
        method=f"{n} independent {plural('p-value', n)}",
        details=details,
    )
