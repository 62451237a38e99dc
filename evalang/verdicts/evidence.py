"""What a comparison has to show: the numbers a test is computed from, whoever made them.

A run's trials, a results table and a predictions file all give evidence in these forms. A form that is not there, or
that has a hole, raises TestError with the cell.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ..errors import EvalangError
from ..plans.model import Comparison
from ..scores.answer import Answer

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
class WithCaveats(Protocol):
    """Evidence from elsewhere, of which not everything is known."""

    def caveats(self, dataset: str | None) -> tuple[str, ...]:
        """What a test on one dataset (or over them) has to take for granted, one sentence each."""


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
