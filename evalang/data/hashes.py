"""By what scores and test rows are known again, in another file or another order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .table import Hashes, cell_hashes

_WINDOW = 64  # rows: two classes in another order do not agree on so many by chance


def score_hashes(frame: pd.DataFrame) -> Hashes:
    """Of a table of scores: each number with the words of its row, so that a column more, or one less, changes nothing.

    Where a row has no words its place stands for them.
    """
    total = np.zeros(len(frame), dtype=np.uint64)
    numbers, worded = [], False
    for column in (frame.iloc[:, place] for place in range(frame.shape[1])):
        values = pd.to_numeric(column.astype(object), errors="coerce")
        if column.dtype.kind == "b" or not values.notna().any():
            total += cell_hashes(column)
            worded = True
        else:
            numbers.append(cell_hashes(column))
    if not worded:
        total += np.asarray(pd.util.hash_array(np.arange(len(frame))), dtype=np.uint64)
    return np.concatenate([total + cells for cells in numbers]) if numbers else total


def truth_hashes(truth: pd.Series[Any]) -> Hashes:
    """Of test rows that are known by what is true of them alone: by that, where most rows differ in it.

    Else by its arrangement: the row's place, the number of rows, and what is true of the rows that follow it.
    """
    own, count = cell_hashes(truth), len(truth)
    if count == 0 or len(np.unique(own)) >= count / 2:
        return own
    total = np.asarray(pd.util.hash_array(np.arange(count) + (count << 32)), dtype=np.uint64)
    for step in range(min(_WINDOW, count)):
        total += np.roll(own, -step) * np.uint64(2 * step + 1)
    return total
