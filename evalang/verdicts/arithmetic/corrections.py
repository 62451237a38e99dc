"""Corrections for many tests. A missing p-value (None) stays missing and is never counted as a test.

Written here rather than taken from statsmodels, which counts a NaN as a test and takes two seconds to import; tests
hold every method to R's p.adjust and to statsmodels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ...errors import TestError

Ascending = list[float]


def adjust(pvalues: Sequence[float | None], method: str) -> tuple[float | None, ...]:
    """The adjusted p-values in the same order: reject at alpha exactly those that are at most alpha.

    >>> adjust([0.01, None, 0.03], "holm")
    (0.02, None, 0.03)

    References: bonferroni1936, sidak1967, holm1979, hochberg1988, hommel1988, benjamini1995, benjamini2001.
    """
    if method not in METHODS:
        raise TestError(f"unknown correction '{method}'", hint="one of: " + ", ".join(METHODS))
    present = [(_checked(p, i), i) for i, p in enumerate(pvalues) if p is not None]
    present.sort()
    ordered = [p for p, _ in present]
    adjusted: list[float | None] = [None] * len(pvalues)
    if not present:
        return tuple(adjusted)
    for (raw, place), p in zip(present, METHODS[method](ordered), strict=True):
        adjusted[place] = min(1.0, max(p, raw))  # rounding must not take it below the raw value
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


def _uncorrected(p: Ascending) -> Ascending:
    return p


def _bonferroni(p: Ascending) -> Ascending:
    return [x * len(p) for x in p]


def _sidak(p: Ascending) -> Ascending:
    # expm1 and log1p: 1 - (1 - p)^m is 0 in floats for p below 1e-16.
    return [-math.expm1(len(p) * math.log1p(-x)) if x < 1.0 else 1.0 for x in p]


def _holm(p: Ascending) -> Ascending:
    m = len(p)
    return _running_max([(m - i) * x for i, x in enumerate(p)])


def _hochberg(p: Ascending) -> Ascending:
    m = len(p)
    return _running_min_from_end([(m - i) * x for i, x in enumerate(p)])


def _bh(p: Ascending) -> Ascending:
    m = len(p)
    return _running_min_from_end([m * x / (i + 1) for i, x in enumerate(p)])


def _yekutieli(p: Ascending) -> Ascending:
    m = len(p)
    harmonic = math.fsum(1.0 / i for i in range(1, m + 1))
    return _running_min_from_end([harmonic * m * x / (i + 1) for i, x in enumerate(p)])


def _hommel(p: Ascending) -> Ascending:
    """Hommel's closed test with Simes' inequality, by the recursion of Wright (1992)."""
    m = len(p)
    adjusted = [min(m * x / (i + 1) for i, x in enumerate(p))] * m
    current = list(adjusted)
    for size in range(m - 1, 1, -1):
        split = m - size + 1  # the first `split` stand alone, the last size - 1 form the block
        block = min(size * p[split + i] / (i + 2) for i in range(size - 1))
        for i in range(split):
            current[i] = min(size * p[i], block)
        for i in range(split, m):
            current[i] = current[split - 1]
        adjusted = [max(x, y) for x, y in zip(adjusted, current, strict=True)]
    return [max(x, y) for x, y in zip(adjusted, p, strict=True)]


def _running_max(values: Ascending) -> Ascending:
    best, result = 0.0, []
    for value in values:
        best = max(best, value)
        result.append(best)
    return result


def _running_min_from_end(values: Ascending) -> Ascending:
    best, result = math.inf, []
    for value in reversed(values):
        best = min(best, value)
        result.append(best)
    return result[::-1]


METHODS: dict[str, Callable[[Ascending], Ascending]] = {
    "bonferroni": _bonferroni,
    "sidak": _sidak,
    "holm": _holm,
    "hochberg": _hochberg,
    "hommel": _hommel,
    "bh": _bh,
    "yekutieli": _yekutieli,
    "uncorrected": _uncorrected,
}
