"""Metrics of predicted numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...errors import DataError
from ..answer import Answer, Numbers, mean


def rmse(answer: Answer, options: Mapping[str, object]) -> float:
    """Square root of the mean squared error."""
    return float(np.sqrt(mean(squared_error(answer), answer)))


def mae(answer: Answer, options: Mapping[str, object]) -> float:
    """Mean absolute error."""
    return mean(absolute_error(answer), answer)


def mape(answer: Answer, options: Mapping[str, object]) -> float:
    """Mean absolute error as a share of the truth."""
    return mean(relative_error(answer), answer)


def r2(answer: Answer, options: Mapping[str, object]) -> float:
    """1 - SSE / SS around the mean of the test part."""
    truth = answer.truth.astype(np.float64)
    around = mean(np.square(truth - mean(truth, answer)), answer)
    if around <= 0.0 or answer.rows < 2 or (truth == truth[0]).all():
        raise DataError("r2 is not defined: the target does not vary in the test part", hint="take rmse or mae")
    return 1.0 - mean(squared_error(answer), answer) / around


def squared_error(answer: Answer) -> Numbers:
    """One squared error per row."""
    return np.square(_errors(answer))


def absolute_error(answer: Answer) -> Numbers:
    """One absolute error per row."""
    return np.abs(_errors(answer))


def relative_error(answer: Answer) -> Numbers:
    """One absolute error per row, as a share of the truth."""
    errors, truth = absolute_error(answer), np.abs(np.asarray(answer.truth, dtype=np.float64))
    if (truth == 0).any():
        row = int(np.flatnonzero(truth == 0)[0])
        raise DataError(f"mape is not defined: the target of test row {row + 1} is 0", hint="take mae or rmse")
    with np.errstate(over="ignore"):
        shares: Numbers = errors / truth
    if not np.isfinite(shares).all():
        raise DataError("mape is not defined: the target is so near 0 that the share has no finite value")
    return shares


def _errors(answer: Answer) -> Numbers:
    errors = np.asarray(answer.labels, dtype=np.float64) - np.asarray(answer.truth, dtype=np.float64)
    if not np.isfinite(errors).all():
        row = int(np.flatnonzero(~np.isfinite(errors))[0])
        raise DataError(f"the prediction or the truth of test row {row + 1} is not a finite number")
    return errors
