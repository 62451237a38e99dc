"""Effect sizes for two learners on the same units."""

from __future__ import annotations

from ...results.records import Effect
from .guarded import Floats
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
