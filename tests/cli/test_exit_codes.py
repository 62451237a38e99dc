"""Every row of the table of exit codes, for every command it is about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ..support.calling import Call

GOOD = """set seed 1
suite s is breast-cancer because "at hand"
learner stump is decision-tree(max_depth = 1) because "the simplest tree"
compare stump vs majority on s using 5x2cv, as x
"""
REFUSED = "compare decision-tree vs knn on breast-cancer using 10cv by 5x2cv-t, seed 1\n"
BROKEN = "compare on\n"


@pytest.fixture
def scripts(folder: Path) -> Path:
    (folder / "good.eval").write_text(GOOD)
    (folder / "refused.eval").write_text(REFUSED)
    (folder / "broken.eval").write_text(BROKEN)
    (folder / "unformatted.eval").write_text(GOOD.replace(" is ", "   is "))
    (folder / "true.eval").write_text(GOOD + "claim stump better than majority on s\n")
    (folder / "false.eval").write_text(GOOD + "claim majority better than stump on s\n")
    return folder


@pytest.mark.parametrize(
    "command",
    [
        ("lint", "good.eval"),
        ("lint", "--data", "good.eval"),
        ("fmt", "good.eval"),
        ("fmt", "--check", "good.eval"),
        ("fmt", "unformatted.eval"),
        ("plan", "good.eval"),
        ("run", "true.eval"),
        ("explain", "EV501"),
        ("explain", "--all"),
        ("test", "mcnemar", "35", "15"),
        ("new", "fresh"),
        ("--version",),
        ("--help",),
        ("lint", "--help"),
    ],
    ids=" ".join,
)
def test_0_done(call: Call, scripts: Path, command: tuple[str, ...]) -> None:
    assert call(*command).code == 0


@pytest.mark.parametrize(
    "command",
    [
        ("lint", "refused.eval"),
        ("lint", "good.eval", "refused.eval"),
        ("lint", "--warnings-as-errors", "good.eval"),
        ("plan", "refused.eval"),
        ("run", "refused.eval"),
        ("run", "false.eval"),
        ("fmt", "--check", "unformatted.eval"),
        ("fmt", "--diff", "unformatted.eval"),
    ],
    ids=" ".join,
)
def test_1_errors_refusals_claims_and_differences(call: Call, scripts: Path, command: tuple[str, ...]) -> None:
    if "--warnings-as-errors" in command:  # a warning: no learner is tuned as the other is
        (scripts / "good.eval").write_text(GOOD.replace("5x2cv", "10cv"))
    found = call(*command)
    assert found.code == 1
    assert found.out or found.err


def test_4_a_claim_is_inconclusive_and_1_one_is_contradicted(call: Call, scripts: Path) -> None:
    deeper = "learner deeper is decision-tree(max_depth = 2)\ncompare"
    twins = GOOD.replace("majority", "deeper").replace("compare", deeper)
    (scripts / "open.eval").write_text(twins + "claim deeper better than stump on s\n")
    assert call("run", "open.eval").code == 4
    assert call("run", "open.eval", "true.eval").code == 4
    assert call("run", "false.eval", "open.eval").code == 1


@pytest.mark.parametrize(
    "command",
    [
        ("lint", "broken.eval"),
        ("lint", "broken.eval", "good.eval"),
        ("lint", "nowhere.eval"),
        ("lint", "nowhere.eval", "good.eval"),
        ("fmt", "broken.eval"),
        ("plan", "broken.eval"),
        ("run", "broken.eval"),
        ("run", "nowhere.eval"),
        ("run", "good.eval", "--jobs", "none"),
        ("run", "good.eval", "--jobs", "0"),
        ("run", "good.eval", "--trial-seconds", "-1"),
        ("run", "good.eval", "--trial-seconds", "nan"),
        ("run", "good.eval", "refused.eval", "--out", "x"),
        ("lint", "good.eval", "--format", "xml"),
        ("lint", "good.eval", "--select", "EV999"),
        ("lint", "good.eval", "--no-such-option"),
        ("lint",),
        ("lnt", "good.eval"),
        ("explain", "nonsense-word"),
        ("report", "nowhere"),
        ("report", "."),
        ("render", "nowhere.md"),
        ("test", "mcnmar", "35", "15"),
        ("test", "mcnemar", "35"),
        ("test", "paired-t", "nowhere.csv", "a", "b"),
        ("new", "good.eval"),
    ],
    ids=" ".join,
)
def test_2_what_cannot_be_read(call: Call, scripts: Path, command: tuple[str, ...]) -> None:
    found = call(*command)
    assert found.code == 2
    assert found.err or "error[EV001]" in found.out


def test_3_our_own_fault(call: Call, scripts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import evalang.cli.lint

    def broken(*args: object, **options: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.delenv("EVALANG_DEBUG", raising=False)
    monkeypatch.setattr(evalang.cli.lint, "build", broken)
    found = call("lint", "good.eval")
    assert found.code == 3
    assert "internal error: RuntimeError: a bug" in found.err
    assert "please report" in found.err
    monkeypatch.setenv("EVALANG_DEBUG", "1")
    with pytest.raises(RuntimeError, match="a bug"):
        call("lint", "good.eval")


def test_3_a_rule_that_fails(call: Call, scripts: Path, judge_by: Callable[..., None]) -> None:
    from dataclasses import replace

    from evalang.findings.rules import RULES

    def broken(facts: object) -> None:
        raise RuntimeError("a bug")

    rules = tuple(replace(r, function=broken) if r.code == "EV501" else r for r in RULES)
    judge_by(rules)
    found = call("lint", "good.eval")
    assert found.code == 3
    assert "EV901" in found.out


def test_130_interrupted(call: Call, scripts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import evalang.pipeline

    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(evalang.pipeline, "run_script", interrupted)
    found = call("run", "good.eval")
    assert found.code == 130
    assert "interrupted" in found.err


def test_the_worst_of_several_files_counts_and_all_are_read(call: Call, scripts: Path) -> None:
    found = call("lint", "refused.eval", "nowhere.eval", "good.eval", "broken.eval")
    assert found.code == 2
    assert "error[EV3" in found.out
    assert "EV001" in found.out
    assert "there is no file nowhere.eval" in found.err
    assert "3 scripts" in found.out
