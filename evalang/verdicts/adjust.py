"""P-values corrected for multiple testing by statsmodels, with its edge cases corrected."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import TestError

METHODS = {  # our names -> those of statsmodels
    "bonferroni": "bonferroni",
    "sidak": "sidak",
    "holm": "holm",  # but computed here
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "bh": "fdr_bh",
    "yekutieli": "fdr_by",
    "uncorrected": "",
}


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
    for (place, p), found in zip(present, _adjusted(raw, METHODS[method]), strict=False):
        adjusted[place] = min(1.0, max(p, found))  # rounding must not take it below the raw value
    return tuple(adjusted)


def _checked(p: float, index: int) -> float:
    try:
        value = float(p)
    except (TypeError, ValueError):
        raise TestError(f"p-value {index + 1} is {p!r}, which is not a number") from None
    if not 0.0 <= value <= 1.0:
        raise TestError(
            f"p-value {index + 1} is {value:g}, which is no probability", hint="a test without a p-value is None"
        )
    return value


def _adjusted(raw: list[float], method: str) -> list[float]:
    if not method or len(raw) < 2:
        return raw

    if method == "holm":  # statsmodels looks through the whole program for garbage at each, most of a small run's time
        order = np.argsort(raw)
        stepped = np.maximum.accumulate(np.array(raw)[order] * np.arange(len(raw), 0, -1))
        return [float(p) for p in stepped[np.argsort(order)]]
    from statsmodels.stats.multitest import multipletests  # slow to import, so only where there is a family

    with np.errstate(divide="ignore"):  # sidak takes the logarithm of 1 - p, also of p = 1
        return [float(p) for p in multipletests(raw, method=method)[1]]
