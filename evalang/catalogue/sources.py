"""What may follow `from`: the readers, the bundled data sets, the generators and the suites of OpenML."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from ..language.text import nearest

Statement = Literal["dataset", "results", "predictions", "suite"]
Task = Literal["classification", "regression"]
Level = tuple[str, str]  # what a column stands for, and its name
_DATASET: Level = ("dataset", "dataset")
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


_ITEMS: tuple[Level, ...] = (_DATASET, ("item", "item"))


def _tool(name: str, title: str, levels: tuple[Level, ...] = _ITEMS) -> Reader:
    """Return the reader of what another tool wrote: logs of items in a module each, other scores in `tables`."""
    word = name.replace("-", "_")
    return Reader(
        name, f"tools.{word if levels == _ITEMS else 'tables'}.read_{word}", "text", title, ("results",), levels
    )


READERS: tuple[Reader, ...] = (
    Reader("builtin", "builtin.read_builtin", "text", "a dataset that comes with evalang"),
    Reader("csv", "csv.read_csv", "text", "a table in a text file", endings=(".csv", ".tsv", ".tab")),
    Reader("parquet", "arrow.read_parquet", "text", "a table in a Parquet file", endings=(".parquet",)),
    Reader("feather", "arrow.read_feather", "text", "a table in a Feather or Arrow file", endings=(".feather",)),
    Reader("excel", "excel.read_excel", "text", "a sheet of an Excel workbook", endings=(".xlsx",)),
    Reader(
        "json", "json.read_json", "text", "a table of JSON objects, one in each line", endings=(".jsonl", ".ndjson")
    ),
    Reader("arff", "arff.read_arff", "text", "a table in Weka's file format", endings=(".arff",)),
    Reader(
        "openml",
        "openml.read_openml",
        "number",
        "a dataset of OpenML by its number, or a suite by its name or number",
        (*_TABLES, "suite"),
        suite_names=True,
    ),
    Reader(
        "openml-task",
        "openml.read_openml_task",
        "number",
        "a task of OpenML by its number, with data, target and folds",
        ("dataset",),
    ),
    Reader("sql", "sql.read_sql", "text", "the answer of a database to a query"),
    Reader("synthetic", "builtin.read_synthetic", "generator", "rows made by a generator"),
    _tool("weka", "the results that Weka's Experimenter wrote", (_DATASET, ("repeat", "Run"), ("fold", "Fold"))),
    _tool("inspect", "logs of Inspect: a file, a folder or a pattern"),
    _tool("lm-eval", "samples that lm-evaluation-harness wrote"),
    _tool("amlb", "the results of the AutoML benchmark", (("dataset", "task"), ("fold", "fold"))),
    _tool("sklearn", "the cv_results_ of a search of scikit-learn, as CSV", (_DATASET, ("fold", "fold"))),
    _tool("mlflow", "the runs of an MLflow store", ()),
    _tool("helm", "the runs of HELM in a folder"),
    _tool("every-eval-ever", "results and samples in the form of Every Eval Ever"),
    _tool("openai-evals", "logs of OpenAI Evals"),
    _tool("rliable", "scores of runs by tasks, as rliable takes them", (("dataset", "task"), ("seed", "run"))),
    Reader("folder", "", "text", "every table in a folder", ("suite",)),
)
_BY_NAME = {reader.name: reader for reader in READERS}


def find_reader(name: str) -> Reader | None:
    """Return the reader of that name."""
    return _BY_NAME.get(name)


def reader_of_file(name: str) -> str | None:
    """Return the reader of tables in a file of that name, packed or not; None for another file.

    >>> reader_of_file("results.TSV.gz"), reader_of_file("log.eval")
    ('csv', None)
    """
    plain = re.sub(r"\.(gz|bz2|xz)$", "", name.lower())
    return next((reader.name for reader in READERS if reader.endings and plain.endswith(reader.endings)), None)


@dataclass(frozen=True, slots=True)
class BundledEntry:
    """The card of a bundled data set; all of it is known without opening the data."""

    name: str
    title: str
    rows: int
    features: int
    target: str
    classes: int | None = None  # None for regression
    generator: str = ""  # name of a generator; "" when scikit-learn has the rows
    parameters: tuple[tuple[str, int | float], ...] = ()
    origin: str = "included in scikit-learn"

    @property
    def task(self) -> Task:
        """What is predicted: classes or numbers."""
        return "regression" if self.classes is None else "classification"


def _monks(problem: int, title: str) -> BundledEntry:
    origin, parameters = "Thrun et al. 1991: all 432 robots, no noise", (("problem", problem),)
    return BundledEntry(f"monks-{problem}", title, 432, 6, "class", 2, "monks", parameters, origin)


_TUMOURS = "Benign and malignant tumours by their cell nuclei (Wisconsin, diagnostic)"
_TIC_TAC_TOE = "All end games of noughts and crosses in which x began: did x win?"
_WAVES = "Three mixtures of triangular waves with noise, 21 columns"
_DIABETES = "Progress of diabetes after a year, a number (not the Pima dataset with two classes)"
_WEIGHT = "Body weight of twenty men by three exercises (without the other two targets)"
BUNDLED: tuple[BundledEntry, ...] = (  # name, title, rows, columns, target, classes
    BundledEntry("iris", "Three species of iris by the size of their leaves", 150, 4, "species", 3),
    BundledEntry("wine", "Three cultivars of wine by chemical analysis", 178, 13, "cultivar", 3),
    BundledEntry("breast-cancer", _TUMOURS, 569, 30, "diagnosis", 2),
    BundledEntry("digits", "Handwritten digits as 8 x 8 grey values", 1797, 64, "digit", 10),
    BundledEntry("diabetes", _DIABETES, 442, 10, "progress"),
    BundledEntry("linnerud", _WEIGHT, 20, 3, "Weight"),
    _monks(1, "The first of the monk's problems: head equals body, or the jacket is red"),
    _monks(2, "The second of the monk's problems: exactly two of six attributes have their first value"),
    _monks(3, "The third of the monk's problems: a green jacket with a sword, or neither blue jacket nor octagon body"),
    BundledEntry("tic-tac-toe", _TIC_TAC_TOE, 958, 9, "class", 2, "tic-tac-toe", origin="Aha 1991, enumerated"),
    BundledEntry("waveform", _WAVES, 5000, 21, "class", 3, "waveform", origin="Breiman et al. 1984, drawn with seed 0"),
)


def find_bundled(name: str) -> BundledEntry | None:
    """Return the card of that name, or None.

    >>> find_bundled("iris").rows
    150
    """
    return next((entry for entry in BUNDLED if entry.name == name), None)


MOST_ROWS = 1_000_000  # ours: a larger made-up data set is a mistake
MOST_COLUMNS = 1_000


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a generator: its default and the range it may take (both ends allowed)."""

    name: str
    default: int | float
    low: int | float
    high: int | float
    whole: bool = True


@dataclass(frozen=True, slots=True)
class GeneratorEntry:
    """The card of a generator."""

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    classes: int | None = None  # None for regression
    rows: int | None = None  # fixed number of rows; None: the parameter n says it

    @property
    def task(self) -> Task:
        """What is predicted: classes or numbers."""
        return "regression" if self.classes is None else "classification"


def _columns(default: int, low: int = 1) -> Parameter:
    return Parameter("features", default, low, MOST_COLUMNS)


def _share(name: str, default: float, high: float) -> Parameter:
    return Parameter(name, default, 0.0, high, whole=False)


_ROWS = Parameter("n", 300, 4, MOST_ROWS)
SEED = Parameter("seed", 0, 0, 2**63 - 1)

GENERATORS: tuple[GeneratorEntry, ...] = (
    # Unit covariance; with equal shares the means lie 2 z(1 - overlap) apart, so that the Bayes error is `overlap`.
    # The means differ along all columns; `share` is the expected one of the class `b`.
    GeneratorEntry(
        "gaussians",
        "Two classes, each a round normal cloud",
        (_ROWS, _share("overlap", 0.2, 0.5), _columns(2), _share("share", 0.5, 0.99), SEED),
        classes=2,
    ),
    # All 432 combinations of six nominal attributes (Thrun et al. 1991), a share of the labels turned round; the
    # original third training set has noise 0.05.
    GeneratorEntry(
        "monks", "The monk's problems", (Parameter("problem", 1, 1, 3), _share("noise", 0.0, 0.5), SEED), 2, rows=432
    ),
    # x = u h1 + (1 - u) h2 + e with u uniform and e standard normal at 21 points; Bayes error about 14% (Breiman et
    # al. 1984).
    GeneratorEntry(
        "waveform",
        "Mixtures of triangular waves",
        (replace(_ROWS, default=5000), Parameter("noise_columns", 0, 0, MOST_COLUMNS), SEED),
        classes=3,
    ),
    # Every board at which a game begun by x ends; positive when x has three in a row (Aha 1991).
    GeneratorEntry("tic-tac-toe", "End games of noughts and crosses", (), classes=2, rows=958),
    # Columns `first` and `second` repeat the target but for their errors: on one half of the rows the first errs with
    # half its mean rate and the second with one and a half times its own, on the other half the reverse (Dietterich
    # 1998, 4.1). The second errs by `difference` more than the first.
    GeneratorEntry(
        "simulated-learners",
        "Answers of two simulated learners with known error rates",
        (_ROWS, _share("error", 0.1, 0.5), _share("difference", 0.0, 0.5), SEED),
        classes=2,
    ),
    GeneratorEntry("moons", "Two half moons inside each other", (_ROWS, _share("noise", 0.2, 10.0), SEED), classes=2),
    GeneratorEntry(
        "circles",
        "A circle inside a circle",
        (_ROWS, _share("noise", 0.1, 10.0), Parameter("factor", 0.5, 0.01, 0.99, whole=False), SEED),
        classes=2,
    ),
    # `noise` is the share of labels turned round.
    GeneratorEntry("xor", "Two classes that no single column separates", (_ROWS, _share("noise", 0.1, 0.5), SEED), 2),
    # Every learner's true accuracy is one half: what tests say here are false positives.
    GeneratorEntry("noise", "Columns without information about the target", (_ROWS, _columns(10), SEED), classes=2),
    # 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5 + noise (Friedman 1991).
    GeneratorEntry(
        "friedman1", "Friedman's first regression function", (_ROWS, _columns(10, 5), _share("noise", 1.0, 1e6), SEED)
    ),
    # Column j weighs 1/j.
    GeneratorEntry("linear", "A linear function with noise", (_ROWS, _columns(5), _share("noise", 1.0, 1e6), SEED)),
)


def find_generator(name: str) -> GeneratorEntry | None:
    """Return the card of that name, or None."""
    return next((entry for entry in GENERATORS if entry.name == name), None)


def check_parameters(entry: GeneratorEntry, given: tuple[tuple[str, object], ...]) -> str | None:
    """Return the first thing wrong with the parameters, as a sentence, or None.

    >>> check_parameters(find_generator("waveform"), (("n", 0),))
    'waveform takes n from 4 to 1000000, and 0 was given'
    """
    known = {p.name: p for p in entry.parameters}
    seen: set[str] = set()
    for name, value in given:
        if name not in known:
            near = nearest(name, known)
            offer = f"; did you mean {near}?" if near else f"; it takes {', '.join(known) or 'none'}"
            return f"{entry.name} has no parameter {name}{offer}"
        if name in seen:
            return f"{entry.name} is given {name} twice"
        seen.add(name)
        wrong = _check_value(entry.name, known[name], value)
        if wrong:
            return wrong
    return None


def filled_parameters(entry: GeneratorEntry, given: tuple[tuple[str, object], ...]) -> dict[str, int | float]:
    """Return every parameter with its value, defaults included; the given ones must have been checked."""
    told = dict(given)
    values: dict[str, int | float] = {}
    for parameter in entry.parameters:
        value = told.get(parameter.name, parameter.default)
        if isinstance(value, (int, float)):
            values[parameter.name] = int(value) if parameter.whole else float(value)
    return values


def rows_of(entry: GeneratorEntry, given: tuple[tuple[str, object], ...]) -> int | None:
    """Return the rows that the generator will make."""
    if entry.rows is not None:
        return entry.rows
    rows = filled_parameters(entry, given).get("n")
    return None if rows is None else int(rows)


def _check_value(generator: str, parameter: Parameter, value: object) -> str | None:
    name = parameter.name
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return f"{generator} takes a number for {name}"
    if parameter.whole and isinstance(value, float) and not value.is_integer():
        return f"{generator} takes a whole number for {name}, and {value} was given"
    if not parameter.low <= value <= parameter.high:
        shown = str(value) if abs(value) < 1e15 else "a far larger number"
        return f"{generator} takes {name} from {parameter.low} to {parameter.high}, and {shown} was given"
    return None


@dataclass(frozen=True, slots=True)
class OpenMLSuite:
    """A published list of tasks; each is a data set, its target and its division into folds."""

    name: str
    study: int  # its number at OpenML
    task: Task
    tasks: tuple[int, ...]
    origin: str


OPENML_SUITES = (
    OpenMLSuite(
        name="OpenML-CC18",
        study=99,
        task="classification",
        tasks=(
            3, 6, 11, 12, 14, 15, 16, 18, 22, 23, 28, 29, 31, 32, 37, 43, 45, 49, 53, 219, 2074, 2079, 3021, 3022, 3481,
            3549, 3560, 3573, 3902, 3903, 3904, 3913, 3917, 3918, 7592, 9910, 9946, 9952, 9957, 9960, 9964, 9971, 9976,
            9977, 9978, 9981, 9985, 10093, 10101, 14952, 14954, 14965, 14969, 14970, 125920, 125922, 146195, 146800,
            146817, 146819, 146820, 146821, 146822, 146824, 146825, 167119, 167120, 167121, 167124, 167125, 167140,
            167141,
        ),
        origin="Bischl et al. 2021",
    ),
    OpenMLSuite(
        name="OpenML-CTR23",
        study=353,
        task="regression",
        tasks=(
            361234, 361235, 361236, 361237, 361241, 361242, 361243, 361244, 361247, 361249, 361250, 361251, 361252,
            361253, 361254, 361255, 361256, 361257, 361258, 361259, 361260, 361261, 361264, 361266, 361267, 361268,
            361269, 361272, 361616, 361617, 361618, 361619, 361621, 361622, 361623,
        ),
        origin="Fischer et al. 2023",
    ),
)  # fmt: skip


def find_openml_suite(name: str) -> OpenMLSuite | None:
    """Return the suite of that name, with or without `OpenML-`, in any case of letters; or of that number.

    >>> len(find_openml_suite("cc18").tasks), len(find_openml_suite("353").tasks)
    (72, 35)
    """
    short = name.strip().lower().removeprefix("openml-")
    for one in OPENML_SUITES:
        if short in (one.name.lower().removeprefix("openml-"), str(one.study)):
            return one
    return None
