"""One test of a plan applied to the evidence of one pair (or of all learners)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from ..catalogue.entry import MetricEntry
from ..errors import TestError
from ..plans.model import Comparison, Metric, Test
from ..results.records import Alternative, PostHoc, TestResult
from ..scores.answer import Answer
from ..scores.epochs import reduced_by_mean
from ..scores.metrics import ROOTS, score
from .arithmetic.differences import Sided, size_ratio
from .arithmetic.effect_sizes import superiority
from .compute import compute, shapes_of
from .evidence import (
    DatasetFolds,
    DatasetScores,
    Evidence,
    Floats,
    FoldScores,
    GroupedRows,
    HalvedScores,
    Many,
    ManyDatasetScores,
    ManyOutcomes,
    Outcomes,
    Pair,
    RetrainedRows,
    RowLosses,
    RowPredictions,
    RowScores,
    TimedRows,
    TrainingLosses,
    WithHalvings,
)
from .item_evidence import ItemEvidence
from .tests.cluster_permutation import of_flipped
from .tests.cluster_t import of_variance
from .tests.item_interval import variance_split
from .tests.tost import BASES

COUNTED = ("accuracy", "error")  # metrics that count rows right or wrong
OF_GROUPS = ("cluster-t", "cluster-permutation")
_BY_ROW = ("test row", "group", "time stamp")  # units made of rows


def metric_card(metric: Metric) -> MetricEntry:
    """The card of a planned metric."""
    card = metric.card
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
    if metric.name in ROOTS and found.unit in _BY_ROW:  # a tangent's values have a mean, and no winner on single rows
        found = dataclasses.replace(found, wins=0, ties=0, losses=0)
    if comparison.units == "items" and dataset is not None:
        found = of_items(found)
        if isinstance(evidence, ItemEvidence) and reduced_by_mean(metric):
            split = variance_split(*(evidence.samples(dataset, name) for name in pair))
            found = dataclasses.replace(found, details=(*found.details, *split))
    if metric_card(metric).higher_is_better:
        return found
    turned = dataclasses.replace(found, wins=found.losses, losses=found.wins)
    if found.test != "sign" or found.statistic is None:
        return turned
    # Its statistic and its effect are made of wins, and have to be of the same ones.
    effect = superiority(turned.wins, turned.ties, turned.losses)
    return dataclasses.replace(turned, statistic=found.statistic + turned.wins - found.wins, effect=effect)


def of_items(found: TestResult) -> TestResult:
    """The same result of items: a row of a table of scores is a question, a task."""
    words = {"test rows": "items", "test row": "item", "by row": "by item"}

    def said(text: str) -> str:
        for word, other in words.items():
            text = text.replace(word, other)
        return text

    return dataclasses.replace(
        found,
        unit=said(found.unit),
        method=said(found.method),
        statistic_name=said(found.statistic_name),
        notes=tuple(said(note) for note in found.notes),
        details=tuple(("items" if name == "rows" else name, value) for name, value in found.details),
    )


def _raw(
    comparison: Comparison, evidence: Evidence, test: Test, metric: Metric, pair: tuple[str, str], dataset: str | None
) -> TestResult:
    if test.name == "tost":
        return equivalence(comparison, evidence, metric, pair, dataset, margin=_margin(comparison))
    if isinstance(evidence, ItemEvidence) and dataset is not None and test.name in OF_GROUPS:
        return _of_groups(comparison, evidence, test, metric, pair, dataset)
    if dataset is None:
        folds = DatasetFolds in shapes_of(test.name)
        shown: Pair = (
            _dataset_folds(comparison, evidence, metric, pair) if folds else over_datasets(evidence, metric, pair)
        )
    else:
        kind = shape_on_dataset(test.name, evidence, metric, dataset)
        shown = SHOWN[kind](comparison, evidence, metric, pair, dataset)
    return compute(
        test.name,
        shown,
        level=1.0 - comparison.alpha.value,
        alternative=side(comparison, metric, pair),
        rng=rng_of(comparison, test.name, metric.label, *pair, dataset or ""),
        rope=comparison.rope.value if comparison.rope else 0.0,
        **_plain(test),
    )


def _of_groups(
    comparison: Comparison, evidence: ItemEvidence, test: Test, metric: Metric, pair: tuple[str, str], dataset: str
) -> TestResult:
    """The tests of groups of items: all pairs share one pass, and the same sign changes."""
    asked = Sided(alternative=side(comparison, metric, pair), level=1.0 - comparison.alpha.value)
    found, i, j = evidence.grouped(test.name, dataset, metric, pair)
    if test.name == "cluster-t":
        return of_variance(found.clusters(i, j), float(found.variance[i, j]), found.df, asked)
    flips = evidence.flips(dataset, metric, rng_of(comparison, test.name, metric.label, dataset))
    return of_flipped(found.clusters(i, j), flips.sums[i] - flips.sums[j], flips.sizes, asked)


def shape_on_dataset(test: str, evidence: Evidence, metric: Metric, dataset: str) -> type[Any]:
    """The shape of evidence of one dataset: the only one a test takes, or of several the one that fits the metric."""
    several = shapes_of(test)
    if isinstance(evidence, ItemEvidence):
        return RowLosses if RowLosses in several else several[0]
    if RowPredictions in several:
        weights = next(iter(evidence.answers(dataset, metric.label).values())).weights
        if weights is not None or not metric_card(metric).row_loss or metric.name in ROOTS:
            return RowPredictions
    if RowLosses in several and Outcomes in several:
        return Outcomes if metric.name in COUNTED else RowLosses
    return several[0]


def over_datasets(evidence: Evidence, metric: Metric, pair: tuple[str, str]) -> DatasetScores:
    """One score per dataset."""
    scores = evidence.dataset_scores(metric.label)
    return DatasetScores(first=scores[pair[0]], second=scores[pair[1]])


def _dataset_folds(comparison: Comparison, evidence: Evidence, metric: Metric, pair: tuple[str, str]) -> DatasetFolds:
    """The folds of every dataset."""
    each = [_fold_scores(comparison, evidence, metric, pair, dataset) for dataset in evidence.datasets]
    return DatasetFolds(
        first=[one.first for one in each],
        second=[one.second for one in each],
        ratios=[size_ratio(one.train_size, one.test_size, "mixed-model") for one in each],
    )


def _outcomes(
    comparison: Comparison, evidence: Evidence, metric: Metric, pair: tuple[str, str], dataset: str
) -> Outcomes:
    right = evidence.outcomes(dataset)
    if metric.name == "error":  # outcomes are right or wrong; the error counts the wrong ones
        right = {name: ~values for name, values in right.items()}
    return Outcomes(first=right[pair[0]], second=right[pair[1]])


def row_losses(
    comparison: Comparison, evidence: Evidence, metric: Metric, pair: tuple[str, str], dataset: str
) -> RowLosses:
    first, second = _once(evidence, metric, pair, dataset)
    return RowLosses(first=first, second=second)


def _once(evidence: Evidence, metric: Metric, pair: tuple[str, str], dataset: str) -> tuple[Floats, Floats]:
    """The rows' values of the one training that each learner has."""
    values = evidence.row_values(dataset, metric.label)
    for name in pair:
        if len(values[name]) > 1:
            raise TestError(
                f"{name} is trained {len(values[name])} times, and this test judges one classifier of each learner",
                hint="leave out `by` for the test over rows and trainings, or leave out `train N times`",
            )
    return values[pair[0]][0], values[pair[1]][0]


def _grouped_rows(
    comparison: Comparison, evidence: Evidence, metric: Metric, pair: tuple[str, str], dataset: str
) -> GroupedRows:
    first, second = _once(evidence, metric, pair, dataset)
    return GroupedRows(first=first, second=second, groups=evidence.row_places(dataset, "groups"))


def _timed_rows(
    comparison: Comparison, evidence: Evidence, metric: Metric, pair: tuple[str, str], dataset: str
) -> TimedRows:
    first, second = _once(evidence, metric, pair, dataset)
    return TimedRows(first=first, second=second, times=evidence.row_places(dataset, "time"))


def _retrained_rows(
    comparison: Comparison, evidence: Evidence, metric: Metric, pair: tuple[str, str], dataset: str
) -> RetrainedRows:
    values = evidence.row_values(dataset, metric.label)
    return RetrainedRows(first=values[pair[0]], second=values[pair[1]])


def _row_scores(
    comparison: Comparison, evidence: Evidence, metric: Metric, pair: tuple[str, str], dataset: str
) -> RowScores:
    truth, ranked = evidence.row_scores(dataset)
    return RowScores(truth=truth, first=ranked[pair[0]], second=ranked[pair[1]])


def _fold_scores(
    comparison: Comparison, evidence: Evidence, metric: Metric, pair: tuple[str, str], dataset: str
) -> FoldScores:
    scores = {name: _shaped(comparison, values) for name, values in evidence.fold_scores(dataset, metric.label).items()}
    train, tested = evidence.sizes(dataset)
    wider = comparison.scheme.card.wider if comparison.scheme else 1.0
    return FoldScores(first=scores[pair[0]], second=scores[pair[1]], train_size=train, test_size=wider * tested)


def _halved_scores(
    comparison: Comparison, evidence: Evidence, metric: Metric, pair: tuple[str, str], dataset: str
) -> HalvedScores:
    if not isinstance(evidence, WithHalvings):
        raise TestError("scores that already exist have no cross-validations in halves of the rows")
    scores, halvings = evidence.halved_scores(dataset, metric.label)
    return HalvedScores(first=scores[pair[0]], second=scores[pair[1]], halvings=halvings)


def _training_losses(
    comparison: Comparison, evidence: Evidence, metric: Metric, pair: tuple[str, str], dataset: str
) -> TrainingLosses:
    values = evidence.training_values(dataset, metric.label)
    return TrainingLosses(first=values[pair[0]], second=values[pair[1]])


def _shaped(comparison: Comparison, values: Floats) -> Floats:
    """N partitions of 5x2cv as [partition, replication, fold]."""
    nested = comparison.scheme.nested if comparison.scheme else None
    return values.reshape(-1, *nested) if nested else values


def _columns(answer: Answer) -> Floats:
    parts = [np.asarray(answer.labels, dtype=np.float64)[:, None]]
    if answer.scores is not None:
        parts.append(np.asarray(answer.scores, dtype=np.float64).reshape(answer.rows, -1))
    if answer.weights is not None:
        parts.append(np.asarray(answer.weights, dtype=np.float64)[:, None])
    return np.concatenate(parts, axis=1)


def _predictions(
    comparison: Comparison, evidence: Evidence, metric: Metric, pair: tuple[str, str], dataset: str
) -> RowPredictions:
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

    return RowPredictions(truth=one.truth, first=_columns(one), second=_columns(two), metric=measured)


# How evidence of one dataset is put into each shape that tests of two learners are made from.
SHOWN: dict[type[Any], Callable[[Comparison, Evidence, Metric, tuple[str, str], str], Pair]] = {
    Outcomes: _outcomes,
    RowLosses: row_losses,
    RetrainedRows: _retrained_rows,
    GroupedRows: _grouped_rows,
    TimedRows: _timed_rows,
    RowScores: _row_scores,
    RowPredictions: _predictions,
    FoldScores: _fold_scores,
    HalvedScores: _halved_scores,
    TrainingLosses: _training_losses,
}


def apply_many(
    comparison: Comparison, evidence: Evidence, test: Test, metric: Metric, dataset: str | None
) -> TestResult | PostHoc:
    """The result of a test of all learners at once: an omnibus, or every pair (nemenyi, bonferroni-dunn)."""
    shown: Many = _right(evidence, dataset) if dataset is not None else _scores(comparison, evidence, metric)
    return compute(test.name, shown, level=1.0 - comparison.alpha.value, **_plain(test))


def _right(evidence: Evidence, dataset: str) -> ManyOutcomes:
    right = evidence.outcomes(dataset)
    return ManyOutcomes(right=np.column_stack([right[name] for name in evidence.learners]))


def _scores(comparison: Comparison, evidence: Evidence, metric: Metric) -> ManyDatasetScores:
    scores = evidence.dataset_scores(metric.label)
    return ManyDatasetScores(
        scores=np.column_stack([scores[name] for name in evidence.learners]),
        higher_is_better=metric_card(metric).higher_is_better,
        control=evidence.learners.index(comparison.control) if comparison.control else None,
    )


def _plain(test: Test) -> dict[str, Any]:
    return {name.replace("-", "_"): value for name, value in test.options}


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
    shared: dict[str, Any] = {"margin": margin, "alternative": alternative, "level": 1.0 - comparison.alpha.value}
    if dataset is None:
        return compute("tost", over_datasets(evidence, metric, pair), **shared)
    scheme = comparison.division
    if scheme is not None and scheme.one_test_set and comparison.grouped:
        raise TestError(
            "tost counts every row as independent, and the rows come in groups",
            hint="leave out `by`: whether they are equivalent is read off the interval of the test of groups",
        )
    if scheme is not None and scheme.one_test_set:
        kind = Outcomes if metric.name in COUNTED and comparison.units != "items" else RowLosses
        return compute("tost", SHOWN[kind](comparison, evidence, metric, pair, dataset), **shared)
    own = scheme.test if scheme is not None and scheme.test in BASES else None
    if scheme is not None and scheme.halves_test and comparison.scheme is not None and comparison.scheme.halves:
        own = scheme.halves_test
    return compute("tost", _fold_scores(comparison, evidence, metric, pair, dataset), base=own, **shared)
