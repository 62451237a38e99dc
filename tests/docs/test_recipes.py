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
_STEP = re.compile(
    r"(?ms)^In `(?P<file>[^`]+)`, (?:at the end|below `(?P<below>[^`]+)`)(?:(?!\n\n).)*:\n\n```text\n(?P<text>.*?)^```$"
    r"|^Write `(?P<new>[^`]+)`(?:(?!\n\n).)*:\n\n```text\n(?P<whole>.*?)^```$"
    r"|^In `(?P<changed>[^`]+)`, `(?P<old>[^`\n]+)` becomes `(?P<now>[^`\n]+)`\.$"
    r"|^Then `python (?P<command>[^`]+)`\.$"
)

SHOWN = {
    "Add a metric": """
import numpy as np
from evalang.catalogue.cards import card
from evalang.plans.build import build
from evalang.scores.answer import Answer
from evalang.scores.metrics import score
from evalang.language.text import SourceText
answer = Answer(truth=np.array([0, 0, 1, 1]), labels=np.array([0, 0, 1, 0]), classes=("a", "b"))
assert score("worst-recall", answer) == 0.5  # all of a, half of b
built = build(SourceText("x.eval", "compare knn vs svm on iris using 10cv, measuring worst-recall"))
assert not built.findings, built.findings
assert "smallest recall" in (card("worst-recall") or "")
""",
    "Add a report format": """
from pathlib import Path
from evalang.cli.report import _PLACES
from evalang.plans.model import Plan
from evalang.reports.write import write
from evalang.reports.assemble import document
from evalang.results.run_result import RunResult
empty = Plan(version=1, script="mine.eval")
write(RunResult(plan=empty), "mine.outline")
assert Path("mine.outline").read_text() == document(RunResult(plan=empty)).title + "\\n"
assert "outline" in _PLACES
""",
    "Add a test": """
from itertools import product
from pathlib import Path
from evalang.catalogue.cards import card
from evalang.plans.build import build
from evalang.language.text import SourceText
from evalang.verdicts.apply import compute
def wins(ways): return sum(ways)
for seen in product((0, 1), repeat=5):
    found = compute("sign-midp", first=list(seen), second=[1 - way for way in seen])
    far = [abs(wins(ways) - 2.5) - abs(wins(seen) - 2.5) for ways in product((0, 1), repeat=5)]
    assert abs(found.pvalue - (sum(f > 0 for f in far) + sum(f == 0 for f in far) / 2) / 32) < 1e-12, seen
nothing = compute("sign-midp", first=[1, 1], second=[1, 1])
assert nothing.pvalue == 1.0
assert "mid-p" in card("sign-midp")
built = build(SourceText("x.eval", "compare knn vs svm on iris, wine using 10cv, by sign-midp"))
assert [test.name for one in built.plan.comparisons for test in one.over] == ["sign-midp"], built
import evalang as ev
rows = "".join(f"d{i},0.{i + 1},0.{i + 2}\\n" for i in range(8))  # A has the lower error on every dataset
Path("t.csv").write_text("data,A,B\\n" + rows)
script = 'results t from csv "t.csv", datasets in "data", measuring error\\ncompare A vs B on t by sign-midp'
(verdict,) = ev.run(script, ledger=False).run.verdicts
assert (verdict.decision, verdict.test.statistic, verdict.test.effect.value) == ("first-better", 8.0, 1.0), verdict.test
""",
    "Add a rule": """
from evalang.findings.engine import lint
from evalang.findings.page import examples
from evalang.findings.rules import find_rule
from evalang.plans.build import build
from evalang.language.text import SourceText
rule = find_rule("long-name")
found = {example.bad: lint(build(SourceText("x.eval", example.text))).findings for example in examples(rule)}
assert [one.code for one in found[True] if one.level != "note"] == ["EV009"], found
assert [one for one in found[False] if one.level != "note"] == [], found
""",
    "Add a data source": """
from pathlib import Path
from evalang.data.access import Access
from evalang.data.load import read
from evalang.errors import DataError
from evalang.plans.build import build
from evalang.language.text import SourceText
script = 'dataset d from stata "d.dta", target "y"\\ncompare knn vs svm on d using 10cv'
built = build(SourceText("x.eval", script))
assert not built.findings, built.findings
source = built.plan.dataset("d").source
import pandas as pd
pd.DataFrame({"x": [1.0, 2.5], "y": ["a", "b"]}).to_stata("d.dta", write_index=False)
frame = read(source, Access(root=Path("."))).frame
assert frame.to_dict("list") == {"x": [1.0, 2.5], "y": ["a", "b"]}
Path("d.dta").write_text("no table")
try:
    read(source, Access(root=Path(".")))
except DataError as error:
    assert "cannot be read" in str(error), error
else:
    raise AssertionError("no table")
from evalang.editor.colours import OTHERS
assert "stata" in OTHERS
""",
    "Add a clause": """
from evalang.plans.build import build
from evalang.plans.description import dumps, loads
from evalang.language.text import SourceText
script = 'dataset d from csv "d.csv", drop "x", licence "CC BY 4.0", target "y"\\ncompare knn vs svm on d using 10cv'
built = build(SourceText("x.eval", script))
assert not built.findings, built.findings
assert built.plan.dataset("d").licence == "CC BY 4.0"
assert loads(dumps(built.plan)) == built.plan
twice = build(SourceText("x.eval", script.replace(', target', ', licence "other", target')))
assert "`licence` is given twice" in twice.findings[0].message
""",
    "Add a statement": """
from evalang.plans.build import build
from evalang.plans.description import dumps, loads
from evalang.language.text import SourceText
script = 'note "the second run", because "the first was lost"\\ncompare knn vs svm on iris using 10cv'
built = build(SourceText("x.eval", script))
assert not built.findings, built.findings
assert built.plan.notes == ("the second run",)
assert loads(dumps(built.plan)) == built.plan
""",
}


def recipe(title: str) -> list[dict[str, str]]:
    """The steps, in order, each with the parts that it has."""
    section = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    found = [{k: v for k, v in one.groupdict().items() if v is not None} for one in _STEP.finditer(section)]
    said = len(re.findall(r"(?m)^(?:In|Write|Then) `", section))
    assert len(found) == said, f"{said - len(found)} steps of {title!r} cannot be followed as they are written"
    return found


def follow(steps: list[dict[str, str]], root: Path) -> None:
    """Do what the steps say."""
    for step in steps:
        match step:
            case {"new": file, "whole": text}:
                assert not (root / file).exists()
                (root / file).write_text(text, encoding="utf-8")
            case {"changed": file, "old": old, "now": now}:
                _put(root / file, old, now)
            case {"command": command}:
                _python(root, *command.split())
            case {"file": file, "below": line, "text": text}:
                _put(root / file, f"{line}\n", f"{line}\n{text}")
            case {"file": file, "text": text}:
                with (root / file).open("a", encoding="utf-8") as end:
                    end.write(text)
            case _:
                raise AssertionError(step)


def _put(path: Path, old: str, new: str) -> None:
    before = path.read_text(encoding="utf-8")
    assert before.count(old) == 1, f"{path.name} has {old!r} {before.count(old)} times"
    path.write_text(before.replace(old, new), encoding="utf-8")


def _python(root: Path, *words: str) -> None:
    done = subprocess.run(
        [sys.executable, *words], cwd=root, env={"PYTHONPATH": str(root)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("title", SHOWN)
def test_the_recipe_works_as_written(title: str, tmp_path: Path) -> None:
    steps = recipe(title)
    assert steps
    shutil.copytree(ROOT / "evalang", tmp_path / "evalang", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "grammar", tmp_path / "grammar")
    follow(steps, tmp_path)
    (tmp_path / "shown.py").write_text(SHOWN[title], encoding="utf-8")
    _python(tmp_path, "shown.py")


def test_every_recipe_is_shown_to_work_and_can_be_followed_in_this_tree() -> None:
    """Quick for all of them: a line that a recipe builds on stands where it says, once."""
    assert [*SHOWN] == re.findall(r"(?m)^## (Add .*)$", PAGE)
    for title in SHOWN:
        for step in recipe(title):
            place = ROOT / (step.get("file") or step.get("changed") or "docs/contributing.md")
            line = f"{step['below']}\n" if "below" in step else step.get("old", "")
            assert not line or place.read_text(encoding="utf-8").count(line) == 1, (title, step)


def test_every_place_that_the_page_names_is_there() -> None:
    named = re.findall(r"(?<!Write )`((?:evalang|tests|docs|grammar)/[\w./-]*)`", PAGE)
    assert named
    assert [place for place in named if not (ROOT / place).exists()] == []
