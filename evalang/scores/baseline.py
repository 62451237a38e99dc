"""What knowing nothing but the classes' shares scores: the 0 of normalised scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .answer import Answer
from .metrics.score import score


def baseline_score(metric: str, answer: Answer, options: Sequence[tuple[str, object]] = ()) -> float:
    """What predicting the classes' shares of the test part for every row gets (the mean, for numbers).

    The predicted class is the most frequent one, the first of them when several are.
    """
    weights = np.ones(answer.rows) if answer.weights is None else answer.weights
    if not answer.classes:
        centre = float(np.average(answer.truth.astype(np.float64), weights=weights))
        constant = np.full(answer.rows, centre)
        return score(metric, Answer(truth=answer.truth, labels=constant, weights=answer.weights), options)
    shares = np.bincount(answer.truth, weights=weights, minlength=len(answer.classes)) / weights.sum()
    guess = Answer(
        truth=answer.truth,
        labels=np.full(answer.rows, int(np.argmax(shares))),
        scores=np.tile(shares, (answer.rows, 1)),
        classes=answer.classes,
        positive=answer.positive,
        weights=answer.weights,
    )
    return score(metric, guess, options)
