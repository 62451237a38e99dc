"""Every scheme of the language, and every way of treating the training part, by `evalang run`.

What a script of tests/scripts/run is expected to come to stands in its first comments: the number of trials and the
sizes of training and test sets are counted by hand from the 60 rows (54 for prices) that `data.py` writes.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from evalang.catalogue.schemes import SCHEMES
from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.trials.store import Store
from evalang.trials.trial import Trial

from .scripts.run.data import write_data
from .support.calling import caller

SCRIPTS = sorted((Path(__file__).parent / "scripts" / "run").glob("*.eval"))


def run_script(
    path: Path, folder: Path, capfd: pytest.CaptureFixture[str], *more: str, code: int = 0
) -> dict[str, Any]:
    """The JSON of a script run beside its data, which has to end with that exit code."""
    write_data(folder)
    (folder / path.name).write_text(path.read_text())
    done = caller(capfd)("run", path.name, "--format", "json", *more)
    assert done.code == code, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def trials_of(folder: Path, script: Path) -> list[Trial]:
    """All trials that a script left."""
    store = Store(folder / "runs" / script.stem, write=False)
    try:
        return list(store.trials(store.done()))
    finally:
        store.close()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_it_comes_to_what_it_says(path: Path, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    expected = dict(re.findall(r"^# (\w+): (.+)$", path.read_text(), re.MULTILINE))
    options = expected.get("options", "").split()
    found = run_script(path, folder, capfd, *options, code=int(expected.get("exit", 0)))
    trials = trials_of(folder, path)
    assert len(trials) == int(expected["trials"])
    if "sizes" in expected:
        assert {f"{t.train_size}/{t.test_size}" for t in trials} == set(expected["sizes"].split())
    assert sum(t.failure is not None for t in trials) == len(found["failures"]) == int(expected.get("failed", 0))
    verdicts = [c["verdict"] for c in found["comparisons"]]
    assert verdicts.count("undecided") == int(expected.get("undecided", 0))
    assert len(verdicts) - verdicts.count("undecided") == int(expected.get("verdicts", 0))
    assert len(found["estimates"]) == int(expected.get("estimates", 0))
    for one in found["comparisons"]:
        assert (one["p"] is None) == (one["verdict"] == "undecided")
        assert one["p"] is None or 0 < one["p"] <= one["adjusted_p"] <= 1


def test_every_scheme_has_a_script() -> None:
    plans = [build(SourceText(path.name, path.read_text())).plan for path in SCRIPTS]
    used = [c.scheme for plan in plans for c in plan.comparisons if c.scheme is not None]
    without_trials = {"results", "items", "predictions", "guarded-holdout"}  # the last has tests/ledger/test_guarded.py
    assert {scheme.kind for scheme in used} == {scheme.kind for scheme in SCHEMES} - without_trials
    assert any(scheme.grouped for scheme in used)


def test_weights_count_in_fitting_and_in_scoring(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Naive Bayes done again by hand, with weights, on the rows that the store says."""
    path = next(p for p in SCRIPTS if p.stem == "weights")
    run_script(path, folder, capfd, "--fresh")
    data = pd.read_csv("visits.csv")
    X, y, w = data[["pulse", "pressure"]].to_numpy(), (data["readmitted"] == "yes").to_numpy(), data["stay"].to_numpy()
    scores = json.loads((folder / "runs" / "weights" / "result.json").read_text())["run"]["scores"]
    checked = 0
    for partition, fold, test in _tests(folder / "runs" / "weights"):
        train = np.setdiff1d(np.arange(60), test)
        right = GaussianNB().fit(X[train], y[train], sample_weight=w[train]).predict(X[test]) == y[test]
        assert _score(scores, partition, fold) == pytest.approx(np.average(right, weights=w[test]), abs=1e-12)
        checked += 1
    assert checked == 10


def _tests(run: Path) -> list[tuple[int, int, np.ndarray[Any, Any]]]:
    store = Store(run, write=False)
    try:
        facts = [store.fact("splits", key) for key, _, _ in list(store.rows("splits"))]
    finally:
        store.close()
    return [(f[0]["partition"], f[0]["fold"], f[1]["test"]) for f in facts if f is not None]


def _score(scores: dict[str, Any], partition: int, fold: int) -> float:
    columns = zip(*(scores[name] for name in ("learner", "metric", "partition", "fold", "score")), strict=True)
    (found,) = [s for *place, s in columns if place == ["naive-bayes", "accuracy", partition, fold]]
    return float(found)
