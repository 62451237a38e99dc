"""The designs that the five papers discuss, written as scripts, get the findings that the papers discuss."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evalang.findings.lint_report import LintReport
from evalang.findings.render_text import render_report as rendered

from .cases import SCRIPTS
from .scripts import PATH, linted

PAPERS = sorted((SCRIPTS / "papers").glob("*.eval"))


def _marks(text: str, word: str) -> set[tuple[int, str]]:
    return {
        (number, code)
        for number, line in enumerate(text.split("\n"), start=1)
        if (mark := re.search(rf"# {word}: ([\w, ]+)$", line))
        for code in mark[1].replace(",", " ").split()
    }


def _found(report: LintReport, note: bool) -> set[tuple[int, str]]:
    source = report.sources[PATH]
    return {
        (source.position(f.span.start).line, f.code) for f in report.findings if (f.level == "note") == note
    }  # fmt: skip


@pytest.mark.parametrize("path", PAPERS, ids=lambda p: p.stem)
def test_a_paper(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    report = linted(text)
    assert _found(report, note=False) == _marks(text, "expect")
    assert _marks(text, "expect note") <= _found(report, note=True)


def test_salzbergs_numbers() -> None:
    report = linted((SCRIPTS / "papers" / "salzberg-1997.eval").read_text(encoding="utf-8"))
    (many,) = [f for f in report.findings if f.code == "EV501"]
    assert "154 tests (14 pairs of learners x 11 datasets)" in many.message
    assert "7.7 false positives" in many.message
    assert "99.96%" in many.message


def test_bradford_and_brodleys_numbers() -> None:
    shown = rendered(
        [linted((SCRIPTS / "papers" / "bradford-brodley-2005.eval").read_text(encoding="utf-8"))], notes=True
    )
    assert "7.0% of such conclusions changed" in shown
    assert "12.6% of such conclusions changed after reshuffling" in shown
