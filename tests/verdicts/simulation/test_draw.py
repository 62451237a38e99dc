"""Simulated counts have the distribution of rows that are split and classified one by one."""

from __future__ import annotations

import numpy as np
import pytest

from evalang.verdicts.simulation.draws import (
    World,
    classify_folds,
    classify_holdout,
    classify_resamples,
    dietterich,
    draw_kinds,
    training_sets,
)

TRIALS = 40_000
WORLD = dietterich(0.3)


def near(found: float, expected: float, se: float) -> bool:
    """Whether a simulated mean is within four standard errors of the expected one."""
    return abs(found - expected) < 4 * se


def test_a_test_part_has_the_cells_of_the_two_by_two_table() -> None:
    rng = np.random.default_rng(0)
    found = classify_holdout(WORLD, draw_kinds(WORLD, 300, TRIALS, rng), 300, 100, 0.0, rng)
    both = 0.5 * (0.15 * 0.45) * 2  # each half has the product of .15 and .45
    assert near(float(found.both.mean()), 100 * both, (100 * both / TRIALS) ** 0.5)
    for only in (found.first_only, found.second_only):
        assert near(float(only.mean()), 100 * (0.3 - both), (100 * 0.25 / TRIALS) ** 0.5)


def test_the_folds_of_a_partition_hold_every_row_once() -> None:
    """A learner that errs exactly on rows of the first kind makes as many mistakes in each partition as there are."""
    certain = World(share=0.5, first=(1.0, 0.0), second=(0.0, 0.0))
    rng = np.random.default_rng(1)
    kinds = draw_kinds(certain, 103, 500, rng)
    found = classify_folds(certain, kinds, 103, 3, 10, 0.0, rng, beta=0.0)
    sizes = np.array([11] * 3 + [10] * 7)
    assert np.array_equal(np.round(-(found.d * sizes).sum(axis=2)), np.repeat(kinds[:, None], 3, axis=1))


def test_resamples_of_one_data_set_vary_together() -> None:
    """The variance of a trial's mean difference has a part that no number of resamples takes away."""
    rng = np.random.default_rng(2)
    kinds = draw_kinds(WORLD, 300, 4000, rng)
    found = classify_resamples(WORLD, kinds, 300, 100, 400, 0.0, rng)
    # Given h rows of the first kind the mean difference is (h/n - 1/2) * 2 * 0.3, so its variance is 0.09 * 4 / (4 n).
    expected = 4 * 0.3**2 * 0.25 / 300
    assert float(found.d.mean(axis=(1, 2)).var()) == pytest.approx(expected, rel=0.12)


@pytest.mark.parametrize("folds", [2, 5, 10])
def test_training_sets_correlate_by_the_rows_they_share(folds: int) -> None:
    effects = training_sets(60_000, 2, folds, np.random.default_rng(3)).reshape(60_000, -1)
    found = np.corrcoef(effects.T)
    assert effects.std(axis=0) == pytest.approx(1.0, abs=0.02)
    assert found[0, 1] == pytest.approx((folds - 2) / (folds - 1), abs=0.02)
    assert found[0, folds] == pytest.approx((folds - 1) / folds, abs=0.02)
