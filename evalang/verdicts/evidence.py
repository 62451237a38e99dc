"""What a comparison has to show, whoever made it, and the shapes in which a statistical test is handed it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ..errors import EvalangError
from ..plans.model import Comparison
from ..scores.answer import Answer


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcomes:
    """Right or wrong for every test row, each tested once."""

    first: Any
    second: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disagreements:
    """Outcomes as counts: rows that only the first gets wrong (n01), and only the second (n10)."""

    n01: int
    n10: int
    rows: int | None = None
    both_right: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowLosses:
    """What every test row adds to the metric: their mean is the metric, in its own unit."""

    first: Any
    second: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RetrainedRows:
    """[training, test row] of learners that were trained again on the same rows, as often as each was."""

    first: Any
    second: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupedRows:
    """What every test row adds to the metric, and the group it belongs to."""

    first: Any
    second: Any
    groups: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TimedRows:
    """What every test row adds to the metric, and its time stamp."""

    first: Any
    second: Any
    times: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowScores:
    """Which rows are positive, and a score of each by which they are ranked."""

    truth: Any
    first: Any
    second: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowPredictions:
    """What both learners say of every row, and the metric that is computed from it."""

    truth: Any
    first: Any
    second: Any
    metric: Callable[[Any, Any], float]  # (truth, what one learner says) -> score


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoldScores:
    """[partition, fold] (or [partition, replication, fold] of 5x2cv), with the rows trained and tested on."""

    first: Any
    second: Any
    train_size: float | None = None
    test_size: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HalvedScores:
    """[partition, fold] of which the last `halvings` partitions (None: half of them) are cross-validations in halves:
    the first half of the folds in one half of the rows, the others in the other."""

    first: Any
    second: Any
    halvings: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainingLosses:
    """[training set, test row]; the mean is the metric"""

    first: Any
    second: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DatasetScores:
    """One score per dataset."""

    first: Any
    second: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DatasetFolds:
    """The fold scores of every dataset, and for each the ratio of test to training rows."""

    first: Any
    second: Any
    ratios: Any = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ManyOutcomes:
    """Right or wrong, [test row, learner]."""

    right: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ManyDatasetScores:
    """[dataset, learner]; `control` is the column compared with all others, where a test has one."""

    scores: Any
    higher_is_better: bool = True
    control: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Successes:
    """Rows that one classifier gets right, of how many."""

    right: int
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnerFolds:
    """Fold scores of one learner, and the range of the metric."""

    scores: Any
    train_size: float | None = None
    test_size: float | None = None
    bounds: tuple[float | None, float | None] = (None, None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnerLosses:
    """Scores of one learner, [training set, test row], and the range of the metric."""

    losses: Any
    bounds: tuple[float | None, float | None] = (None, None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnerRows:
    """What every test row adds to the score of one learner, [training, test row], and the range of the metric."""

    values: Any
    bounds: tuple[float | None, float | None] = (None, None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnerItems:
    """[item, epoch] of one learner, NaN where an item has fewer samples, and the group of each item."""

    values: Any
    scores: Any  # of each item, its samples made one
    groups: Any = None
    bounds: tuple[float | None, float | None] = (0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShuffledScores:
    """The score of a procedure, and its scores on shuffled labels."""

    observed: float
    shuffled: Any


Pair = (
    Outcomes
    | Disagreements
    | RowLosses
    | RetrainedRows
    | GroupedRows
    | TimedRows
    | RowScores
    | RowPredictions
    | FoldScores
    | HalvedScores
    | TrainingLosses
    | DatasetScores
    | DatasetFolds
)
Many = ManyOutcomes | ManyDatasetScores
One = Successes | LearnerFolds | LearnerLosses | LearnerRows | LearnerItems
Shape = Pair | Many | One | ShuffledScores


Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


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
        """[training, row]: what every row tested once adds to the metric, whose mean they have."""

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
    """Rows trained and tested on, where folds were trained here; a table of scores knows no more than their ratio."""
    if dataset is None or comparison.data != "datasets":
        return None
    try:
        return evidence.sizes(dataset)
    except EvalangError:
        return None
