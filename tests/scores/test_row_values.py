"""The mean of the rows' values is the metric, and their spread is the metric's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evalang.scores.answer import Answer
from evalang.scores.metrics import score
from evalang.scores.row_values import row_values
from evalang.verdicts.tests.outcome_tests import delong

CLASSES = ("accuracy", "error", "brier", "root-brier", "cross-entropy", "roc-area", "balanced-accuracy", "mcc", "kappa")
NUMBERS = ("rmse", "mae", "mape")


def drawn(metric: str, rows: int, rng: np.random.Generator) -> Answer:
    """Answers with ties among the scores."""
    if metric in NUMBERS:
        truth = rng.normal(size=rows)
        return Answer(truth=truth, labels=truth + rng.normal(0.3, 2.0, rows))
    truth = (rng.random(rows) < 0.4).astype(np.intp)
    scores = np.round(np.clip(rng.beta(2, 2, rows) + 0.2 * (truth - 0.5), 0.02, 0.98), 2)
    return Answer(truth=truth, labels=(scores >= 0.5).astype(np.intp), scores=scores, classes=("a", "b"))


@pytest.mark.parametrize("metric", CLASSES + NUMBERS)
def test_the_mean_is_the_metric(metric: str) -> None:
    rng = np.random.default_rng(1)
    for rows in (7, 40, 333):
        answer = drawn(metric, rows, rng)
        assert row_values(metric, answer).mean() == pytest.approx(score(metric, answer), abs=1e-12)


def test_what_a_row_adds_follows_the_options() -> None:
    rng = np.random.default_rng(4)
    two = replace(drawn("cost", 90, rng), positive=1)
    dear = [("fp", 1.0), ("fn", 20.0)]
    assert row_values("cost", two, dear).mean() == pytest.approx(score("cost", two, dear), abs=1e-12)
    many = Answer(truth=np.arange(90) % 3, labels=np.zeros(90), scores=rng.random((90, 3)), classes=("a", "b", "c"))
    values = row_values("top-k", many, [("k", 2)])
    assert set(values) == {0.0, 1.0}
    assert values.mean() == pytest.approx(score("top-k", many, [("k", 2)]), abs=1e-12)


@pytest.mark.parametrize("metric", ["rmse", "root-brier", "roc-area", "mcc", "kappa"])
def test_the_spread_is_that_of_the_metric_over_new_rows(metric: str) -> None:
    """Where the metric is no mean: the standard error from one test set against the spread over 1,000 of them."""
    rng = np.random.default_rng(2)
    many = [drawn(metric, 150, rng) for _ in range(1000)]
    seen = np.std([score(metric, one) for one in many])
    told = np.mean([row_values(metric, one).std(ddof=1) / np.sqrt(one.rows) for one in many[:200]])
    assert told == pytest.approx(seen, rel=0.06)


def test_of_two_areas_the_standard_error_is_delongs() -> None:
    rng = np.random.default_rng(3)
    one = drawn("roc-area", 400, rng)
    assert one.scores is not None
    other = Answer(
        truth=one.truth,
        labels=one.labels,
        scores=np.clip(one.scores + rng.normal(0, 0.2, 400), 0, 1),
        classes=("a", "b"),
    )
    values = row_values("roc-area", one) - row_values("roc-area", other)
    found = delong(one.truth == 1, one.scores, other.scores)
    assert found.difference is not None
    assert found.statistic is not None
    assert values.mean() == pytest.approx(found.difference)
    assert values.std(ddof=1) / 20 == pytest.approx(found.difference / found.statistic, rel=0.01)
