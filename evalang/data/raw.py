"""What a reader hands on before columns are given their roles and types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ..errors import DataError
from ..language.nearest import nearest
from .limits import NAME_CHARACTERS
from .quoting import quoted, quoted_list
from .table import Task


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Raw:
    """A frame as read, with unique text column names.

    `nominal` are columns that the source itself declares as categories (ARFF, pandas category), whatever their values
    look like; `target` is the column that the source itself declares as target, `task` likewise.
    """

    frame: pd.DataFrame
    source: str  # for people: kind and name, never a password
    nominal: frozenset[str] = frozenset()
    target: str | None = None
    task: Task | None = None
    splits: Any = None  # (training rows, test rows) of every fold, where Python handed them over
    folds: str | None = None  # the column that holds folds by the source's own word (a task of OpenML)
    ignored: tuple[str, ...] = ()  # columns the source itself says are no features (OpenML's row id)


def checked_names(names: Iterable[object], where: str, advice: str = "") -> list[str]:
    """The names as text; an empty, overlong or repeated one is an error."""
    found = [str(n).strip() for n in names]
    seen: dict[str, int] = {}
    for place, name in enumerate(found, start=1):
        if not name:
            raise DataError(f"column {place} of {quoted(where)} has no name", hint=advice or "give every column a name")
        if len(name) > NAME_CHARACTERS:
            raise DataError(f"column {place} of {quoted(where)} has a name of {len(name)} characters", hint=advice)
        if name in seen:
            raise DataError(
                f"columns {seen[name]} and {place} of {quoted(where)} are both named {quoted(name)}",
                hint=advice or "rename one of them",
            )
        seen[name] = place
    return found


def find_column(name: str, columns: Sequence[str], where: str, role: str) -> str:
    """The column of that name; an unknown one is an error that offers the nearest."""
    if name in columns:
        return name
    near = nearest(name, columns)
    hint = f"did you mean {quoted(near)}?" if near else f"its columns are {quoted_list(columns)}"
    raise DataError(f"{where} has no column {quoted(name)} for `{role}`", hint=hint)


def told_categories(options: Mapping[str, object], columns: Sequence[str], where: str) -> frozenset[str]:
    """The columns that the option `categorical` of a source names; an unknown one is an error."""
    told = options.get("categorical", ())
    assert isinstance(told, tuple)
    return frozenset(find_column(name, columns, where, "categorical") for name in told)
