"""Two learners that differ by a known amount and answer a row the same way whenever it is tested.

Dietterich's learners answer anew each time, so that their mistakes average out over partitions. Learners trained on
nearly the same rows do not: here the rows of a data set are dealt again, and what is known of each row stays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import ScriptError
from ...plans.simulation import cannot_differ
from .sampling import Counts, DrawnFolds, Floats, Ints, training_sets


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The shares of rows that only the first learner gets wrong, only the second, and both."""

    first_only: float
    second_only: float
    both: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSets:
    """Of each trial's rows: how many only the first learner gets wrong, and how many only the second."""

    first_only: Ints
    second_only: Ints
    both: Ints
    rows: int


def answers(error: float, difference: float, disagreement: float) -> Answers:
    """The first learner errs on `error` of the rows, the second on `difference` more; they differ on `disagreement`."""
    refused = cannot_differ(error, difference, disagreement)
    if refused is not None:
        raise ScriptError(refused[0], hint=refused[1])
    first_only, second_only = 0.5 * (disagreement - difference), 0.5 * (disagreement + difference)
    both = error - first_only
    return Answers(first_only=max(first_only, 0.0), second_only=second_only, both=max(both, 0.0))


def draw_data_sets(given: Answers, rows: int, trials: int, rng: np.random.Generator) -> DataSets:
    """Data sets of `rows` rows drawn from the population."""
    rest = 1.0 - given.first_only - given.second_only - given.both
    cells = rng.multinomial(rows, [given.first_only, given.second_only, given.both, max(rest, 0.0)], trials)
    return DataSets(first_only=cells[:, 0], second_only=cells[:, 1], both=cells[:, 2], rows=rows)


def one_test_part(found: DataSets, test: int, shared: float, rng: np.random.Generator) -> Counts:
    """One test part of `test` rows; a training-set effect turns some of the answers of one learner into mistakes."""
    first, second, both = found.first_only, found.second_only, found.both
    if test < found.rows:
        first = rng.hypergeometric(found.first_only, found.rows - found.first_only, test)
        second = rng.hypergeometric(
            found.second_only, _others(found.rows, found.first_only, found.second_only), test - first
        )
        rest = found.rows - found.first_only - found.second_only - both
        both = rng.hypergeometric(both, rest, test - first - second)
    if shared:
        moved = np.rint(test * shared * rng.standard_normal((2, first.size))).astype(np.int64)
        gap = moved[1] - moved[0]
        agreed = test - first - second - both
        grown = np.minimum(np.abs(gap), agreed)
        first, second = first + np.where(gap < 0, grown, 0), second + np.where(gap > 0, grown, 0)
    return Counts(first_only=first, second_only=second, both=both, rows=test)


def dealt(found: DataSets, partitions: int, folds: int, shared: float, rng: np.random.Generator) -> DrawnFolds:
    """`partitions` times the rows dealt into `folds` folds."""
    shape = (found.first_only.size, partitions, folds)
    sizes = np.full(folds, found.rows // folds)
    sizes[: found.rows % folds] += 1
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


def resampled(found: DataSets, test: int, times: int, shared: float, rng: np.random.Generator) -> DrawnFolds:
    """`times` random test parts of `test` rows of the same data sets."""
    shape = (found.first_only.size, times)
    one, two = found.first_only[:, None], found.second_only[:, None]
    first = rng.hypergeometric(one, found.rows - one, test, shape)
    second = rng.hypergeometric(two, found.rows - one - two, test - first)
    d = np.asarray((second - first) / test)
    if shared:
        share = 1.0 - test / found.rows
        pulls = [
            np.sqrt(share) * rng.standard_normal((shape[0], 1)) + np.sqrt(1.0 - share) * rng.standard_normal(shape)
            for _ in range(2)
        ]
        d = d + shared * (pulls[1] - pulls[0])
    return DrawnFolds(d=d[:, :, None], ratio=test / (found.rows - test))


def over_datasets(
    given: Answers, tested: int, datasets: int, spread: float, trials: int, rng: np.random.Generator
) -> Floats:
    """Differences [trial, dataset]: true ones scatter by `spread`; each is measured on `tested` rows (0: exactly)."""
    difference = given.second_only - given.first_only
    noise = (given.first_only + given.second_only - difference**2) / tested if tested else 0.0
    scale = np.sqrt(spread**2 + max(noise, 0.0))
    return np.asarray(difference + scale * rng.standard_normal((trials, datasets)))


def _others(rows: int, first: Ints, second: Ints) -> Ints:
    return rows - first - second
