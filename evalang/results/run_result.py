"""The result of a whole run: one frozen record from which every text, table and picture is made, and its JSON both
ways.
"""

from __future__ import annotations

import dataclasses
import gc
import json
import math
from dataclasses import dataclass, field
from typing import Any, Literal

from ..codec import field_names, is_record
from ..errors import ScriptError
from ..language.text import Edit, Finding, Fix, Span, Subject
from ..plans.canonical import from_json as plan_from_json
from ..plans.canonical import to_json as plan_to_json
from ..plans.model import Plan
from ..plans.shape import fits
from .column_wise import alike, read, table
from .records import (
    Baseline,
    ClaimOutcome,
    Curve,
    Effect,
    Estimate,
    Interval,
    ItemScores,
    LearnerCost,
    LearnerScore,
    MissingScore,
    OnThese,
    PartitionResult,
    Posterior,
    Power,
    Ranking,
    Scores,
    Stopped,
    TestResult,
    Tried,
    Verdict,
)
from .run_aggregates import Aggregate, Improvement, PerformanceProfile, Runs
from .sound import out_of_range, unsound
from .training_choice import TrainingChoice

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
    series: int | None = None
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
class LookCount:
    """Which look at its rows a comparison is, as the ledger counts."""

    comparison: str
    number: int  # from 1
    before: tuple[tuple[str, str, str], ...] = ()  # (when, script, comparison) of the looks before it
    declared: int | None = None  # `within 50 looks`
    corrected: bool = False  # over everything so far


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
    halves: Scores = field(default_factory=Scores)  # of `N halvings`: folds of the first half, then of the second
    items: tuple[ItemScores, ...] = ()
    runs: tuple[Runs, ...] = ()  # of comparisons on tables of seeds
    partitions: tuple[PartitionResult, ...] = ()
    curves: tuple[Curve, ...] = ()
    candidates: tuple[Tried, ...] = ()
    choices: tuple[TrainingChoice, ...] = ()  # of learners that choose a threshold or end their training early
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
    head: str = ""  # the hash of the ledger's newest line when the run ended
    looks: tuple[LookCount, ...] = ()
    prepared: tuple[tuple[str, str, tuple[str, ...]], ...] = ()  # (dataset, learner, what was added before it)
    costs: tuple[LearnerCost, ...] = field(default=(), compare=False)  # kept beside: no two runs agree in them
    frozen: tuple[str, ...] = ()  # code and time of the frozen design of this script; () where none was frozen

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


VERSION = 4  # since 4 many records of one kind stand column by column
_INFINITE = "infinite"
FEW, AGAIN = 100_000, 10  # values and records in a result, and so many more for each of its characters
_AGAIN = "run the script again"
_DATACLASSES: tuple[type, ...] = (
    Interval,
    Effect,
    Posterior,
    TestResult,
    LearnerScore,
    Power,
    OnThese,
    Verdict,
    Ranking,
    Estimate,
    ClaimOutcome,
    MissingScore,
    Scores,
    ItemScores,
    PartitionResult,
    Curve,
    Tried,
    TrainingChoice,
    Baseline,
    DatasetFacts,
    SimulationOutcome,
    LookCount,
    Aggregate,
    Improvement,
    PerformanceProfile,
    Runs,
    Stopped,
    RunResult,
)
_FIRST: dict[str, type] = {"Judgement": RunResult, "Failure": MissingScore, "Candidate": Tried}  # names of version 1
_RECORDS: tuple[type, ...] = (Edit, Fix, Subject, Finding)
_PLAIN = frozenset({str, int, bool, type(None)})
_WRITTEN = {kind: tuple(f.name for f in dataclasses.fields(kind) if f.compare) for kind in _DATACLASSES}
_KINDS: dict[str, type] = {kind.__name__: kind for kind in (*_DATACLASSES, *_RECORDS)} | _FIRST


def _out(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, float):
        # The open end of an interval; JSON has no word for it.
        return {_INFINITE: 1 if value > 0 else -1} if math.isinf(value) else value
    if kind is tuple or kind is list:
        if alike(value, _WRITTEN):
            return table(value, _WRITTEN, _out)
        return [item if type(item) in _PLAIN else _out(item) for item in value]
    if kind in _WRITTEN:
        written = {"is": kind.__name__}
        for name in _WRITTEN[kind]:
            item = getattr(value, name)
            written[name] = item if type(item) in _PLAIN else _out(item)
        return written
    if isinstance(value, Span):
        return {"path": value.path, "start": value.start, "end": value.end}
    if isinstance(value, Plan):
        return {"is": "Plan", "plan": plan_to_json(value)}
    if is_record(value):
        return {"is": kind.__name__, **{n: _out(getattr(value, n)) for n in field_names(kind)}}
    return value


class _Reading:
    """From JSON to records, counted with every repetition: few bytes can stand for a thousand million records."""

    def __init__(self, most: int) -> None:
        self._most, self._size = most, 0

    def again(self, value: Any, times: int) -> Any:
        before = self._size
        found = self(value)
        self.count((self._size - before) * (times - 1))
        return found

    def count(self, more: int) -> None:
        self._size += more
        if self._size > self._most:
            raise ValueError("more records than its length can stand for")

    def __call__(self, value: Any) -> Any:
        if isinstance(value, list):
            self.count(len(value))
            return tuple(self(item) for item in value)
        if not isinstance(value, dict):
            return value
        self.count(1)
        if set(value) == {"path", "start", "end"}:
            return Span(value["path"], value["start"], value["end"])
        if set(value) == {_INFINITE}:
            return math.copysign(math.inf, value[_INFINITE])
        if value.get("is") == "Plan":
            return plan_from_json(value["plan"])
        if "table" in value:
            return read(value, _KINDS, self)
        kind = _KINDS[value["is"]]
        given = {name: self(item) for name, item in value.items() if name != "is"}
        if kind is Verdict:
            given.pop("equivalence", None)  # before version 3: a tost of its own, outside every family
        if kind is Finding and isinstance(given.get("subject"), str):  # version 1 kept the name alone
            given["subject"] = Subject(statement=given["subject"])
        return kind(**given)


def dumps(run: RunResult) -> str:
    """The result as JSON text; never NaN."""
    return (
        json.dumps(
            {"version": VERSION, "run": _out(run)},
            ensure_ascii=False,
            allow_nan=False,
            separators=(",", ":"),
        )
        + "\n"
    )


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def loads(text: str, where: str) -> RunResult:
    """The result of a JSON text; it is read as data of a stranger."""
    collecting = gc.isenabled()
    gc.disable()  # all that is made here is kept: looking for garbage took two fifths of the time
    try:
        return _loads(text, where)
    finally:
        if collecting:
            gc.enable()


def _loads(text: str, where: str) -> RunResult:
    try:
        held = json.loads(text, parse_constant=_no_number)
        if held["version"] > VERSION:
            raise ScriptError(f"{where} was written by a newer evalang", hint="update evalang")
        found = _Reading(FEW + AGAIN * len(text))(held["run" if held["version"] > 1 else "judgement"])
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError):
        raise ScriptError(f"{where} is not a result written by evalang", hint=_AGAIN) from None
    if (
        not isinstance(found, RunResult)
        or not fits(found, RunResult)
        or any(len(set(verdict.learners)) < 2 for verdict in found.verdicts)
    ):
        raise ScriptError(f"{where} is not a result written by evalang", hint=_AGAIN)
    if said := unsound(found):
        raise ScriptError(f"{where} is not a result that evalang can have written: it says {said}", hint=_AGAIN)
    return found


def dumps_costs(run: RunResult) -> str:
    """Times and memory as JSON text; they lie beside the result, which is the same for any number of workers."""
    return json.dumps({"version": 1, "costs": [dataclasses.asdict(one) for one in run.costs]}, indent=1) + "\n"


def loads_costs(text: str) -> tuple[LearnerCost, ...]:
    """Those of a run; none where the text is something else."""
    try:
        found = tuple(LearnerCost(**one) for one in json.loads(text, parse_constant=_no_number)["costs"])
    except (KeyError, TypeError, ValueError, RecursionError):
        return ()
    return found if all(fits(one, LearnerCost) and not out_of_range(one) for one in found) else ()
