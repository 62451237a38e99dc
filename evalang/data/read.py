"""A dataset's files, each read by the reader of its kind, as one frame, and which of its rows are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import DataError
from ..plans.model import Condition, Dataset, Source
from .access import Access
from .columns import Column, as_number, as_text, settle
from .limits import CELLS, COLUMNS
from .names import find_column
from .raw import Raw
from .shown import shown, shown_list

Marks = NDArray[np.bool_]


def read(source: Source, access: Access, *, query: str | None = None) -> Raw:
    """The frame behind a source; also for results and predictions, which have columns and no target."""
    try:
        raw = _read(source, access, query)
    except DataError:
        raise
    except MemoryError as error:
        raise DataError(
            f"{source.kind} {source.locator} does not fit in memory", hint="take a sample of its rows"
        ) from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise DataError(f"{source.kind} {source.locator} cannot be read: {reason}", hint="check the file") from error
    rows, columns = raw.frame.shape
    if rows == 0:
        raise DataError(f"{raw.source} has no rows", hint="check how it was written")
    if columns > COLUMNS or rows * columns > CELLS:
        raise DataError(f"{raw.source} has {rows} rows and {columns} columns, too many", hint="take a sample of it")
    return raw


def _read(source: Source, access: Access, query: str | None) -> Raw:
    if query is not None and source.kind != "sql":
        raise DataError(f"a query belongs to `from sql`, not to `from {source.kind}`", hint="leave the query out")
    match source.kind:
        case "builtin":
            from .builtin import read_builtin

            return read_builtin(source)
        case "synthetic":
            from .generators import read_synthetic

            return read_synthetic(source)
        case "csv":
            from .csv import read_csv

            return read_csv(source, access)
        case "parquet":
            from .parquet import read_parquet

            return read_parquet(source, access)
        case "feather":
            from .feather import read_feather

            return read_feather(source, access)
        case "excel":
            from .excel import read_excel

            return read_excel(source, access)
        case "arff":
            from .arff import read_arff

            return read_arff(source, access)
        case "sql":
            from .sql import read_sql

            return read_sql(source, access, query)
        case "openml":
            from .openml import read_openml

            return read_openml(source, access)
        case "python":
            from .handed import read_handed

            return read_handed(source, access)
        case _:
            raise DataError(f"{source.kind} cannot be opened", hint="see `evalang explain from` for what can be read")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parts:
    """Training rows, then those of a tuning file, then those of a test file; `left_out` says why rows are gone."""

    raw: Raw
    tune_from: int | None = None
    test_from: int | None = None
    left_out: tuple[tuple[str, int], ...] = ()

    def keep(self, kept: Marks, why: str) -> Parts:
        """Without the other rows, however the parts shrink."""
        gone = int((~kept).sum())
        if not gone:
            return self
        return Parts(
            raw=replace(self.raw, frame=self.raw.frame.loc[kept].reset_index(drop=True)),
            tune_from=None if self.tune_from is None else int(kept[: self.tune_from].sum()),
            test_from=None if self.test_from is None else int(kept[: self.test_from].sum()),
            left_out=(*self.left_out, (why, gone)),
        )


def read_parts(dataset: Dataset, access: Access) -> Parts:
    """Every file of a dataset, with the rows that `where` chooses."""
    parts = Parts(raw=read(dataset.source, access, query=dataset.query))
    for word, source in (("tuned on", dataset.tuned_on), ("tested on", dataset.tested_on)):
        if source is not None:
            parts = _joined(parts, word, _read_more(dataset, source, access))
    return _where(dataset, parts)


def _read_more(dataset: Dataset, source: Source, access: Access) -> Raw:
    return read(source, access, query=dataset.query if source.kind == "sql" else None)


def _joined(parts: Parts, word: str, more: Raw) -> Parts:
    raw = parts.raw
    here, there = list(raw.frame.columns), list(more.frame.columns)
    lacking = [c for c in here if c not in there]
    extra = [c for c in there if c not in here]
    if lacking or extra:
        which = f"lacks {shown_list(lacking)}" if lacking else f"has {shown_list(extra)} besides"
        raise DataError(f"{more.source} {which}, compared with {raw.source}", hint="both need the same columns")
    both = replace(
        raw,
        frame=pd.concat([_plain(raw.frame), _plain(more.frame[here])], ignore_index=True),
        nominal=raw.nominal | more.nominal,
        source=f"{raw.source}, {word} {more.source}",
    )
    first = len(raw.frame)
    return (
        replace(parts, raw=both, tune_from=first) if word == "tuned on" else replace(parts, raw=both, test_from=first)
    )


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Categories as objects, so that two parts with different categories can be joined."""
    listed = {c: object for c in frame.columns if isinstance(frame[c].dtype, pd.CategoricalDtype)}
    return frame.astype(listed) if listed else frame


def _where(dataset: Dataset, parts: Parts) -> Parts:
    raw = parts.raw
    kept: Marks = np.ones(len(raw.frame), dtype=bool)
    for condition in dataset.where:
        name = find_column(condition.column, list(raw.frame.columns), raw.source, "where")
        column = settle(raw.frame[name], name=name, missing=dataset.missing, nominal=name in raw.nominal)
        kept &= _meets(column, condition, dataset.name)
    if not kept.any():
        raise DataError(f"no row of {dataset.name} meets `where`", hint="check the values", span=dataset.where[0].span)
    return parts.keep(kept, "where")


def _meets(column: Column, condition: Condition, dataset: str) -> Marks:
    """Which rows meet it; a row without a value meets nothing, `is not` included."""
    value, relation = condition.value, condition.relation
    said = as_text(value)
    number = as_number(said)
    if relation in ("is", "is not"):
        same = column.texts == (said.capitalize() if column.truth and said.lower() in ("true", "false") else said)
        if column.kind == "numeric" and not column.truth:
            same = column.values == number if number is not None else np.zeros(len(column.values), dtype=bool)
        return np.asarray(~column.missing & (same == (relation == "is")), dtype=bool)
    if column.kind != "numeric" or number is None:
        what = f"{shown(said)} is no number" if number is None else f"{shown(column.name)} of {dataset} holds text"
        raise DataError(f"{what}, so `{relation}` cannot compare it", hint="write `is`", span=condition.span)
    with np.errstate(invalid="ignore"):
        found: Any = {
            "<": column.values < number,
            "<=": column.values <= number,
            ">": column.values > number,
            ">=": column.values >= number,
        }[relation]
    return np.asarray(found, dtype=bool)


def without_missing_targets(dataset: Dataset, parts: Parts, missing: Marks) -> Parts:
    """Refused, unless the script says to leave them out."""
    count = int(missing.sum())
    if not count:
        return parts
    if not dataset.drop_missing_targets:
        row = int(np.argmax(missing))
        raise DataError(
            f"{count} of the {len(missing)} rows of {dataset.name} have no target, the first is row {row + 1}",
            hint="write `drop missing targets` to leave them out",
        )
    if count == len(missing):
        raise DataError(f"no row of {dataset.name} has a target", hint="check the target column")
    return parts.keep(~missing, "no target")


def without_repeated(parts: Parts, columns: Sequence[Column], y: NDArray[Any]) -> Parts:
    """The first of every set of rows with equal features and target: what a learner would see twice.

    The parts of a dataset count as one table: a test row that is also in the training file is left out of the test.
    """
    seen = pd.DataFrame({place: column.values for place, column in enumerate(columns)} | {"target": y})
    return parts.keep(~seen.duplicated(keep="first").to_numpy(dtype=bool), "repeated")


def check_parts(dataset: Dataset, parts: Parts) -> None:
    """Every file of the dataset still has rows."""
    first = parts.test_from if parts.tune_from is None else parts.tune_from
    cuts = [n for n in (parts.tune_from, parts.test_from, len(parts.raw.frame)) if n is not None]
    if first == 0 or any(a == b for a, b in pairwise(cuts)):
        why = ", ".join(word for word, _ in parts.left_out)
        raise DataError(f"a file of {dataset.name} has no row left ({why})", hint="leave fewer rows out")
