"""The syntax tree: one frozen record per construct, each with the span it stands on.

Spans and spellings do not take part in comparison, so two trees are equal when they say the same. The decorator of a
clause is its row in the table of clauses: which statements take it, how it begins, whether it may be repeated. From
the rows the grammar gets what each statement takes and which comma ends a list; completion, colours, the formatter,
messages and recovery read their words there (grammar.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, dataclass_transform

from ..codec import field_names
from .text import NOWHERE, Span

# ---------------------------------------------------------------- values


@dataclass(frozen=True, slots=True)
class Node:
    """Anything that stands somewhere in a script."""

    span: Span = field(compare=False, repr=False, default=NOWHERE, kw_only=True)


def walk(node: Node) -> Iterator[tuple[str, Node]]:
    """Yield every node inside a node, from the outside in, each with the name of the field that holds it."""
    for name in field_names(type(node)):
        value = getattr(node, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Node):
                yield name, item
                yield from walk(item)


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name, bare or in quotes; whether it was quoted is the formatter's business, not the tree's."""

    text: str


@dataclass(frozen=True, slots=True)
class Text(Node):
    """Text in double quotes, unescaped."""

    value: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A number; `text` is how it was written, since 10, 10.0 and 1e1 mean different things to a reader."""

    value: int | float
    text: str = field(compare=False, repr=False, default="")


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """`true`, `false` or `none`."""

    value: bool | None


@dataclass(frozen=True, slots=True)
class Amount(Node):
    """A fraction (`20%`, `1/5`, `0.2`), a number of rows (`500 rows`), points (`1 point`) or a bare number.

    `value` is the fraction for `%`, `/` and points (`1 point` is 0.01), else the number itself.
    """

    value: float
    unit: Literal["", "%", "/", "rows", "points"]
    text: str = field(compare=False, repr=False, default="")


@dataclass(frozen=True, slots=True)
class Sequence(Node):
    """A list of values in square brackets, for parameters such as `hidden_layer_sizes = [64, 32]`."""

    items: tuple[Value, ...]


Value = Number | Text | Constant | Amount | Sequence | Name


@dataclass(frozen=True, slots=True)
class Argument(Node):
    """`name = value` between brackets."""

    name: Name
    value: Value


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A learner, step, test, metric or generator by name, with its arguments; `code` when it is `"package:Class"`."""

    name: Name
    arguments: tuple[Argument, ...] = ()
    code: bool = False


@dataclass(frozen=True, slots=True)
class Configured(Name):
    """A learner named where it is used, with parameters: `random-forest(n_estimators = 30)`, which is its text."""

    call: Call


@dataclass(frozen=True, slots=True)
class ConditionNode(Node):
    """`"age" > 18`"""

    column: Text
    relation: Literal["is", "is not", "<", "<=", ">", ">="]
    value: Value


@dataclass(frozen=True, slots=True)
class Described(Node):
    """`described as ...` in place of a source or a pipeline: nothing here can be opened or trained."""

    text: Text | None = None


# ---------------------------------------------------------------- grids


@dataclass(frozen=True, slots=True)
class GridSet(Node):
    """`{1, 2, 4}`"""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class GridRange(Node):
    """`1..26`, both ends tried."""

    start: Number
    stop: Number


@dataclass(frozen=True, slots=True)
class GridPowers(Node):
    """`10^{-3..3}`"""

    base: Number
    start: Number
    stop: Number


@dataclass(frozen=True, slots=True)
class GridLog(Node):
    """`log(0.001, 1000, 7)`: that many values, evenly spaced on a logarithmic scale."""

    low: Number
    high: Number
    count: Number


Grid = GridSet | GridRange | GridPowers | GridLog


@dataclass(frozen=True, slots=True)
class TunedParameter(Node):
    """`C in 10^{-3..3}` or `pca.n_components in {2, 5}`"""

    name: Name
    grid: Grid


# ---------------------------------------------------------------- schemes


@dataclass(frozen=True, slots=True)
class SchemeNode(Node):
    """What follows `using`; `kind` is a kind of catalogue/schemes.py.

    `count` is N of partitions, resamples, trainings, bootstrap and forward, or R of RxKcv; `folds` is K;
    `part` is the fraction or rows of holdout and resamples; `rows` is M of `N trainings of M` and of
    `forward N trainings of M`; `looks` of a guarded holdout is how often it may be asked; `halvings` is N of
    `N halvings of RxKcv`.
    """

    kind: str
    count: int | None = None
    folds: int | None = None
    halvings: int | None = None
    part: Amount | None = None
    rows: int | None = None
    looks: int | None = None
    stratified: bool | None = None  # None: not said
    grouped: bool = False


# ---------------------------------------------------------------- sources and formulas


@dataclass(frozen=True, slots=True)
class DataSource(Node):
    """`csv "credit.csv"(separator = ";")`, `openml 1596`, `synthetic gaussians(n = 300)`; the reader comes first."""

    reader: Name
    locator: Text | Number | Call
    options: tuple[Argument, ...] = ()

    @property
    def kind(self) -> str:
        """The reader by name."""
        return self.reader.text


@dataclass(frozen=True, slots=True)
class FormulaNode(Node):
    """`accuracy ~ learner | dataset / fold`"""

    response: Name
    treatment: Name
    blocks: tuple[Name, ...]


# ---------------------------------------------------------------- clauses and their rows

# Rules of the grammar that take clauses. Each begins with its statement word: `suite_from` with `suite`.
_DATASETS = "dataset described_dataset suite_from"
_EXPERIMENTS = "compare estimate"
STATEMENTS = (
    "dataset described_dataset suite suite_from learner described_learner results predictions compare estimate claim "
    "simulate report set include"
)
STATEMENT_WORDS = tuple(dict.fromkeys(re.sub("described_|_from", "", STATEMENTS).split()))


class Clause(Node):
    """A clause of a statement."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ColumnClause(Clause):
    """A clause that names a column."""

    column: Text


@dataclass(frozen=True, slots=True)
class CountClause(Clause):
    """A clause that counts."""

    count: Number


@dataclass(frozen=True, slots=True)
class PartClause(Clause):
    """A clause that names a part of the rows; None where a word such as `test` stands in its place."""

    part: Amount | None


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """One clause of the language.

    `begins` is what tells it after a comma: a word, or a word with the one that has to follow it. There 0 stands for a
    number, " for text, NAME for a name, and | parts several forms. `label` is what messages call it, where that is
    not how it begins. A clause that `excludes` another may not stand beside it. `full` is an example for an author
    who wrote half of the clause.
    """

    rule: str
    statements: str
    begins: str
    label: str = ""
    repeatable: bool = False
    excludes: str = ""
    full: str = ""

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.label or self.begins

    @property
    def question(self) -> str:
        """What it answers; each question is answered once."""
        return self.excludes or self.rule


C = TypeVar("C", bound=Clause)
ROWS: dict[type[Clause], ClauseRow] = {}


@dataclass_transform(frozen_default=True)
def clause(*row: Any, **options: Any) -> Callable[[type[C]], type[C]]:
    """Make a class the node of a clause with this row; a class without fields of its own has those of its shape."""

    def add(node: type[C]) -> type[C]:
        if "__annotations__" in vars(node):
            node = dataclass(frozen=True, slots=True)(node)
        ROWS[node] = ClauseRow(*row, **options)
        return node

    return add


# ---------------------------------------------------------------- every statement


@clause("because", STATEMENTS, "because")
class Because(Clause):
    """`because "the bank's own records"`"""

    reason: Text


@clause("allow", STATEMENTS, "allow", repeatable=True)
class Allow(Clause):
    """`allow EV401 because "..."`; a missing reason is EV006."""

    code: Name
    reason: Text | None = None


# ---------------------------------------------------------------- datasets and suites


@clause("target", _DATASETS, "target")
class TargetClause(ColumnClause):
    """`target "class"`"""


@clause("positive", f"{_DATASETS} predictions", "positive")
class Positive(Clause):
    """`positive "A", "B" against the rest`; values may be text or numbers."""

    values: tuple[Value, ...]
    against_rest: bool = False


@clause("missing", "dataset suite_from results predictions", "missing")
class Missing(Clause):
    """`missing "?", -9`"""

    values: tuple[Value, ...]


@clause("drop", "dataset suite_from", "drop")
class Drop(Clause):
    """`drop "id", "name"`"""

    columns: tuple[Text, ...]


@clause("drop_missing_targets", "dataset suite_from", "drop", "drop missing targets")
class DropMissingTargets(Clause):
    """`drop missing targets`"""


@clause("drop_repeated_rows", "dataset", "drop", "drop repeated rows")
class DropRepeatedRows(Clause):
    """`drop repeated rows`"""


@clause("where", "dataset", "where NAME", "where", full='where "age" > 18')
class Where(Clause):
    """`where "age" > 18 and "sex" is "f"`: only rows that meet all conditions are read."""

    conditions: tuple[ConditionNode, ...]


@clause("join_classes", "dataset", "join classes", repeatable=True, full='join classes "a", "b" as "ab"')
class JoinClasses(Clause):
    """`join classes "a", "b" as "ab"`"""

    classes: tuple[Value, ...]
    name: Value


@clause("groups", f"{_DATASETS} results predictions", "groups")
class Groups(ColumnClause):
    """`groups "patient"`"""


@clause("weights", "dataset described_dataset", "weights")
class Weights(ColumnClause):
    """`weights "stay"`"""


@clause("time", "dataset described_dataset", "time")
class Time(ColumnClause):
    """`time "day"`"""


@clause("series_in", "dataset described_dataset", "series in", full='series in "shop"')
class SeriesIn(ColumnClause):
    """`series in "shop"`"""


@clause("folds", "dataset described_dataset", "folds")
class Folds(ColumnClause):
    """`folds "fold"`"""


@clause("tested_on", "dataset", "tested", "tested on")
class TestedOn(Clause):
    """`tested on csv "test.csv"`"""

    source: DataSource


@clause("tuned_on_source", "dataset", "tuned on", full="tuned on 20%")
class TunedOnSource(Clause):
    """`tuned on csv "valid.csv"`: rows set apart for tuning."""

    source: DataSource


@clause("query", "dataset", "query")
class Query(Clause):
    """`query "select * from orders"`"""

    text: Text


@clause("prepared_by", "dataset", "prepared", "prepared by")
class PreparedBy(Clause):
    """`prepared by scale, select(k = 10)`"""

    steps: tuple[Call, ...]


@clause("oversampled", "dataset described_dataset", "oversampled before", "oversampled before splitting")
class Oversampled(Clause):
    """`oversampled before splitting`: rows were copied or made before anything was split."""


@clause("horizon", "dataset described_dataset", "horizon 0", "horizon", full="horizon 7 days")
class HorizonClause(Clause):
    """`horizon 7 days`: the target of a row is known so much later than the row."""

    count: Number
    unit: Literal["days", "rows"]


@clause("as_task", _DATASETS, "as")
class AsTask(Clause):
    """`as classification`"""

    task: Literal["classification", "regression"]


@clause("rows", "described_dataset", "0 rows | 0 row", "rows")
class Rows(CountClause):
    """`5000 rows` of a described dataset."""


@clause("classes", "described_dataset", "0 classes | 0 class", "classes")
class Classes(CountClause):
    """`2 classes` of a described dataset."""


@clause("rarest", "described_dataset", "rarest 0", "rarest", full="rarest 2%")
class Rarest(Clause):
    """`rarest 2%`: the share of the rarest class of a described dataset."""

    share: Amount


@clause("sampled_from", "suite suite_from", "sampled", "sampled from")
class SampledFrom(Clause):
    """`sampled from "the 120 sets of the archive, at random"`"""

    population: Text


# ---------------------------------------------------------------- learners


@clause("tune", "learner", "tune")
class Tune(Clause):
    """`tune C in ..., gamma in ...` on a learner."""

    parameters: tuple[TunedParameter, ...]


@clause("try", "learner", "try")
class Try(CountClause):
    """`try 50`"""


@clause("calibrate", "learner", "calibrate")
class Calibrate(Clause):
    """`calibrate platt` on a learner."""

    method: Literal["platt", "isotonic", "none"]


@clause("train_times", "learner", "train")
class TrainTimes(CountClause):
    """`train 5 times`"""


@clause("threshold", "learner", "threshold 0", "threshold", full="threshold 0.3")
class Threshold(Clause):
    """`threshold 0.3` on a learner: a row is positive from that score on."""

    score: Amount


@clause("without_preparation", "learner", "without", "without preparation")
class WithoutPreparation(Clause):
    """`without preparation`"""


@clause("randomised", "described_learner", "", "randomised")  # a name after any other comma
class Randomised(Clause):
    """`randomised`"""


@clause("gives_scores", "described_learner", "gives scores")
class GivesScores(Clause):
    """`gives scores`"""


@clause("tuned_with", "described_learner", "tuned with")
class TunedWith(Clause):
    """`tuned with 50 tries`"""

    tries: Number


@clause("tuned_by_hand", "described_learner", "tuned by", "tuned by hand")
class TunedByHand(Clause):
    """`tuned by hand`"""


@clause("tuned_for", "described_learner", "tuned for")
class TunedFor(Clause):
    """`tuned for 2 hours`"""

    time: Number
    unit: Literal["minutes", "hours", "days"]


@clause("pretrained_on", "described_learner", "pretrained on")
class PretrainedOn(Clause):
    """`pretrained on "ImageNet"`"""

    data: Text


@clause("stopped_early", "described_learner", "stopped early", "stopped early on")
class StoppedEarly(PartClause):
    """`stopped early on 10%`, or on the test part (part None)."""


@clause("trained_times", "described_learner results", "trained 0", "trained", full="trained 20 times")
class TrainedTimes(CountClause):
    """`trained 20 times`: with so many seeds, elsewhere."""


# ---------------------------------------------------------------- results and predictions


@clause("datasets_in", "results", "datasets in")
class DatasetsIn(ColumnClause):
    """`datasets in "Dataset"`"""


@clause("learners_in", "results predictions", "learners in")
class LearnersIn(Clause):
    """`learners in "a", "b"`"""

    columns: tuple[Text, ...]


@clause("folds_in", "results", "folds", "folds in")
class FoldsIn(ColumnClause):
    """`folds in "split"`"""


@clause("seeds_in", "results", "seeds in", full='seeds in "run"')
class SeedsIn(ColumnClause):
    """`seeds in "run"`"""


@clause("repeats_in", "results", "repeats in", full='repeats in "Run"')
class RepeatsIn(ColumnClause):
    """`repeats in "Run"`"""


@clause("items_in", "results", "items in", full='items in "question"')
class ItemsIn(ColumnClause):
    """`items in "question"`"""


@clause("made_using", "results", "made using", full="made using 5cv")
class MadeUsing(Clause):
    """`made using 20x5cv`: the scheme by which scores came about."""

    scheme: SchemeNode


@clause("tuned_on", "results", "tuned on", full="tuned on 20%")
class TunedOn(PartClause):
    """`tuned on 20%`, or on the test part (part None), elsewhere."""


@clause("copied_from", "results", "copied from", repeatable=True, full='copied from "Chen 2016, table 3"')
class CopiedFrom(Clause):
    """`copied from "Chen 2016, table 3" for xgb, lgbm`; without learners, all of them."""

    origin: Text
    learners: tuple[Name, ...] = ()


@clause("truth", "predictions", "truth")
class TruthClause(ColumnClause):
    """`truth "y"`"""


@clause("as_formula", "results", "as")
class AsFormula(Clause):
    """`as accuracy ~ learner | dataset / fold`"""

    formula: FormulaNode


# ---------------------------------------------------------------- experiments


@clause("using", _EXPERIMENTS, "using")
class Using(Clause):
    """`using stratified 10x10cv`"""

    scheme: SchemeNode


@clause("gap", f"{_EXPERIMENTS} results", "gap 0", "gap", full="gap 7 rows")
class Gap(Clause):
    """`gap 7 rows` between the training and the test rows of a forward scheme."""

    rows: Number


@clause("by", _EXPERIMENTS, "by")
class By(Clause):
    """`by friedman, nemenyi`"""

    tests: tuple[Call, ...]


@clause("measuring", f"{_EXPERIMENTS} results claim", "measuring")
class Measuring(Clause):
    """`measuring accuracy, f-score(average = "macro")`"""

    metrics: tuple[Call, ...]


@clause("primary", _EXPERIMENTS, "primary NAME", "primary", full="primary roc-area")
class Primary(Clause):
    """`primary roc-area`: the metric that decides."""

    metric: Call


@clause("tune_on", _EXPERIMENTS, "tune")
class TuneOn(Clause):
    """`tune on 20%`, `tune on 500 rows`, `tune on test` (part None), each with an optional `for METRIC`."""

    part: Amount | None
    metric: Call | None = None


@clause("tune_using", _EXPERIMENTS, "tune", excludes="tune_on")
class TuneUsing(Clause):
    """`tune using 5cv`"""

    scheme: SchemeNode
    metric: Call | None = None


@clause("calibrate_on", _EXPERIMENTS, "calibrate", "calibrate on")
class CalibrateOn(PartClause):
    """`calibrate on 20%`, or `calibrate on tuning` (part None)."""


@clause("threshold_on", _EXPERIMENTS, "threshold on", full="threshold 0.3")
class ThresholdOn(Clause):
    """`threshold on 20%`, or `threshold on tuning` or `on test` (part None), with an optional `for METRIC`."""

    part: Amount | None
    metric: Call | None = None
    test: bool = False


@clause("stop_early", _EXPERIMENTS, "stop early", "stop early on", full="stop early on 10%")
class StopEarly(Clause):
    """`stop early on 10%`"""

    part: Amount


@clause("without_retraining", _EXPERIMENTS, "without", "without retraining")
class WithoutRetraining(Clause):
    """`without retraining`"""


@clause("at", f"{_EXPERIMENTS} simulate", "at")
class At(Clause):
    """`at alpha 0.05`, `at 5%`, and `set alpha 0.05`"""

    alpha: Amount


@clause("seed", _EXPERIMENTS, "seed")
class Seed(Clause):
    """`seed 20`"""

    value: Number


@clause("seed_between", "simulate", "seed")
class SeedBetween(Clause):
    """`seed 1, trials 1000`, before its settings join those of `with`."""

    seed: Seed
    settings: tuple[Setting, ...]


@clause("as_name", _EXPERIMENTS, "as")
class AsName(Clause):
    """`as trees-or-bayes`"""

    name: Name


@clause("failures", _EXPERIMENTS, "failures")
class Failures(Clause):
    """`failures count as worst` or `failures leave out the fold`"""

    policy: Literal["worst", "leave-out"]


@clause(
    "correct", "compare", "bonferroni | sidak | holm | hochberg | hommel | bh | yekutieli | uncorrected", "a correction"
)
class Correct(Clause):
    """`holm over datasets, metrics`; `over` is empty for a bare `uncorrected`."""

    method: Name
    over: tuple[Literal["datasets", "learners", "metrics", "everything", "everything-so-far"], ...]
    looks: Number | None = None  # `everything so far within 50 looks`


@clause("control", "compare", "control")
class Control(Clause):
    """`control mine`"""

    learner: Name


@clause("all_pairs", "compare", "all pairs")
class AllPairs(Clause):
    """`all pairs`"""


@clause("rope", "compare", "rope | margin 0", "margin", full="margin 1 point")
class Rope(Clause):
    """`margin 1 point`; also `rope 1 point`"""

    width: Amount


@clause("expecting", "compare", "expecting")
class Expecting(Clause):
    """`expecting new better because "it nests the old one"`"""

    learner: Name
    reason: Text | None = None


@clause("missing_answers", _EXPERIMENTS, "missing", "missing count as wrong", excludes="complete_cases")
class MissingAnswers(Clause):
    """`missing count as wrong` or `missing left out because "the server was down"`"""

    policy: Literal["wrong", "left-out"]
    reason: Text | None = None


@clause("complete_cases", "compare", "complete", "complete cases")
class CompleteCases(Clause):
    """`complete cases`"""


@clause(
    "until_settled",
    "compare",
    "until conclusive | until settled",
    "until conclusive",
    full="until conclusive within 5 looks",
)
class UntilSettled(Clause):
    """`until conclusive within 5 looks`; also `until settled`"""

    looks: Number


# ---------------------------------------------------------------- claims, simulations, reports


@clause("within", "claim", "within")
class Within(Clause):
    """`within 1%`, before it becomes a field of the claim."""

    width: Amount


@clause("overall", "claim", "overall")
class Overall(Clause):
    """`overall`"""


@clause("according_to", "claim", "according", "according to")
class AccordingTo(Clause):
    """`according to trees-or-bayes`"""

    comparison: Name


@clause("with", "simulate", "with")
class With(Clause):
    """`with n 300, error 10%, 20%, trials 1000`: one record per word."""

    settings: tuple[Setting, ...]


@clause("as_format", "report", "as")
class AsFormat(Clause):
    """`as latex`, before it becomes a field of the report."""

    format: Literal["html", "markdown", "latex", "json"]


# ---------------------------------------------------------------- other nodes


@dataclass(frozen=True, slots=True)
class Setting(Node):
    """`error 10%, 20%`; the words are n, error, difference, trials, shared, resamples (`seed 1` is a clause)."""

    name: Name
    values: tuple[Amount, ...]


class Strict(Clause):
    """`set strict`"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Unread(Clause):
    """A clause that could not be read and was left out; what it would have said is not known."""

    word: str


# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class DatasetStatement(Node):
    name: Name
    source: DataSource | Described
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class SuiteStatement(Node):
    """A list of datasets, or (with a source and no members) every file of a folder."""

    name: Name
    members: tuple[Name, ...]
    clauses: tuple[Clause, ...] = ()
    source: DataSource | None = None


@dataclass(frozen=True, slots=True)
class LearnerStatement(Node):
    name: Name
    pipeline: tuple[Call, ...] | Described
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultsStatement(Node):
    name: Name
    source: DataSource
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class PredictionsStatement(Node):
    name: Name
    source: DataSource
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class CompareStatement(Node):
    """`learners` is empty for `compare all on ...`."""

    learners: tuple[Name, ...]
    datasets: tuple[Name, ...]
    clauses: tuple[Clause, ...] = ()
    this_classifier: bool = False


@dataclass(frozen=True, slots=True)
class EstimateStatement(Node):
    learner: Name
    datasets: tuple[Name, ...]
    clauses: tuple[Clause, ...] = ()
    this_classifier: bool = False


@dataclass(frozen=True, slots=True)
class ClaimStatement(Node):
    """`datasets` is empty without `on`, and for `on new datasets`; `each` is for `on each of`."""

    left: Name
    relation: Literal["better", "no-worse", "same"]
    right: Name
    within: Amount | None
    datasets: tuple[Name, ...]
    new_datasets: bool = False
    each: bool = False
    clauses: tuple[Clause, ...] = ()
    this_classifier: bool = False


@dataclass(frozen=True, slots=True)
class SimulateStatement(Node):
    kind: Literal["type-I", "power"]
    subjects: tuple[Call, ...]
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportStatement(Node):
    subject: Name | None
    to: Text
    format: Literal["html", "markdown", "latex", "json"] | None = None
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class SetStatement(Node):
    """`set seed 20`: a default for the statements below it, held as the clause it stands for."""

    clause: Clause
    clauses: tuple[Clause, ...] = ()  # `because` and `allow` only


@dataclass(frozen=True, slots=True)
class IncludeStatement(Node):
    path: Text
    clauses: tuple[Clause, ...] = ()  # `because` and `allow` only


Statement = (
    DatasetStatement
    | SuiteStatement
    | LearnerStatement
    | ResultsStatement
    | PredictionsStatement
    | CompareStatement
    | EstimateStatement
    | ClaimStatement
    | SimulateStatement
    | ReportStatement
    | SetStatement
    | IncludeStatement
)


@dataclass(frozen=True, slots=True)
class Script(Node):
    """A whole file: the statements that could be read; what could not is in the findings beside it."""

    statements: tuple[Statement, ...]
