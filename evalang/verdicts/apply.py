"""One test of a plan applied to the evidence of one pair (or of all learners)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from ..catalogue.entry import MetricEntry, TestEntry
from ..catalogue.metrics import find_metric
from ..catalogue.tests import find_test
from ..errors import TestError
from ..plans.model import Comparison, Metric, Test
from ..scores.answer import Answer
from ..scores.metrics import score
from .arithmetic.effect_sizes import superiority
from .evidence import Evidence, Floats
from .functions import FUNCTIONS
from .result import Alternative, PostHoc, TestResult

# The difference test whose standard error an equivalence test borrows, by scheme.
_BASES = {"5x2cv": "5x2cv-t", "partitions-5x2cv": "averaged-t"}
_ROWS = ("holdout", "given-test", "predictions")


def card_of(test: Test) -> TestEntry:
    """The card of a planned test."""
    card = find_test(test.name)
    if card is None:
        raise TestError(f"there is no test named {test.name}")
    return card


def metric_card(metric: Metric) -> MetricEntry:
    """The card of a planned metric."""
    card = find_metric(metric.name)
    if card is None:
        raise TestError(f"there is no metric named {metric.name}")
    return card


def side(comparison: Comparison, metric: Metric, pair: tuple[str, str]) -> Alternative:
    """`expecting A better` in terms of first minus second raw score."""
    if comparison.expecting is None or comparison.expecting not in pair:
        return "two-sided"
    first_expected = comparison.expecting == pair[0]
    return "greater" if first_expected == metric_card(metric).higher_is_better else "less"


def rng_of(comparison: Comparison, *key: str) -> np.random.Generator:
    """A generator of its own for each test, so that no other test changes its draws."""
    root = comparison.seed.value if comparison.seed else 0
    words = np.frombuffer("\x1f".join((comparison.name, *key)).encode("utf-8", "surrogatepass"), dtype=np.uint8)
    return np.random.default_rng(np.random.SeedSequence(root, spawn_key=tuple(int(w) for w in words)))


def apply_pair(
    comparison: Comparison, evidence: Evidence, test: Test, metric: Metric, pair: tuple[str, str], dataset: str | None
) -> TestResult:
    """The result of a two-learner test, a win being a unit on which the first learner is better; TestError when it
    cannot be computed."""
    found = _raw(comparison, evidence, test, metric, pair, dataset)
    if metric_card(metric).higher_is_better:
        return found
    turned = dataclasses.replace(found, wins=found.losses, losses=found.wins)
    if found.test != "sign" or found.statistic is None:
        return turned
    # Its statistic and its effect are made of wins, and have to be of the same ones.
    effect = superiority(turned.wins, turned.ties, turned.losses)
    return dataclasses.replace(turned, statistic=found.statistic + turned.wins - found.wins, effect=effect)


def _raw(
    comparison: Comparison, evidence: Evidence, test: Test, metric: Metric, pair: tuple[str, str], dataset: str | None
) -> TestResult:
    card = card_of(test)
    options: dict[str, Any] = {name.replace("-", "_"): value for name, value in test.options}
    options["level"] = 1.0 - comparison.alpha.value
    if card.one_sided:
        options["alternative"] = side(comparison, metric, pair)
    if card.random:
        options["rng"] = rng_of(comparison, test.name, metric.label, *pair, dataset or "")
    if not card.gives_p:
        options["rope"] = comparison.rope.value if comparison.rope else 0.0
    if test.name == "tost":
        return equivalence(comparison, evidence, metric, pair, dataset, margin=_margin(comparison))
    function: Callable[..., TestResult] = FUNCTIONS[test.name]
    if dataset is None:
        scores = evidence.dataset_scores(metric.label)
        if test.name in ("bootstrap", "permutation"):
            options["unit"] = "dataset"
        return function(scores[pair[0]], scores[pair[1]], **options)
    return _on_dataset(comparison, evidence, card, metric, pair, dataset, function, options)


def _on_dataset(
    comparison: Comparison,
    evidence: Evidence,
    card: TestEntry,
    metric: Metric,
    pair: tuple[str, str],
    dataset: str,
    function: Callable[..., TestResult],
    options: dict[str, Any],
) -> TestResult:
    first, second = pair
    label = metric.label
    if card.evidence == "fold-scores":
        scores = {name: _shaped(comparison, values) for name, values in evidence.fold_scores(dataset, label).items()}
        train, test_rows = evidence.sizes(dataset)
        return function(scores[first], scores[second], train_size=train, test_size=test_rows, **options)
    if card.evidence == "training-losses":
        losses = towards(metric, evidence.training_losses(dataset, label))
        return function(losses[first], losses[second], **options)
    if card.evidence == "row-scores" and card.name != "bootstrap":
        truth, ranked = evidence.row_scores(dataset)
        return function(truth, ranked[first], ranked[second], **options)
    weighted = card.name == "bootstrap" and next(iter(evidence.answers(dataset, label).values())).weights is not None
    if card.name == "bootstrap" and (weighted or not metric_card(metric).row_loss):
        return _bootstrap_metric(evidence, metric, pair, dataset, function, options)
    if card.evidence == "row-losses" or (
        card.name in ("bootstrap", "permutation") and metric.name not in ("accuracy", "error")
    ):
        losses = towards(metric, evidence.row_losses(dataset, label))
        return function(losses[first], losses[second], **options)
    right = evidence.outcomes(dataset)
    if metric.name == "error":  # outcomes are right or wrong; the error counts the wrong ones
        right = {name: ~values for name, values in right.items()}
    return function(right[first], right[second], **options)


def _shaped(comparison: Comparison, values: Floats) -> Floats:
    """N partitions of 5x2cv as [partition, replication, fold]."""
    if comparison.scheme and comparison.scheme.kind == "partitions-5x2cv":
        return values.reshape(-1, 5, 2)
    return values


def towards(metric: Metric, losses: dict[str, Floats]) -> dict[str, Floats]:
    """Losses turned so that their mean moves with the metric: higher accuracy is a smaller loss."""
    if not metric_card(metric).higher_is_better:
        return losses
    return {name: -values for name, values in losses.items()}


def _columns(answer: Answer) -> Floats:
    parts = [np.asarray(answer.labels, dtype=np.float64)[:, None]]
    if answer.scores is not None:
        parts.append(np.asarray(answer.scores, dtype=np.float64).reshape(answer.rows, -1))
    if answer.weights is not None:
        parts.append(np.asarray(answer.weights, dtype=np.float64)[:, None])
    return np.concatenate(parts, axis=1)


def _bootstrap_metric(
    evidence: Evidence,
    metric: Metric,
    pair: tuple[str, str],
    dataset: str,
    function: Callable[..., TestResult],
    options: dict[str, Any],
) -> TestResult:
    answers = evidence.answers(dataset, metric.label)
    one, two = answers[pair[0]], answers[pair[1]]
    wide = 0 if one.scores is None else int(np.prod(one.scores.shape[1:], dtype=int)) or 1
    flat = one.scores is not None and one.scores.ndim == 1

    def measured(truth: Any, columns: Floats) -> float:
        scores = columns[:, 1 : 1 + wide] if wide else None
        drawn = Answer(
            truth=truth.astype(one.truth.dtype),
            labels=columns[:, 0].astype(one.labels.dtype),
            scores=scores[:, 0] if scores is not None and flat else scores,
            classes=one.classes,
            positive=one.positive,
            probabilities=one.probabilities,
            weights=columns[:, 1 + wide] if one.weights is not None else None,
        )
        return score(metric.name, drawn, metric.options)

    return function(_columns(one), _columns(two), truth=one.truth, metric=measured, **options)


def apply_omnibus(
    comparison: Comparison, evidence: Evidence, test: Test, metric: Metric, dataset: str | None
) -> TestResult:
    """The result of a test of all learners at once."""
    function: Callable[..., TestResult] = FUNCTIONS[test.name]
    if dataset is not None:
        right = evidence.outcomes(dataset)
        return function(np.column_stack([right[name] for name in evidence.learners]))
    return function(_table(evidence, metric), higher_is_better=metric_card(metric).higher_is_better, **_plain(test))


def apply_post_hoc(comparison: Comparison, evidence: Evidence, test: Test, metric: Metric) -> PostHoc:
    """The result of a test of many pairs at once (nemenyi, bonferroni-dunn)."""
    function: Callable[..., PostHoc] = FUNCTIONS[test.name]
    options = {**_plain(test), "level": 1.0 - comparison.alpha.value}
    if test.name == "bonferroni-dunn":
        control = comparison.control or evidence.learners[0]
        options["control"] = evidence.learners.index(control)
    return function(_table(evidence, metric), higher_is_better=metric_card(metric).higher_is_better, **options)


def _plain(test: Test) -> dict[str, Any]:
    return {name.replace("-", "_"): value for name, value in test.options}


def _table(evidence: Evidence, metric: Metric) -> Floats:
    scores = evidence.dataset_scores(metric.label)
    return np.column_stack([scores[name] for name in evidence.learners])


def _margin(comparison: Comparison) -> float:
    if comparison.rope is None:
        raise TestError("tost needs a margin", hint="say which difference does not matter: rope 1 point")
    return comparison.rope.value


def equivalence(
    comparison: Comparison,
    evidence: Evidence,
    metric: Metric,
    pair: tuple[str, str],
    dataset: str | None,
    *,
    margin: float,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """tost with the standard error of the scheme's own difference test (never the plain t on overlapping folds)."""
    first, second = pair
    label = metric.label
    tost: Callable[..., TestResult] = FUNCTIONS["tost"]
    shared: dict[str, Any] = {"margin": margin, "alternative": alternative, "level": 1.0 - comparison.alpha.value}
    if dataset is None:
        scores = evidence.dataset_scores(label)
        return tost(scores[first], scores[second], base="paired-t", **shared)
    kind = comparison.scheme.kind if comparison.scheme else comparison.data
    if kind in _ROWS:
        if metric.name in ("accuracy", "error"):
            right = evidence.outcomes(dataset)
            wrong = metric.name == "error"
            rows = {name: (~v if wrong else v).astype(np.float64) for name, v in right.items()}
        else:
            rows = towards(metric, evidence.row_losses(dataset, label))
        return tost(rows[first], rows[second], base="row-t", **shared)
    values = {name: _shaped(comparison, v) for name, v in evidence.fold_scores(dataset, label).items()}
    train, test_rows = evidence.sizes(dataset)
    base = _BASES.get(kind, "corrected-t")
    return tost(values[first], values[second], base=base, train_size=train, test_size=test_rows, **shared)
