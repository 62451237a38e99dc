"""The evidence of a comparison: the forms of scores and predictions that tests are computed from."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from ..errors import TestError
from ..plans.model import Metric
from ..results.records import MissingScore, OnThese, Verdict
from .answer import Answer

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
T = TypeVar("T")


def once(method: Callable[..., T]) -> Callable[..., T]:
    """Return the method with a cache in `_known`: a thousand pairs of learners ask for the same scores."""

    @wraps(method)
    def known(evidence: Evidence, *key: Hashable) -> T:
        place = (method.__name__, *key)
        if place not in evidence._known:
            evidence._known[place] = method(evidence, *key)
        found: T = evidence._known[place]
        return found

    return known


class Evidence:
    """The scores of the learners, by dataset and metric (its label, as written in the script).

    Trials, tables of results and predictions are subclasses. A form that one of them does not define is one that it
    does not hold.
    """

    name = ""
    learners: tuple[str, ...]  # in the order of the comparison
    datasets: tuple[str, ...]
    _known: dict[tuple[Hashable, ...], Any]  # of methods that are `once`

    def absent(self, what: str) -> TestError:
        """Return the error for a form of evidence that is not there."""
        return TestError(f"{self.name} holds no {what}", hint="name a test that works on what the table holds")

    def fold_scores(self, dataset: str, metric: str) -> dict[str, Floats]:
        """Return [partition, fold] of each learner."""
        raise NotImplementedError

    def sizes(self, dataset: str) -> tuple[float, float]:
        """Return the mean rows trained and tested on, per fold."""
        raise NotImplementedError

    def dataset_scores(self, metric: str) -> dict[str, Floats]:
        """Return one score per dataset."""
        raise NotImplementedError

    def halved_scores(self, dataset: str, metric: str) -> tuple[dict[str, Floats], int]:
        """Return [partition, fold] of all rows and then of halvings, and how many halvings there are."""
        raise TestError("scores that already exist have no cross-validations in halves of the rows")

    def outcomes(self, dataset: str) -> dict[str, Flags]:
        """Return right or wrong for every row tested once."""
        raise self.absent("predictions of rows")

    def row_values(self, dataset: str, metric: str) -> dict[str, Floats]:
        """Return [training, row]: what every row tested once adds to the metric."""
        raise self.absent("predictions of rows")

    def row_weights(self, dataset: str, metric: str) -> Floats | None:
        """Return how much every row of `row_values` counts in the score, 1 on average; None where all count alike."""
        return None

    def row_places(self, dataset: str, kind: Literal["groups", "time"]) -> Any:
        """Return the group or the time of every row of `row_values`, in the same order."""
        raise self.absent(kind)

    def row_scores(self, dataset: str) -> tuple[Any, dict[str, Floats]]:
        """Return which rows are positive, and every learner's score of them."""
        raise self.absent("scores by which rows are ranked")

    def training_values(self, dataset: str, metric: str) -> dict[str, Floats]:
        """Return [training set, test row], as `row_values`."""
        raise self.absent("several training sets")

    def answers(self, dataset: str, metric: str) -> dict[str, Answer]:
        """Return truth and predictions of every row tested once."""
        raise self.absent("predictions of rows")

    # ------------------------------------------------------------ facts for the text of a verdict

    @property
    def failures(self) -> tuple[MissingScore, ...]:
        """Every trial without an answer and every answer without a score."""
        return ()

    def among(self, learners: tuple[str, ...]) -> Evidence:
        """Return the evidence of these learners on the units that all of them have."""
        return self

    def mean_rows(self, dataset: str | None) -> tuple[float, float] | None:
        """Return `sizes` where folds were trained here; a table of scores knows only their ratio."""
        return None

    def complete_scores(self, dataset: str, metric: str) -> dict[str, Floats]:
        """Return the scores of the learners that have all of them, where `fold_scores` refuses."""
        return {}

    def rows_of_one_score(self, dataset: str, learner: str) -> int:
        """Return the rows behind a learner's only score on a dataset; 0 where there is a score of each fold."""
        return 0

    def described(self, dataset: str | None) -> str:
        """Return the units in words, where they are no rows: "198 items, 5 epochs each"."""
        return ""

    def caveats(self, dataset: str | None) -> tuple[str, ...]:
        """Return what is unknown of how the scores came about."""
        return ()

    def notes(self, dataset: str | None) -> tuple[str, ...]:
        """Return what a reader has to know of the scores, and what limits no verdict."""
        return ()

    def left_out(self, verdict: Verdict) -> str:
        """Return in words what is missing and left out of a verdict; "" for nothing."""
        return ""

    def on_these(self, dataset: str | None, metric: Metric, pair: tuple[str, str], level: float) -> OnThese | None:
        """Return the difference with an interval for new items of the same datasets or groups; None without either."""
        return None
