"""The rows of a database's answer, taken in chunks and counted as they lie in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import numpy as np

from ..errors import DataError
from .limits import CELLS, COLUMNS, FILE_BYTES, ROWS
from .table import Array

_CHUNK = 10_000
_OBJECT = 64  # bytes of a value that is no number, besides its text
_EXACT = 2**53  # whole numbers up to here are the same as float64
_NUMBERS = frozenset({int, float, type(None)})


def fetch(many: Callable[[int], Sequence[Any]], columns: int) -> list[Array]:
    """The columns of the answer, numbers as float64; refused as soon as they are too many or too large."""
    if columns > COLUMNS:
        raise DataError(f"the query gives {columns} columns, too many", hint="name fewer columns")
    parts: list[list[Array]] = [[] for _ in range(columns)]
    rows = size = 0
    chunk = max(1, min(_CHUNK, 1_000_000 // max(columns, 1)))
    while found := many(chunk):
        rows += len(found)
        for part, cells in zip(parts, zip(*found, strict=True), strict=True):
            packed = _packed(cells)
            size += packed.nbytes if packed.dtype != object else sum(map(_size, cells))
            part.append(packed)
        if rows > ROWS or rows * columns > CELLS or size > FILE_BYTES:
            raise DataError("the query gives too many rows", hint="add a condition or `limit` to it")
    return [np.concatenate(part) if part else np.empty(0) for part in parts]


def _packed(cells: tuple[Any, ...]) -> Array:
    """Numbers side by side, missing ones NaN; anything else as it is."""
    kinds = set(map(type, cells))
    plain = kinds <= _NUMBERS and kinds != {type(None)}
    if plain and all(-_EXACT <= c <= _EXACT for c in cells if type(c) is int):
        return np.array([np.nan if c is None else c for c in cells], dtype=np.float64)
    packed: Array = np.empty(len(cells), dtype=object)
    packed[:] = [str(c) if isinstance(c, UUID) else c for c in cells]
    return packed


def _size(cell: object) -> int:
    return _OBJECT + (len(cell) if isinstance(cell, (str, bytes)) else 0)
