"""The page of every rule is run: the bad example gives exactly that finding, the good one nothing of weight."""

from __future__ import annotations

import pytest

from evalang.findings.page import examples, page, sections
from evalang.findings.rule import Rule
from evalang.findings.rules import RULES, find_rule

from .pasts import PASTS, PASTS_OF_THE_GOOD
from .scripts import codes, linted
from .situations import RUNS, TABLES, profiles

SHOWN = [rule for rule in RULES if rule.code != "EV901"]  # no script should make a rule crash

HEADINGS = ("What it finds", "Why it matters", "Example", "Use instead", "When it is fine", "References")


def _by_code(rule: Rule) -> str:
    return rule.code


@pytest.mark.parametrize("rule", RULES, ids=_by_code)
def test_headings(rule: Rule) -> None:
    found = sections(rule)
    assert tuple(name for name in found if name) == HEADINGS
    assert all(found.values())
    assert found[""].endswith(".")
    assert "\n" not in found[""]


@pytest.mark.parametrize("rule", SHOWN, ids=_by_code)
def test_bad_example(rule: Rule) -> None:
    (bad,) = [e for e in examples(rule) if e.bad]
    opened = profiles(rule.code) if "data" in rule.stages else None
    report = linted(
        bad.text, profiles=opened, past=PASTS.get(rule.code), run=RUNS.get(rule.code), tables=TABLES.get(rule.code, ())
    )
    if rule.level == "note":
        assert codes(report) == []
        assert codes(report, notes=True).count(rule.code) == 1
    else:
        assert codes(report) == [rule.code]


@pytest.mark.parametrize("rule", SHOWN, ids=_by_code)
def test_good_example(rule: Rule) -> None:
    (good,) = [e for e in examples(rule) if not e.bad]
    report = linted(
        good.text, profiles=profiles("") if "data" in rule.stages else None, past=PASTS_OF_THE_GOOD.get(rule.code)
    )
    assert codes(report) == []
    assert rule.code not in codes(report, notes=True)


def test_codes_names_and_order() -> None:
    assert [rule.code for rule in RULES] == sorted({rule.code for rule in RULES})
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_page_of_a_code_or_a_name() -> None:
    text = page("EV501")
    assert text is not None
    assert text == page("uncorrected") == page("ev501")
    assert text.startswith("# EV501 uncorrected\n")
    assert "eval,bad" not in text
    assert page("EV499") is None
    assert find_rule("nothing") is None
