"""Results of Weka's Experimenter, CSV or ARFF: a row for each dataset, run, fold and scheme; schemes are the learners.

Format: weka.experiment.CrossValidationResultProducer and RandomSplitResultProducer, whose rows have no fold.
"""

from __future__ import annotations

import pandas as pd

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..quoting import quoted_list
from ..raw import LongTable, Standing, checked_options
from .tables import as_names, check_columns, choose, read_tables

_KEY = ("Key_Dataset", "Key_Run", "Key_Scheme")
_CATALOGUE = {"Percent_correct": "accuracy", "Area_under_ROC": "roc-area", "Kappa_statistic": "kappa"}
_LOWER = ("error", "incorrect", "unclassified", "False_", "time", "Time", "size", "measureTreeSize")
_HIGHER = ("correct", "ROC", "PRC", "Kappa", "measure", "precision", "recall", "True_", "correlation")


def read_weka(source: Source, access: Access) -> LongTable:
    """Return `Percent_correct`, or the column that `(metric = "Area_under_ROC")` names."""
    options = checked_options(source, {"metric": str})
    frame, origins = read_tables(source, access, "Weka", "*.csv", "*.arff")
    where = f"weka {source.locator}"
    check_columns(frame, _KEY, where)
    scores = [
        c for c in frame.columns if not c.startswith("Key_") and pd.to_numeric(frame[c], errors="coerce").notna().any()
    ]
    metric = choose(options.get("metric", "Percent_correct"), scores, where)
    columns: dict[Standing, str] = {"score": "score", "learner": "scheme", "dataset": "dataset", "repeat": "Run"}
    table = pd.DataFrame(
        {"scheme": _schemes(frame), "dataset": as_names(frame["Key_Dataset"]), "Run": as_names(frame["Key_Run"])}
    )
    if "Key_Fold" in frame.columns:
        columns["fold"] = "Fold"
        table["Fold"] = as_names(frame["Key_Fold"])
    table["score"] = pd.to_numeric(frame[metric], errors="coerce")
    gone = table[table["score"].isna()]
    places = [f"{s} on {d}, run {r}" for s, d, r in zip(gone["scheme"], gone["dataset"], gone["Run"], strict=True)]
    if len(gone) == len(table):
        raise DataError(f"{where} has no number in {metric}", hint=f"it has {quoted_list(scores)}")
    lower, higher = any(w in metric for w in _LOWER), any(w in metric for w in _HIGHER)
    return LongTable(
        frame=table[table["score"].notna()].reset_index(drop=True),
        columns=columns,
        metric=_CATALOGUE.get(metric, metric),
        higher_is_better=not lower if lower or higher else None,
        origins=origins,
        left_out=(f"{len(gone)} rows have no {metric} ({quoted_list(places, 5)})",) if len(gone) else (),
    )


def _schemes(frame: pd.DataFrame) -> pd.Series[str]:
    """Return the class without its package; with its options where one class is there with several."""
    short = as_names(frame["Key_Scheme"]).str.rpartition(".")[2]
    if "Key_Scheme_options" not in frame.columns:
        return short
    options = frame["Key_Scheme_options"].fillna("").astype("str").str.strip("'\" ")
    several = options.groupby(short).transform("nunique") > 1
    long = (short + " " + options).str.strip()
    # Two packages may have a class of one name.
    clash = as_names(frame["Key_Scheme"]).groupby(short).transform("nunique") > 1
    return long.where(several, short).where(~clash, as_names(frame["Key_Scheme"]) + " " + options)
