"""Cards and functions of metrics, schemes, learners and steps match one to one and are filled in."""

from __future__ import annotations

import pytest

from evalang.catalogue.learners import LEARNERS, STEPS
from evalang.catalogue.metrics import METRICS, check_option, find_metric, metric_words, needs_positive
from evalang.catalogue.references import REFERENCES
from evalang.catalogue.schemes import SCHEMES, find_scheme
from evalang.scores.metrics import METRIC_FUNCTIONS, ROW_LOSSES

NINE = [
    "accuracy",
    "f-score",
    "lift",
    "roc-area",
    "average-precision",
    "break-even",
    "root-brier",
    "cross-entropy",
    "cal",
]
OTHERS = [
    "brier",
    "balanced-accuracy",
    "error",
    "precision",
    "recall",
    "mcc",
    "fit-time",
    "predict-time",
    "size",
    "rmse",
    "mae",
    "r2",
    "mape",
    "kappa",
    "specificity",
    "cost",
    "top-k",
]
KINDS = [
    "holdout",
    "guarded-holdout",
    "cv",
    "repeated-cv",
    "5x2cv",
    "partitions-cv",
    "partitions-5x2cv",
    "halvings",
    "resamples",
    "trainings",
    "leave-one-out",
    "bootstrap",
    "forward",
    "given-folds",
    "given-test",
    "predictions",
    "items",
    "results",
]


def test_every_metric_card_has_one_function_and_every_function_one_card() -> None:
    assert [entry.name for entry in METRICS] == list(dict.fromkeys(entry.name for entry in METRICS))
    assert {entry.name for entry in METRICS} == set(METRIC_FUNCTIONS) == {*NINE, *OTHERS}
    assert len(set(METRIC_FUNCTIONS.values())) == len(METRIC_FUNCTIONS)
    assert {entry.name for entry in METRICS if entry.row_loss} == set(ROW_LOSSES)


@pytest.mark.parametrize("entry", METRICS, ids=lambda e: e.name)
def test_a_metric_card_is_filled_in(entry) -> None:  # type: ignore[no-untyped-def]
    assert entry.title
    assert entry.method.endswith(".")
    assert entry.baseline
    assert entry.tasks
    for name, default in entry.options:
        assert check_option(entry, name, default) is None
    assert not entry.positive or "two-class" in entry.tasks


def test_words_name_one_metric_each() -> None:
    assert len(metric_words()) == len(set(metric_words())) == sum(1 + len(e.aliases) for e in METRICS)
    assert all(find_metric(alias) is entry for entry in METRICS for alias in entry.aliases)
    log_loss = find_metric("log-loss")
    assert log_loss is not None
    assert log_loss.name == "cross-entropy"
    assert find_metric("nonsense") is None


def test_which_metrics_must_be_told_the_positive_class() -> None:
    f_score = find_metric("f-score")
    assert f_score is not None
    assert needs_positive(f_score, {}, 2)
    assert not needs_positive(f_score, {}, 3)
    assert not needs_positive(f_score, {"average": "macro"}, 2)
    told = {entry.name for entry in METRICS if entry.positive}
    assert told == {"f-score", "lift", "average-precision", "break-even", "precision", "recall", "specificity", "cost"}


def test_directions_of_the_nine() -> None:
    lower = {entry.name for entry in METRICS if not entry.higher_is_better}
    assert lower & set(NINE) == {"root-brier", "cross-entropy", "cal"}


def test_schemes_are_all_there_and_consistent() -> None:
    assert [entry.kind for entry in SCHEMES] == KINDS
    for entry in SCHEMES:
        assert find_scheme(entry.kind) is entry
        assert entry.form
        assert entry.method.endswith(".")
    once = {entry.kind for entry in SCHEMES if entry.rows_tested_once}
    assert {"holdout", "cv", "leave-one-out", "given-test", "predictions"} <= once
    assert once.isdisjoint({"repeated-cv", "5x2cv", "partitions-cv", "resamples", "trainings", "bootstrap", "results"})
    apart = {entry.kind for entry in SCHEMES if not entry.training_overlap}
    assert {"holdout", "trainings", "given-test"} <= apart


def test_steps_are_filled_in() -> None:
    assert {"scale", "impute", "one-hot", "discretize", "select", "pca"} <= {step.name for step in STEPS}
    assert all(step.method.endswith(".") and step.title for step in STEPS)


def test_references_exist() -> None:
    known = {reference.key for reference in REFERENCES}
    assert {key for card in (*METRICS, *SCHEMES, *LEARNERS) for key in card.references} <= known
