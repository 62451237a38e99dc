"""Every rule on small scripts: what it must find, and the near misses on which it must stay silent."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from evalang.catalogue.tests import TESTS
from evalang.findings.engine import lint
from evalang.findings.rules import RULES, find_rule
from evalang.language.text import SourceText
from evalang.plans.build import build

from .cases import CASES, Case, all_cases, report_on
from .made_run import made_run
from .make_messages import PATH as MESSAGES
from .make_messages import messages
from .scripts import PATH, linted

NEIGHBOURS = Path(__file__).with_name("neighbours.eval").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_cases(name: str) -> None:
    rule = find_rule(name)
    assert rule is not None
    own = CASES[name]
    found = {str(case): _found(case) for case in own}
    assert found == {str(case): case.expected for case in own}
    assert all(case.bad == any(code == rule.code for _, code in case.expected) for case in own)


def _found(case: Case) -> set[tuple[int, str]]:
    rule = find_rule(case.rule)
    assert rule is not None
    report = report_on(case)
    assert report.asked is not None
    source = report.sources[PATH]
    graver = [f for f in report.findings if f.level != "note" and (f.code != "EV004" or rule.code == "EV004")]
    notes = [f for f in report.asked.findings if f.level == "note" and f.code == rule.code]  # a report tells one
    allowed = [a.finding for a in report.allowed]
    return {(source.position(f.span.start).line, f.code) for f in (*graver, *notes) if f not in allowed}


def test_the_neighbours_are_clean() -> None:
    assert [f for f in linted(NEIGHBOURS).findings if f.level != "note"] == []


@pytest.mark.parametrize("name", CASES)
def test_what_stands_beside_it_changes_nothing(name: str) -> None:
    above = NEIGHBOURS.count("\n")
    for case in CASES[name][::3]:
        if case.profiles is None and case.run is None:  # facts name statements by their number
            found = {(line - above, code) for line, code in _found(replace(case, text=NEIGHBOURS + case.text))}
            assert {one for one in found if one[0] > 0} == case.expected, case


def test_what_is_said() -> None:
    """Read messages.json as a reviewer would; `python docs/make_all.py` writes it anew."""
    assert messages() == json.loads(MESSAGES.read_text(encoding="utf-8"))


def test_messages_name_things_and_end_without_a_stop() -> None:
    for rule, scripts in json.loads(MESSAGES.read_text(encoding="utf-8")).items():
        for title, found in scripts.items():
            assert found, f"{rule}: {title}"
            for one in found:
                assert one["message"][-1] not in ".!", one
                assert one["help"], one
                assert not re.search(r"\b(classifiers? algorithm|estimators?)\b", one["message"]), one


def test_every_rule_has_two_bad_and_two_good_scripts() -> None:
    own = {rule.code: [case.bad for case in CASES[rule.name]] for rule in RULES if rule.code != "EV901"}
    assert not [code for code, bad in own.items() if sum(bad) < 2 or len(bad) - sum(bad) < 2]


@pytest.mark.parametrize("case", [c for c in all_cases() if c.profiles or c.run], ids=str)
def test_stage_by_stage_says_what_all_at_once_says(case: Case) -> None:
    built = build(SourceText(PATH, case.text))
    run = made_run(built.plan, case.run) if case.run is not None else None
    designed = lint(built)
    opened = lint(built, profiles=case.profiles, past=case.past, before=designed)
    staged = lint(built, profiles=case.profiles, past=case.past, run=run, before=opened)
    whole = lint(built, profiles=case.profiles, past=case.past, run=run)
    assert staged == whole


ITEMS = 'results answers from csv "a.csv" as score ~ model | item / epoch, groups "passage", measuring accuracy\n'
OVER = frozenset(test.name for test in TESTS if test.evidence.startswith("dataset-"))


@pytest.mark.parametrize("by", ["", *(test.name for test in TESTS)])
def test_of_items_nothing_is_said_of_rows_or_datasets(by: str) -> None:
    """Only a test that is made for scores of datasets says that it needs those."""
    for who in ("a vs b", "a vs b vs c"):
        clause = f" by {by}," if by else ""
        for found in linted(f"{ITEMS}compare {who} on answers{clause} seed 1\n").findings:
            said = f"{found.message} {found.help}"
            assert not re.search(r"\brows?\b(?!-t)", said.replace("row-t", "")), said
            assert by in OVER or "dataset" not in said, said
