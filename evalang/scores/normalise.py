"""Scores on one scale for all metrics and datasets: 0 is the baseline, 1 the best observed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..catalogue.metrics import find_metric
from ..errors import DataError
from .answer import Answer, Numbers
from .metrics.score import score


def normalise(metric: str, scores: Sequence[float], baseline: float) -> list[float]:
    """(score - baseline) / (best - baseline), for metrics of either direction; cal starts at the mean observed score.

    Predicting the share of positives is well calibrated, so cal is scaled between the mean observed (0) and the best
    observed (1): Caruana & Niculescu-Mizil, section 2.3. When no score differs from the bottom of the scale, all are 0;
    when none is better than the baseline the scale has no top, which is an error.

    >>> normalise("accuracy", [0.75, 1.0, 0.25], baseline=0.5)
    [0.5, 1.0, -0.5]
    """
    entry = find_metric(metric)
    if entry is None:
        raise DataError(f"there is no metric {metric}")
    values = np.asarray(scores, dtype=np.float64)
    if values.size == 0 or not np.isfinite(values).all():
        raise DataError(f"normalised {entry.name} needs at least one score, and every score to be a finite number")
    bottom = float(values.mean()) if entry.name == "cal" else baseline
    best = float(values.max() if entry.higher_is_better else values.min())
    if (values == best).all() and (entry.name == "cal" or best == bottom):
        return [0.0] * len(values)
    if not entry.sign * (best - bottom) > 0:
        raise DataError(
            f"no learner does better than the baseline ({bottom:.4g}) on {entry.name}, so 1 has no meaning",
            hint="report the scores themselves",
        )
    scaled: Numbers = (values - bottom) / (best - bottom)
    return [float(value) for value in scaled]


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
