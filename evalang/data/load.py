"""A dataset of the plan, read and typed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from ..errors import DataError
from ..plans.model import Dataset
from ..source.span import NOWHERE
from .access import Access
from .columns import Column, settle
from .content_hash import content_hash
from .names import find_column
from .raw import Raw
from .read import read
from .roles import read_folds, read_groups, read_time, read_weights
from .row_hashes import row_hashes
from .shown import shown, shown_list
from .table import Table
from .target import FEW_VALUES, ROWS_PER_VALUE, find_target, read_target


def load(dataset: Dataset, *, access: Access) -> Table:
    """The table of a dataset, or a DataError that says in one sentence what is wrong and where it was asked for."""
    try:
        raw, test_from = _read_parts(dataset, access)
        return _table(dataset, raw, test_from)
    except DataError as error:
        if error.span != NOWHERE:
            raise
        raise DataError(error.message, hint=error.hint, span=dataset.span) from error


def _read_parts(dataset: Dataset, access: Access) -> tuple[Raw, int | None]:
    raw = read(dataset.source, access, query=dataset.query)
    if dataset.tested_on is None:
        return raw, None
    query = dataset.query if dataset.tested_on.kind == "sql" else None
    test = read(dataset.tested_on, access, query=query)
    here, there = list(raw.frame.columns), list(test.frame.columns)
    lacking = [c for c in here if c not in there]
    extra = [c for c in there if c not in here]
    if lacking or extra:
        which = f"lacks {shown_list(lacking)}" if lacking else f"has {shown_list(extra)} besides"
        raise DataError(f"{test.source} {which}, compared with {raw.source}", hint="both need the same columns")
    frame = pd.concat([_plain(raw.frame), _plain(test.frame[here])], ignore_index=True)
    both = replace(
        raw, frame=frame, nominal=raw.nominal | test.nominal, source=f"{raw.source}, tested on {test.source}"
    )
    return both, len(raw.frame)


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Categories as objects, so that two parts with different categories can be joined."""
    listed = {c: object for c in frame.columns if isinstance(frame[c].dtype, pd.CategoricalDtype)}
    return frame.astype(listed) if listed else frame


def _table(dataset: Dataset, raw: Raw, test_from: int | None) -> Table:
    target = find_target(dataset, raw)
    roles = _roles(dataset, raw, target)
    raw, test_from, dropped = _without_missing_targets(dataset, raw, target, test_from)
    frame = raw.frame

    def column(name: str) -> Column:
        return settle(frame[name], name=name, missing=dataset.missing, nominal=name in raw.nominal)

    found = read_target(_target_column(dataset, raw, target), dataset, raw)
    features = [column(name) for name in frame.columns if name not in roles]
    if not features:
        raise DataError(f"{dataset.name} has no column left to learn from", hint="drop fewer columns")
    by_role = {role: name for name, role in roles.items()}
    folds, fold_names = read_folds(column(by_role["folds"]), dataset.name) if "folds" in by_role else (None, ())
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
        groups=read_groups(column(by_role["groups"]), dataset.name) if "groups" in by_role else None,
        time=read_time(frame[by_role["time"]], column(by_role["time"]), dataset.name) if "time" in by_role else None,
        weights=read_weights(column(by_role["weights"]), dataset.name) if "weights" in by_role else None,
        folds=folds,
        fold_names=fold_names,
        test_from=test_from,
        dropped_rows=dropped,
        source=raw.source,
        row_hashes=row_hashes(frame),
        named=frozenset(raw.nominal),
        dates=tuple(c.name for c in features if pd.api.types.is_datetime64_any_dtype(frame[c.name].dtype)),
    )
    return replace(table, content_hash=content_hash(table, features))


def _roles(dataset: Dataset, raw: Raw, target: str) -> dict[str, str]:
    """Column name -> what it is instead of a feature."""
    columns = list(raw.frame.columns)
    roles = {target: "target"}
    told = (
        ("groups", dataset.groups),
        ("time", dataset.time),
        ("weights", dataset.weights),
        ("folds", dataset.folds),
        *(("drop", name) for name in dataset.drop),
    )
    for role, name in told:
        if name is None:
            continue
        found = find_column(name, columns, raw.source, role)
        if found in roles:
            raise DataError(
                f"the column {shown(found)} of {dataset.name} is named for `{roles[found]}` and for `{role}`",
                hint="a column has one role",
            )
        roles[found] = role
    for name in raw.ignored:
        roles.setdefault(name, "drop")
    return roles


def _target_column(dataset: Dataset, raw: Raw, target: str) -> Column:
    nominal = target in raw.nominal and dataset.task != "regression"
    if dataset.task == "classification" and raw.frame[target].dtype.kind not in "biuf":
        nominal = True
    few = 0 if dataset.task == "regression" else min(FEW_VALUES, len(raw.frame) // ROWS_PER_VALUE)
    return settle(raw.frame[target], name=target, missing=dataset.missing, nominal=nominal, few=few)


def _without_missing_targets(
    dataset: Dataset, raw: Raw, target: str, test_from: int | None
) -> tuple[Raw, int | None, int]:
    missing = _target_column(dataset, raw, target).missing
    count = int(missing.sum())
    if not count:
        return raw, test_from, 0
    if not dataset.drop_missing_targets:
        row = int(np.argmax(missing))
        raise DataError(
            f"{count} of the {len(missing)} rows of {dataset.name} have no target, the first is row {row + 1}",
            hint="write `drop missing targets` to leave them out",
        )
    if count == len(missing):
        raise DataError(f"no row of {dataset.name} has a target", hint="check the target column")
    if test_from is not None:
        test_from -= int(missing[:test_from].sum())
    kept = raw.frame.loc[~missing].reset_index(drop=True)
    return replace(raw, frame=kept), test_from, count


def _frame(columns: list[Column]) -> pd.DataFrame:
    values = {
        c.name: c.values
        if c.kind == "numeric"
        else pd.Categorical.from_codes(c.values, categories=pd.Index(c.categories))
        for c in columns
    }
    return pd.DataFrame(values, copy=False)
