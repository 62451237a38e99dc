"""Values whose mean over the rows is a metric, in its own unit: what tests on rows compare."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy import stats

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
    up, down = scores[positive], scores[~positive]
    if not len(up) or not len(down):
        raise DataError("roc-area is not defined: the test part holds one class only")
    ranks = stats.rankdata(scores)
    above = (ranks[positive] - stats.rankdata(up)) / len(down)
    below = 1.0 - (ranks[~positive] - stats.rankdata(down)) / len(up)
    area = float(above.mean())
    found = np.empty(answer.rows, dtype=np.float64)
    found[positive] = area + (above - area) * (answer.rows / len(up))
    found[~positive] = area + (below - area) * (answer.rows / len(down))
    return found


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
