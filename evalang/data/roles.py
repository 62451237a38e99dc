"""Columns that say something about the rows: groups, time, series, weights, folds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..errors import DataError
from .shown import shown
from .table import Array, Column


def read_groups(column: Column, dataset: str) -> Array:
    """One number per group, in the order of the groups' names."""
    _refuse_missing(column, dataset, "groups", "every row belongs to a group")
    groups = _numbered(column)
    if groups.max() == 0:
        raise DataError(f"all rows of {dataset} belong to the same group", hint="leave the `groups` clause out")
    return groups


def read_series(column: Column, time: Array | None, dataset: str) -> Array:
    """One number per series, in the order of their names; a series has one row for a time stamp."""
    _refuse_missing(column, dataset, "series in", "every row belongs to a series")
    series = _numbered(column)
    if series.max() == 0:
        raise DataError(f"all rows of {dataset} belong to the same series", hint="leave the `series in` clause out")
    if time is None:
        raise DataError(f"{dataset} has series and no time that they run in", hint='add `time "column"` to the dataset')
    order = np.lexsort((time, series))
    again = (np.diff(series[order]) == 0) & (np.diff(time[order]) == 0)
    if again.any():
        place = int(np.argmax(again))
        first, second = sorted((int(order[place]), int(order[place + 1])))
        raise DataError(
            f"rows {first + 1} and {second + 1} of {dataset} have the same time in the series "
            f"{shown(column.texts[first])} of {shown(column.name)}",
            hint="a series has one row for a time stamp: name the column that tells the series apart",
        )
    return series


def _numbered(column: Column) -> Array:
    return np.unique(column.texts, return_inverse=True)[1].astype(np.int64)


def read_folds(column: Column, dataset: str) -> tuple[Array, tuple[str, ...]]:
    """The fold of every row, and the folds' names; numbers are sorted as numbers."""
    _refuse_missing(column, dataset, "folds", "every row belongs to a fold")
    if column.kind == "numeric":
        names, codes = np.unique(column.values, return_inverse=True)
        texts = Column(name=column.name, kind="numeric", values=names, truth=column.truth).texts
    else:
        texts, codes = np.unique(column.texts, return_inverse=True)
    if len(texts) < 2:
        raise DataError(f"all rows of {dataset} are in the same fold", hint="given folds need two or more")
    if len(texts) > len(codes) // 2 and len(texts) > 50:
        raise DataError(
            f"the column {shown(column.name)} of {dataset} puts its {len(codes)} rows into {len(texts)} folds",
            hint="name the column that holds the folds",
        )
    return codes.astype(np.int64), tuple(str(t) for t in texts)


def read_weights(column: Column, dataset: str) -> Array:
    """The weight of every row: a number, none negative, not all zero."""
    _refuse_missing(column, dataset, "weights", "give every row a weight")
    if column.kind != "numeric":
        raise DataError(f"the weights of {dataset} in column {shown(column.name)} are not numbers", hint="name another")
    negative = column.values < 0
    if negative.any():
        row = int(np.argmax(negative))
        raise DataError(f"row {row + 1} of {dataset} has a negative weight", hint="weights are zero or more")
    if not column.values.any():
        raise DataError(f"all weights of {dataset} are zero", hint="leave the `weights` clause out")
    return column.values


def read_time(series: pd.Series[Any], column: Column, dataset: str) -> Array:
    """A number per row that grows with time: numbers as they are, dates by their moment."""
    if column.kind == "numeric":
        _refuse_missing(column, dataset, "time", "every row has a time")
        return column.values
    try:
        moments = pd.to_datetime(series.astype("str").str.strip(), utc=True, format="ISO8601")
    except (ValueError, OverflowError) as error:
        wrong = pd.to_datetime(series.astype("str").str.strip(), utc=True, format="ISO8601", errors="coerce").isna()
        row = int(np.argmax(wrong.to_numpy()))
        raise DataError(
            f"row {row + 1} of the time column {shown(column.name)} of {dataset} holds {shown(series.iloc[row])}, "
            "which is no date",
            hint="write dates as 2025-03-31 or 2025-03-31T14:05, or use a number",
        ) from error
    if moments.isna().any():
        row = int(np.argmax(moments.isna().to_numpy()))
        raise DataError(f"row {row + 1} of {dataset} has no time", hint="every row has a time; drop the others")
    return moments.astype("datetime64[ns, UTC]").astype("int64").to_numpy()


def _refuse_missing(column: Column, dataset: str, role: str, hint: str) -> None:
    missing = column.missing
    if missing.any():
        row = int(np.argmax(missing))
        raise DataError(
            f"row {row + 1} of {dataset} has no value in {shown(column.name)}, its column for `{role}`", hint=hint
        )
