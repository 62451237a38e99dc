"""Two learners that are equally good, and how a pair of them is scored on the folds of the schemes.

symmetric   both see features of their own that tell the classes apart equally well.
crossing    A sees one feature, B several with noise among them: B is behind on few rows and ahead on many. A's feature
            is made as strong as puts them level at one size of training set.
power       as symmetric, but A's features tell more.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .divide import SCHEMES
from .learners import LEARNERS

Floats = NDArray[np.floating]
Effects = tuple[tuple[float, ...], tuple[float, ...]]  # of the features that either learner sees
EFFECTS = (0.5, 0.5, 0.5, 0.0)  # half the distance of the class means on the features of either learner
LATE = (0.45, 0.45, 0.45, 0.45, 0.0, 0.0, 0.0, 0.0)  # what the learner sees that needs more rows
GAIN = 0.35  # how much more A's features tell on 200 rows, for power
SIZE = {"10x10cv": 0.9, "5x5cv": 0.9, "halvings": 0.9, "30 resamples": 2 / 3, "bootstrap 30": 2 / 3, "50x2cv": 0.5}


@dataclass(frozen=True, slots=True)
class Cell:
    """One setting of the study; `level_at` is the share of the rows at which the learning curves cross."""

    learner: str
    n: int
    null: str
    level_at: float = 0.0

    @property
    def setting(self) -> str:
        """Of all but the learner: those of one setting see the same samples."""
        return f"{self.n}/{self.null}" + (f"-at-{self.level_at:.2f}" if self.level_at else "")

    @property
    def name(self) -> str:
        return f"{self.learner}/{self.setting}"

    def seed(self, batch: int) -> int:
        return zlib.crc32(f"{self.setting}/{batch}".encode())


def draw(rng: np.random.Generator, n: int, effects: tuple[float, ...]) -> tuple[Floats, NDArray[np.int64]]:
    y = (rng.permutation(n) < n // 2).astype(np.int64)
    return features(rng, y, effects), y


def features(rng: np.random.Generator, y: NDArray[np.int64], effects: tuple[float, ...]) -> Floats:
    return rng.normal(size=(len(y), len(effects))) + np.outer(2 * y - 1, effects)


def effects_of(cell: Cell) -> Effects:
    if cell.null == "symmetric":
        return EFFECTS, EFFECTS
    if cell.null == "power":
        more = 1 + GAIN * (200 / cell.n) ** 0.5
        return tuple(more * e for e in EFFECTS), EFFECTS
    raise ValueError(cell.null)


def accuracy(learner: str, effects: tuple[float, ...], rows: int, sets: int, seed: int, new: int = 600) -> float:
    """The mean accuracy after training on this many rows."""
    total = 0.0
    for i in range(sets):
        rng = np.random.default_rng((seed, i))
        x, y = draw(rng, rows, effects)
        more, labels = draw(rng, new, effects)
        weights = np.zeros((1, rows + new), dtype=np.uint8)
        weights[0, :rows] = 1
        made = LEARNERS[learner](np.concatenate([x, more]), np.concatenate([y, labels]), weights)
        total += float((made[0, rows:] == labels).mean())
    return total / sets


def level_effect(cell: Cell) -> float:
    """The effect of A's one feature with which A is as good as B after training on the given share of n rows."""
    rows, seed = round(cell.level_at * cell.n), cell.seed(-1)
    sets = 200
    wanted = accuracy(cell.learner, LATE, rows, 3 * sets, seed)
    grid = np.linspace(0.1, 1.5, 8)
    rough = [accuracy(cell.learner, (e,), rows, sets // 3, seed + 1) for e in grid]
    middle = float(np.interp(wanted, np.maximum.accumulate(rough), grid))
    near = middle + np.linspace(-0.08, 0.08, 5)
    fine = [accuracy(cell.learner, (e,), rows, sets, seed + 2) for e in near]
    slope, offset = np.polyfit(near, fine, 1)
    return float((wanted - offset) / slope)


def differences(
    cells: Mapping[Cell, Effects], batch: int, runs: int, schemes: tuple[str, ...]
) -> dict[tuple[str, str], Floats]:
    """Per learner and scheme the differences of accuracy [run, fold], for the learners of one setting."""
    one, *_ = cells
    sizes = [len(effects) for effects in cells[one]]
    kept: dict[tuple[str, str], list[Floats]] = {(cell.learner, s): [] for cell in cells for s in schemes}
    rng = np.random.default_rng(one.seed(batch))
    for _ in range(runs):
        y = (rng.permutation(one.n) < one.n // 2).astype(np.int64)
        noise = [rng.normal(size=(one.n, size)) for size in sizes]
        divided = [SCHEMES[s](rng, y) for s in schemes]
        weights, tested = (np.concatenate(parts) for parts in zip(*divided, strict=True))
        ends = np.cumsum([len(trained) for trained, _ in divided])
        for cell, effects in cells.items():
            seen = [z + np.outer(2 * y - 1, e) for z, e in zip(noise, effects, strict=True)]
            per_fold = gains(cell.learner, seen, y, weights, tested)
            for s, part in zip(schemes, np.split(per_fold, ends[:-1]), strict=True):
                kept[cell.learner, s].append(part)
    return {key: np.asarray(rows, dtype=np.float32) for key, rows in kept.items()}


def gains(
    learner: str, seen: list[Floats], y: NDArray[np.int64], weights: NDArray[np.uint8], tested: NDArray[np.bool_]
) -> Floats:
    """Of each fold by how much the learner is more often right where it sees the first features than the second."""
    first, second = (LEARNERS[learner](x, y, weights) for x in seen)
    won = (first != second) & tested
    ahead = won & (first == y.astype(np.uint8))
    counts = [np.count_nonzero(rows, axis=1) for rows in (ahead, won, tested)]
    return (2 * counts[0] - counts[1]) / counts[2]
