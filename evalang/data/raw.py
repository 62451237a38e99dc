"""What a reader hands on before columns are given their roles and types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

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
