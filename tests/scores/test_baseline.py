"""The baseline of every metric, reckoned by hand from the share of positives."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evalang.catalogue.metrics import METRICS
from evalang.scores.answer import Answer
from evalang.scores.cell_scores import baseline_score


def two_class(share: float, n: int = 400) -> Answer:
    truth = (np.arange(n) < share * n).astype(int)
    return Answer(truth=truth, labels=truth, scores=truth.astype(float), classes=("a", "b"), positive=1)


def test_baselines_are_those_on_the_cards() -> None:
    p = 0.2
    expected = {
        "accuracy": 1 - p,
        "error": p,
        "balanced-accuracy": 0.5,
        "mcc": 0.0,
        "lift": 1.0,
        "roc-area": 0.5,
        "average-precision": p,
        "break-even": p,
        "brier": p * (1 - p),
        "root-brier": math.sqrt(p * (1 - p)),
        "cross-entropy": -p * math.log(p) - (1 - p) * math.log(1 - p),
        "cal": 0.0,
    }
    for name, value in expected.items():
        assert baseline_score(name, two_class(p)) == pytest.approx(value, abs=1e-12), name
    assert all(entry.baseline for entry in METRICS)


def test_baseline_for_numbers_is_the_mean() -> None:
    truth = np.array([1.0, 2.0, 6.0])
    answer = Answer(truth=truth, labels=truth)
    assert baseline_score("rmse", answer) == pytest.approx(truth.std())
    assert baseline_score("r2", answer) == pytest.approx(0.0)
