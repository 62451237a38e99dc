"""The result of a whole run: one frozen record from which every text, table and picture is made.

Plain Python numbers only, nothing rounded, nothing worded: `reports/sentences.py` finds the words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ..plans.model import Plan
from ..source.finding import Finding
from .result import Interval, TestResult

Decision = Literal["first-better", "second-better", "differ", "not-settled", "equivalent", "undecided"]
Matters = Literal["matters", "too-small", "cannot-tell", "no-rope"]
Status = Literal["supported", "contradicted", "not settled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerScore:
    """One learner's mean score in the place a verdict is about, with its spread over the units (standard deviation)."""

    learner: str
    mean: float | None  # None: every trial failed
    spread: float | None = None  # None: fewer than two units
    n: int = 0  # scores behind the mean
    trainings_spread: float | None = None  # `train N times`: spread over trainings of one fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """How likely this design finds a difference of that size; stands beside every "not settled"."""

    difference: float
    power: float
    method: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one test says after the correction of its whole family.

    A pair: `learners` are its two, in the order of `test.difference` (first minus second, raw score). An omnibus
    test: all learners, and `decision` is "differ" or "not-settled". `dataset` is None for a test over datasets.
    """

    comparison: str
    dataset: str | None
    metric: str  # its label
    learners: tuple[str, ...]
    test: TestResult | None  # None: only described, or the test refused (see `undecided_because`)
    adjusted_p: float | None
    alpha: float
    family: str
    decision: Decision
    matters: Matters = "no-rope"
    correction: str = "uncorrected"
    family_size: int = 1
    question: int = 8
    posthoc: bool = False  # this pair is a post-hoc of the omnibus test of the same comparison
    rope: float | None = None
    scores: tuple[LearnerScore, ...] = ()  # in the order of `learners`
    unmet: tuple[str, ...] = ()  # conditions that did not hold, one sentence each
    power: Power | None = None
    equivalence: TestResult | None = None  # tost, when it stands beside a test of difference
    undecided_because: str = ""
    datasets: tuple[str, ...] = ()  # over datasets: those that gave a score

    @property
    def pair(self) -> bool:
        """Whether this is about two learners."""
        return len(self.learners) == 2

    @property
    def difference(self) -> float | None:
        """First minus second, from the test, else from the means."""
        if self.test is not None and self.test.difference is not None:
            return self.test.difference
        if not self.pair or len(self.scores) != 2:
            return None
        first, second = self.scores[0].mean, self.scores[1].mean
        return None if first is None or second is None else first - second

    @property
    def interval(self) -> Interval | None:
        """The interval of the difference that belongs to the same test."""
        return self.test.interval if self.test is not None else None

    @property
    def settled(self) -> bool:
        """Whether the null was rejected after correction."""
        return self.decision in ("first-better", "second-better", "differ", "equivalent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Mean ranks over datasets (1 is best) and, with nemenyi only, the critical difference."""

    comparison: str
    metric: str
    learners: tuple[str, ...]
    ranks: tuple[float, ...]
    n_datasets: int
    critical_difference: float | None = None
    test: str = ""  # the test that joins or parts pairs: nemenyi, wilcoxon
    joined: tuple[tuple[str, str], ...] = ()  # pairs NOT told apart after correction


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The score of one learner on one dataset, with an interval."""

    comparison: str
    learner: str
    dataset: str
    metric: str
    score: float | None
    interval: Interval | None
    method: str
    question: int = 6
    n_units: int = 0
    unit: str = ""
    spread: float | None = None
    unmet: tuple[str, ...] = ()
    test: TestResult | None = None  # randomization: the procedure against shuffled labels
    undecided_because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimOutcome:
    """A claim of the script, and what the run says about it."""

    claim: str  # its name in the plan: claim-1
    status: Status
    reason: str
    verdicts: tuple[Verdict, ...] = ()  # those it was judged by


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A trial without a score."""

    comparison: str
    learner: str
    dataset: str
    partition: int
    fold: int
    kind: str
    message: str


class ScoreRow(NamedTuple):
    """One score of one trial. `partition` and `fold` count from 0; `trained` is the rows trained on (0: unknown)."""

    comparison: str
    learner: str
    dataset: str
    partition: int
    fold: int
    training: int
    metric: str
    score: float | None
    trained: int = 0
    tested: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The scores of all trials by column, so that a hundred thousand of them stay small. Columns are equally long."""

    comparison: tuple[str, ...] = ()
    learner: tuple[str, ...] = ()
    dataset: tuple[str, ...] = ()
    partition: tuple[int, ...] = ()
    fold: tuple[int, ...] = ()
    training: tuple[int, ...] = ()
    metric: tuple[str, ...] = ()
    score: tuple[float | None, ...] = ()
    trained: tuple[int, ...] = ()
    tested: tuple[int, ...] = ()

    @classmethod
    def of(cls, rows: list[ScoreRow]) -> Scores:
        """Columns from rows."""
        if not rows:
            return cls()
        columns = list(zip(*rows, strict=True))
        return cls(**dict(zip(ScoreRow._fields, columns, strict=True)))

    def rows(self) -> Iterator[ScoreRow]:
        """Rows from columns."""
        columns = (getattr(self, name) for name in ScoreRow._fields)
        return (ScoreRow(*values) for values in zip(*columns, strict=True))

    def __len__(self) -> int:
        return len(self.score)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionResult:
    """What one partition alone would have said: Bradford and Brodley's spread."""

    comparison: str
    dataset: str
    metric: str
    learners: tuple[str, str]
    partition: int
    statistic: float | None
    pvalue: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One learner's curve on one fold (or pooled: fold -1). Thin it to at most some hundred points.

    roc: x false-positive rate, y true-positive rate. precision-recall: x recall, y precision.
    reliability: x mean predicted probability of a bin, y share of positives in it, weight its rows;
    `calibrated` False is the curve before calibration.
    """

    kind: Literal["roc", "precision-recall", "reliability"]
    comparison: str
    learner: str
    dataset: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    weight: tuple[float, ...] = ()
    partition: int = -1
    fold: int = -1
    calibrated: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One setting tried in tuning, its score on the tuning rows, and whether it was chosen."""

    comparison: str
    learner: str
    dataset: str
    partition: int
    fold: int
    metric: str
    setting: tuple[tuple[str, str | int | float | bool | None], ...]
    score: float | None
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The score of predicting the share of positives: the zero of normalised scores (Caruana 2.3)."""

    comparison: str
    dataset: str
    metric: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetFacts:
    """What was really read of a dataset."""

    name: str
    rows: int
    features: int
    task: str = ""
    classes: int | None = None
    smallest_class: float | None = None  # its share
    missing: float | None = None  # share of empty cells
    groups: int | None = None
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationOutcome:
    """One cell of a simulation: how often the test rejected."""

    name: str
    kind: Literal["type-I", "power"]
    subject: str
    settings: tuple[tuple[str, float], ...]
    rate: float
    interval: Interval | None
    trials: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The result object: everything a report says, in no words and no rounding."""

    plan: Plan
    verdicts: tuple[Verdict, ...] = ()
    estimates: tuple[Estimate, ...] = ()
    claims: tuple[ClaimOutcome, ...] = ()
    rankings: tuple[Ranking, ...] = ()
    findings: tuple[Finding, ...] = ()
    passed: tuple[str, ...] = ()  # codes
    not_applicable: tuple[tuple[str, str], ...] = ()  # (code, reason)
    allowed: tuple[tuple[Finding, str], ...] = ()  # (finding, the author's reason)
    failures: tuple[Failure, ...] = ()
    scores: Scores = field(default_factory=Scores)
    partitions: tuple[PartitionResult, ...] = ()
    curves: tuple[Curve, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    baselines: tuple[Baseline, ...] = ()
    facts: tuple[DatasetFacts, ...] = ()
    simulations: tuple[SimulationOutcome, ...] = ()
    warnings: tuple[tuple[str, int], ...] = ()  # warnings of learners, with how many trials gave each
    environment: tuple[tuple[str, str], ...] = ()  # ("python", "3.11.7"), ("numpy", ...), ("blas", ...)
    sources: tuple[tuple[str, str], ...] = ()  # (path, text) of the script and its includes
    started: str = ""  # ISO 8601, UTC
    finished: str = ""
    trials: int = 0  # fitted for this run
    reused: int = 0  # taken from the store

    @property
    def supported(self) -> bool:
        """Whether no claim is contradicted or unsettled (true when there is none)."""
        return all(c.status == "supported" for c in self.claims)
