"""Results that other tools keep in tables: Weka, the AutoML benchmark, scikit-learn, MLflow and rliable.

A reader names the learner, the dataset and the fold of every score, and counts the runs that have none.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..arff import read_arff
from ..csv import read_csv
from ..quoting import error_about, quoted, quoted_list
from ..raw import LongTable, Origin, Standing, checked_options, choose
from ..sql import run_sqlite
from .log_files import find_files, origin_of, read_object

_NAMED = 5  # of many, these are named


def _read_tables(source: Source, access: Access, tool: str, *patterns: str) -> tuple[pd.DataFrame, tuple[Origin, ...]]:
    """Return every table of a folder or a pattern, one below the other; the column `file` names the file."""
    frames: list[pd.DataFrame] = []
    names = find_files(source.locator, access, *patterns)
    for name in names:
        arff = name.lower().removesuffix(".gz").endswith(".arff")
        table = read_arff(Source("arff", name), access) if arff else read_csv(Source("csv", name), access)
        frames.append(table.frame.assign(file=name))
    return pd.concat(frames, ignore_index=True), tuple(origin_of(name, access, tool) for name in names)


def _check_columns(frame: pd.DataFrame, columns: Sequence[str], where: str) -> None:
    """Refuse a table that another tool, or another version of this one, wrote."""
    lacking = [column for column in columns if column not in frame.columns]
    if lacking:
        hint = f"evalang reads the columns {', '.join(columns)}; check that it is the right file"
        raise DataError(f"{where} has no column {quoted_list(lacking)}", hint=hint)


def _as_names(column: pd.Series[Any]) -> pd.Series[str]:
    """Return names as text: a task called 31 is no number."""
    return column.map(lambda v: str(int(v)) if isinstance(v, float) and v.is_integer() else str(v))


def _scored(table: pd.DataFrame, lacking: str, place: str) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the rows with a score, and a sentence that counts and names the others by the pattern `place`."""
    gone = table[table["score"].isna()]
    places = [place.format(**{str(k): v for k, v in row.items()}) for row in gone.to_dict("records")]
    note = f"{len(gone)} {lacking} ({quoted_list(places, _NAMED)})"
    return table.drop(gone.index).reset_index(drop=True), (note,) if len(gone) else ()


# ---------------------------------------------------------------------- Weka's Experimenter

_WEKA_KEY = ("Key_Dataset", "Key_Run", "Key_Scheme")
_WEKA_METRICS = {"Percent_correct": "accuracy", "Area_under_ROC": "roc-area", "Kappa_statistic": "kappa"}
_WEKA_LOWER = ("error", "incorrect", "unclassified", "False_", "time", "Time", "size", "measureTreeSize")
_WEKA_HIGHER = ("correct", "ROC", "PRC", "Kappa", "measure", "precision", "recall", "True_", "correlation")


def read_weka(source: Source, access: Access) -> LongTable:
    """Return the scores of every dataset, run, fold and scheme; schemes are the learners.

    The score is `Percent_correct`, or the column that `(metric = "Area_under_ROC")` names. The rows of
    weka.experiment.RandomSplitResultProducer have no fold.
    """
    options = checked_options(source, {"metric": str})
    frame, origins = _read_tables(source, access, "Weka", "*.csv", "*.arff")
    where = f"weka {source.locator}"
    _check_columns(frame, _WEKA_KEY, where)
    numbers = frame.loc[:, ~frame.columns.str.startswith("Key_")].apply(pd.to_numeric, errors="coerce")
    scores = [str(c) for c in numbers.columns if numbers[c].notna().any()]
    metric = choose(options.get("metric", "Percent_correct"), scores, where, "metric")
    columns: dict[Standing, str] = {"score": "score", "learner": "scheme", "dataset": "dataset", "repeat": "Run"}
    table = pd.DataFrame(
        {"scheme": _schemes(frame), "dataset": _as_names(frame["Key_Dataset"]), "Run": _as_names(frame["Key_Run"])}
    )
    if "Key_Fold" in frame.columns:
        columns["fold"] = "Fold"
        table["Fold"] = _as_names(frame["Key_Fold"])
    table["score"] = numbers[metric]
    table, left_out = _scored(table, f"rows have no {metric}", "{scheme} on {dataset}, run {Run}")
    lower, higher = (any(word in metric for word in words) for words in (_WEKA_LOWER, _WEKA_HIGHER))
    return LongTable(
        frame=table,
        columns=columns,
        metric=_WEKA_METRICS.get(metric, metric),
        higher_is_better=not lower if lower or higher else None,
        origins=origins,
        left_out=left_out,
    )


def _schemes(frame: pd.DataFrame) -> pd.Series[str]:
    """Return the class without its package; with its options where one class is there with several."""
    whole = _as_names(frame["Key_Scheme"])
    short = whole.str.rpartition(".")[2]
    if "Key_Scheme_options" not in frame.columns:
        return short
    options = frame["Key_Scheme_options"].fillna("").astype("str").str.strip("'\" ")
    several = options.groupby(short).transform("nunique") > 1
    clash = whole.groupby(short).transform("nunique") > 1  # two packages may have a class of one name
    return (short + " " + options).str.strip().where(several, short).where(~clash, whole + " " + options)


# ---------------------------------------------------------------------- searches of scikit-learn

_SPLIT = re.compile(r"split(?P<split>\d+)_test_(?P<scorer>.+)")
_SKLEARN_METRICS = {"roc_auc": "roc-area", "balanced_accuracy": "balanced-accuracy"}


def read_sklearn(source: Source, access: Access) -> LongTable:
    """Return the cv_results_ of searches, saved as CSV: a row for each candidate, a column for each split.

    Candidates are the learners, named by their parameters; each file is of one dataset, named like the file. Every
    score of scikit-learn is better when it is higher.
    """
    options = checked_options(source, {"scorer": str})
    frame, origins = _read_tables(source, access, "scikit-learn", "*.csv")
    where = f"sklearn {source.locator}"
    splits = [(c, m) for c in frame.columns if (m := _SPLIT.fullmatch(c))]
    if not splits:
        what = "only averages" if any(c.startswith("mean_test_") for c in frame.columns) else "no split0_test_score"
        hint = "save the whole cv_results_: pd.DataFrame(search.cv_results_).to_csv(…)"
        raise DataError(f"{where} has {what}, and averages cannot be paired", hint=hint)
    scorers = list(dict.fromkeys(m.group("scorer") for _, m in splits))
    scorer = choose(options.get("scorer"), scorers, where, "scorer")
    used = {c: m.group("split") for c, m in splits if m.group("scorer") == scorer}
    wide = frame.assign(candidate=_candidates(frame, where))
    wide["dataset"] = wide["file"].str.rpartition("/")[2].str.replace(r"\.csv(\.gz)?$", "", regex=True)
    again = wide.loc[wide.duplicated(["candidate", "dataset"]), "candidate"]
    if len(again):
        what = f"{where} has the candidate {quoted(again.iloc[0])} twice"
        raise DataError(what, hint="keep one row for each candidate")
    long = wide.melt(["candidate", "dataset"], list(used), var_name="fold", value_name="score")
    long["fold"] = long["fold"].map(used)
    long["score"] = pd.to_numeric(long["score"], errors="coerce")
    long, left_out = _scored(long, "fits have no score", "{candidate}, split {fold}")
    return LongTable(
        frame=long,
        columns={"score": "score", "learner": "candidate", "dataset": "dataset", "fold": "fold"},
        metric=None if scorer == "score" else _SKLEARN_METRICS.get(scorer, scorer),
        higher_is_better=True,
        origins=origins,
        left_out=left_out,
    )


def _candidates(frame: pd.DataFrame, where: str) -> pd.Series[str]:
    """Return the parameters that differ between candidates, as in `C=1, kernel=rbf`."""
    given = [c for c in frame.columns if c.startswith("param_")]
    varied = [c for c in given if frame[c].nunique(dropna=False) > 1] or given
    if not varied:
        raise DataError(f"{where} has no column param_…", hint="check that it is the cv_results_ of a search")
    texts = {c: f"{c.removeprefix('param_')}=" + _as_names(frame[c].fillna("none")) for c in varied}
    return pd.DataFrame(texts).agg(", ".join, axis=1)


# ---------------------------------------------------------------------- the AutoML benchmark (AMLB)

_AMLB_KEY = ("task", "framework", "fold")
_AMLB_LOWER = frozenset(("logloss", "rmse", "mae", "mse", "msle", "rmsle"))
_AMLB_HIGHER = frozenset(("auc", "acc", "balacc", "f1", "pb", "r2"))


def read_amlb(source: Source, access: Access) -> LongTable:
    """Return one results.csv, or those of a pattern: a row for each task, framework and fold; frameworks are learners.

    `result` is the area under the ROC curve for two classes, log loss for more, and root mean squared error for
    numbers; later versions name it in `metric` and turn it so that more is better (`neg_logloss`), earlier ones do
    neither. `(metric = "acc")` reads another column.
    """
    options = checked_options(source, {"metric": str, "constraint": str})
    frame, origins = _read_tables(source, access, "AMLB", "*.csv")
    where = f"amlb {source.locator}"
    _check_columns(frame, (*_AMLB_KEY, "result"), where)
    if "constraint" in frame.columns:
        constraints = _as_names(frame["constraint"])
        asked = choose(options.get("constraint"), sorted(set(constraints)), where, "constraint")
        frame = frame[constraints == asked].reset_index(drop=True)
    known = [c for c in frame.columns if c in _AMLB_LOWER | _AMLB_HIGHER]
    metric = choose(options.get("metric", "result"), [*known, "result"], where, "metric")
    if metric == "result":
        scores, notes = _result(frame, known, where)
    else:
        scores, notes = pd.to_numeric(frame[metric], errors="coerce"), []
    table = pd.DataFrame({k: _as_names(frame[k]) for k in _AMLB_KEY}).assign(score=scores)
    return LongTable(
        frame=table[table["score"].notna()].reset_index(drop=True),
        columns={"score": "score", "learner": "framework", "dataset": "task", "fold": "fold"},
        metric={"acc": "accuracy", "auc": "roc-area", "logloss": "log-loss"}.get(metric, metric),
        higher_is_better=metric == "result" or metric in _AMLB_HIGHER,
        origins=origins,
        left_out=(*notes, *_failures(table, frame)),
        differing=_versions(frame),
    )


def _result(frame: pd.DataFrame, known: list[str], where: str) -> tuple[pd.Series[Any], list[str]]:
    """Return `result` with more better on every task, and sentences where some were reversed or the metrics differ."""
    scores = pd.to_numeric(frame["result"], errors="coerce")
    reversed_metrics: list[str] = []
    metrics: Counter[str] = Counter()
    for task, rows in frame[scores.notna()].groupby(_as_names(frame["task"]), sort=False):
        metric = _metric_of(rows, scores[rows.index], known, f"{quoted(task)} in {where}")
        metrics[metric.removeprefix("neg_")] += 1
        if metric in _AMLB_LOWER:
            scores[rows.index] *= -1
            reversed_metrics.append(f"{metric} of {task}")
    notes = []
    if reversed_metrics:
        names = quoted_list(reversed_metrics, _NAMED)
        notes.append(f"lower is better for {names}; the signs are changed so that higher is better everywhere")
    if len(metrics) > 1:
        kinds = ", ".join(f"{name} of {number} task{'s' * (number > 1)}" for name, number in metrics.items())
        notes.append(
            f"the tasks are scored in several metrics ({kinds}): ranks and wins compare over tasks, means do not"
        )
    return scores, notes


def _metric_of(rows: pd.DataFrame, result: pd.Series[Any], known: list[str], where: str) -> str:
    """Return the metric of a task: as the file names it (`neg_`: reversed already), or the column of equal numbers."""
    if "metric" not in rows.columns:
        same = [c for c in known if (pd.to_numeric(rows[c], errors="coerce") == result).all()]
        if not same:
            hint = 'it is unknown whether higher is better: choose a column, as in (metric = "acc")'
            raise DataError(f"the result of {where} is in none of its columns {quoted_list(known)}", hint=hint)
        return same[0]
    names = sorted(set(rows["metric"].astype("str")))
    if len(names) > 1 or names[0].removeprefix("neg_") not in _AMLB_LOWER | _AMLB_HIGHER:
        hint = f"known are {', '.join(sorted(_AMLB_LOWER | _AMLB_HIGHER))}"
        raise DataError(f"the metric of {where} is {quoted_list(names)}", hint=hint)
    return names[0]


def _failures(table: pd.DataFrame, frame: pd.DataFrame) -> tuple[str, ...]:
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
    found = frame.assign(version=_as_names(frame["version"])).groupby("framework", sort=True)["version"].unique()
    several = {name: sorted(v for v in versions if v != "nan") for name, versions in found.items()}
    return tuple(f"version of {name}: {quoted_list(v, _NAMED)}" for name, v in several.items() if len(v) > 1)


# ---------------------------------------------------------------------- MLflow stores in SQLite

_RUNS = "select run_uuid, name, status, lifecycle_stage, experiment_id from runs"
_EXPERIMENTS = "select experiment_id, name, lifecycle_stage from experiments"
_METRICS = "select run_uuid, key, value, is_nan from latest_metrics"
_PARAMS = "select run_uuid, key, value from params"
_TAGS = "select run_uuid, key, value from tags"
_OWN = "mlflow."  # tags that MLflow itself writes


def read_mlflow(source: Source, access: Access) -> LongTable:
    """Return the finished runs of one experiment in an MLflow store, with their params and tags.

    What a run stands for is not in MLflow: `(named = "params.model")` names the learner, `folds in "tags.fold"` the
    fold. The tables are those of MLflow 2 and 3.
    """
    options = checked_options(source, {"experiment": str, "metric": str, "named": str})
    where = f"mlflow {source.locator}"
    runs = _experiment(source, access, options.get("experiment"), where)
    finished = runs[(runs["status"] == "FINISHED") & (runs["lifecycle_stage"] == "active")]
    others = runs.drop(finished.index)
    metrics = _mlflow_table(source, _METRICS, access)
    metrics = metrics[metrics["run_uuid"].isin(finished["run_uuid"])]
    known = sorted(set(metrics["key"].astype("str")))
    metric = choose(options.get("metric"), known, where, "metric")
    frame = pd.DataFrame({"run": finished["run_uuid"], "run_name": finished["name"].fillna("")})
    for prefix, query in (("params", _PARAMS), ("tags", _TAGS)):
        frame = frame.merge(_pivoted(_mlflow_table(source, query, access), prefix), on="run", how="left")
    used = metrics[(metrics["key"] == metric) & (pd.to_numeric(metrics["is_nan"]) == 0)]
    values = pd.DataFrame({"run": used["run_uuid"], "score": pd.to_numeric(used["value"], errors="coerce")})
    frame = frame.merge(values, on="run", how="left")
    known = [c for c in frame.columns if c not in ("run", "score")]
    if "named" not in options:
        hint = f'choose one of {quoted_list(known)}: (named = "{known[-1]}")'
        raise DataError(f"{where} does not say which column names the learner", hint=hint)
    learner = choose(options["named"], known, where, "column")
    gone = frame[frame["score"].isna() | frame[learner].isna()]
    left_out = [f"{len(gone)} runs have no {metric} or no {learner} ({quoted_list(gone['run_name'], 5)})"]
    left_out += [f"{len(others)} runs are deleted or not finished ({quoted_list(others['name'], 5)})"]
    kept = frame.drop(gone.index).reset_index(drop=True)
    kept[learner] = _as_names(kept[learner])
    origin = origin_of(source.locator, access, "MLflow", expects="a SQLite database")
    return LongTable(
        frame=kept,
        columns={"score": "score", "learner": learner},
        metric=metric,
        origins=(origin,),
        left_out=tuple(text for text, rows in zip(left_out, (gone, others), strict=True) if len(rows)),
    )


def _experiment(source: Source, access: Access, asked: object, where: str) -> pd.DataFrame:
    experiments = _mlflow_table(source, _EXPERIMENTS, access)
    experiments = experiments[experiments["lifecycle_stage"] == "active"]
    runs = _mlflow_table(source, _RUNS, access)
    used = experiments[experiments["experiment_id"].isin(runs["experiment_id"])]
    name = choose(asked, sorted(used["name"].astype("str")), where, "experiment")
    wanted = used.loc[used["name"] == name, "experiment_id"]
    return runs[runs["experiment_id"].isin(wanted)].reset_index(drop=True)


def _mlflow_table(source: Source, query: str, access: Access) -> pd.DataFrame:
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


def _pivoted(table: pd.DataFrame, prefix: str) -> pd.DataFrame:
    """Return keys as columns, `params.depth`, without the tags that MLflow writes for itself."""
    own = table["key"].astype("str").str.startswith(_OWN)
    wide = table[~own].pivot(index="run_uuid", columns="key", values="value")
    wide.columns = pd.Index([f"{prefix}.{name}" for name in wide.columns])
    return wide.rename_axis("run").reset_index()


# ---------------------------------------------------------------------- rliable

_RLIABLE_FORM = 'runs by tasks: {"DQN": [[1.0, 2.0], [1.5, 2.5]]}, or tasks by name: {"DQN": {"Pong": [1.0, 1.5]}}'


def read_rliable(source: Source, access: Access) -> LongTable:
    """Return the scores of reinforcement learning as rliable takes them: algorithm -> runs by tasks, in a JSON file.

    Runs of two algorithms are not paired by their number: a run is a seed.
    """
    checked_options(source, {})
    name = source.locator
    scores = read_object(name, access, too_large="leave out checkpoints")
    rows = [row for algorithm, found in scores.items() for row in _runs(algorithm, found, name)]
    tasks = {algorithm: len({row[1] for row in rows if row[0] == algorithm}) for algorithm in scores}
    if len(set(tasks.values())) > 1 and any(isinstance(found, list) for found in scores.values()):
        counts = ", ".join(f"{quoted(a)} has {n}" for a, n in list(tasks.items())[:4])
        what = f"the algorithms of {quoted(name)} differ in their number of tasks ({counts})"
        raise DataError(what, hint=_RLIABLE_FORM)
    return LongTable(
        frame=pd.DataFrame(rows, columns=["algorithm", "task", "run", "score"]),
        columns={"score": "score", "learner": "algorithm", "dataset": "task", "seed": "run"},
        origins=(origin_of(name, access, "rliable"),),
    )


def _runs(algorithm: str, found: Any, name: str) -> Iterator[tuple[str, str, str, float]]:
    """Yield algorithm, task, run and score."""
    if isinstance(found, list) and all(isinstance(run, list) for run in found) and len(set(map(len, found))) == 1:
        cells = [(f"task {t}", r, v) for r, run in enumerate(found, 1) for t, v in enumerate(run, 1)]
    elif isinstance(found, dict) and all(isinstance(runs, list) for runs in found.values()):
        cells = [(str(task), r, v) for task, runs in found.items() for r, v in enumerate(runs, 1)]
    else:
        what = f"the scores of {quoted(algorithm)} in {quoted(name)} are not runs of one length, nor tasks by name"
        raise DataError(what, hint=_RLIABLE_FORM)
    for task, run, value in cells:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            what = f"the score of {quoted(f'{algorithm} on {task}')} in {quoted(name)} is {quoted(value)}"
            raise DataError(what, hint="write one number for each run and task, without checkpoints")
        yield algorithm, task, str(run), float(value)
