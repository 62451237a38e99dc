"""Every script, command and Python block of README and the pages is run; what is shown is what comes out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .modules import ROOT, module

run_blocks = module("run_blocks")


README = ROOT / "README.md"
FIRST = ROOT / "docs" / "index.md"
LONG = (README, FIRST)  # both run the quickstart, for the better part of a minute


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.slow if page in LONG else ()) for page in run_blocks.pages()],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_page_shows_what_comes_out(page: Path) -> None:
    """To bring a page up to date: python docs/run_blocks.py PAGE."""
    assert run_blocks.check(page) == []


def _scores(text: str, learner: str) -> dict[str, str]:
    """What the table of a run shows of a learner, by dataset, the mark of the best apart."""
    _, _, table = text.partition("\ndataset ")
    head, _, *rows = re.sub(r"\n  Difference: .*", "", table, flags=re.DOTALL).split("\n")
    column = [name.strip() for name in re.split(r" {2,}", head)].index(learner)
    cells = (re.split(r" {2,}", row) for row in rows)
    return {dataset: found[column - 1].rstrip("*") for dataset, *found in cells}


def test_the_readme_with_a_quick_learner_in_place_of_the_forest(tmp_path: Path) -> None:
    """The forest takes nearly all of the time; without it the tree's scores and every other block are as shown."""
    text = README.read_text(encoding="utf-8")
    forest = "learner forest is random-forest, tune max_depth in {1, 4, 16, 64}\n"
    quick = page(tmp_path, text.replace(forest, "learner forest is majority\n", 1))
    made, problems = run_blocks._run(quick)
    before, after = (list(run_blocks.fences(one)) for one in (quick.read_text(encoding="utf-8"), made))
    others = [(a.text, b.text) for a, b in zip(before, after, strict=True) if "docs/runs/" not in a.text]
    assert len(others) == len(before) - 2
    assert all(a == b for a, b in others)
    # the run, its report, and that nothing in the report is open now
    assert [int(problem.split()[1].rstrip(":")) for problem in problems] == [
        f.start for f in (before[2], before[2], before[1])
    ]
    assert _scores(made, "tree") == _scores(text, "tree") != _scores(made, "forest")


def test_the_python_of_the_readme_prints_its_answer(tmp_path: Path) -> None:
    """Saved as a file and run as it is."""
    (snippet,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    (tmp_path / "snippet.py").write_text(snippet)
    done = subprocess.run(
        [sys.executable, "snippet.py"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "tree and bayes in accuracy" in done.stdout


def test_readme_shows_the_quickstart() -> None:
    readme = README.read_text(encoding="utf-8")
    shown = next(f.text for f in run_blocks.fences(readme) if f.info == "eval")
    script = (ROOT / "docs" / "quickstart.eval").read_text(encoding="utf-8")
    assert script.endswith(shown)
    assert all(line.startswith("#") or not line for line in script.removesuffix(shown).split("\n"))
    for command in ("pip install . && evalang run docs/quickstart.eval", "pip install -e '.[test]' && pytest"):
        assert f"\n    {command}\n" in readme


def _quickstart(page: Path) -> tuple[str, set[str]]:
    """The script that a page begins with, and the lines that it shows of its run, paths apart."""
    blocks = list(run_blocks.fences(page.read_text(encoding="utf-8")))
    runs = [f.text for f in blocks if f.info == "console" and f.text.startswith("$ evalang run ")]
    lines = {line for text in runs for line in text.split("\n") if not line.startswith("$") and "runs/" not in line}
    return next(f.text for f in blocks if f.info == "eval"), lines


def test_the_first_page_shows_the_run_of_the_readme() -> None:
    (script, shown), (same_script, run) = _quickstart(FIRST), _quickstart(README)
    assert script == same_script
    assert len(shown) > 5
    assert shown <= run


def page(folder: Path, text: str) -> Path:
    path = folder / "page.md"
    path.write_text(text, encoding="utf-8")
    return path


CLEAN = """```eval
results scores from csv "scores.csv", datasets in "set", measuring accuracy
compare a vs b on scores by wilcoxon
```
"""


WRONG = CLEAN.replace("by wilcoxon", "by wilcoxon, at alpha 0.2")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (CLEAN, None),
        (WRONG, "EV410"),
        ("<!-- expect: EV410 -->\n" + WRONG, None),
        ("<!-- expect: EV501 -->\n" + CLEAN, "EV501"),
        (CLEAN.replace("eval", "eval,bad", 1), "expect"),
        ("<!-- part: Nowhere -->\n```console\n$ evalang test mcnemar 35 15\n```\n", "begins as asked for"),
        ("```eval-fragment\ncompare a vs b on d using 10cv\n```\n", None),
        ("```eval-fragment\ncompare a vs\n```\n", ""),
        ("```python\nassert len(X) == len(y)\n```\n", None),
        ("```python\n1 / 0\n```\n", "ZeroDivisionError"),
        ("```python\n>>> 1 + 1\n3\n```\n", ""),
    ],
)
def test_what_is_wrong_with_a_page_is_told(text: str, told: str | None, tmp_path: Path) -> None:
    found = run_blocks.check(page(tmp_path, text))
    assert found == [] if told is None else told in found[0]


def test_a_wrong_output_is_told_and_refreshed(tmp_path: Path) -> None:
    wrong = page(tmp_path, "```console\n$ evalang test mcnemar 35 15\np = 0.5\n```\n")
    assert "does not show" in run_blocks.check(wrong)[0]
    assert run_blocks.refresh(wrong) == []
    assert "McNemar" in wrong.read_text(encoding="utf-8")
    assert run_blocks.check(wrong) == []


def test_only_the_part_asked_for_is_shown() -> None:
    assert run_blocks._part("A one\n\nB two\n\nC three\n", {"part": "A; C"}) == ["A one", "", "…", "", "C three"]
    assert run_blocks._part("A one\n\nB two\n", {"part": "A"}) == ["A one"]
    assert run_blocks._part("A one\nB two\n", {"lines": "B"}) == ["B two"]
