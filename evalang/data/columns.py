"""Columns: what a column of a frame is, numeric or categorical, and what its values are."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from ..errors import DataError
from .quoting import quoted
from .table import Array, Kind

MOSTLY_NUMERIC = 0.9  # ours: a text column with this share of numbers is a numeric column with a mistake in it
# Words that can only mean "missing" among numbers; in a column of text they may be a category and stay one.
MISSING_AMONG_NUMBERS = frozenset(
    {"", "?", "NA", "N/A", "n/a", "na", "NaN", "nan", "NAN", "null", "NULL", "None", "#N/A", "."}
)
_LONGEST_WHOLE = 10**400  # beyond it a whole number has more digits than Python writes, and is no float64
_DAY = 86_400 * 10**9
_COMMAS = re.compile(r"[-+]?(\d+|\d{1,3}(\.\d{3})+),\d+|[-+]?\d{1,3}(,\d{3})+(\.\d+)?")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Column:
    """The values of a column: float64 when numeric, codes into `categories` (-1: missing) when categorical."""

    name: str
    kind: Kind
    values: Array
    categories: tuple[str, ...] = ()
    is_boolean: bool = False  # was a column of true and false

    @property
    def missing(self) -> Array:
        """Which rows have no value."""
        return np.isnan(self.values) if self.kind == "numeric" else self.values < 0

    @property
    def texts(self) -> Array:
        """The values as text; missing ones are None."""
        if self.kind == "categorical":
            return np.array([*self.categories, None], dtype=object)[self.values]
        known = ~self.missing
        found: Array = np.full(len(self.values), None, dtype=object)
        numbers, place = np.unique(self.values[known], return_inverse=True)
        words = [str(bool(n)) if self.is_boolean else number_text(float(n)) for n in numbers]
        found[known] = np.array(words, dtype=object)[place] if words else None
        return found


def typed_column(
    series: pd.Series[Any], *, name: str, missing: Sequence[object] = (), nominal: bool = False, few: int = 0
) -> Column:
    """Return the typed values of a column; `missing` are the values that the script calls missing.

    Text among numbers is refused, unless the column has at most `few` distinct values and so may hold names of classes.
    """
    absent = frozenset(_missing_texts(missing))
    dtype = series.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "iuf" and not nominal:  # the usual case, without pandas' detours
        return _numeric(name, series.to_numpy().astype(np.float64), absent)
    if isinstance(dtype, pd.CategoricalDtype):
        return _from_texts(_texts(series.astype(object), name), name, absent, nominal=True)
    if pd.api.types.is_bool_dtype(dtype):
        return _truths(name, series, absent)
    if pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_complex_dtype(dtype):
        numbers = series.to_numpy(dtype=float, na_value=np.nan)
        if nominal:
            return _from_texts(Column(name=name, kind="numeric", values=numbers).texts, name, absent, nominal=True)
        return _numeric(name, numbers, absent)
    if pd.api.types.is_datetime64_any_dtype(dtype):
        return _numeric(name, _days(series), absent)
    if pd.api.types.is_timedelta64_dtype(dtype):
        return _numeric(name, series.dt.total_seconds().to_numpy(dtype=float) / 86_400, absent)
    return _from_objects(series, name, absent, nominal, few)


def number_text(value: float) -> str:
    """Return a number as people write it, the same whether it was read as 1 or 1.0.

    >>> number_text(1.0), number_text(0.5), number_text(-0.0)
    ('1', '0.5', '0')
    """
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def as_text(value: object) -> str:
    """Return a value of the script as the cells of a column would write it."""
    return number_text(float(value)) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def as_number(word: str) -> float | None:
    """Return the number that a word stands for, without Python's extras (underscores, other scripts' digits, nan)."""
    if "_" in word or not word.isascii():
        return None
    try:
        number = float(word)
    except ValueError:
        return None
    return None if number != number else number


def _share(word: str) -> float | None:
    """Return the share that a percentage stands for, as the nearest number: 79.2% is 0.792."""
    return as_number(f"{word.removesuffix('%').strip()}e-2")


def looks_numeric(word: str) -> bool:
    """Return whether people would read the word as a number, decimal commas and thousands marks included."""
    return as_number(word) is not None or _COMMAS.fullmatch(word) is not None


def _missing_texts(missing: Sequence[object]) -> list[str]:
    texts = [_text(value, 0, "missing") or "" for value in missing]
    return texts + [value.strip() for value in missing if isinstance(value, str)]


def _truths(name: str, series: pd.Series[Any], absent: frozenset[str]) -> Column:
    return _numeric(name, series.astype("boolean").to_numpy(dtype=float, na_value=np.nan), absent, is_boolean=True)


def _days(series: pd.Series[Any]) -> Array:
    """Return dates as days since the first of January 1970, missing ones NaN."""
    moment = series.dt.tz_convert("UTC").dt.tz_localize(None) if series.dt.tz is not None else series
    counted = moment.astype("datetime64[ns]").astype("int64").to_numpy().astype(float) / _DAY
    counted[series.isna().to_numpy()] = np.nan
    return counted


def _from_objects(series: pd.Series[Any], name: str, absent: frozenset[str], nominal: bool, few: int) -> Column:
    kind = pd.api.types.infer_dtype(series, skipna=True)
    if kind == "boolean":
        return _truths(name, series, absent)
    if kind in ("integer", "floating", "mixed-integer-float", "decimal") and not nominal:
        cells = zip(series.to_numpy(dtype=object), series.isna().to_numpy(), strict=True)
        return _numeric(name, np.array([np.nan if empty else _as_float(v) for v, empty in cells], dtype=float), absent)
    if kind in ("date", "datetime", "datetime64"):
        return _numeric(name, _days(pd.to_datetime(series, utc=True)), absent)
    if kind == "empty":
        return _numeric(name, np.full(len(series), np.nan), absent)
    return _from_texts(_texts(series, name), name, absent, nominal=nominal, few=few)


def _as_float(value: Any) -> float:
    """Return the nearest float64; a whole number beyond all of them is infinite, and refused as such."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _texts(series: pd.Series[Any], name: str) -> Array:
    """Return every value as text, missing ones None; what is no single value (a list, bytes) is refused."""
    values: Array = series.to_numpy(dtype=object).copy()
    if pd.api.types.infer_dtype(series, skipna=True) == "string":
        values[series.isna().to_numpy()] = None
        return values
    found: Array = np.full(len(values), None, dtype=object)
    found[:] = [_text(value, row, name) for row, value in enumerate(values)]
    return found


def _text(value: object, row: int, name: str) -> str | None:
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (int, float, Decimal, np.integer, np.floating)):
        if isinstance(value, int) and abs(value) >= 2**53:
            return str(value) if abs(value) < _LONGEST_WHOLE else "inf" if value > 0 else "-inf"
        number = float(value)
        return None if number != number else number_text(number)
    if pd.api.types.is_scalar(value) and not isinstance(value, (bytes, complex)):
        return str(value)
    what = f"row {row + 1} of column {quoted(name)} holds a {type(value).__name__}, not a number or text"
    raise DataError(what, hint=f'leave the column out with `drop "{name}"`')


def _from_texts(texts: Array, name: str, absent: frozenset[str], *, nominal: bool, few: int = 0) -> Column:
    codes, found = pd.factorize(texts, use_na_sentinel=True)
    words = [str(w).strip() for w in found]
    if not nominal:
        empty = np.array([w in absent or w in MISSING_AMONG_NUMBERS for w in words], dtype=bool)
        percent = all(gone or w.endswith("%") for w, gone in zip(words, empty, strict=True))
        read_number = _share if percent else as_number
        numbers = np.array([np.nan if (n := read_number(w)) is None else n for w in words], dtype=float)
        if not np.any(np.isnan(numbers) & ~empty):
            return _check_finite(name, np.append(np.where(empty, np.nan, numbers), np.nan)[codes])
        if len(words) > few:
            _refuse_text_among_numbers(name, words, codes, numbers, empty)
    kept = sorted({w for w in words if w and w not in absent})
    place = {w: i for i, w in enumerate(kept)}
    code_of = np.array([*(place.get(w, -1) for w in words), -1], dtype=np.int64)
    return Column(name=name, kind="categorical", values=code_of[codes], categories=tuple(kept))


def _refuse_text_among_numbers(name: str, words: list[str], codes: Array, numbers: Array, empty: Array) -> None:
    """Refuse a column of numbers with a decimal comma, thousands marks or a mistake: it would pass for categories."""
    counts = np.where(empty, 0, np.bincount(codes[codes >= 0], minlength=len(words)))
    cells = int(counts.sum())
    marked = np.array([_COMMAS.fullmatch(w) is not None for w in words]) & ~empty
    plain = ~np.isnan(numbers) & ~empty
    if marked.any() and counts[marked | plain].sum() / cells >= MOSTLY_NUMERIC:
        _refuse_commas(name, [w for w, mark in zip(words, marked, strict=True) if mark])
    bad = int(counts[~plain].sum())
    if (cells - bad) / cells < MOSTLY_NUMERIC:
        return
    row = int(np.argmax(np.append(~plain & ~empty, False)[codes]))
    word = words[int(codes[row])]
    raise DataError(
        f"row {row + 1} of column {quoted(name)} holds {quoted(word)}, and {cells - bad} of the column's {cells} "
        "values are numbers",
        hint=f'fix the cell, or write `missing "{word[:40]}"` if it stands for a missing value, or `categorical = '
        f'"{name}"` among the source\'s options if the column holds labels',
    )


def _refuse_commas(name: str, words: list[str]) -> None:
    both = [w for w in words if 0 <= w.find(".") < w.find(",")]
    thousands = all(_THOUSANDS.fullmatch(w) for w in words)
    hints = ["save the numbers without thousands marks"] if thousands or both else []
    hints += [] if thousands else ['write (separator = ";", decimal = ",") after the file']
    raise DataError(
        f"column {quoted(name)} holds numbers with a comma, such as {quoted((both or words)[0])}",
        hint=f'{" and ".join(hints)}, or `categorical = "{name}"` after it if the column holds labels',
    )


def _numeric(name: str, numbers: Array, absent: frozenset[str], is_boolean: bool = False) -> Column:
    values = [n for n in (as_number(t) for t in absent) if n is not None]
    if values and not is_boolean:
        numbers = np.where(np.isin(numbers, values), np.nan, numbers)
    return _check_finite(name, numbers, is_boolean)


def _check_finite(name: str, numbers: Array, is_boolean: bool = False) -> Column:
    infinite = np.isinf(numbers)
    if infinite.any():
        row, others = int(np.argmax(infinite)), int(infinite.sum()) - 1
        more = f", and so in {others} more" if others else ""
        raise DataError(
            f"row {row + 1} of column {quoted(name)} is infinite, or too large for a number{more}",
            hint='fix the cells, or write `missing "inf", "-inf"` if they mean that no value is known',
        )
    with np.errstate(invalid="ignore"):  # a NaN of a file may be a signalling one
        plain: Array = np.ascontiguousarray(numbers, dtype=np.float64) + 0.0  # -0.0 becomes 0.0
    return Column(name=name, kind="numeric", values=plain, is_boolean=is_boolean)
