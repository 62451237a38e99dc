"""What only reads scripts loads nothing that computes: lint, fmt, plan and explain start quickly and run no code."""

# ruff: noqa: E501  a script reads best in one line
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.plans.cost import NAME, CellCost, PlanCost, dumps
from evalang.plans.description import fingerprint

ROOT = Path(__file__).resolve().parents[1]
HEAVY = {
    *("numpy", "scipy", "pandas", "sklearn", "statsmodels", "matplotlib", "jinja2"),
    *("rich", "dask", "sqlalchemy", "pyarrow"),
}
SCRIPT = """set seed 20
dataset own from csv "own.csv", target "class", because "ours"
suite both is own, breast-cancer because "at hand"
learner tree is decision-tree, tune max_depth in {4, 8}
learner other is scale | sklearn.svm.SVC(C = 2)
compare tree vs other vs knn on both using 10x10cv, tune on 20%, measuring accuracy, roc-area, holm over datasets, metrics
compare tree vs nobody on both using 10cv
claim tree better than other on own
report to "paper.html"
"""
PROGRAM = """
import json, sys
from evalang.cli.main import run
for command in json.loads(sys.argv[1]):
    code = run(command)
    assert code in (0, 1), (code, command)
    print("loaded", *command, ":", *sorted(sys.modules), file=sys.stderr)
"""


def loaded(folder: Path, *commands: str) -> dict[str, set[str]]:
    """The modules that are there after each command; one process carries them out, one after the other."""
    given = json.dumps([command.split() for command in commands])
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM, given],
        cwd=folder,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert found.returncode == 0, found.stderr
    lines = [line.partition(" : ") for line in found.stderr.splitlines() if line.startswith("loaded ")]
    return {command: set(modules.split()) for command, (_, _, modules) in zip(commands, lines, strict=True)}


def test_nothing_heavy_is_imported(tmp_path: Path) -> None:
    (tmp_path / "x.eval").write_text(SCRIPT)
    (tmp_path / "x.md").write_text(f"```eval\n{SCRIPT}```\n")
    after = loaded(
        tmp_path,
        *("--help", "run --help", "test --help", "new fresh", "explain --all", "explain EV501"),
        *("explain corrected-t", "explain random-forest", "fmt --diff x.eval", "fmt x.eval", "lint --diff x.eval"),
        *("lint x.eval", "lint --strict --format json x.eval", "lint --format sarif x.eval", "lint x.md"),
        *("lint --format github x.eval", "plan x.eval", "plan --format json x.eval"),
    )
    assert "evalang.cli.main" in after["--help"]
    assert {command: modules & HEAVY for command, modules in after.items() if modules & HEAVY} == {}


def test_a_budget_is_reckoned_from_a_pilot_without_them(tmp_path: Path) -> None:
    (tmp_path / "x.eval").write_text(SCRIPT)
    (tmp_path / "runs" / "x").mkdir(parents=True)
    plan = build(SourceText("x.eval", SCRIPT)).plan
    name = plan.comparisons[0].name
    cost = CellCost("tree", "own", "0", 100, 100.0, 90.0, 2.0, 3, "", 2**20, False)
    kept = PlanCost(fingerprint(plan), 2, 2**27, (cost,), ((name, 0),))
    (tmp_path / "runs" / "x" / NAME).write_text(dumps(kept))
    (modules,) = loaded(tmp_path, "plan --budget 2h x.eval").values()
    assert "evalang.plans.cost" in modules
    assert modules.isdisjoint(HEAVY)


TABLE = "dataset,a,b,c\n" + "".join(
    f"d{i},{0.7 + i % 5 / 50},{0.6 + i % 3 / 50},{0.65 + i % 7 / 50}\n" for i in range(30)
)


def test_a_table_of_results_is_judged_without_what_trains(tmp_path: Path) -> None:
    """What costs most of a second to import, and computes nothing here."""
    (tmp_path / "t.csv").write_text(TABLE)
    script = 'results t from csv "t.csv", datasets in "dataset", learners in "a", "b", "c", measuring accuracy\n'
    for name, tests in (("pairs", "wilcoxon, all pairs"), ("all", "friedman, nemenyi")):
        (tmp_path / f"{name}.eval").write_text(f"{script}compare a vs b vs c on t by {tests}\n")
    _, modules = loaded(tmp_path, "run --no-ledger pairs.eval", "run --no-ledger all.eval").values()
    assert "evalang.verdicts.judge" in modules
    assert modules.isdisjoint(("scipy.stats", "scipy.optimize", "sklearn", "statsmodels", "polars", "matplotlib"))


def test_a_finished_run_again_does_not_load_what_trains(tmp_path: Path) -> None:
    """The first run loads it, so that the tests above can fail."""
    (tmp_path / "x.eval").write_text("compare decision-tree vs naive-bayes on iris using 5x2cv, seed 1\n")
    run = "run --no-ledger x.eval"
    assert {"sklearn", "numpy", "pandas"} <= loaded(tmp_path, run)[run]
    assert loaded(tmp_path, run)[run].isdisjoint(("sklearn", "scipy.stats", "scipy.optimize"))


def test_importing_the_package_costs_nothing() -> None:
    program = (
        "import sys, evalang; assert evalang.__version__; print(*(n for n in sys.modules if n.startswith('evalang')))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    assert found.stdout.split() == ["evalang"]
