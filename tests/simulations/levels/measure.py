"""The differences of two learners on the folds of every scheme, batch by batch.

Each batch is FOLDER/LEARNER/N/NULL-BATCH.npz: the differences of accuracy [run, fold] under each scheme.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from .compiled import HERE, agree
from .learners import LEARNERS
from .nulls import LATE, SIZE, Cell, differences, effects_of, level_effect

BATCH = 100
EVERY = tuple(name for name in LEARNERS if name != "grown-tree")
UNSTABLE = ("stump", "1-nn", "5-nn", "small-tree")  # they move with their sample: nearest to the limit, so run first
NULLS = (("symmetric", 0.0), ("crossing", 0.9), ("crossing", 0.5), ("crossing", 2 / 3))
POWER = 1000  # runs that are enough for a share of power


def cells() -> Iterator[Cell]:
    """Every cell, those first that are nearest to the limit."""
    for null, size in (*NULLS, ("power", 0.0)):
        for n in (60, 200, 1000):
            for learner in sorted(EVERY, key=lambda name: name not in UNSTABLE):
                yield Cell(learner, n, null, size)


def schemes_of(cell: Cell) -> tuple[str, ...]:
    if cell.null != "crossing":
        return tuple(SIZE)
    halves = ("50x2cv",) if cell.level_at == 0.9 else ()  # what halves say of nearly all rows
    return (*(s for s in SIZE if SIZE[s] == cell.level_at), *halves)


def batches(runs: int) -> Iterator[tuple[Cell, int]]:
    """First a few of every cell, then more: of 1,000 rows, which take longest, fewer at a time."""
    passes = ((200, 200), (1000, 400), (2000, 600), (4000, 1000), (runs, runs))
    for few, many in passes:
        for cell in cells():
            upto = min(runs, many if cell.n == 1000 else few, POWER if cell.null == "power" else runs)
            for batch in range(-(-upto // BATCH)):
                yield cell, batch


def effects(cell: Cell, folder: Path) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The cell's effects; those found by calibration are kept in the folder."""
    if cell.null != "crossing":
        return effects_of(cell)
    kept = folder / "levelled" / cell.name.replace("/", "-")
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(f"{level_effect(cell):.5f}")
    return (float(kept.read_text()),), LATE


def measure(folder: Path, runs: int) -> None:
    """Every batch that is not there and that nobody else is at."""
    shares = agree() if HERE else {}
    if min(shares.values(), default=1.0) < 0.999:
        raise SystemExit(f"compiled learners answer otherwise than those in NumPy: {shares}")
    for cell, batch in batches(runs):
        path = folder / f"{cell.name.replace('@', '-at-')}-{batch}.npz"
        path.parent.mkdir(parents=True, exist_ok=True)
        claim = path.with_suffix(".claim")
        if path.exists():
            continue
        try:
            claim.touch(exist_ok=False)
        except FileExistsError:
            continue
        try:
            made = differences(cell, effects(cell, folder), batch, BATCH, schemes_of(cell))
            part = path.with_suffix(".part.npz")
            np.savez_compressed(part, **made)
            part.replace(path)
        finally:
            claim.unlink()
