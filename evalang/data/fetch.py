"""The rows of a database's answer, taken in chunks and counted as they lie in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from sys import getsizeof
from typing import Any
from uuid import UUID

import numpy as np

from ..errors import DataError
from .limits import CELLS, COLUMNS, QUERY_BYTES, ROWS
from .table import Array

_CHUNK = 10_000  # rows
_CHUNK_BYTES = 16 << 20
_EXACT = 2**53  # whole numbers up to here are the same as float64
_NUMBERS = frozenset({int, float, type(None)})
_Row = Sequence[Any]


def fetch(answer: Iterable[_Row], columns: int) -> list[Array]:
    """The columns of the answer, numbers as float64; refused as soon as they are too many or too large."""
    if columns > COLUMNS:
        raise DataError(f"the query gives {columns} columns, too many", hint="name fewer columns")
    parts: list[list[Array]] = [[] for _ in range(columns)]
    rows = size = 0
    for found in _chunks(answer):
        rows += len(found)
        for part, cells in zip(parts, zip(*found, strict=True), strict=True):
            packed = _packed(cells)
            size += packed.nbytes if packed.dtype != object else sum(map(getsizeof, cells))
            part.append(packed)
        if rows > ROWS or rows * columns > CELLS:
            raise DataError("the query gives too many rows", hint="add a condition or `limit` to it")
        if size > QUERY_BYTES:
            raise DataError(
                f"the query gives more than {QUERY_BYTES >> 20} MB",
                hint="add a condition or `limit` to it, or save the answer as Parquet",
            )
    return [_joined(part) for part in parts]


def _chunks(answer: Iterable[_Row]) -> Iterator[list[_Row]]:
    """Some rows at a time: few when they are large, as one query can make any number of long texts of nothing."""
    chunk: list[_Row] = []
    size = 0
    for row in answer:
        chunk.append(row)
        size += sum(map(getsizeof, row))
        if size > _CHUNK_BYTES or len(chunk) == _CHUNK:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _joined(part: list[Array]) -> Array:
    """What is joined is let go of at once: only one column stands twice in memory."""
    whole: Array = np.concatenate(part) if part else np.empty(0)
    part.clear()
    return whole


def _packed(cells: tuple[Any, ...]) -> Array:
    """Numbers side by side, missing ones NaN; anything else as it is."""
    kinds = set(map(type, cells))
    plain = kinds <= _NUMBERS and kinds != {type(None)}
    if plain and all(-_EXACT <= c <= _EXACT for c in cells if type(c) is int):
        return np.array([np.nan if c is None else c for c in cells], dtype=np.float64)
    packed: Array = np.empty(len(cells), dtype=object)
    packed[:] = [str(c) if isinstance(c, UUID) else c for c in cells]
    return packed
