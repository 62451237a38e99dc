"""Runs of an MLflow store in SQLite, read without MLflow: a row for each finished run with its params and tags.

What a run stands for is not in MLflow: `(named = "params.model")` names the learner, `folds in "tags.fold"` the
fold. Read are the tables experiments, runs, latest_metrics, params and tags, as MLflow 2 and 3 write them.
"""

from __future__ import annotations

import pandas as pd

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..quoting import error_about, quoted_list
from ..raw import LongTable, checked_options
from ..sql import run_sqlite
from .log_files import origin_of
from .tables import as_names, choose

_RUNS = "select run_uuid, name, status, lifecycle_stage, experiment_id from runs"
_EXPERIMENTS = "select experiment_id, name, lifecycle_stage from experiments"
_METRICS = "select run_uuid, key, value, is_nan from latest_metrics"
_PARAMS = "select run_uuid, key, value from params"
_TAGS = "select run_uuid, key, value from tags"
_OWN = "mlflow."  # tags that MLflow itself writes


def read_mlflow(source: Source, access: Access) -> LongTable:
    """Return the runs of one experiment."""
    options = checked_options(source, {"experiment": str, "metric": str, "named": str})
    where = f"mlflow {source.locator}"
    runs = _experiment(source, access, options.get("experiment"), where)
    finished = runs[(runs["status"] == "FINISHED") & (runs["lifecycle_stage"] == "active")]
    others = runs.drop(finished.index)
    metrics = _table(source, _METRICS, access)
    metrics = metrics[metrics["run_uuid"].isin(finished["run_uuid"])]
    known = sorted(set(metrics["key"].astype("str")))
    if "metric" not in options and len(known) != 1:
        what = f"several metrics: {quoted_list(known)}" if known else "no metric"
        raise DataError(f"{where} has {what}", hint=f'choose one: (metric = "{known[0] if known else "accuracy"}")')
    metric = choose(options.get("metric", *known[:1]), known, where)
    frame = pd.DataFrame({"run": finished["run_uuid"], "run_name": finished["name"].fillna("")})
    for prefix, query in (("params", _PARAMS), ("tags", _TAGS)):
        frame = frame.merge(_columns(_table(source, query, access), prefix), on="run", how="left")
    used = metrics[(metrics["key"] == metric) & (pd.to_numeric(metrics["is_nan"]) == 0)]
    values = pd.DataFrame({"run": used["run_uuid"], "score": pd.to_numeric(used["value"], errors="coerce")})
    frame = frame.merge(values, on="run", how="left")
    learner = _learner(frame, options.get("named"), where)
    gone = frame[frame["score"].isna() | frame[learner].isna()]
    left_out = [f"{len(gone)} runs have no {metric} or no {learner} ({quoted_list(gone['run_name'], 5)})"]
    left_out += [f"{len(others)} runs are deleted or not finished ({quoted_list(others['name'], 5)})"]
    kept = frame.drop(gone.index).reset_index(drop=True)
    kept[learner] = as_names(kept[learner])
    origin = origin_of(source.locator, access, "MLflow", expects="a SQLite database")
    return LongTable(
        frame=kept,
        columns={"score": "score", "learner": learner},
        metric=metric,
        origins=(origin,),
        left_out=tuple(text for text, rows in zip(left_out, (gone, others), strict=True) if len(rows)),
    )


def _experiment(source: Source, access: Access, asked: object, where: str) -> pd.DataFrame:
    experiments = _table(source, _EXPERIMENTS, access)
    experiments = experiments[experiments["lifecycle_stage"] == "active"]
    runs = _table(source, _RUNS, access)
    used = experiments[experiments["experiment_id"].isin(runs["experiment_id"])]
    known = sorted(used["name"].astype("str"))
    if asked is None and len(known) != 1:
        said = f"runs of several experiments: {quoted_list(known)}" if known else "no runs"
        raise DataError(f"{where} has {said}", hint=f'(experiment = "{known[0] if known else "x"}")')
    name = choose(asked, known, where) if asked is not None else known[0]
    wanted = used.loc[used["name"] == name, "experiment_id"]
    return runs[runs["experiment_id"].isin(wanted)].reset_index(drop=True)


def _table(source: Source, query: str, access: Access) -> pd.DataFrame:
    try:
        columns, values = run_sqlite(f"sqlite:///{source.locator}", query, access)
    except DataError as error:
        if "no such" not in error.message:
            raise
        raise error_about(
            source.locator,
            f"is not an MLflow store, or one of another version: {error.message}",
            "a store has the tables experiments, runs, latest_metrics, params and tags",
        ) from None
    return pd.DataFrame(dict(zip(columns, values, strict=True)), columns=columns)


def _columns(table: pd.DataFrame, prefix: str) -> pd.DataFrame:
    """Return keys as columns, `params.depth`, without the tags that MLflow writes for itself."""
    own = table["key"].astype("str").str.startswith(_OWN)
    wide = table[~own].pivot(index="run_uuid", columns="key", values="value")
    wide.columns = pd.Index([f"{prefix}.{name}" for name in wide.columns])
    return wide.rename_axis("run").reset_index()


def _learner(frame: pd.DataFrame, asked: object, where: str) -> str:
    known = [c for c in frame.columns if c not in ("run", "score")]
    if asked is None:
        raise DataError(
            f"{where} does not say which column names the learner",
            hint=f'choose one of {quoted_list(known)}: (named = "{known[-1]}")',
        )
    return choose(asked, known, where)
