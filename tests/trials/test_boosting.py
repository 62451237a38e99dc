"""Boosting packages by their names in the catalogue: one --trust, everything else as for every learner."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from evalang.trials import learners

from ..support.calling import caller, forked

SCRIPT = """
learner boosted is {chain} because "the method on trial"
dataset task from builtin "{data}" because "known to everybody"
compare boosted vs {other} on task using 5x2cv, seed 1{more}
"""


def write(folder: Path, chain: str, data: str = "iris", more: str = "") -> Path:
    other = "mean" if data == "diabetes" else "majority"
    place = folder / "s.eval"
    place.write_text(SCRIPT.format(chain=chain, data=data, other=other, more=more))
    return place


def run(folder: Path, package: str, chains: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """One command for all of them, each in a folder of its own, or its ledger would ask what became of the others."""
    for name, chain in chains.items():
        (folder / name).mkdir()
        write(folder / name, *chain)
    done = forked("run", *(f"{name}/s.eval" for name in chains), "--trust", package, cwd=folder)
    assert done.code == 0, done.err
    found = {name: json.loads((folder / name / "runs" / "s" / "result.json").read_text()) for name in chains}
    assert not any(one["run"]["failures"] for one in found.values())
    return found


def scores(found: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(v["metric"], v["test"]["difference"], v["test"]["pvalue"]) for v in found["run"]["verdicts"]]


@pytest.mark.parametrize(
    "package",
    ["lightgbm", pytest.param("xgboost", marks=pytest.mark.slow), pytest.param("catboost", marks=pytest.mark.slow)],
)
def test_by_its_name_in_the_catalogue(tmp_path: Path, package: str, capfd: pytest.CaptureFixture[str]) -> None:
    """The class for the kind of target; its version stands in the methods paragraph; nothing is left in the folder."""
    pytest.importorskip(package)
    plain = f"{package}(n_estimators = 5, learning_rate = 0.5)"
    tuned = f"{package}(n_estimators = 5), tune max_depth in {{2, 4}}"
    more = ', tune using 2cv, allow EV202 because "a test"'
    found = run(tmp_path, package, {"iris": (plain,), "diabetes": (plain, "diabetes"), "tuned": (tuned, "iris", more)})
    for data in ("iris", "diabetes"):
        assert scores(found[data])[0][1] != 0
        assert {one.name for one in (tmp_path / data).iterdir()} <= {"s.eval", "runs", "evalang.ledger"}
    place = tmp_path / "iris" / "runs" / "s"
    assert caller(capfd)("report", place, "--to", "markdown").code == 0
    assert f"{package} {version(package)}" in (place / "report.md").read_text("utf-8")


def test_the_same_numbers_as_by_the_dotted_name_of_the_class(tmp_path: Path) -> None:
    """With nothing random in it: three ways to write one learner."""
    pytest.importorskip("lightgbm")
    ways = {
        "catalogue": ("lightgbm(n_estimators = 5)",),
        "dotted": ("lightgbm.LGBMClassifier(n_estimators = 5)",),
        "own": ('"lightgbm:LGBMClassifier"(n_estimators = 5, verbose = -1)',),
    }
    first, second, third = map(scores, run(tmp_path, "lightgbm", ways).values())
    assert first == second == third


@pytest.mark.parametrize("package", ["lightgbm", "xgboost", "catboost"])
def test_what_is_said_before_the_first_fit(
    tmp_path: Path, package: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A misspelt parameter at lint, and a package that is not there: one sentence each, at its line."""
    monkeypatch.setitem(sys.modules, package, None)
    learners._imported.cache_clear()  # a test before it may have imported the class
    monkeypatch.chdir(tmp_path)
    call = caller(capfd)
    write(tmp_path, f"{package}(n_estimatrs = 5)")
    done = call("lint", "s.eval")
    assert "did you mean n_estimators?" in done.out
    assert "s.eval:2:" in done.out
    write(tmp_path, f"{package}(n_estimators = 5)")
    assert call("lint", "s.eval").code == 0
    done = call("run", "s.eval")
    assert done.code == 1
    assert f"s.eval:2:20: {package} is not installed" in done.err
    assert 'pip install "evalang[' in done.err
