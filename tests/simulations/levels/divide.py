"""How rows are divided: for each scheme the training counts and the test rows of its folds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer]
Divided = tuple[NDArray[np.uint8], NDArray[np.bool_]]  # [fold, row]: how often it is trained on, whether it is tested


def shuffled(rng: np.random.Generator, y: Ints, times: int) -> Ints:
    """[time, place]: all rows, those of one class after those of the other, each class in an order of its own."""
    classes = [np.tile(np.flatnonzero(y == label), (times, 1)) for label in (0, 1)]
    return np.concatenate([rng.permuted(rows, axis=1) for rows in classes], axis=1)


def dealt(rng: np.random.Generator, orders: Ints, k: int, n: int) -> NDArray[np.int8]:
    """[time, row]: the fold of every row in the orders, -1 for the others; each class is dealt out evenly."""
    fold = np.full((len(orders), n), -1, dtype=np.int8)
    places = (np.arange(orders.shape[1]) + rng.integers(k, size=(len(orders), 1))) % k
    fold[np.arange(len(orders))[:, None], orders] = places
    return fold


def each(fold: NDArray[np.int8], k: int) -> NDArray[np.bool_]:
    """The rows of each of the k folds, time after time."""
    return (fold[:, None, :] == np.arange(k, dtype=np.int8)[:, None]).reshape(-1, fold.shape[1])


def folds(rng: np.random.Generator, y: Ints, k: int, partitions: int) -> Divided:
    """`partitions` times k folds, partition by partition."""
    tested = each(dealt(rng, shuffled(rng, y, partitions), k, len(y)), k)
    return (~tested).astype(np.uint8), tested


def resamples(rng: np.random.Generator, y: Ints, times: int, share: float) -> Divided:
    """Random divisions with `share` of each class trained on."""
    trained = np.zeros((times, len(y)), dtype=np.uint8)
    ones = int(y.sum())
    orders = shuffled(rng, y, times)
    for rows in (orders[:, : len(y) - ones], orders[:, len(y) - ones :]):
        trained[np.arange(times)[:, None], rows[:, : round(share * rows.shape[1])]] = 1
    return trained, trained == 0


def bootstrap(rng: np.random.Generator, y: Ints, times: int) -> Divided:
    """As many rows as there are, drawn with replacement; the others are tested."""
    n = len(y)
    drawn = rng.integers(n, size=(times, n)) + n * np.arange(times)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=times * n).reshape(times, n).astype(np.uint8)
    return counts, counts == 0


def halvings(rng: np.random.Generator, y: Ints, times: int, k: int) -> Divided:
    """`times` two halves of an even number of rows, k folds in each: first half, second half, halving by halving."""
    half = dealt(rng, shuffled(rng, y, times), 2, len(y))
    orders = shuffled(rng, y, times)
    sides = np.take_along_axis(half, orders, axis=1)
    inside = np.stack([orders[sides == side].reshape(times, -1) for side in (0, 1)], axis=1)
    tested = each(dealt(rng, inside.reshape(2 * times, -1), k, len(y)), k)
    own = np.stack([half == 0, half == 1], axis=1).reshape(2 * times, 1, -1)
    return (own & ~tested.reshape(2 * times, k, -1)).reshape(tested.shape).astype(np.uint8), tested


SCHEMES = {
    "10x10cv": lambda rng, y: folds(rng, y, 10, 10),
    "5x5cv": lambda rng, y: folds(rng, y, 5, 5),
    "50x2cv": lambda rng, y: folds(rng, y, 2, 50),
    "30 resamples": lambda rng, y: resamples(rng, y, 30, 2 / 3),
    "bootstrap 30": lambda rng, y: bootstrap(rng, y, 30),
    "halvings": lambda rng, y: halvings(rng, y, 10, 5),
}
