"""A hash of every row as it was read, which does not ask what the columns are called or in which order they stand."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]


def row_hashes(frame: pd.DataFrame) -> Hashes:
    """The sum of the hashes of a row's cells: numbers as numbers, whatever the file wrote them as; else their text."""
    total = np.zeros(len(frame), dtype=np.uint64)
    for place in range(frame.shape[1]):
        total += _cells(frame.iloc[:, place])
    return total


def salted(hashes: Hashes, salt: str) -> list[int]:
    """What the ledger's sketch is taken of: 60 bits that say nothing of a row to one who has not got the row."""
    key = bytes.fromhex(salt)
    words = map(bytes, hashes.view("V8"))
    return [int.from_bytes(blake2b(word, key=key, digest_size=8).digest(), "big") >> 4 for word in words]


def _cells(column: pd.Series[Any]) -> Hashes:
    truths = column.dtype.kind == "b"  # a CSV file has them as words
    numbers = pd.to_numeric(column.astype(object) if truths else column, errors="coerce")
    values = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
    found = np.asarray(pd.util.hash_array(values + 0.0), dtype=np.uint64)  # + 0.0: -0 is 0
    words = np.ones(len(values), dtype=bool) if truths else np.isnan(values)
    if words.any():
        texts = ["" if pd.isna(cell) else str(cell) for cell in column[words]]
        found[words] = pd.util.hash_array(np.array(texts, dtype=object))
    return found
