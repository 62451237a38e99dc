"""The rows of a database's answer, within the limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import DataError
from .limits import CELLS, COLUMNS, FILE_BYTES, ROWS

_CHUNK = 10_000


def fetch(many: Callable[[int], Sequence[Any]], columns: int) -> list[Any]:
    """All rows, chunk by chunk, refused as soon as they are too many."""
    if columns > COLUMNS:
        raise DataError(f"the query gives {columns} columns, too many", hint="name fewer columns")
    rows: list[Any] = []
    size = 0
    while chunk := many(_CHUNK):
        rows.extend(tuple(row) for row in chunk)
        size += sum(len(cell) for row in chunk for cell in row if isinstance(cell, (str, bytes)))
        if len(rows) > ROWS or len(rows) * columns > CELLS or size > FILE_BYTES:
            raise DataError("the query gives too many rows", hint="add a condition or `limit` to it")
    return rows
