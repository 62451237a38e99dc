"""The readers: the words that may follow `from`, and what each reads."""

from __future__ import annotations

from typing import Literal

from ..source.record import Record

Statement = Literal["dataset", "results", "predictions", "suite"]
Level = tuple[str, str]  # what a column stands for, and its name
_ITEMS: tuple[Level, ...] = (("dataset", "dataset"), ("item", "item"))
_TABLES: tuple[Statement, ...] = ("dataset", "results", "predictions")


class Reader(Record):
    """A word after `from`; `takes` is what follows it.

    `levels` are what a reader of scores gives whatever the files hold, so that a plan knows it before they are opened.
    """

    name: str
    takes: Literal["text", "number", "generator"]
    title: str
    statements: tuple[Statement, ...] = _TABLES
    levels: tuple[Level, ...] = ()


READERS: tuple[Reader, ...] = (
    Reader("builtin", "text", "a data set that comes with evalang"),
    Reader("csv", "text", "a table in a text file"),
    Reader("parquet", "text", "a table in a Parquet file"),
    Reader("feather", "text", "a table in a Feather or Arrow file"),
    Reader("excel", "text", "a sheet of an Excel workbook"),
    Reader("arff", "text", "a table in Weka's file format"),
    Reader("openml", "number", "a data set of OpenML, by its number"),
    Reader("sql", "text", "the answer of a database to a query"),
    Reader("synthetic", "generator", "rows made by a generator"),
    Reader(
        "weka",
        "text",
        "the results that Weka's Experimenter wrote",
        ("results",),
        (("dataset", "dataset"), ("repeat", "Run"), ("fold", "Fold")),
    ),
    Reader("inspect", "text", "logs of Inspect: a file, a folder or a pattern", ("results",), _ITEMS),
    Reader("lm-eval", "text", "samples that lm-evaluation-harness wrote", ("results",), _ITEMS),
    Reader(
        "amlb", "text", "the results of the AutoML benchmark", ("results",), (("dataset", "task"), ("fold", "fold"))
    ),
    Reader(
        "sklearn",
        "text",
        "the cv_results_ of a search of scikit-learn, as CSV",
        ("results",),
        (("dataset", "dataset"), ("fold", "fold")),
    ),
    Reader("mlflow", "text", "the runs of an MLflow store", ("results",)),
    Reader("helm", "text", "the runs of HELM in a folder", ("results",), _ITEMS),
    Reader("every-eval-ever", "text", "results and samples in the form of Every Eval Ever", ("results",), _ITEMS),
    Reader("openai-evals", "text", "logs of OpenAI Evals", ("results",), _ITEMS),
    Reader(
        "rliable",
        "text",
        "scores of runs by tasks, as rliable takes them",
        ("results",),
        (("dataset", "task"), ("seed", "run")),
    ),
    Reader("folder", "text", "every table in a folder", ("suite",)),
)
_BY_NAME = {reader.name: reader for reader in READERS}


def find_reader(name: str) -> Reader | None:
    """The reader of that name."""
    return _BY_NAME.get(name)
