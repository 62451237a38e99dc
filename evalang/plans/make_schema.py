"""Writes docs/schema/plan.schema.json from the records of the plan: `python -m evalang.plans.make_schema`.

The schema says what `evalang plan --format json` prints. A test compares the file with what this makes.
"""

from __future__ import annotations

import json
from dataclasses import is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from ..language.text import Span
from .build import VERSION
from .model import Plan
from .shape import PLAIN, Value, hints

PATH = Path(__file__).resolve().parents[2] / "docs" / "schema" / "plan.schema.json"
_SPAN = {
    "description": "Characters start to end (exclusive) of a file; an empty path is nowhere.",
    "type": "object",
    "properties": {"path": {"type": "string"}, "start": {"type": "integer"}, "end": {"type": "integer"}},
    "required": ["path", "start", "end"],
    "additionalProperties": False,
}
_VALUE = {
    "description": "A value of the language, or a list of them.",
    "anyOf": [{"type": list(PLAIN.values())}, {"type": "array", "items": {"$ref": "#/$defs/Value"}}],
}


def schema() -> dict[str, Any]:
    """The JSON Schema of a printed plan."""
    found: dict[str, Any] = {}
    plan = _of(Plan, found)
    found["Span"] = _SPAN
    found["Value"] = _VALUE
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"evalang plan, version {VERSION}",
        "type": "object",
        "properties": {"fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "plan": plan},
        "required": ["fingerprint", "plan"],
        "additionalProperties": False,
        "$defs": dict(sorted(found.items())),
    }


def _of(hint: Any, found: dict[str, Any]) -> dict[str, Any]:
    if hint is Span or hint is Value:
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if hint in PLAIN:
        return {"type": PLAIN[hint]}
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _either([_of(one, found) for one in inside])
    if origin is Literal:
        return {"enum": list(inside)}
    if origin is tuple:
        return _list(inside, found)
    if isinstance(origin, type) and is_dataclass(origin):
        return _record(origin, found, inside[0])
    if hint.__name__ not in found:
        found[hint.__name__] = {}  # holds the place while its fields are looked at
        found[hint.__name__] = _record(hint, found, None)
    return {"$ref": f"#/$defs/{hint.__name__}"}


def _record(kind: type, found: dict[str, Any], value: Any) -> dict[str, Any]:
    """An object with every field; `value` stands for the type variable of a generic record."""
    fields = {n: _of(value if isinstance(h, TypeVar) else h, found) for n, h in hints(kind).items()}
    about = (kind.__doc__ or "").strip().partition("\n")[0]
    return {
        "description": about,
        "type": "object",
        "properties": {"is": {"const": kind.__name__}, **fields},
        "required": ["is", *fields],
        "additionalProperties": False,
    }


def _either(parts: list[dict[str, Any]]) -> dict[str, Any]:
    plain = [p["type"] for p in parts if set(p) == {"type"}]
    others = [p for p in parts if set(p) != {"type"}]
    if not others:
        return {"type": plain}
    return {"anyOf": [*others, *({"type": word} for word in plain)]}


def _list(inside: tuple[Any, ...], found: dict[str, Any]) -> dict[str, Any]:
    if len(inside) == 2 and inside[1] is ...:
        return {"type": "array", "items": _of(inside[0], found)}
    parts = [_of(one, found) for one in inside]
    return {"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}


def text() -> str:
    """The file."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
