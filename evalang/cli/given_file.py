"""The columns of a file that `evalang test` is given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..data.access import Access
from ..data.hashes import score_hashes, truth_hashes
from ..data.load import read
from ..data.raw import find_column
from ..errors import ScriptError
from ..language.text import for_terminal
from ..plans.model import Source
from .given import Column, GivenNumbers

_ENDINGS: dict[str, str] = {".csv": "csv", ".gz": "csv", ".parquet": "parquet", ".feather": "feather", ".arff": "arff"}


def columns_of(name: str, asked: tuple[str, ...], truth: str | None, partition: str | None) -> GivenNumbers:
    """The columns asked for (or all that hold numbers), the truth and the partitions, from a file."""
    path = Path(name)
    kind = _ENDINGS.get(path.suffix)
    if kind is None:
        hint = "give counts, lists 0.9,0.8 0.7,0.6, or a .csv, .parquet or .arff file and its columns"
        raise ScriptError(f"{name} is neither a number nor a table that evalang reads", hint=hint)
    frame = read(Source(kind=kind, locator=path.name), Access(root=path.parent)).frame
    names, where = [str(c) for c in frame.columns], path.name
    special = [find_column(w, names, where, role) for w, role in ((truth, "--truth"), (partition, "--partition")) if w]
    wanted = [find_column(c, names, where, "test") for c in asked]
    chosen = wanted or [c for c in names if c not in special and _is_numeric(frame[c])]
    labels = truth is not None
    found = {c: _labels(frame[c]) if labels else _numeric(frame[c], c, where) for c in chosen}
    rows = truth_hashes(frame[truth]) if truth else score_hashes(frame)
    return GivenNumbers(
        columns=found,
        truth=frame[truth].to_numpy() if truth else None,
        partition=frame[partition].to_numpy() if partition else None,
        file=name,
        rows=rows,
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
