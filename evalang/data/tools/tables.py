"""Tables that a benchmark wrote: one row a score, each of the columns named by the tool that wrote it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from ...errors import DataError
from ...language.nearest import nearest
from ...plans.model import Source
from ..access import Access
from ..arff import read_arff
from ..csv import read_csv
from ..quoting import quoted, quoted_list
from ..raw import Origin
from .log_files import find_files, origin_of


def read_tables(source: Source, access: Access, tool: str, *patterns: str) -> tuple[pd.DataFrame, tuple[Origin, ...]]:
    """Return every table of a folder or a pattern, one below the other; the column `file` names the file."""
    frames: list[pd.DataFrame] = []
    origins: list[Origin] = []
    for name in find_files(source.locator, access, *patterns):
        arff = name.lower().removesuffix(".gz").endswith(".arff")
        plain = Source(kind="arff" if arff else "csv", locator=name)
        frame = (read_arff if arff else read_csv)(plain, access).frame.copy()
        frame["file"] = name
        frames.append(frame)
        origins.append(origin_of(name, access, tool))
    return pd.concat(frames, ignore_index=True), tuple(origins)


def check_columns(frame: pd.DataFrame, columns: Sequence[str], what: str) -> None:
    """Refuse a table that another tool, or another version of this one, wrote."""
    lacking = [column for column in columns if column not in frame.columns]
    if lacking:
        raise DataError(
            f"{what} has no column {quoted_list(lacking)}",
            hint=f"it is read by {', '.join(columns)}: is it another file?",
        )


def choose(asked: object, known: Sequence[str], what: str) -> str:
    """Return what a script names; DataError unless it is one of the known names."""
    if isinstance(asked, str) and asked in known:
        return asked
    near = nearest(str(asked), list(known))
    raise DataError(
        f"{what} has no {quoted(asked)}", hint=f"did you mean {near}?" if near else f"it has {quoted_list(known)}"
    )


def as_names(column: pd.Series[Any]) -> pd.Series[str]:
    """Return names as text: a task called 31 is no number."""
    return column.map(lambda v: str(int(v)) if isinstance(v, float) and v.is_integer() else str(v))
