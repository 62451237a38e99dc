"""A plan as JSON text, and what it means however it is written: its fingerprint."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from ..codec import compared_names, default_values, from_json, is_record, parse_json, to_json
from ..errors import ScriptError
from . import model

_UNORDERED = frozenset({"options", "parameters"})  # (name, value) pairs, each name once
# Fields that came later count when something is said in them, so that what said nothing keeps its fingerprint.
_LATER = frozenset({
    "divided_by", "where", "drop_repeated", "joined", "tuned_on", "rarest", "each", "threshold", "without_preparation",
    "described", "roles", "made", "tuned", "copied", "measured", "better", "epochs", "primary", "stop_early",
    "until_settled", "gap", "looks", "so_far", "series",
})  # fmt: skip
_DEFINITIONS = ("datasets", "suites", "learners", "results", "predictions")


def dumps(plan: model.Plan) -> str:
    """Return the plan as JSON text."""
    return json.dumps(to_json(plan), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def loads(text: str) -> model.Plan:
    """Return the plan of a JSON text; raise ScriptError with the first wrong field if it is none."""
    try:
        plan: model.Plan = from_json(model.Plan, parse_json(text))
    except ValueError as error:
        hint = "make one with evalang plan --format json"
        raise ScriptError(f"this is not a plan written by evalang: {str(error)[:200]}", hint=hint) from None
    return plan


def meaning(value: Any) -> Any:
    """What takes part in comparison only: no places, no spellings, no reasons for defaults, options in any order."""
    if is_record(value):
        found: list[Any] = [type(value).__name__]
        for name in compared_names(type(value)):
            held = getattr(value, name)
            said = meaning(sorted(held) if name in _UNORDERED else held)
            if name not in _LATER:
                found.append(said)
            elif held != default_values(type(value)).get(name):
                found.append([name, said])
        return found
    if isinstance(value, tuple | list):
        return [meaning(item) for item in value]
    return value


def fingerprint(plan: model.Plan) -> str:
    """A digest that formatting, comments and the order of definitions do not change; a path of the script neither."""
    parts = []
    for name in compared_names(type(plan)):
        value = getattr(plan, name)
        if name in _DEFINITIONS:
            parts.append([name, *(meaning(v) for v in sorted(value, key=lambda v: str(v.name)))])
        elif name != "script":
            parts.append([name, meaning(value)])
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
