"""A guarded holdout: estimates with a tolerance, no verdict, a budget in the ledger, refused where nothing protects."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from evalang.ledger.chain import read_events
from evalang.verdicts import thresholdout
from evalang.verdicts.thresholdout import TOLERANCE, answer, guarded_estimates, rows_needed
from tests.simulations.reused_holdout import ATTACKS, last_answer
from tests.simulations.reused_holdout import main as simulation

from ..support.evidence import MadeEvidence, planned
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
    assert "were used 2 times; 2 more exceed 3" in beyond["err"]
    assert judged(HEAD + ASK.format("decision-tree vs majority", 3))["code"] == 0, "one of them is known"


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (ASK.format("naive-bayes vs majority", 50), (), "too few to test 50 times"),
        (
            ASK.format("naive-bayes vs majority", 2000),
            (),
            "2,000 uses are more than were simulated",
        ),
        (ASK.format("naive-bayes vs majority", 3), ("--no-ledger",), "needs the ledger, which counts its uses"),
        (ASK.format("naive-bayes vs majority", 3).replace(" as", ", measuring mcc as"), (), "cannot protect mcc"),
        (ASK.format("naive-bayes vs majority", 3).replace("1/3", "60%"), (), "fewer training rows (1,320)"),
    ],
    ids=["size", "uses", "no ledger", "metric", "share"],
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
    assert "so there is nothing to test" in found["err"]


@pytest.mark.parametrize("gap", [0.0, 0.02, 0.03, 0.04, -0.045, 0.05, 0.2])
def test_answers_have_the_distribution_of_the_published_algorithm(gap: float) -> None:
    """The test part answers with probability P(N(.04, .01) <= |gap|), then by N(score, .01) cut at 0 and 1."""
    rng, held, draws = np.random.default_rng(3), 0.75, 3000
    given = [answer(held + gap, held, rng) for _ in range(draws)]
    opened = [value for value, from_test in given if from_test]
    assert all(value == held + gap for value, from_test in given if not from_test)
    low, high = stats.binom.ppf((0.0001, 0.9999), draws, stats.norm.cdf(abs(gap), 0.04, 0.01))
    assert low <= len(opened) <= high
    if len(opened) > 50:
        assert stats.kstest(opened, stats.norm(held, 0.01).cdf).pvalue > 0.0001
    assert max(answer(0.5, 1.0, rng)[0] for _ in range(50)) == 1.0


def test_the_guess_is_the_mean_of_the_five_folds_before_the_test_part() -> None:
    plan = planned(
        'dataset d from csv "d.csv", target "y"\n'
        "compare decision-tree vs naive-bayes on d using guarded holdout 1/3 within 20 looks, seed 1\n"
    )
    scores = {"decision-tree": [0.70, 0.72, 0.74, 0.76, 0.83, 0.752], "naive-bayes": [0.5, 0.5, 0.5, 0.5, 0.5, 0.98]}
    evidence = MadeEvidence({"d": {"accuracy": {name: np.array([row]) for name, row in scores.items()}}})
    kept: dict[str, tuple[float, bool]] = {}

    def record(place: tuple[str, str, str], given: tuple[float, bool]) -> float:
        return kept.setdefault(place[1], given)[0]

    tree, bayes = guarded_estimates(plan.comparisons[0], evidence, record)
    assert kept["decision-tree"] == (pytest.approx(0.75), False)
    assert (tree.interval.low, tree.interval.high) == pytest.approx((0.69, 0.81))
    assert kept["naive-bayes"][1]
    assert bayes.score == pytest.approx(0.98, abs=0.05)
    assert bayes.interval.high == 1.0


def test_the_test_part_answers_once_for_every_200_rows(judged: Judged, monkeypatch: pytest.MonkeyPatch) -> None:
    """1,100 test rows answer five times, also within one run; then a new question is refused before training."""
    monkeypatch.setattr(thresholdout, "THRESHOLD", -1.0)  # the test part never agrees with the guess
    learners = ["naive-bayes", "majority", "decision-tree", "knn", "logistic-regression", "linear-discriminant"]
    found = judged(HEAD + ASK.format(" vs ".join(learners), 20))
    scores = {one["learner"]: one["score"] for one in found["estimates"]}
    assert [name for name in learners if scores[name] is None] == ["linear-discriminant"]
    assert sum(bool(event.get("opened")) for event in read_events(".")) == 5
    again = judged(HEAD + ASK.format("svm vs majority", 20))
    assert again["code"] == 2
    assert "5 learners were scored on the test rows of own, which is the most allowed" in again["err"]


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_tolerance_holds_at_the_size_that_is_asked_for(attack: str) -> None:
    """50 uses of 2,000 rows: 95 of 100 last answers within the tolerance; a holdout without a guard is far beyond."""
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
