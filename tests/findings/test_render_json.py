"""`lint --format json` follows its published schema, whatever the names contain."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from evalang.findings.render_json import document

from .hostile import NAMES, script
from .scripts import PATH, linted

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "schema" / "lint.schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_give_valid_json(name: str) -> None:
    report = linted(script(name))
    text = json.dumps(document([(PATH, report)]), allow_nan=False)
    text.encode("utf-8")
    jsonschema.validate(json.loads(text), SCHEMA)


def test_places_and_edits() -> None:
    report = linted(
        'dataset d from csv "d.csv", target "y" because "r"\ncompare decision-tree vs naive-bayes on d using 5x2cv\n'
    )
    (file,) = json.loads(json.dumps(document([("a.eval", report)])))["files"]
    (found,) = [f for f in file["findings"] if f["code"] == "EV310"]
    assert file["path"] == "a.eval"
    assert (found["line"], found["column"], found["end_line"], found["end_column"]) == (2, 49, 2, 54)
    assert found["fix"]["safe"] is True
    assert found["fix"]["edits"] == [{"line": 2, "column": 54, "end_line": 2, "end_column": 54, "text": ", seed 1"}]
    assert {"code": "EV501", "name": "uncorrected"} in file["passed"]
    assert {"code": "EV703", "name": "no-evidence", "reason": "no claim is made"} in file["not_applicable"]


def test_allowed_findings_carry_the_reason() -> None:
    report = linted(script("d"))
    (file,) = json.loads(json.dumps(document([(PATH, report)])))["files"]
    assert [(a["code"], a["reason"]) for a in file["allowed"]] == [("EV401", "repeats d")]


def test_the_schema_tells_right_from_wrong() -> None:
    good = document([(PATH, linted(script("d")))])
    bad = json.loads(json.dumps(good))
    bad["files"][0]["findings"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(bad, SCHEMA)
