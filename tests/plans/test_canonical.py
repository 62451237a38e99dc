"""JSON both ways, the published schema, and what changes a fingerprint."""

# ruff: noqa: E501  a script reads best in one line
from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalang.codec import to_json
from evalang.errors import ScriptError
from evalang.language.files import read_script
from evalang.language.format import format_script
from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.plans.description import dumps, fingerprint, loads, plan_schema
from evalang.plans.model import Plan
from tests.support.plans import TABLES, planned

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = [*sorted((ROOT / "tests" / "scripts" / "good").glob("*.eval")), ROOT / "docs" / "quickstart.eval"]
FULL = """
dataset e from csv "e.csv"(separator = ";"), target "y", positive 1, missing "?", drop "id", groups "g", tested on csv "f.csv"
suite both is a, b because "all there are"
results old from csv "old.csv" as accuracy ~ learner | dataset / fold
predictions p from csv "p.csv", truth "y", learners in "u", "v"
compare tuned vs five vs t on both using stratified 10x10cv, tune on 20% for mcc, calibrate on 10%, control t,
  holm over datasets, metrics, at 1%, seed 3, rope 1 point, measuring accuracy, f-score(average = "macro"),
  failures count as worst, as main, because "why", allow EV202 because "so"
compare t vs n on a using holdout 500 rows, by mcnemar, expecting t better because "nested"
compare u vs v on p
compare all on old by friedman, nemenyi, complete cases
estimate t on a using 8 trainings of 300
claim tuned no worse than t within 1% on both according to main
simulate power of main with difference 1%, 2%, seed 1
report main to "out.html"
set allow EV310 because "x"
"""


def plan_of(text: str) -> Plan:
    return planned(text).plan


def printed(plan: Plan) -> dict[str, object]:
    return {"fingerprint": fingerprint(plan), "plan": to_json(plan)}


def test_the_schema_in_docs_is_current() -> None:
    kept = json.loads((ROOT / "docs" / "schema" / "plan.schema.json").read_text(encoding="utf-8"))
    assert kept == plan_schema(), "run: python docs/make_all.py"
    jsonschema.Draft202012Validator.check_schema(kept)


VALIDATOR = jsonschema.Draft202012Validator(plan_schema())


@pytest.mark.parametrize("path", [None, *SCRIPTS], ids=lambda path: path.name if path else "everything")
def test_every_script_goes_both_ways_and_fits_the_schema(path: Path | None) -> None:
    plan = build(read_script(path)).plan if path else plan_of(TABLES + FULL)
    VALIDATOR.validate(printed(plan))
    back = loads(dumps(plan))
    assert (back, hash(back)) == (plan, hash(plan))
    assert to_json(back) == to_json(plan)  # what does not take part in comparison too


# ------------------------------------------------------------------ what is no plan


COMPARISON = ("comparisons", 0)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), "one"),
        (("datasets", 0, "extra"), 1),
        (("datasets", 0, "source", "address"), "postgresql://me:secret@host"),
        (("learners", 0, "steps"), {"surprise": 1}),
        ((*COMPARISON, "name"), 3),
        ((*COMPARISON, "data"), "nothing"),
        ((*COMPARISON, "learners"), "t"),
        ((*COMPARISON, "alpha", "value"), "0.05"),
        ((*COMPARISON, "scheme", "folds"), {"surprise": 1}),
    ],
)
def test_a_wrong_field_is_refused_by_the_schema_and_when_it_is_read(path: tuple[str | int, ...], value: object) -> None:
    plan = json.loads(dumps(plan_of(TABLES + FULL)))
    at = plan
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    assert not VALIDATOR.is_valid({"fingerprint": "0" * 64, "plan": plan})
    with pytest.raises(ScriptError):
        loads(json.dumps(plan))


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "{}", '{"is": "os.system"}', "[" * 100_000, '{"is": "Plan", "is": "Plan"}',
        '{"is": "Plan", "version": NaN, "script": "x"}', f'{{"is": "Plan", "version": {"9" * 5000}}}',
        '{"is": "Plan", "version": 1, "script": "x", "datasets": [{"is": "Part"}]}',
    ],
)  # fmt: skip
def test_what_is_no_plan_gets_a_sentence(text: str) -> None:
    with pytest.raises(ScriptError) as caught:
        loads(text)
    assert len(caught.value.message) < 300
    assert caught.value.hint


# ------------------------------------------------------------------ fingerprints


def mark(text: str) -> str:
    return fingerprint(plan_of(text))


BASE = TABLES + FULL


def test_formatting_comments_and_places_do_not_count(tmp_path: Path) -> None:
    same = mark(BASE)
    assert mark(format_script(SourceText("test.eval", BASE))) == same
    assert mark("\ufeff" + BASE.replace("\n", "   # a remark\r\n").replace(", ", ",\n\t")) == same
    assert fingerprint(build(SourceText("elsewhere/other.eval", BASE)).plan) == same
    (tmp_path / "defs.eval").write_text(TABLES)
    (tmp_path / "main.eval").write_text('include "defs.eval"\n' + FULL)
    assert fingerprint(build(read_script(tmp_path / "main.eval")).plan) == same
    assert mark(BASE.replace("at 1%", "at alpha 0.01").replace("tune on 20%", "tune on 1/5")) == same


PINNED: dict[str, str] = json.loads((Path(__file__).parent / "fingerprints.json").read_text())


@pytest.mark.parametrize("path", PINNED)
def test_a_fingerprint_never_changes(path: str) -> None:
    """Frozen designs of earlier versions are recognised by it; a renamed record or field would change it."""
    assert fingerprint(build(read_script(ROOT / path)).plan) == PINNED[path]


@settings(max_examples=12, deadline=None)
@given(st.permutations([line for line in TABLES.split("\n") if line]))
def test_the_order_of_definitions_does_not_count(lines: list[str]) -> None:
    assert mark("\n".join(lines) + FULL) == mark(BASE)
    assert mark(FULL + "\n".join(lines)) == mark(BASE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"a.csv"', '"z.csv"'),
        ("max_depth in {2, 4, 8}, min", "max_depth in {2, 4, 9}, min"),
        ("10x10cv", "10x5cv"),
        ("control t", "control five"),
        ("holm over datasets, metrics", "holm over datasets"),
        ("rope 1 point", "rope 2 points"),
        ("complete cases", ""),
        ('allow EV202 because "so"', ""),
        ("tuned vs five vs t on both", "five vs tuned vs t on both"),
    ],
)
def test_a_change_of_meaning_counts(old: str, new: str) -> None:
    assert BASE.count(old) >= 1
    changed = BASE.replace(old, new, 1)
    assert mark(changed) != mark(BASE)
