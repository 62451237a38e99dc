"""One table in a form that `guess_roles` reads: made of a table in another form, or of a file for each learner.

Learners in rows and datasets in columns, folds in columns, averages among the rows, training rows, curves of training,
several metrics below each other, learners named by two columns, predictions one below the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import pandas as pd

from ..errors import DataError
from ..plans.levels import AVERAGE
from ..plans.python_scores import LEARNERS
from .column_words import is_setting
from .given_tables import is_gap, written_number
from .guess_roles import find_learner
from .quoting import quoted, quoted_list
from .score_columns import (
    LEVELS,
    NAMES,
    NUMBERED,
    PARTS,
    is_named_score,
    is_summary,
    may_be_score,
    metric_named,
    plain_name,
)

MOST_WAYS = 20  # ours: a column that names a method or a setting has no more values


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reshaped:
    """A table, and a sentence for each thing that differs from the table that was read."""

    frame: pd.DataFrame
    notes: tuple[str, ...] = ()


def reshaped(frame: pd.DataFrame, measuring: str | None = None) -> Reshaped:
    """Return the table in a form that `guess` reads; without notes it is the same table.

    >>> ranking = pd.DataFrame({"model": ["a", "b"], "arc": [0.6, 0.7], "mmlu": [0.5, 0.6]})
    >>> reshaped(ranking).frame.to_dict("list")
    {'model': ['a', 'b', 'a', 'b'], 'dataset': ['arc', 'arc', 'mmlu', 'mmlu'], 'score': [0.6, 0.7, 0.5, 0.6]}
    """
    frame, notes = frame.rename(columns=str), []
    for step in _STEPS:
        found = step(frame, measuring)
        if found is not None:
            frame = found[0].reset_index(drop=True)
            notes.append(found[1])
    return Reshaped(frame=frame, notes=tuple(notes))


Step = tuple[pd.DataFrame, str] | None


def _right_and_wrong(frame: pd.DataFrame, measuring: str | None) -> Step:
    """Write 1 and 0 for yes and no, or for C and I, in a column that is named after right answers."""
    for column in _named(frame, NAMES["score"]):
        cells = {v: str(v).strip().lower() for v in frame[column].unique() if not is_gap(v)}
        for words in ({"yes": 1, "no": 0}, {"y": 1, "n": 0}, {"c": 1, "i": 0}):
            if cells and set(cells.values()) <= words.keys():
                numbers = frame[column].map({v: words[word] for v, word in cells.items()})
                right, wrong = (word for word in words)
                return frame.assign(**{column: numbers}), f"{quoted(column)}: {right} is right, {wrong} is wrong"
    return None


def _without_averages(frame: pd.DataFrame, measuring: str | None) -> Step:
    """Leave out rows that are averages of the others."""
    learner = find_learner(frame)
    for column in (c for c in frame.columns if c != learner):
        words = [v for v in frame[column].unique() if isinstance(v, str) and AVERAGE.fullmatch(v.strip())]
        rows = frame[column].isin(words)
        if words and not rows.all():
            named = quoted_list(words)
            return frame[~rows], f"rows {named} of {quoted(column)} are averages of other rows and are left out"
    return None


def _tested_part(frame: pd.DataFrame, measuring: str | None) -> Step:
    """Keep the scores on test rows, where a column says which part of the data was scored."""
    for column in frame.columns:
        parts = {v: PARTS.get(str(v).strip().lower(), -1) for v in frame[column].unique()}
        if min(parts.values(), default=-1) >= 0 and len(set(parts.values())) > 1:
            kept = frame[column].map(parts) == max(parts.values())
            named = quoted_list(v for v, part in parts.items() if part < max(parts.values()))
            return frame[kept].drop(columns=column), f"rows with {named} in {quoted(column)} are left out"
    return None


def _numbered_columns(frame: pd.DataFrame, measuring: str | None) -> Step:
    """Write the scores of columns such as fold1, fold2 or seed_0, seed_1 one below the other."""
    found = {c: match for c in frame.columns if (match := NUMBERED.fullmatch(c.strip()))}
    words = {match["word"].lower() for match in found.values()}
    if len(found) < 2 or len(words) > 1 or not all(_is_numeric(frame[c]) for c in found):
        return None
    word = words.pop()
    shared = find_learner(frame) is None and word not in ("fold", "split", "cv", "seed", "rep", "repeat")
    if shared or word in {plain_name(c) for c in frame.columns}:  # run1 and run2 alone may be what is compared
        return None
    kept = [c for c in frame.columns if c not in found and not is_summary(c)]
    score = measuring or "score"
    melted = frame[kept].merge(
        frame[list(found)].rename(columns={c: match["number"] for c, match in found.items()}).melt(
            ignore_index=False, var_name=word, value_name=score
        ),
        left_index=True, right_index=True,
    )  # fmt: skip
    return melted, f"columns {quoted_list(found, 3)} are read as the {word}s of one score"


def _one_metric(frame: pd.DataFrame, measuring: str | None) -> Step:
    """Keep one metric of a table that names the metric of each row."""
    column = next(iter(_named(frame, NAMES["metric"])), None)
    if column is None or find_learner(frame) in (None, column):
        return None
    names = list(dict.fromkeys(frame[column].astype(str)))
    scores = [c for c in frame.columns if may_be_score(c) and _is_numeric(frame[c])]
    if len(scores) != 1:
        return None
    same = [n for n in names if measuring and (n == measuring or metric_named(n) == (metric_named(measuring) or 0))]
    if len(names) > 1 and len(same) != 1:
        hint = "choose one: " + ", or ".join(f"--measuring {name}" for name in names[:6])
        raise DataError(f"the column {quoted(column)} names {len(names)} metrics", hint=hint)
    (name,) = same or names
    kept = frame[frame[column].astype(str) == name].drop(columns=column).rename(columns={scores[0]: name})
    return kept, f"the rows with {quoted(name)} in {quoted(column)} are read"


def _learners_in_rows(frame: pd.DataFrame, measuring: str | None) -> Step:
    """Write one score a row where each row is a learner and each column a dataset."""
    learner = find_learner(frame)
    if learner is None or len(frame) < 2 or not frame[learner].is_unique:
        return None
    columns = [c for c in frame.columns if c != learner and _is_numeric(frame[c]) and may_be_score(c)]
    columns = [c for c in columns if not is_summary(c) and plain_name(c) not in LEVELS]
    metrics = [c for c in columns if metric_named(c)]
    if len(columns) < 2 or 2 * len(metrics) >= len(columns):
        what = f"each row is another value of {quoted(learner)}, with one score for each metric"
        hint = "write one row for each learner and dataset, fold or question, so that scores can be paired"
        raise DataError(what + f": {quoted_list(columns)}" * bool(columns), hint=hint)
    left = [c for c in frame.columns if c not in columns and c != learner]
    melted = frame.melt(learner, columns, var_name="dataset ", value_name="score ")
    melted.columns = pd.Index([learner, "dataset", measuring or "score"])
    said = f"each row of {quoted(learner)} is a learner, and each column a dataset: {quoted_list(columns, 3)}"
    return melted, said + (f"; left out: {quoted_list(left)}" if left else "")


def _last_steps(frame: pd.DataFrame, measuring: str | None) -> Step:
    """Keep the last score of each run, where a table holds curves of training."""
    learner = find_learner(frame)
    column = next((c for c in _named(frame, NAMES["progress"]) if _is_numeric(frame[c])), None)
    if column is None or learner is None or (plain_name(column) == "epoch" and _levels(frame, "item")):
        return None
    places = [learner, *(c for c in _levels(frame) if c not in (learner, column))]
    if not frame.duplicated(places).any():
        return None
    numbers = pd.to_numeric(frame[column], errors="coerce")
    last = numbers.groupby([frame[c] for c in places], dropna=False, sort=False).transform("max")
    kept = frame[numbers == last]
    if kept.empty or kept.duplicated(places).any():
        return None
    at = sorted(set(kept[column]))
    shown = f"{at[0]:g}" if len(at) == 1 else f"{at[0]:g} to {at[-1]:g}"
    return kept.drop(columns=column), f"of each run only the last {plain_name(column)} is read ({shown})"


def _two_names(frame: pd.DataFrame, measuring: str | None) -> Step:
    """Name learners by two columns, such as model and method, where one does not tell their rows apart."""
    learner = find_learner(frame)
    places = _levels(frame)
    if learner is None or not places or not frame.duplicated([learner, *places]).any():
        return None
    others = [c for c in frame.columns if c not in (learner, *places) and 1 < frame[c].nunique() <= MOST_WAYS]
    others = [c for c in others if is_setting(c) or not _is_numeric(frame[c])]
    others = [c for c in others if not frame.duplicated([learner, c, *places]).any() and not is_named_score(c)]
    if len(others) != 1:
        return None
    (other,) = others
    words = frame[other].astype(str) if not _is_numeric(frame[other]) else other + "=" + frame[other].astype(str)
    named = frame.assign(**{learner: frame[learner].astype(str) + " / " + words}).drop(columns=other)
    return named, f"{quoted(learner)} and {quoted(other)} together name a learner"


def _counted_runs(frame: pd.DataFrame, measuring: str | None) -> Step:
    """Number the runs of each learner where a column numbers all rows, or where nothing tells repeated runs apart."""
    learner, places = find_learner(frame), _levels(frame)
    if learner is None or not _levels(frame, "dataset") or _levels(frame, "item") or _levels(frame, "fold"):
        return None
    unique = [c for c in places if frame[c].is_unique]
    rest = [c for c in places if c not in unique]
    cells = frame.groupby([learner, *rest], dropna=False, sort=False)
    if not rest or not frame.duplicated([learner, *rest]).any():
        kept = frame.drop(columns=unique)
        return (kept, f"{quoted_list(unique)} only numbers the rows") if unique and rest else None
    if (not unique and frame.duplicated().any()) or cells.size().nunique() > 1 or _levels(frame, "seed") != unique:
        return None
    numbered = frame.drop(columns=unique).assign(seed=cells.cumcount() + 1)
    return numbered, f"the {int(cells.size().iloc[0])} rows of each learner on each dataset are read as its runs"


def _predictions(frame: pd.DataFrame, measuring: str | None) -> Step:
    """Write the predictions of the learners side by side, beside the truth."""
    learner = find_learner(frame)
    truth = _named(frame, NAMES["truth"])
    found = _named(frame, NAMES["predicted"])
    if learner is None or len(truth) != 1 or len(found) != 1 or frame[learner].nunique() < 2:
        return None
    others = [c for c in frame.columns if c not in (learner, truth[0], found[0])]
    keys = [c for c in others if plain_name(c) in {"id", "index", *LEVELS} and frame[c].nunique() > 1]
    row = frame.groupby(learner, sort=False).cumcount()
    keyed = frame.assign(**{" row": row}) if not keys else frame
    keys = keys or [" row"]
    if keyed.duplicated([learner, *keys]).any():
        return None
    wide = keyed.pivot(index=keys, columns=learner, values=found[0])
    true = keyed.drop_duplicates([*keys, truth[0]]).set_index(keys)[truth[0]]
    if true.index.has_duplicates or wide.isna().any().any():
        what = f"the learners in {quoted(learner)} did not predict the same rows"
        raise DataError(what, hint="every learner needs one prediction for each row, with the same truth")
    wide = wide.rename(columns=str)
    wide.insert(0, "truth", true)
    return wide.rename_axis(columns=None).reset_index(drop=True), "the predictions are put side by side"


def _levels(frame: pd.DataFrame, standing: str | None = None) -> list[str]:
    """Return the columns that are named like levels, all or those of one standing."""
    learner = find_learner(frame)
    named = {c: LEVELS.get(plain_name(c)) for c in frame.columns if c != learner}
    return [c for c, found in named.items() if found and (standing is None or found == standing)]


def _named(frame: pd.DataFrame, names: frozenset[str]) -> list[str]:
    return [c for c in frame.columns if plain_name(c) in names]


def _is_numeric(column: pd.Series[Any]) -> bool:
    """Return whether a column holds numbers, as they are or written."""
    if column.dtype.kind in "iuf":
        return True
    cells = [v for v in column.unique().tolist() if not is_gap(v)]
    return bool(cells) and all(isinstance(v, int | float) or written_number(v) is not None for v in cells)


_STEPS = (
    _right_and_wrong,
    _without_averages,
    _tested_part,
    _numbered_columns,
    _one_metric,
    _learners_in_rows,
    _last_steps,
    _two_names,
    _counted_runs,
    _predictions,
)


# ---------------------------------------------------------------------- a file for each learner

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
    truths = {name: _named(frame, NAMES["truth"]) for name, frame in frames.items()}
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
        frame.drop(columns=_named(frame, LEARNERS))
        .rename(columns={values[name]: one_name} | items)
        .assign(learner=name)
        for name, frame in frames.items()
    ]
    joined = pd.concat(parts, join="inner", ignore_index=True)
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
        several = len(numbers) > 1 and not any(plain_name(c) in NAMES["no_score"] or metric_named(c) for c in numbers)
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


def _value_column(name: str, frame: pd.DataFrame, taken: tuple[str, ...]) -> str:
    """Return the column of the predictions or scores: the only one, or that with the name of the learner, of a
    prediction or of a metric, or the only one of numbers; refuse a table of several learners.
    """
    for column in _named(frame, LEARNERS):
        if frame[column].nunique() > 1:
            raise DataError(f"{name} holds {frame[column].nunique()} learners, not one", hint=LOOKED_FOR)
    no_values = LEARNERS | NAMES["no_score"] | LEVELS.keys()
    rest = [c for c in frame.columns if c not in taken and plain_name(c) not in no_values]
    same = [c for c in rest if c.lower() == name.lower()]
    named = [c for c in rest if plain_name(c) in NAMES["predicted"] or plain_name(c) == "score" or metric_named(c)]
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
    return column.lower() == learner.lower() or plain_name(column) in {"score", "value", *NAMES["predicted"]}


def _side_by_side(
    frames: Mapping[str, pd.DataFrame], keys: list[str], truths: Mapping[str, list[str]], values: Mapping[str, str]
) -> pd.DataFrame:
    """Return the predictions of every learner beside the truth; without ids, equal truths pair the rows."""
    for name, found in truths.items():
        if len(found) > 1:
            raise DataError(f"{name} has several columns that may be the truth: {quoted_list(found)}", hint=LOOKED_FOR)
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
            what = f"the ids or the truth in {quoted(name)} differ from those of the other tables"
            raise DataError(what, hint="every learner has to predict the same test rows")
    columns = [part.drop(columns="truth", errors="ignore").reindex(first.index) for part in parts]
    return reduce(lambda left, right: left.join(right), columns, first[["truth"]]).reset_index(drop=True)
