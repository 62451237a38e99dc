"""The evidence of a comparison: what trials, result tables and predictions all provide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from ..catalogue.metrics import MetricEntry
from ..errors import EvalangError, TestError
from ..plans.model import Comparison, Metric
from ..scores.answer import Answer

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
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
        """Return [partition, fold] of each learner."""

    def sizes(self, dataset: str) -> tuple[float, float]:
        """Return the mean rows trained and tested on, per fold."""

    def outcomes(self, dataset: str) -> dict[str, Flags]:
        """Return right or wrong for every row tested once."""

    def row_values(self, dataset: str, metric: str) -> dict[str, Floats]:
        """Return [training, row]: what every row tested once adds to the metric."""

    def row_weights(self, dataset: str, metric: str) -> Floats | None:
        """Return how much every row of `row_values` counts in the score, 1 on average; None where all count alike."""

    def row_places(self, dataset: str, kind: Literal["groups", "time"]) -> Any:
        """Return the group or the time of every row of `row_values`."""

    def row_scores(self, dataset: str) -> tuple[Any, dict[str, Floats]]:
        """Return which rows are positive, and every learner's score of them."""

    def training_values(self, dataset: str, metric: str) -> dict[str, Floats]:
        """Return [training set, test row], as `row_values`."""

    def dataset_scores(self, metric: str) -> dict[str, Floats]:
        """Return one score per dataset."""

    def answers(self, dataset: str, metric: str) -> dict[str, Answer]:
        """Return truth and predictions of every row tested once."""


@runtime_checkable
class WithHalvings(Protocol):
    """Evidence from trials, which can also be made in halves of the rows."""

    def halved_scores(self, dataset: str, metric: str) -> tuple[dict[str, Floats], int]:
        """Return [partition, fold] of all rows and then of halvings, and how many halvings there are."""


class GivenTable:
    """Evidence from elsewhere. A form of evidence that its subclass does not define is one it does not hold."""

    name = ""

    def absent(self, what: str) -> TestError:
        """Return the error for a form of evidence that the table does not hold."""
        return TestError(f"{self.name} holds no {what}", hint="name a test that works on what the table holds")

    def outcomes(self, dataset: str) -> dict[str, Flags]:
        raise self.absent("predictions of rows")

    def row_values(self, dataset: str, metric: str) -> dict[str, Floats]:
        raise self.absent("predictions of rows")

    def row_weights(self, dataset: str, metric: str) -> Floats | None:
        return None

    def row_places(self, dataset: str, kind: Literal["groups", "time"]) -> Any:
        raise self.absent(kind)

    def row_scores(self, dataset: str) -> tuple[Any, dict[str, Floats]]:
        raise self.absent("scores by which rows are ranked")

    def training_values(self, dataset: str, metric: str) -> dict[str, Floats]:
        raise self.absent("several training sets")

    def answers(self, dataset: str, metric: str) -> dict[str, Answer]:
        raise self.absent("predictions of rows")


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

    __test__ = False

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

    def each(self, values: Mapping[str, V]) -> tuple[V, ...]:
        """Return the values of the learners of this place, in their order."""
        return tuple(values[name] for name in self.learners)
