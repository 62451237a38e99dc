"""Scoring candidates in tuning with the same functions that score the trials."""

from __future__ import annotations

from ..plans.model import Metric
from ..trials.trial import Predicted
from .answer import Answer
from .metrics.score import score


def score_candidate(metric: Metric, said: Predicted) -> float:
    """The score of a candidate on the rows it is judged by; handed to `trials.schedule.run`."""
    answer = Answer(
        truth=said.truth,
        labels=said.labels,
        scores=said.scores,
        classes=said.classes,
        positive=said.positive,
        probabilities=said.probabilities,
        weights=said.weights,
    )
    return score(metric.name, answer, metric.options)
