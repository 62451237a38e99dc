"""Data sets and answers of simulated learners, for many trials at once.

Two kinds of learners. Dietterich's have equal error rates and answer anew each time a row is tested; a row matters only
by its kind, so a data set is the number of its rows of the first kind, its parts are hypergeometric draws and mistakes
are binomial draws. For power the learners differ by a known amount and answer a row the same way whenever it is tested:
learners trained on nearly the same rows do.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
BETA = 0.02  # each fold's shift of all error rates is uniform between minus and plus this (Dietterich 1998, 4.2)
BLOCK = 20_000  # trials held in memory at a time


def stream(seed: int, *key: str | float) -> np.random.Generator:
    """Return the generator of a cell named by words and numbers, so that no other cell changes its numbers."""
    words: list[int] = []
    for part in key:
        data = part.encode() if isinstance(part, str) else struct.pack("<d", float(part))
        words += [len(data), *data]
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=tuple(words)))


def blocks(trials: int, size: int = BLOCK) -> Iterator[tuple[int, int]]:
    """Yield the trials in blocks: (number of the block, its trials)."""
    for index, start in enumerate(range(0, trials, size)):
        yield index, min(size, trials - start)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The share of rows of the first kind, and each learner's probability of error on either kind.

    Given the kind, the two learners err independently, and every test set is classified anew (Dietterich 1998, 4.1).
    """

    share: float
    first: tuple[float, float]
    second: tuple[float, float]


def dietterich(error: float) -> World:
    """Return error rates half and one and a half of `error` on the two halves, reversed for the second learner."""
    low, high = 0.5 * error, 1.5 * error
    return World(share=0.5, first=(low, high), second=(high, low))


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Of each trial's rows: those that only the first learner gets wrong, only the second, and both."""

    first_only: Ints
    second_only: Ints
    both: Ints
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnFolds:
    """First minus second accuracy [trial, partition, fold], and the ratio of test to training rows."""

    d: Floats
    ratio: float


def draw_kinds(world: World, rows: int, trials: int, rng: np.random.Generator) -> Ints:
    """Return the rows of the first kind in each trial's data set, drawn with replacement from the population."""
    return rng.binomial(rows, world.share, trials)


def classify_holdout(
    world: World, kinds: Ints, rows: int, test: int, shared: float, rng: np.random.Generator
) -> Counts:
    """Return one test part of `test` rows of each data set, classified once by both learners."""
    one = rng.hypergeometric(kinds, rows - kinds, test) if test < rows else kinds
    shifts = [shared * rng.standard_normal(kinds.shape) for _ in range(2)] if shared else [None, None]
    first_only, second_only, both = (np.zeros_like(kinds) for _ in range(3))
    for size, a, b in zip((one, test - one), world.first, world.second, strict=True):
        chance_b = _rate(b, shifts[1])
        wrong = rng.binomial(size, _rate(a, shifts[0]))
        together = rng.binomial(wrong, chance_b)
        both += together
        first_only += wrong - together
        second_only += rng.binomial(size - wrong, chance_b)
    return Counts(first_only=first_only, second_only=second_only, both=both, rows=test)


def classify_resamples(
    world: World, kinds: Ints, rows: int, test: int, times: int, shared: float, rng: np.random.Generator
) -> DrawnFolds:
    """Return `times` random test parts of `test` rows; two training parts share train / rows of their rows."""
    size = np.full((kinds.size, times), test)
    one = rng.hypergeometric(kinds[:, None], rows - kinds[:, None], size)
    shifts: list[Any] = _effects(size.shape, 1.0 - test / rows, shared, rng) if shared else [None, None]
    d = _differences(world, one, size, shifts, rng) / test
    return DrawnFolds(d=d[:, :, None], ratio=test / (rows - test))


def _effects(shape: tuple[int, ...], share: float, shared: float, rng: np.random.Generator) -> list[Floats]:
    """Return the effects of random training sets [trial, resample] on each learner; two share `share` of their rows."""
    return [
        shared
        * (np.sqrt(share) * rng.standard_normal((shape[0], 1)) + np.sqrt(1.0 - share) * rng.standard_normal(shape))
        for _ in range(2)
    ]


def classify_folds(
    world: World,
    kinds: Ints,
    rows: int,
    partitions: int,
    folds: int,
    shared: float,
    rng: np.random.Generator,
    beta: float = BETA,
) -> DrawnFolds:
    """Return `partitions` times the data set in `folds` folds; `beta` moves all error rates of a fold together."""
    shape, sizes = (kinds.size, partitions, folds), _fold_sizes(rows, folds)
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
            own = shared * training_sets(kinds.size, partitions, folds, rng)
            shifts[i] = own if common is None else own + common
    d = _differences(world, one, np.broadcast_to(sizes, shape), shifts, rng) / sizes
    return DrawnFolds(d=d, ratio=1.0 / (folds - 1))


def _fold_sizes(rows: int, folds: int) -> Ints:
    """Return the rows of each fold; the first have one more where they do not come out even."""
    return rows // folds + (np.arange(folds) < rows % folds)


def _differences(world: World, one: Ints, size: Ints, shifts: list[Any], rng: np.random.Generator) -> Ints:
    """Return the mistakes of the second minus those of the first, for every test set."""
    found = np.zeros(one.shape, dtype=np.int64)
    for rows, a, b in zip((one, size - one), world.first, world.second, strict=True):
        found += rng.binomial(rows, _rate(b, shifts[1]))
        found -= rng.binomial(rows, _rate(a, shifts[0]))
    return found


def training_sets(trials: int, partitions: int, folds: int, rng: np.random.Generator) -> Floats:
    """Return standard normal effects of training sets, correlated by the share of rows they have in common.

    Every row pulls the learner its own way; a training set is the whole less one fold. Within a partition two training
    sets share (k - 2)/(k - 1) of their rows, in different partitions (k - 1)/k of them on average.
    """
    whole = rng.standard_normal((trials, 1, 1))
    pulls = rng.standard_normal((trials, partitions, folds))
    fold = whole / np.sqrt(folds) + pulls - pulls.mean(axis=2, keepdims=True)
    return np.asarray((np.sqrt(folds) * whole - fold) / np.sqrt(folds - 1.0))


def _rate(rate: float, shift: Floats | None) -> Any:
    return rate if shift is None else np.clip(rate + shift, 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The shares of rows that only the first learner gets wrong, only the second, and both."""

    first_only: float
    second_only: float
    both: float


def answer_shares(error: float, difference: float, disagreement: float) -> Answers:
    """Return the shares of rows by who errs: the first on `error`, the second on `difference` more.

    The plan has refused what cannot be (`plans.simulation.cannot_differ`).
    """
    first_only, second_only = 0.5 * (disagreement - difference), 0.5 * (disagreement + difference)
    both = error - first_only
    return Answers(first_only=max(first_only, 0.0), second_only=second_only, both=max(both, 0.0))


def draw_data_sets(given: Answers, rows: int, trials: int, rng: np.random.Generator) -> Counts:
    """Return data sets of `rows` rows drawn from the population."""
    rest = 1.0 - given.first_only - given.second_only - given.both
    cells = rng.multinomial(rows, [given.first_only, given.second_only, given.both, max(rest, 0.0)], trials)
    return Counts(first_only=cells[:, 0], second_only=cells[:, 1], both=cells[:, 2], rows=rows)


def draw_test_part(found: Counts, test: int, shared: float, rng: np.random.Generator) -> Counts:
    """Return one test part of `test` rows; a training-set effect turns some answers of one learner into mistakes."""
    first, second, both = found.first_only, found.second_only, found.both
    if test < found.rows:
        first = rng.hypergeometric(found.first_only, found.rows - found.first_only, test)
        second = rng.hypergeometric(found.second_only, found.rows - found.first_only - found.second_only, test - first)
        rest = found.rows - found.first_only - found.second_only - both
        both = rng.hypergeometric(both, rest, test - first - second)
    if shared:
        moved = np.rint(test * shared * rng.standard_normal((2, first.size))).astype(np.int64)
        gap = moved[1] - moved[0]
        agreed = test - first - second - both
        grown = np.minimum(np.abs(gap), agreed)
        first, second = first + np.where(gap < 0, grown, 0), second + np.where(gap > 0, grown, 0)
    return Counts(first_only=first, second_only=second, both=both, rows=test)


def draw_folds(found: Counts, partitions: int, folds: int, shared: float, rng: np.random.Generator) -> DrawnFolds:
    """Return `partitions` times the rows in `folds` folds."""
    shape, sizes = (found.first_only.size, partitions, folds), _fold_sizes(found.rows, folds)
    one, two = (np.repeat(x[:, None], partitions, axis=1) for x in (found.first_only, found.second_only))
    rest = found.rows - one - two
    gap = np.empty(shape, dtype=np.int64)
    for fold, size in enumerate(sizes[:-1]):
        first = rng.hypergeometric(one, two + rest, size)
        second = rng.hypergeometric(two, rest, size - first)
        gap[:, :, fold] = second - first
        one, two, rest = one - first, two - second, rest - (size - first - second)
    gap[:, :, -1] = two - one
    d = gap / sizes
    if shared:
        pulls = [training_sets(shape[0], partitions, folds, rng) for _ in range(2)]
        d = d + shared * (pulls[1] - pulls[0])
    return DrawnFolds(d=d, ratio=1.0 / (folds - 1))


def draw_resamples(found: Counts, test: int, times: int, shared: float, rng: np.random.Generator) -> DrawnFolds:
    """Return `times` random test parts of `test` rows of the same data sets."""
    shape = (found.first_only.size, times)
    one, two = found.first_only[:, None], found.second_only[:, None]
    first = rng.hypergeometric(one, found.rows - one, test, shape)
    second = rng.hypergeometric(two, found.rows - one - two, test - first)
    d = np.asarray((second - first) / test)
    if shared:
        first_effect, second_effect = _effects(shape, 1.0 - test / found.rows, shared, rng)
        d = d + (second_effect - first_effect)
    return DrawnFolds(d=d[:, :, None], ratio=test / (found.rows - test))


def draw_dataset_differences(
    given: Answers, tested: int, datasets: int, spread: float, trials: int, rng: np.random.Generator
) -> Floats:
    """Return differences [trial, dataset] that scatter by `spread`, each measured on `tested` rows (0: exactly)."""
    difference = given.second_only - given.first_only
    noise = (given.first_only + given.second_only - difference**2) / tested if tested else 0.0
    scale = np.sqrt(spread**2 + max(noise, 0.0))
    return np.asarray(difference + scale * rng.standard_normal((trials, datasets)))
