"""The evidence of a comparison, and the shapes in which statistical tests take it.

`Evidence` is what trials, result tables and predictions all provide. A shape holds the numbers of one test: its fields
are the parameters of the test's function, and `of` takes them from the evidence of a `TestSubject`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from ..catalogue.metrics import MetricEntry
from ..errors import EvalangError, TestError
from ..plans.model import Comparison, Metric
from ..scores.answer import Answer
from .arithmetic.checks import outcome_pair, require_units
from .arithmetic.differences import size_ratio

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Bounds = tuple[float | None, float | None]  # the range of a metric
V = TypeVar("V")
COUNTED = ("accuracy", "error")  # metrics that count rows right or wrong


class Evidence(Protocol):
    """By dataset and metric (its label, as written in the script), one entry per learner."""

    @property
    def learners(self) -> tuple[str, ...]:
        """In the order of the comparison."""

    @property
    def datasets(self) -> tuple[str, ...]:
        """In the order of the comparison."""

    def fold_scores(self, dataset: str, metric: str) -> dict[str, Floats]:
        """[partition, fold]"""

    def sizes(self, dataset: str) -> tuple[float, float]:
        """Mean rows trained and tested on, per fold."""

    def outcomes(self, dataset: str) -> dict[str, Flags]:
        """Right or wrong for every row tested once."""

    def row_values(self, dataset: str, metric: str) -> dict[str, Floats]:
        """[training, row]: what every row tested once adds to the metric."""

    def row_weights(self, dataset: str, metric: str) -> Floats | None:
        """How much every row of `row_values` counts in the score, 1 on average; None where all count alike."""

    def row_places(self, dataset: str, kind: Literal["groups", "time"]) -> Any:
        """The group or the time of every row of `row_values`."""

    def row_scores(self, dataset: str) -> tuple[Any, dict[str, Floats]]:
        """Which rows are positive, and every learner's score of them."""

    def training_values(self, dataset: str, metric: str) -> dict[str, Floats]:
        """[training set, test row], as `row_values`"""

    def dataset_scores(self, metric: str) -> dict[str, Floats]:
        """One score per dataset."""

    def answers(self, dataset: str, metric: str) -> dict[str, Answer]:
        """Truth and predictions of every row tested once."""


@runtime_checkable
class WithHalvings(Protocol):
    """Evidence from trials, which can also be made in halves of the rows."""

    def halved_scores(self, dataset: str, metric: str) -> tuple[dict[str, Floats], int]:
        """[partition, fold] of all rows and then of halvings, and how many halvings there are."""


def rows_of(comparison: Comparison, evidence: Evidence, dataset: str | None) -> tuple[float, float] | None:
    """Return the rows trained and tested on where folds were trained here; a table of scores knows only their ratio."""
    if dataset is None or comparison.data != "datasets":
        return None
    try:
        return evidence.sizes(dataset)
    except EvalangError:
        return None


def metric_card(metric: Metric) -> MetricEntry:
    """Return the card of a planned metric."""
    card = metric.card
    if card is None:
        raise TestError(f"there is no metric named {metric.name}")
    return card


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TestSubject:
    """What one test is about: a pair of learners (or all, or one) of a comparison, a metric and a dataset."""

    comparison: Comparison
    evidence: Evidence
    metric: Metric
    learners: tuple[str, ...]
    dataset: str | None  # None: over datasets

    @property
    def on(self) -> str:
        """The dataset, for tests of one dataset."""
        assert self.dataset is not None
        return self.dataset

    @property
    def bounds(self) -> Bounds:
        """The range of the metric."""
        card = metric_card(self.metric)
        return card.low, card.high

    def each(self, values: Mapping[str, V]) -> tuple[V, ...]:
        """Return the values of the learners of this place, in their order."""
        return tuple(values[name] for name in self.learners)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairShape:
    """The numbers of two learners on the same units."""

    first: Any
    second: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcomes(PairShape):
    """Right or wrong for every test row, each tested once."""

    base: str = field(default="row-t", init=False)  # the test whose standard error tost takes by default

    @classmethod
    def of(cls, at: TestSubject) -> Outcomes:
        first, second = at.each(at.evidence.outcomes(at.on))
        if at.metric.name == "error":  # outcomes are right or wrong; the error counts the wrong ones
            first, second = ~first, ~second
        return cls(first=first, second=second)

    def disagreements(self, test: str) -> Disagreements:
        """Return the cells of the two-by-two table."""
        one, two = outcome_pair(self.first, self.second)
        require_units(one.size, 1, "test row", test)
        right_one, right_two, both = (int(np.count_nonzero(x)) for x in (one, two, one & two))
        return Disagreements(n01=right_two - both, n10=right_one - both, rows=int(one.size), both_right=both)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disagreements:
    """Outcomes as counts: rows that only the first gets wrong (n01), and only the second (n10)."""

    n01: int
    n10: int
    rows: int | None = None
    both_right: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowLosses(PairShape):
    """What every test row adds to the metric: their weighted mean is the metric, in its own unit."""

    weights: Any = None
    base: str = field(default="row-t", init=False)

    @classmethod
    def of(cls, at: TestSubject) -> RowLosses:
        first, second = _trained_once(at)
        return cls(first=first, second=second, weights=at.evidence.row_weights(at.on, at.metric.label))


def _trained_once(at: TestSubject) -> tuple[Floats, ...]:
    """Return the rows' values of the one training that each learner has."""
    values = at.evidence.row_values(at.on, at.metric.label)
    for name in at.learners:
        if len(values[name]) > 1:
            raise TestError(
                f"{name} is trained {len(values[name])} times, and this test judges one classifier of each learner",
                hint="leave out `by` for the test over rows and trainings, or leave out `train N times`",
            )
    return tuple(each[0] for each in at.each(values))


def _over_units(
    at: TestSubject, values: tuple[Floats, ...], weights: Floats | None = None
) -> tuple[tuple[Floats, ...], dict[str, Any]]:
    """Return [training, unit] with weights and name of the units: rows, or the groups in which they come.

    The value of a group is the mean of its rows, and its weight theirs together, so the weighted mean stays as it is.
    """
    by_row = {"weights": weights, "unit": "test row"}
    if not at.comparison.grouped:
        return values, by_row
    try:
        groups = at.evidence.row_places(at.on, "groups")
    except TestError:  # the groups are those of another dataset
        return values, by_row
    _, member = np.unique(groups, return_inverse=True)
    rows = np.ones(member.size) if weights is None else weights
    sums = np.bincount(member, weights=rows)
    means = tuple(np.stack([np.bincount(member, weights=rows * x) for x in one]) / sums for one in values)
    return means, {"weights": None if (sums == sums[0]).all() else sums / sums.mean(), "unit": "group"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RetrainedRows(PairShape):
    """[training, test row or group] of learners that were trained again on the same rows, as often as each was."""

    weights: Any = None
    unit: str = "test row"

    @classmethod
    def of(cls, at: TestSubject) -> RetrainedRows:
        weights = at.evidence.row_weights(at.on, at.metric.label)
        (first, second), units = _over_units(at, at.each(at.evidence.row_values(at.on, at.metric.label)), weights)
        return cls(first=first, second=second, **units)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupedRows(PairShape):
    """What every test row adds to the metric, and the group it belongs to."""

    groups: Any
    weights: Any = None

    @classmethod
    def of(cls, at: TestSubject) -> GroupedRows:
        first, second = _trained_once(at)
        weights = at.evidence.row_weights(at.on, at.metric.label)
        return cls(first=first, second=second, groups=at.evidence.row_places(at.on, "groups"), weights=weights)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TimedRows(PairShape):
    """What every test row adds to the metric, and its time stamp."""

    times: Any
    weights: Any = None

    @classmethod
    def of(cls, at: TestSubject) -> TimedRows:
        first, second = _trained_once(at)
        weights = at.evidence.row_weights(at.on, at.metric.label)
        return cls(first=first, second=second, times=at.evidence.row_places(at.on, "time"), weights=weights)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowScores(PairShape):
    """Which rows are positive, and a score of each by which they are ranked."""

    truth: Any

    @classmethod
    def of(cls, at: TestSubject) -> RowScores:
        truth, ranked = at.evidence.row_scores(at.on)
        first, second = at.each(ranked)
        return cls(truth=truth, first=first, second=second)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowPredictions(PairShape):
    """The predictions of both learners for every row as columns, and the metric that is computed from them."""

    truth: Any
    metric: Callable[[Any, Any], float]  # (truth, predictions of one learner) -> score

    @classmethod
    def of(cls, at: TestSubject) -> RowPredictions:
        from ..scores.metrics import score  # slow to import

        one, two = at.each(at.evidence.answers(at.on, at.metric.label))
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

        return cls(truth=one.truth, first=_columns(one), second=_columns(two), metric=measured)


def _columns(answer: Answer) -> Floats:
    parts = [np.asarray(answer.labels, dtype=np.float64)[:, None]]
    if answer.scores is not None:
        parts.append(np.asarray(answer.scores, dtype=np.float64).reshape(answer.rows, -1))
    if answer.weights is not None:
        parts.append(np.asarray(answer.weights, dtype=np.float64)[:, None])
    return np.concatenate(parts, axis=1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoldScores(PairShape):
    """[partition, fold] (or [partition, replication, fold] of 5x2cv), with the rows trained and tested on."""

    train_size: float | None = None
    test_size: float | None = None
    base: str = field(default="corrected-t", init=False)

    @classmethod
    def of(cls, at: TestSubject) -> FoldScores:
        scheme = at.comparison.scheme
        first, second = at.each(at.evidence.fold_scores(at.on, at.metric.label))
        if scheme is not None and scheme.nested:  # N partitions of 5x2cv
            first, second = (x.reshape(-1, *scheme.nested) for x in (first, second))
        train, tested = at.evidence.sizes(at.on)
        wider = scheme.card.wider if scheme else 1.0
        return cls(first=first, second=second, train_size=train, test_size=wider * tested)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HalvedScores(PairShape):
    """[partition, fold] of which the last `halvings` partitions (None: half of them) are cross-validations in halves:
    the first half of the folds in one half of the rows, the others in the other."""

    halvings: int | None = None

    @classmethod
    def of(cls, at: TestSubject) -> HalvedScores:
        if not isinstance(at.evidence, WithHalvings):
            raise TestError("scores that already exist have no cross-validations in halves of the rows")
        scores, halvings = at.evidence.halved_scores(at.on, at.metric.label)
        first, second = at.each(scores)
        return cls(first=first, second=second, halvings=halvings)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainingLosses(PairShape):
    """[training set, test row or group]; the weighted mean is the metric."""

    weights: Any = None
    unit: str = "test row"

    @classmethod
    def of(cls, at: TestSubject) -> TrainingLosses:
        (first, second), units = _over_units(at, at.each(at.evidence.training_values(at.on, at.metric.label)))
        return cls(first=first, second=second, **units)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DatasetScores(PairShape):
    """One score per dataset."""

    unit: str = field(default="dataset", init=False)
    base: str = field(default="paired-t", init=False)

    @classmethod
    def of(cls, at: TestSubject) -> DatasetScores:
        first, second = at.each(at.evidence.dataset_scores(at.metric.label))
        return cls(first=first, second=second)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DatasetFolds(PairShape):
    """The fold scores of every dataset, and for each the ratio of test to training rows."""

    ratios: Any = None

    @classmethod
    def of(cls, at: TestSubject) -> DatasetFolds:
        places = (
            TestSubject(
                comparison=at.comparison, evidence=at.evidence, metric=at.metric, learners=at.learners, dataset=dataset
            )
            for dataset in at.evidence.datasets
        )
        folds = [FoldScores.of(place) for place in places]
        return cls(
            first=[one.first for one in folds],
            second=[one.second for one in folds],
            ratios=[size_ratio(one.train_size, one.test_size, "mixed-model") for one in folds],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ManyOutcomes:
    """Right or wrong, [test row, learner]."""

    right: Any

    @classmethod
    def of(cls, at: TestSubject) -> ManyOutcomes:
        return cls(right=np.column_stack(at.each(at.evidence.outcomes(at.on))))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ManyDatasetScores:
    """[dataset, learner]; `control` is the column compared with all others, where a test has one."""

    scores: Any
    higher_is_better: bool = True
    control: int | None = None

    @classmethod
    def of(cls, at: TestSubject) -> ManyDatasetScores:
        control = at.comparison.control
        return cls(
            scores=np.column_stack(at.each(at.evidence.dataset_scores(at.metric.label))),
            higher_is_better=metric_card(at.metric).higher_is_better,
            control=at.learners.index(control) if control else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Successes:
    """Rows that one classifier gets right, of how many."""

    right: int
    rows: int

    @classmethod
    def of(cls, at: TestSubject) -> Successes:
        (right,) = at.each(at.evidence.outcomes(at.on))
        return cls(right=int(np.count_nonzero(~right if at.metric.name == "error" else right)), rows=int(right.size))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnerFolds:
    """Fold scores of one learner, and the range of the metric."""

    scores: Any
    train_size: float | None = None
    test_size: float | None = None
    bounds: Bounds = (None, None)

    @classmethod
    def of(cls, at: TestSubject) -> LearnerFolds:
        (scores,) = at.each(at.evidence.fold_scores(at.on, at.metric.label))
        train, tested = at.evidence.sizes(at.on)
        return cls(scores=scores, train_size=train, test_size=tested, bounds=at.bounds)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnerLosses:
    """Scores of one learner, [training set, test row or group], and the range of the metric."""

    losses: Any
    bounds: Bounds = (None, None)
    weights: Any = None
    unit: str = "test row"

    @classmethod
    def of(cls, at: TestSubject) -> LearnerLosses:
        (losses,), units = _over_units(at, at.each(at.evidence.training_values(at.on, at.metric.label)))
        return cls(losses=losses, bounds=at.bounds, **units)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnerRows:
    """What each unit adds to the score of one learner, [training, test row or group], and the range of the metric."""

    values: Any
    bounds: Bounds = (None, None)
    weights: Any = None
    unit: str = "test row"

    @classmethod
    def of(cls, at: TestSubject) -> LearnerRows:
        (values,), units = _over_units(at, at.each(at.evidence.row_values(at.on, at.metric.label)))
        return cls(values=values, bounds=at.bounds, **units)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnerItems:
    """[item, epoch] of one learner, NaN where an item has fewer samples, and the group of each item."""

    values: Any
    scores: Any  # of each item, its samples made one
    groups: Any = None
    bounds: Bounds = (0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShuffledScores:
    """The score of a procedure, and its scores on shuffled labels."""

    observed: float
    shuffled: Any


Pair = PairShape | Disagreements
Many = ManyOutcomes | ManyDatasetScores
One = Successes | LearnerFolds | LearnerLosses | LearnerRows | LearnerItems
Shape = Pair | Many | One | ShuffledScores
