"""One table of several files, each with the predictions or the item scores of one learner."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

import pandas as pd

from ..errors import DataError
from ..plans.python_scores import LEARNERS
from .guess_roles import LEVELS, NO_SCORES, PREDICTED, TRUTH, metric_named, plain_name
from .quoting import quoted, quoted_list

LOOKED_FOR = (
    "each file needs one column with the predictions or scores of one learner, and an id column that all files share "
    "(such as id, item or question); if the files hold predictions, one of them also needs a column named truth"
)


def join_tables(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return one table of the tables of several learners, by name of the learner.

    Predictions come side by side with their truth, scores one below the other with a column `learner`. Rows are
    paired by the columns that all tables share and that are named like ids or levels.
    """
    frames = {learner: frame.rename(columns=str) for learner, frame in tables.items()}
    shared = [c for c in next(iter(frames.values())).columns if all(c in frame.columns for frame in frames.values())]
    keys = [c for c in shared if plain_name(c) in ("id", "index", *LEVELS)]
    truths = {name: _named(frame, TRUTH) for name, frame in frames.items()}
    if not any(truths.values()) and (whole := _stacked(frames, keys)) is not None:
        return whole
    values = {name: _value_column(name, frame, (*keys, *truths[name])) for name, frame in frames.items()}
    for name, frame in frames.items():
        if keys and frame.duplicated(keys).any():
            again = frame.loc[frame.duplicated(keys), keys].iloc[0].tolist()
            raise DataError(f"{name} has {quoted_list(keys)} {quoted_list(again)} twice", hint="keep one of the rows")
    if any(truths.values()):
        return _side_by_side(frames, keys, truths, values)
    if not keys:
        raise DataError("the tables have no column of ids in common", hint=LOOKED_FOR)
    one_name = _score_name(values)
    items = {keys[0]: "item"} if len(keys) == 1 and plain_name(keys[0]) in ("id", "index") else {}
    parts = [
        frame.drop(columns=_named(frame, LEARNERS)).rename(columns={values[name]: one_name} | items)
        for name, frame in frames.items()
    ]
    wanted = [c for c in parts[0].columns if all(c in part.columns for part in parts)]
    joined = pd.concat(
        [part[wanted].assign(learner=name) for name, part in zip(frames, parts, strict=True)], ignore_index=True
    )
    places = [items.get(key, key) for key in keys]
    if joined.groupby(places)["learner"].nunique().max() < 2:
        raise DataError(f"the tables have no value of {quoted_list(keys)} in common", hint=LOOKED_FOR)
    return joined


def _stacked(frames: Mapping[str, pd.DataFrame], keys: list[str]) -> pd.DataFrame | None:
    """Return tables of several learners one below the other; None for tables of one learner each."""
    first = next(iter(frames.values()))
    learner = next(iter(_named(first, LEARNERS)), None)
    if learner is None:
        numbers = [c for c in first.columns if c not in keys and first[c].dtype.kind in "fiub"]
        several = len(numbers) > 1 and not any(plain_name(c) in NO_SCORES or metric_named(c) for c in numbers)
    else:
        several = any(frame[learner].nunique() > 1 for frame in frames.values())
    if not several or any(set(frame.columns) != set(first.columns) for frame in frames.values()):
        return None
    whole = pd.concat(frames.values(), ignore_index=True)
    cell = [*keys, *([learner] if learner else [])]
    again = whole.duplicated(cell) if keys else pd.Series([True])
    if again.any():
        what = f"for {quoted_list(whole.loc[again, cell].iloc[0].tolist())}" if keys else "and no column of ids"
        raise DataError(
            f"the tables have the same columns {what}, so they cannot be put one below the other",
            hint="compare them one by one, or put both into one table, with a column that names the run or the version",
        )
    return whole


def _named(frame: pd.DataFrame, words: frozenset[str]) -> list[str]:
    return [c for c in frame.columns if plain_name(c) in words]


def _value_column(name: str, frame: pd.DataFrame, taken: tuple[str, ...]) -> str:
    """Return the column of the predictions or scores: the only one, or that with the name of the learner, of a
    prediction or of a metric, or the only one of numbers; refuse a table of several learners.
    """
    for column in _named(frame, LEARNERS):
        if frame[column].nunique() > 1:
            raise DataError(f"{name} holds {frame[column].nunique()} learners, not one", hint=LOOKED_FOR)
    rest = [c for c in frame.columns if c not in taken and plain_name(c) not in {*LEARNERS, *NO_SCORES, *LEVELS}]
    same = [c for c in rest if c.lower() == name.lower()]
    named = [c for c in rest if plain_name(c) in PREDICTED or plain_name(c) == "score" or metric_named(c)]
    numbers = [c for c in rest if frame[c].dtype.kind in "fiub"]
    for candidates in (rest, same, named, numbers):
        if len(candidates) == 1:
            return candidates[0]
    what = f"has several columns that may be scores: {quoted_list(rest)}" if rest else "has no column of scores"
    raise DataError(f"{name} {what}", hint=LOOKED_FOR)


def _score_name(values: Mapping[str, str]) -> str:
    """Return the name of the scores of all tables, `score` where each is named after its learner."""
    named = {name: column for name, column in values.items() if not _is_any_name(name, column)}
    (first, one), *others = named.items() or [("", "score")]
    for name, other in others:
        if (metric_named(one) or plain_name(one)) != (metric_named(other) or plain_name(other)):
            raise DataError(
                f"the scores are named {quoted(one)} in {quoted(first)}, but {quoted(other)} in {quoted(name)}",
                hint="if both mean the same, give the columns the same name; if not, they cannot be compared",
            )
    return one if len(named) == len(values) else "score"


def _is_any_name(learner: str, column: str) -> bool:
    """Return whether the name of a column says nothing of what it measures."""
    return column.lower() == learner.lower() or plain_name(column) in {"score", "value", *PREDICTED}


def _side_by_side(
    frames: Mapping[str, pd.DataFrame], keys: list[str], truths: Mapping[str, list[str]], values: Mapping[str, str]
) -> pd.DataFrame:
    """Return the predictions of every learner beside the truth; without ids, equal truths pair the rows."""
    several = next((name for name, found in truths.items() if len(found) > 1), None)
    if several is not None:
        raise DataError(
            f"{several} has several columns that may be the truth: {quoted_list(truths[several])}", hint=LOOKED_FOR
        )
    if not keys and not all(truths.values()):
        raise DataError("the tables have no column of ids in common", hint=LOOKED_FOR)
    parts = []
    for name, frame in frames.items():
        index = pd.MultiIndex.from_frame(frame[keys].astype(str)) if keys else frame.index
        parts.append(pd.DataFrame({name: frame[values[name]].to_numpy()}, index=index))
        if truths[name]:
            parts[-1].insert(0, "truth", frame[truths[name][0]].to_numpy())
    first = next(part for part in parts if "truth" in part.columns)
    for name, part in zip(frames, parts, strict=True):
        same = len(part) == len(first) and part.index.isin(first.index).all()
        if not same or ("truth" in part.columns and not part["truth"].reindex(first.index).equals(first["truth"])):
            raise DataError(
                f"the ids or the truth in {quoted(name)} differ from those of the other tables",
                hint="every learner has to predict the same test rows",
            )
    columns = [part.drop(columns="truth", errors="ignore").reindex(first.index) for part in parts]
    return reduce(lambda left, right: left.join(right), columns, first[["truth"]]).reset_index(drop=True)
