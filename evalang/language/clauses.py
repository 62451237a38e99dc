"""The clauses: their nodes, and the one table that says which statements take each, how it begins, whether it repeats.

The grammar has one rule per clause. From the table it gets what each statement takes and which comma ends a list;
completion, colours, the formatter, messages and recovery read their words here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .values import (
    Amount,
    Call,
    ConditionNode,
    DataSource,
    FormulaNode,
    Name,
    Node,
    Number,
    SchemeNode,
    Text,
    TunedParameter,
    Value,
)

# ---------------------------------------------------------------- nodes


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
class Because(Clause):
    """`because "the bank's own records"`"""

    reason: Text


@dataclass(frozen=True, slots=True)
class Allow(Clause):
    """`allow EV401 because "..."`; a missing reason is EV006."""

    code: Name
    reason: Text | None = None


# ---------------------------------------------------------------- nodes of definitions


class TargetClause(ColumnClause):
    """`target "class"`"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Positive(Clause):
    """`positive "A", "B" against the rest`; values may be text or numbers."""

    values: tuple[Value, ...]
    against_rest: bool = False


@dataclass(frozen=True, slots=True)
class Missing(Clause):
    """`missing "?", -9`"""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Drop(Clause):
    """`drop "id", "name"`"""

    columns: tuple[Text, ...]


class DropMissingTargets(Clause):
    """`drop missing targets`"""

    __slots__ = ()


class DropRepeatedRows(Clause):
    """`drop repeated rows`"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Where(Clause):
    """`where "age" > 18 and "sex" is "f"`: only rows that meet all conditions are read."""

    conditions: tuple[ConditionNode, ...]


@dataclass(frozen=True, slots=True)
class JoinClasses(Clause):
    """`join classes "a", "b" as "ab"`"""

    classes: tuple[Value, ...]
    name: Value


class Rows(CountClause):
    """`5000 rows` of a described dataset."""

    __slots__ = ()


class Classes(CountClause):
    """`2 classes` of a described dataset."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Rarest(Clause):
    """`rarest 2%`: the share of the rarest class of a described dataset."""

    share: Amount


class Groups(ColumnClause):
    """`groups "patient"`"""

    __slots__ = ()


class Weights(ColumnClause):
    """`weights "stay"`"""

    __slots__ = ()


class Time(ColumnClause):
    """`time "day"`"""

    __slots__ = ()


class SeriesIn(ColumnClause):
    """`series in "shop"`"""

    __slots__ = ()


class Folds(ColumnClause):
    """`folds "fold"`"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TestedOn(Clause):
    """`tested on csv "test.csv"`"""

    source: DataSource


@dataclass(frozen=True, slots=True)
class TunedOnSource(Clause):
    """`tuned on csv "valid.csv"`: rows set apart for tuning."""

    source: DataSource


@dataclass(frozen=True, slots=True)
class Query(Clause):
    """`query "select * from orders"`"""

    text: Text


@dataclass(frozen=True, slots=True)
class PreparedBy(Clause):
    """`prepared by scale, select(k = 10)`"""

    steps: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Oversampled(Clause):
    """`oversampled before splitting`: rows were copied or made before anything was split."""


@dataclass(frozen=True, slots=True)
class HorizonClause(Clause):
    """`horizon 7 days`: the target of a row is known so much later than the row."""

    count: Number
    unit: Literal["days", "rows"]


@dataclass(frozen=True, slots=True)
class AsTask(Clause):
    """`as classification`"""

    task: Literal["classification", "regression"]


@dataclass(frozen=True, slots=True)
class SampledFrom(Clause):
    """`sampled from "the 120 sets of the archive, by lot"`"""

    population: Text


@dataclass(frozen=True, slots=True)
class Tune(Clause):
    """`tune C in ..., gamma in ...` on a learner."""

    parameters: tuple[TunedParameter, ...]


class Try(CountClause):
    """`try 50`"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Calibrate(Clause):
    """`calibrate platt` on a learner."""

    method: Literal["platt", "isotonic", "none"]


class TrainTimes(CountClause):
    """`train 5 times`"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Threshold(Clause):
    """`threshold 0.3` on a learner: a row is positive from that score on."""

    score: Amount


class WithoutPreparation(Clause):
    """`without preparation`"""

    __slots__ = ()


class Randomised(Clause):
    """`randomised`"""

    __slots__ = ()


class GivesScores(Clause):
    """`gives scores`"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TunedWith(Clause):
    """`tuned with 50 tries`"""

    tries: Number


class TunedByHand(Clause):
    """`tuned by hand`"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TunedFor(Clause):
    """`tuned for 2 hours`"""

    time: Number
    unit: Literal["minutes", "hours", "days"]


@dataclass(frozen=True, slots=True)
class PretrainedOn(Clause):
    """`pretrained on "ImageNet"`"""

    data: Text


class StoppedEarly(PartClause):
    """`stopped early on 10%`, or on the test part (part None)."""

    __slots__ = ()


class TrainedTimes(CountClause):
    """`trained 20 times`: with so many seeds, elsewhere."""

    __slots__ = ()


class FoldsIn(ColumnClause):
    """`folds in "split"`"""

    __slots__ = ()


class SeedsIn(ColumnClause):
    __slots__ = ()


class RepeatsIn(ColumnClause):
    __slots__ = ()


class ItemsIn(ColumnClause):
    __slots__ = ()


@dataclass(frozen=True, slots=True)
class MadeUsing(Clause):
    """`made using 20x5cv`: the scheme by which scores came about."""

    scheme: SchemeNode


class TunedOn(PartClause):
    """`tuned on 20%`, or on the test part (part None), elsewhere."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class CopiedFrom(Clause):
    """`copied from "Chen 2016, table 3" for xgb, lgbm`; without learners, all of them."""

    origin: Text
    learners: tuple[Name, ...] = ()


class DatasetsIn(ColumnClause):
    """`datasets in "Dataset"`"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class LearnersIn(Clause):
    """`learners in "a", "b"`"""

    columns: tuple[Text, ...]


class TruthClause(ColumnClause):
    """`truth "y"`"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class AsFormula(Clause):
    """`as accuracy ~ learner | dataset / fold`"""

    formula: FormulaNode


# ---------------------------------------------------------------- nodes of experiments


@dataclass(frozen=True, slots=True)
class Using(Clause):
    """`using stratified 10x10cv`"""

    scheme: SchemeNode


@dataclass(frozen=True, slots=True)
class By(Clause):
    """`by friedman, nemenyi`"""

    tests: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Measuring(Clause):
    """`measuring accuracy, f-score(average = "macro")`"""

    metrics: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class TuneOn(Clause):
    """`tune on 20%`, `tune on 500 rows`, `tune on test` (part None), each with an optional `for METRIC`."""

    part: Amount | None
    metric: Call | None = None


@dataclass(frozen=True, slots=True)
class TuneUsing(Clause):
    """`tune using 5cv`"""

    scheme: SchemeNode
    metric: Call | None = None


class CalibrateOn(PartClause):
    """`calibrate on 20%`, or `calibrate on tuning` (part None)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Gap(Clause):
    """`gap 7 rows` between the training and the test rows of a forward scheme."""

    rows: Number


@dataclass(frozen=True, slots=True)
class Primary(Clause):
    """`primary roc-area`: the metric that decides."""

    metric: Call


@dataclass(frozen=True, slots=True)
class ThresholdOn(Clause):
    """`threshold on 20%`, or `threshold on tuning` or `on test` (part None), with an optional `for METRIC`."""

    part: Amount | None
    metric: Call | None = None
    test: bool = False


@dataclass(frozen=True, slots=True)
class StopEarly(Clause):
    """`stop early on 10%`"""

    part: Amount


@dataclass(frozen=True, slots=True)
class UntilSettled(Clause):
    """`until conclusive within 5 looks`; also `until settled`"""

    looks: Number


class WithoutRetraining(Clause):
    """`without retraining`"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Correct(Clause):
    """`holm over datasets, metrics`; `over` is empty for a bare `uncorrected`."""

    method: Name
    over: tuple[Literal["datasets", "learners", "metrics", "everything", "everything-so-far"], ...]
    looks: Number | None = None  # `everything so far within 50 looks`


@dataclass(frozen=True, slots=True)
class At(Clause):
    """`at alpha 0.05`, `at 5%`, and `set alpha 0.05`"""

    alpha: Amount


@dataclass(frozen=True, slots=True)
class Seed(Clause):
    """`seed 20`"""

    value: Number


@dataclass(frozen=True, slots=True)
class AsName(Clause):
    """`as trees-or-bayes`"""

    name: Name


@dataclass(frozen=True, slots=True)
class Control(Clause):
    """`control mine`"""

    learner: Name


class AllPairs(Clause):
    """`all pairs`"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Rope(Clause):
    """`margin 1 point`; also `rope 1 point`"""

    width: Amount


@dataclass(frozen=True, slots=True)
class Failures(Clause):
    """`failures count as worst` or `failures leave out the fold`"""

    policy: Literal["worst", "leave-out"]


@dataclass(frozen=True, slots=True)
class Expecting(Clause):
    """`expecting new better because "it nests the old one"`"""

    learner: Name
    reason: Text | None = None


@dataclass(frozen=True, slots=True)
class MissingAnswers(Clause):
    """`missing count as wrong` or `missing left out because "the server was down"`"""

    policy: Literal["wrong", "left-out"]
    reason: Text | None = None


class CompleteCases(Clause):
    """`complete cases`"""

    __slots__ = ()


class Overall(Clause):
    """`overall`"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class AccordingTo(Clause):
    """`according to trees-or-bayes`"""

    comparison: Name


@dataclass(frozen=True, slots=True)
class With(Clause):
    """`with n 300, error 10%, 20%, trials 1000`: one record per word."""

    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class Setting(Node):
    """`error 10%, 20%`; the words are n, error, difference, trials, shared, resamples (`seed 1` is a clause)."""

    name: Name
    values: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Within(Clause):
    """`within 1%`, before it becomes a field of the claim."""

    width: Amount


@dataclass(frozen=True, slots=True)
class AsFormat(Clause):
    """`as latex`, before it becomes a field of the report."""

    format: Literal["html", "markdown", "latex", "json"]


@dataclass(frozen=True, slots=True)
class SeedBetween(Clause):
    """`seed 1, trials 1000`, before its settings join those of `with`."""

    seed: Seed
    settings: tuple[Setting, ...]


class Strict(Clause):
    """`set strict`"""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Unread(Clause):
    """A clause that could not be read and was left out; what it would have said is not known."""

    word: str


# ---------------------------------------------------------------- table

STATEMENT_WORDS = (
    "dataset", "suite", "learner", "results", "predictions", "compare", "estimate", "claim", "simulate", "report",
    "set", "include",
)  # fmt: skip
# Never names, beside the statement words.
RESERVED = frozenset([*STATEMENT_WORDS, "vs", "on", "using", "by", "because", "from", "is", "over", "at", "measuring"])

# Rules of the grammar that take clauses.
_DATASETS = "dataset described_dataset suite_from"
_EXPERIMENTS = "compare estimate"
_EVERY = (
    "dataset described_dataset suite suite_from learner described_learner results predictions compare estimate claim "
    "simulate report set include"
)


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """One clause of the language.

    `begins` is what tells it after a comma: a word, or a word with the one that has to follow it. There 0 stands for a
    number, " for text, NAME for a name, and | parts several forms. `label` is what messages call it, where that is
    not how it begins. A clause that `excludes` another may not stand beside it. `full` is an example for an author
    who wrote half of the clause.
    """

    rule: str
    node: type[Clause]
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


CLAUSES: tuple[ClauseRow, ...] = (
    ClauseRow("because", Because, _EVERY, "because"),
    ClauseRow("allow", Allow, _EVERY, "allow", repeatable=True),
    # datasets and suites
    ClauseRow("target", TargetClause, _DATASETS, "target"),
    ClauseRow("positive", Positive, f"{_DATASETS} predictions", "positive"),
    ClauseRow("missing", Missing, "dataset suite_from results predictions", "missing"),
    ClauseRow("drop", Drop, "dataset suite_from", "drop"),
    ClauseRow("drop_missing_targets", DropMissingTargets, "dataset suite_from", "drop", "drop missing targets"),
    ClauseRow("drop_repeated_rows", DropRepeatedRows, "dataset", "drop", "drop repeated rows"),
    ClauseRow("where", Where, "dataset", 'where "', "where", full='where "age" > 18'),
    ClauseRow(
        "join_classes", JoinClasses, "dataset", "join classes", repeatable=True, full='join classes "a", "b" as "ab"'
    ),
    ClauseRow("groups", Groups, f"{_DATASETS} results predictions", "groups"),
    ClauseRow("weights", Weights, "dataset described_dataset", "weights"),
    ClauseRow("time", Time, "dataset described_dataset", "time"),
    ClauseRow("series_in", SeriesIn, "dataset described_dataset", "series in", full='series in "shop"'),
    ClauseRow("folds", Folds, "dataset described_dataset", "folds"),
    ClauseRow("tested_on", TestedOn, "dataset", "tested", "tested on"),
    ClauseRow("tuned_on_source", TunedOnSource, "dataset", "tuned on", full="tuned on 20%"),
    ClauseRow("query", Query, "dataset", "query"),
    ClauseRow("prepared_by", PreparedBy, "dataset", "prepared", "prepared by"),
    ClauseRow(
        "oversampled", Oversampled, "dataset described_dataset", "oversampled before", "oversampled before splitting"
    ),
    ClauseRow("horizon", HorizonClause, "dataset described_dataset", "horizon 0", "horizon", full="horizon 7 days"),
    ClauseRow("as_task", AsTask, _DATASETS, "as"),
    ClauseRow("rows", Rows, "described_dataset", "0 rows | 0 row", "rows"),
    ClauseRow("classes", Classes, "described_dataset", "0 classes | 0 class", "classes"),
    ClauseRow("rarest", Rarest, "described_dataset", "rarest 0", "rarest", full="rarest 2%"),
    ClauseRow("sampled_from", SampledFrom, "suite suite_from", "sampled", "sampled from"),
    # learners
    ClauseRow("tune", Tune, "learner", "tune"),
    ClauseRow("try", Try, "learner", "try"),
    ClauseRow("calibrate", Calibrate, "learner", "calibrate"),
    ClauseRow("train_times", TrainTimes, "learner", "train"),
    ClauseRow("threshold", Threshold, "learner", "threshold 0", "threshold", full="threshold 0.3"),
    ClauseRow("without_preparation", WithoutPreparation, "learner", "without", "without preparation"),
    ClauseRow("randomised", Randomised, "described_learner", "", "randomised"),  # a name after any other comma
    ClauseRow("gives_scores", GivesScores, "described_learner", "gives scores"),
    ClauseRow("tuned_with", TunedWith, "described_learner", "tuned with"),
    ClauseRow("tuned_by_hand", TunedByHand, "described_learner", "tuned by", "tuned by hand"),
    ClauseRow("tuned_for", TunedFor, "described_learner", "tuned for"),
    ClauseRow("pretrained_on", PretrainedOn, "described_learner", "pretrained on"),
    ClauseRow("stopped_early", StoppedEarly, "described_learner", "stopped early", "stopped early on"),
    ClauseRow(
        "trained_times", TrainedTimes, "described_learner results", "trained 0", "trained", full="trained 20 times"
    ),
    # results and predictions
    ClauseRow("datasets_in", DatasetsIn, "results", "datasets in"),
    ClauseRow("learners_in", LearnersIn, "results predictions", "learners in"),
    ClauseRow("folds_in", FoldsIn, "results", "folds", "folds in"),
    ClauseRow("seeds_in", SeedsIn, "results", "seeds in", full='seeds in "run"'),
    ClauseRow("repeats_in", RepeatsIn, "results", "repeats in", full='repeats in "Run"'),
    ClauseRow("items_in", ItemsIn, "results", "items in", full='items in "question"'),
    ClauseRow("made_using", MadeUsing, "results", "made using", full="made using 5cv"),
    ClauseRow("tuned_on", TunedOn, "results", "tuned on", full="tuned on 20%"),
    ClauseRow(
        "copied_from", CopiedFrom, "results", "copied from", repeatable=True, full='copied from "Chen 2016, table 3"'
    ),
    ClauseRow("truth", TruthClause, "predictions", "truth"),
    ClauseRow("as_formula", AsFormula, "results", "as"),
    # experiments
    ClauseRow("using", Using, _EXPERIMENTS, "using"),
    ClauseRow("gap", Gap, f"{_EXPERIMENTS} results", "gap 0", "gap", full="gap 7 rows"),
    ClauseRow("by", By, _EXPERIMENTS, "by"),
    ClauseRow("measuring", Measuring, f"{_EXPERIMENTS} results claim", "measuring"),
    ClauseRow("primary", Primary, _EXPERIMENTS, "primary NAME", "primary", full="primary roc-area"),
    ClauseRow("tune_on", TuneOn, _EXPERIMENTS, "tune"),
    ClauseRow("tune_using", TuneUsing, _EXPERIMENTS, "tune", excludes="tune_on"),
    ClauseRow("calibrate_on", CalibrateOn, _EXPERIMENTS, "calibrate", "calibrate on"),
    ClauseRow("threshold_on", ThresholdOn, _EXPERIMENTS, "threshold on", full="threshold 0.3"),
    ClauseRow("stop_early", StopEarly, _EXPERIMENTS, "stop early", "stop early on", full="stop early on 10%"),
    ClauseRow("without_retraining", WithoutRetraining, _EXPERIMENTS, "without", "without retraining"),
    ClauseRow("at", At, f"{_EXPERIMENTS} simulate", "at"),
    ClauseRow("seed", Seed, _EXPERIMENTS, "seed"),
    ClauseRow("seed_between", SeedBetween, "simulate", "seed"),
    ClauseRow("as_name", AsName, _EXPERIMENTS, "as"),
    ClauseRow("failures", Failures, _EXPERIMENTS, "failures"),
    ClauseRow(
        "correct",
        Correct,
        "compare",
        "bonferroni | sidak | holm | hochberg | hommel | bh | yekutieli | uncorrected",
        "a correction",
    ),
    ClauseRow("control", Control, "compare", "control"),
    ClauseRow("all_pairs", AllPairs, "compare", "all pairs"),
    ClauseRow("rope", Rope, "compare", "rope | margin 0", "margin", full="margin 1 point"),
    ClauseRow("expecting", Expecting, "compare", "expecting"),
    ClauseRow(
        "missing_answers", MissingAnswers, _EXPERIMENTS, "missing", "missing count as wrong", excludes="complete_cases"
    ),
    ClauseRow("complete_cases", CompleteCases, "compare", "complete", "complete cases"),
    ClauseRow(
        "until_settled",
        UntilSettled,
        "compare",
        "until conclusive | until settled",
        "until conclusive",
        full="until conclusive within 5 looks",
    ),
    # claims, simulations, reports
    ClauseRow("within", Within, "claim", "within"),
    ClauseRow("overall", Overall, "claim", "overall"),
    ClauseRow("according_to", AccordingTo, "claim", "according", "according to"),
    ClauseRow("with", With, "simulate", "with"),
    ClauseRow("as_format", AsFormat, "report", "as"),
)

BY_NODE: dict[type, ClauseRow] = {clause.node: clause for clause in CLAUSES}
_BEGINS = [form.partition(" ") for clause in CLAUSES if clause.begins for form in clause.begins.split(" | ")]
# Words that begin a clause after a comma whatever follows; `on` does so without being a clause.
CLAUSE_WORDS = frozenset([*(first for first, _, second in _BEGINS if not second), "on"])
# Words that do so only together with what follows, and may be names else.
CLAUSE_PAIRS: dict[str, tuple[str, ...]] = {}
for _first, _, _second in _BEGINS:
    if _second and _first != "0":
        CLAUSE_PAIRS[_first] = (*CLAUSE_PAIRS.get(_first, ()), _second)
IN_FULL = {clause.begins.split()[0]: clause.full for clause in reversed(CLAUSES) if clause.full}


def clause_lists() -> str:
    """Return the rules of the grammar that say what each statement takes."""
    lines = []
    for statement in _EVERY.split():
        rules = [clause.rule for clause in CLAUSES if statement in clause.statements.split()]
        lines.append(f"_{statement}_clause: {' | '.join(rules)}")
    return "\n".join(lines)


BLANKS = " \\t\\f\\r\\n\\u00a0\\u3000"
SKIP = rf"[{BLANKS}]*+(?:#[^\r\n]*+[{BLANKS}]*+)*+"  # white space and comments
END = r"(?!\w|[.-]\w)"  # of a word


def clause_comma() -> str:
    """Return the pattern of a comma that ends a list: what follows it begins a clause.

    `weights = 3` and `weights in {1, 2}` are members of a list.
    """
    words = "|".join(sorted(CLAUSE_WORDS))
    parameter = rf"=|in{END}{SKIP}(?:[{{0-9-]|log{SKIP}\()"
    name = rf'"|[0-9]+x[0-9]+cv-\w|(?!(?:{"|".join(sorted(CLAUSE_WORDS | RESERVED))}){END})[^\W\d_]'
    second = {"0": "-?[0-9]", "NAME": name}
    forms = [rf"(?:{words}){END}(?!{SKIP}(?:{parameter}))"]
    for first, seconds in CLAUSE_PAIRS.items():
        following = "|".join(second.get(one) or one + (END if one.isalpha() else "") for one in seconds)
        forms.append(rf"{first}{END}{SKIP}(?:{following})")
    counted = "|".join(second for first, _, second in _BEGINS if first == "0")
    forms.append(rf"[0-9]+{SKIP}(?:{counted}){END}")
    return rf",(?={SKIP}(?:{'|'.join(forms)}))"
