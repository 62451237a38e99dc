"""One test of a plan applied to the evidence of one pair (or of all learners)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..catalogue.metrics import MetricEntry
from ..errors import TestError
from ..plans.model import Comparison, Metric, Test
from ..results.records import Alternative, PostHoc, TestResult
from ..scores.answer import Answer
from ..scores.metrics import ROOTS, score
from ..scores.samples import reduced_by_mean
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
    """A generator of its own for each test, so that no other test changes its draws.

    No learner is in the key: in another order, or under another name, they have the same draws.
    """
    root = comparison.seed.value if comparison.seed else 0
    words = np.frombuffer("\x1f".join((comparison.name, *key)).encode("utf-8", "surrogatepass"), dtype=np.uint8)
    return np.random.default_rng(np.random.SeedSequence(root, spawn_key=tuple(int(w) for w in words)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairPlace:
    """Two learners in one place: what a test of two is asked about."""

    comparison: Comparison
    evidence: Evidence
    metric: Metric
    pair: tuple[str, str]
    dataset: str | None  # None: over datasets

    @property
    def on(self) -> str:
        """The dataset, for tests that judge one."""
        assert self.dataset is not None
        return self.dataset


def apply_pair(at: PairPlace, test: Test) -> TestResult:
    """The result of a two-learner test, a win being a unit on which the first learner is better; TestError when it
    cannot be computed."""
    found = _raw(at, test)
    if at.metric.name in ROOTS and found.unit in _BY_ROW:  # a tangent's values have a mean, and no winner on rows
        found = replace(found, wins=0, ties=0, losses=0)
    if at.comparison.units == "items" and at.dataset is not None:
        found = of_items(found)
        if isinstance(at.evidence, ItemEvidence) and reduced_by_mean(at.metric):
            split = variance_split(*(at.evidence.samples(at.dataset, name) for name in at.pair))
            found = replace(found, details=(*found.details, *split))
    if metric_card(at.metric).higher_is_better:
        return found
    turned = replace(found, wins=found.losses, losses=found.wins)
    if found.test != "sign" or found.statistic is None:
        return turned
    # Its statistic and its effect are made of wins, and have to be of the same ones.
    effect = superiority(turned.wins, turned.ties, turned.losses)
    return replace(turned, statistic=found.statistic + turned.wins - found.wins, effect=effect)


def of_items(found: TestResult) -> TestResult:
    """The same result of items: a row of a table of scores is a question, a task."""
    words = {"test rows": "items", "test row": "item", "by row": "by item"}

    def said(text: str) -> str:
        for word, other in words.items():
            text = text.replace(word, other)
        return text

    return replace(
        found,
        unit=said(found.unit),
        method=said(found.method),
        statistic_name=said(found.statistic_name),
        notes=tuple(said(note) for note in found.notes),
        details=tuple(("items" if name == "rows" else name, value) for name, value in found.details),
    )


def _raw(at: PairPlace, test: Test) -> TestResult:
    comparison = at.comparison
    if test.name == "tost":
        return equivalence(at, margin=_margin(comparison))
    if isinstance(at.evidence, ItemEvidence) and at.dataset is not None and test.name in OF_GROUPS:
        return _of_groups(at, at.evidence, test)
    if at.dataset is None:
        folds = DatasetFolds in shapes_of(test.name)
        shown: Pair = _dataset_folds(at) if folds else over_datasets(at.evidence, at.metric, at.pair)
    else:
        shown = SHOWN[shape_on_dataset(test.name, at.evidence, at.metric, at.dataset)](at)
    return compute(
        test.name,
        shown,
        level=1.0 - comparison.alpha.value,
        alternative=side(comparison, at.metric, at.pair),
        rng=rng_of(comparison, test.name, at.metric.label, at.dataset or ""),
        rope=comparison.rope.value if comparison.rope else 0.0,
        **_plain(test),
    )


def _of_groups(at: PairPlace, evidence: ItemEvidence, test: Test) -> TestResult:
    """The tests of groups of items: all pairs share one pass, and the same sign changes."""
    asked = Sided(alternative=side(at.comparison, at.metric, at.pair), level=1.0 - at.comparison.alpha.value)
    found, i, j = evidence.grouped(test.name, at.on, at.metric, at.pair)
    if test.name == "cluster-t":
        return of_variance(found.clusters(i, j), float(found.variance[i, j]), found.df, asked)
    flips = evidence.flips(at.on, at.metric, rng_of(at.comparison, test.name, at.metric.label, at.on))
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


def _dataset_folds(at: PairPlace) -> DatasetFolds:
    """The folds of every dataset."""
    each = [fold_scores(replace(at, dataset=dataset)) for dataset in at.evidence.datasets]
    return DatasetFolds(
        first=[one.first for one in each],
        second=[one.second for one in each],
        ratios=[size_ratio(one.train_size, one.test_size, "mixed-model") for one in each],
    )


def _outcomes(at: PairPlace) -> Outcomes:
    right = at.evidence.outcomes(at.on)
    if at.metric.name == "error":  # outcomes are right or wrong; the error counts the wrong ones
        right = {name: ~values for name, values in right.items()}
    return Outcomes(first=right[at.pair[0]], second=right[at.pair[1]])


def row_losses(at: PairPlace) -> RowLosses:
    first, second = _once(at)
    return RowLosses(first=first, second=second)


def _once(at: PairPlace) -> tuple[Floats, Floats]:
    """The rows' values of the one training that each learner has."""
    values = at.evidence.row_values(at.on, at.metric.label)
    for name in at.pair:
        if len(values[name]) > 1:
            raise TestError(
                f"{name} is trained {len(values[name])} times, and this test judges one classifier of each learner",
                hint="leave out `by` for the test over rows and trainings, or leave out `train N times`",
            )
    return values[at.pair[0]][0], values[at.pair[1]][0]


def _grouped_rows(at: PairPlace) -> GroupedRows:
    first, second = _once(at)
    return GroupedRows(first=first, second=second, groups=at.evidence.row_places(at.on, "groups"))


def _timed_rows(at: PairPlace) -> TimedRows:
    first, second = _once(at)
    return TimedRows(first=first, second=second, times=at.evidence.row_places(at.on, "time"))


def _retrained_rows(at: PairPlace) -> RetrainedRows:
    values = at.evidence.row_values(at.on, at.metric.label)
    return RetrainedRows(first=values[at.pair[0]], second=values[at.pair[1]])


def _row_scores(at: PairPlace) -> RowScores:
    truth, ranked = at.evidence.row_scores(at.on)
    return RowScores(truth=truth, first=ranked[at.pair[0]], second=ranked[at.pair[1]])


def fold_scores(at: PairPlace) -> FoldScores:
    """The scores of both learners on every fold, and the sizes of its parts."""
    scores = {
        name: _shaped(at.comparison, values) for name, values in at.evidence.fold_scores(at.on, at.metric.label).items()
    }
    train, tested = at.evidence.sizes(at.on)
    wider = at.comparison.scheme.card.wider if at.comparison.scheme else 1.0
    return FoldScores(first=scores[at.pair[0]], second=scores[at.pair[1]], train_size=train, test_size=wider * tested)


def _halved_scores(at: PairPlace) -> HalvedScores:
    if not isinstance(at.evidence, WithHalvings):
        raise TestError("scores that already exist have no cross-validations in halves of the rows")
    scores, halvings = at.evidence.halved_scores(at.on, at.metric.label)
    return HalvedScores(first=scores[at.pair[0]], second=scores[at.pair[1]], halvings=halvings)


def _training_losses(at: PairPlace) -> TrainingLosses:
    values = at.evidence.training_values(at.on, at.metric.label)
    return TrainingLosses(first=values[at.pair[0]], second=values[at.pair[1]])


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


def _predictions(at: PairPlace) -> RowPredictions:
    answers = at.evidence.answers(at.on, at.metric.label)
    one, two = answers[at.pair[0]], answers[at.pair[1]]
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
        return score(at.metric.name, drawn, at.metric.options)

    return RowPredictions(truth=one.truth, first=_columns(one), second=_columns(two), metric=measured)


# How evidence of one dataset is put into each shape that tests of two learners are made from.
SHOWN: dict[type[Any], Callable[[PairPlace], Pair]] = {
    Outcomes: _outcomes,
    RowLosses: row_losses,
    RetrainedRows: _retrained_rows,
    GroupedRows: _grouped_rows,
    TimedRows: _timed_rows,
    RowScores: _row_scores,
    RowPredictions: _predictions,
    FoldScores: fold_scores,
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


def equivalence(at: PairPlace, *, margin: float, alternative: Alternative = "two-sided") -> TestResult:
    """tost with the standard error of the scheme's own difference test (never the plain t on overlapping folds)."""
    comparison = at.comparison
    shared: dict[str, Any] = {"margin": margin, "alternative": alternative, "level": 1.0 - comparison.alpha.value}
    if at.dataset is None:
        return compute("tost", over_datasets(at.evidence, at.metric, at.pair), **shared)
    scheme = comparison.division
    if scheme is not None and scheme.one_test_set and comparison.grouped:
        raise TestError(
            "tost counts every row as independent, and the rows come in groups",
            hint="leave out `by`: whether they are equivalent is read off the interval of the test of groups",
        )
    if scheme is not None and scheme.one_test_set:
        kind = Outcomes if at.metric.name in COUNTED and comparison.units != "items" else RowLosses
        return compute("tost", SHOWN[kind](at), **shared)
    own = scheme.test if scheme is not None and scheme.test in BASES else None
    if scheme is not None and scheme.halves_test and comparison.scheme is not None and comparison.scheme.halves:
        own = scheme.halves_test
    return compute("tost", fold_scores(at), base=own, **shared)
