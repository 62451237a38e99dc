"""Cells of a given table: a number, a gap, or an error that names the cell."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import DataError
from .quoting import quoted

# What people and programs write for "no score"; compared without case.
GAPS = frozenset({"", "na", "nan", "n/a", "?", "-", "none", "null", "missing"})
# Right or wrong of an item, in words.
OUTCOMES = {"true": 1.0, "right": 1.0, "correct": 1.0, "pass": 1.0, "passed": 1.0} | {
    "false": 0.0, "wrong": 0.0, "incorrect": 0.0, "fail": 0.0, "failed": 0.0,
}  # fmt: skip
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_SPREAD = re.compile(rf"\s*\$?\s*({_NUMBER})\s*%?\s*(?:±|\+/-|\+-|\\pm)\s*{_NUMBER}\s*%?\s*\$?\s*")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ColumnScores:
    """The numbers of a column, NaN for a gap, and how many of its cells were a mean with a spread."""

    values: NDArray[np.float64]
    spreads: int = 0


def is_gap(value: Any) -> bool:
    """Whether a cell is empty, NaN, or one of the words for it."""
    if value is None or value is pd.NA or value is pd.NaT:
        return True
    if isinstance(value, str):
        return value.strip().lower() in GAPS
    return isinstance(value, float) and math.isnan(value)


def mean_of_spread(value: Any) -> float | None:
    """Return the mean of a cell such as "91.2 ± 0.5"; None for any other cell.

    >>> mean_of_spread("91.2 ± 0.5"), mean_of_spread("$.9 \\\\pm .1$"), mean_of_spread("91.2")
    (91.2, 0.9, None)
    """
    found = _SPREAD.fullmatch(value) if isinstance(value, str) else None
    return float(found[1]) if found else None


def column_scores(column: pd.Series[Any], place: Callable[[int], str], *, outcomes: bool = False) -> ColumnScores:
    """Return the scores of a column; `place` names a row, `outcomes` allows right and wrong in words (items)."""
    if column.dtype.kind == "f" or column.dtype.kind in "iu":
        values = column.to_numpy(dtype=np.float64)
        wrong = np.flatnonzero(np.isinf(values))
        if wrong.size:
            cell_number(float(values[wrong[0]]), place(int(wrong[0])))
        return ColumnScores(values=values)
    if outcomes and column.dtype.kind == "b":
        return ColumnScores(values=column.to_numpy(dtype=np.float64))
    found, spreads = np.empty(len(column)), 0
    for i, value in enumerate(column.tolist()):
        mean = mean_of_spread(value)
        if mean is not None:
            spreads += 1
            found[i] = mean
        elif outcomes and (isinstance(value, bool) or (isinstance(value, str) and value.strip().lower() in OUTCOMES)):
            found[i] = OUTCOMES[str(value).strip().lower()]
        else:
            found[i] = cell_number(value, place(i))
    return ColumnScores(values=found, spreads=spreads)


def cell_number(value: Any, place: str) -> float:
    """Return the number in a cell, NaN for a gap; anything else is refused with its place."""
    if is_gap(value):
        return math.nan
    if isinstance(value, bool):
        raise DataError(f"{place} is {value}, which is not a number", hint="scores are numbers")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise DataError(f"{place} is {quoted(value)}, which is not a number", hint="scores are numbers") from None
    if math.isinf(number):
        raise DataError(f"{place} is infinite", hint="leave the cell empty if there is no score")
    return number


def coded_names(column: pd.Series[Any], name: str, where: str) -> tuple[NDArray[np.intp], list[str]]:
    """Return the names in a column as numbers, and the names in order of their first row; a gap is refused."""
    codes, found = pd.factorize(column.astype(object), use_na_sentinel=True)
    gone = {i for i, value in enumerate(found) if is_gap(value) and str(value).strip() not in ("-", "?")}
    absent = np.flatnonzero((codes < 0) | np.isin(codes, list(gone)))
    if absent.size:
        raise DataError(f"{where}: row {absent[0] + 1} has nothing in {quoted(name)}", hint="every row needs its names")
    # Folds read as floats (a gap elsewhere in the column) are still fold 1, not fold 1.0.
    words = [str(int(v)) if isinstance(v, float) and v.is_integer() else str(v).strip() for v in found]
    again, unique = pd.factorize(np.array(words, dtype=object))
    return again[codes].astype(np.intp), [str(word) for word in unique]


def without_missing(frame: pd.DataFrame, words: tuple[Any, ...]) -> pd.DataFrame:
    """Return the frame with gaps for what the script calls `missing`: words as written, numbers by value."""
    if not words:
        return frame
    texts = {str(w) for w in words}
    numbers = {float(w) for w in words if isinstance(w, int | float) and not isinstance(w, bool)}

    def gone(value: Any) -> bool:
        if isinstance(value, str):
            return value.strip() in texts
        return isinstance(value, int | float) and not isinstance(value, bool) and float(value) in numbers

    return frame.astype(object).where(~frame.map(gone), None)
