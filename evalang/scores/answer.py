"""Truth and predictions of test rows, from a trial or from a file of predictions, ready to be scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import DataError

Numbers = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]
Values = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """Truth and predictions of the same test rows.

    For classes `truth` and `labels` are codes: positions in `classes`. `scores` is [n], the score of `classes[1]`, or
    [n, classes]. For numbers `classes` is empty and `truth` and `labels` are the numbers themselves.
    """

    truth: Values
    labels: Values
    scores: Numbers | None = None
    classes: tuple[object, ...] = ()
    positive: int | None = None  # code of the positive class, where one was named
    probabilities: bool = True  # scores are probabilities; False: margins, good for ordering only
    weights: Numbers | None = None
    fit_seconds: float | None = None
    predict_seconds: float | None = None
    size: int | None = None

    @property
    def rows(self) -> int:
        """Number of test rows."""
        return len(self.truth)

    def take(self, rows: Values) -> Answer:
        """Return the truth and predictions of some rows, by their numbers or as flags."""
        return replace(
            self,
            truth=self.truth[rows],
            labels=self.labels[rows],
            scores=None if self.scores is None else self.scores[rows],
            weights=None if self.weights is None else self.weights[rows],
        )


def encode(values: Sequence[object] | Values, classes: Sequence[object], what: str = "the truth") -> Codes:
    """Return class values as codes; a value that is no class is an error that names the row.

    >>> encode(["b", "a"], ("a", "b")).tolist()
    [1, 0]
    """
    code = {value: place for place, value in enumerate(classes)}
    plain = values.tolist() if isinstance(values, np.ndarray) else values
    try:
        return np.fromiter((code[value] for value in plain), dtype=np.intp, count=len(plain))
    except KeyError as unknown:
        row = next(place for place, value in enumerate(plain) if value not in code)
        raise DataError(
            f"row {row + 1} of {what} holds {unknown.args[0]!r}, which is none of the classes",
            hint=f"the classes are {', '.join(map(str, list(classes)[:10]))}",
        ) from None


def positive_scores(answer: Answer, metric: str) -> tuple[npt.NDArray[np.bool_], Numbers]:
    """Return which rows are positive, and a score that is higher for them; the second class when none is named."""
    scores = class_scores(answer, metric)
    if len(answer.classes) != 2:
        raise DataError(f"{metric} needs two classes, not {len(answer.classes)}")
    positive = 1 if answer.positive is None else answer.positive
    if scores.ndim == 2:
        return answer.truth == positive, scores[:, positive]
    if positive == 1:
        return answer.truth == 1, scores
    return answer.truth == 0, 1.0 - scores if answer.probabilities else -scores


def class_scores(answer: Answer, metric: str) -> Numbers:
    """Return the scores, finite and of the right shape, or raise an error that says what is wrong with them."""
    scores = answer.scores
    if scores is None:
        raise DataError(f"{metric} needs scores, and only labels were predicted", hint="take a metric of labels")
    shapes = ((answer.rows,), (answer.rows, len(answer.classes)))
    if scores.shape not in shapes or (scores.ndim == 1 and len(answer.classes) != 2):
        raise DataError(
            f"the scores have shape {scores.shape}, but there are {answer.rows} rows and {shapes[1][1]} classes"
        )
    if not np.isfinite(scores).all():
        row = int(np.flatnonzero(~np.isfinite(scores.reshape(answer.rows, -1)).all(axis=1))[0])
        raise DataError(f"the score of test row {row + 1} is not a finite number")
    return scores


def mean(values: Numbers, answer: Answer) -> float:
    """Return the mean over rows, weighted where the dataset has weights."""
    if answer.weights is None:
        return float(values.mean())
    found = np.dot(values, answer.weights) / answer.weights.sum()
    return float(np.clip(found, values.min(), values.max()))  # rounding must not lead out of the metric's range
