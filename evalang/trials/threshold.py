"""The threshold of a positive answer, chosen by a metric on rows that neither trained the learner nor test it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..catalogue.metrics import find_metric
from ..errors import EvalangError
from ..plans.model import Metric
from ..plans.parts import MOST_THRESHOLDS
from .predict import Broken
from .trial import Judge, Numbers, Predicted


def best_threshold(judge: Judge, metric: Metric, parts: Sequence[Predicted]) -> float:
    """The threshold with the best score on these rows together; of equals the one nearest to the customary one.

    The second class is said from the threshold on. Tried are the customary threshold (a probability of .5, a margin of
    0), one between every two neighbouring scores, the lowest score and one above the highest: whatever a threshold can
    do to these rows. Of more than so many different scores, so many are taken, evenly by rank.
    """
    said = _together(parts)
    if said.scores is None or said.scores.ndim != 1:
        raise Broken("has no scores of a second class, so no threshold can be chosen")
    usual = 0.5 if said.probabilities else 0.0
    entry = find_metric(metric.name)
    sign = entry.sign if entry is not None else 1
    best: tuple[float, float, float] | None = None
    for threshold in cuts(said.scores, usual):
        value = _score(judge, metric, replace(said, labels=(said.scores >= threshold).astype(np.intp)))
        rank = (sign * value, -abs(threshold - usual), -threshold)
        if math.isfinite(value) and (best is None or rank > best):
            best = rank
    if best is None:
        raise Broken(f"has no threshold at which {metric.label} could be measured on the rows that choose it")
    return -best[2]


def cuts(scores: Numbers, usual: float) -> list[float]:
    """The thresholds to try, in order.

    >>> cuts(np.array([0.2, 0.6, 0.2]), 0.5)[:3]
    [0.2, 0.4, 0.5]
    """
    found = np.unique(scores)
    if len(found) > MOST_THRESHOLDS:
        found = found[np.unique(np.linspace(0, len(found) - 1, MOST_THRESHOLDS).round().astype(np.int64))]
    between = (found[:-1] + found[1:]) / 2.0
    between = np.where(between > found[:-1], between, found[1:])  # neighbours with nothing between them
    above = np.nextafter(found[-1:], np.inf)
    return [float(t) for t in np.unique(np.concatenate([found[:1], between, above, [usual]]))]


def _together(parts: Sequence[Predicted]) -> Predicted:
    """The answers for several parts as one, such as those of inner folds."""
    scored = [one.scores for one in parts if one.scores is not None]
    weights = [one.weights for one in parts if one.weights is not None]
    return replace(
        parts[0],
        truth=np.concatenate([one.truth for one in parts]),
        scores=np.concatenate(scored) if len(scored) == len(parts) else None,
        weights=np.concatenate(weights) if weights else None,
    )


def _score(judge: Judge, metric: Metric, said: Predicted) -> float:
    try:
        return float(judge(metric, said))
    except EvalangError:  # not defined here
        return math.nan
