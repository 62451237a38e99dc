"""Effect sizes for two learners on the same units."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...results.test_result import Effect
from .checked import Floats, pair, require_units
from .differences import cohen_dz, differences, mean_and_variance, settle
from .signed_rank import signed_ranks


def rank_biserial(d: Floats) -> Effect:
    """Matched-pairs rank biserial: (W+ - W-) / (W+ + W-) with zeros dropped; 0 when nothing differs (Kerby 2014)."""
    ranks, signs = signed_ranks(d)
    total = int(ranks.sum())
    value = int((ranks * signs).sum()) / total if total else 0.0
    return Effect(name="matched-pairs rank biserial", value=value)


def superiority(wins: int, ties: int, losses: int) -> Effect:
    """Probability of superiority: the share of units won, a tie counts as half."""
    return Effect(name="probability of superiority", value=(wins + ties / 2.0) / (wins + ties + losses))


def cliffs_delta(a: Any, b: Any) -> Effect:
    """Cliff's delta: P(a > b) - P(a < b) over all pairs of units; it ignores the pairing, and is here for reference."""
    one, two = pair(a, b)
    require_units(one.size, 1, "unit", "Cliff's delta")
    joint = settle(np.concatenate([one, two]))
    x, y = joint[: one.size], np.sort(joint[one.size :])
    below, not_above = np.searchsorted(y, x, side="left"), np.searchsorted(y, x, side="right")
    value = (int(below.sum()) - int((y.size - not_above).sum())) / (x.size * y.size)
    return Effect(name="Cliff's delta", value=value)


def effect_sizes(a: Any, b: Any) -> tuple[Effect, ...]:
    """Every effect size of the first against the second learner; positive when the first is larger.

    dz divides the mean difference by the standard deviation of the differences, dav by the mean of the two standard
    deviations, d by their pooled value; Hedges' g multiplies d by J = gamma(m/2) / (sqrt(m/2) gamma((m-1)/2)) with
    m = 2n - 2. A12 is (delta + 1) / 2. Without any spread an effect is 0 when the means agree and left out otherwise.

    References: cohen1988, hedges1981, cliff1993, vargha2000, kerby2014, lakens2013.
    """
    one, two = pair(a, b)
    require_units(one.size, 2, "unit", "an effect size")
    d = differences(one, two)
    mean, variance = mean_and_variance(d)
    (_, first), (_, second) = mean_and_variance(one), mean_and_variance(two)
    df = 2.0 * one.size - 2.0
    bias = math.exp(math.lgamma(df / 2.0) - math.lgamma((df - 1.0) / 2.0)) / math.sqrt(df / 2.0)
    pooled = math.sqrt((first + second) / 2.0)
    average = (math.sqrt(first) + math.sqrt(second)) / 2.0
    effects = []
    for name, size, factor in (
        ("Cohen's dav", average, 1.0),
        ("Cohen's d (pooled)", pooled, 1.0),
        ("Hedges' g (pooled)", pooled, bias),
    ):
        if size > 0.0 or mean == 0.0:
            effects.append(Effect(name=name, value=factor * mean / size if size > 0.0 else 0.0))
    if variance > 0.0 or mean == 0.0:
        effects.insert(0, cohen_dz(d))
    delta = cliffs_delta(one, two)
    a12 = Effect(name="Vargha-Delaney A12", value=(delta.value + 1.0) / 2.0)
    return (*effects, delta, a12, rank_biserial(d))
