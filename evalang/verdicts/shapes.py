"""The shapes of evidence: what exactly a statistical test is handed, whoever hands it over.

The catalogue names for every test the kind of evidence it is made from; each kind is one record here, `compute.py` says
how a test is called with it. Pairs are always the first and the second learner on the same units, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


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
class Predictions:
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
    | Predictions
    | FoldScores
    | HalvedScores
    | TrainingLosses
    | DatasetScores
)
Many = ManyOutcomes | ManyDatasetScores
One = Successes | LearnerFolds | LearnerLosses | LearnerRows
Shape = Pair | Many | One | ShuffledScores
