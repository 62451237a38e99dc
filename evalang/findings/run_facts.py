"""The finished run as the run-stage rules read it: plain numbers, so that this layer needs nothing from the later ones.

Differences and scores are oriented: `difference` is first minus second learner in the metric's own direction, turned so
that above zero always means the first is better.
"""

from __future__ import annotations

from typing import Literal

from ..source.record import Record

ClaimStatus = Literal["supported", "contradicted", "not settled"]


class PairRun(Record):
    """Two learners on one dataset under one metric: what the folds and the rows said."""

    comparison: str
    dataset: str
    metric: str
    first: str
    second: str
    difference: float  # mean over all folds, or on the test set
    fold_differences: tuple[tuple[float, ...], ...] = ()  # [partition][fold]; () for one test set
    discordant: tuple[int, int] | None = None  # rows only the first got right, rows only the second got right
    partition_t: tuple[float, ...] = ()  # t of each partition; () with one partition or without a t
    partition_df: float | None = None
    scores: tuple[tuple[tuple[float, ...], ...], ...] = ()  # [learner of the pair][partition][fold], as measured
    training_rows: float | None = None  # mean size of the training parts
    standard_error: float | None = None  # of `difference`, where the test has one


class Judgement(Record):
    """A test result after the correction."""

    comparison: str
    metric: str
    first: str
    second: str
    test: str
    dataset: str | None  # None: over datasets
    difference: float
    p: float | None
    adjusted_p: float | None
    alpha: float
    low: float | None = None  # interval of the difference
    high: float | None = None
    approximate: bool = False  # an approximation was used where an exact form exists
    units: int = 0


class OverRun(Record):
    """Two learners over datasets: the difference on each."""

    comparison: str
    metric: str
    first: str
    second: str
    test: str
    differences: tuple[tuple[str, float], ...]  # (dataset, difference)


class Chosen(Record):
    """What tuning chose: how often the winner lay on the rim of a parameter's values."""

    comparison: str
    dataset: str
    learner: str
    parameter: str
    values: tuple[float, ...]  # what was tried, in order
    picks: tuple[float, ...]  # one per trial


class ClaimRun(Record):
    """What became of a claim."""

    claim: str
    status: ClaimStatus
    reason: str


class RunFacts(Record):
    """Everything the run-stage rules may read."""

    pairs: tuple[PairRun, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    over: tuple[OverRun, ...] = ()
    chosen: tuple[Chosen, ...] = ()
    claims: tuple[ClaimRun, ...] = ()
