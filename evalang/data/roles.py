"""Columns with a role: the target with its task and classes; groups, time, series, weights and folds of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ..errors import DataError
from ..language.text import nearest
from ..plans.model import Dataset
from .columns import Column, as_number, as_text, number_text
from .quoting import quoted, quoted_list
from .raw import Raw, find_column
from .table import Array, Task


def read_groups(column: Column, dataset: str) -> Array:
    """Return one number per group, in the order of the groups' names."""
    return _numbered(column, dataset, "groups", "group")


def read_series(column: Column, dataset: str, time: Array | None) -> Array:
    """Return one number per series, in the order of their names; a series has at most one row per time stamp."""
    series = _numbered(column, dataset, "series in", "series")
    if time is None:
        what = f"{dataset} has a column of series, but no column of time"
        raise DataError(what, hint='add `time "COLUMN"` to the dataset')
    again = pd.DataFrame({"series": series, "time": time}).duplicated().to_numpy()
    if again.any():
        second = int(np.argmax(again))
        first = int(np.argmax((series == series[second]) & (time == time[second])))
        raise DataError(
            f"rows {first + 1} and {second + 1} of {dataset} have the same time stamp and the same series "
            f"({quoted(column.name)} = {quoted(column.texts[first])})",
            hint="remove one of the rows, or name in `series in` a column that differs between the series",
        )
    return series


def _numbered(column: Column, dataset: str, role: str, word: str) -> Array:
    _refuse_missing(column, dataset, role, f"every row belongs to a {word}")
    codes = np.unique(column.texts, return_inverse=True)[1].astype(np.int64)
    if codes.max() == 0:
        raise DataError(f"all rows of {dataset} belong to the same {word}", hint=f"leave the `{role}` clause out")
    return codes


def read_folds(column: Column, dataset: str) -> tuple[Array, tuple[str, ...]]:
    """Return the fold of every row, and the folds' names; numbers are sorted as numbers."""
    _refuse_missing(column, dataset, "folds", "every row belongs to a fold")
    sorted_by = column.values if column.kind == "numeric" else column.texts
    _, first, codes = np.unique(sorted_by, return_index=True, return_inverse=True)
    if len(first) < 2:
        raise DataError(f"all rows of {dataset} are in the same fold", hint="name a column with two or more folds")
    if len(first) > len(codes) // 2 and len(first) > 50:
        what = f"the column {quoted(column.name)} of {dataset} puts its {len(codes)} rows into {len(first)} folds"
        raise DataError(what, hint="name the column that holds the folds")
    return codes.astype(np.int64), tuple(str(text) for text in column.texts[first])


def read_weights(column: Column, dataset: str) -> Array:
    """Return the weight of every row: a number, none negative, not all zero."""
    _refuse_missing(column, dataset, "weights", "give every row a weight")
    where = f"the weights of {dataset} in column {quoted(column.name)}"
    if column.kind != "numeric":
        raise DataError(f"{where} are not numbers", hint="name another column")
    if (column.values < 0).any():
        row = int(np.argmax(column.values < 0))
        raise DataError(f"row {row + 1} of {dataset} has a negative weight", hint="write weights of 0 or more")
    if not column.values.any():
        raise DataError(f"{where} are zero", hint="leave the `weights` clause out")
    return column.values


def read_time(column: Column, dataset: str, series: pd.Series[Any], notes: list[str]) -> Array:
    """Return a number per row that grows with time: numbers as they are, dates by their moment.

    Dates such as 31.03.2025 are read where a value shows which number is the day; a note says so.
    """
    if column.kind == "numeric":
        _refuse_missing(column, dataset, "time", "every row has a time")
        return column.values
    texts = series.astype("str").str.strip()
    first = _day_or_month_first(texts[series.notna()], column.name, dataset)
    if first is None:
        moments = pd.to_datetime(texts, utc=True, format="ISO8601", errors="coerce")
    else:
        moments = pd.to_datetime(texts, utc=True, format="mixed", dayfirst=first == "day", errors="coerce")
        notes.append(f"{dataset}: the dates in {quoted(column.name)} are read {first} first")
    unread = moments.isna().to_numpy()
    if unread.any():
        row = int(np.argmax(unread))
        if pd.isna(series.iloc[row]):
            what = f"row {row + 1} of {dataset} has no value in the time column {quoted(column.name)}"
            raise DataError(what, hint=f'fill it in, or leave such rows out with `where "{column.name}" is not ""`')
        what = f"row {row + 1} of the time column {quoted(column.name)} of {dataset} holds {quoted(series.iloc[row])}"
        raise DataError(f"{what}, which is not a date", hint="write dates as 2025-03-31T14:05, or use a number")
    return moments.astype("datetime64[ns, UTC]").astype("int64").to_numpy()


_DATE = r"(\d{1,2})[./-](\d{1,2})[./-]\d{4}(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?"


def _day_or_month_first(texts: pd.Series[Any], name: str, dataset: str) -> str | None:
    """Return "day" or "month" for dates that end with the year, None for others; where nothing tells, refuse."""
    numbers = texts.str.extract(f"^{_DATE}$").astype(float)
    if numbers.empty or numbers.isna().to_numpy().any():
        return None
    days, months = (numbers > 12).any()
    if days != months:
        return "day" if days else "month"
    if not days and texts.str.contains(r"^\d+\.\d+\.").all():
        return "day"  # dates with dots are written so
    why = "no number above 12 shows which number is the day" if not days else "both day and month come first"
    what = f"the time column {quoted(name)} of {dataset} holds dates such as {quoted(texts.iloc[0])}, and {why}"
    raise DataError(what, hint="write dates as 2025-03-31")


def _refuse_missing(column: Column, dataset: str, role: str, hint: str) -> None:
    if column.missing.any():
        row = int(np.argmax(column.missing))
        what = f"row {row + 1} of {dataset} has no value in {quoted(column.name)}, its column for `{role}`"
        raise DataError(what, hint=hint)


OBVIOUS = ("target", "class")
FEW_VALUES = 20  # ours: whole numbers with more distinct values than this are a quantity
ROWS_PER_VALUE = 5  # ours: ... and so are those that hardly repeat
MOST_CLASSES = 1000  # ours: a classification target with more is an identifier or free text


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Target:
    """The target of every row, and how it was read."""

    y: Array
    task: Task
    task_reason: str
    classes: tuple[str, ...] = ()
    positive: str | None = None


def find_target(dataset: Dataset, raw: Raw) -> str:
    """Return the target column: declared by the script or the source, or the only one named `target` or `class`."""
    columns = list(raw.frame.columns)
    if dataset.target is not None:
        return find_column(dataset.target, columns, raw.source, "target")
    if raw.target is not None and raw.target in columns:
        return raw.target
    obvious = [c for c in columns if c.lower() in OBVIOUS]
    if len(obvious) == 1:
        return obvious[0]
    declare = 'write `target "…"`'
    if dataset.source.kind == "python":
        declare = 'pass (X, y), or target="…" to ev.compare; in a notebook write %%evalang --target "…"'
    what = f"{dataset.name} does not say which column is the target"
    raise DataError(what, hint=f"{declare}; the columns of {raw.source} are {quoted_list(columns)}")


def read_target(column: Column, dataset: Dataset, raw: Raw) -> Target:
    """Return the classes or numbers of a target column that has no missing value."""
    task, reason = _task(column, dataset, raw)
    if task == "regression":
        return _regression(column, dataset, reason)
    names, codes = np.unique(_join_classes(column.texts, dataset), return_inverse=True)  # objects: a long text widens
    classes = _sorted_classes([str(n) for n in names])
    if len(classes) < 2:
        raise _constant(dataset, quoted(classes[0]))
    if len(classes) > MOST_CLASSES:
        what = f"the target {quoted(column.name)} of {dataset.name} has {len(classes)} classes"
        raise DataError(what, hint="write `as regression` if it is a number, or name another target")
    place = {name: i for i, name in enumerate(classes)}
    y = np.array([place[str(n)] for n in names], dtype=np.int64)[codes]
    return _order_positive(y, classes, dataset, reason)


def _task(column: Column, dataset: Dataset, raw: Raw) -> tuple[Task, str]:
    """Apply the rule of the language: text, category and bool are classes; so are few distinct whole numbers."""
    if raw.task is not None and dataset.task in (None, raw.task):
        return raw.task, "the data set is known to be one"
    if dataset.task is not None:
        return dataset.task, f"the script says `as {dataset.task}`"
    for named, reason in (
        (dataset.positive, "a positive class is named"),
        (dataset.joined, "classes are joined"),
        (column.kind == "categorical", "the target is text"),
        (column.is_boolean, "the target is true or false"),
    ):
        if named:
            return "classification", reason
    distinct = np.unique(column.values)
    if not np.all(distinct == np.floor(distinct)):
        return "regression", "the target has values that are not whole"
    if len(distinct) <= FEW_VALUES and len(distinct) * ROWS_PER_VALUE <= len(column.values):
        return "classification", f"the target has {len(distinct)} distinct whole values"
    return "regression", f"the target has {len(distinct)} distinct whole values in {len(column.values)} rows"


def _regression(column: Column, dataset: Dataset, reason: str) -> Target:
    if column.kind != "numeric":
        wrong = next((c for c in column.categories if as_number(c) is None), column.categories[0])
        row = int(np.argmax(column.values == column.categories.index(wrong)))
        what = f"row {row + 1} of {dataset.name} has the target {quoted(wrong)} in {quoted(column.name)}, not a number"
        raise DataError(what, hint="fix the cell, or write `as classification`")
    if dataset.positive or dataset.joined:
        does = "names a positive class" if dataset.positive else "joins classes"
        what = f"{dataset.name} {does}, but its target is a number"
        raise DataError(what, hint="leave that clause out, or write `as classification`")
    if np.all(column.values == column.values[0]):
        raise _constant(dataset, number_text(float(column.values[0])))
    return Target(y=column.values, task="regression", task_reason=reason)


def _constant(dataset: Dataset, value: str) -> DataError:
    return DataError(
        f"every row of {dataset.name} has the target {value}, so there is nothing to learn",
        hint="check the target column and how the rows were chosen",
    )


def _sorted_classes(names: list[str]) -> tuple[str, ...]:
    numbers = [as_number(n) for n in names]
    if all(n is not None for n in numbers):
        return tuple(n for _, n in sorted(zip(numbers, names, strict=True), key=lambda p: (p[0] or 0.0, p[1])))
    return tuple(sorted(names))


def _join_classes(labels: Array, dataset: Dataset) -> Array:
    """Return the labels with classes joined under a common name, each `join classes` after the one before it."""
    for joined in dataset.joined:
        known = sorted({str(label) for label in labels})
        members = [_class_named(value, known, dataset) for value in joined.classes]
        name = as_text(joined.name)
        if name in known and name not in members:
            what = f"{dataset.name} has a class {quoted(name)} already, which is not among those joined"
            raise DataError(what, hint="name that class too, or choose another name", span=joined.span)
        labels = np.array([name if str(label) in members else label for label in labels], dtype=object)
    return labels


def _order_positive(y: Array, classes: tuple[str, ...], dataset: Dataset, reason: str) -> Target:
    """Return the target with its positive class last of two; `against the rest` joins all others."""
    positive = tuple(dict.fromkeys(_class_named(value, classes, dataset) for value in dataset.positive))
    if dataset.against_rest:
        rest = [c for c in classes if c not in positive]
        if not positive or not rest:
            what = "names no positive class" if not positive else "names every class as positive, so there is no rest"
            raise DataError(f"{dataset.name} {what}", hint='write `positive "…" against the rest`')
        y = np.isin(y, [classes.index(c) for c in positive]).astype(np.int64)
        classes, positive = (rest[0] if len(rest) == 1 else "the rest", ", ".join(positive)), (", ".join(positive),)
    elif len(positive) > 1:
        what = f"{dataset.name} names {len(positive)} positive classes"
        raise DataError(what, hint="write `against the rest` after them to join them")
    elif positive and len(classes) == 2 and classes[0] == positive[0]:
        y, classes = 1 - y, (classes[1], classes[0])
    chosen = positive[0] if positive else None
    return Target(y=y, task="classification", task_reason=reason, classes=classes, positive=chosen)


def _class_named(value: Any, classes: Sequence[str], dataset: Dataset) -> str:
    text = as_text(value)
    if text in classes:
        return text
    number = as_number(text)
    similar = [c for c in classes if c.casefold() == text.casefold() or (number is not None and as_number(c) == number)]
    if len(similar) == 1:
        return similar[0]
    near = nearest(text, classes)
    hint = f"did you mean {quoted(near)}?" if near else f"its classes are {quoted_list(classes)}"
    raise DataError(f"{dataset.name} has no class {quoted(text)}", hint=hint)
