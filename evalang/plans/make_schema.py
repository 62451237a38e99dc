"""Writes docs/schema/plan.schema.json from the records of the plan: `python -m evalang.plans.make_schema`.

The schema says what `evalang plan --format json` prints. A test compares the file with what this makes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..codec import json_schema
from .build import VERSION
from .model import Plan

PATH = Path(__file__).resolve().parents[2] / "docs" / "schema" / "plan.schema.json"


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a printed plan."""
    found: dict[str, Any] = {}
    plan = json_schema(Plan, found)
    found["Span"]["description"] = "Characters start to end (exclusive) of a file; an empty path is nowhere."
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"evalang plan, version {VERSION}",
        "type": "object",
        "properties": {"fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "plan": plan},
        "required": ["fingerprint", "plan"],
        "additionalProperties": False,
        "$defs": dict(sorted(found.items())),
    }


def text() -> str:
    """Return the text of the file."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
