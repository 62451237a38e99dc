"""Metrics of the order of the rows. Rows of equal score stay together, so the order in the file never matters."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from ...errors import DataError
from ..answer import Answer, Numbers, class_scores, mean, positive_scores


def roc_area(answer: Answer, options: Mapping[str, object]) -> float:
    """P(score of a positive > score of a negative) + P(equal)/2; many classes: one against the rest, plain mean.

    Mann-Whitney form: Fawcett 2006.
    """
    if len(answer.classes) == 2:
        positive, scores = positive_scores(answer, "roc-area")
        return _area(answer, positive, scores, "both classes")
    scores = class_scores(answer, "roc-area")
    areas = [
        _area(answer, answer.truth == code, scores[:, code], f"class {name}")
        for code, name in enumerate(answer.classes)
    ]
    return float(np.mean(areas))


def average_precision(answer: Answer, options: Mapping[str, object]) -> float:
    """Sum over distinct scores of (R_i - R_{i-1}) P_i."""
    hits, below = _climb(answer, *_positives(answer, "average-precision"))
    gained = np.diff(hits, prepend=0.0)
    reached = hits + below
    precision = np.divide(hits, reached, out=np.zeros_like(hits), where=reached > 0)
    return float(np.dot(gained, precision) / hits[-1])


def break_even(answer: Answer, options: Mapping[str, object]) -> float:
    """Precision among as many top rows as there are positives."""
    positive, scores = _positives(answer, "break-even")
    hits, below = _climb(answer, positive, scores)
    return _hits_within(hits, below, float(hits[-1])) / float(hits[-1])


def lift(answer: Answer, options: Mapping[str, object]) -> float:
    """(share of positives in the top) / (share of positives); the top has floor(top·n + 1/2) rows, at least 1."""
    top = options["top"]
    assert isinstance(top, int | float)
    hits, below = _climb(answer, *_positives(answer, "lift"))
    total = float(hits[-1] + below[-1])
    size = max(1.0, float(np.floor(top * answer.rows + 0.5))) if answer.weights is None else top * total
    return _hits_within(hits, below, size) / size / (float(hits[-1]) / total)


def top_k(answer: Answer, options: Mapping[str, object]) -> float:
    """The share of rows whose class is among the k with the highest scores."""
    return mean(1.0 - beyond_the_top(answer, options), answer)


def beyond_the_top(answer: Answer, options: Mapping[str, object]) -> Numbers:
    """1 for a row whose class is not among the k highest, 0 for one that is; at the edge the share of ties left out."""
    k = options["k"]
    assert isinstance(k, int)
    if k >= len(answer.classes):
        raise DataError(f"top-k(k = {k}) is right for every row: there are {len(answer.classes)} classes")
    scores = class_scores(answer, "top-k")
    own = np.take_along_axis(scores, answer.truth.astype(np.intp)[:, None], axis=1)
    above, tied = (scores > own).sum(axis=1), (scores == own).sum(axis=1)
    beyond: Numbers = 1.0 - np.clip((k - above) / tied, 0.0, 1.0)
    return beyond


def _positives(answer: Answer, metric: str) -> tuple[npt.NDArray[np.bool_], Numbers]:
    if answer.positive is None:
        raise DataError(f"{metric} needs to be told which class is positive", hint='add `positive "…"` to the dataset')
    positive, scores = positive_scores(answer, metric)
    if not positive.any():
        raise DataError(f"{metric} is not defined: the test part has no positive row")
    return positive, scores


def _climb(answer: Answer, positive: npt.NDArray[np.bool_], scores: Numbers) -> tuple[Numbers, Numbers]:
    """Weight of positives and of negatives at or above each distinct score, from the highest down."""
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    ends = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), len(ordered) - 1)
    right = positive[order].astype(np.float64)
    wrong = 1.0 - right
    if answer.weights is not None:
        right, wrong = right * answer.weights[order], wrong * answer.weights[order]
    return np.cumsum(right)[ends], np.cumsum(wrong)[ends]


def _area(answer: Answer, positive: npt.NDArray[np.bool_], scores: Numbers, what: str) -> float:
    hits, below = _climb(answer, positive, scores)
    if hits[-1] <= 0 or below[-1] <= 0:
        raise DataError(f"roc-area is not defined: the test part does not hold rows in and out of {what}")
    steps = np.diff(below, prepend=0.0)
    area = np.dot(steps, hits - np.diff(hits, prepend=0.0) / 2.0)
    return float(np.clip(area / (hits[-1] * below[-1]), 0.0, 1.0))


def _hits_within(hits: Numbers, below: Numbers, size: float) -> float:
    """Weight of positives among the first `size` of weight; a group of ties at the edge counts by its share."""
    reached = hits + below
    place = min(int(np.searchsorted(reached, size - 1e-9)), len(reached) - 1)
    before, weight = (float(hits[place - 1]), float(reached[place - 1])) if place else (0.0, 0.0)
    share = (size - weight) / (float(reached[place]) - weight)
    return before + share * (float(hits[place]) - before)
