"""A dataset of the plan, read and typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from ..errors import DataError
from ..plans.model import Dataset
from ..source.span import NOWHERE
from .access import Access
from .columns import Column, settle
from .content_hash import content_hash
from .names import find_column
from .raw import Raw
from .read import Parts, check_parts, read_parts, without_missing_targets, without_repeated
from .roles import read_folds, read_groups, read_time, read_weights
from .row_hashes import row_hashes
from .shown import shown
from .table import Table
from .target import FEW_VALUES, ROWS_PER_VALUE, find_target, read_target


def load(dataset: Dataset, *, access: Access) -> Table:
    """The table of a dataset, or a DataError that says in one sentence what is wrong and where it was asked for."""
    try:
        return _table(dataset, read_parts(dataset, access))
    except DataError as error:
        if error.span != NOWHERE:
            raise
        raise DataError(error.message, hint=error.hint, span=dataset.span) from error


def _table(dataset: Dataset, parts: Parts) -> Table:
    target = find_target(dataset, parts.raw)
    roles = _roles(dataset, parts.raw, target)
    parts = without_missing_targets(dataset, parts, _target_column(dataset, parts.raw, target).missing)
    if dataset.drop_repeated:
        y = read_target(_target_column(dataset, parts.raw, target), dataset, parts.raw).y
        parts = without_repeated(parts, _features(dataset, parts.raw, roles), y)
    check_parts(dataset, parts)
    raw, frame = parts.raw, parts.raw.frame

    def column(name: str) -> Column:
        return _column(dataset, raw, name)

    found = read_target(_target_column(dataset, raw, target), dataset, raw)
    features = _features(dataset, raw, roles)
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
        tune_from=parts.tune_from,
        test_from=parts.test_from,
        left_out=parts.left_out,
        source=raw.source,
        row_hashes=row_hashes(frame),
        named=frozenset(raw.nominal),
        dates=tuple(c.name for c in features if pd.api.types.is_datetime64_any_dtype(frame[c.name].dtype)),
    )
    return replace(table, content_hash=content_hash(table, features))


def _column(dataset: Dataset, raw: Raw, name: str) -> Column:
    return settle(raw.frame[name], name=name, missing=dataset.missing, nominal=name in raw.nominal)


def _features(dataset: Dataset, raw: Raw, roles: Mapping[str, str]) -> list[Column]:
    return [_column(dataset, raw, name) for name in raw.frame.columns if name not in roles]


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


def _frame(columns: list[Column]) -> pd.DataFrame:
    values = {
        c.name: c.values
        if c.kind == "numeric"
        else pd.Categorical.from_codes(c.values, categories=pd.Index(c.categories))
        for c in columns
    }
    return pd.DataFrame(values, copy=False)
