"""What one test, one estimate, one claim comes to after the correction of its family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .test_result import Interval, TestResult

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
    family_size: int = 1  # as planned
    family_missing: int = 0  # tests of the family that could not be computed; they count
    family_blocks: int = 1  # parts of the family that share its level: a post-hoc of all pairs is one
    settled_pairs: int | None = None  # of an omnibus: pairs of the same place that are settled; None: none was tested
    question: int = 8
    posthoc: bool = False  # this pair is a post-hoc of the omnibus test of the same comparison
    rope: float | None = None
    scores: tuple[LearnerScore, ...] = ()  # in the order of `learners`
    unmet: tuple[str, ...] = ()  # conditions that did not hold, one sentence each
    power: Power | None = None
    corrected_interval: Interval | None = None  # of a test that is not the only one of its family
    undecided_because: str = ""
    units: str = ""  # of a table of items: "198 items, 5 epochs each"
    datasets: tuple[str, ...] = ()  # over datasets: those that gave a score
    differences: tuple[float, ...] = ()  # of a pair over datasets: first minus second on each of them
    rows: tuple[float, float] | None = None  # trained and tested on, mean over the folds; None: nobody knows

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
        """The interval of the difference beside the verdict: simultaneous where the verdict is corrected."""
        if self.corrected_interval is not None:
            return self.corrected_interval
        return self.test.interval if self.test is not None else None

    @property
    def direction_only(self) -> bool:
        """Whether a stepwise correction settles who is better while the simultaneous interval still contains 0."""
        interval = self.corrected_interval
        better = self.decision in ("first-better", "second-better")
        return better and interval is not None and interval.low < 0.0 < interval.high

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
    untested: tuple[tuple[str, str], ...] = ()  # pairs that the design leaves out: nothing is said of them


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
    trained_again: bool = False  # `train N times`: several trainings on one training set
    rows: tuple[float, float] | None = None  # trained and tested on, mean over the folds; None: nobody knows
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
