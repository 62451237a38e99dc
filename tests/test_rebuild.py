"""Nothing is hidden: a run is rebuilt from what it says and exports, by a program that does not have the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evalang as ev

SCRIPT = """set seed 11
dataset visits from csv "visits.csv", target "class", positive "yes", drop "id", drop missing targets
  because "the clinic's own records"
learner bayes is naive-bayes
learner near is scale | knn(weights = "distance"), tune n_neighbors in {1, 7, 25}
compare bayes vs near on visits using 2x3cv, tune on 25%, measuring accuracy, roc-area, brier, holm over metrics
  allow EV301 because "small on purpose"
"""
_ALONE = """import runpy, sys
sys.modules["evalang"] = None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")"""


def _visits() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    n = 150
    sick = rng.random(n) < 0.4
    frame = pd.DataFrame({"id": np.arange(n), "age": rng.normal(50 + 8 * sick, 10).round(2)})
    frame["dose"] = rng.normal(1.5 * sick, 1).round(3)
    frame["ward"] = np.where(rng.random(n) < 0.3 + 0.3 * sick, "north", "south")
    frame.loc[rng.random(n) < 0.1, "age"] = np.nan
    frame.loc[rng.random(n) < 0.1, "ward"] = np.nan
    frame["class"] = np.where(sick, "yes", "no")
    frame.loc[:2, "class"] = np.nan
    return frame


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rebuilt")
    _visits().to_csv(folder / "visits.csv", index=False)
    (folder / "study.eval").write_text(SCRIPT)
    for command in (["run", "study.eval"], ["report", "runs/study", "--to", "csv", "--out", "out/"],
                    ["report", "runs/study", "--to", "markdown", "--out", "report.md"]):  # fmt: skip
        done = subprocess.run([sys.executable, "-m", "evalang", *command], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr + done.stdout
    return folder


def test_every_fold_is_rebuilt_without_the_package(run: Path) -> None:
    script = Path(__file__).with_name("rebuild.py")
    command = [sys.executable, "-c", _ALONE, str(script), "visits.csv", "report.md", "out"]
    done = subprocess.run(command, cwd=run, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # 2 learners, 3 metrics, 2 x 3 folds; 147 rows in each of the 2 partitions; 3 candidates of one learner
    assert done.stdout == f"{2 * 3 * 6} scores, {2 * 3 * 2 * 147} labels and {3 * 3 * 6} candidates found equal\n"


def test_a_score_that_is_not_so_is_found(run: Path) -> None:
    """The check can fail: one digit of one score is changed."""
    scores = pd.read_csv(run / "out" / "scores.csv")
    scores.loc[7, "score"] += 1e-6
    changed = run / "changed"
    changed.mkdir()
    for file in (run / "out").glob("*.csv"):
        (changed / file.name).write_bytes(file.read_bytes())
    scores.to_csv(changed / "scores.csv", index=False)
    command = [sys.executable, "-c", _ALONE, str(Path(__file__).with_name("rebuild.py")), "visits.csv", "report.md"]
    done = subprocess.run([*command, "changed"], cwd=run, capture_output=True, text=True)
    assert done.returncode != 0
    assert "AssertionError" in done.stderr


def test_the_methods_paragraph_names_the_rows_left_out(run: Path) -> None:
    assert "3 rows left out: no target" in (run / "report.md").read_text()


def test_python_has_the_same_frames(run: Path) -> None:
    result = ev.load(run / "runs" / "study")
    for name in ("folds", "predictions", "times"):
        written = pd.read_csv(run / "out" / f"{name}.csv")
        written = written.fillna({"tuned_for": ""}) if "tuned_for" in written else written
        pd.testing.assert_frame_equal(getattr(result, name), written, check_dtype=False)
    assert set(result.folds["part"]) == {"train", "tuning", "test"}
    assert (result.folds.groupby(["learners", "partition", "fold"])["row"].apply(sorted).map(len) == 147).all()
    fresh = ev.run(run / "study.eval")
    pd.testing.assert_frame_equal(fresh.predictions, result.predictions)
    assert len(fresh.times) == len(result.times)
