"""What may follow `from`: the readers, and the data sets that are known by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Statement = Literal["dataset", "results", "predictions", "suite"]
Level = tuple[str, str]  # what a column stands for, and its name
_ITEMS: tuple[Level, ...] = (("dataset", "dataset"), ("item", "item"))
_TABLES: tuple[Statement, ...] = ("dataset", "results", "predictions")


@dataclass(frozen=True, slots=True)
class Reader:
    """A word after `from`: the function below `evalang.data` that reads it, and what follows the word.

    `levels` are what a reader of scores gives whatever the files hold, so that a plan knows it before they are opened.
    """

    name: str
    function: str  # "csv.read_csv"; "" where a suite lists its members
    takes: Literal["text", "number", "generator"]
    title: str
    statements: tuple[Statement, ...] = _TABLES
    levels: tuple[Level, ...] = ()
    suite_names: bool = False  # a suite may be named in quotes where a dataset has its number
    endings: tuple[str, ...] = ()  # of the files that a folder of datasets may hold

    @property
    def is_path(self) -> bool:
        """Whether the text after the word is the path of a file or folder."""
        return self.takes == "text" and self.name not in ("builtin", "sql")

    @property
    def is_scores(self) -> bool:
        """Whether it reads the scores that another tool wrote, rather than a table."""
        return self.statements == ("results",)


READERS: tuple[Reader, ...] = (
    Reader("builtin", "builtin.read_builtin", "text", "a data set that comes with evalang"),
    Reader("csv", "csv.read_csv", "text", "a table in a text file", endings=(".csv", ".tsv", ".tab")),
    Reader("parquet", "arrow.read_parquet", "text", "a table in a Parquet file", endings=(".parquet",)),
    Reader("feather", "arrow.read_feather", "text", "a table in a Feather or Arrow file", endings=(".feather",)),
    Reader("excel", "excel.read_excel", "text", "a sheet of an Excel workbook", endings=(".xlsx",)),
    Reader("arff", "arff.read_arff", "text", "a table in Weka's file format", endings=(".arff",)),
    Reader(
        "openml",
        "openml.read_openml",
        "number",
        "a data set of OpenML by its number, a suite by its name or number",
        (*_TABLES, "suite"),
        suite_names=True,
    ),
    Reader(
        "openml-task",
        "openml.read_openml_task",
        "number",
        "a task of OpenML, by its number: data, target and folds",
        ("dataset",),
    ),
    Reader("sql", "sql.read_sql", "text", "the answer of a database to a query"),
    Reader("synthetic", "builtin.read_synthetic", "generator", "rows made by a generator"),
    Reader(
        "weka",
        "tools.weka.read_weka",
        "text",
        "the results that Weka's Experimenter wrote",
        ("results",),
        (("dataset", "dataset"), ("repeat", "Run"), ("fold", "Fold")),
    ),
    Reader(
        "inspect",
        "tools.inspect.read_inspect",
        "text",
        "logs of Inspect: a file, a folder or a pattern",
        ("results",),
        _ITEMS,
    ),
    Reader(
        "lm-eval",
        "tools.lm_eval.read_lm_eval",
        "text",
        "samples that lm-evaluation-harness wrote",
        ("results",),
        _ITEMS,
    ),
    Reader(
        "amlb",
        "tools.amlb.read_amlb",
        "text",
        "the results of the AutoML benchmark",
        ("results",),
        (("dataset", "task"), ("fold", "fold")),
    ),
    Reader(
        "sklearn",
        "tools.sklearn.read_sklearn",
        "text",
        "the cv_results_ of a search of scikit-learn, as CSV",
        ("results",),
        (("dataset", "dataset"), ("fold", "fold")),
    ),
    Reader("mlflow", "tools.mlflow.read_mlflow", "text", "the runs of an MLflow store", ("results",)),
    Reader("helm", "tools.helm.read_helm", "text", "the runs of HELM in a folder", ("results",), _ITEMS),
    Reader(
        "every-eval-ever",
        "tools.every_eval_ever.read_every_eval_ever",
        "text",
        "results and samples in the form of Every Eval Ever",
        ("results",),
        _ITEMS,
    ),
    Reader(
        "openai-evals", "tools.openai_evals.read_openai_evals", "text", "logs of OpenAI Evals", ("results",), _ITEMS
    ),
    Reader(
        "rliable",
        "tools.rliable.read_rliable",
        "text",
        "scores of runs by tasks, as rliable takes them",
        ("results",),
        (("dataset", "task"), ("seed", "run")),
    ),
    Reader("folder", "", "text", "every table in a folder", ("suite",)),
)
_BY_NAME = {reader.name: reader for reader in READERS}


def find_reader(name: str) -> Reader | None:
    """The reader of that name."""
    return _BY_NAME.get(name)


@dataclass(frozen=True, slots=True)
class BundledEntry:
    """The card of a bundled data set; all of it is known without opening the data."""

    name: str
    title: str
    rows: int
    features: int
    task: Literal["classification", "regression"]
    classes: int | None = None  # None for regression
    class_counts: tuple[tuple[str, int], ...] = ()
    target: str = "target"
    well_worn: bool = True  # a shared repository set (EV102)
    generator: str = ""  # name in catalogue/generators.py; "" when scikit-learn carries the rows
    parameters: tuple[tuple[str, int | float], ...] = ()
    origin: str = ""


_SKLEARN = "carried by scikit-learn"
_MONKS = "Thrun et al. 1991: all 432 robots, no noise"

BUNDLED: tuple[BundledEntry, ...] = (
    BundledEntry(
        name="iris",
        title="Three species of iris by the size of their leaves",
        rows=150,
        features=4,
        task="classification",
        classes=3,
        class_counts=(("setosa", 50), ("versicolor", 50), ("virginica", 50)),
        target="species",
        origin=_SKLEARN,
    ),
    BundledEntry(
        name="wine",
        title="Three cultivars of wine by chemical analysis",
        rows=178,
        features=13,
        task="classification",
        classes=3,
        class_counts=(("class_0", 59), ("class_1", 71), ("class_2", 48)),
        target="cultivar",
        origin=_SKLEARN,
    ),
    BundledEntry(
        name="breast-cancer",
        title="Benign and malignant tumours by their cell nuclei (Wisconsin, diagnostic)",
        rows=569,
        features=30,
        task="classification",
        classes=2,
        class_counts=(("benign", 357), ("malignant", 212)),
        target="diagnosis",
        origin=_SKLEARN,
    ),
    BundledEntry(
        name="digits",
        title="Handwritten digits as 8 x 8 grey values",
        rows=1797,
        features=64,
        task="classification",
        classes=10,
        class_counts=(
            ("0", 178),
            ("1", 182),
            ("2", 177),
            ("3", 183),
            ("4", 181),
            ("5", 182),
            ("6", 181),
            ("7", 179),
            ("8", 174),
            ("9", 180),
        ),
        target="digit",
        origin=_SKLEARN,
    ),
    BundledEntry(
        name="diabetes",
        title="Progress of diabetes after a year, a number (not the two-class Pima set)",
        rows=442,
        features=10,
        task="regression",
        target="progress",
        origin=_SKLEARN,
    ),
    BundledEntry(
        name="linnerud",
        title="Body weight of twenty men by three exercises (its other two targets are left out)",
        rows=20,
        features=3,
        task="regression",
        target="Weight",
        origin=_SKLEARN,
    ),
    BundledEntry(
        name="monks-1",
        title="The first of the monk's problems: head equals body, or the jacket is red",
        rows=432,
        features=6,
        task="classification",
        classes=2,
        class_counts=(("0", 216), ("1", 216)),
        target="class",
        generator="monks",
        parameters=(("problem", 1),),
        origin=_MONKS,
    ),
    BundledEntry(
        name="monks-2",
        title="The second of the monk's problems: exactly two of six attributes have their first value",
        rows=432,
        features=6,
        task="classification",
        classes=2,
        class_counts=(("0", 290), ("1", 142)),
        target="class",
        generator="monks",
        parameters=(("problem", 2),),
        origin=_MONKS,
    ),
    BundledEntry(
        name="monks-3",
        title="The third of the monk's problems: a green jacket with a sword, or neither blue jacket nor octagon body",
        rows=432,
        features=6,
        task="classification",
        classes=2,
        class_counts=(("0", 204), ("1", 228)),
        target="class",
        generator="monks",
        parameters=(("problem", 3),),
        origin=_MONKS,
    ),
    BundledEntry(
        name="tic-tac-toe",
        title="All end games of noughts and crosses in which x began: did x win?",
        rows=958,
        features=9,
        task="classification",
        classes=2,
        class_counts=(("negative", 332), ("positive", 626)),
        target="class",
        generator="tic-tac-toe",
        origin="Aha 1991, enumerated",
    ),
    BundledEntry(
        name="waveform",
        title="Three mixtures of triangular waves with noise, 21 columns",
        rows=5000,
        features=21,
        task="classification",
        classes=3,
        target="class",
        generator="waveform",
        origin="Breiman et al. 1984, drawn with seed 0",
    ),
)


def find_bundled(name: str) -> BundledEntry | None:
    """The card of that name, or None.

    >>> find_bundled("iris").rows
    150
    """
    return next((entry for entry in BUNDLED if entry.name == name), None)
