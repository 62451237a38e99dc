"""Data sets of learners that differ by a known amount, and their parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalang.verdicts.simulation.draws import answer_shares, draw_data_sets, draw_folds, draw_resamples, draw_test_part

TRIALS = 30_000


@given(error=st.floats(0.01, 0.4), difference=st.floats(0.0, 0.2), share=st.floats(0.0, 1.0))
def test_error_rates_and_disagreement(error: float, difference: float, share: float) -> None:
    disagreement = difference + share * 2 * error
    found = answer_shares(error, difference, disagreement)
    assert found.first_only + found.both == pytest.approx(error)
    assert found.second_only + found.both == pytest.approx(error + difference)
    assert found.first_only + found.second_only == pytest.approx(disagreement)
    assert min(found.first_only, found.second_only, found.both) >= 0.0


def test_the_difference_measured_has_the_mean_and_variance_of_sampled_rows() -> None:
    """psi - d^2 over the rows tested (Connor 1987): for a test part, for pooled folds, for one half."""
    rng = np.random.default_rng(0)
    psi, d, n = 0.15, 0.04, 200
    found = draw_data_sets(answer_shares(0.2, d, psi), n, TRIALS, rng)
    counts = draw_test_part(found, 60, 0.0, rng)
    folds, halves = draw_folds(found, 1, 10, 0.0, rng), draw_folds(found, 1, 2, 0.0, rng)
    for measured, rows in (
        ((counts.second_only - counts.first_only) / 60, 60),
        (folds.d.mean(axis=(1, 2)), n),
        (halves.d[:, 0, 0], n / 2),
        (draw_resamples(found, 60, 3, 0.0, rng).d[:, 1, 0], 60),
    ):
        variance = (psi - d * d) / rows
        assert abs(measured.mean() - d) < 4 * (variance / TRIALS) ** 0.5
        assert measured.var() == pytest.approx(variance, rel=0.05)


def test_dealing_the_same_rows_again_changes_no_total() -> None:
    rng = np.random.default_rng(1)
    found = draw_data_sets(answer_shares(0.2, 0.05, 0.15), 103, 200, rng)
    d = draw_folds(found, 4, 10, 0.0, rng).d * np.array([11] * 3 + [10] * 7)
    assert np.array_equal(
        np.round(d.sum(axis=2)), np.repeat((found.second_only - found.first_only)[:, None], 4, axis=1)
    )


def test_a_training_set_effect_adds_variance() -> None:
    rng = np.random.default_rng(2)
    found = draw_data_sets(answer_shares(0.2, 0.0, 0.1), 300, TRIALS, rng)
    plain, moved = (draw_folds(found, 1, 10, s, rng).d.mean(axis=(1, 2)).var() for s in (0.0, 0.02))
    # Two learners, each with the mean of ten effects that correlate by 8/9: 2 * s^2 * (1 + 9 * 8/9) / 10.
    assert moved - plain == pytest.approx(2 * 0.02**2 * 0.9, rel=0.1)

    def single(share: float) -> tuple[float, float]:
        counts = draw_test_part(found, 100, share, rng)
        return np.var((counts.second_only - counts.first_only) / 100), draw_resamples(found, 100, 2, share, rng).d.var()

    for still, shaken in zip(single(0.0), single(0.02), strict=True):
        assert shaken - still == pytest.approx(2 * 0.02**2, rel=0.15)
