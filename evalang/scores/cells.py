"""Cells of somebody's table: a number, a gap, or a sentence about what is wrong with it."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from ..data.shown import shown
from ..errors import DataError

# What people and programs write for "no score"; compared without case.
GAPS = frozenset({"", "na", "nan", "n/a", "?", "-", "none", "null", "missing"})


def is_gap(value: Any) -> bool:
    """Nothing, NaN, or one of the words for it."""
    if value is None or value is pd.NA or value is pd.NaT:
        return True
    if isinstance(value, str):
        return value.strip().lower() in GAPS
    return isinstance(value, float) and math.isnan(value)


def cell_number(value: Any, place: str) -> float:
    """The number in a cell, NaN for a gap; anything else is refused with its place."""
    if is_gap(value):
        return math.nan
    if isinstance(value, bool):
        raise DataError(f"{place} is {value}, which is not a number", hint="scores are numbers")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise DataError(f"{place} is {shown(value)}, which is not a number", hint="scores are numbers") from None
    if math.isinf(number):
        raise DataError(f"{place} is infinite", hint="leave the cell empty if there is no score")
    return number


def names_of(column: pd.Series[Any], name: str, where: str) -> list[str]:
    """The cells of a column that names learners, datasets or folds; a gap is refused."""
    found = []
    for i, value in enumerate(column.tolist()):
        if is_gap(value) and not (isinstance(value, str) and value.strip() in ("-", "?")):
            raise DataError(f"{where}: row {i + 1} has nothing in {shown(name)}", hint="every row needs its names")
        # Folds read as floats (a gap elsewhere in the column) are still fold 1, not fold 1.0.
        found.append(str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip())
    return found


def without_missing(frame: pd.DataFrame, words: tuple[Any, ...]) -> pd.DataFrame:
    """The frame with gaps for what the script calls `missing`: words as written, numbers by value."""
    if not words:
        return frame
    told = {str(w) for w in words}
    numbers = {float(w) for w in words if isinstance(w, int | float) and not isinstance(w, bool)}

    def gone(value: Any) -> bool:
        if isinstance(value, str):
            return value.strip() in told
        return isinstance(value, int | float) and not isinstance(value, bool) and float(value) in numbers

    return frame.astype(object).where(~frame.map(gone), None)
