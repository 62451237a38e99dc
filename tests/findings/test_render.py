"""Findings as text, JSON, SARIF and workflow commands, whatever the names of a script contain."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import jsonschema
import pytest

from evalang.findings.render_json import render_github, render_json, render_sarif, to_uri
from evalang.findings.render_text import WIDEST, render_finding, render_report, render_review, render_summary
from evalang.findings.rules import RULES

from .hostile import NAMES, script
from .scripts import PATH, linted

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "schema" / "lint.schema.json").read_text(encoding="utf-8"))
SARIF = os.environ.get("EVALANG_SARIF_SCHEMA", "")  # a path; the npm package @microsoft/jest-sarif has the file
DATA = 'dataset d from csv "d.csv", target "y" because "r"\n'
DESIGN = f"{DATA}compare decision-tree vs naive-bayes on d using 30 resamples of 2/3, by resampled-t, seed 1\n"
NO_SEED = f"{DATA}compare decision-tree vs naive-bayes on d using 5x2cv\n"
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff]")


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names(name: str) -> None:
    written = script(name)
    report = linted(written)
    shown = render_report([report])
    assert not UNSAFE.search(shown)
    shown.encode("utf-8")
    jsonschema.validate(json.loads(json.dumps(render_json([(PATH, report)]), allow_nan=False)), SCHEMA)
    commands = render_github([report]).split("\n")
    assert len(commands) == len(report.findings) + 1
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in commands[:-1])
    (run,) = json.loads(json.dumps(render_sarif([report], "1.0"), allow_nan=False))["runs"]
    assert len(run["results"]) == len(report.findings) + len(report.allowed)
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert 1 <= region["startLine"] <= len(written.split("\n"))
        assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])


@pytest.mark.skipif(not SARIF, reason="EVALANG_SARIF_SCHEMA names no schema")
def test_sarif_is_valid_against_the_oasis_schema() -> None:
    schema = jsonschema.Draft7Validator(json.loads(Path(SARIF).read_text(encoding="utf-8")))
    for name in NAMES:
        schema.validate(json.loads(json.dumps(render_sarif([linted(script(name))], "1.0"), allow_nan=False)))


def test_one_finding_word_for_word() -> None:
    report = linted(DESIGN)
    (found,) = [f for f in report.findings if f.code == "EV401"]
    assert render_finding(found, report.sources[PATH]).split("\n") == [
        "script.eval:2:73: error[EV401] the test `resampled-t` treats 30 resamples of the same rows as independent. "
        "With 30 resamples at level 5% it found differences between equal learners in 11% to 32% of cases "
        "(Dietterich 1998)",
        "  |",
        "2 | compare decision-tree vs naive-bayes on d using 30 resamples of 2/3, by resampled-t, seed 1",
        "  |                                                                         ^^^^^^^^^^^",
        "  = note: resampled-t (Dietterich 1998, sections 3.3, 5 and 8; Salzberg 1997, section 3; Nadeau and Bengio "
        "2003)",
        "  = help: write `by partition-t`, which is corrected for the shared rows",
        "  = fix: use partition-t (--fix does it)",
    ]


def test_the_underline_stands_under_the_words_after_tabs_and_in_long_lines() -> None:
    report = linted(DESIGN.replace("compare", "compare" + " " * 400).replace(" seed", "\tseed"))
    (found,) = [f for f in report.findings if f.code == "EV401"]
    shown = render_finding(found, report.sources[PATH]).split("\n")
    line, mark = shown[2].partition("| ")[2], shown[3].partition("| ")[2]
    assert len(line) <= WIDEST
    assert line[mark.index("^") : mark.index("^") + mark.count("^")] == "resampled-t"


def test_closing_lines_and_notes() -> None:
    report = linted(DESIGN)
    notes = sorted(f.code for f in report.findings if f.level == "note")
    assert render_summary([report]).split("\n") == [
        f"notes: {', '.join(notes)}; --notes shows them",
        f"1 script: 1 error, {len(notes)} notes; --fix repairs 1 of them",
    ]
    clean = linted('results r from csv "r.csv", datasets in "d", measuring accuracy\ncompare a vs b on r by wilcoxon\n')
    assert render_summary([clean]) == "1 script: nothing found"
    assert "note[" not in render_report([report])
    assert "note[" in render_report([report], notes=True)
    assert "--notes" not in render_report([report], notes=True)


def test_a_review_names_each_rule_once_with_its_source_and_every_allowance() -> None:
    shown = render_review(linted(script("d")))
    assert shown.count("; EV201)") == 1
    assert "Salzberg 1997" in shown
    assert "The authors keep resampled-t on purpose: “repeats d”." in shown
    assert "I have no objections" in render_review(linted(""))


def test_json_places_edits_and_reasons() -> None:
    (file,) = json.loads(json.dumps(render_json([("a.eval", linted(NO_SEED))])))["files"]
    (found,) = [f for f in file["findings"] if f["code"] == "EV310"]
    assert file["path"] == "a.eval"
    assert (found["line"], found["column"], found["end_line"], found["end_column"]) == (2, 49, 2, 54)
    assert found["fix"]["safe"] is True
    assert found["fix"]["edits"] == [{"line": 2, "column": 54, "end_line": 2, "end_column": 54, "text": ", seed 1"}]
    assert {"code": "EV501", "name": "uncorrected"} in file["passed"]
    assert {"code": "EV703", "name": "no-evidence", "reason": "no claim is made"} in file["not_applicable"]
    (file,) = json.loads(json.dumps(render_json([(PATH, linted(script("d")))])))["files"]
    assert [(a["code"], a["reason"]) for a in file["allowed"]] == [("EV401", "repeats d")]
    file["findings"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"version": 1, "files": [file]}, SCHEMA)


def test_sarif_brings_every_page_and_the_reason_of_what_is_suppressed() -> None:
    (run,) = json.loads(json.dumps(render_sarif([linted(script("d"))], "1.0")))["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [rule.code for rule in RULES]
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["help"]["markdown"].startswith(f"# {rule['id']} ")
        assert re.fullmatch(r"[A-Za-z0-9]+", rule["name"])
    kept = [r for r in run["results"] if "suppressions" in r]
    assert [(r["ruleId"], r["suppressions"][0]["justification"]) for r in kept] == [("EV401", "repeats d")]
    assert ":" not in to_uri("javascript:alert(1)")
    assert to_uri("a b/c#cell-1") == "a%20b/c%23cell-1"


def test_a_workflow_command() -> None:
    lines = render_github([linted(NO_SEED)]).splitlines()
    (seed,) = [line for line in lines if "EV310" in line]
    assert seed.startswith("::warning file=script.eval,line=2,endLine=2,col=49,endColumn=54,title=EV310 no-seed::")
    assert {line.split(" ")[0] for line in lines} == {"::warning", "::notice"}
