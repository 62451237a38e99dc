"""Datasets drawn at random: the draw itself, and the first draw from each list that the ledger holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from .chain import Event


@dataclass(frozen=True, slots=True)
class Draw:
    """Datasets drawn at random from a list."""

    names: tuple[str, ...]
    of: int
    listed_in: str
    seed: int
    at: str


def draw_names(names: Sequence[str], count: int, seed: int) -> tuple[str, ...]:
    """Return `count` of the names in their order. The choice depends on the seed and the names, not on their order.

    >>> set(draw_names(["a", "b", "c", "d"], 2, seed=4)) == set(draw_names(["d", "c", "b", "a"], 2, seed=4))
    True
    """

    def key(name: str) -> tuple[bytes, str]:
        return sha256(f"{seed}\x00{name}".encode("utf-8", "surrogatepass")).digest(), name

    drawn = set(sorted(names, key=key)[:count])
    return tuple(name for name in names if name in drawn)


def first_draws(events: Iterable[Event]) -> tuple[Draw, ...]:
    """Return the first draw from each list: a second draw from the same list would be a choice."""
    first: dict[str, Draw] = {}
    for one in events:
        if one.kind == "drawn":
            made = Draw(tuple(one.get("drawn", ())), one.get("of", 0), one.get("list", ""), one.get("seed", 0), one.at)
            first.setdefault(one.get("population", ""), made)
    return tuple(first.values())
