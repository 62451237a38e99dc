"""Hashes by which tables, rows and scores are recognised, in another file or another order."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .columns import Column
from .table import Hashes, Table

_TOGETHER = 1 << 20  # cells hashed at one time
_WINDOW = 64  # rows: two classes in another order do not agree on so many by chance
VERSION = b"evalang table 1"


def content_hash(table: Table, columns: Iterable[Column]) -> str:
    """Return the sha256 of names, kinds and values of the features, the target and the roles of the rows."""
    digest = hashlib.sha256(VERSION)
    for column in columns:
        _put_texts(digest, "column", (column.name, column.kind, *column.categories))
        _put_array(digest, column.values)
    _put_texts(digest, "target", (table.target, table.task, table.positive or "", *table.classes))
    _put_array(digest, table.y)
    for role, values in (
        ("groups", table.groups),
        ("time", table.time),
        ("weights", table.weights),
        ("folds", table.folds),
    ):
        _put_texts(digest, role, table.fold_names if role == "folds" else ())
        if values is not None:
            _put_array(digest, values)
    if table.series is not None:
        _put_texts(digest, "series", ())
        _put_array(digest, table.series)
    _put_texts(digest, "test from", (str(table.test_from),))
    if table.tune_from is not None:
        _put_texts(digest, "tune from", (str(table.tune_from),))
    for train, test in table.splits or ():
        _put_array(digest, train)
        _put_array(digest, test)
    return digest.hexdigest()


def _put_texts(digest: Any, role: str, texts: tuple[str, ...]) -> None:
    for text in (role, str(len(texts)), *texts):
        encoded = text.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little"))
        digest.update(encoded)


def _put_array(digest: Any, values: np.ndarray[Any, Any]) -> None:
    if values.dtype.kind == "f":
        plain = values.astype("<f8")
        plain[np.isnan(plain)] = np.nan  # one bit pattern for every missing value
    else:
        plain = values.astype("<i8")
    digest.update(f"{plain.dtype.str}{plain.shape}".encode())
    digest.update(plain.tobytes())


def row_hashes(frame: pd.DataFrame) -> Hashes:
    """Return the sum of the hashes of each row's cells: numbers however the file wrote them, else their text."""
    total = np.zeros(len(frame), dtype=np.uint64)
    plain = np.array([_is_plain_number(dtype) for dtype in frame.dtypes], dtype=bool)
    for place in np.flatnonzero(~plain).tolist():
        total += cell_hashes(frame.iloc[:, place])
    numbers = frame.loc[:, plain]
    wide = max(1, _TOGETHER // max(1, len(frame)))
    for first in range(0, numbers.shape[1], wide):  # pandas takes as long for a column as for thousands of cells
        some = numbers.iloc[:, first : first + wide].to_numpy(dtype=np.float64)
        total += _number_hashes(some).sum(axis=1, dtype=np.uint64)
    return total


def _is_plain_number(dtype: object) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "iuf"


def _number_hashes(values: NDArray[np.float64]) -> Hashes:
    """Return the hash of each number; a missing one has that of an empty text."""
    with np.errstate(invalid="ignore"):  # a NaN of a file may be a signalling one
        hashes = np.asarray(pd.util.hash_array((values + 0.0).ravel()), dtype=np.uint64)  # + 0.0: -0 is 0
    hashes = hashes.reshape(values.shape)
    hashes[np.isnan(values)] = pd.util.hash_array(np.array([""], dtype=object))
    return hashes


def cell_hashes(column: pd.Series[Any]) -> Hashes:
    """Return the hash of each cell of a column: of a number however it was written, else of its text."""
    return _hashes_and_kind(column)[0]


def _hashes_and_kind(column: pd.Series[Any]) -> tuple[Hashes, bool]:
    """Return the hash of each cell, and whether any cell is a number; distinct values are hashed once."""
    if _is_plain_number(column.dtype):
        return _number_hashes(column.to_numpy(dtype=np.float64)), bool(column.notna().any())
    codes, distinct = pd.factorize(column, use_na_sentinel=False)
    words = pd.Series(distinct)
    if column.dtype.kind == "b":  # true and false: a CSV file has them as words
        numbers = np.full(len(words), np.nan)
    else:
        numbers = pd.to_numeric(words, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    hashes = _number_hashes(numbers)
    is_text = np.isnan(numbers)
    if is_text.any():
        texts = ["" if pd.isna(word) else str(word) for word in words[is_text]]
        hashes[is_text] = pd.util.hash_array(np.array(texts, dtype=object))
    is_date = column.dtype.kind in "mM"  # counted from 1970, and no score
    return hashes[codes], not is_text.all() and not is_date


def score_hashes(frame: pd.DataFrame) -> Hashes:
    """Return a hash of each score with the words of its row, so that a further column of scores changes nothing.

    Where a row has no words its place stands for them.
    """
    total = np.zeros(len(frame), dtype=np.uint64)
    scores: list[Hashes] = []
    for place in range(frame.shape[1]):
        hashes, numeric = _hashes_and_kind(frame.iloc[:, place])
        if numeric:
            scores.append(hashes)
        else:
            total += hashes
    if len(scores) == frame.shape[1]:
        total += np.asarray(pd.util.hash_array(np.arange(len(frame))), dtype=np.uint64)
    return np.concatenate([total + hashes for hashes in scores]) if scores else total


def truth_hashes(truth: pd.Series[Any]) -> Hashes:
    """Return a hash of each test row by its true value alone, where most rows differ in it.

    Else by its arrangement: the row's place, the number of rows, and what is true of the rows that follow it.
    """
    own, count = cell_hashes(truth), len(truth)
    if count == 0 or len(np.unique(own)) >= count / 2:
        return own
    total = np.asarray(pd.util.hash_array(np.arange(count) + (count << 32)), dtype=np.uint64)
    for step in range(min(_WINDOW, count)):
        total += np.roll(own, -step) * np.uint64(2 * step + 1)
    return total
