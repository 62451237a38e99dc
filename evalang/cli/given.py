"""What `evalang test` is given: counts, lists of numbers, or columns of a file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..data.access import Access
from ..data.names import find_column
from ..data.read import read
from ..errors import ScriptError, TestError
from ..plans.model import Source, SourceKind
from ..source.escape import for_terminal

Column = np.ndarray[Any, Any]
_ENDINGS: dict[str, SourceKind] = {".csv": "csv", ".gz": "csv", ".parquet": "parquet", ".arff": "arff"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Given:
    """Counts, or named columns (numbers, or labels where a truth is named) with the column of partitions."""

    counts: tuple[int, ...] = ()
    columns: dict[str, Column]
    truth: Column | None = None
    partition: Column | None = None


def number(word: str) -> float | None:
    """A finite number, or None."""
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def given(arguments: tuple[str, ...], truth: str | None, partition: str | None) -> Given:
    """Read the arguments: all whole numbers are counts, words with commas are lists, else the first names a file."""
    numbers = [number(a) for a in arguments]
    if None not in numbers and all(n == int(n) and n >= 0 for n in numbers if n is not None):
        return Given(counts=tuple(int(n) for n in numbers if n is not None), columns={})
    lists = [_list(a) for a in arguments]
    if None not in lists:
        return Given(columns={f"list {i + 1}": np.array(x) for i, x in enumerate(lists)})
    wrong = next((a for a, x in zip(arguments, lists, strict=True) if x is None and "," in a), None)
    if wrong is not None:
        odd = next(part for part in wrong.split(",") if number(part) is None)
        raise ScriptError(
            f"{for_terminal(odd) or 'nothing'} is no number in {for_terminal(wrong)[:60]}", hint="write 0.9,0.8"
        )
    return _file(arguments, truth, partition)


def _list(word: str) -> list[float] | None:
    values = [number(part) for part in word.split(",")]
    return None if None in values else [v for v in values if v is not None]


def _file(arguments: tuple[str, ...], truth: str | None, partition: str | None) -> Given:
    path = Path(arguments[0])
    kind = _ENDINGS.get(path.suffix)
    if kind is None:
        hint = "give counts, lists 0.9,0.8 0.7,0.6, or a .csv, .parquet or .arff file and its columns"
        raise ScriptError(f"{arguments[0]} is neither a number nor a table that evalang reads", hint=hint)
    frame = read(Source(kind=kind, locator=path.name), Access(root=path.parent)).frame
    names, where = [str(c) for c in frame.columns], path.name
    special = [find_column(w, names, where, role) for w, role in ((truth, "--truth"), (partition, "--partition")) if w]
    wanted = [find_column(c, names, where, "test") for c in arguments[1:]]
    chosen = wanted or [c for c in names if c not in special and _is_numeric(frame[c])]
    labels = truth is not None
    return Given(
        columns={c: _labels(frame[c]) if labels else _numeric(frame[c], c, where) for c in chosen},
        truth=frame[truth].to_numpy() if truth else None,
        partition=frame[partition].to_numpy() if partition else None,
    )


def _labels(column: pd.Series[Any]) -> Column:
    """Numbers where they are numbers (scores), else as they stand (classes)."""
    return pd.to_numeric(column.astype(object)).to_numpy() if _is_numeric(column) else column.to_numpy()


def _is_numeric(column: pd.Series[Any]) -> bool:
    return bool(pd.to_numeric(column.astype(object), errors="coerce").notna().all())


def _numeric(column: pd.Series[Any], name: str, where: str) -> Column:
    values = pd.to_numeric(column.astype(object), errors="coerce")
    holes = np.flatnonzero(values.isna().to_numpy())
    if len(holes):
        cell = column.iloc[holes[0]]
        what = "nothing" if pd.isna(cell) else f'"{for_terminal(str(cell))[:40]}"'
        raise ScriptError(
            f"row {holes[0] + 1} of column {name} in {where} holds {what}, not a number", hint="tests need numbers"
        )
    return values.to_numpy(dtype=np.float64)


def folded(values: Column, partition: Column | None, five_by_two: bool) -> Column:
    """[partition, fold]: by a column that names the partitions, else five by two for 5x2cv, else one partition."""
    if partition is None:
        return values.reshape(5, 2) if five_by_two and len(values) == 10 else values[None, :]
    groups = [values[partition == p] for p in dict.fromkeys(partition.tolist())]
    if len({len(g) for g in groups}) > 1:
        raise TestError("the partitions differ in their number of rows", hint="every partition needs the same number")
    return np.array(groups)
