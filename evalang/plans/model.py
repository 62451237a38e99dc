"""The plan: what will be done, before anything is done. Frozen, hashable, JSON both ways.

The linter reads it, the executor runs it, the report quotes it. Nothing downstream edits it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from ..catalogue.schemes import SchemeEntry, find_scheme
from ..codec import UNWRITTEN
from ..language.text import NOWHERE, Span
from .levels import Level as Level
from .levels import on_each_dataset, units_of
from .parts import Condition as Condition
from .parts import Copied as Copied
from .parts import Description as Description
from .parts import JoinedClasses as JoinedClasses
from .parts import Literals as Literals
from .parts import Metric as Metric
from .parts import Part as Part
from .parts import Placed as Placed
from .parts import Role as Role
from .parts import Scheme as Scheme
from .parts import look_counts, unopened

T = TypeVar("T")
Origin = Literal["written", "set", "default", "derived"]
Task = Literal["classification", "regression"]


@dataclass(frozen=True, slots=True)
class Given(Generic[T]):
    """A value together with where it came from: written here, by `set`, our default, or derived (and why)."""

    value: T
    origin: Origin = field(compare=False, repr=False, default="written")
    reason: str = field(compare=False, repr=False, default="")
    span: Span = field(compare=False, repr=False, default=NOWHERE)


@dataclass(frozen=True, slots=True)
class Allowance(Placed):
    """`allow CODE because "reason"`, on one statement or (from `set`) on every statement below it."""

    code: str
    reason: str
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """Where data comes from. `locator` is a path, an address without its password, a number or a generator's name.

    `kind` is a reader of catalogue/sources.py, `python` for what Python hands over, `described` for what nobody opens,
    `openml-suite` for tasks that only OpenML can list.
    """

    kind: str
    locator: str
    options: tuple[tuple[str, Literals], ...] = ()
    # The whole database address, which may hold a password: never written to JSON, never printed.
    address: str = field(compare=False, repr=False, default="", metadata=UNWRITTEN)


@dataclass(frozen=True, slots=True)
class Step(Placed):
    """One stage of a pipeline; `name` as written: a catalogue name, a dotted name or `package:Class`."""

    name: str
    kind: Literal["step", "learner", "estimator", "code", "python", "described", "unknown"]
    parameters: tuple[tuple[str, Literals], ...] = ()
    target: str = ""  # the dotted class of an estimator that Python handed over


@dataclass(frozen=True, slots=True)
class Dataset(Placed):
    """One named table with a target."""

    name: str
    source: Source
    target: str | None = None
    positive: tuple[Literals, ...] = ()
    against_rest: bool = False
    missing: tuple[Literals, ...] = ()
    drop: tuple[str, ...] = ()
    drop_missing_targets: bool = False
    groups: str | None = None
    weights: str | None = None
    time: str | None = None
    series: str | None = None  # the column that tells the series of one table apart
    folds: str | None = None
    divided_by: str = ""  # what made the folds that Python handed over
    where: tuple[Condition, ...] = ()
    drop_repeated: bool = False
    joined: tuple[JoinedClasses, ...] = ()
    tuned_on: Source | None = None
    tested_on: Source | None = None
    query: str | None = None
    prepared_by: tuple[Step, ...] = ()
    task: Task | None = None
    rows: int | None = None  # known without opening: bundled sets, generators, described sets
    classes: int | None = None
    rarest: float | None = None  # share of the rarest class, where it is described
    because: str | None = None
    bundled: bool = False  # known by name, with no dataset statement
    included: bool = field(
        compare=False, repr=False, default=False
    )  # came by `include`: where a definition stands changes nothing
    used: bool = field(compare=False, repr=False, default=True)
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class Suite(Placed):
    """A group of datasets with the reason for the choice; those of a folder are known when it is opened."""

    name: str
    members: tuple[str, ...]
    each: tuple[Dataset, ...] = ()  # what stands for the members, and how they are read: one for all files of a folder
    sampled_from: str | None = None
    because: str | None = None
    included: bool = field(compare=False, repr=False, default=False)
    used: bool = field(compare=False, repr=False, default=True)
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class Grid(Placed):
    """Values of one tuned parameter; `size` is reckoned, `values` are made only when they are few enough."""

    parameter: str  # as written: "C" or "pca.n_components"
    size: int
    values: tuple[Literals, ...]
    form: str = field(compare=False, repr=False, default="")  # as written, for people: "10^{-3..3}"


@dataclass(frozen=True, slots=True)
class Learner(Placed):
    """A learning procedure with its preparation steps and what is tuned, before fitting."""

    name: str
    steps: tuple[Step, ...]  # the last one learns
    grids: tuple[Grid, ...] = ()
    candidates: int = 1  # settings tried in tuning: the product of the grids, or N of `try N`
    tries: int | None = None
    calibrate: Literal["none", "platt", "isotonic"] = "none"
    trainings: int = 1  # `train N times`
    threshold: float | None = None
    without_preparation: bool = False
    described: Description | None = None
    because: str | None = None
    implicit: bool = False  # a catalogue name used without a learner statement
    included: bool = field(compare=False, repr=False, default=False)
    used: bool = field(compare=False, repr=False, default=True)
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultsTable(Placed):
    """Scores somebody already has."""

    name: str
    source: Source
    datasets_in: str | None = None
    learners_in: tuple[str, ...] = ()
    formula: tuple[str, ...] = ()  # response, treatment, block, nested block ...
    roles: tuple[Role, ...] = ()
    groups: str | None = None
    made: Scheme | None = None  # the scheme by which the scores came about
    trainings: int | None = None  # `trained N times`
    tuned: Tuning | None = None
    copied: tuple[Copied, ...] = ()
    metric: str | None = None
    measured: Metric | None = None  # the same with its options
    missing: tuple[Literals, ...] = ()
    because: str | None = None
    included: bool = field(compare=False, repr=False, default=False)
    used: bool = field(compare=False, repr=False, default=True)
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class PredictionsTable(Placed):
    """Predictions for every example that somebody already has."""

    name: str
    source: Source
    truth: str | None = None
    learners_in: tuple[str, ...] = ()
    positive: tuple[Literals, ...] = ()
    groups: str | None = None
    missing: tuple[Literals, ...] = ()
    because: str | None = None
    included: bool = field(compare=False, repr=False, default=False)
    used: bool = field(compare=False, repr=False, default=True)
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class Test(Placed):
    """A statistical test with its options, and why it was taken."""

    name: str
    options: tuple[tuple[str, Literals], ...] = ()
    metrics: tuple[str, ...] = ()  # the metrics it judges; () is all of the comparison's
    origin: Origin = field(compare=False, repr=False, default="written")
    reason: str = field(compare=False, repr=False, default="")


@dataclass(frozen=True, slots=True)
class Tuning(Placed):
    """Where candidates are judged: part of the training part, an inner Kcv, a given file, or (EV208) the test part."""

    where: Literal["part", "cv", "given", "test"]
    part: Part | None = None
    folds: int | None = None
    metric: Metric | None = None  # `for accuracy`; else the winner is chosen for each metric


@dataclass(frozen=True, slots=True)
class Thresholding(Placed):
    """Where the threshold of a positive answer is chosen, and by which metric; on the test part it is EV221."""

    where: Literal["part", "tuning", "test"]
    part: Part | None = None
    metric: Metric | None = None


@dataclass(frozen=True, slots=True)
class Calibration(Placed):
    """Where calibration is fitted: a part of its own, or the tuning part (then nothing is trained again)."""

    where: Literal["part", "tuning"]
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class Correction(Placed):
    """`holm over datasets, metrics`"""

    method: str
    over: tuple[Literal["datasets", "learners", "metrics", "everything"], ...] = ()
    so_far: bool = False  # everything that the project has tested until now, not this script alone
    looks: int | None = None  # at most so many looks at the same rows, declared before the first


@dataclass(frozen=True, slots=True)
class Family:
    """The tests whose error rate is controlled together. `count` families of this shape exist, each of `size` tests."""

    name: str
    comparisons: tuple[str, ...]
    scope: Literal["dataset", "over-datasets"]
    method: str  # a correction; "uncorrected" when there is none
    over: tuple[str, ...]
    alpha: float
    size: int
    count: int
    first_level: float  # the level the smallest p of the family has to meet
    factors: tuple[tuple[str, int], ...]  # (("pairs", 3), ("datasets", 5), ("metrics", 2))
    reason: str = field(compare=False, repr=False, default="")


@dataclass(frozen=True, slots=True)
class Comparison(Placed):
    """An experiment and how it is judged; an `estimate` is one with a single learner and `estimate = True`."""

    name: str
    learners: tuple[str, ...]
    data: Literal["datasets", "results", "predictions"]
    datasets: tuple[str, ...]  # suites written out; the table's name for results and predictions
    alpha: Given[float]
    question: int  # which of the nine
    pairs: int  # pairs of learners tested; 0 for an estimate, and where only the table can tell
    fits: int  # trainings in all; 0 for results and predictions; -1 when only the data can tell
    in_table: tuple[str, ...] = ()  # the datasets of a results table, once it is read
    suites: tuple[str, ...] = ()  # named in the statement
    estimate: bool = False
    this_classifier: bool = False
    scheme: Scheme | None = None
    tests: tuple[Test, ...] = ()  # on each dataset (post-hocs follow their omnibus); () when only described
    over: tuple[Test, ...] = ()  # over datasets
    retrained: bool = field(
        compare=False, repr=False, default=False
    )  # a learner is trained more than once on the same rows
    stump: bool = field(compare=False, repr=False, default=False)  # a learner is one
    grouped: bool = field(compare=False, repr=False, default=False)  # the rows come in groups
    many_classes: bool = field(compare=False, repr=False, default=False)  # a dataset has more than two
    levels: tuple[Level, ...] = field(compare=False, repr=False, default=())  # of a table: what each is taken for
    graded: bool = field(
        compare=False, repr=False, default=False
    )  # items have degrees of right, or several samples each
    over_note: str = field(
        compare=False, repr=False, default=""
    )  # why there is no test over datasets, where one would be expected
    metrics: tuple[Metric, ...] = ()
    metrics_origin: Origin = field(compare=False, repr=False, default="written")
    primary: str | None = None  # the label of the metric that decides
    tuning: Given[Tuning] | None = None
    calibration: Calibration | None = None
    threshold: Thresholding | None = None
    stop_early: Part | None = None
    until_settled: int | None = None  # looks
    without_retraining: bool = False
    correction: Correction | None = None
    seed: Given[int] | None = None
    rope: Given[float] | None = None
    expecting: str | None = None
    expecting_because: str | None = None
    control: str | None = None
    all_pairs: bool = False
    failures: Literal["undecided", "worst", "leave-out"] = "undecided"
    complete_cases: bool = False
    question_reason: str = field(compare=False, repr=False, default="")
    fits_reason: str = field(compare=False, repr=False, default="")
    because: str | None = None
    named: bool = False  # has an `as NAME`
    learner_spans: tuple[Span, ...] = field(compare=False, repr=False, default=())
    dataset_spans: tuple[Span, ...] = field(
        compare=False, repr=False, default=()
    )  # of the names as written (suites not expanded)
    spans: tuple[tuple[str, Span], ...] = field(
        compare=False, repr=False, default=()
    )  # clause word -> where it stands: "using", "by", ...
    allow: tuple[Allowance, ...] = ()

    @property
    def division(self) -> SchemeEntry | None:
        """The card of its scheme, or of the table that stands in place of one; None for datasets without `using`."""
        if self.scheme is not None and (self.data == "datasets" or on_each_dataset(self.levels, self.scheme)):
            return self.scheme.card
        return find_scheme("items" if self.units == "items" else self.data)

    @property
    def look_counts(self) -> tuple[int, ...]:
        """Under `until settled`: after how many partitions each look is taken; () without it."""
        return look_counts(self.scheme.groups, self.until_settled) if self.scheme and self.until_settled else ()

    @property
    def guarded(self) -> bool:
        """Whether its test part is asked through thresholdout."""
        return self.data == "datasets" and self.scheme is not None and self.scheme.looks is not None

    @property
    def units(self) -> Literal["datasets", "folds", "items"]:
        """What the scores of a results table are scores of."""
        return units_of(self.levels) if self.levels else "datasets"

    @property
    def several(self) -> bool:
        """Whether there are datasets to be taken together, as far as the plan can tell."""
        if self.data != "results":
            return len(self.datasets) > 1 or unopened(self.datasets)
        if self.in_table:
            return len(self.in_table) > 1
        return not self.levels or any(one.standing == "dataset" for one in self.levels)

    @property
    def retrains(self) -> bool:
        """Whether a tuned winner is trained again on its whole training part."""
        on_tuning = self.calibration is not None and self.calibration.where == "tuning"
        return not self.without_retraining and not on_tuning

    def span_of(self, clause: str) -> Span:
        """Where a clause stands ("using", "by", "measuring", "tune", "correct", "at", "seed", "rope", ...)."""
        for word, span in self.spans:
            if word == clause:
                return span
        return self.span


@dataclass(frozen=True, slots=True)
class Claim(Placed):
    """What the author intends to write."""

    name: str  # claim-1, claim-2, ...
    left: str
    relation: Literal["better", "no-worse", "same"]
    right: str
    within: float | None
    datasets: tuple[str, ...]  # suites written out; () for new datasets
    suites: tuple[str, ...] = ()
    new_datasets: bool = False
    each: bool = False
    overall: bool = False
    metric: Metric | None = None
    according_to: str | None = None
    this_classifier: bool = False
    evidence: tuple[str, ...] = ()  # names of the comparisons that bear on it
    because: str | None = None
    text: str = field(compare=False, repr=False, default="")  # the sentence as written, without clauses
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class Simulation(Placed):
    """Type I error of tests, or the power of a comparison as designed."""

    name: str
    kind: Literal["type-I", "power"]
    subjects: tuple[str, ...]
    settings: tuple[tuple[str, tuple[float, ...]], ...]  # also "alpha" and, where one is said or set, "seed"
    because: str | None = None
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class Output(Placed):
    """`report ... to "file" as FORMAT`"""

    subject: str | None
    path: str
    format: Literal["html", "markdown", "latex", "json"] | None = None
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole script, resolved."""

    version: int
    script: str
    datasets: tuple[Dataset, ...] = ()
    suites: tuple[Suite, ...] = ()
    learners: tuple[Learner, ...] = ()
    results: tuple[ResultsTable, ...] = ()
    predictions: tuple[PredictionsTable, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    claims: tuple[Claim, ...] = ()
    simulations: tuple[Simulation, ...] = ()
    outputs: tuple[Output, ...] = ()
    families: tuple[Family, ...] = ()
    allow: tuple[Allowance, ...] = ()  # from `set allow`

    def dataset(self, name: str) -> Dataset | None:
        """The dataset of that name."""
        return next((d for d in self.datasets if d.name == name), None)

    def learner(self, name: str) -> Learner | None:
        """The learner of that name."""
        return next((x for x in self.learners if x.name == name), None)

    def comparison(self, name: str) -> Comparison | None:
        """The comparison or estimate of that name."""
        return next((c for c in self.comparisons if c.name == name), None)

    @property
    def fits(self) -> int:
        """Trainings in all, as far as they are known without the data."""
        return sum(max(c.fits, 0) for c in self.comparisons)
