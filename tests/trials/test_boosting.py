"""Boosting packages by their names in the catalogue: one --trust, everything else as for every learner."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

SCRIPT = """
learner boosted is {chain} because "the method on trial"
dataset rows from builtin "{data}" because "known to everybody"
compare boosted vs {other} on rows using 5x2cv, seed 1{more}
"""
HIDDEN = "import sys; sys.modules[sys.argv.pop(1)] = None; from evalang.__main__ import main; main()"


def write(folder: Path, chain: str, data: str = "iris", more: str = "") -> Path:
    other = "mean" if data == "diabetes" else "majority"
    place = folder / "s.eval"
    place.write_text(SCRIPT.format(chain=chain, data=data, other=other, more=more))
    return place


def command(folder: Path, *words: str, python: tuple[str, ...] = ("-m", "evalang")) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", *python, *words], cwd=folder, capture_output=True, text=True, timeout=180, check=False
    )


def run(folder: Path, chain: str, package: str, data: str = "iris", more: str = "") -> dict[str, Any]:
    """In a folder of its own, or its ledger would ask what became of the others."""
    folder.mkdir()
    write(folder, chain, data, more)
    done = command(folder, "run", "s.eval", "--format", "json", "--trust", package)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert not found["failures"]
    return found


def scores(found: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(c["metric"], c["difference"], c["p"]) for c in found["comparisons"]]


@pytest.mark.parametrize(
    "package",
    ["lightgbm", pytest.param("xgboost", marks=pytest.mark.slow), pytest.param("catboost", marks=pytest.mark.slow)],
)
def test_by_its_name_in_the_catalogue(tmp_path: Path, package: str) -> None:
    """The class for the kind of target; its version stands in the methods paragraph; nothing is left in the folder."""
    pytest.importorskip(package)
    for data in ("iris", "diabetes"):
        found = run(tmp_path / data, f"{package}(n_estimators = 5, learning_rate = 0.5)", package, data)
        assert found["comparisons"][0]["difference"] != 0
        assert {one.name for one in (tmp_path / data).iterdir()} <= {"s.eval", "runs", "evalang.ledger"}
    command(tmp_path / "iris", "report", "runs/s", "--to", "markdown")
    assert f"{package} {version(package)}" in (tmp_path / "iris" / "runs" / "s" / "report.md").read_text("utf-8")
    tuned = f"{package}(n_estimators = 5), tune max_depth in {{2, 4}}"
    run(tmp_path / "tuned", tuned, package, more=', tune using 2cv, allow EV202 because "a test"')


def test_the_same_numbers_as_by_the_dotted_name_of_the_class(tmp_path: Path) -> None:
    """With nothing random in it: three ways to write one learner."""
    pytest.importorskip("lightgbm")
    ways = (
        "lightgbm(n_estimators = 5)",
        "lightgbm.LGBMClassifier(n_estimators = 5)",
        '"lightgbm:LGBMClassifier"(n_estimators = 5, verbose = -1)',
    )
    first, second, third = [scores(run(tmp_path / str(i), way, "lightgbm")) for i, way in enumerate(ways)]
    assert first == second == third


@pytest.mark.parametrize("package", ["lightgbm", "xgboost", "catboost"])
def test_what_is_said_before_the_first_fit(tmp_path: Path, package: str) -> None:
    """A misspelt parameter at lint, nobody's trust, and a package that is not there: one sentence each, at its line."""
    hidden = ("-c", HIDDEN, package)
    write(tmp_path, f"{package}(n_estimatrs = 5)")
    done = command(tmp_path, "lint", "s.eval", python=hidden)
    assert "did you mean n_estimators?" in done.stdout
    assert "s.eval:2:" in done.stdout
    write(tmp_path, f"{package}(n_estimators = 5)")
    assert command(tmp_path, "lint", "s.eval", python=hidden).returncode == 0
    done = command(tmp_path, "run", "s.eval", python=hidden)
    assert done.returncode == 2
    assert f"add --trust {package} to the command" in done.stderr
    done = command(tmp_path, "run", "s.eval", "--trust", package, python=hidden)
    assert done.returncode == 1
    assert f"s.eval:2:20: {package} is not installed" in done.stderr
    assert 'pip install "evalang[' in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("package", ["lightgbm", "xgboost"])
def test_on_workers_of_a_cluster(tmp_path: Path, package: str) -> None:
    pytest.importorskip(package)
    pytest.importorskip("distributed")
    from .dask_processes import dask

    (tmp_path / "cluster").mkdir()
    write(tmp_path, f"{package}(n_estimators = 5)")
    words = ("run", "s.eval", "--format", "json", "--trust", package)
    with dask(tmp_path / "cluster") as there:
        done = command(tmp_path, *words, "--out", "away", "--scheduler", there.address)
    assert not json.loads(done.stdout)["failures"], done.stderr
    alone = command(tmp_path, *words, "--out", "home")
    assert json.loads(done.stdout)["comparisons"] == json.loads(alone.stdout)["comparisons"]
