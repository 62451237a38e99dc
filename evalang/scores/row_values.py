"""Values whose mean over the rows is a metric, in its own unit: what tests on rows compare."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from .answer import Answer, Numbers, positive_scores
from .metrics import ONE_MINUS, ROOT_METRICS, ROW_LOSSES, row_losses, score

MEANS = ROW_LOSSES.keys() - ROOT_METRICS
_BLOCKS = 50  # of rows, where a metric is computed anew without each; ours: enough for t, and quick


def row_values(metric: str, answer: Answer, options: Iterable[tuple[str, object]] = ()) -> Numbers:
    """Return one value per row, in the metric's own direction.

    A root is taken by its tangent (the delta method), the area under the ROC curve of two classes by DeLong's placement
    values, so that the spread of the values is that of the metric. Of any other metric the rows of a block share one
    value, by the jackknife.

    >>> answer = Answer(truth=np.array([0.0, 0.0]), labels=np.array([3.0, 5.0]))
    >>> round(float(row_values("rmse", answer).mean()), 4)
    4.1231
    """
    if metric == "roc-area" and len(answer.classes) == 2:
        return _placements(answer)
    if metric not in ROW_LOSSES:
        return _jackknifed(metric, answer, tuple(options))
    losses = row_losses(metric, answer, options)
    if metric in ONE_MINUS:
        return 1.0 - losses
    if metric not in ROOT_METRICS:
        return losses
    whole = float(np.sqrt(losses.mean()))
    return losses if whole == 0.0 else whole + (losses - whole**2) / (2.0 * whole)


def _placements(answer: Answer) -> Numbers:
    """Return the share of the other class that a row is on the right side of; both classes count alike."""
    positive, scores = positive_scores(answer, "roc-area")
    if positive.all() or not positive.any():
        raise DataError("roc-area is not defined: the test part holds one class only")
    above, below = placements(positive, scores)
    area = float(above.mean())
    values = np.empty(answer.rows, dtype=np.float64)
    values[positive] = area + (above - area) * (answer.rows / len(above))
    values[~positive] = area + (below - area) * (answer.rows / len(below))
    return values


def placements(positive: npt.NDArray[np.bool_], scores: Numbers) -> tuple[Numbers, Numbers]:
    """Return for each positive the share of negatives below it, for each negative the share of positives above it."""
    up, down = scores[positive], scores[~positive]
    ranks = average_ranks(scores)
    above = (ranks[positive] - average_ranks(up)) / len(down)
    below = 1.0 - (ranks[~positive] - average_ranks(down)) / len(up)
    return above, below


def average_ranks(values: Numbers) -> Numbers:
    """Return the ranks from 1 upwards, ties with their mean, as scipy.stats.rankdata, which is slow to import.

    >>> average_ranks(np.array([0.3, 0.1, 0.3]))
    array([2.5, 1. , 2.5])
    """
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.cumsum(times) - (times - 1) / 2.0
    return np.asarray(ranks[place], dtype=np.float64)


def _jackknifed(metric: str, answer: Answer, options: tuple[tuple[str, object], ...]) -> Numbers:
    """Return pseudo-values centred on the metric (efron1993): what it loses without each block of rows.

    Every row of a block has the value of its block, stretched so that the mean of so many rows varies as that of the
    blocks does.
    """
    whole = score(metric, answer, options)
    blocks = min(_BLOCKS, answer.rows)
    block = np.arange(answer.rows) % blocks
    without = np.array([score(metric, _rows_of(answer, block != one), options) for one in range(blocks)])
    apart = (blocks - 1) * (without.mean() - without) * np.sqrt(answer.rows / blocks)
    found = apart[block]
    return np.asarray(whole + found - found.mean(), dtype=np.float64)


def _rows_of(answer: Answer, rows: npt.NDArray[np.bool_]) -> Answer:
    return replace(
        answer,
        truth=answer.truth[rows],
        labels=answer.labels[rows],
        scores=None if answer.scores is None else answer.scores[rows],
        weights=None if answer.weights is None else answer.weights[rows],
    )
