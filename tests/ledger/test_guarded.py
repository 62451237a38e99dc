"""A guarded holdout: estimates with a tolerance, no verdict, a budget in the ledger, refused where nothing protects."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalang.ledger.chain import read_events
from evalang.verdicts.thresholdout import TOLERANCE, GuardedQuestion, answer, rows_needed
from tests.simulations.reused_holdout import ATTACKS, last_answer
from tests.simulations.reused_holdout import main as simulation

from .conftest import Judged

HEAD = 'set seed 3\ndataset own from csv "own.csv", target "y" because "ours"\n'
ASK = "compare {} on own using guarded holdout 1/3 within {} looks as duel\n"


@pytest.fixture(autouse=True)
def data(project: Path) -> None:
    chance = np.random.default_rng(1)
    x = chance.normal(size=(3300, 3))
    y = np.where(x[:, 0] + chance.normal(size=3300) > 0, "a", "b")
    pd.DataFrame({"u": x[:, 0], "v": x[:, 1], "w": x[:, 2], "y": y}).to_csv("own.csv", index=False)


def test_answers_have_a_tolerance_and_no_verdict(project: Path, judged: Judged) -> None:
    text = HEAD + ASK.format("naive-bayes vs majority", 3)
    said = judged(text, "s", "--export")
    assert said["code"] == 0
    assert said["comparisons"] == []
    assert [one["learner"] for one in said["estimates"]] == ["naive-bayes", "majority"]
    for one in said["estimates"]:
        assert one["interval"]["high"] - one["score"] == pytest.approx(TOLERANCE)
    kept = json.loads((project / "runs" / "s" / "result.json").read_text())["run"]
    assert kept["partitions"] == []
    assert not any(isinstance(value, list) and value for value in kept["scores"].values()), "no score of a test row"
    assert not list((project / "runs" / "s").glob("scores.*"))
    again = judged(text, "s", "--fresh")
    assert [one["score"] for one in again["estimates"]] == [one["score"] for one in said["estimates"]]
    assert sum(one.kind == "asked" for one in read_events(".")) == 2, "the same question is asked once"


def test_the_budget_is_kept_in_the_ledger(judged: Judged) -> None:
    assert judged(HEAD + ASK.format("naive-bayes vs majority", 3))["code"] == 0
    beyond = judged(HEAD + ASK.format("decision-tree vs knn", 3))
    assert beyond["code"] == 2
    assert "were asked 2 times, and 2 questions more go beyond 3" in beyond["err"]
    assert judged(HEAD + ASK.format("decision-tree vs majority", 3))["code"] == 0, "one of them is known"


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (ASK.format("naive-bayes vs majority", 50), (), "too few for 50 looks"),
        (ASK.format("naive-bayes vs majority", 2000), (), "2,000 looks are more than the method allows"),
        (ASK.format("naive-bayes vs majority", 3), ("--no-ledger",), "keeps its budget in the ledger"),
        (ASK.format("naive-bayes vs majority", 3).replace(" as", ", measuring mcc as"), (), "cannot answer for mcc"),
        (ASK.format("naive-bayes vs majority", 3).replace("1/3", "60%"), (), "too few for 3 looks"),
    ],
    ids=["size", "looks", "no ledger", "metric", "share"],
)
def test_refused_before_anything_is_trained(
    project: Path, judged: Judged, text: str, options: tuple[str, ...], said: str
) -> None:
    found = judged(HEAD + text, "s", *options)
    assert found["code"] == 2
    assert said in found["err"]
    assert not (project / "runs").exists()


def test_no_test_can_be_named(judged: Judged) -> None:
    found = judged(HEAD + ASK.format("knn vs majority", 3).replace(" as", " by mcnemar as"))
    assert found["code"] != 0
    assert "nothing that a test could rest on" in found["err"]


def test_the_guess_answers_while_the_test_part_agrees() -> None:
    rng = np.random.default_rng(3)
    near = [answer(GuardedQuestion("", "", "", "", 0.80, 0.805), rng) for _ in range(2000)]
    far = [answer(GuardedQuestion("", "", "", "", 0.80, 0.60), rng) for _ in range(2000)]
    assert sum(one.opened for one in near) < 10
    assert all(one.answer == 0.80 for one in near if not one.opened)
    assert all(one.opened for one in far)
    assert np.mean([one.answer for one in far]) == pytest.approx(0.60, abs=0.002)
    assert np.std([one.answer for one in far]) == pytest.approx(0.01, abs=0.001)


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_tolerance_holds_at_the_size_that_is_asked_for(attack: str) -> None:
    """50 looks at 2,000 rows: 95 of 100 last answers within the tolerance; a holdout without a guard is far beyond."""
    rng = np.random.default_rng(9)
    rows = rows_needed(50)
    assert rows is not None
    guarded = np.array([last_answer(rows, 50, attack, True, rng) for _ in range(60)])
    assert np.mean(abs(guarded - 0.5) <= TOLERANCE) >= 0.9
    small = np.array([last_answer(500, 200, "vote", True, rng) for _ in range(20)])
    assert np.mean(abs(small - 0.5) <= TOLERANCE) < 0.5, "below that size it does not"


def test_the_simulation_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    simulation((10,), (500,), most=20)
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[:4] for line in said[:3]] == [["10", "500", attack, "20"] for attack in ATTACKS]
    assert str(TOLERANCE) in said[3]
