"""SARIF 2.1.0: the OASIS schema where it is at hand, and always what consumers rely on."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import jsonschema
import pytest

from evalang.findings.render_json import sarif, uri
from evalang.findings.rules import RULES

from .hostile import NAMES, script
from .scripts import linted

SCHEMA = os.environ.get(
    "EVALANG_SARIF_SCHEMA", ""
)  # path of the schema, as the npm package @microsoft/jest-sarif has it


@pytest.mark.skipif(not SCHEMA, reason="EVALANG_SARIF_SCHEMA names no schema")
@pytest.mark.parametrize("name", NAMES)
def test_valid_against_the_oasis_schema(name: str) -> None:
    found = json.loads(json.dumps(sarif([linted(script(name))], "1.0"), allow_nan=False))
    jsonschema.Draft7Validator(json.loads(Path(SCHEMA).read_text(encoding="utf-8"))).validate(found)


@pytest.mark.parametrize("name", NAMES)
def test_results_point_to_rules_and_places(name: str) -> None:
    text = script(name)
    found = json.loads(json.dumps(sarif([linted(text)], "1.0"), allow_nan=False))
    (run,) = found["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.code for rule in RULES]
    lines = text.split("\n")
    assert run["results"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert 1 <= region["startLine"] <= len(lines)
        assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])


def test_allowed_findings_are_suppressed_with_the_reason() -> None:
    (run,) = json.loads(json.dumps(sarif([linted(script("d"))], "1.0")))["runs"]
    told = [r for r in run["results"] if "suppressions" in r]
    assert [(r["ruleId"], r["suppressions"][0]["justification"]) for r in told] == [("EV401", "repeats d")]


def test_every_rule_brings_its_page() -> None:
    (run,) = json.loads(json.dumps(sarif([], "1.0")))["runs"]
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["help"]["markdown"].startswith(f"# {rule['id']} ")
        assert re.fullmatch(r"[A-Za-z0-9]+", rule["name"])


def test_a_path_is_never_an_address() -> None:
    assert ":" not in uri("javascript:alert(1)")
    assert uri("a b/c#cell-1") == "a%20b/c%23cell-1"
