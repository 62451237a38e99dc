"""The differences of two learners on the folds of every scheme, batch by batch.

Each batch is FOLDER/LEARNER/N/NULL-BATCH.npz: the differences of accuracy [run, fold] under each scheme.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from .learners import LEARNERS
from .nulls import LATE, SIZE, Cell, differences, effects_of, level_effect

BATCH = 100
CHEAP = ("centroid", "stump", "discriminant", "naive-bayes", "1-nn", "logistic")  # those that 1,000 rows are given to


def cells() -> Iterator[Cell]:
    """The symmetric null of every size before anything else."""
    every = tuple(name for name in LEARNERS if name != "grown-tree")
    for null, size in (("symmetric", 0.0), ("crossing", 0.5), ("crossing", 0.9), ("power", 0.0), ("crossing", 2 / 3)):
        for n in (200, 60, 1000):
            for learner in every if n < 1000 else CHEAP:
                yield Cell(learner, n, null, size)


def schemes_of(cell: Cell) -> tuple[str, ...]:
    if cell.null != "crossing":
        return tuple(s for s in SIZE if cell.n < 1000 or s != "5x5cv")
    halves = ("50x2cv",) if cell.level_at == 0.9 else ()  # what halves say of nearly all rows
    return (*(s for s in SIZE if SIZE[s] == cell.level_at), *halves)


def wanted(cell: Cell, runs: int) -> int:
    if cell.n == 1000:
        return min(runs, 1000)
    return runs


def batches(runs: int) -> Iterator[tuple[Cell, int]]:
    """First a few of every cell, then more."""
    passes = [p for p in (2, 3, 10, 20, 40) if p * BATCH < runs] + [-(-runs // BATCH)]
    done = 0
    for upto in passes:
        for cell in cells():
            for batch in range(done, min(upto, -(-wanted(cell, runs) // BATCH))):
                yield cell, batch
        done = upto


def effects(cell: Cell, folder: Path) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The cell's effects; those found by calibration are kept in the folder."""
    if cell.null != "crossing":
        return effects_of(cell)
    kept = folder / "levelled" / cell.name.replace("/", "-")
    if not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(f"{level_effect(cell):.5f}")
    return (float(kept.read_text()),), LATE


def measure(folder: Path, runs: int) -> None:
    """Every batch that is not there and that nobody else is at."""
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
