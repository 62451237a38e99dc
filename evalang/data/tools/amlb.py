"""Results of the AutoML benchmark (AMLB): a row for each task, framework and fold; frameworks are the learners.

`result` is the area under the ROC curve for two classes, log loss for more, and root mean squared error for numbers;
later versions name it in `metric` and turn it so that more is better (`neg_logloss`), earlier ones do neither.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..quoting import quoted, quoted_list
from ..raw import LongTable, checked_options
from ..table import Array
from .tables import as_names, check_columns, choose, read_tables

_KEY = ("task", "framework", "fold")
_LOWER = frozenset(("logloss", "rmse", "mae", "mse", "msle", "rmsle"))
_HIGHER = frozenset(("auc", "acc", "balacc", "f1", "pb", "r2"))
_NAMED = 5


def read_amlb(source: Source, access: Access) -> LongTable:
    """Return one results.csv, or those of a pattern; `(metric = "acc")` reads another column than `result`."""
    options = checked_options(source, {"metric": str, "constraint": str})
    frame, origins = read_tables(source, access, "AMLB", "*.csv")
    where = f"amlb {source.locator}"
    check_columns(frame, (*_KEY, "result"), where)
    frame = _one_constraint(frame, options.get("constraint"), where)
    known = [c for c in frame.columns if c in _LOWER | _HIGHER]
    metric = choose(options["metric"], [*known, "result"], where) if "metric" in options else "result"
    notes: tuple[str, ...] = ()
    if metric == "result":
        scores, notes = _result(frame, known, where)
        higher: bool | None = True
    else:
        scores, higher = pd.to_numeric(frame[metric], errors="coerce"), metric in _HIGHER
    table = pd.DataFrame({k: as_names(frame[k]) for k in _KEY}).assign(score=scores)
    return LongTable(
        frame=table[table["score"].notna()].reset_index(drop=True),
        columns={"score": "score", "learner": "framework", "dataset": "task", "fold": "fold"},
        metric={"acc": "accuracy", "auc": "roc-area", "logloss": "log-loss"}.get(metric, metric),
        higher_is_better=higher,
        origins=origins,
        left_out=(*notes, *_gaps(table, frame)),
        differing=_versions(frame),
    )


def _one_constraint(frame: pd.DataFrame, asked: object, where: str) -> pd.DataFrame:
    if "constraint" not in frame.columns:
        return frame
    known = sorted(set(as_names(frame["constraint"])))
    if asked is None and len(known) > 1:
        raise DataError(
            f"{where} has results under several constraints: {quoted_list(known)}",
            hint=f'choose one: (constraint = "{known[0]}")',
        )
    kept = choose(asked, known, where) if asked is not None else known[0]
    return frame[as_names(frame["constraint"]) == kept].reset_index(drop=True)


def _result(frame: pd.DataFrame, known: list[str], where: str) -> tuple[pd.Series[Any], tuple[str, ...]]:
    """Return `result` with more better on every task, and sentences where some were reversed or the metrics differ."""
    result = pd.to_numeric(frame["result"], errors="coerce")
    kind = frame["metric"].astype("str").to_numpy() if "metric" in frame.columns else None
    reversed_metrics: list[str] = []
    metrics: dict[str, int] = {}
    scores = result.to_numpy(dtype=float, copy=True)
    tasks = as_names(frame["task"])
    for task in dict.fromkeys(tasks):
        rows = (tasks == task).to_numpy() & result.notna().to_numpy()
        if not rows.any():
            continue
        found = _named(kind[rows], task, where) if kind is not None else _proven(frame[rows], result[rows], known)
        if found is None:
            raise DataError(
                f"the result of {quoted(task)} in {where} is in none of its columns {quoted_list(known)}",
                hint='it is unknown whether higher is better: choose a column, as in (metric = "acc")',
            )
        metrics[found.removeprefix("neg_")] = metrics.get(found.removeprefix("neg_"), 0) + 1
        if found in _LOWER:
            scores[rows] = -scores[rows]
            reversed_metrics.append(f"{found} of {task}")
    notes = []
    if reversed_metrics:
        names = quoted_list(reversed_metrics, _NAMED)
        notes.append(f"less is better for {names}: turned round, so that more is better everywhere")
    if len(metrics) > 1:
        kinds = ", ".join(f"{name} of {number} task{'s' * (number > 1)}" for name, number in metrics.items())
        notes.append(
            f"the tasks are scored in several metrics ({kinds}): ranks and wins compare over tasks, means do not"
        )
    return pd.Series(scores), tuple(notes)


def _named(kinds: Array, task: str, where: str) -> str:
    """Return the metric that the file itself names; `neg_` says that it is reversed already."""
    known = sorted(str(kind) for kind in set(kinds))
    name = known[0]
    if len(known) > 1 or name.removeprefix("neg_") not in _LOWER | _HIGHER:
        raise DataError(
            f"{where} names {quoted_list(known)} as the metric of {quoted(task)}",
            hint=f"known are {', '.join(sorted(_LOWER | _HIGHER))}",
        )
    return name


def _proven(frame: pd.DataFrame, result: pd.Series[Any], known: list[str]) -> str | None:
    """Return the column whose numbers are the results of a task."""
    same = [c for c in known if (pd.to_numeric(frame[c], errors="coerce") == result).all()]
    return same[0] if same else None


def _gaps(table: pd.DataFrame, frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the runs without a result, counted by framework, with the benchmark's reason."""
    gone = table[table["score"].isna()]
    found = []
    for framework, rows in gone.groupby("framework", sort=True):
        places = [f"{t} fold {f}" for t, f in zip(rows["task"], rows["fold"], strict=True)]
        why = ""
        if "info" in frame.columns:
            reasons = frame.loc[rows.index, "info"].dropna().astype("str")
            why = f"; {quoted(reasons.mode().iloc[0])}" if len(reasons) else ""
        found.append(f"{framework}: no result of {len(rows)} runs ({quoted_list(places, _NAMED)}){why}")
    return tuple(found)


def _versions(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the frameworks that are there in several versions."""
    if "version" not in frame.columns:
        return ()
    found = frame.assign(version=as_names(frame["version"])).groupby("framework", sort=True)["version"].unique()
    several = {name: sorted(v for v in versions if v != "nan") for name, versions in found.items()}
    return tuple(f"version of {name}: {quoted_list(v, _NAMED)}" for name, v in several.items() if len(v) > 1)
