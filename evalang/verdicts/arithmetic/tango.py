"""Tango's score interval of the difference of two shares measured on the same rows (tango1998)."""

from __future__ import annotations

import math

from scipy import special

from ...results.records import Alternative, Interval
from .differences import one_sided, tail_level

METHOD = "Tango's score interval"


def tango_interval(n01: int, n10: int, rows: int, alternative: Alternative, level: float) -> Interval:
    """All differences that the score test does not reject, each against the share of disagreements that fits it best.

    At 0 the score is McNemar's z without correction, so its interval goes with that test. Taking the observed share of
    disagreements as given, as an interval of their split does, covers far too little when one side wins most of them.
    """
    z = float(special.ndtri(tail_level(level, alternative)))
    low = -_bound(n10, n01, rows, z) if alternative != "less" else -math.inf
    high = _bound(n01, n10, rows, z) if alternative != "greater" else math.inf
    return one_sided(low, high, alternative, level, METHOD)


def _bound(n01: int, n10: int, rows: int, z: float) -> float:
    """The difference above the observed one at which the score is -z; the lower end is the upper one mirrored."""
    observed = (n10 - n01) / rows
    if observed == 1.0:
        return 1.0

    def beyond(difference: float) -> float:
        return _score(n01, n10, rows, difference) + z

    from scipy import optimize  # slow to import

    if beyond(1.0) >= 0.0:  # the score at 1 is minus infinity unless all rows say so
        return 1.0
    return float(optimize.brentq(beyond, observed, 1.0, xtol=1e-14))


def _score(n01: int, n10: int, rows: int, difference: float) -> float:
    """(n10 - n01 - rows d) over its standard error under d; the nuisance share is its constrained estimate."""
    gap = n10 - n01 - rows * difference
    b = (2 * rows - n10 + n01) * difference - n10 - n01
    c = -n01 * difference * (1.0 - difference)
    share = (math.sqrt(max(b * b - 8.0 * rows * c, 0.0)) - b) / (4.0 * rows)
    variance = rows * (2.0 * share + difference * (1.0 - difference))
    if variance <= 0.0:
        return 0.0 if gap == 0.0 else math.copysign(math.inf, gap)
    return gap / math.sqrt(variance)
