"""Records of results: what a test returns, what a verdict, an estimate and a claim come to, what the trials gave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

Alternative = Literal["two-sided", "greater", "less"]  # of the first learner's raw score against the second's

# single: covers in its level's share of cases by itself. simultaneous: all of its family cover together.
# false-coverage: of those selected for a small p, the level's share covers on average.
Kind = Literal["single", "simultaneous", "false-coverage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An interval of the difference (or of a score) that belongs to the same test."""

    low: float
    high: float
    level: float
    method: str
    kind: Kind = "single"
    way: str = ""  # how it is simultaneous: max-t, Dunnett; "" is Bonferroni (or Sidak, where that was asked for)
    members: int = 1  # tests that a simultaneous or false-coverage interval reckons with


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """An effect size fit for paired data: Cohen's dz, matched-pairs rank biserial, odds ratio, Kendall's W, ..."""

    name: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Posterior:
    """Probabilities that the second learner is practically better, neither is, or the first is; they add up to 1."""

    p_left: float
    p_rope: float
    p_right: float
    rope: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """Numbers of one test. `difference` is first minus second, in the metric's own direction and unit."""

    __test__ = False

    test: str
    statistic: float | None
    statistic_name: str
    pvalue: float | None  # None only for a Bayesian test, which has a posterior
    df: tuple[float, ...]
    alternative: Alternative
    difference: float | None
    interval: Interval | None
    effect: Effect | None
    wins: int
    ties: int
    losses: int
    n_units: int
    unit: str
    method: str  # the one really used, and why: "exact: 12 disagreements are fewer than 25"
    posterior: Posterior | None = None
    ranks: tuple[float, ...] = ()  # mean ranks, 1 is best; tests of many learners
    dropped: int = 0  # zeros left out by the named convention
    details: tuple[tuple[str, float], ...] = ()  # further numbers of this very test, by name
    notes: tuple[str, ...] = ()  # sentences for degenerate cases
    unmet: tuple[str, ...] = ()  # conditions of the test that these very numbers do not meet, one sentence each


@dataclass(frozen=True, slots=True, kw_only=True)
class PostHoc:
    """A test of many pairs at once. `pairs[i]` are the columns that `results[i]` compares."""

    test: str
    pairs: tuple[tuple[int, int], ...]
    results: tuple[TestResult, ...]  # p-values already adjusted by the test itself where it does (nemenyi)
    ranks: tuple[float, ...]
    critical_difference: float | None
    adjusted: bool  # p-values are family-wise already: no further correction over learners


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
    smallest: float | None = None  # the difference that is found four times in five
    needed: int | None = None  # units that would find `difference` four times in five


@dataclass(frozen=True, slots=True, kw_only=True)
class OnThese:
    """The same difference on these very datasets or groups: only their items are drawn anew, so no others are meant."""

    difference: float  # first minus second: of groups the mean over items, of datasets the mean over datasets
    interval: Interval
    places: int
    unit: Literal["dataset", "group"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """Where `until settled` ended before the last look. The p-values are those between which the p of the full design
    lies, after the correction of its family; scores, difference and interval are of the partitions that were run."""

    look: int  # at which the comparison ended, from 1
    looks: int
    partitions: int  # run
    of: int  # declared
    decision: Decision  # of the full design
    p_low: float
    p_high: float


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
    on_these: OnThese | None = None  # of a pair whose verdict is about datasets or groups like these
    datasets: tuple[str, ...] = ()  # over datasets: those that gave a score
    differences: tuple[float, ...] = ()  # of a pair over datasets: first minus second on each of them
    rows: tuple[float, float] | None = None  # trained and tested on, mean over the folds; None: nobody knows
    stopped: Stopped | None = None  # under `until settled`: ended before the last look, so that p is not known

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
    details: tuple[tuple[str, float], ...] = ()  # further numbers of the interval, by name
    units: str = ""  # of a table of items: "198 items, 5 epochs each"
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
class MissingScore:
    """A trial without an answer, or an answer without a score for one metric (`metric` says which)."""

    comparison: str
    learner: str
    dataset: str
    partition: int
    fold: int
    kind: str
    message: str
    training: int = 0
    metric: str | None = None


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


class ItemRow(NamedTuple):
    """One score of one item; `epoch` counts from 1, `group` is empty where items stand alone."""

    learner: str
    item: str
    epoch: int
    group: str
    content: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemScores:
    """The scores of the items of one dataset, as they were read: [learner][item][epoch], with fewer epochs for some."""

    comparison: str
    dataset: str
    learners: tuple[str, ...]
    items: tuple[str, ...]
    scores: tuple[tuple[tuple[float, ...], ...], ...]
    means: tuple[tuple[str, tuple[float, ...]], ...]  # metric, and the mean of each learner in it
    groups: tuple[str, ...] = ()  # of each item; (): they stand alone
    contents: tuple[str, ...] = ()  # the hash of each item's text; (): the source holds none

    def rows(self) -> Iterator[ItemRow]:
        """One row a score."""
        for learner, of_items in zip(self.learners, self.scores, strict=True):
            for place, (item, epochs) in enumerate(zip(self.items, of_items, strict=True)):
                group = self.groups[place] if self.groups else ""
                content = self.contents[place] if self.contents else ""
                for epoch, score in enumerate(epochs, start=1):
                    yield ItemRow(learner, item, epoch, group, content, score)


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
    df: float | None = None


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
class Tried:
    """One candidate of tuning in one trial: its score on the tuning rows, and whether it was chosen for the metric."""

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
class LearnerCost:
    """What one learner on one dataset took: medians over its trials, and in all. No two runs agree in these."""

    comparison: str
    learner: str
    dataset: str
    trials: int
    fit: float  # seconds to train the learner that was tested
    predict: float
    trial: float | None  # with tuning and calibration
    total: float | None
    memory: int | None  # bytes by which a process grew at most during one of the trials
