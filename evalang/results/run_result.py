"""The result of a whole run: one frozen record from which every text, table and picture is made.

Plain Python numbers only, nothing rounded, nothing worded: `reports/sentences.py` finds the words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ..plans.model import Plan
from ..source.finding import Finding
from .test_result import Interval
from .trial_rows import Baseline, Curve, ItemScores, MissingScore, PartitionResult, Scores, Tried
from .verdict import ClaimOutcome, Estimate, Ranking, Verdict

KEPT = "kept"


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
    left_out: tuple[tuple[str, int], ...] = ()  # rows that were read and not kept: why, and how many


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
class RunResult:
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
    failures: tuple[MissingScore, ...] = ()
    scores: Scores = field(default_factory=Scores)
    items: tuple[ItemScores, ...] = ()
    partitions: tuple[PartitionResult, ...] = ()
    curves: tuple[Curve, ...] = ()
    candidates: tuple[Tried, ...] = ()
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
    ledger: str = ""  # KEPT, or why this run is in no ledger; "": none was asked for

    @property
    def supported(self) -> bool:
        """Whether no claim is contradicted or unsettled (true when there is none)."""
        return all(c.status == "supported" for c in self.claims)

    @property
    def left_open(self) -> int:
        """How many verdicts and estimates are undecided where trials failed."""
        holes = {(f.comparison, f.dataset) for f in self.failures}
        undecided = (v for v in self.verdicts if v.decision == "undecided")
        asked: tuple[Verdict | Estimate, ...] = (*undecided, *self.estimates)
        return sum(
            1
            for one in asked
            if one.undecided_because and any(c == one.comparison and one.dataset in (None, d) for c, d in holes)
        )
