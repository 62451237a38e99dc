"""Records of runs of learners on tasks: aggregates, how often one run is above another, how many runs reach a score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .records import Interval

AggregateName = Literal["iqm", "mean", "median", "optimality-gap"]
ORDERED = 0.2  # below it one is called almost stochastically larger: at .5 equal learners are so in 12% and more
BETTER = 0.75  # Bouthillier and others (2021): a learner worth preferring beats the other in three pairs of four


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """One aggregate of one learner with its interval, for new runs on these tasks."""

    learner: str
    name: AggregateName
    value: float
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Improvement:
    """How often a run of the first learner is better than one of the second, ties counting half."""

    first: str
    second: str
    probability: float  # mean over the tasks
    interval: Interval
    tasks: int
    order: float | None = (
        None  # almost stochastic order of whoever is ahead: 0 at best, .5 says nothing; the worst task
    )

    @property
    def mostly(self) -> bool:
        """Whether it may be said that the first is better in at least three pairs of runs of four."""
        return self.interval.low >= BETTER


@dataclass(frozen=True, slots=True, kw_only=True)
class PerformanceProfile:
    """The share of runs of one learner that reach each score, the mean over tasks; the bands are for single scores."""

    learner: str
    scores: tuple[float, ...]
    shares: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Runs of every learner on the tasks of a benchmark, and of every pair who is better how often."""

    aggregates: tuple[Aggregate, ...]
    improvements: tuple[Improvement, ...]
    profiles: tuple[PerformanceProfile, ...] = ()
    comparison: str = ""
    metric: str = ""  # its label
    runs: int = 0  # of each learner on each task; 0: they differ
    tasks: int = 0
    needed: int = 0  # runs of each that show three pairs of four, two-sided, with power .95

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
