"""The cards of the catalogue: what exists and what it needs, readable without numpy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

# What a test is computed from; see docs/design/evidence.
Evidence = Literal[
    "outcomes",  # right or wrong per test row, every row tested once
    "row-losses",  # one loss per test row and learner
    "retrained-rows",  # [training, test row] of learners trained again on the same rows
    "grouped-rows",  # one value per test row and learner, and the group of each row
    "timed-rows",  # one value per test row and learner, and the time of each row
    "row-scores",  # the truth and a score per test row and learner
    "fold-scores",  # [partition, fold], with training and test sizes
    "halved-scores",  # as fold scores, the last partitions being cross-validations in two halves of the rows
    "dataset-scores",  # [dataset, learner]
    "dataset-folds",  # fold scores of several datasets, with training and test sizes
    "training-losses",  # [learner, training set, test row]
    "item-scores",  # [item, epoch] of one learner, and the group of each item
    "procedure",  # the whole procedure, repeated on shuffled labels
    "count",  # successes of one classifier among its test rows
]
Scope = Literal["dataset", "over-datasets"]


def no_floor(units: int, learners: int, sides: int) -> float:
    """The smallest p of a test with a continuous statistic."""
    return 0.0


@dataclass(frozen=True, slots=True)
class TestEntry:
    """The card of a statistical test. The linter reasons from it; one function in `verdicts` carries it out."""

    __test__ = False

    name: str
    title: str
    question: str  # what it answers, one sentence
    null: str  # the hypothesis it rejects, one sentence
    evidence: Evidence
    scopes: tuple[Scope, ...]
    learners: Literal["one", "two", "many"]  # "many": an omnibus over three or more
    unit: str  # "test row", "fold", "dataset", "training set"
    min_units: int
    schemes: tuple[str, ...]  # kinds of scheme (catalogue/schemes.py) that give its evidence; () over datasets only
    questions: tuple[int, ...]  # which of Dietterich's nine it answers
    paired: bool = True
    tolerates_overlap: bool = False  # training sets of its units may share rows
    smallest_p: Callable[[int, int, int], float] = no_floor  # (units, learners, sides) -> p
    metrics: Literal["any", "accuracy", "row-loss", "roc-area"] = "any"
    post_hoc_of: tuple[str, ...] = ()
    one_sided: bool = True
    gives_p: bool = True  # Bayesian tests give a posterior instead
    random: bool = False  # draws random numbers, so it needs a seed
    options: tuple[str, ...] = ()
    method: str = ""  # what is computed, in one or two sentences, formula in words
    type_one: str = ""  # known type I behaviour, with its source
    use_when: str = ""
    avoid_when: str = ""
    instead: str = ""  # the test to take in its place, where there is a better one
    exempt: tuple[tuple[str, str], ...] = ()  # (contract, reason) it cannot meet
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CorrectionEntry:
    """The card of a correction for many tests."""

    name: str
    title: str
    controls: Literal["family-wise", "false-discovery", "nothing"]
    stepwise: bool
    first_level: Callable[
        [float, int], float
    ]  # (alpha, m) -> largest level at which the smallest p is rejected when all m are equal
    alone_level: Callable[[float, int], float]  # ... when all others are 1: for power, a lower bound if step-wise
    assumes: str
    method: str
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MetricEntry:
    """The card of a metric; nothing else in the program asks whether higher is better."""

    name: str
    title: str
    higher_is_better: bool
    low: float | None  # range; None is unbounded
    high: float | None
    needs: Literal["labels", "scores", "probabilities", "numbers", "time", "size"]
    tasks: tuple[Literal["two-class", "many-class", "regression"], ...]
    positive: bool = False  # needs to be told the positive class
    row_loss: bool = False  # is the mean (or a monotone function of the mean) of one loss per row
    has_unit: bool = False  # its size does not compare across datasets
    unit: str = ""  # as it stands on an axis
    options: tuple[tuple[str, object], ...] = ()  # (name, default)
    aliases: tuple[str, ...] = ()
    baseline: str = ""  # what a learner that knows nothing gets
    method: str = ""
    references: tuple[str, ...] = ()

    @property
    def sign(self) -> int:
        """+1 when higher is better, else -1."""
        return 1 if self.higher_is_better else -1


@dataclass(frozen=True, slots=True)
class SchemeEntry:
    """The card of a kind of scheme: what holds for every scheme of the kind. Numbers are asked of plans/parts.py."""

    kind: str
    form: str  # how it is written
    title: str
    method: str
    rows_tested_once: bool = False  # gives outcomes: every test row is predicted exactly once
    gives_folds: bool = False  # gives two or more fold scores
    training_overlap: bool = False  # training sets share rows
    one_partition: bool = False  # rests on one division of the rows
    random: bool = False  # needs a seed
    written: str = ""  # the form with places for numbers: {partitions}, {groups}, {halvings}, {folds}, {rows}, {part}
    written_window: str = ""  # ... where a window of {rows} rows slides along
    counts: str = ""  # what the number it begins with counts
    least: int = 1  # the smallest such number
    trains: bool = True  # learners are trained; not for predictions and scores that already exist
    unit: str = "row"  # what is tested once
    one_test_set: bool = False  # one classifier of each learner, judged on rows of its own
    part: Literal["", "tested", "trained"] = ""  # what the written part of the rows is for
    dealt: bool = False  # every partition deals each row into one of its folds
    replications: int = 1  # partitions that make one 5x2cv
    halved: bool = False  # besides its partitions, cross-validations in two halves of the rows
    averaged: bool = False  # the test is computed for each partition (or 5x2cv) and then averaged
    disjoint: bool = False  # disjoint training sets that share one test set
    wider: float = (
        1.0  # so many times the ratio of test to training rows is taken for what folds share (study of levels)
    )
    drawn: bool = False  # training rows are drawn with replacement
    in_time: bool = False  # trained on earlier rows than tested
    pooled: bool = False  # a fold is too small for a score of its own: all rows are scored together
    needs: Literal["", "time", "folds", "tested_on"] = ""  # the clause of the dataset that it rests on
    test: str = ""  # the test of its fold scores or losses when the script names none
    test_reason: str = ""  # why that one, or why there is none
    power: str = ""  # of that test, as a share of that of corrected-t on 10x10cv where that keeps its level
    halves_test: str = ""  # the one when every partition is two halves, where that is another
    halves_reason: str = ""
    interval: str = "corrected-interval"  # that of an estimate
    interval_reason: str = "it allows for training sets that share rows"
    references: tuple[str, ...] = ()

    @property
    def given(self) -> bool:
        """Whether the data says how it is divided: by others, who may have kept groups and time in mind."""
        return self.needs in ("folds", "tested_on")

    @property
    def one_training(self) -> bool:
        """Whether every learner is trained once and judged on one test set."""
        return self.one_test_set and self.trains

    @property
    def only_scores(self) -> bool:
        """Whether there is nothing but scores per dataset."""
        return not self.trains and not self.one_test_set

    @property
    def one_kcv(self) -> bool:
        """Whether it is a single partition into folds, dealt here."""
        return self.dealt and self.one_partition

    @property
    def five_by_two(self) -> bool:
        """Whether it is exactly five replications of 2cv."""
        return self.replications > 1 and not self.averaged

    @property
    def repeated(self) -> bool:
        """Whether rows are trained on and tested again and again."""
        return self.gives_folds and not self.rows_tested_once


@dataclass(frozen=True, slots=True)
class LearnerEntry:
    """The card of a learner the script may name without importing anything."""

    name: str
    title: str
    classifier: str | None  # dotted name of the estimator for classes
    regressor: str | None  # ... for numbers
    defaults: tuple[tuple[str, object], ...] = ()  # our parameters where they differ from the estimator's
    stochastic: bool = False  # has randomness of its own that changes what is learned
    needs_scaling: bool = False
    gives: Literal["labels", "scores", "probabilities"] = "probabilities"
    distorts: Literal["", "margins", "sigmoid", "extreme"] = ""  # how its probabilities are off, C 1 and 2.4
    baseline: bool = False
    tunable: bool = True
    trees: bool = False  # made of decision trees, whose parameters it takes beside its own
    method: str = ""
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StepEntry:
    """The card of a preparation step."""

    name: str
    title: str
    transformer: str  # dotted name
    columns: Literal["numeric", "categorical", "all"]
    scales: bool = False
    random: bool = False
    defaults: tuple[tuple[str, object], ...] = ()
    method: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A line of the bibliography."""

    key: str
    authors: str
    year: int
    title: str
    where: str
    kind: Literal["article", "inproceedings", "book", "misc"] = "article"
    doi: str = ""
