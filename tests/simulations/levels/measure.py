"""The differences of two learners on the folds of every scheme, batch by batch.

Each batch is FOLDER/N/NULL-BATCH.npz: of each learner the differences of accuracy [run, fold] under each scheme.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from .learners import LEARNERS
from .nulls import LATE, SIZE, Cell, Effects, differences, effects_of, level_effect

BATCH = 200
RUNS, POWER = 4000, 1000  # of every null, and where one learner is better; set before anything was seen
EVERY = tuple(name for name in LEARNERS if name != "grown-tree")
NULLS = (("symmetric", 0.0), ("crossing", 0.9), ("crossing", 0.5), ("crossing", 2 / 3))


def settings() -> Iterator[list[Cell]]:
    """The cells with the same rows and null, one for each learner."""
    for n in (60, 200, 1000):
        for null, size in (*NULLS, ("power", 0.0)):
            yield [Cell(learner, n, null, size) for learner in EVERY]


def schemes_of(cell: Cell) -> tuple[str, ...]:
    if cell.null != "crossing":
        return tuple(SIZE)
    halves = ("50x2cv",) if cell.level_at == 0.9 else ()  # what halves say of nearly all rows
    return (*(s for s in SIZE if SIZE[s] == cell.level_at), *halves)


def effects(cell: Cell, folder: Path) -> Effects:
    """The cell's effects; those found by calibration are kept in the folder."""
    if cell.null != "crossing":
        return effects_of(cell)
    kept = folder / "levelled" / cell.name.replace("/", "-")
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(f"{level_effect(cell):.5f}")
    return (float(kept.read_text()),), LATE


def measure(folder: Path) -> None:
    """Every batch that is not there and that nobody else is at."""
    for cells in settings():
        for batch in range((POWER if cells[0].null == "power" else RUNS) // BATCH):
            one(folder, cells, batch)


def one(folder: Path, cells: list[Cell], batch: int) -> None:
    path = folder / f"{cells[0].setting}-{batch}.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    claim = path.with_suffix(".claim")
    if path.exists():
        return
    try:
        claim.touch(exist_ok=False)
    except FileExistsError:
        return
    try:
        made = differences({c: effects(c, folder) for c in cells}, batch, BATCH, schemes_of(cells[0]))
        part = path.with_suffix(".part.npz")
        np.savez_compressed(part, **{"/".join(key): d for key, d in made.items()})
        part.replace(path)
    finally:
        claim.unlink()
