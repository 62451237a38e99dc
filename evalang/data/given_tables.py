"""The forms in which people keep scores, as one long table: a column for each learner, or a formula; and its cells."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import DataError
from ..plans.model import Level
from .column_words import PART, SHOWN, TESTING, TRAINED_ON, TRAINING, TUNING
from .quoting import quoted, quoted_list
from .raw import LongTable, Standing, find_column

SCORE, LEARNER = "score", "learner"
ROW = "(row)"  # the number of the row, for a table without a column that names its units
FORM = "score ~ learner | dataset, with / for what is nested: score ~ learner | dataset / fold"


def training_rows(frame: pd.DataFrame, roles: Iterable[object]) -> tuple[str, int]:
    """Return the column that names the parts of the data, and how many rows it calls training rows; ("", 0) for none.

    Beside test rows, those of a part for tuning count too. A flag such as `is_train` marks training rows. Columns with
    a role are left out.
    """
    known = set(roles)
    for column in frame.columns:
        named = "" if column in known else str(column).strip()
        part, flag = PART.fullmatch(named), TRAINED_ON.fullmatch(named)
        words = [str(word).strip().lower() for word in frame[column].tolist()] if part or flag else []
        seen = {"1", "1.0", "true", "yes"} if flag else TRAINING | (TUNING if TESTING.intersection(words) else set())
        shown = {word for word in set(words) if part and SHOWN.fullmatch(word)}
        rows = sum(word in seen or word in shown for word in words)
        if 0 < rows < len(frame) or (rows and part):
            return str(column), rows
    return "", 0


def long_table(frame: pd.DataFrame, formula: Sequence[str], levels: Sequence[Level], where: str) -> LongTable:
    """Return a table with one row a score; the formula names the columns of score and learner, then the blocks."""
    columns, words = [str(c) for c in frame.columns], [word.strip() for word in formula]
    if len(words) < 3 or not all(words) or len(set(words)) < len(words):
        what = "a formula names the columns of score, learner and units, each of them once"
        raise DataError(what, hint=f"write {FORM}")
    for word in words:
        find_column(word, columns, where, "formula")
    found: dict[Standing, str] = {"score": words[0], "learner": words[1]}
    return LongTable(frame=frame, columns=found | _levels(levels, columns, where))


def wide_table(
    frame: pd.DataFrame, levels: Sequence[Level], learners_in: Sequence[str], where: str, least: int = 2
) -> LongTable:
    """Return a table with a column for each learner, melted.

    Without any level the only column of text names the datasets; without one, every row is a dataset.
    """
    if any(level.column == ROW for level in levels) and ROW not in frame.columns:
        frame = frame.assign(**{ROW: range(1, len(frame) + 1)})
    columns = [str(c) for c in frame.columns]
    found = _levels(levels, columns, where)
    named = None if levels else _only_text(frame, learners_in, where)
    if named is not None:
        found["dataset"] = named
    learners = [find_column(learner, columns, where, "learners in") for learner in learners_in]
    learners = learners or [c for c in columns if c not in found.values()]
    check_learners(learners, where, least)
    places = [str(i + 1) for i in range(len(frame))]
    unit = found.get("dataset") or found.get("item")
    if unit is not None:
        codes, words = coded_names(frame[unit], unit, where)
        places = [words[code] for code in codes]
    if "dataset" in found and len(found) == 1:
        _refuse_repeated(places, where)

    def place(learner: str) -> Callable[[int], str]:
        return lambda i: f"{where}: the score of {quoted(learner)} on {quoted(places[i])}"

    cells = [column_scores(frame[c], place(c), outcomes="item" in found) for c in learners]
    melted = {
        SCORE: np.concatenate([c.values for c in cells]),
        LEARNER: np.repeat(np.array(learners, dtype=object), len(frame)),
    }
    values = {standing: frame[column].to_numpy(dtype=object) for standing, column in found.items()}
    values = values or {"dataset": np.array(places, dtype=object)}
    # A blank behind the name keeps these columns apart from score and learner.
    melted |= {f"{standing} ": np.tile(one, len(learners)) for standing, one in values.items()}
    if "item" in found:  # columns beside the scores describe the items
        free = [c for c in frame.columns if str(c) not in (*learners, *found.values(), *melted)]
        melted |= {str(c): np.tile(frame[c].to_numpy(dtype=object), len(learners)) for c in free}
    roles: dict[Standing, str] = {"score": SCORE, "learner": LEARNER}
    roles |= {standing: f"{standing} " for standing in values}
    return LongTable(
        frame=pd.DataFrame(melted),
        columns=roles,
        left_out=reading_notes(cells),
        spreads=sum(c.spreads for c in cells),
    )


def check_learners(learners: Sequence[str], where: str, least: int = 2) -> None:
    """Refuse too few learners, and one that is named twice."""
    repeated = next((c for i, c in enumerate(learners) if c in learners[:i]), None)
    if repeated is not None:
        raise DataError(f"learner {quoted(repeated)} is named twice", hint="name each learner once")
    if len(learners) < least:
        found = f"only {quoted(learners[0])}" if learners else "none"
        what = f"{where} has scores of fewer than two learners: {found}"
        raise DataError(what, hint="write one column for each learner")


def _levels(levels: Sequence[Level], columns: Sequence[str], where: str) -> dict[Standing, str]:
    found: dict[Standing, str] = {}
    for level in levels:
        assert level.standing is not None
        found[level.standing] = find_column(level.column, columns, where, f"{level.standing}s in")
    return found


def _refuse_repeated(datasets: Sequence[str], where: str) -> None:
    again = np.flatnonzero(pd.Series(datasets).duplicated())
    if again.size:
        name = datasets[again[0]]
        raise DataError(
            f"{where} has the dataset {quoted(name)} twice, in rows {datasets.index(name) + 1} and {again[0] + 1}",
            hint='keep one row for each dataset, or name the column that tells the rows apart: folds in "fold"',
        )


def _only_text(frame: pd.DataFrame, learners_in: Sequence[str], where: str) -> str | None:
    """Return the only column without numbers; a column with some number holds scores, whatever else is in it."""

    def is_numeric(column: pd.Series[Any]) -> bool:
        some = bool(pd.to_numeric(column, errors="coerce").notna().any())
        return some or any(written_number(value) is not None for value in column.tolist())

    words = [str(c) for c in frame.columns if str(c) not in learners_in and not is_numeric(frame[c])]
    if len(words) > 1 and not learners_in:
        hint = f'write `datasets in "{words[0]}"`'
        raise DataError(f"{where} has several columns of text: {quoted_list(words)}", hint=hint)
    return words[0] if words else None


# What people and programs write for "no score"; compared without case.
GAPS = frozenset({"", "na", "nan", "n/a", "n.a.", "#n/a", "?", "-", "--", "–", "—", "none", "null", "missing"})
# Right or wrong of an item, in words.
OUTCOMES = {"true": 1.0, "right": 1.0, "correct": 1.0, "pass": 1.0, "passed": 1.0} | {
    "false": 0.0, "wrong": 0.0, "incorrect": 0.0, "fail": 0.0, "failed": 0.0,
}  # fmt: skip
_NUMBER = r"[-+]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][-+]?\d+)?"
_CELL = re.compile(
    rf"\s*\$?\s*(?P<number>{_NUMBER})\s*(?P<percent>\\?%)?\s*"
    rf"(?P<spread>(?:±|\+/-|\+-|\\pm)\s*{_NUMBER}\s*(?P<late>\\?%)?|\(±?\s*{_NUMBER}\s*%?\))?\s*\$?\s*"
)
_MARKS = re.compile(
    r"\\(?:textbf|mathbf|underline|bf|textit|emph)\s*\{([^{}]*)\}|[*†‡§_]+(?=\s*$)|^\s*[*_†‡§]+"
)  # of the best
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")  # 79,200 may be a large number or a small one


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ColumnScores:
    """The numbers of a column, NaN for a gap, and how many of its cells were more than a plain number."""

    values: NDArray[np.float64]
    spreads: int = 0  # a mean with its spread: 91.2 ± 0.5
    percents: int = 0
    commas: int = 0


def reading_notes(cells: Sequence[ColumnScores]) -> tuple[str, ...]:
    """Return what was read otherwise than it is written, a sentence each."""
    counts = {
        "percentages are read as shares: 79.2% is 0.792": sum(c.percents for c in cells),
        "numbers have a decimal comma: 0,792 is 0.792": sum(c.commas for c in cells),
        "cells are a mean with a spread: the mean is used": sum(c.spreads for c in cells),
    }
    return tuple(f"{count} {what}" for what, count in counts.items() if count)


def is_gap(value: Any) -> bool:
    """Whether a cell is empty, NaN, or one of the words for it."""
    if value is None or value is pd.NA or value is pd.NaT:
        return True
    if isinstance(value, str):
        return value.strip().lower() in GAPS
    return isinstance(value, float) and math.isnan(value)


def gaps_in(column: pd.Series[Any]) -> NDArray[np.bool_]:
    """Return which cells of a column are gaps."""
    codes, cells = _distinct_cells(column)
    return np.array([is_gap(cell) for cell in cells], dtype=bool)[codes]


def written_number(value: Any) -> float | None:
    """Return the number that a cell of text stands for: a percentage, a mean with a spread, a decimal comma.

    >>> written_number("79.2%"), written_number("91.2 ± 0.5"), written_number("$.9 \\\\pm .1$"), written_number("0,5")
    (0.792, 91.2, 0.9, 0.5)
    >>> written_number("cat") is written_number("79,200") is None
    True
    """
    found = _CELL.fullmatch(_unmarked(value)) if isinstance(value, str) else None
    if found is None or _THOUSANDS.fullmatch(found["number"]):
        return None
    number = found["number"].replace(",", ".")
    if not (found["percent"] or found["late"]):
        return float(number)
    return float(number) / 100 if "e" in number.lower() else float(f"{number}e-2")


def _unmarked(cell: str) -> str:
    """Return a cell without what marks the best or a significant score: bold, stars, daggers.

    >>> _unmarked("**0.81**"), _unmarked("0.8*"), _unmarked("\\\\textbf{91.2}")
    ('0.81', '0.8', '91.2')
    """
    return cell if cell[:1].isdigit() and cell[-1:].isdigit() else _MARKS.sub(lambda mark: mark[1] or "", cell)


def column_scores(column: pd.Series[Any], place: Callable[[int], str], *, outcomes: bool = False) -> ColumnScores:
    """Return the scores of a column; `place` names a row, `outcomes` allows right and wrong in words (items)."""
    if column.dtype.kind in "fiu":
        values = column.to_numpy(dtype=np.float64)
        infinite = np.flatnonzero(np.isinf(values))
        if infinite.size:
            raise _infinite(place(int(infinite[0])))
        return ColumnScores(values=values)
    if outcomes and column.dtype.kind == "b":
        return ColumnScores(values=column.to_numpy(dtype=np.float64))
    codes, cells = _distinct_cells(column)

    def where(code: int) -> str:
        return place(int(np.argmax(codes == code)))

    numbers = np.array([_cell_number(cell, code, where, outcomes) for code, cell in enumerate(cells)], dtype=np.float64)
    texts = [cell if isinstance(cell, str) and not is_gap(cell) else "" for cell in cells]
    percent = np.array(["%" in text for text in texts], dtype=bool)
    large = np.flatnonzero(~percent & (np.abs(numbers) > 1.0))
    if percent.any() and large.size:
        what = f"{where(int(large[0]))} is {cells[large[0]]}, but other cells of its column are percentages"
        raise DataError(what, hint="write % in all cells of a column, or in none")
    counts = np.bincount(codes, minlength=len(cells))
    matches = [_CELL.fullmatch(_unmarked(text)) for text in texts]
    return ColumnScores(
        values=numbers[codes],
        spreads=sum(int(n) for n, match in zip(counts, matches, strict=True) if match and match["spread"]),
        percents=int(counts[percent].sum()),
        commas=sum(int(n) for n, match in zip(counts, matches, strict=True) if match and "," in match["number"]),
    )


def _distinct_cells(column: pd.Series[Any]) -> tuple[NDArray[np.intp], Sequence[Any]]:
    """Return a number for each cell, and the different cells."""
    if pd.api.types.infer_dtype(column, skipna=True) != "string":  # pandas takes True and 1 for one value
        return np.arange(len(column)), column.tolist()
    codes, cells = pd.factorize(column, use_na_sentinel=False)
    return codes, cells.tolist()


def _cell_number(value: Any, code: int, where: Callable[[int], str], outcomes: bool) -> float:
    """Return the number in a cell, NaN for a gap; anything else is refused with its place."""
    if is_gap(value):
        return math.nan
    if outcomes and str(value).strip().lower() in OUTCOMES:
        return OUTCOMES[str(value).strip().lower()]
    if isinstance(value, bool):
        what = f"{where(code)} is {value}, which is not a number"
        raise DataError(what, hint="write a number, or leave the cell empty")
    try:
        number = float(value) if (written := written_number(value)) is None else written
    except (TypeError, ValueError):
        what = f"{where(code)} is {quoted(value)}, which is not a number"
        raise DataError(what, hint="write a number, or leave the cell empty") from None
    if math.isinf(number):
        raise _infinite(where(code))
    return number


def _infinite(place: str) -> DataError:
    return DataError(f"{place} is infinite", hint="leave the cell empty if there is no score")


def coded_names(column: pd.Series[Any], name: str, where: str) -> tuple[NDArray[np.intp], list[str]]:
    """Return the names in a column as numbers, and the names in order of their first row; a gap is refused."""
    texts = isinstance(column.dtype, pd.StringDtype)  # kept by Arrow: as objects a million take 60 MB
    codes, found = pd.factorize(column if texts else column.astype(object), use_na_sentinel=True)
    gone = {i for i, value in enumerate(found) if is_gap(value) and str(value).strip() not in ("-", "?")}
    absent = np.flatnonzero((codes < 0) | np.isin(codes, list(gone)))
    if absent.size:
        what = f"{where}: row {absent[0] + 1} has no value in column {quoted(name)}"
        raise DataError(what, hint="fill in the cell, or delete the row")
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
