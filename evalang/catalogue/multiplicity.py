"""What many tests do when nothing differs, in plain Python."""

from __future__ import annotations

import math

from ..source.record import Record


class Multiplicity(Record):
    """What to expect of n independent tests at level alpha when nothing differs (Salzberg 1997, section 3)."""

    tests: int
    alpha: float
    expected_false_positives: float
    familywise_error: float  # the chance of at least one: 1 - (1 - alpha)^n
    sidak_alpha: float
    bonferroni_alpha: float


def multiplicity(tests: int, alpha: float) -> Multiplicity:
    """Expected false positives n * alpha and the chance 1 - (1 - alpha)^n of at least one.

    >>> round(multiplicity(154, 0.05).familywise_error, 4)
    0.9996
    """
    log_keep = math.log1p(-alpha)
    return Multiplicity(
        tests=tests,
        alpha=alpha,
        expected_false_positives=tests * alpha,
        familywise_error=-math.expm1(tests * log_keep),
        sidak_alpha=-math.expm1(log_keep / tests),
        bonferroni_alpha=alpha / tests,
    )
