"""The smallest p that a test on rows or folds can ever give, from the number of units alone."""

from __future__ import annotations

import math

from ..distributions import chi2_sf

EXACT_BELOW = 25  # disagreements, as in verdicts/tests/mcnemar.py
BOOTSTRAP_RESAMPLES = 10_000


def one_way(units: int, learners: int, sides: int) -> float:
    """Every unit goes the same way: sides / 2^n."""
    return min(1.0, sides * 0.5**units)


def one_way_midp(units: int, learners: int, sides: int) -> float:
    """Half of that: the mid-p counts half of the observed probability."""
    return min(1.0, sides * 0.5 ** (units + 1))


def mcnemar_floor(units: int, learners: int, sides: int) -> float:
    """Every disagreement goes the same way; exact below 25 of them, else (n - 1)^2 / n, whichever is smaller."""
    exact = one_way(min(units, EXACT_BELOW - 1), learners, sides)
    return exact if units < EXACT_BELOW else min(exact, _normal((units - 1) / math.sqrt(units), sides))


def corrected_proportions_floor(units: int, learners: int, sides: int) -> float:
    """Every row disagrees the same way: z = sqrt(n)."""
    return _normal(math.sqrt(max(units, 0)), sides)


def proportions_floor(units: int, learners: int, sides: int) -> float:
    """One learner always right and the other always wrong: z = sqrt(2 n)."""
    return _normal(math.sqrt(2.0 * max(units, 0)), sides)


def cochran_floor(units: int, learners: int, sides: int) -> float:
    """The same learners right on every row: Q = n (k - 1)."""
    if units < 1 or learners < 2:
        return 1.0
    return chi2_sf(units * (learners - 1.0), learners - 1.0)


def bootstrap_floor(units: int, learners: int, sides: int) -> float:
    """No resample on the far side of zero, or the sign test's floor where that is smaller."""
    return min(1.0, sides / (BOOTSTRAP_RESAMPLES + 1), sides * 0.5**units)


def shuffles_floor(units: int, learners: int, sides: int) -> float:
    """No shuffle as good: 1 / (m + 1) on one side."""
    return min(1.0, sides / (units + 1.0))


def _normal(z: float, sides: int) -> float:
    return min(1.0, sides * 0.5 * math.erfc(z / math.sqrt(2.0)))
