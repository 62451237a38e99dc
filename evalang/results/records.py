"""Records of results: what a test returns, what a verdict, an estimate and a claim come to, what the trials gave."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal, NamedTuple

from ..codec import UNWRITTEN, Range
from ..language.text import Shown

_ROUNDING = 1e-9  # sums of probabilities
_MOST = 2**53  # a larger count is exact in no table
_LARGEST = sys.float_info.max
Share = Annotated[float, Range(-_ROUNDING, 1.0 + _ROUNDING)]
Level = Annotated[float, Range(math.ulp(0.0), 1.0)]
Finite = Annotated[float, Range(-_LARGEST, _LARGEST)]  # only ends of intervals, statistics and effects may be infinite
Size = Annotated[float, Range(0.0, _LARGEST)]
Count = Annotated[int, Range(0, _MOST)]
Index = Annotated[int, Range(-1, _MOST)]  # of a partition or a fold; -1: all together

Alternative = Literal["two-sided", "greater", "less"]  # of the first learner's raw score against the second's

# single: covers in its level's share of cases by itself. simultaneous: all of its family cover together.
# false-coverage: of those selected for a small p, the level's share covers on average.
Kind = Literal["single", "simultaneous", "false-coverage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An interval of the difference (or of a score) that belongs to the same test."""

    low: float
    high: float
    level: Level
    method: str
    kind: Kind = "single"
    way: str = ""  # how it is simultaneous: max-t, Dunnett; "" is Bonferroni (or Sidak, where that was asked for)
    members: Count = 1  # tests that a simultaneous or false-coverage interval covers


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """An effect size fit for paired data: Cohen's dz, matched-pairs rank biserial, odds ratio, Kendall's W, ..."""

    name: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Posterior:
    """Probabilities that the second learner is practically better, neither is, or the first is; they add up to 1."""

    p_left: Share
    p_rope: Share
    p_right: Share
    rope: Size


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """Numbers of one test. `difference` is first minus second, in the metric's own direction and unit."""

    __test__ = False

    test: str
    statistic: float | None
    statistic_name: str
    pvalue: Share | None  # None only for a Bayesian test, which has a posterior
    df: tuple[float, ...] = ()
    alternative: Alternative = "two-sided"
    difference: Finite | None = None
    interval: Interval | None = None
    effect: Effect | None = None
    wins: Count = 0
    ties: Count = 0
    losses: Count = 0
    n_units: Count
    unit: str
    method: str  # the one really used, and why: "exact: 12 disagreements are fewer than 25"
    posterior: Posterior | None = None
    ranks: tuple[float, ...] = ()  # mean ranks, 1 is best; of many learners, or of the pair
    dropped: Count = 0  # zeros left out by the named convention
    details: tuple[tuple[str, float], ...] = ()  # further numbers of this very test, by name
    notes: tuple[str, ...] = ()  # sentences for degenerate cases
    unmet: tuple[str, ...] = ()  # conditions of the test that these very numbers do not meet, one sentence each
    # Its interval at another level, until the verdict is made; None: the test has to be computed again.
    interval_at: Callable[[float], Interval | None] | None = field(
        default=None, repr=False, compare=False, metadata=UNWRITTEN
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PostHoc:
    """A test of many pairs at once. `pairs[i]` are the columns that `results[i]` compares."""

    test: str
    pairs: tuple[tuple[int, int], ...]
    results: tuple[TestResult, ...]  # p-values already adjusted by the test itself where it does (nemenyi)
    ranks: tuple[float, ...]
    critical_difference: float | None
    adjusted: bool  # p-values are family-wise already: no further correction over learners


Decision = Literal[
    "first-better", "second-better", "differ", "not-settled", "equivalent", "not-equivalent", "undecided"
]
Matters = Literal["matters", "too-small", "cannot-tell", "no-rope"]
Status = Literal["supported", "contradicted", "not settled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerScore:
    """One learner's mean score in the place a verdict is about, with its spread over the units (standard deviation)."""

    learner: str
    mean: Finite | None  # None: every trial failed
    spread: Size | None = None  # over folds or datasets; None: fewer than two of them
    n: Count = 0  # scores behind the mean: of folds, datasets or items; rows behind a single score
    each: tuple[float, ...] = ()  # over datasets: the score on each of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """How likely this design finds a difference of that size; stands beside every inconclusive verdict."""

    difference: Finite
    power: Share
    method: str = ""
    smallest: Size | None = None  # the difference that is found four times in five
    needed: Count | None = None  # units that would find `difference` four times in five
    level: Level | None = None  # at which the test is made, after the correction of its family


@dataclass(frozen=True, slots=True, kw_only=True)
class OnThese:
    """The same difference on these very datasets or groups: only their items are resampled."""

    difference: Finite  # first minus second: of groups the mean over items, of datasets the mean over datasets
    interval: Interval
    places: Count
    unit: Literal["dataset", "group"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """Where `until settled` ended before the last look. The p-values are those between which the p of the full design
    lies, after the correction of its family; scores, difference and interval are of the partitions that were run."""

    look: Count  # at which the comparison ended, from 1
    looks: Count
    partitions: Count  # run
    of: Count  # declared
    decision: Decision  # of the full design
    p_low: Share
    p_high: Share


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
    adjusted_p: Share | None
    alpha: Level
    family: str
    decision: Decision
    matters: Matters = "no-rope"
    correction: str = "uncorrected"
    family_size: Count = 1  # as planned
    family_missing: Count = 0  # tests of the family that could not be computed; they count
    family_blocks: Count = 1  # parts of the family that share its level: a post-hoc of all pairs is one
    settled_pairs: Count | None = None  # of an omnibus: pairs of the same place that are settled; None: none was tested
    question: int = 8
    posthoc: bool = False  # this pair is a post-hoc of the omnibus test of the same comparison
    rope: Size | None = None
    scores: tuple[LearnerScore, ...] = ()  # in the order of `learners`
    unmet: tuple[str, ...] = ()  # conditions that did not hold, one sentence each
    power: Power | None = None
    corrected_interval: Interval | None = None  # of a test that is not the only one of its family
    equivalence_interval: Interval | None = None  # at 1 - 2 alpha, two-sided; where a margin was given
    undecided_because: str = ""
    units: str = ""  # of a table of items: "198 items, 5 epochs each"
    on_these: OnThese | None = None  # of a pair whose verdict is about datasets or groups like these
    datasets: tuple[str, ...] = ()  # over datasets: those that gave a score
    differences: tuple[float, ...] = ()  # only in older files; see `paired`
    rows: tuple[float, float] | None = None  # trained and tested on, mean over the folds; None: unknown
    stopped: Stopped | None = None  # under `until settled`: ended before the last look, so that p is not known

    @property
    def pair(self) -> bool:
        """Whether this is about two learners."""
        return len(self.learners) == 2

    @property
    def posterior(self) -> Posterior | None:
        """The posterior probabilities of a Bayesian test."""
        return self.test.posterior if self.test is not None else None

    @property
    def paired(self) -> tuple[float, ...]:
        """Of a pair tested over datasets: first minus second on each of them."""
        if self.differences or not self.pair or self.test is None or len(self.scores) != 2:
            return self.differences
        first, second = self.scores
        return tuple(a - b for a, b in zip(first.each, second.each, strict=False))  # () without a score

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
    def answer(self) -> Decision:
        """The decision; "equivalent" where no difference was found and its interval lies inside the margin."""
        inside = self.pair and self.decision == "not-settled" and self.matters == "too-small"
        return "equivalent" if inside else self.decision

    @property
    def settled(self) -> bool:
        """Whether the null was rejected after correction."""
        return self.decision in ("first-better", "second-better", "differ", "equivalent", "not-equivalent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Mean ranks over datasets (1 is best) and, with nemenyi only, the critical difference."""

    comparison: str
    metric: str
    learners: tuple[str, ...]
    ranks: tuple[float, ...]
    n_datasets: Count
    critical_difference: Size | None = None
    test: str = ""  # the test that joins or parts pairs: nemenyi, wilcoxon
    joined: tuple[tuple[str, str], ...] = ()  # pairs without a significant difference after correction
    untested: tuple[tuple[str, str], ...] = ()  # pairs that the design leaves out


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The score of one learner on one dataset, with an interval."""

    comparison: str
    learner: str
    dataset: str
    metric: str
    score: Finite | None
    interval: Interval | None
    method: str
    question: int = 6
    trained_again: bool = False  # `train N times`: several trainings on one training set
    rows: tuple[float, float] | None = None  # trained and tested on, mean over the folds; None: unknown
    n_units: Count = 0
    unit: str = ""
    spread: Size | None = None
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
    partition: Index
    fold: Index
    kind: str
    message: str
    training: Index = 0
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
    partition: tuple[Index, ...] = ()
    fold: tuple[Index, ...] = ()
    training: tuple[Index, ...] = ()
    metric: tuple[str, ...] = ()
    score: tuple[Finite | None, ...] = ()
    trained: tuple[Index, ...] = ()
    tested: tuple[Index, ...] = ()

    @classmethod
    def of(cls, rows: list[ScoreRow]) -> Scores:
        """Return the columns of these rows."""
        if not rows:
            return cls()
        columns = list(zip(*rows, strict=True))
        return cls(**dict(zip(ScoreRow._fields, columns, strict=True)))

    def rows(self) -> Iterator[ScoreRow]:
        """Return the rows of these columns."""
        columns = (getattr(self, name) for name in ScoreRow._fields)
        return map(ScoreRow._make, zip(*columns, strict=True))

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
    scores: tuple[tuple[tuple[Finite, ...], ...], ...]
    means: tuple[tuple[str, tuple[Finite, ...]], ...]  # metric, and the mean of each learner in it
    groups: tuple[str, ...] = ()  # of each item; (): they stand alone
    contents: tuple[str, ...] = ()  # the hash of each item's text; (): the source holds none

    def rows(self) -> Iterator[ItemRow]:
        """Yield one row for each score."""
        for learner, of_items in zip(self.learners, self.scores, strict=True):
            for place, (item, epochs) in enumerate(zip(self.items, of_items, strict=True)):
                group = self.groups[place] if self.groups else ""
                content = self.contents[place] if self.contents else ""
                for epoch, score in enumerate(epochs, start=1):
                    yield ItemRow(learner, item, epoch, group, content, score)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionResult:
    """What one partition alone would have shown: Bradford and Brodley's spread."""

    comparison: str
    dataset: str
    metric: str
    learners: tuple[str, str]
    partition: Index
    statistic: float | None
    pvalue: Share | None
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
    x: tuple[Finite, ...]
    y: tuple[Finite, ...]
    weight: tuple[Finite, ...] = ()
    partition: Index = -1
    fold: Index = -1
    calibrated: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One candidate of tuning in one trial: its score on the tuning rows, and whether it was chosen for the metric."""

    comparison: str
    learner: str
    dataset: str
    partition: Index
    fold: Index
    metric: str
    setting: tuple[tuple[str, str | int | float | bool | None], ...]
    score: Finite | None
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The score of predicting the share of positives: the zero of normalised scores (Caruana 2.3)."""

    comparison: str
    dataset: str
    metric: str
    score: Finite


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerCost:
    """What one learner on one dataset took: medians over its trials, and in all. No two runs agree in these."""

    comparison: str
    learner: str
    dataset: str
    trials: Count
    fit: Size  # seconds to train the learner that was tested
    predict: Size
    trial: Size | None  # with tuning and calibration
    total: Size | None
    memory: Count | None  # bytes by which a process grew at most during one of the trials


AggregateName = Literal["iqm", "mean", "median", "optimality-gap"]
ORDERED = 0.2  # below it one is called almost stochastically larger: at .5 equal learners are so in 12% and more
BETTER = 0.75  # Bouthillier and others (2021): a learner worth preferring beats the other in three pairs of four


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """One aggregate of one learner with its interval, for new runs on these tasks."""

    learner: str
    name: AggregateName
    value: Finite
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Improvement:
    """How often a run of the first learner is better than one of the second, ties counting half."""

    first: str
    second: str
    probability: Share  # mean over the tasks
    interval: Interval
    tasks: Count
    order: Share | None = None  # almost stochastic order of the leader: 0 at best, .5 says nothing; the worst task

    @property
    def mostly(self) -> bool:
        """Whether the first is better in at least three pairs of runs of four."""
        return self.interval.low >= BETTER


@dataclass(frozen=True, slots=True, kw_only=True)
class PerformanceProfile:
    """The share of runs of one learner that reach each score, the mean over tasks; the bands are for single scores."""

    learner: str
    scores: tuple[Finite, ...]
    shares: tuple[Share, ...]
    low: tuple[Share, ...]
    high: tuple[Share, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Runs(Shown):
    """Runs of every learner on the tasks of a benchmark, and of every pair who is better how often."""

    aggregates: tuple[Aggregate, ...]
    improvements: tuple[Improvement, ...]
    profiles: tuple[PerformanceProfile, ...] = ()
    comparison: str = ""
    metric: str = ""  # its label
    runs: Count = 0  # of each learner on each task; 0: they differ
    tasks: Count = 0
    needed: Count = (
        0  # runs of each per task with power .95 to show who is better, if that one is in three pairs of four
    )

    def __str__(self) -> str:
        lines = [
            f"{a.learner}  {a.name} {a.value:.4g}  {a.interval.level:.0%} interval {a.interval.low:.4g} to "
            f"{a.interval.high:.4g}"
            for a in self.aggregates
        ]
        lines += [
            f"{one.first} above {one.second} with probability {one.probability:.3f}, {one.interval.level:.0%} interval "
            f"{one.interval.low:.3f} to {one.interval.high:.3f}"
            for one in self.improvements
        ]
        return "\n".join([*lines, "The intervals are for new runs on these tasks, each by itself and not corrected."])


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingChoice:
    """What one training chose beside its settings: the threshold of the second class, the rounds it ended after."""

    comparison: str
    learner: str
    dataset: str
    partition: Index
    fold: Index
    training: Index
    metric: str  # what its settings were tuned for, "" where they serve all metrics
    threshold: Finite | None = None
    rounds: Count | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetFacts:
    """What was really read of a dataset."""

    name: str
    rows: Count
    features: Count
    task: str = ""
    classes: Count | None = None
    smallest_class: Share | None = None  # its share
    missing: Share | None = None  # share of empty cells
    groups: Count | None = None
    series: Count | None = None
    digest: str = ""
    left_out: tuple[tuple[str, int], ...] = ()  # rows that were read and not kept: why, and how many


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationOutcome:
    """One cell of a simulation: how often the test rejected."""

    name: str
    kind: Literal["type-I", "power"]
    subject: str
    settings: tuple[tuple[str, float], ...]
    rate: Share
    interval: Interval | None
    trials: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class LookCount:
    """Which look at its rows a comparison is, as the ledger counts."""

    comparison: str
    number: Count  # from 1
    before: tuple[tuple[str, str, str], ...] = ()  # (when, script, comparison) of the looks before it
    declared: Count | None = None  # `within 50 looks`
    corrected: bool = False  # over everything so far


TRIAL = ("comparison", "learner", "dataset", "partition", "fold", "training", "tuned_for")
PREDICTIONS = (*TRIAL, "row", "truth", "label", "score")  # and `score of CLASS` for each of three classes or more
TIMES = (*TRIAL, "fit_seconds", "predict_seconds", "trial_seconds", "memory", "bytes", "trained", "tested")
FOLDS = ("comparison", "dataset", "learners", "scheme", "partition", "fold", "row", "part")
TRIAL_FRAMES = {"predictions": PREDICTIONS, "times": TIMES, "folds": FOLDS}
