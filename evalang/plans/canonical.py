"""A plan as JSON, both ways, and its fingerprint."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from ..errors import ScriptError
from ..source.record import Record
from ..source.span import Span
from . import model

_KINDS: tuple[type[Record], ...] = (
    model.Given,
    model.Allowance,
    model.Part,
    model.Source,
    model.Step,
    model.Dataset,
    model.Suite,
    model.Grid,
    model.Learner,
    model.ResultsTable,
    model.PredictionsTable,
    model.Scheme,
    model.Metric,
    model.Test,
    model.Tuning,
    model.Calibration,
    model.Correction,
    model.Family,
    model.Comparison,
    model.Claim,
    model.Simulation,
    model.Output,
    model.Plan,
)
KINDS: dict[str, type[Record]] = {kind.__name__: kind for kind in _KINDS}
_SECRET = frozenset({"address"})  # a database address may hold a password
_DEFINITIONS = ("datasets", "suites", "learners", "results", "predictions")


def to_json(value: Any) -> Any:
    """Plain lists and objects; a record carries its kind under `is`, a span its three numbers."""
    if isinstance(value, Span):
        return {"path": value.path, "start": value.start, "end": value.end}
    if isinstance(value, Record):
        fields = {name: to_json(getattr(value, name)) for name in value._fields if name not in _SECRET}
        return {"is": type(value).__name__, **fields}
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    return value


def from_json(value: Any) -> Any:
    """The record that `to_json` made this from; ScriptError when it is not one."""
    if isinstance(value, list):
        return tuple(from_json(item) for item in value)
    if not isinstance(value, dict):
        return value
    if set(value) == {"path", "start", "end"}:
        return Span(str(value["path"]), int(value["start"]), int(value["end"]))
    kind = KINDS.get(str(value.get("is")))
    if kind is None:
        raise ScriptError("this is not a plan written by evalang", hint="make one with evalang plan --format json")
    given = {name: from_json(item) for name, item in value.items() if name != "is"}
    try:
        return kind(**given)
    except TypeError as error:
        raise ScriptError(f"this plan cannot be read: {error}", hint="make it anew with evalang plan --format json") from None


def dumps(plan: model.Plan) -> str:
    """The plan as JSON text."""
    return json.dumps(to_json(plan), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def loads(text: str) -> model.Plan:
    """The plan of a JSON text."""
    try:
        found = from_json(json.loads(text))
    except (json.JSONDecodeError, RecursionError, ValueError, TypeError) as error:
        raise ScriptError(f"this plan is not JSON: {error}", hint="make one with evalang plan --format json") from None
    if not isinstance(found, model.Plan):
        raise ScriptError("this is not a plan written by evalang", hint="make one with evalang plan --format json")
    return found


def meaning(value: Any) -> Any:
    """What takes part in comparison only: no places, no spellings, no reasons for defaults."""
    if isinstance(value, Record):
        return [type(value).__name__, *(meaning(getattr(value, name)) for name in value._compared)]
    if isinstance(value, tuple):
        return [meaning(item) for item in value]
    return value


def fingerprint(plan: model.Plan) -> str:
    """A digest that formatting, comments and the order of definitions do not change; a path of the script neither."""
    parts = []
    for name in plan._compared:
        if name == "script":
            continue
        value = getattr(plan, name)
        parts.append([name, [meaning(v) for v in sorted(value, key=lambda v: v.name)] if name in _DEFINITIONS else meaning(value)])
    return sha256(json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")).hexdigest()


def digest(record: Record) -> str:
    """The same for one record of a plan: what a learner or a scheme means, whatever it is called in the text."""
    return sha256(json.dumps(meaning(record), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")).hexdigest()
