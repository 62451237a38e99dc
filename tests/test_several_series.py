"""A script with several series in one table, done again by hand: parts by time stamps, scores, test and words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

from evalang.api import run
from evalang.reports.methods import methods
from evalang.verdicts.tests.dependent_rows import forward_t

STAMPS, BLOCKS, WINDOW, GAP = 120, 6, 30, 7
SCRIPT = """\
dataset shops from csv "shops.csv", target "sold", time "day", series in "shop" because "ours"
compare linear-regression vs median on shops using forward 5 trainings of 30 rows, gap 7 rows, measuring mae, seed 1
"""


def shops() -> pd.DataFrame:
    """Four shops, two of which open late, in no order; the sales of a day have the day in common."""
    rng = np.random.default_rng(8)
    day = rng.normal(size=STAMPS)
    each = []
    for shop, opened in {"north": 0, "south": 0, "west": 35, "east": 80}.items():
        x = rng.normal(size=STAMPS - opened)
        sold = x + day[opened:] + rng.normal(size=len(x))
        days = pd.date_range("2024-01-01", periods=STAMPS)[opened:]
        each.append(pd.DataFrame({"day": days, "shop": shop, "x": x.round(3), "sold": sold.round(3)}))
    return pd.concat(each).sample(frac=1, random_state=2).reset_index(drop=True)


def test_a_run_is_what_is_done_by_hand(tmp_path: Path) -> None:
    table = shops()
    table.to_csv(tmp_path / "shops.csv", index=False)
    script = tmp_path / "shops.eval"
    script.write_text(SCRIPT)
    result = run(script, jobs=2)
    stamp = (table["day"] - table["day"].min()).dt.days.to_numpy()
    wanted: dict[str, list[float]] = {"linear-regression": [], "median": []}
    losses, times = [], []  # of every tested row; a fold counts as one score, however many shops were open
    for first in range(STAMPS // BLOCKS, STAMPS, STAMPS // BLOCKS):
        train = table[(stamp < first - GAP) & (stamp >= first - GAP - WINDOW)]
        tested = (stamp >= first) & (stamp < first + STAMPS // BLOCKS)
        test = table[tested]
        model = LinearRegression().fit(train[["x"]], train["sold"])
        line = np.abs(test["sold"] - model.predict(test[["x"]])).to_numpy()
        flat = np.abs(test["sold"] - train["sold"].median()).to_numpy()
        wanted["linear-regression"].append(line.mean())
        wanted["median"].append(flat.mean())
        losses.append(np.stack([line, flat]))
        times.append(stamp[tested])
    scores = result.run.scores
    for name, means in wanted.items():
        found = [s for s, learner in zip(scores.score, scores.learner, strict=True) if learner == name]
        assert found == pytest.approx(means, abs=1e-12)
    (verdict,) = result.run.verdicts
    weights = np.concatenate([np.full(len(one), 1 / len(one)) for one in times])
    by_hand = forward_t(*np.concatenate(losses, axis=1), times=np.concatenate(times), weights=weights)
    assert verdict.difference == pytest.approx(np.mean(wanted["linear-regression"]) - np.mean(wanted["median"]))
    assert verdict.test is not None
    assert verdict.test.test == "forward-t"
    assert verdict.test.pvalue == pytest.approx(by_hand.pvalue, rel=1e-9)
    assert verdict.test.method.endswith(f"on {STAMPS - STAMPS // BLOCKS} time stamps")  # no series counts for itself
    said = " ".join(methods(result.run))
    assert f"`shops` ({len(table)} rows, 1 feature, 4 series by column `shop`)" in said
    assert "The series of `shops` were cut at the same time stamps" in said
