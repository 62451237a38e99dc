"""The two levels of a rule: by default and in strict."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import evalang as ev
from evalang.findings.engine import lint
from evalang.findings.rules import RULES
from evalang.language.text import LEVELS

from .pasts import DUEL, HEAD, PASTS, design

SCRIPT = "compare decision-tree vs naive-bayes on iris using 5x2cv, seed 1\n"
WEAKER = {"EV101", "EV102", "EV111", "EV405", "EV501", "EV604", *(f"EV80{n}" for n in (1, 3, 4, 5, 6, 7, 8))}


def levels(script: str, **options: bool) -> dict[str, str]:
    return {f.code: f.level for f in ev.lint(script, **options).findings}


def test_only_the_named_rules_are_weaker_by_default() -> None:
    assert {rule.code for rule in RULES if rule.strict != rule.level} == WEAKER
    assert all(LEVELS.index(rule.strict) <= LEVELS.index(rule.level) for rule in RULES)


@pytest.mark.parametrize("how", ["option", "set", "project"])
def test_strict_by_option_script_or_project(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plain = {"EV101": "note", "EV102": "note", "EV111": "note", "EV604": "note"}
    assert levels(SCRIPT) == plain
    if how == "project":
        (tmp_path / "pyproject.toml").write_text("[tool.evalang]\nstrict = true\n")
    found = levels("set strict\n" * (how == "set") + SCRIPT, strict=how == "option")
    assert found == dict.fromkeys(plain, "warning")


def test_a_level_that_a_rule_gives_to_one_finding_stays() -> None:
    script = 'dataset d from csv "d.csv", target "y", positive "a", because "ours"\n'
    script += "compare svm vs naive-bayes on d using 5x2cv measuring brier, roc-area, holm over metrics, seed 1\n"
    found = levels(script)
    assert found["EV601"] == "note"  # of naive-bayes
    assert levels(script, strict=True)["EV601"] == "note"


def test_strict_leaves_the_fingerprint() -> None:
    from evalang.plans.description import fingerprint

    assert ev.plan("set strict\n" + SCRIPT).plan.strict
    assert fingerprint(ev.plan("set strict\n" + SCRIPT).plan) == fingerprint(ev.plan(SCRIPT).plan)


def test_after_a_freeze_the_ledgers_rules_are_errors() -> None:
    text = HEAD + DUEL + "\n"
    past = PASTS["EV801"]
    frozen = replace(past, frozen={"designs": {"compare-1": design(DUEL)}, "claims": []})
    built = ev.plan(text)
    assert {f.code: f.level for f in lint(built, profiles={}, past=past).findings}["EV801"] == "warning"
    after = {f.code: f.level for f in lint(built, profiles={}, past=frozen).findings}
    assert after["EV801"] == "error"
    assert after["EV111"] == "note"  # no rule of the ledger
