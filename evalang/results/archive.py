"""The result object as JSON, both ways, so that a report of a finished run needs no fit and no test computed again."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

from ..errors import ScriptError
from ..plans.canonical import from_json as plan_from_json
from ..plans.canonical import to_json as plan_to_json
from ..plans.model import Plan
from ..plans.shape import fits
from ..source.finding import Edit, Finding, Fix, Subject
from ..source.record import Record
from ..source.span import Span
from .run_result import DatasetFacts, RunResult, SimulationOutcome
from .test_result import Effect, Interval, Posterior, TestResult
from .trial_rows import Baseline, Curve, ItemScores, MissingScore, PartitionResult, Scores, Tried
from .verdict import ClaimOutcome, Estimate, LearnerScore, Power, Ranking, Verdict

VERSION = 3
_INFINITE = "infinite"
_DATACLASSES: tuple[type, ...] = (
    Interval,
    Effect,
    Posterior,
    TestResult,
    LearnerScore,
    Power,
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
    Baseline,
    DatasetFacts,
    SimulationOutcome,
    RunResult,
)
_FIRST: dict[str, type] = {"Judgement": RunResult, "Failure": MissingScore, "Candidate": Tried}  # names of version 1
_RECORDS: tuple[type[Record], ...] = (Edit, Fix, Subject, Finding)
_KINDS: dict[str, type] = {kind.__name__: kind for kind in (*_DATACLASSES, *_RECORDS)} | _FIRST


def _out(value: Any) -> Any:
    if isinstance(value, Span):
        return {"path": value.path, "start": value.start, "end": value.end}
    if isinstance(value, Plan):
        return {"is": "Plan", "plan": plan_to_json(value)}
    if isinstance(value, Record):
        return {"is": type(value).__name__, **{n: _out(getattr(value, n)) for n in value._fields}}
    if dataclasses.is_dataclass(value):
        return {"is": type(value).__name__, **{f.name: _out(getattr(value, f.name)) for f in dataclasses.fields(value)}}
    if isinstance(value, tuple | list):
        return [_out(item) for item in value]
    if isinstance(value, float) and math.isinf(value):
        return {_INFINITE: 1 if value > 0 else -1}  # the open end of an interval; JSON has no word for it
    return value


def _in(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_in(item) for item in value)
    if not isinstance(value, dict):
        return value
    if set(value) == {"path", "start", "end"}:
        return Span(value["path"], value["start"], value["end"])
    if set(value) == {_INFINITE}:
        return math.copysign(math.inf, value[_INFINITE])
    if value.get("is") == "Plan":
        return plan_from_json(value["plan"])
    kind = _KINDS[value["is"]]
    given = {name: _in(item) for name, item in value.items() if name != "is"}
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
    try:
        held = json.loads(text, parse_constant=_no_number)
        if held["version"] > VERSION:
            raise ScriptError(f"{where} was written by a newer evalang", hint="update evalang")
        found = _in(held["run" if held["version"] > 1 else "judgement"])
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise ScriptError(f"{where} is not a result written by evalang", hint="run the script again") from None
    if not isinstance(found, RunResult) or not fits(found, RunResult):
        raise ScriptError(f"{where} is not a result written by evalang", hint="run the script again")
    return found
