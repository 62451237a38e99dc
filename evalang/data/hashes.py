"""By what rows are known again, in another file or another order."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
_TOGETHER = 1 << 20  # cells hashed at one time
_WINDOW = 64  # rows: two classes in another order do not agree on so many by chance


def row_hashes(frame: pd.DataFrame) -> Hashes:
    """The sum of the hashes of a row's cells: numbers as numbers, whatever the file wrote them as; else their text."""
    total = np.zeros(len(frame), dtype=np.uint64)
    plain = np.array([isinstance(dtype, np.dtype) and dtype.kind in "iuf" for dtype in frame.dtypes], dtype=bool)
    for place in np.flatnonzero(~plain).tolist():
        total += _cells(frame.iloc[:, place])
    numbers = frame.loc[:, plain]
    wide = max(1, _TOGETHER // max(1, len(frame)))
    for first in range(0, numbers.shape[1], wide):  # pandas takes as long for a column as for thousands of cells
        total += _numbers(numbers.iloc[:, first : first + wide].to_numpy(dtype=np.float64)).sum(axis=1, dtype=np.uint64)
    return total


def _numbers(values: NDArray[np.float64]) -> Hashes:
    """What `_cells` says of columns that hold numbers alone."""
    with np.errstate(invalid="ignore"):  # a NaN of a file may be a signalling one
        found = np.asarray(pd.util.hash_array((values + 0.0).ravel()), dtype=np.uint64).reshape(values.shape)
    found[np.isnan(values)] = pd.util.hash_array(np.array([""], dtype=object))
    return found


def salted(hashes: Hashes, salt: str) -> list[int]:
    """What the ledger's sketch is taken of: 60 bits that say nothing of a row to one who has not got the row."""
    key = bytes.fromhex(salt)
    words = map(bytes, hashes.view("V8"))
    return [int.from_bytes(blake2b(word, key=key, digest_size=8).digest(), "big") >> 4 for word in words]


def _cells(column: pd.Series[Any]) -> Hashes:
    truths = column.dtype.kind == "b"  # a CSV file has them as words
    numbers = pd.to_numeric(column.astype(object) if truths else column, errors="coerce")
    values = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
    with np.errstate(invalid="ignore"):  # a NaN of a file may be a signalling one
        found = np.asarray(pd.util.hash_array(values + 0.0), dtype=np.uint64)  # + 0.0: -0 is 0
    words = np.ones(len(values), dtype=bool) if truths else np.isnan(values)
    if words.any():
        texts = ["" if pd.isna(cell) else str(cell) for cell in column[words]]
        found[words] = pd.util.hash_array(np.array(texts, dtype=object))
    return found


def score_hashes(frame: pd.DataFrame) -> Hashes:
    """Of a table of scores: each number with the words of its row, so that a column more, or one less, changes nothing.

    Where a row has no words its place stands for them.
    """
    total = np.zeros(len(frame), dtype=np.uint64)
    numbers, worded = [], False
    for column in (frame.iloc[:, place] for place in range(frame.shape[1])):
        values = pd.to_numeric(column.astype(object), errors="coerce")
        if column.dtype.kind == "b" or not values.notna().any():
            total += _cells(column)
            worded = True
        else:
            numbers.append(_cells(column))
    if not worded:
        total += np.asarray(pd.util.hash_array(np.arange(len(frame))), dtype=np.uint64)
    return np.concatenate([total + cells for cells in numbers]) if numbers else total


def truth_hashes(truth: pd.Series[Any]) -> Hashes:
    """Of test rows that are known by what is true of them alone: by that, where most rows differ in it.

    Else by its arrangement: the row's place, the number of rows, and what is true of the rows that follow it.
    """
    own, count = _cells(truth), len(truth)
    if count == 0 or len(np.unique(own)) >= count / 2:
        return own
    total = np.asarray(pd.util.hash_array(np.arange(count) + (count << 32)), dtype=np.uint64)
    for step in range(min(_WINDOW, count)):
        total += np.roll(own, -step) * np.uint64(2 * step + 1)
    return total
