"""Two learners that are equally good, and how a pair of them is scored on the folds of the schemes.

symmetric   both see features of their own that tell the classes apart equally well.
crossing    A sees one feature, B several with noise among them: B is behind on few rows and ahead on many. A's feature
            is made as strong as puts them level at one size of training set.
power       as symmetric, but A's features tell more.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .compiled import learner as learner_named
from .compiled import scheme as scheme_named

Floats = NDArray[np.floating]
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
    def name(self) -> str:
        return f"{self.learner}/{self.n}/{self.null}" + (f"@{self.level_at:.2f}" if self.level_at else "")

    def seed(self, batch: int) -> int:
        return zlib.crc32(f"{self.name}/{batch}".encode())


def draw(rng: np.random.Generator, n: int, effects: tuple[float, ...]) -> tuple[Floats, NDArray[np.int64]]:
    y = (rng.permutation(n) < n // 2).astype(np.int64)
    return features(rng, y, effects), y


def features(rng: np.random.Generator, y: NDArray[np.int64], effects: tuple[float, ...]) -> Floats:
    return rng.normal(size=(len(y), len(effects))) + np.outer(2 * y - 1, effects)


def effects_of(cell: Cell) -> tuple[tuple[float, ...], tuple[float, ...]]:
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
        weights = np.zeros((1, rows + new))
        weights[0, :rows] = 1
        at = (np.zeros(new, dtype=np.int64), np.arange(rows, rows + new))
        made = learner_named(learner)(np.concatenate([x, more]), np.concatenate([y, labels]), weights, at)
        total += float((made == labels).mean())
    return total / sets


def level_effect(cell: Cell) -> float:
    """The effect of A's one feature with which A is as good as B after training on the given share of n rows."""
    rows, seed = round(cell.level_at * cell.n), cell.seed(-1)
    sets = 120
    wanted = accuracy(cell.learner, LATE, rows, 3 * sets, seed)
    grid = np.linspace(0.1, 1.5, 8)
    rough = [accuracy(cell.learner, (e,), rows, sets // 3, seed + 1) for e in grid]
    middle = float(np.interp(wanted, np.maximum.accumulate(rough), grid))
    near = middle + np.linspace(-0.08, 0.08, 5)
    fine = [accuracy(cell.learner, (e,), rows, sets, seed + 2) for e in near]
    slope, offset = np.polyfit(near, fine, 1)
    return float((wanted - offset) / slope)


def differences(
    cell: Cell, effects: tuple[tuple[float, ...], ...], batch: int, runs: int, schemes: tuple[str, ...]
) -> dict[str, Floats]:
    """Per scheme the differences of accuracy [run, fold] between learners whose features have these effects."""
    kept: dict[str, list[Floats]] = {s: [] for s in schemes}
    rng = np.random.default_rng(cell.seed(batch))
    learner = learner_named(cell.learner)
    made = [scheme_named(s) for s in schemes]
    for _ in range(runs):
        y = (rng.permutation(cell.n) < cell.n // 2).astype(np.int64)
        seen = [features(rng, y, e) for e in effects]
        divided = [divide(rng, y) for divide in made]
        weights = np.concatenate([d[0] for d in divided])
        at = np.nonzero(np.concatenate([d[1] for d in divided]))
        right = [learner(x, y, weights, at) == y[at[1]] for x in seen]
        gain = right[0].astype(np.int8) - right[1].astype(np.int8)
        per_fold = np.bincount(at[0], gain, minlength=len(weights)) / np.bincount(at[0], minlength=len(weights))
        start = 0
        for s, d in zip(schemes, divided, strict=True):
            kept[s].append(per_fold[start : start + len(d[0])])
            start += len(d[0])
    return {s: np.asarray(rows, dtype=np.float32) for s, rows in kept.items()}
