"""Every metric against R's hand formulas, ROCR and MLmetrics (tests/golden/cases.json)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from evalang.errors import DataError
from evalang.scores.answer import Answer
from evalang.scores.metrics import score
from tests.golden.load import agrees, cases

NAMES = {
    "accuracy": "accuracy",
    "f1": "f-score",
    "lift_25": "lift",
    "roc_auc": "roc-area",
    "average_precision": "average-precision",
    "break_even_point": "break-even",
    "rmse": "root-brier",
    "brier": "brier",
    "log_loss": "cross-entropy",
    "cal": "cal",
}


def answer_of(case: dict[str, Any], order: Any = slice(None)) -> Answer:
    chance = np.array(case["inputs"]["p"], dtype=float)[order]
    return Answer(
        truth=np.array(case["inputs"]["y"])[order],
        labels=(chance >= 0.5).astype(int),
        scores=chance,
        classes=("no", "yes"),
        positive=1,
    )


@pytest.mark.parametrize("case", cases("classification_metrics", behavior="value"))
def test_value_is_that_of_r(case: dict[str, Any]) -> None:
    agrees(case, **{key: score(NAMES[key], answer_of(case)) for key in case["expected"]})


@pytest.mark.parametrize("case", cases("classification_metrics", behavior="value"))
def test_order_of_rows_is_irrelevant(case: dict[str, Any]) -> None:
    order = np.random.default_rng(1).permutation(len(case["inputs"]["y"]))
    agrees(case, **{key: score(NAMES[key], answer_of(case, order)) for key in case["expected"]})


@pytest.mark.parametrize("case", cases("classification_metrics", behavior="undefined"))
def test_undefined_is_an_error_or_a_documented_number(case: dict[str, Any]) -> None:
    for key, expected in case["expected"].items():
        if key == "log_loss":  # -ln 0, clipped where the card says
            assert score("cross-entropy", answer_of(case)) == pytest.approx(
                (-math.log(2.0**-52) - math.log(0.9) - math.log(0.7)) / 3, rel=1e-12
            )
        elif math.isnan(expected):
            with pytest.raises(DataError):
                score(NAMES[key], answer_of(case))
        else:
            agrees(case, **{key: score(NAMES[key], answer_of(case))})


def test_cal_of_a_shorter_window_accepts_fewer_rows() -> None:
    (case,) = (param.values[0] for param in cases("classification_metrics", prefix="classification_metrics-016"))
    got = score("cal", answer_of(case), [("window", len(case["inputs"]["y"]))])
    assert got == pytest.approx(case["accept"][0]["cal"], rel=1e-9)
