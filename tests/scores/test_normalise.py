"""Normalised scores against the stored cases (Caruana & Niculescu-Mizil, section 2.3)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from evalang.errors import DataError
from evalang.scores.metrics import normalise
from tests.golden.load import agrees, cases


@pytest.mark.parametrize("case", cases("normalized_score"))
def test_zero_is_the_baseline_and_one_the_best(case: dict[str, Any]) -> None:
    inputs = case["inputs"]
    agrees(case, normalized=normalise("accuracy", inputs["scores"], inputs["baseline"]))


@pytest.mark.parametrize("case", cases("paper_example", prefix="paper-car-070"))
def test_the_papers_scale(case: dict[str, Any]) -> None:
    inputs = case["inputs"]
    agrees(case, value=normalise("accuracy", [inputs["score"], inputs["best"]], inputs["baseline"])[0])


def test_lower_is_better_turns_the_scale() -> None:
    assert normalise("brier", [0.1, 0.2, 0.3], baseline=0.25) == pytest.approx([1.0, 1 / 3, -1 / 3])


def test_cal_is_scaled_between_the_mean_and_the_best() -> None:
    assert normalise("cal", [0.02, 0.04, 0.06], baseline=0.0) == pytest.approx([1.0, 0.0, -1.0])


def test_corners() -> None:
    assert normalise("cal", [0.1, 0.1], baseline=0.0) == [0.0, 0.0]
    assert normalise("accuracy", [0.5, 0.5], baseline=0.5) == [0.0, 0.0]
    with pytest.raises(DataError, match="better than the baseline"):
        normalise("accuracy", [0.4, 0.3], baseline=0.5)
    with pytest.raises(DataError, match="finite"):
        normalise("accuracy", [0.4, math.nan], baseline=0.5)
    with pytest.raises(DataError, match="at least one"):
        normalise("accuracy", [], baseline=0.5)
