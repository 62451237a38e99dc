"""A dataset as the learners see it, and its columns: numeric or categorical, and what their values are."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import DataError
from .quoting import quoted

Kind = Literal["numeric", "categorical"]
Task = Literal["classification", "regression"]
Hashes = NDArray[np.uint64]
_TOGETHER = 1 << 20  # cells hashed at one time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Features `X`, target `y`, and what the script said about the rows.

    `X` has float64 columns (missing: NaN) and pandas category columns whose categories are text (missing: NaN).
    `y` is float64 for regression; for classification it is int64, the place of the row's class in `classes`. Classes
    are text, sorted by value where all are numbers; of two classes the positive one, once told, comes last (code 1).
    """

    name: str
    X: pd.DataFrame
    y: np.ndarray[Any, Any]
    target: str
    task: Task
    task_reason: str
    classes: tuple[str, ...] = ()
    positive: str | None = None
    kinds: tuple[Kind, ...] = ()
    groups: np.ndarray[Any, Any] | None = None  # int64, one number per group
    time: np.ndarray[Any, Any] | None = None  # int64 or float64, larger is later
    series: np.ndarray[Any, Any] | None = None  # int64, one number per series
    weights: np.ndarray[Any, Any] | None = None  # float64, none negative
    folds: np.ndarray[Any, Any] | None = None  # int64, place in fold_names
    fold_names: tuple[str, ...] = ()
    test_from: int | None = None  # first row of the official test part
    tune_from: int | None = None  # first row of the official tuning part, which ends where the test part begins
    splits: tuple[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]], ...] | None = None  # folds handed over by Python
    left_out: tuple[tuple[str, int], ...] = ()  # rows that were read and are not here: why, and how many
    content_hash: str = ""
    row_hashes: np.ndarray[Any, Any] | None = None  # uint64, of each row as it was read, dropped columns included
    source: str = ""
    named: frozenset[str] = frozenset()  # columns that the source or the script says hold names of categories
    dates: tuple[str, ...] = ()  # columns that came as dates

    @property
    def rows(self) -> int:
        """Rows in all, the official test part included."""
        return len(self.y)

    @property
    def features(self) -> int:
        """Columns a learner may use."""
        return int(self.X.shape[1])

    @property
    def numeric(self) -> tuple[str, ...]:
        """Names of the numeric columns."""
        return tuple(c for c, k in zip(self.X.columns, self.kinds, strict=True) if k == "numeric")

    @property
    def categorical(self) -> tuple[str, ...]:
        """Names of the categorical columns."""
        return tuple(c for c, k in zip(self.X.columns, self.kinds, strict=True) if k == "categorical")

    @property
    def positive_code(self) -> int | None:
        """The number in `y` that stands for the positive class."""
        return None if self.positive is None else self.classes.index(self.positive)

    @property
    def labels(self) -> np.ndarray[Any, Any]:
        """The target in the user's own words: class names, or the numbers themselves."""
        if self.task == "regression":
            return self.y
        labels: np.ndarray[Any, Any] = np.array(self.classes, dtype=object)[self.y]
        return labels


MOSTLY_NUMERIC = 0.9  # ours: a text column with this share of numbers is a numeric column with a mistake in it
# Words that can only mean "missing" among numbers; in a column of text they may be a category and stay one.
MISSING_AMONG_NUMBERS = frozenset(
    {"", "?", "NA", "N/A", "n/a", "na", "NaN", "nan", "NAN", "null", "NULL", "None", "#N/A", "."}
)
_LONGEST_WHOLE = 10**400  # beyond it a whole number has more digits than Python writes, and is no float64
_DAY = 86_400 * 10**9
_COMMAS = re.compile(r"[-+]?(\d+|\d{1,3}(\.\d{3})+),\d+|[-+]?\d{1,3}(,\d{3})+(\.\d+)?")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?")

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Column:
    """The values of a column: float64 when numeric, codes into `categories` (-1: missing) when categorical."""

    name: str
    kind: Kind
    values: Array
    categories: tuple[str, ...] = ()
    truth: bool = False  # was a column of true and false

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
        words = [str(bool(n)) if self.truth else number_text(float(n)) for n in numbers]
        found[known] = np.array(words, dtype=object)[place] if words else None
        return found


def settle(
    series: pd.Series[Any], *, name: str, missing: Sequence[object] = (), nominal: bool = False, few: int = 0
) -> Column:
    """Decide what a column is and read its values; `missing` are the values the script calls missing.

    Text among numbers is refused, unless the column has at most `few` distinct values and so may hold names of classes.
    """
    told = frozenset(_told_texts(missing))
    dtype = series.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "iuf" and not nominal:  # the usual case, without pandas' detours
        return _numeric(name, series.to_numpy().astype(np.float64), told)
    if isinstance(dtype, pd.CategoricalDtype):
        return _settle_texts(_texts(series.astype(object), name), name, told, nominal=True)
    if pd.api.types.is_bool_dtype(dtype):
        return _numeric(name, series.astype("boolean").to_numpy(dtype=float, na_value=np.nan), told, truth=True)
    if pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_complex_dtype(dtype):
        numbers = series.to_numpy(dtype=float, na_value=np.nan)
        if nominal:
            return _settle_texts(Column(name=name, kind="numeric", values=numbers).texts, name, told, nominal=True)
        return _numeric(name, numbers, told)
    if isinstance(dtype, pd.DatetimeTZDtype) or pd.api.types.is_datetime64_any_dtype(dtype):
        return _numeric(name, days(series), told)
    if pd.api.types.is_timedelta64_dtype(dtype):
        return _numeric(name, series.dt.total_seconds().to_numpy(dtype=float) / 86_400, told)
    return _settle_objects(series, name, told, nominal, few)


def days(series: pd.Series[Any]) -> Array:
    """Dates as days since the first of January 1970, missing ones NaN."""
    moment = series.dt.tz_convert("UTC").dt.tz_localize(None) if series.dt.tz is not None else series
    counted = moment.astype("datetime64[ns]").astype("int64").to_numpy().astype(float) / _DAY
    counted[series.isna().to_numpy()] = np.nan
    return counted


def number_text(value: float) -> str:
    """A number as people write it, the same whether it was read as 1 or 1.0.

    >>> number_text(1.0), number_text(0.5), number_text(-0.0)
    ('1', '0.5', '0')
    """
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def as_text(value: object) -> str:
    """A value of the script as the cells of a column would write it."""
    return number_text(float(value)) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _settle_objects(series: pd.Series[Any], name: str, told: frozenset[str], nominal: bool, few: int) -> Column:
    kind = pd.api.types.infer_dtype(series, skipna=True)
    if kind == "boolean":
        truths = series.astype("boolean").to_numpy(dtype=float, na_value=np.nan)
        return _numeric(name, truths, told, truth=True)
    if kind in ("integer", "floating", "mixed-integer-float", "decimal") and not nominal:
        numbers = np.array([np.nan if absent else _as_float(v) for v, absent in _pairs(series)], dtype=float)
        return _numeric(name, numbers, told)
    if kind in ("date", "datetime", "datetime64"):
        return _numeric(name, days(pd.to_datetime(series, utc=True)), told)
    if kind == "empty":
        return _numeric(name, np.full(len(series), np.nan), told)
    return _settle_texts(_texts(series, name), name, told, nominal=nominal, few=few)


def _as_float(value: Any) -> float:
    """The nearest float64; a whole number beyond all of them is infinite, and refused as such."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _pairs(series: pd.Series[Any]) -> zip[tuple[Any, Any]]:
    return zip(series.to_numpy(dtype=object), series.isna().to_numpy(), strict=True)


def _texts(series: pd.Series[Any], name: str) -> Array:
    """Every value as text, missing ones None; what is no single value (a list, bytes) is refused."""
    values = series.to_numpy(dtype=object)
    if pd.api.types.infer_dtype(series, skipna=True) == "string":
        plain: Array = values.copy()
        plain[series.isna().to_numpy()] = None
        return plain
    found: Array = np.full(len(values), None, dtype=object)
    for row, value in enumerate(values):
        found[row] = _text(value, row, name)
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
    raise DataError(
        f"row {row + 1} of column {quoted(name)} holds a {type(value).__name__}, not a number or text",
        hint=f'leave the column out with `drop "{name}"`',
    )


def _settle_texts(texts: Array, name: str, told: frozenset[str], *, nominal: bool, few: int = 0) -> Column:
    codes, found = pd.factorize(texts, use_na_sentinel=True)
    words = [str(w).strip() for w in found]
    present = np.bincount(codes[codes >= 0], minlength=len(words)) if len(words) else np.zeros(0, dtype=np.int64)
    if not nominal:
        numbers = _numbers(words, told)
        if numbers is not None:
            return _check_finite(name, _spread(numbers, codes))
        if len(words) > few:
            _refuse_commas(name, words, present, told)
            _refuse_mostly_numeric(name, words, present, codes, told)
    kept = sorted({w for w in words if w and w not in told})
    place = {w: i for i, w in enumerate(kept)}
    turn = np.array([*(place.get(w, -1) for w in words), -1], dtype=np.int64)
    return Column(name=name, kind="categorical", values=turn[codes], categories=tuple(kept))


def _numbers(words: list[str], told: frozenset[str]) -> Array | None:
    """The words as numbers, missing ones NaN, or None when one of them is neither."""
    numbers = np.full(len(words), np.nan)
    for i, word in enumerate(words):
        if word in told or word in MISSING_AMONG_NUMBERS:
            continue
        number = as_number(word)
        if number is None:
            return None
        numbers[i] = number
    return numbers


def as_number(word: str) -> float | None:
    """The number a word stands for; Python's own extras (underscores, other scripts' digits, nan) do not count."""
    if "_" in word or not word.isascii():
        return None
    try:
        number = float(word)
    except ValueError:
        return None
    return None if number != number else number


def looks_numeric(word: str) -> bool:
    """Whether people would read the word as a number, decimal commas and thousands marks included."""
    return as_number(word) is not None or _COMMAS.fullmatch(word) is not None


def _refuse_commas(name: str, words: list[str], present: Array, told: frozenset[str]) -> None:
    """Numbers with a decimal comma or thousands marks would pass for names of categories."""
    cells = [(w, n) for w, n in zip(words, present, strict=True) if w not in told and w not in MISSING_AMONG_NUMBERS]
    commas = [(w, n) for w, n in cells if _COMMAS.fullmatch(w)]
    plain = sum(int(n) for w, n in cells if as_number(w) is not None)
    read = sum(int(n) for _, n in commas)
    if not commas or (read + plain) / sum(int(n) for _, n in cells) < MOSTLY_NUMERIC:
        return
    word = commas[0][0]
    if all(_THOUSANDS.fullmatch(w) for w, _ in commas):
        what, hint = "thousands marks", "save the numbers without them"
    elif both := [w for w, _ in commas if 0 <= w.find(".") < w.find(",")]:
        word, what = both[0], "thousands marks and a decimal comma"
        hint = 'save the numbers without the marks and write (separator = ";", decimal = ",") after the file'
    else:
        what, hint = "a decimal comma", 'write (separator = ";", decimal = ",") after the file'
    raise DataError(
        f"column {quoted(name)} holds numbers with {what}, such as {quoted(word)}",
        hint=f'{hint}, or `categorical = "{name}"` among the source\'s options if the column holds names',
    )


def _refuse_mostly_numeric(name: str, words: list[str], present: Array, codes: Array, told: frozenset[str]) -> None:
    absent = [w in told or w in MISSING_AMONG_NUMBERS for w in words]
    wrong = [not a and as_number(w) is None for w, a in zip(words, absent, strict=True)]
    cells = int(sum(n for n, a in zip(present, absent, strict=True) if not a))
    bad = int(sum(n for n, w in zip(present, wrong, strict=True) if w))
    if not cells or not bad or (cells - bad) / cells < MOSTLY_NUMERIC:
        return
    marks = np.array([*wrong, False])
    row = int(np.argmax(marks[codes]))
    word = words[int(codes[row])]
    raise DataError(
        f"row {row + 1} of column {quoted(name)} holds {quoted(word)}, and {cells - bad} of the column's {cells} "
        "values are numbers",
        hint=f'mend the cell, or write `missing "{word[:40]}"` if it means that no value is known, or '
        f'`categorical = "{name}"` among the source\'s options if the column holds names',
    )


def _spread(numbers: Array, codes: Array) -> Array:
    """The number of each row; code -1 is missing."""
    spread: Array = np.append(numbers, np.nan)[codes]
    return spread


def _told_texts(missing: Sequence[object]) -> list[str]:
    texts: list[str] = []
    for value in missing:
        texts.append(_text(value, 0, "missing") or "")
        if isinstance(value, str):
            texts.append(value.strip())
    return texts


def _numeric(name: str, numbers: Array, told: frozenset[str], truth: bool = False) -> Column:
    absent = [n for n in (as_number(t) for t in told) if n is not None]
    if absent and not truth:
        numbers = np.where(np.isin(numbers, absent), np.nan, numbers)
    return _check_finite(name, numbers, truth)


def _check_finite(name: str, numbers: Array, truth: bool = False) -> Column:
    infinite = np.isinf(numbers)
    if infinite.any():
        row, others = int(np.argmax(infinite)), int(infinite.sum()) - 1
        more = f", and so in {others} more" if others else ""
        raise DataError(
            f"row {row + 1} of column {quoted(name)} is infinite, or too large for a number{more}",
            hint='mend the cells, or write `missing "inf", "-inf"` if they mean that no value is known',
        )
    with np.errstate(invalid="ignore"):  # a NaN of a file may be a signalling one
        plain: Array = np.ascontiguousarray(numbers, dtype=np.float64) + 0.0  # -0.0 becomes 0.0
    return Column(name=name, kind="numeric", values=plain, truth=truth)


def row_hashes(frame: pd.DataFrame) -> Hashes:
    """The sum of the hashes of a row's cells: numbers as numbers, whatever the file wrote them as; else their text."""
    total = np.zeros(len(frame), dtype=np.uint64)
    plain = np.array([isinstance(dtype, np.dtype) and dtype.kind in "iuf" for dtype in frame.dtypes], dtype=bool)
    for place in np.flatnonzero(~plain).tolist():
        total += cell_hashes(frame.iloc[:, place])
    numbers = frame.loc[:, plain]
    wide = max(1, _TOGETHER // max(1, len(frame)))
    for first in range(0, numbers.shape[1], wide):  # pandas takes as long for a column as for thousands of cells
        some = numbers.iloc[:, first : first + wide].to_numpy(dtype=np.float64)
        total += _number_hashes(some).sum(axis=1, dtype=np.uint64)
    return total


def _number_hashes(values: NDArray[np.float64]) -> Hashes:
    """What `cell_hashes` says of columns that hold numbers alone."""
    with np.errstate(invalid="ignore"):  # a NaN of a file may be a signalling one
        found = np.asarray(pd.util.hash_array((values + 0.0).ravel()), dtype=np.uint64).reshape(values.shape)
    found[np.isnan(values)] = pd.util.hash_array(np.array([""], dtype=object))
    return found


def cell_hashes(column: pd.Series[Any]) -> Hashes:
    """Of each cell of a column: a number whatever it was written as, else its text."""
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
