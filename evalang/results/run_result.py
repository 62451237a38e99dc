"""The result of a whole run, from which every text, table and figure is made, and its JSON both ways."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, is_dataclass
from typing import Any

from ..codec import UNWRITTEN, WrongField, from_json, parse_json, to_json
from ..errors import ScriptError
from ..language.text import Finding
from ..plans.model import Plan
from . import records
from .records import (
    Baseline,
    ClaimOutcome,
    Count,
    Curve,
    DatasetFacts,
    Estimate,
    ItemScores,
    LearnerCost,
    LookCount,
    MissingScore,
    PartitionResult,
    Ranking,
    Runs,
    Scores,
    SimulationOutcome,
    TrainingChoice,
    Tried,
    Verdict,
)

KEPT = "kept"


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
    trials: Count = 0  # fitted for this run
    reused: Count = 0  # taken from the store
    ledger: str = ""  # KEPT, or why this run is in no ledger; "": none was asked for
    head: str = ""  # the hash of the ledger's newest line when the run ended
    looks: tuple[LookCount, ...] = ()
    prepared: tuple[tuple[str, str, tuple[str, ...]], ...] = ()  # (dataset, learner, what was added before it)
    costs: tuple[LearnerCost, ...] = field(default=(), compare=False, metadata=UNWRITTEN)  # in a file of their own
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
_IN_TABLES = frozenset(kind for kind in vars(records).values() if isinstance(kind, type) and is_dataclass(kind))
_FEWEST_VALUES, _VALUES_PER_CHARACTER = 100_000, 10  # a text may stand for so many values, repetitions counted
_AGAIN = "run the script again"
_FIRST_NAMES = {"Judgement": "RunResult", "Failure": "MissingScore", "Candidate": "Tried"}  # of version 1


def dumps(run: RunResult) -> str:
    """Return the result as JSON text; it never holds NaN."""
    return "".join(json_pieces(run))


def json_pieces(run: RunResult) -> Iterator[str]:
    """Yield the JSON text of a result in pieces, such as a column of verdicts: the whole may be large."""
    written = to_json(run, tables=_IN_TABLES)
    written["plan"] = {"is": "Plan", "plan": written["plan"]}
    yield from _pieces({"version": VERSION, "run": written}, levels=4)
    yield "\n"


def _pieces(value: Any, levels: int) -> Iterator[str]:
    """Yield the JSON text of a value, that of dictionaries item by item; items are dropped once they are written."""
    if not levels or not isinstance(value, dict):
        yield json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return
    start = "{"
    for name in list(value):
        yield f"{start}{json.dumps(name, ensure_ascii=False)}:"
        yield from _pieces(value.pop(name), levels - 1)
        start = ","
    yield "}" if start == "," else "{}"


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pause the garbage collector: where nothing made is garbage, looking for it takes up to two fifths of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def loads(text: str, where: str) -> RunResult:
    """Return the result of a JSON text of any version; raise ScriptError if it is none, or contradicts itself."""
    with collection_paused():
        run = _read(text, where)
    wrong = next(filter(None, map(_contradiction, run.verdicts)), "")
    if wrong:
        raise ScriptError(f"{where} is not a result that evalang can have written: it contains {wrong}", hint=_AGAIN)
    return run


def _read(text: str, where: str) -> RunResult:
    try:
        document = parse_json(text)
        version = document["version"]
        if version > VERSION:
            raise ScriptError(f"{where} was written by a newer evalang", hint="update evalang")
        data = document["run"] if version > 1 else document["judgement"]
        data = data if version > 2 else _upgraded(data)
        data["plan"] = data["plan"]["plan"]
        run: RunResult = from_json(RunResult, data, _FEWEST_VALUES + _VALUES_PER_CHARACTER * len(text))
        return run
    except WrongField as error:
        raise ScriptError(f"{where} is not a result written by evalang: {error}", hint=_AGAIN) from None
    except (KeyError, TypeError, ValueError, RecursionError):
        raise ScriptError(f"{where} is not a result written by evalang", hint=_AGAIN) from None


def _upgraded(data: Any) -> Any:
    """Return data of version 1 or 2 as version 3 wrote it."""
    if isinstance(data, list):
        return [_upgraded(item) for item in data]
    if not isinstance(data, dict):
        return data
    found = {name: _upgraded(item) for name, item in data.items()}
    found |= {"is": _FIRST_NAMES.get(found["is"], found["is"])} if "is" in found else {}
    if found.get("is") == "Verdict":
        found.pop("equivalence", None)  # an equivalence test of its own, outside every family
    if found.get("is") == "Finding" and isinstance(found.get("subject"), str):
        found["subject"] = {"is": "Subject", "statement": found["subject"]}
    return found


def _contradiction(verdict: Verdict) -> str:
    """Say how a verdict contradicts its p; "" for one that follows from it."""
    if len(set(verdict.learners)) < 2:
        return "a verdict about fewer than two learners"
    if not verdict.settled:
        return ""
    if verdict.test is None:
        return f"{verdict.decision} without a test"
    if verdict.test.posterior is not None:
        return ""
    if verdict.decision == "not-equivalent":  # follows from the interval; its p is that of equivalence
        interval, margin = verdict.interval, verdict.rope or 0.0
        beyond = interval is not None and (interval.low > margin or interval.high < -margin)
        return "" if beyond else "not-equivalent with an interval that is not outside the margin"
    p = verdict.stopped.p_high if verdict.stopped is not None else verdict.adjusted_p
    if p is None or p > verdict.alpha + 1e-9:
        return f"{verdict.decision} with {'no p' if p is None else f'p {p:.6g}'} at level {verdict.alpha:.6g}"
    return ""


def dumps_costs(run: RunResult) -> str:
    """Return times and memory as JSON text; they have a file of their own, for no two runs agree in them."""
    return json.dumps({"version": 1, "costs": to_json(run.costs, tagged=False)}, indent=1) + "\n"


def loads_costs(text: str) -> tuple[LearnerCost, ...]:
    """Return the costs of a run; () where the text is something else."""
    try:
        found: tuple[LearnerCost, ...] = from_json(tuple[LearnerCost, ...], parse_json(text)["costs"])
        return found
    except (KeyError, TypeError, ValueError):
        return ()
