"""Writes plan.schema.json, the JSON Schema of what `evalang plan --format json` prints."""

from __future__ import annotations

import json
from pathlib import Path

from evalang.plans.description import plan_schema

Path(__file__).with_name("plan.schema.json").write_text(
    json.dumps(plan_schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
)
