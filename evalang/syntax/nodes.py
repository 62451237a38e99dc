"""The syntax tree: one frozen record per construct, each with the span it stands on.

Spans and spellings do not take part in comparison, so two trees are equal when they say the same.
"""

from __future__ import annotations

from typing import Literal

from .value_nodes import Amount as Amount
from .value_nodes import Argument as Argument
from .value_nodes import Call as Call
from .value_nodes import ConditionNode as ConditionNode
from .value_nodes import Configured as Configured
from .value_nodes import Constant as Constant
from .value_nodes import Described as Described
from .value_nodes import Name as Name
from .value_nodes import Node as Node
from .value_nodes import Number as Number
from .value_nodes import Sequence as Sequence
from .value_nodes import Text as Text
from .value_nodes import Value as Value

# ---------------------------------------------------------------- grids


class GridSet(Node):
    """`{1, 2, 4}`"""

    items: tuple[Value, ...]


class GridRange(Node):
    """`1..26`, both ends tried."""

    start: Number
    stop: Number


class GridPowers(Node):
    """`10^{-3..3}`"""

    base: Number
    start: Number
    stop: Number


class GridLog(Node):
    """`log(0.001, 1000, 7)`: that many values, evenly spaced on a logarithmic scale."""

    low: Number
    high: Number
    count: Number


Grid = GridSet | GridRange | GridPowers | GridLog


class TunedParameter(Node):
    """`C in 10^{-3..3}` or `pca.n_components in {2, 5}`"""

    name: Name
    grid: Grid


# ---------------------------------------------------------------- schemes


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


class DataSource(Node):
    """`csv "credit.csv"(separator = ";")`, `openml 1596`, `synthetic gaussians(n = 300)`; the reader comes first."""

    reader: Name
    locator: Text | Number | Call
    options: tuple[Argument, ...] = ()

    @property
    def kind(self) -> str:
        """The reader by name."""
        return self.reader.text


class FormulaNode(Node):
    """`accuracy ~ learner | dataset / fold`"""

    response: Name
    treatment: Name
    blocks: tuple[Name, ...]


# ---------------------------------------------------------------- clauses


class Because(Node):
    reason: Text


class Allow(Node):
    """`allow EV401 because "..."`; a missing reason is EV006."""

    code: Name
    reason: Text | None


class TargetClause(Node):
    column: Text


class Positive(Node):
    """`positive "A", "B" against the rest`; values may be text or numbers."""

    values: tuple[Value, ...]
    against_rest: bool = False


class Missing(Node):
    values: tuple[Value, ...]


class Drop(Node):
    columns: tuple[Text, ...]


class DropMissingTargets(Node):
    pass


class DropRepeatedRows(Node):
    pass


class Where(Node):
    """`where "age" > 18 and "sex" is "f"`: only rows that meet all conditions are read."""

    conditions: tuple[ConditionNode, ...]


class JoinClasses(Node):
    """`join classes "a", "b" as "ab"`"""

    classes: tuple[Value, ...]
    name: Value


class Rows(Node):
    """`5000 rows` of a described dataset."""

    count: Number


class Classes(Node):
    """`2 classes` of a described dataset."""

    count: Number


class Rarest(Node):
    """`rarest 2%`: the share of the rarest class of a described dataset."""

    share: Amount


class Groups(Node):
    column: Text


class Weights(Node):
    column: Text


class Time(Node):
    column: Text


class SeriesIn(Node):
    column: Text


class Folds(Node):
    column: Text


class TestedOn(Node):
    source: DataSource


class TunedOnSource(Node):
    """`tuned on csv "valid.csv"`: rows set apart for tuning."""

    source: DataSource


class Query(Node):
    text: Text


class PreparedBy(Node):
    steps: tuple[Call, ...]


class AsTask(Node):
    task: Literal["classification", "regression"]


class SampledFrom(Node):
    population: Text


class Tune(Node):
    """`tune C in ..., gamma in ...` on a learner."""

    parameters: tuple[TunedParameter, ...]


class Try(Node):
    count: Number


class Calibrate(Node):
    """`calibrate platt` on a learner."""

    method: Literal["platt", "isotonic", "none"]


class TrainTimes(Node):
    count: Number


class Threshold(Node):
    """`threshold 0.3` on a learner: a row is positive from that score on."""

    score: Amount


class WithoutPreparation(Node):
    pass


class Randomised(Node):
    pass


class GivesScores(Node):
    pass


class TunedWith(Node):
    """`tuned with 50 tries`"""

    tries: Number


class TunedByHand(Node):
    pass


class TunedFor(Node):
    """`tuned for 2 hours`"""

    time: Number
    unit: Literal["minutes", "hours", "days"]


class PretrainedOn(Node):
    data: Text


class StoppedEarly(Node):
    """`stopped early on 10%`, or on the test part (part None)."""

    part: Amount | None


class TrainedTimes(Node):
    """`trained 20 times`: with so many seeds, elsewhere."""

    count: Number


class FoldsIn(Node):
    column: Text


class SeedsIn(Node):
    column: Text


class RepeatsIn(Node):
    column: Text


class ItemsIn(Node):
    column: Text


class MadeUsing(Node):
    """`made using 20x5cv`: the scheme by which scores came about."""

    scheme: SchemeNode


class TunedOn(Node):
    """`tuned on 20%`, or on the test part (part None), elsewhere."""

    part: Amount | None


class CopiedFrom(Node):
    """`copied from "Chen 2016, table 3" for xgb, lgbm`; without learners, all of them."""

    origin: Text
    learners: tuple[Name, ...] = ()


class DatasetsIn(Node):
    column: Text


class LearnersIn(Node):
    columns: tuple[Text, ...]


class TruthClause(Node):
    column: Text


class AsFormula(Node):
    formula: FormulaNode


class Using(Node):
    scheme: SchemeNode


class By(Node):
    tests: tuple[Call, ...]


class Measuring(Node):
    metrics: tuple[Call, ...]


class TuneOn(Node):
    """`tune on 20%`, `tune on 500 rows`, `tune on test` (part None), each with an optional `for METRIC`."""

    part: Amount | None
    metric: Call | None = None


class TuneUsing(Node):
    """`tune using 5cv`"""

    scheme: SchemeNode
    metric: Call | None = None


class CalibrateOn(Node):
    """`calibrate on 20%`, or `calibrate on tuning` (part None)."""

    part: Amount | None


class Gap(Node):
    """`gap 7 rows` between the training and the test rows of a forward scheme."""

    rows: Number


class Primary(Node):
    """`primary roc-area`: the metric that decides."""

    metric: Call


class ThresholdOn(Node):
    """`threshold on 20%`, or `threshold on tuning` or `on test` (part None), with an optional `for METRIC`."""

    part: Amount | None
    metric: Call | None = None
    test: bool = False


class StopEarly(Node):
    part: Amount


class UntilSettled(Node):
    """`until settled within 5 looks`"""

    looks: Number


class WithoutRetraining(Node):
    """`without retraining`"""


class Correct(Node):
    """`holm over datasets, metrics`; `over` is empty for a bare `uncorrected`."""

    method: Name
    over: tuple[Literal["datasets", "learners", "metrics", "everything", "everything-so-far"], ...]
    looks: Number | None = None  # `everything so far within 50 looks`


class At(Node):
    """`at alpha 0.05`, `at 5%`, and `set alpha 0.05`"""

    alpha: Amount


class Seed(Node):
    value: Number


class AsName(Node):
    name: Name


class Control(Node):
    learner: Name


class AllPairs(Node):
    pass


class Rope(Node):
    width: Amount


class Failures(Node):
    """`failures count as worst` or `failures leave out the fold`"""

    policy: Literal["worst", "leave-out"]


class Expecting(Node):
    learner: Name
    reason: Text | None = None


class CompleteCases(Node):
    pass


class Overall(Node):
    pass


class AccordingTo(Node):
    comparison: Name


class With(Node):
    """`with n 300, error 10%, 20%, trials 1000`: one record per word."""

    settings: tuple[Setting, ...]


class Setting(Node):
    """`error 10%, 20%`; the words are n, error, difference, trials, shared, resamples (`seed 1` is a clause)."""

    name: Name
    values: tuple[Amount, ...]


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


class DatasetStatement(Node):
    name: Name
    source: DataSource | Described
    clauses: tuple[Clause, ...] = ()


class SuiteStatement(Node):
    """A list of datasets, or (with a source and no members) every file of a folder."""

    name: Name
    members: tuple[Name, ...]
    clauses: tuple[Clause, ...] = ()
    source: DataSource | None = None


class LearnerStatement(Node):
    name: Name
    pipeline: tuple[Call, ...] | Described
    clauses: tuple[Clause, ...] = ()


class ResultsStatement(Node):
    name: Name
    source: DataSource
    clauses: tuple[Clause, ...] = ()


class PredictionsStatement(Node):
    name: Name
    source: DataSource
    clauses: tuple[Clause, ...] = ()


class CompareStatement(Node):
    """`learners` is empty for `compare all on ...`."""

    learners: tuple[Name, ...]
    datasets: tuple[Name, ...]
    clauses: tuple[Clause, ...] = ()
    this_classifier: bool = False


class EstimateStatement(Node):
    learner: Name
    datasets: tuple[Name, ...]
    clauses: tuple[Clause, ...] = ()
    this_classifier: bool = False


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


class SimulateStatement(Node):
    kind: Literal["type-I", "power"]
    subjects: tuple[Call, ...]
    clauses: tuple[Clause, ...] = ()


class ReportStatement(Node):
    subject: Name | None
    to: Text
    format: Literal["html", "markdown", "latex", "json"] | None = None
    clauses: tuple[Clause, ...] = ()


class SetStatement(Node):
    """`set seed 20`: a default for the statements below it, held as the clause it stands for."""

    clause: Clause
    clauses: tuple[Clause, ...] = ()  # `because` and `allow` only


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


class Script(Node):
    """A whole file: the statements that could be read; what could not is in the findings beside it."""

    statements: tuple[Statement, ...]
