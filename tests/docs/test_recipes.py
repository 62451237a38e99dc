"""The recipes of docs/contributing.md, followed to the letter on a copy of the package."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
_STEP = re.compile(r"(?ms)^In `([^`]+)`, (?:at the end|below `([^`]+)`)[^\n]*:\n\n```text\n(.*?)^```$")

SHOWN = {
    "Add a metric": """
import numpy as np
from evalang.catalogue.cards import card
from evalang.plans.build import build
from evalang.scores.answer import Answer
from evalang.scores.metrics import score
from evalang.source.text import Source
answer = Answer(truth=np.array([0, 0, 1, 1]), labels=np.array([0, 0, 1, 0]), classes=("a", "b"))
assert score("worst-recall", answer) == 0.5  # all of a, half of b
built = build(Source("x.eval", "compare knn vs svm on iris using 10cv, measuring worst-recall"))
assert not built.findings, built.findings
assert "recognised worst" in (card("worst-recall") or "")
""",
    "Add a report format": """
from pathlib import Path
from evalang.cli.report import _PLACES
from evalang.plans.model import Plan
from evalang.reports.write import write
from evalang.results.run_result import RunResult
empty = Plan(version=1, script="mine.eval")
write(RunResult(plan=empty), "mine.outline")
assert Path("mine.outline").read_text() == "Report on mine.eval\\n"
assert "outline" in _PLACES
""",
}


def recipe(title: str) -> list[tuple[str, str, str]]:
    """(file, line below which, text) of each step."""
    section = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    return _STEP.findall(section)


def follow(steps: list[tuple[str, str, str]], root: Path) -> None:
    """Do what the steps say."""
    for file, below, text in steps:
        path = root / file
        before = path.read_text(encoding="utf-8")
        assert not below or before.count(f"{below}\n") == 1, f"{file} has no single line {below!r}"
        done = before.replace(f"{below}\n", f"{below}\n{text}") if below else before + text
        path.write_text(done, encoding="utf-8")


@pytest.mark.parametrize("title", SHOWN)
def test_the_recipe_works_as_written(title: str, tmp_path: Path) -> None:
    steps = recipe(title)
    assert steps
    shutil.copytree(ROOT / "evalang", tmp_path / "evalang", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "grammar", tmp_path / "grammar")
    follow(steps, tmp_path)
    (tmp_path / "shown.py").write_text(SHOWN[title], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "shown.py"], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_every_place_that_the_page_names_is_there() -> None:
    named = re.findall(r"`((?:evalang|tests|docs|grammar)/[\w./-]*)`", PAGE)
    assert named
    assert [place for place in named if not (ROOT / place).exists()] == []
