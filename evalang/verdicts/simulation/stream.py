"""Random numbers that belong to one cell of a simulation, so that no other cell changes them."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

BLOCK = 20_000  # trials held in memory at a time


def stream(seed: int, *key: str | float) -> np.random.Generator:
    """The generator of a cell named by words and numbers."""
    words: list[int] = []
    for part in key:
        data = part.encode() if isinstance(part, str) else struct.pack("<d", float(part))
        words += [len(data), *data]
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=tuple(words)))


def blocks(trials: int, size: int = BLOCK) -> Iterator[tuple[int, int]]:
    """The trials in blocks: (number of the block, its trials)."""
    for index, start in enumerate(range(0, trials, size)):
        yield index, min(size, trials - start)
