"""How rows are divided: for each scheme the training counts and the test rows of its folds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
Divided = tuple[Floats, NDArray[np.bool_]]  # [fold, row]: how often it is trained on, whether it is tested


def deal(rng: np.random.Generator, y: Ints, k: int) -> Ints:
    """The fold of every row; each class is dealt out evenly."""
    order = rng.permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    fold = np.empty(len(y), dtype=np.int64)
    fold[order] = (np.arange(len(y)) + rng.integers(k)) % k
    return fold


def folds(rng: np.random.Generator, y: Ints, k: int, partitions: int) -> Divided:
    """`partitions` times k folds, partition by partition."""
    tested = np.concatenate([deal(rng, y, k) == np.arange(k)[:, None] for _ in range(partitions)])
    return (~tested).astype(np.float64), tested


def resamples(rng: np.random.Generator, y: Ints, times: int, share: float) -> Divided:
    """Random divisions with `share` of each class trained on."""
    trained = np.zeros((times, len(y)), dtype=bool)
    for row in trained:
        for label in (0, 1):
            members = rng.permutation(np.flatnonzero(y == label))
            row[members[: round(share * len(members))]] = True
    return trained.astype(np.float64), ~trained


def bootstrap(rng: np.random.Generator, y: Ints, times: int) -> Divided:
    """As many rows as there are, drawn with replacement; the others are tested."""
    drawn = rng.integers(len(y), size=(times, len(y)))
    counts = np.stack([np.bincount(row, minlength=len(y)) for row in drawn]).astype(np.float64)
    return counts, counts == 0


def halvings(rng: np.random.Generator, y: Ints, times: int, k: int) -> Divided:
    """`times` two halves, k folds inside each half: first half's folds, then the second's, halving by halving."""
    trained, tested = [], []
    for _ in range(times):
        half = deal(rng, y, 2)
        for side in (0, 1):
            inside = np.flatnonzero(half == side)
            fold = np.full(len(y), -1)
            fold[inside] = deal(rng, y[inside], k)
            test = fold == np.arange(k)[:, None]
            tested.append(test)
            trained.append((half == side) & ~test)
    return np.concatenate(trained).astype(np.float64), np.concatenate(tested)


SCHEMES = {
    "10x10cv": lambda rng, y: folds(rng, y, 10, 10),
    "5x5cv": lambda rng, y: folds(rng, y, 5, 5),
    "50x2cv": lambda rng, y: folds(rng, y, 2, 50),
    "30 resamples": lambda rng, y: resamples(rng, y, 30, 2 / 3),
    "bootstrap 30": lambda rng, y: bootstrap(rng, y, 30),
    "10cv": lambda rng, y: folds(rng, y, 10, 1),
    "5cv": lambda rng, y: folds(rng, y, 5, 1),
    "5x2cv": lambda rng, y: folds(rng, y, 2, 5),
    "halvings": lambda rng, y: halvings(rng, y, 10, 5),
}
