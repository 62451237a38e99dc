"""A plan as JSON text, and what it means however it is written: its fingerprint."""

from __future__ import annotations

import json
from dataclasses import fields
from functools import cache
from hashlib import sha256
from typing import Any

from ..codec import compared_names, default_values, from_json, is_record, json_schema, parse_json, to_json
from ..errors import ScriptError
from . import model

_UNORDERED = frozenset({"options", "parameters"})  # (name, value) pairs, each name once
_DEFINITIONS = ("datasets", "suites", "learners", "results", "predictions")


def dumps(plan: model.Plan) -> str:
    """Return the plan as JSON text."""
    return json.dumps(to_json(plan), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def loads(text: str) -> model.Plan:
    """Return the plan of a JSON text; raise ScriptError with the first wrong field if it is none."""
    try:
        plan: model.Plan = from_json(model.Plan, parse_json(text))
    except ValueError as error:
        hint = "`evalang plan --format json` writes one"
        raise ScriptError(f"this is not a plan written by evalang: {str(error)[:200]}", hint=hint) from None
    return plan


@cache
def _added_later(kind: Any) -> frozenset[str]:
    """Return the fields that are part of the fingerprint only where they are used, so that older ones hold."""
    return frozenset(f.name for f in fields(kind) if f.metadata.get("later"))


def meaning(value: Any) -> Any:
    """Return what two equal plans share: no positions, spellings or reasons, and options in any order."""
    if is_record(value):
        kind: Any = type(value)
        parts: list[Any] = [kind.__name__]
        for name in compared_names(kind):
            field_value = getattr(value, name)
            meant = meaning(sorted(field_value) if name in _UNORDERED else field_value)
            if name not in _added_later(kind):
                parts.append(meant)
            elif field_value != default_values(kind).get(name):
                parts.append([name, meant])
        return parts
    if isinstance(value, tuple | list):
        return [meaning(item) for item in value]
    return value


def fingerprint(plan: model.Plan) -> str:
    """Return a digest that formatting, comments, the order of definitions and the script's path do not change."""
    parts = []
    for name in compared_names(type(plan)):
        value = getattr(plan, name)
        if name in _DEFINITIONS:
            parts.append([name, *(meaning(v) for v in sorted(value, key=lambda v: str(v.name)))])
        elif name != "script":
            parts.append([name, meaning(value)])
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def plan_schema() -> dict[str, Any]:
    """Return the JSON Schema of what `evalang plan --format json` prints."""
    definitions: dict[str, Any] = {}
    plan = json_schema(model.Plan, definitions)
    definitions["Span"]["description"] = "Characters start to end (exclusive) of a file; an empty path is nowhere."
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"evalang plan, version {model.VERSION}",
        "type": "object",
        "properties": {"fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "plan": plan},
        "required": ["fingerprint", "plan"],
        "additionalProperties": False,
        "$defs": dict(sorted(definitions.items())),
    }
