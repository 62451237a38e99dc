"""Several samples (epochs) of one item reduced to one score: the mean, the majority, or pass@k."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.given_results import sample_means
from ..data.quoting import quoted
from ..errors import DataError
from ..plans.model import Metric

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
