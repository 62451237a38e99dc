"""Reports on regression: no classes, no classifiers, no points of a metric in the unit of the target."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evalang as ev
from evalang.plans.description import describe

random = np.random.default_rng(1)
HOUSES = pd.DataFrame({"a": random.normal(size=60), "b": random.normal(size=60)})
HOUSES["target"] = 90 + 3 * HOUSES.a + random.normal(scale=2, size=60)
SCRIPT = 'compare ridge vs mean on houses using 2x2cv measuring {}, seed 1{}, allow EV101 because "made here"\n'


def report(metric: str, margin: str = "") -> str:
    """The report of two learners on noise alone, which leaves the question open."""
    noise = HOUSES.assign(target=np.random.default_rng(2).permutation(HOUSES.target))
    return ev.run(SCRIPT.format(metric, margin), houses=noise, jobs=0, ledger=False).to_markdown()


def test_no_report_on_regression_speaks_of_classes_or_of_points() -> None:
    text = report("rmse")
    assert "stratified by class" not in text
    assert "one classifier" not in text
    assert "a single trained model" in text
    assert "The power to find" not in text


@pytest.mark.parametrize(("metric", "margin"), [("r2", ""), ("rmse", ", margin 0.5")])
def test_the_power_is_given_for_points_and_for_a_margin(metric: str, margin: str) -> None:
    assert "The power to find a difference of" in report(metric, margin)


def test_the_plan_of_predicted_numbers_and_scores_says_what_they_are(tmp_path: Path) -> None:
    truth = random.integers(0, 2, 40)
    tables = {
        "numbers": pd.DataFrame({name: random.normal(size=40) for name in ("truth", "old", "new")}),
        "scores": pd.DataFrame({"truth": truth, "old": (truth + 1.2) / 4, "new": (truth + 1) / 4}),
    }
    plans = {}
    for name, table in tables.items():
        table.to_csv(tmp_path / f"{name}.csv", index=False)
        script = tmp_path / f"{name}.eval"
        script.write_text(
            f'predictions p from csv "{name}.csv", truth "truth", learners in "old", "new"\ncompare old vs new on p'
        )
        plans[name] = describe(ev.run(script, ledger=False).run.plan)
    assert "which of these trained models is more accurate" in plans["numbers"]
    assert "classifier" not in plans["numbers"]
    assert "(by default: roc-area for scores of two classes)" in plans["scores"]
    assert "(by default: accuracy for classes, rmse for numbers)" in plans["numbers"]
