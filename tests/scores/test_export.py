"""What other programs read of a run."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalang.plans.model import Plan
from evalang.scores.export import StoredTrials, export
from evalang.scores.score_table import ScoreTable
from evalang.trials.folder import keep_cells
from evalang.trials.splits import folds

from ..support.engine import FIVEFOLD, carry_out, catalogue, options, table

LEARNERS = [catalogue("=cmd()", "naive-bayes"), catalogue("majority")]


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_three_tables(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if ending == "csv":
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    made = table(40)
    comparison, outcome = carry_out(LEARNERS, [made], FIVEFOLD, options(tmp_path / "run", 0))
    keep_cells(outcome.layout, outcome.folder)
    kept = StoredTrials(outcome.folder, Plan(1, "s.eval", comparisons=(comparison,)))
    files = export({"c": ScoreTable(comparison, outcome)}, kept, tmp_path)
    assert [f.name for f in files] == [f"{name}.{ending}" for name in ("scores", "folds", "predictions", "times")]
    scores, parts, said, times = (pd.read_parquet(f) if ending == "parquet" else pd.read_csv(f) for f in files)
    assert len(scores) == 10
    assert set(scores["learner"]) == {"=cmd()" if ending == "parquet" else "'=cmd()", "majority"}
    assert len(said) == 80
    right = (said["truth"] == said["label"]).groupby([said["learner"], said["fold"]]).mean()
    mean = scores.set_index(["learner", "fold"])["score"]
    assert right.sort_index().to_numpy() == pytest.approx(mean.sort_index().to_numpy())
    assert len(times) == 10
    assert (times["fit_seconds"] > 0).all()
    assert len(parts) == 200
    for number, fold in enumerate(folds(FIVEFOLD, made, 20)):
        here = parts[parts["fold"] == number]
        assert here.loc[here["part"] == "test", "row"].tolist() == np.sort(fold.test).tolist()
        assert here.loc[here["part"] == "train", "row"].tolist() == np.sort(fold.train).tolist()
