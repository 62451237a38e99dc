"""Calibration against R's glm and isoreg (tests/golden), and its contracts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from evalang.errors import DataError
from evalang.trials.calibrate import apply, apply_map, fit, fit_isotonic, fit_platt, fit_range
from tests.golden.load import agrees, cases

SMOOTHED = [c for c in cases("platt_scaling", behavior="value") if c.values[0]["options"]["targets"] == "smoothed"]


@pytest.mark.parametrize("case", SMOOTHED)
def test_platt_is_that_of_glm(case: dict[str, Any]) -> None:
    inputs = case["inputs"]
    got = fit_platt(np.array(inputs["scores"], dtype=float), np.array(inputs["y"]) == 1)
    chances = apply_map(got, np.array(inputs["new_scores"], dtype=float))
    agrees(case, A=got.slope, B=got.offset, predictions=list(chances))


@pytest.mark.parametrize("case", cases("isotonic"))
def test_isotonic_is_that_of_isoreg(case: dict[str, Any]) -> None:
    x = np.array(case["inputs"]["x"], dtype=float)
    stairs = fit_isotonic(x, np.array(case["inputs"]["y"], dtype=float))
    agrees(case, fitted=list(apply_map(stairs, x)))


def sample(n: int = 120, k: int = 2, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    truth = np.append(np.arange(k), rng.integers(0, k, n - k))
    scores = rng.normal(size=(n, k)) + 1.5 * np.eye(k)[truth]
    return (scores if k > 2 else scores[:, 1] - scores[:, 0]), truth


@given(shift=st.floats(-1e3, 1e3), scale=st.floats(1e-6, 1e6))
@settings(max_examples=40, deadline=None)
def test_platt_does_not_depend_on_the_unit_of_the_scores(shift: float, scale: float) -> None:
    scores, truth = sample()
    plain = apply(fit("platt", scores, truth), scores)
    other = (scores + shift) * scale
    moved = apply(fit("platt", other, truth), other)
    assert moved == pytest.approx(plain, abs=1e-7)


@pytest.mark.parametrize("method", ["platt", "isotonic", "range"])
def test_probabilities_rise_with_the_score(method: Any) -> None:
    scores, truth = sample()
    grid = np.linspace(-20, 20, 400)
    chances = apply(fit(method, scores, truth), grid)
    assert (np.diff(chances) >= 0).all()
    assert ((chances >= 0) & (chances <= 1)).all()


@pytest.mark.parametrize("method", ["platt", "isotonic", "range"])
def test_many_classes_sum_to_one(method: Any) -> None:
    scores, truth = sample(k=4)
    chances = apply(fit(method, scores, truth), scores)
    assert chances.shape == scores.shape
    assert chances.sum(axis=1) == pytest.approx(1.0)
    far = apply(fit(method, scores, truth), np.full((3, 4), -1e9))
    assert np.isfinite(far).all()
    assert far.sum(axis=1) == pytest.approx(1.0)


def test_two_columns_are_the_second() -> None:
    scores, truth = sample()
    both = np.column_stack([-scores, scores])
    assert apply(fit("platt", both, truth), both) == pytest.approx(apply(fit("platt", scores, truth), scores))


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_weights_are_repeated_rows(method: Any) -> None:
    scores, truth = sample()
    times = np.random.default_rng(3).integers(1, 4, len(truth))
    weighted = fit(method, scores, truth, times.astype(float))
    repeated = fit(method, np.repeat(scores, times), np.repeat(truth, times))
    assert apply(weighted, scores) == pytest.approx(apply(repeated, scores), abs=1e-9)


def test_rows_without_weight_do_not_count() -> None:
    scores, truth = sample()
    weights = np.ones(len(truth))
    weights[::3] = 0
    got = fit_isotonic(scores, truth.astype(float), weights)
    kept = weights > 0
    assert got == fit_isotonic(scores[kept], truth[kept].astype(float))


def test_isotonic_between_scores_agrees_with_scikit_learn() -> None:
    scores, truth = sample(seed=5)
    scores = np.round(scores, 1)
    grid = np.linspace(-8, 8, 333)
    peer = IsotonicRegression(out_of_bounds="clip").fit(scores, truth).predict(grid)
    assert apply(fit("isotonic", scores, truth), grid) == pytest.approx(peer, abs=1e-12)


def test_margins_are_scaled_linearly() -> None:
    line = fit_range(np.array([-2.0, 0.0, 6.0]))
    assert apply_map(line, np.array([-2.0, 2.0, 6.0, 9.0])).tolist() == [0.0, 0.5, 1.0, 1.0]
    assert apply_map(fit_range(np.array([3.0])), np.array([1.0, 3.0])).tolist() == [0.5, 0.5]


def test_constant_scores_give_the_smoothed_share() -> None:
    truth = np.array([1, 1, 1, 0])
    chance = apply(fit("platt", np.zeros(4), truth), np.array([0.0, 5.0]))
    expected = (3 * (4 / 5) + 1 / 3) / 4
    assert chance == pytest.approx([expected, expected])


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_a_class_missing_from_the_calibration_part_is_said(method: Any) -> None:
    with pytest.raises(DataError, match="every class"):
        fit(method, np.array([0.1, 0.2]), np.array([1, 1]))
    with pytest.raises(DataError, match="0 scores"):
        fit(method, np.array([]), np.array([], dtype=int))
    with pytest.raises(DataError, match="finite"):
        fit(method, np.array([0.1, np.nan]), np.array([0, 1]))
