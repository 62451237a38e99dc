"""What every test row adds to a metric, and how several samples of an item become one score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from ..data.given_results import sample_means
from ..data.quoting import quoted
from ..errors import DataError
from ..plans.model import Metric
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
    without = np.array([score(metric, answer.take(block != one), options) for one in range(blocks)])
    apart = (blocks - 1) * (without.mean() - without) * np.sqrt(answer.rows / blocks)
    found = apart[block]
    return np.asarray(whole + found - found.mean(), dtype=np.float64)


Floats = NDArray[np.float64]


def reduced(values: Floats, metric: Metric, names: Sequence[str] = ()) -> Floats:
    """Return [learner, item] of [learner, item, epoch]; NaN is a sample that was not drawn, or an item without any.

    >>> reduced(np.array([[[1.0, 0.0, 0.0]]]), Metric("accuracy", epochs="majority")).tolist()
    [[0.0]]
    """
    if metric.name == "pass":
        k: Any = dict(metric.options)["k"]
        return pass_at(values, int(k), names)
    means = sample_means(values)
    if metric.epochs != "majority":
        return means
    _outcomes(values, "the majority", names)
    return np.where(means == 0.5, 0.5, np.round(means))  # a tie is half right


def reduced_by_mean(metric: Metric) -> bool:
    """Return whether the samples of an item are averaged: then their spread is the variance within items."""
    return metric.name != "pass" and metric.epochs != "majority"


def pass_at(values: Floats, k: int, names: Sequence[str] = ()) -> Floats:
    """Return 1 - C(n - c, k) / C(n, k): the chance that k of the n samples (without replacement) hold a right one.

    Unbiased for the chance that k new samples do; 1 - (1 - c/n)^k is not. Reference: chen2021.

    >>> pass_at(np.array([[[1.0, 0.0, 0.0, 0.0]]]), 2).tolist()
    [[0.5]]
    """
    _outcomes(values, f"pass@{k}", names)
    n = np.count_nonzero(~np.isnan(values), axis=2)
    few = np.argwhere((n < k) & (n > 0))
    if len(few):
        item = int(few[0][1])
        which = f" of {quoted(names[item])}" if names else ""
        raise DataError(
            f"pass@{k} needs {k} samples of every item, and there are {n[tuple(few[0])]}{which}",
            hint=f"write pass(k = {int(n[n > 0].min())}), or sample more",
        )
    right = np.nansum(values, axis=2)
    miss: Floats = np.ones_like(right)
    for i in range(k):  # C(n - c, k) / C(n, k) as a product, which does not overflow
        miss *= np.clip(n - right - i, 0.0, None) / np.maximum(n - i, 1)
    return np.where(n > 0, 1.0 - miss, np.nan)


def _outcomes(values: Floats, what: str, names: Sequence[str]) -> None:
    known = values[~np.isnan(values)]
    wrong = known[(known != 0.0) & (known != 1.0)]
    if wrong.size:
        at = np.argwhere(values == wrong[0])[0]
        which = f" on {quoted(names[int(at[1])])}" if names else ""
        raise DataError(
            f"{what} needs right (1) or wrong (0), and there is {wrong[0]:g}{which}", hint="leave it out for the mean"
        )
