"""How long a short lint takes from nothing, against importing the two libraries it stands on."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.benchmark
ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """set seed 20
dataset credit from csv "credit.csv", target "class", because "our records"
dataset shop from csv "shop.csv", target "class", because "our records"
suite mine is credit, shop because "all there are"
learner tree is decision-tree, tune max_depth in {4, 8, 16}
learner forest is random-forest, tune max_depth in {4, 8, 16}
learner margin is scale | svm(kernel = "rbf"), tune C in 10^{-3..3}, gamma in {0.001, 0.01}
compare forest vs tree on mine
  using 10x10cv
  tune on 20%
  measuring accuracy, roc-area
  holm over datasets, metrics
  as one
compare margin vs tree on mine
  using 5x2cv
  tune on 20%
  holm over datasets
  as two
claim forest better than tree on credit
report one to "paper.html"
"""
SQL = "SELECT a.id, b.name, COUNT(*) AS n\nFROM a\nINNER JOIN b ON a.id = b.id\nGROUP BY a.id, b.name\nORDER BY n;\n"
IMPORTS = (sys.executable, "-c", "import lark, click")


def processor_seconds(command: tuple[str, ...], folder: Path) -> float:
    """User and system time of a process; waiting for other processes does not count."""
    known = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, env={**known, "PYTHONPATH": str(ROOT)}, capture_output=True)
    assert done.returncode in (0, 1), done.stderr  # sqlfluff has findings
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratio(ours: tuple[str, ...], anchor: tuple[str, ...], folder: Path, rounds: int) -> float:
    """The ratio of medians; the first round compiles and fits what is not there yet."""
    processor_seconds(ours, folder)
    times = [(processor_seconds(ours, folder), processor_seconds(anchor, folder)) for _ in range(rounds)]
    mine, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"\n{1000 * mine:.0f} ms against {1000 * theirs:.0f} ms, ratio {mine / theirs:.2f}")
    return mine / theirs


@pytest.mark.parametrize(("command", "bound"), [("lint", 4.0), ("fmt", 4.0), ("plan", 4.0), ("--help", 1.5)])
def test_a_short_script_against_importing_lark_and_click(tmp_path: Path, command: str, bound: float) -> None:
    assert SCRIPT.count("\n") == 20
    (tmp_path / "x.eval").write_text(SCRIPT)
    ours = (sys.executable, "-m", "evalang", command, *(() if command == "--help" else ("x.eval",)))
    assert ratio(ours, IMPORTS, tmp_path, 15) <= bound


def test_a_short_script_against_sqlfluff(tmp_path: Path) -> None:
    pytest.importorskip("sqlfluff")
    (tmp_path / "x.eval").write_text(SCRIPT)
    (tmp_path / "x.sql").write_text(SQL * 4)
    theirs = (sys.executable, "-m", "sqlfluff", "lint", "--dialect", "ansi", "x.sql")
    assert ratio((sys.executable, "-m", "evalang", "lint", "x.eval"), theirs, tmp_path, 9) <= 1.0


def test_a_test_of_two_counts_against_importing_numpy_and_scipy_special(tmp_path: Path) -> None:
    """It waits neither for pandas nor for scipy.stats nor for statsmodels."""
    ours = (sys.executable, "-m", "evalang", "test", "mcnemar", "35", "15")
    assert ratio(ours, (sys.executable, "-c", "import numpy, scipy.special"), tmp_path, 9) <= 2.0
