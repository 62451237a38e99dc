"""The plan: what will be done, before anything is done. Frozen, hashable, JSON both ways.

The linter reads it, the executor runs it, the report quotes it. Nothing downstream edits it. Names of records and
fields are part of the JSON and of the fingerprint: a field that is added is declared with `later`, so that a plan that
does not use it keeps its fingerprint.
"""
# ruff: noqa: RUF009  `later` and `beside` declare fields

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from ..catalogue.metrics import MetricEntry, find_metric
from ..catalogue.schemes import SchemeEntry, find_scheme
from ..codec import UNWRITTEN
from ..errors import ScriptError
from ..language.text import NOWHERE, Shown, Span

VERSION = 1  # of the plan's JSON
LATER: Mapping[str, bool] = {"later": True}


def later(default: Any) -> Any:
    """Declare a field that came after the first version: it is part of the fingerprint only where it is used."""
    return field(default=default, metadata=LATER)


def beside(default: Any) -> Any:
    """Declare a field for people (a reason, a place, a spelling), which takes no part in comparison or fingerprint."""
    return field(compare=False, repr=False, default=default)


@dataclass(frozen=True, slots=True)
class Spanned:
    """Base of the records that stand at a place of the script."""

    span: Span = field(compare=False, repr=False, default=NOWHERE, kw_only=True)


RoleWord = Literal["folds", "seeds", "repeats", "items"]


@dataclass(frozen=True, slots=True)
class Role(Spanned):
    """The role of a column of a table: `seeds in "run"`."""

    column: str
    role: RoleWord


@dataclass(frozen=True, slots=True)
class Copied(Spanned):
    """`copied from "Chen 2016, table 3" for xgb, lgbm`; no learners: all of them."""

    origin: str
    learners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Description(Spanned):
    """A learner that is only described; what the description omits is unknown."""

    text: str
    randomised: bool = False
    gives_scores: bool = False
    tries: int | None = None  # settings tried in tuning
    by_hand: bool = False
    hours: float | None = None  # of tuning
    pretrained_on: str | None = None
    stopped_on_test: bool = False
    stopped_on: Part | None = None  # the part that early stopping looked at


Literals = str | int | float | bool | None | tuple["Literals", ...]


@dataclass(frozen=True, slots=True)
class Condition(Spanned):
    """`"age" > 18`, one of the conditions that all rows meet."""

    column: str
    relation: Literal["is", "is not", "<", "<=", ">", ">="]
    value: Literals


@dataclass(frozen=True, slots=True)
class Horizon(Spanned):
    """`horizon 7 days`: how much later than its row a target is known."""

    count: int
    unit: Literal["days", "rows"]


@dataclass(frozen=True, slots=True)
class JoinedClasses(Spanned):
    """`join classes "a", "b" as "ab"`"""

    classes: tuple[Literals, ...]
    name: Literals


@dataclass(frozen=True, slots=True)
class Metric(Spanned):
    """A metric with its options; one outside the catalogue states which direction is better."""

    name: str
    options: tuple[tuple[str, Literals], ...] = ()
    better: Literal["higher", "lower"] | None = later(None)
    epochs: Literal["mean", "majority"] | None = later(None)  # how several samples of one item become one score

    @property
    def label(self) -> str:
        """As it is written in a script: the key under which its scores and verdicts stand.

        >>> Metric("f-score", (("average", "macro"),)).label
        'f-score(average = "macro")'
        """
        own = self.better if self.name != "pass" else None
        if not self.options and self.epochs is None and own is None:
            return self.name
        shown = [
            f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value}" for name, value in self.options
        ]
        shown += [f"better = {own}"] if own else []
        shown += [f"epochs = {self.epochs}"] if self.epochs else []
        return f"{self.name}({', '.join(shown)})"

    @property
    def card(self) -> MetricEntry | None:
        """What is known of it; of your own metric its direction, and that it is a mean over items."""
        if self.better is None:
            return find_metric(self.name)
        share = self.name == "pass"
        return MetricEntry(
            name=self.name,
            title=self.label,
            higher_is_better=self.better == "higher",
            low=0.0 if share else None,
            high=1.0 if share else None,
            needs="labels",
            tasks=("many-class",),
            row_loss=True,
        )


@dataclass(frozen=True, slots=True)
class Part:
    """A share of the rows (`fraction`) or a number of them (`rows`); exactly one is given."""

    fraction: float | None = None
    rows: int | None = None

    def of(self, rows: float) -> int:
        """Return how many of `rows` rows the part takes: rounded, halves up, at least one.

        >>> Part(fraction=0.2).of(52), Part(fraction=0.5).of(5), Part(rows=7).of(52)
        (10, 3, 7)
        """
        return self.rows if self.rows is not None else max(1, int((self.fraction or 0.0) * rows + 0.5))

    @property
    def text(self) -> str:
        """The part as a reader writes it: `20%` or `500 rows`."""
        return f"{self.rows:,} rows" if self.rows is not None else f"{100 * (self.fraction or 0):g}%"


def look_counts(partitions: int, looks: int) -> tuple[int, ...]:
    """Return after how many partitions each look is taken: evenly, the last after all of them.

    >>> look_counts(100, 5), look_counts(7, 3)
    ((20, 40, 60, 80, 100), (3, 5, 7))
    """
    return tuple(dict.fromkeys(-(-partitions * number // looks) for number in range(1, looks + 1)))


GUESSES = 5  # folds of the training part whose mean score is the guess of a guarded holdout
MOST_THRESHOLDS = 500  # tried where one is chosen


@dataclass(frozen=True, slots=True)
class Scheme(Spanned):
    """How a dataset is split; `kind` is one of catalogue/schemes.py.

    >>> tens = Scheme(kind="repeated-cv", partitions=10, folds=10)
    >>> tens.splits(200), tens.train_rows(200), tens.test_rows(200), tens.card.test
    (100, 180.0, 20.0, 'partition-t')
    """

    kind: str
    partitions: int = 1  # R of RxKcv, N of partitions, 5 of 5x2cv (5N of N partitions of 5x2cv), N of resamples
    halvings: int = 0  # N of `N halvings of RxKcv`: so many partitions more, each a cross-validation in two halves
    folds: int = 1  # folds in each partition: K, 2 of 5x2cv, 1 of a holdout
    part: Part | None = None  # holdout: kept for testing; resamples: trained on
    rows: int | None = None  # M of `N trainings of M` and of `forward N trainings of M`
    gap: int = later(0)  # rows left out between training and test rows of a forward scheme
    looks: int | None = later(None)  # how often a guarded holdout may be asked
    stratified: bool | None = None  # None: stratified where the target has classes
    grouped: bool = False
    text: str = beside("")  # as written
    origin: Literal["written", "default"] = beside("written")
    reason: str = beside("")  # of a default

    @property
    def card(self) -> SchemeEntry:
        """What holds for every scheme of this kind."""
        card = find_scheme(self.kind)
        if card is None:
            raise ScriptError(f"there is no scheme of kind {self.kind}", span=self.span)
        return card

    @property
    def window(self) -> int | None:
        """Rows that are trained on where windows slide forward in time; None where they grow."""
        return self.rows if self.card.in_time else None

    @property
    def halves(self) -> bool:
        """Whether every partition is two halves, each trained on and tested on the other."""
        return self.card.k_fold and self.folds == 2

    @property
    def trials(self) -> int:
        """Folds in all; leave-one-out and given folds are known only with the data (1)."""
        return self.total_partitions * self.folds + (GUESSES if self.looks is not None else 0)

    @property
    def total_partitions(self) -> int:
        """How often the rows are split: the partitions of all rows and the halvings."""
        return self.partitions + self.halvings

    @property
    def whole_partitions(self) -> int | None:
        """The number of partitions before the halvings; None without halvings."""
        return self.partitions if self.halvings else None

    @property
    def groups(self) -> int:
        """How many tests of their own the partitions allow: N of N partitions of 5x2cv, 1 of 5x2cv, R of RxKcv."""
        return self.partitions // self.card.replications

    @property
    def together(self) -> int:
        """Partitions that stand or fall together when a fold fails; 0 where each fold stands alone."""
        if self.card.averaged:
            return self.card.replications
        return 1 if self.card.five_by_two or self.card.halved else 0

    @property
    def nested(self) -> tuple[int, int] | None:
        """(replications, folds) of each partition where it is itself a 5x2cv."""
        return (self.card.replications, self.folds) if self.card.averaged and self.card.replications > 1 else None

    def splits(self, rows: int | None, given: int | None = None) -> int | None:
        """Return the number of folds on a dataset of that many rows; `given` are given folds; None when unknown."""
        if self.card.pooled:
            return None if self.grouped else rows
        return given if self.card.needs == "folds" else self.trials

    def parts(self, rows: int) -> tuple[float, float] | None:
        """Return the rows of a training part and of a test part, the mean over folds; None when only the data can tell.

        Exact for single rows. Groups and moments that must stay together can move the boundary.
        """
        card, n = self.card, float(rows)
        if card.part:
            size = min(float(self.part_or_third.of(rows)), n)
            return (n - size, size) if card.part == "tested" else (size, n - size)
        if card.disjoint and self.rows is not None:
            return float(self.rows), max(n - self.partitions * self.rows, 0.0)
        if card.k_fold:
            return n - n / self.folds, n / self.folds
        if card.in_time:  # from one block of folds + 1 to all but one
            return min(n / 2, float(self.window or rows)), n / (self.folds + 1)
        return (n - 1.0, 1.0) if card.pooled and not self.grouped else None

    @property
    def part_or_third(self) -> Part:
        """The written part of the rows; a third where none is written."""
        return self.part or Part(fraction=1 / 3)

    def train_rows(self, rows: int) -> float | None:
        """Return the rows of a training part, the mean over folds."""
        parts = self.parts(rows)
        return float(rows) if self.card.drawn else parts[0] if parts else None

    def test_rows(self, rows: int) -> float | None:
        """Return the rows of a test part, the mean over folds; None also where chance decides it."""
        parts = self.parts(rows)
        return parts[1] if parts else None

    def judged_rows(self, rows: int) -> float | None:
        """Return how many rows are tested where each is tested once: the test part, or all folds together."""
        card = self.card
        if not card.rows_tested_once or card.needs == "tested_on":
            return None
        if card.in_time:
            return rows - rows / (self.folds + 1)
        return self.test_rows(rows) if card.one_test_set else float(rows)

    def ratio(self, rows: int) -> float | None:
        """Return test rows over training rows for the corrected t-test; for a bootstrap, expected distinct rows.

        >>> round(Scheme(kind="bootstrap", partitions=50).ratio(1000), 3)
        0.582
        """
        if self.card.drawn:
            left_out = math.exp(rows * math.log1p(-1.0 / rows)) if rows > 1 else 0.0
            return left_out / (1.0 - left_out)
        parts = self.parts(rows)
        return parts[1] / parts[0] if parts and parts[0] else None

    @property
    def overlap(self) -> float | None:
        """The share of a training set that it has in common with another of its partition; None when unknown."""
        if self.card.k_fold:
            return (self.folds - 2) / (self.folds - 1)
        return None if self.card.training_overlap else 0.0


def unopened(datasets: tuple[str, ...]) -> bool:
    """Return whether one of these names stands for any number of datasets.

    >>> unopened(("iris", "archive/*"))
    True
    """
    return any(name.endswith("/*") for name in datasets)


Standing = Literal["dataset", "fold", "repeat", "seed", "item", "epoch", "group"]


@dataclass(frozen=True, slots=True)
class Level:
    """A column and its role; `taken` is the sentence of the plan."""

    column: str
    standing: Standing | None  # None: nothing says it
    taken: str = ""


def units_of(levels: Sequence[Level]) -> Literal["datasets", "folds", "items"]:
    """Return what a test takes for its units."""
    standings = {one.standing for one in levels}
    if "item" in standings:
        return "items"
    return "folds" if standings & {"fold", "repeat", "seed"} else "datasets"


def seeds_redrawn(levels: Sequence[Level], made: Scheme | None) -> bool:
    """Return whether each seed reshuffled the folds, so that seeds are repetitions: `made using 20x5cv`."""
    standings = {one.standing for one in levels}
    return "seed" in standings and "repeat" not in standings and made is not None and made.partitions > 1


def on_each_dataset(levels: Sequence[Level], made: Scheme | None) -> bool:
    """Return whether a dataset has folds (or resamples) of its own; seeds on one split are none."""
    standings = {one.standing for one in levels}
    return bool(standings & {"fold", "repeat"}) or seeds_redrawn(levels, made)


T = TypeVar("T")
Origin = Literal["written", "set", "default", "derived"]
Task = Literal["classification", "regression"]


@dataclass(frozen=True, slots=True)
class Given(Generic[T]):
    """A value together with where it came from: written here, by `set`, our default, or derived (and why)."""

    value: T
    origin: Origin = beside("written")
    reason: str = beside("")
    span: Span = beside(NOWHERE)


@dataclass(frozen=True, slots=True)
class Allowance(Spanned):
    """`allow CODE because "reason"`, on one statement or (from `set`) on every statement below it."""

    code: str
    reason: str
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """Where data comes from. `locator` is a path, an address without its password, a number or a generator's name.

    `kind` is a reader of catalogue/sources.py, `python` for what Python passes, `described` for what is never opened,
    `openml-suite` for tasks that only OpenML can list.
    """

    kind: str
    locator: str
    options: tuple[tuple[str, Literals], ...] = ()
    # The whole database address, which may hold a password: never written to JSON, never printed.
    address: str = field(compare=False, repr=False, default="", metadata=UNWRITTEN)


@dataclass(frozen=True, slots=True)
class Step(Spanned):
    """One stage of a pipeline; `name` as written: a catalogue name, a dotted name or `package:Class`."""

    name: str
    kind: Literal["step", "learner", "estimator", "code", "python", "described", "unknown"]
    parameters: tuple[tuple[str, Literals], ...] = ()
    target: str = ""  # the dotted class of an estimator passed from Python


@dataclass(frozen=True, slots=True)
class Dataset(Spanned):
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
    series: str | None = later(None)  # the column that tells the series of one table apart
    horizon: Horizon | None = later(None)
    folds: str | None = None
    divided_by: str = later("")  # what made the folds passed from Python
    where: tuple[Condition, ...] = later(())
    drop_repeated: bool = later(False)
    joined: tuple[JoinedClasses, ...] = later(())
    tuned_on: Source | None = later(None)
    tested_on: Source | None = None
    query: str | None = None
    prepared_by: tuple[Step, ...] = ()
    task: Task | None = None
    rows: int | None = None  # known without opening: bundled sets, generators, described sets
    classes: int | None = None
    rarest: float | None = later(None)  # share of the rarest class, where it is described
    because: str | None = None
    bundled: bool = False  # known by name, with no dataset statement
    included: bool = beside(False)  # came by `include`: where a definition stands changes nothing
    used: bool = beside(True)
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class Suite(Spanned):
    """A group of datasets with the reason for the choice; those of a folder are known when it is opened."""

    name: str
    members: tuple[str, ...]
    each: tuple[Dataset, ...] = later(())  # stand for the members, and say how they are read: one for a folder
    sampled_from: str | None = None
    because: str | None = None
    included: bool = beside(False)
    used: bool = beside(True)
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class Grid(Spanned):
    """Values of one tuned parameter; `values` is empty where they are too many to list; `size` counts them."""

    parameter: str  # as written: "C" or "pca.n_components"
    size: int
    values: tuple[Literals, ...]
    form: str = beside("")  # as written, for people: "10^{-3..3}"


@dataclass(frozen=True, slots=True)
class Learner(Spanned):
    """A learning procedure with its preparation steps and what is tuned, before fitting."""

    name: str
    steps: tuple[Step, ...]  # the last one learns
    grids: tuple[Grid, ...] = ()
    candidates: int = 1  # settings tried in tuning: the product of the grids, or N of `try N`
    tries: int | None = None
    calibrate: Literal["none", "platt", "isotonic"] = "none"
    trainings: int = 1  # `train N times`
    threshold: float | None = later(None)
    without_preparation: bool = later(False)
    described: Description | None = later(None)
    because: str | None = None
    implicit: bool = False  # a catalogue name used without a learner statement
    included: bool = beside(False)
    used: bool = beside(True)
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultsTable(Spanned):
    """Existing scores."""

    name: str
    source: Source
    datasets_in: str | None = None
    learners_in: tuple[str, ...] = ()
    formula: tuple[str, ...] = ()  # response, treatment, block, nested block ...
    roles: tuple[Role, ...] = later(())
    groups: str | None = None
    made: Scheme | None = later(None)  # the scheme by which the scores came about
    trainings: int | None = None  # `trained N times`
    tuned: Tuning | None = later(None)
    copied: tuple[Copied, ...] = later(())
    metric: str | None = None
    measured: Metric | None = later(None)  # the same with its options
    missing: tuple[Literals, ...] = ()
    because: str | None = None
    included: bool = beside(False)
    used: bool = beside(True)
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class PredictionsTable(Spanned):
    """Existing predictions for every example."""

    name: str
    source: Source
    truth: str | None = None
    learners_in: tuple[str, ...] = ()
    positive: tuple[Literals, ...] = ()
    groups: str | None = None
    missing: tuple[Literals, ...] = ()
    because: str | None = None
    included: bool = beside(False)
    used: bool = beside(True)
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class Test(Spanned):
    """A statistical test with its options, and why it was chosen."""

    name: str
    options: tuple[tuple[str, Literals], ...] = ()
    metrics: tuple[str, ...] = ()  # the metrics it judges; () is all of the comparison's
    origin: Origin = beside("written")
    reason: str = beside("")


@dataclass(frozen=True, slots=True)
class Tuning(Spanned):
    """Where candidates are judged: part of the training part, an inner Kcv, a given file, or (EV208) the test part."""

    where: Literal["part", "cv", "given", "test"] = field(metadata=LATER)
    part: Part | None = None
    folds: int | None = None
    metric: Metric | None = None  # `for accuracy`; else the winner is chosen for each metric


@dataclass(frozen=True, slots=True)
class Thresholding(Spanned):
    """Where the threshold of the positive class is chosen, and by which metric; on the test part it is EV221."""

    where: Literal["part", "tuning", "test"] = field(metadata=LATER)
    part: Part | None = None
    metric: Metric | None = None


@dataclass(frozen=True, slots=True)
class Calibration(Spanned):
    """Where calibration is fitted: a part of its own, or the tuning part (then nothing is trained again)."""

    where: Literal["part", "tuning"] = field(metadata=LATER)
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class Correction(Spanned):
    """`holm over datasets, metrics`"""

    method: str
    over: tuple[Literal["datasets", "learners", "metrics", "everything"], ...] = ()
    so_far: bool = later(False)  # everything that the project has tested until now, not this script alone
    looks: int | None = later(None)  # at most so many looks at the same rows, declared before the first


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
    reason: str = beside("")


@dataclass(frozen=True, slots=True)
class Comparison(Spanned):
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
    retrained: bool = beside(False)  # a learner is trained more than once on the same rows
    stump: bool = beside(False)  # a learner is one
    grouped: bool = beside(False)  # the rows come in groups
    many_classes: bool = beside(False)  # a dataset has more than two
    levels: tuple[Level, ...] = beside(())  # of a table: what each is taken for
    graded: bool = beside(False)  # items have degrees of right, or several samples each
    over_note: str = beside("")  # why there is no test over datasets, where one would be expected
    metrics: tuple[Metric, ...] = ()
    metrics_origin: Origin = beside("written")
    primary: str | None = later(None)  # the label of the metric that decides
    verdicts_on: tuple[str, ...] = later(())  # labels of the metrics that have a verdict; (): all of them
    tuning: Given[Tuning] | None = None
    calibration: Calibration | None = None
    threshold: Thresholding | None = later(None)
    stop_early: Part | None = later(None)
    until_settled: int | None = later(None)  # looks
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
    missing: Literal["", "wrong", "left-out"] = later("")  # what becomes of answers that are not there
    missing_because: str | None = later(None)
    question_reason: str = beside("")
    fits_reason: str = beside("")
    because: str | None = None
    named: bool = False  # has an `as NAME`
    learner_spans: tuple[Span, ...] = beside(())
    dataset_spans: tuple[Span, ...] = beside(())  # of the names as written (suites not expanded)
    spans: tuple[tuple[str, Span], ...] = beside(())  # clause word -> where it stands: "using", "by", ...
    allow: tuple[Allowance, ...] = ()

    @property
    def scheme_card(self) -> SchemeEntry | None:
        """The card of the scheme, or of the kind of table that is compared; None for datasets without `using`."""
        if self.scheme is not None and (self.data == "datasets" or on_each_dataset(self.levels, self.scheme)):
            return self.scheme.card
        return find_scheme("items" if self.units == "items" else self.data)

    @property
    def judged(self) -> tuple[Metric, ...]:
        """The metrics that have a verdict; with a `primary` the others only describe."""
        return tuple([m for m in self.metrics if not self.verdicts_on or m.label in self.verdicts_on])

    @property
    def predicts_numbers(self) -> bool:
        """Whether its metrics are those of regression: its models are no classifiers, its rows have no classes."""
        cards = [m.card for m in self.metrics]
        return bool(cards) and all(card is not None and card.needs == "numbers" for card in cards)

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
        """Return the span of a clause ("using", "by", "tune", "correct", ...), or of the statement without it."""
        for word, span in self.spans:
            if word == clause:
                return span
        return self.span


@dataclass(frozen=True, slots=True)
class Claim(Spanned):
    """What the author intends to write."""

    name: str  # claim-1, claim-2, ...
    left: str
    relation: Literal["better", "no-worse", "same"]
    right: str
    within: float | None
    datasets: tuple[str, ...]  # suites written out; () for new datasets
    suites: tuple[str, ...] = ()
    new_datasets: bool = False
    each: bool = later(False)
    overall: bool = False
    metric: Metric | None = None
    according_to: str | None = None
    this_classifier: bool = False
    evidence: tuple[str, ...] = ()  # names of the comparisons that bear on it
    because: str | None = None
    text: str = beside("")  # the sentence as written, without clauses
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class Simulation(Spanned):
    """Type I error of tests, or the power of a comparison as designed."""

    name: str
    kind: Literal["type-I", "power"]
    subjects: tuple[str, ...]
    settings: tuple[tuple[str, tuple[float, ...]], ...]  # also "alpha" and, where one is said or set, "seed"
    because: str | None = None
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True)
class Output(Spanned):
    """`report ... to "file" as FORMAT`"""

    subject: str | None
    path: str
    format: Literal["html", "markdown", "latex", "json"] | None = None
    allow: tuple[Allowance, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Plan(Shown):
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
    strict: bool = beside(False)  # from `set strict`

    def __str__(self) -> str:
        """Return the plan in words."""
        from .description import describe

        return describe(self)

    def dataset(self, name: str) -> Dataset | None:
        """Return the dataset of that name."""
        return next((d for d in self.datasets if d.name == name), None)

    def learner(self, name: str) -> Learner | None:
        """Return the learner of that name."""
        return next((x for x in self.learners if x.name == name), None)

    def comparison(self, name: str) -> Comparison | None:
        """Return the comparison or estimate of that name."""
        return next((c for c in self.comparisons if c.name == name), None)

    @property
    def fits(self) -> int:
        """Trainings in all, as far as they are known without the data."""
        return sum(max(c.fits, 0) for c in self.comparisons)
