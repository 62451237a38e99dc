"""The syntax tree: one frozen record per construct, each with the span it stands on.

Spans and spellings do not take part in comparison, so two trees are equal when they say the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .text import NOWHERE, Span

# ---------------------------------------------------------------- values


@dataclass(frozen=True, slots=True)
class Node:
    """Anything that stands somewhere in a script."""

    span: Span = field(compare=False, repr=False, default=NOWHERE, kw_only=True)


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


# ---------------------------------------------------------------- clauses


@dataclass(frozen=True, slots=True)
class Because(Node):
    reason: Text


@dataclass(frozen=True, slots=True)
class Allow(Node):
    """`allow EV401 because "..."`; a missing reason is EV006."""

    code: Name
    reason: Text | None = None


@dataclass(frozen=True, slots=True)
class TargetClause(Node):
    column: Text


@dataclass(frozen=True, slots=True)
class Positive(Node):
    """`positive "A", "B" against the rest`; values may be text or numbers."""

    values: tuple[Value, ...]
    against_rest: bool = False


@dataclass(frozen=True, slots=True)
class Missing(Node):
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Drop(Node):
    columns: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class DropMissingTargets(Node):
    pass


@dataclass(frozen=True, slots=True)
class DropRepeatedRows(Node):
    pass


@dataclass(frozen=True, slots=True)
class Where(Node):
    """`where "age" > 18 and "sex" is "f"`: only rows that meet all conditions are read."""

    conditions: tuple[ConditionNode, ...]


@dataclass(frozen=True, slots=True)
class JoinClasses(Node):
    """`join classes "a", "b" as "ab"`"""

    classes: tuple[Value, ...]
    name: Value


@dataclass(frozen=True, slots=True)
class Rows(Node):
    """`5000 rows` of a described dataset."""

    count: Number


@dataclass(frozen=True, slots=True)
class Classes(Node):
    """`2 classes` of a described dataset."""

    count: Number


@dataclass(frozen=True, slots=True)
class Rarest(Node):
    """`rarest 2%`: the share of the rarest class of a described dataset."""

    share: Amount


@dataclass(frozen=True, slots=True)
class Groups(Node):
    column: Text


@dataclass(frozen=True, slots=True)
class Weights(Node):
    column: Text


@dataclass(frozen=True, slots=True)
class Time(Node):
    column: Text


@dataclass(frozen=True, slots=True)
class SeriesIn(Node):
    column: Text


@dataclass(frozen=True, slots=True)
class Folds(Node):
    column: Text


@dataclass(frozen=True, slots=True)
class TestedOn(Node):
    source: DataSource


@dataclass(frozen=True, slots=True)
class TunedOnSource(Node):
    """`tuned on csv "valid.csv"`: rows set apart for tuning."""

    source: DataSource


@dataclass(frozen=True, slots=True)
class Query(Node):
    text: Text


@dataclass(frozen=True, slots=True)
class PreparedBy(Node):
    steps: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class AsTask(Node):
    task: Literal["classification", "regression"]


@dataclass(frozen=True, slots=True)
class SampledFrom(Node):
    population: Text


@dataclass(frozen=True, slots=True)
class Tune(Node):
    """`tune C in ..., gamma in ...` on a learner."""

    parameters: tuple[TunedParameter, ...]


@dataclass(frozen=True, slots=True)
class Try(Node):
    count: Number


@dataclass(frozen=True, slots=True)
class Calibrate(Node):
    """`calibrate platt` on a learner."""

    method: Literal["platt", "isotonic", "none"]


@dataclass(frozen=True, slots=True)
class TrainTimes(Node):
    count: Number


@dataclass(frozen=True, slots=True)
class Threshold(Node):
    """`threshold 0.3` on a learner: a row is positive from that score on."""

    score: Amount


@dataclass(frozen=True, slots=True)
class WithoutPreparation(Node):
    pass


@dataclass(frozen=True, slots=True)
class Randomised(Node):
    pass


@dataclass(frozen=True, slots=True)
class GivesScores(Node):
    pass


@dataclass(frozen=True, slots=True)
class TunedWith(Node):
    """`tuned with 50 tries`"""

    tries: Number


@dataclass(frozen=True, slots=True)
class TunedByHand(Node):
    pass


@dataclass(frozen=True, slots=True)
class TunedFor(Node):
    """`tuned for 2 hours`"""

    time: Number
    unit: Literal["minutes", "hours", "days"]


@dataclass(frozen=True, slots=True)
class PretrainedOn(Node):
    data: Text


@dataclass(frozen=True, slots=True)
class StoppedEarly(Node):
    """`stopped early on 10%`, or on the test part (part None)."""

    part: Amount | None


@dataclass(frozen=True, slots=True)
class TrainedTimes(Node):
    """`trained 20 times`: with so many seeds, elsewhere."""

    count: Number


@dataclass(frozen=True, slots=True)
class FoldsIn(Node):
    column: Text


@dataclass(frozen=True, slots=True)
class SeedsIn(Node):
    column: Text


@dataclass(frozen=True, slots=True)
class RepeatsIn(Node):
    column: Text


@dataclass(frozen=True, slots=True)
class ItemsIn(Node):
    column: Text


@dataclass(frozen=True, slots=True)
class MadeUsing(Node):
    """`made using 20x5cv`: the scheme by which scores came about."""

    scheme: SchemeNode


@dataclass(frozen=True, slots=True)
class TunedOn(Node):
    """`tuned on 20%`, or on the test part (part None), elsewhere."""

    part: Amount | None


@dataclass(frozen=True, slots=True)
class CopiedFrom(Node):
    """`copied from "Chen 2016, table 3" for xgb, lgbm`; without learners, all of them."""

    origin: Text
    learners: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class DatasetsIn(Node):
    column: Text


@dataclass(frozen=True, slots=True)
class LearnersIn(Node):
    columns: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class TruthClause(Node):
    column: Text


@dataclass(frozen=True, slots=True)
class AsFormula(Node):
    formula: FormulaNode


@dataclass(frozen=True, slots=True)
class Using(Node):
    scheme: SchemeNode


@dataclass(frozen=True, slots=True)
class By(Node):
    tests: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Measuring(Node):
    metrics: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class TuneOn(Node):
    """`tune on 20%`, `tune on 500 rows`, `tune on test` (part None), each with an optional `for METRIC`."""

    part: Amount | None
    metric: Call | None = None


@dataclass(frozen=True, slots=True)
class TuneUsing(Node):
    """`tune using 5cv`"""

    scheme: SchemeNode
    metric: Call | None = None


@dataclass(frozen=True, slots=True)
class CalibrateOn(Node):
    """`calibrate on 20%`, or `calibrate on tuning` (part None)."""

    part: Amount | None


@dataclass(frozen=True, slots=True)
class Gap(Node):
    """`gap 7 rows` between the training and the test rows of a forward scheme."""

    rows: Number


@dataclass(frozen=True, slots=True)
class Primary(Node):
    """`primary roc-area`: the metric that decides."""

    metric: Call


@dataclass(frozen=True, slots=True)
class ThresholdOn(Node):
    """`threshold on 20%`, or `threshold on tuning` or `on test` (part None), with an optional `for METRIC`."""

    part: Amount | None
    metric: Call | None = None
    test: bool = False


@dataclass(frozen=True, slots=True)
class StopEarly(Node):
    part: Amount


@dataclass(frozen=True, slots=True)
class UntilSettled(Node):
    """`until settled within 5 looks`"""

    looks: Number


@dataclass(frozen=True, slots=True)
class WithoutRetraining(Node):
    """`without retraining`"""


@dataclass(frozen=True, slots=True)
class Correct(Node):
    """`holm over datasets, metrics`; `over` is empty for a bare `uncorrected`."""

    method: Name
    over: tuple[Literal["datasets", "learners", "metrics", "everything", "everything-so-far"], ...]
    looks: Number | None = None  # `everything so far within 50 looks`


@dataclass(frozen=True, slots=True)
class At(Node):
    """`at alpha 0.05`, `at 5%`, and `set alpha 0.05`"""

    alpha: Amount


@dataclass(frozen=True, slots=True)
class Seed(Node):
    value: Number


@dataclass(frozen=True, slots=True)
class AsName(Node):
    name: Name


@dataclass(frozen=True, slots=True)
class Control(Node):
    learner: Name


@dataclass(frozen=True, slots=True)
class AllPairs(Node):
    pass


@dataclass(frozen=True, slots=True)
class Rope(Node):
    width: Amount


@dataclass(frozen=True, slots=True)
class Failures(Node):
    """`failures count as worst` or `failures leave out the fold`"""

    policy: Literal["worst", "leave-out"]


@dataclass(frozen=True, slots=True)
class Expecting(Node):
    learner: Name
    reason: Text | None = None


@dataclass(frozen=True, slots=True)
class CompleteCases(Node):
    pass


@dataclass(frozen=True, slots=True)
class Overall(Node):
    pass


@dataclass(frozen=True, slots=True)
class AccordingTo(Node):
    comparison: Name


@dataclass(frozen=True, slots=True)
class With(Node):
    """`with n 300, error 10%, 20%, trials 1000`: one record per word."""

    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class Setting(Node):
    """`error 10%, 20%`; the words are n, error, difference, trials, shared, resamples (`seed 1` is a clause)."""

    name: Name
    values: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Within(Node):
    """`within 1%`, before it becomes a field of the claim."""

    width: Amount


@dataclass(frozen=True, slots=True)
class AsFormat(Node):
    """`as latex`, before it becomes a field of the report."""

    format: Literal["html", "markdown", "latex", "json"]


@dataclass(frozen=True, slots=True)
class SeedBetween(Node):
    """`seed 1, trials 1000`, before its settings join those of `with`."""

    seed: Seed
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class Unread(Node):
    """A clause that could not be read and was left out; what it would have said is not known."""

    word: str


Clause = (
    Unread | Because | Allow | TargetClause | Positive | Missing | Drop | DropMissingTargets | Groups | Weights | Time
    | Folds | TestedOn | Query | PreparedBy | AsTask | SampledFrom | Tune | Try | Calibrate | TrainTimes | DatasetsIn
    | LearnersIn | TruthClause | AsFormula | Using | By | Measuring | TuneOn | TuneUsing | CalibrateOn
    | WithoutRetraining | Correct | At | Seed | AsName | Control | AllPairs | Rope | Failures | Expecting
    | CompleteCases | Overall | AccordingTo | With | DropRepeatedRows | Where | JoinClasses | Rows | Classes | Rarest
    | TunedOnSource | Threshold | WithoutPreparation | Randomised | GivesScores | TunedWith | TunedByHand | TunedFor
    | PretrainedOn | StoppedEarly | TrainedTimes | FoldsIn | SeedsIn | RepeatsIn | ItemsIn | MadeUsing | TunedOn
    | CopiedFrom | Gap | Primary | ThresholdOn | StopEarly | UntilSettled | SeriesIn
)  # fmt: skip

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
    """`datasets` is empty for `on new datasets`; `each` for `on each of`."""

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
