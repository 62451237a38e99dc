"""Findings at a terminal."""

from __future__ import annotations

import re

import pytest

from evalang.findings.render_text import WIDEST, closing, one, text

from .hostile import NAMES, script
from .scripts import PATH, linted

DESIGN = (
    'dataset d from csv "d.csv", target "y" because "r"\n'
    "compare decision-tree vs naive-bayes on d using 30 resamples of 2/3, by resampled-t, seed 1\n"
)
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff]")


def test_one_finding_word_for_word() -> None:
    report = linted(DESIGN)
    (found,) = [f for f in report.findings if f.code == "EV401"]
    assert one(found, report.sources[PATH]).split("\n") == [
        "script.eval:2:73: error[EV401] resampled-t takes 30 resamples of the same rows for independent: its type I "
        "error was between 11% and 32% at a level of 5% with 30 of them, and grows with their number",
        "  |",
        "2 | compare decision-tree vs naive-bayes on d using 30 resamples of 2/3, by resampled-t, seed 1",
        "  |                                                                         ^^^^^^^^^^^",
        "  = note: resampled-t (Dietterich 1998, sections 3.3, 5 and 8; Salzberg 1997, section 3; Nadeau and Bengio "
        "2003)",
        "  = help: write by partition-t, which allows for the shared rows",
        "  = fix: use partition-t (--fix does it)",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_are_written_out(name: str) -> None:
    shown = text([linted(script(name))])
    assert not UNSAFE.search(shown)
    shown.encode("utf-8")


def test_colour_only_when_asked() -> None:
    report = linted(DESIGN)
    plain, coloured = text([report]), text([report], colour=True)
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_the_underline_stands_under_the_words_after_tabs_and_in_long_lines() -> None:
    padding = " " * 400
    report = linted(DESIGN.replace("compare", f"compare{padding}").replace(" seed", "\tseed"))
    (found,) = [f for f in report.findings if f.code == "EV401"]
    shown = one(found, report.sources[PATH]).split("\n")
    line, mark = shown[2].partition("| ")[2], shown[3].partition("| ")[2]
    assert len(line) <= WIDEST
    assert line[mark.index("^") : mark.index("^") + mark.count("^")] == "resampled-t"


def test_closing_lines() -> None:
    notes = [f.code for f in linted(DESIGN).findings if f.level == "note"]
    assert closing([linted(DESIGN)]).split("\n") == [
        f"notes: {', '.join(sorted(notes))}; --notes shows them",
        f"1 script: 1 error, {len(notes)} notes; --fix repairs 1 of them",
    ]
    clean = linted('results r from csv "r.csv", datasets in "d", measuring accuracy\ncompare a vs b on r by wilcoxon\n')
    assert closing([clean]) == "1 script: nothing found"


def test_notes_are_named_and_shown_only_when_asked() -> None:
    assert "note[" not in text([linted(DESIGN)])
    assert "note[" in text([linted(DESIGN)], notes=True)
    assert "--notes" not in text([linted(DESIGN)], notes=True)
