"""The readers: the words that may follow `from`, and what each reads."""

from __future__ import annotations

from typing import Literal

from ..source.record import Record

Statement = Literal["dataset", "results", "predictions", "suite"]
_TABLES: tuple[Statement, ...] = ("dataset", "results", "predictions")


class Reader(Record):
    """A word after `from`; `takes` is what follows it."""

    name: str
    takes: Literal["text", "number", "generator"]
    title: str
    statements: tuple[Statement, ...] = _TABLES


READERS: tuple[Reader, ...] = (
    Reader("builtin", "text", "a data set that comes with evalang"),
    Reader("csv", "text", "a table in a text file"),
    Reader("parquet", "text", "a table in a Parquet file"),
    Reader("arff", "text", "a table in Weka's file format"),
    Reader("openml", "number", "a data set of OpenML, by its number"),
    Reader("sql", "text", "the answer of a database to a query"),
    Reader("synthetic", "generator", "rows made by a generator"),
    Reader("weka", "text", "the results that Weka's Experimenter wrote", ("results",)),
    Reader("inspect", "text", "logs of Inspect: a file, a folder or a pattern", ("results",)),
    Reader("lm-eval", "text", "samples that lm-evaluation-harness wrote", ("results",)),
    Reader("amlb", "text", "the results of the AutoML benchmark", ("results",)),
    Reader("sklearn", "text", "the cv_results_ of a search of scikit-learn, as CSV", ("results",)),
    Reader("mlflow", "text", "the runs of an MLflow store", ("results",)),
    Reader("helm", "text", "the runs of HELM in a folder", ("results",)),
    Reader("every-eval-ever", "text", "results and samples in the form of Every Eval Ever", ("results",)),
    Reader("openai-evals", "text", "logs of OpenAI Evals", ("results",)),
    Reader("rliable", "text", "scores of runs by tasks, as rliable takes them", ("results",)),
    Reader("folder", "text", "every table in a folder", ("suite",)),
)
_BY_NAME = {reader.name: reader for reader in READERS}


def find_reader(name: str) -> Reader | None:
    """The reader of that name."""
    return _BY_NAME.get(name)
