"""A table of JSON objects: one in each line, an array of them, or an object of columns as pandas writes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pandas as pd

from ..plans.model import Source
from .access import Access
from .files import open_file
from .limits import CELLS, COLUMNS, VALUE_BYTES
from .quoting import error_about, quoted
from .raw import Raw, categorical_option, checked_names, checked_options
from .tools.log_files import UnreadableLog, parse_json, read_lines

_FORM = 'each line looks like {"model": "a", "item": 1, "score": 0.5}'


def read_json(source: Source, access: Access) -> Raw:
    """Return one row for each object; objects inside become columns `outer.inner`, and lists become text."""
    options = checked_options(source, {"categorical": tuple})
    locator = source.locator
    try:
        with open_file(locator, access) as stream:
            rows = [row for _, row in read_lines(stream, locator)]
    except UnreadableLog:  # one document over several lines, or an array
        rows = []
    if len(rows) < 2:
        with open_file(locator, access) as stream:
            rows = _rows_of(parse_json(stream.read(VALUE_BYTES + 1), quoted(locator)))
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise error_about(locator, "holds no table of JSON objects", _FORM)
    frame = pd.DataFrame([dict(_cells(row)) for row in rows])
    if frame.shape[1] > COLUMNS or frame.size > CELLS:
        raise error_about(locator, f"has {frame.shape[1]} columns and {len(frame)} rows, too many", "take a sample")
    frame.columns = pd.Index(checked_names(frame.columns, locator))
    nominal = categorical_option(options, list(frame.columns), locator)
    return Raw(frame=frame, source=f"json {locator}", nominal=nominal)


def _rows_of(document: Any) -> list[Any]:
    """Return the objects of an array, or the rows of an object whose members are columns."""
    if isinstance(document, list):
        return document
    if isinstance(document, dict) and document:
        columns = [list(one.values()) if isinstance(one, dict) else one for one in document.values()]
        if all(isinstance(one, list) for one in columns) and len({len(one) for one in columns}) == 1:
            return [dict(zip(document, row, strict=True)) for row in zip(*columns, strict=True)]
    return [document]


def _cells(row: dict[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the cells of an object, those of objects inside it with both names."""
    for name, value in row.items():
        if isinstance(value, dict):
            yield from _cells(value, f"{above}{name}.")
        else:
            yield above + name, json.dumps(value) if isinstance(value, list) else value
