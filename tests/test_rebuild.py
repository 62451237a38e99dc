"""Nothing is hidden: a run is rebuilt from what it says and exports, by a program that does not have the package."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evalang as ev
from evalang.cli.main import run as command_line

from .support import rebuild

SCRIPT = """set seed 11
dataset visits from csv "visits.csv", target "class", positive "yes", drop "id", drop missing targets
  because "the clinic's own records"
learner bayes is naive-bayes
learner near is scale | knn(weights = "distance"), tune n_neighbors in {1, 7, 25}
compare bayes vs near on visits using 2x3cv, tune on 25%, measuring accuracy, roc-area, brier, cross-entropy,
  holm over metrics
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
    _run_and_export(folder)
    return folder


def _run_and_export(folder: Path) -> None:
    with contextlib.chdir(folder):
        assert command_line(["run", "study.eval"]) == 0
        for form, out in (("csv", "out/"), ("markdown", "report.md")):
            assert command_line(["report", "runs/study", "--to", form, "--out", out]) == 0


def test_every_fold_is_rebuilt_without_the_package(run: Path) -> None:
    command = [sys.executable, "-c", _ALONE, str(rebuild.__file__), "visits.csv", "report.md", "out"]
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=run, capture_output=True, text=True, env=one_thread)
    assert done.returncode == 0, done.stderr
    # 2 learners, 4 metrics, 2 x 3 folds; 147 rows in each of the 2 partitions; 3 candidates of one learner
    assert done.stdout == f"{2 * 4 * 6} scores, {2 * 4 * 2 * 147} labels and {3 * 4 * 6} candidates found equal\n"


def test_a_score_that_is_not_so_is_found(run: Path) -> None:
    """The check can fail: one digit of one score of a candidate is changed, which are looked at first."""
    scores = pd.read_csv(run / "out" / "parameters.csv")
    scores.loc[7, "score"] += 1e-6
    changed = run / "changed"
    changed.mkdir()
    for file in (run / "out").glob("*.csv"):
        (changed / file.name).write_bytes(file.read_bytes())
    scores.to_csv(changed / "parameters.csv", index=False)
    with contextlib.chdir(run), pytest.raises(AssertionError, match="near"):
        rebuild.main("visits.csv", "report.md", "changed")


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


def test_the_methods_paragraph_line_by_line(run: Path) -> None:
    """Every sentence that says what was done, against what was done: the files of the run, not the plan's words."""
    report = (run / "report.md").read_text(encoding="utf-8")
    text = re.sub(r"[`\\]", "", report)
    result = ev.load(run / "runs" / "study")
    folds, tried, times = result.folds, result.parameters, result.times
    visits = pd.read_csv(run / "visits.csv")
    there = visits.dropna(subset=["class"])
    # "visits (147 rows, 3 features, 2 classes, 3 rows left out: no target)"
    shape = r"The dataset was visits \((\d+) rows, (\d+) features, (\d+) classes, (\d+) rows left out: no target"
    said = re.search(shape, text)
    assert said is not None
    features = len(there.columns) - len(["id", "class"])
    wanted = (len(there), features, there["class"].nunique(), visits["class"].isna().sum())
    assert tuple(map(int, said.groups())) == wanted
    # "tuned over 3 candidates (n_neighbors in {1, 7, 25})": those and no others, in every fold, of near alone
    said = re.search(r"tuned over (\d+) settings \(n_neighbors in \{([\d, ]+)\}\)", text)
    assert said is not None
    values = [int(v) for v in said[2].split(", ")]
    assert len(values) == int(said[1])
    for _, group in tried.groupby(["partition", "fold", "metric"]):
        assert group["n_neighbors"].astype(int).tolist() == values
        assert group["chosen"].sum() == 1
    assert set(tried["learner"]) == {"near"}
    # "Preprocessing before bayes and near on visits: missing numbers ..., missing categories ..., ..": such cells exist
    assert "Preprocessing before bayes and near on visits: missing numbers are replaced by the median" in text
    assert there["age"].isna().any()
    assert there["ward"].isna().any()
    assert there["ward"].dtype.kind not in "if"
    # "2x3cv, stratified by class. 3cv is repeated 2 times, each time on a new random split of the same rows."
    assert (
        "The scheme was 2x3cv, stratified by class. 3cv is repeated 2 times, each time on a new random split of the "
        "same rows." in text
    )
    tests = folds[(folds["part"] == "test") & (folds["learners"] == "near")]
    assert tests.groupby("partition")["row"].apply(lambda rows: sorted(rows) == list(range(147))).all()
    assert tests.groupby("partition")["fold"].nunique().tolist() == [3, 3]
    dealt = [tuple(map(frozenset, p.groupby("fold")["row"].apply(list))) for _, p in tests.groupby("partition")]
    assert set(dealt[0]).isdisjoint(dealt[1])
    sick = (there["class"] == "yes").to_numpy()
    counts = tests.groupby(["partition", "fold"])["row"].apply(lambda rows: sick[rows.to_numpy()].sum())
    assert counts.max() - counts.min() <= 1
    # "evaluated on 25% of each training part ... the winner was refitted on the whole training part"
    assert "were evaluated on 25% of each training part, separately for each metric" in text
    assert (
        "The best setting was refitted on the whole training part. No test row was used for training or tuning." in text
    )
    for place, fold in folds[folds["learners"] == "near"].groupby(["partition", "fold"]):
        sizes = fold["part"].value_counts()
        whole = sizes["train"] + sizes["tuning"]
        assert abs(sizes["tuning"] - 0.25 * whole) <= 1
        assert not fold["row"].duplicated().any()
        again = times[(times["learner"] == "near") & (times["partition"] == place[0]) & (times["fold"] == place[1])]
        assert (again["trained"] == whole).all()
    # "The metrics were ...", "The test on each dataset: partition-t", "p is corrected by holm over 4 tests"
    assert "The metrics were accuracy, roc-area, brier and cross-entropy." in text
    assert sorted(result.scores["metric"].unique()) == ["accuracy", "brier", "cross-entropy", "roc-area"]
    verdicts = result.table.verdicts
    assert set(verdicts["test"]) == {"partition-t"}
    assert f"p is corrected by holm over {len(verdicts)} tests." in text
    ordered = verdicts.sort_values("p")
    factors = np.arange(len(ordered), 0, -1)
    holm = np.minimum(1.0, np.maximum.accumulate(ordered["p"].to_numpy() * factors))
    assert ordered["adjusted_p"].to_numpy() == pytest.approx(holm)
    # "The level was 0.05. ... The seed was 11."
    assert set(verdicts["alpha"]) == {0.05}
    assert "The significance level was 0.05." in text
    assert "The seed was 11." in text
    # "Computed with python ..., scikit-learn ..."
    for name in ("scikit-learn", "numpy", "scipy", "pandas", "statsmodels"):
        assert f"{name} {importlib.metadata.version(name)}" in text
