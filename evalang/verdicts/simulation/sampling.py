"""Test sets of simulated learners for many trials at once.

A row matters only by its kind, so a data set is the number of its rows of the first kind: parts of it are
hypergeometric draws and mistakes are binomial draws, which has the same distribution as classifying row by row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .world import World

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
BETA = 0.02  # each fold's shift of all error rates is uniform between minus and plus this (Dietterich 1998, 4.2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Of each trial's test rows: those that only the first learner gets wrong, only the second, and both."""

    first_only: Ints
    second_only: Ints
    both: Ints
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnFolds:
    """First minus second accuracy [trial, partition, fold], and the ratio of test to training rows."""

    d: Floats
    ratio: float


def sample(world: World, rows: int, trials: int, rng: np.random.Generator) -> Ints:
    """Rows of the first kind in each trial's data set, drawn with replacement from the population."""
    return rng.binomial(rows, world.share, trials)


def holdout(world: World, kinds: Ints, rows: int, test: int, shared: float, rng: np.random.Generator) -> Counts:
    """One test part of `test` rows of each data set, classified once by both learners."""
    one = rng.hypergeometric(kinds, rows - kinds, test) if test < rows else kinds
    shifts = [_shift(shared, rng.standard_normal(kinds.shape)) for _ in range(2)] if shared else [None, None]
    first_only, second_only, both = (np.zeros_like(kinds) for _ in range(3))
    for size, a, b in zip((one, test - one), world.first, world.second, strict=True):
        chance_b = _rate(b, shifts[1])
        wrong = rng.binomial(size, _rate(a, shifts[0]))
        together = rng.binomial(wrong, chance_b)
        both += together
        first_only += wrong - together
        second_only += rng.binomial(size - wrong, chance_b)
    return Counts(first_only=first_only, second_only=second_only, both=both, rows=test)


def resamples(
    world: World, kinds: Ints, rows: int, test: int, times: int, shared: float, rng: np.random.Generator
) -> DrawnFolds:
    """`times` random test parts of `test` rows of the same data set; what two training parts share is train / rows."""
    size = np.full((kinds.size, times), test)
    one = rng.hypergeometric(kinds[:, None], rows - kinds[:, None], size)
    share = 1.0 - test / rows
    shifts: list[Any] = [None, None]
    if shared:
        for i in range(2):
            common, own = rng.standard_normal((kinds.size, 1)), rng.standard_normal((kinds.size, times))
            shifts[i] = _shift(shared, np.sqrt(share) * common + np.sqrt(1.0 - share) * own)
    d = _differences(world, one, size, (shifts[0], shifts[1]), rng) / test
    return DrawnFolds(d=d[:, :, None], ratio=test / (rows - test))


def cross_validation(
    world: World,
    kinds: Ints,
    rows: int,
    partitions: int,
    folds: int,
    shared: float,
    rng: np.random.Generator,
    beta: float = BETA,
) -> DrawnFolds:
    """`partitions` times the data set dealt into `folds` folds; `beta` moves all error rates of a fold together."""
    shape = (kinds.size, partitions, folds)
    sizes = np.full(folds, rows // folds)
    sizes[: rows % folds] += 1
    one = np.empty(shape, dtype=np.int64)
    left = np.repeat(kinds[:, None], partitions, axis=1)
    others = rows - left
    for fold, size in enumerate(sizes[:-1]):
        one[:, :, fold] = rng.hypergeometric(left, others, size)
        left, others = left - one[:, :, fold], others - (size - one[:, :, fold])
    one[:, :, -1] = left
    common = rng.uniform(-beta, beta, shape) if beta else None
    shifts: list[Any] = [common, common]
    if shared:
        for i in range(2):
            own = _shift(shared, training_sets(kinds.size, partitions, folds, rng))
            shifts[i] = own if common is None else own + common
    d = _differences(world, one, np.broadcast_to(sizes, shape), (shifts[0], shifts[1]), rng) / sizes
    return DrawnFolds(d=d, ratio=1.0 / (folds - 1))


def _differences(
    world: World, one: Ints, size: Ints, shifts: tuple[Floats | None, Floats | None], rng: np.random.Generator
) -> Ints:
    """Mistakes of the second less those of the first, for every test set."""
    found = np.zeros(one.shape, dtype=np.int64)
    for rows, a, b in zip((one, size - one), world.first, world.second, strict=True):
        found += rng.binomial(rows, _rate(b, shifts[1]))
        found -= rng.binomial(rows, _rate(a, shifts[0]))
    return found


def training_sets(trials: int, partitions: int, folds: int, rng: np.random.Generator) -> Floats:
    """Standard normal effects of training sets that correlate by the share of rows they have in common.

    Every row pulls the learner its own way; a training set is the whole less one fold. Within a partition two training
    sets share (k - 2)/(k - 1) of their rows, in different partitions (k - 1)/k of them on average.
    """
    whole = rng.standard_normal((trials, 1, 1))
    pulls = rng.standard_normal((trials, partitions, folds))
    fold = whole / np.sqrt(folds) + pulls - pulls.mean(axis=2, keepdims=True)
    return np.asarray((np.sqrt(folds) * whole - fold) / np.sqrt(folds - 1.0))


def _shift(shared: float, effect: Floats) -> Floats:
    return np.asarray(shared * effect)


def _rate(rate: float, shift: Floats | None) -> Any:
    return rate if shift is None else np.clip(rate + shift, 0.0, 1.0)
