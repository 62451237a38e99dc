"""P-values corrected for multiple testing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import TestError

METHODS = ("bonferroni", "sidak", "holm", "hochberg", "hommel", "bh", "yekutieli", "uncorrected")


def adjust(pvalues: Sequence[float | None], method: str, *, planned: int | None = None) -> tuple[float | None, ...]:
    """Return the adjusted p-values in the same order: reject at alpha exactly those that are at most alpha.

    `planned` is the size of the family where it is more than the p-values at hand: the others count with p = 1.

    >>> adjust([0.01, None, 0.03], "holm")
    (0.02, None, 0.03)
    >>> adjust([0.01, 0.03], "bonferroni", planned=5)
    (0.05, 0.15)

    References: bonferroni1936, sidak1967, holm1979, hochberg1988, hommel1988, benjamini1995, benjamini2001.
    """
    if method not in METHODS:
        raise TestError(f"unknown correction '{method}'", hint="one of: " + ", ".join(METHODS))
    present = [(i, _checked(p, i)) for i, p in enumerate(pvalues) if p is not None]
    raw = [p for _, p in present]
    raw += [1.0] * ((planned or 0) - len(raw))
    adjusted: list[float | None] = [None] * len(pvalues)
    for (place, p), found in zip(present, _adjusted(raw, method), strict=False):
        adjusted[place] = min(1.0, max(p, found))  # rounding must not take it below the raw value
    return tuple(adjusted)


def _checked(p: float, index: int) -> float:
    if not 0.0 <= p <= 1.0:
        raise TestError(f"p-value {index + 1} is {p:g}, not from 0 to 1", hint="a test without a p-value is None")
    return float(p)


def _adjusted(raw: list[float], method: str) -> list[float]:
    """Return the adjusted p-values; those of stepwise methods in order, each with its factor and never out of order."""
    size = len(raw)
    if method == "uncorrected" or size < 2:
        return raw
    p = np.array(raw)
    if method == "bonferroni":
        return [float(x) for x in size * p]
    if method == "sidak":
        with np.errstate(divide="ignore"):  # the logarithm of 1 - p, also of p = 1
            return [float(x) for x in -np.expm1(size * np.log1p(-p))]
    if method == "hommel":
        from statsmodels.stats.multitest import multipletests  # slow to import

        return [float(x) for x in multipletests(raw, method="hommel")[1]]
    order = np.argsort(p)
    places = np.arange(1, size + 1)
    if method == "holm":
        stepped = np.maximum.accumulate(p[order] * places[::-1])
    else:
        harmonic = float(np.sum(1.0 / places)) if method == "yekutieli" else 1.0
        factors = places[::-1] if method == "hochberg" else size * harmonic / places
        stepped = np.minimum.accumulate((p[order] * factors)[::-1])[::-1]
    return [float(x) for x in stepped[np.argsort(order)]]
