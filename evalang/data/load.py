"""Datasets of the plan: the members of suites, read by the reader of their kind, filtered, and typed."""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..catalogue.sources import READERS, Reader, find_reader
from ..errors import DataError
from ..language.text import NOWHERE
from ..plans.model import Condition, Dataset, Plan, Source
from .access import Access, resolve
from .columns import Column, as_number, as_text, typed_column
from .hashes import content_hash, row_hashes
from .limits import CELLS, COLUMNS, LOG_FILES
from .python_tables import read_value
from .quoting import error_about, quoted, quoted_list
from .raw import Raw, find_column
from .roles import (
    FEW_VALUES,
    ROWS_PER_VALUE,
    find_target,
    read_folds,
    read_groups,
    read_series,
    read_target,
    read_time,
    read_weights,
)
from .table import Table

Mask = NDArray[np.bool_]
_COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
COPY_FROM_COLUMNS = 1000  # columns: from here on a copy costs less than columns that pandas keeps and asks one by one


def read(source: Source, access: Access, *, query: str | None = None) -> Raw:
    """Return the frame of a source; also of results and predictions, which have no target."""
    with faults_reported(source, "take a sample of its rows"):
        raw = _read(source, access, query)
    access.notes.extend(f"{source.locator}: {note}" for note in raw.notes)
    rows, columns = raw.frame.shape
    if rows == 0:
        raise DataError(f"{raw.source} has no rows", hint="check how the file was written")
    if columns > COLUMNS or rows * columns > CELLS:
        raise DataError(f"{raw.source} has {rows} rows and {columns} columns, too many", hint="take a sample of it")
    return raw


@contextmanager
def faults_reported(source: Source, too_large: str) -> Iterator[None]:
    """Report that a source does not fit in memory, with the hint `too_large`, or that its file cannot be read."""
    what = f"{source.kind} {source.locator}"
    try:
        yield
    except MemoryError as error:
        raise DataError(f"{what} does not fit in memory", hint=too_large) from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise DataError(f"{what} cannot be read: {reason}", hint="check the file") from error


def _read(source: Source, access: Access, query: str | None) -> Raw:
    if query is not None and source.kind != "sql":
        raise DataError(f"`query` goes with `from sql`, not with `from {source.kind}`", hint="leave `query` out")
    if source.kind == "python":
        return read_value(source, access)
    reader = find_reader(source.kind)
    if reader is None or reader.is_scores or not reader.function:
        what = f"evalang cannot read `from {source.kind}`"
        raise DataError(what, hint="`evalang explain from` lists the kinds of sources")
    raw: Raw = reader_function(reader)(source, access, *((query,) if source.kind == "sql" else ()))
    return raw


def reader_function(reader: Reader) -> Callable[..., Any]:
    """Return the function of a row of the table of readers; its module is imported only now."""
    module, _, name = reader.function.rpartition(".")
    function: Callable[..., Any] = getattr(import_module(f"{__package__}.{module}"), name)
    return function


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DatasetFiles:
    """Training rows, then those of a tuning file, then those of a test file; `left_out` says why rows are missing."""

    raw: Raw
    tune_from: int | None = None
    test_from: int | None = None
    left_out: tuple[tuple[str, int], ...] = ()

    def keep(self, kept: Mask, why: str) -> DatasetFiles:
        """Return the parts with these rows only."""
        gone = int((~kept).sum())
        if not gone:
            return self
        return DatasetFiles(
            raw=replace(self.raw, frame=self.raw.frame.loc[kept].reset_index(drop=True)),
            tune_from=None if self.tune_from is None else int(kept[: self.tune_from].sum()),
            test_from=None if self.test_from is None else int(kept[: self.test_from].sum()),
            left_out=(*self.left_out, (why, gone)),
        )


def read_parts(dataset: Dataset, access: Access) -> DatasetFiles:
    """Return the files of a dataset one below the other, with the rows that `where` selects."""
    parts = DatasetFiles(raw=read(dataset.source, access, query=dataset.query))
    for word, source in (("tuned on", dataset.tuned_on), ("tested on", dataset.tested_on)):
        if source is not None:
            more = read(source, access, query=dataset.query if source.kind == "sql" else None)
            first: dict[str, Any] = {"tune_from" if word == "tuned on" else "test_from": len(parts.raw.frame)}
            parts = replace(parts, raw=_join(parts.raw, word, more), **first)
    return _filter(dataset, parts)


def _join(raw: Raw, word: str, more: Raw) -> Raw:
    """Return the rows of two files one below the other; they need the same columns."""
    columns, others = list(raw.frame.columns), list(more.frame.columns)
    lacking = [c for c in columns if c not in others]
    extra = [c for c in others if c not in columns]
    if lacking or extra:
        which = f"lacks {quoted_list(lacking)}" if lacking else f"has {quoted_list(extra)} besides"
        raise DataError(f"{more.source} {which}, compared with {raw.source}", hint="both need the same columns")
    return replace(
        raw,
        frame=pd.concat([_plain(raw.frame), _plain(more.frame[columns])], ignore_index=True),
        nominal=raw.nominal | more.nominal,
        source=f"{raw.source}, {word} {more.source}",
    )


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Return categories as objects, so that two parts with different categories can be joined."""
    listed = {c: object for c in frame.columns if isinstance(frame[c].dtype, pd.CategoricalDtype)}
    return frame.astype(listed) if listed else frame


def _filter(dataset: Dataset, parts: DatasetFiles) -> DatasetFiles:
    raw = parts.raw
    kept: Mask = np.ones(len(raw.frame), dtype=bool)
    for condition in dataset.where:
        name = find_column(condition.column, list(raw.frame.columns), raw.source, "where")
        kept &= _meets(_column(dataset, raw, name), condition, dataset.name)
    if not kept.any():
        what = f"no row of {dataset.name} fulfils its `where` conditions"
        raise DataError(what, hint="check the conditions and the values in the column", span=dataset.where[0].span)
    return parts.keep(kept, "where")


def _meets(column: Column, condition: Condition, dataset: str) -> Mask:
    """Return which rows meet a condition; a row without a value meets none, `is not` included."""
    relation, text = condition.relation, as_text(condition.value)
    number = as_number(text)
    if relation in ("is", "is not"):
        same = column.texts == (text.capitalize() if column.is_boolean and text.lower() in ("true", "false") else text)
        if column.kind == "numeric" and not column.is_boolean:
            same = column.values == number if number is not None else np.zeros(len(column.values), dtype=bool)
        return np.asarray(~column.missing & (same == (relation == "is")), dtype=bool)
    if column.kind != "numeric" or number is None:
        what = f"{quoted(text)} is not a number" if number is None else f"{quoted(column.name)} of {dataset} holds text"
        raise DataError(f"{what}, so `{relation}` cannot compare it", hint="write `is`", span=condition.span)
    with np.errstate(invalid="ignore"):
        return np.asarray(_COMPARE[relation](column.values, number), dtype=bool)


def drop_missing_targets(dataset: Dataset, parts: DatasetFiles, missing: Mask) -> DatasetFiles:
    """Return the rows with a target; without `drop missing targets` a missing one is an error."""
    count = int(missing.sum())
    if not count:
        return parts
    if not dataset.drop_missing_targets:
        what = f"{count} of the {len(missing)} rows of {dataset.name} have no target, the first is row "
        in_python = dataset.source.kind == "python"
        hint = "leave them out of what you pass" if in_python else "write `drop missing targets` to leave them out"
        raise DataError(f"{what}{int(np.argmax(missing)) + 1}", hint=hint)
    if count == len(missing):
        raise DataError(f"every row of {dataset.name} lacks its target value", hint="check which column `target` names")
    return parts.keep(~missing, "no target")


def drop_repeated_rows(parts: DatasetFiles, columns: Sequence[Column], y: NDArray[Any]) -> DatasetFiles:
    """Return the first of every set of rows with equal features and target.

    The parts of a dataset count as one table: a test row that is also in the training file is left out of the test.
    """
    seen = pd.DataFrame({place: column.values for place, column in enumerate(columns)} | {"target": y})
    return parts.keep(~seen.duplicated(keep="first").to_numpy(dtype=bool), "repeated")


def check_parts(dataset: Dataset, parts: DatasetFiles) -> None:
    """Refuse a dataset of which a file has no row left."""
    first = parts.test_from if parts.tune_from is None else parts.tune_from
    cuts = [n for n in (parts.tune_from, parts.test_from, len(parts.raw.frame)) if n is not None]
    if first == 0 or any(a == b for a, b in pairwise(cuts)):
        why = ", ".join(word for word, _ in parts.left_out)
        raise DataError(f"all rows of one file of {dataset.name} are left out ({why})", hint="leave fewer rows out")


def load(dataset: Dataset, *, access: Access) -> Table:
    """Return the table of a dataset; a DataError says what is wrong, at the place in the script that asks for it."""
    try:
        return _table(dataset, read_parts(dataset, access), access.notes)
    except DataError as error:
        if error.span != NOWHERE:
            raise
        raise DataError(error.message, hint=error.hint, span=dataset.span) from error


def _table(dataset: Dataset, parts: DatasetFiles, notes: list[str]) -> Table:
    target = find_target(dataset, parts.raw)
    roles = _roles(dataset, parts.raw, target)
    parts = drop_missing_targets(dataset, parts, _target_column(dataset, parts.raw, target).missing)
    if dataset.drop_repeated:
        y = read_target(_target_column(dataset, parts.raw, target), dataset, parts.raw).y
        parts = drop_repeated_rows(parts, _features(dataset, parts.raw, roles), y)
    check_parts(dataset, parts)
    raw, frame = parts.raw, parts.raw.frame

    found = read_target(_target_column(dataset, raw, target), dataset, raw)
    features = _features(dataset, raw, roles)
    if not features:
        raise DataError(f"{dataset.name} has no column left to learn from", hint="drop fewer columns")
    shares = [c.name for c in features if c.kind == "numeric" and _has_percentages(frame[c.name])]
    if shares:
        notes.append(f"{dataset.name}: the percentages in {quoted_list(shares)} are read as shares (14% is 0.14)")
    by_role = {role: name for name, role in roles.items()}
    kinds = dict(zip(frame.columns, frame.dtypes, strict=True))

    def in_role(role: str, read_role: Callable[..., Any], *more: object) -> Any:
        name = by_role.get(role)
        return None if name is None else read_role(_column(dataset, raw, name), dataset.name, *more)

    time = in_role("time", read_time, frame.get(by_role.get("time", "")), notes)
    folds, fold_names = in_role("folds", read_folds) or (None, ())
    table = Table(
        name=dataset.name,
        X=_frame(features),
        y=found.y,
        target=target,
        task=found.task,
        task_reason=found.task_reason,
        classes=found.classes,
        positive=found.positive,
        kinds=tuple(c.kind for c in features),
        groups=in_role("groups", read_groups),
        time=time,
        series=in_role("series in", read_series, time),
        weights=in_role("weights", read_weights),
        folds=folds,
        fold_names=fold_names,
        tune_from=parts.tune_from,
        test_from=parts.test_from,
        left_out=parts.left_out,
        splits=raw.splits,
        source=raw.source,
        row_hashes=row_hashes(frame.drop(columns=raw.folds) if raw.folds else frame),
        named=frozenset(raw.nominal),
        dates=tuple(c.name for c in features if pd.api.types.is_datetime64_any_dtype(kinds[c.name])),
        dropped=frame[[name for name, role in roles.items() if role == "drop" and name not in raw.ignored]],
    )
    return replace(table, content_hash=content_hash(table, features))


def _has_percentages(column: pd.Series[Any]) -> bool:
    """Return whether a column of text, which was read as numbers, holds percentages."""
    return column.dtype.kind not in "biufM" and bool(column.astype("str").str.rstrip().str.endswith("%").any())


def _column(dataset: Dataset, raw: Raw, name: str) -> Column:
    return typed_column(raw.frame[name], name=name, missing=dataset.missing, nominal=name in raw.nominal)


def _features(dataset: Dataset, raw: Raw, roles: Mapping[str, str]) -> list[Column]:
    return [_column(dataset, raw, name) for name in raw.frame.columns if name not in roles]


def _roles(dataset: Dataset, raw: Raw, target: str) -> dict[str, str]:
    """Return the role of every column that is no feature."""
    columns = list(raw.frame.columns)
    roles = {target: "target"}
    declared = (
        ("groups", dataset.groups),
        ("time", dataset.time),
        ("series in", dataset.series),
        ("weights", dataset.weights),
        ("folds", dataset.folds or raw.folds),
        *(("drop", name) for name in dataset.drop),
    )
    for role, name in declared:
        if name is None:
            continue
        found = find_column(name, columns, raw.source, role)
        if found in roles:
            what = f"the column {quoted(found)} of {dataset.name} is named for `{roles[found]}` and for `{role}`"
            raise DataError(what, hint="name each column for one role only")
        roles[found] = role
    for name in (*raw.ignored, *([raw.folds] if raw.folds else [])):
        roles.setdefault(name, "drop")
    return roles


def _target_column(dataset: Dataset, raw: Raw, target: str) -> Column:
    task = dataset.task or raw.task
    nominal = target in raw.nominal and task != "regression"
    if task == "classification" and raw.frame[target].dtype.kind not in "biuf":
        nominal = True
    few = 0 if task == "regression" else min(FEW_VALUES, len(raw.frame) // ROWS_PER_VALUE)
    return typed_column(raw.frame[target], name=target, missing=dataset.missing, nominal=nominal, few=few)


def _frame(columns: list[Column]) -> pd.DataFrame:
    values = {
        c.name: c.values
        if c.kind == "numeric"
        else pd.Categorical.from_codes(c.values, categories=pd.Index(c.categories))
        for c in columns
    }
    return pd.DataFrame(values, copy=len(columns) > COPY_FROM_COLUMNS)


# ---------------------------------------------------------------------- suites


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedSuites:
    """The datasets that take the place of each name in the plan, and the files of folders that are none."""

    members: Mapping[str, tuple[Dataset, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def open_suites(plan: Plan, access: Access) -> OpenedSuites:
    """Return the members of every suite of the plan, in its own order."""
    members: dict[str, tuple[Dataset, ...]] = {}
    notes: list[str] = []
    unopened = {one.name for suite in plan.suites for one in suite.each}
    taken = {d.name for d in plan.datasets} - unopened
    for dataset in plan.datasets:
        if dataset.used and dataset.name in unopened:
            try:
                members[dataset.name], others = _members(dataset, access, taken)
            except DataError as error:
                raise DataError(error.message, hint=error.hint, span=dataset.span) from error
            taken |= {one.name for one in members[dataset.name]}
            if others:
                notes.append(f"{dataset.source.locator} also holds {quoted_list(others)}, which are no tables")
    return OpenedSuites(members=members, notes=tuple(notes))


def _members(dataset: Dataset, access: Access, taken: set[str]) -> tuple[tuple[Dataset, ...], list[str]]:
    """Return the datasets of a suite, none of them under a name that is taken, and files that are no tables."""
    if dataset.source.kind == "folder":
        return folder_members(dataset, access, taken)
    from .openml import list_tasks, name_task

    found: dict[str, Dataset] = {}
    for task in list_tasks(dataset, access) if dataset.source.kind == "openml-suite" else (dataset,):
        one = name_task(task, access, taken | found.keys())
        found[one.name] = one
    return tuple(found.values()), []


# Which reader takes a file, by its ending; a CSV file may be packed.
_READERS = {ending: reader.name for reader in READERS for ending in reader.endings}


def folder_members(dataset: Dataset, access: Access, taken: set[str]) -> tuple[tuple[Dataset, ...], list[str]]:
    """Return the datasets of a folder in the order of the files' names, and the files that are none."""
    locator = dataset.source.locator.rstrip("/") or "."
    folder = resolve(locator, access)
    if not folder.is_dir():
        raise error_about(locator, "is not a folder", 'for one file write `dataset … from csv "…"`')
    with os.scandir(folder) as entries:
        names = sorted(e.name for e in entries if not e.name.startswith("."))
    found: dict[str, Dataset] = {}
    others: list[str] = []
    for file in names:
        name, reader = _named(file)
        if reader is None or (folder / file).is_dir():
            others.append(file)
            continue
        if name in found or name in taken:
            what = f"in {quoted(locator)} would be a second dataset named {quoted(name)}"
            raise error_about(file, what, "rename one of the two")
        source = replace(dataset.source, kind=reader, locator=file if locator == "." else f"{locator}/{file}")
        found[name] = replace(dataset, name=name, source=source)
    if not 0 < len(found) <= LOG_FILES:
        hint = f"a folder has 1 to {LOG_FILES} files that end in {', '.join(_READERS)}"
        raise error_about(locator, f"holds {len(found) or 'no'} table{'s' * (len(found) > 1)}", hint)
    return tuple(found.values()), others


def _named(file: str) -> tuple[str, str | None]:
    """Return the name of the dataset in a file, and its reader."""
    plain = re.sub(r"\.(gz|bz2|xz)$", "", file)
    stem, ending = os.path.splitext(plain)
    reader = _READERS.get(ending.lower())
    return stem, reader if plain == file or reader == "csv" else None
