"""A table of scores in a form that a script cannot name, brought into one that it can.

Learners in rows and datasets in columns, folds in columns, averages among the rows, training rows, curves of training,
several metrics below each other, learners named by two columns, predictions one below the other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ..errors import DataError
from ..plans.definitions import AVERAGE
from .column_words import is_setting
from .given_tables import is_gap, written_number
from .guess_roles import (
    LEVELS,
    NUMBERED,
    PARTS,
    PREDICTED,
    PROGRESS,
    SCORES,
    TRUTH,
    find_learner,
    is_named_score,
    may_be_score,
    metric_named,
    plain_name,
)
from .quoting import quoted, quoted_list

METRIC = frozenset(("metric", "measure", "metric name", "measurement"))
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
    for column in (c for c in frame.columns if plain_name(c) in SCORES):
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
    kept = [c for c in frame.columns if c not in found and not _is_summary(c)]
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
    column = next((c for c in frame.columns if plain_name(c) in METRIC), None)
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
    columns = [c for c in columns if not _is_summary(c) and plain_name(c) not in LEVELS]
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
    column = next((c for c in frame.columns if plain_name(c) in PROGRESS and _is_numeric(frame[c])), None)
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
    truth = [c for c in frame.columns if plain_name(c) in TRUTH]
    found = [c for c in frame.columns if plain_name(c) in PREDICTED]
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


def _is_summary(column: str) -> bool:
    return AVERAGE.fullmatch(re.sub(r"[\s_]+", " ", column.strip())) is not None


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
