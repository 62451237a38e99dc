"""The pages: every value filled in by `evalang render`, every picture and script there, and none out of date."""

from __future__ import annotations

import re

import pytest

from evalang.data.files import read_adjacent_file
from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.reports.embed import JOINER, render
from evalang.results.run_result import RunResult

from .scripts import STUDIES

PAGES = sorted(p.parent.name for p in STUDIES.glob("*/page.md"))
# Those whose numbers rest on no learner, so that they are the same with every version of scikit-learn.
FIXED = ("answers", "bramer", "dietterich")


def text(study: str) -> str:
    return (STUDIES / study / "page.md").read_text(encoding="utf-8")


def test_there_is_a_page_for_each_paper() -> None:
    assert set(PAGES) >= {"salzberg", "dietterich", "bradford-brodley", "bramer", "caruana"}
    index = (STUDIES / "index.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(([a-z-]+)/page\.md\)", index)) == set(PAGES)


@pytest.mark.parametrize("study", PAGES)
def test_every_value_is_filled_in_and_pictures_and_scripts_are_there(study: str) -> None:
    page = text(study)
    assert "`eval: " not in page
    filled = re.findall(r"<!-- eval: [^>]* -->(.*?)<!-- /eval -->", page, re.DOTALL)
    assert filled
    assert all(value.strip() for value in filled)
    assert "| paper says | we find | why they differ |" in page
    named = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page) + re.findall(r'^include "([^"]+)"', page, re.MULTILINE)
    assert named
    assert [name for name in named if not (STUDIES / study / name).is_file()] == []


# What has digits and is no number: where a paper says it, and names of schemes, rules, learners and tasks.
DESIGNATIONS = re.compile(
    r"(?i:\b(?:figures?|tables?|sections?|chapter|notes?|question) )[0-9.]+(?:(?:, | to | and )[0-9.]+)*"
    r"|\b[0-9]+(?:x[0-9]+)?cv(?:-[tf])?\b|\b10-fold\b|\bEV[0-9]{3}\b|\bEXP6\b|\bC4\.5\b|\b[Jj]48\b|\bCN2\b|\bTDDT-[12]\b|\btddt-[12]\b"
    r"|\bmonk3-full\b|\bTR[0-9-]+\b|\bLTR\.P[12]\b"
)


@pytest.mark.parametrize("study", PAGES)
def test_no_number_is_typed(study: str) -> None:
    """Every number is found by a script or quoted from a file; designs may be described in words."""
    page = re.sub(r"^```.*?^```", "", text(study), flags=re.DOTALL | re.MULTILINE)
    page = re.sub(r"<!-- eval: [^>]* -->.*?<!-- /eval -->", "", page, flags=re.DOTALL).replace(JOINER, "")
    page = re.sub(r"<!-- evalang: begin -->.*?<!-- evalang: end -->", "", page, flags=re.DOTALL)  # what blocks show
    page = re.sub(r"!\[[^\]]*\]\([^)]*\)|\[[^\]]*\]\([^)]*\)|`[^`]*`", "", page)
    typed = [line for line in DESIGNATIONS.sub("", page).splitlines() if re.search(r"[0-9]", line)]
    assert not typed


@pytest.mark.parametrize("study", FIXED)
def test_it_is_up_to_date(study: str) -> None:
    path = str(STUDIES / study / "page.md")

    def run(script: str) -> RunResult:
        return run_script(SourceText(path, script), Request())

    assert render(text(study), run, lambda name: read_adjacent_file(path, name)) == text(study)
