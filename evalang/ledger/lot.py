"""Drawing by lot: which of a list, decided by a seed and the list's names alone, on every machine alike."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256


def draw(names: Sequence[str], count: int, seed: int) -> tuple[str, ...]:
    """`count` of the names, each with the same chance, in the order of the list; the order of the list decides nothing.

    >>> set(draw(["a", "b", "c", "d"], 2, seed=4)) == set(draw(["d", "c", "b", "a"], 2, seed=4))
    True
    """
    lots = sorted(names, key=lambda name: (sha256(f"{seed}\x00{name}".encode("utf-8", "surrogatepass")).digest(), name))
    drawn = set(lots[:count])
    return tuple(name for name in names if name in drawn)
