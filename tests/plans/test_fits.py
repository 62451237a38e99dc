"""The number of trainings: by hand, and against a learner that counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.plans.comparison import UNKNOWN
from evalang.plans.opened_data import OpenedDataset, with_opened_data
from tests.support.plans import clean, only

# t, n: 1 training. tuned: 3 x 5 = 15 settings. five: 3 settings, trained 5 times.
REST = "on a using 10cv"


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("compare t vs n on a using 5x2cv", 2 * 10),
        ("compare t vs n on a, b, c using 5x2cv", 2 * 10 * 3),
        ("compare t vs n on a using holdout 1/3", 2),
        ("compare t vs n on a using 10 partitions of 5x2cv", 2 * 100),
        ("compare t vs n on a using 8 trainings of 300", 2 * 8),
        ("compare t vs n on a using forward 8 splits", 2 * 8),
        ("compare t vs n on iris using leave-one-out", 2 * 150),
        ("compare t vs n on a using leave-one-out", UNKNOWN),
        ("compare t vs n on a using given folds", UNKNOWN),
        ('results s from csv "s.csv", measuring accuracy\ncompare t vs n on s', 0),
        # on each fold: 15 candidates, then the winner again; and 1 for t
        (f"compare tuned vs t {REST}, tune on 20%", 10 * (15 + 1 + 1)),
        (f"compare tuned vs t {REST}, tune on 20%, without retraining", 10 * (15 + 1)),
        (f"compare tuned vs t {REST}, tune using 5cv", 10 * (15 * 5 + 1 + 1)),
        # each metric may have a winner of its own; times choose none
        (f"compare tuned vs t {REST}, tune on 20%, measuring accuracy, mcc, brier", 10 * (15 + 3 + 1)),
        (f"compare tuned vs t {REST}, tune on 20% for mcc, measuring accuracy, mcc, brier", 10 * (15 + 1 + 1)),
        (f"compare tuned vs t {REST}, tune on 20%, measuring accuracy, fit-time", 10 * (15 + 1 + 1)),
        # train 5 times: the candidates once, the winner five times
        (f"compare five vs t {REST}, tune on 20%", 10 * (3 + 5 + 1)),
        (f"compare five vs t {REST}, tune on 20%, without retraining", 10 * (3 + 4 + 1)),
        # a threshold: t once more without the tuning part (in each inner fold); a part of its own costs nothing
        (f"compare tuned vs t {REST}, tune on 20%, threshold on tuning", 10 * (15 + 1 + 1 + 1)),
        (f"compare tuned vs t {REST}, tune on 20%, threshold on tuning, without retraining", 10 * (15 + 1)),
        (f"compare tuned vs t {REST}, tune using 5cv, threshold on tuning", 10 * (15 * 5 + 1 + 5 + 1)),
        (f"compare tuned vs t {REST}, tune on 20%, threshold on 20%, stop early on 10%", 10 * (15 + 1 + 1)),
    ],
)
def test_counted_by_hand(text: str, fits: int) -> None:
    assert only(text).fits == fits


def test_opening_the_data_tells_the_rest() -> None:
    built = clean("compare t vs n on a using leave-one-out\ncompare t vs n on a using given folds")
    known = {"a": OpenedDataset(task="classification", rows=40, classes=2, folds=7)}
    assert [c.fits for c in with_opened_data(built, known).plan.comparisons] == [80, 14]


@pytest.mark.parametrize(
    "clauses",
    [
        "tune on 20%",
        "tune on 20%, without retraining",
        "tune using 3cv",
        "tune on 20%, measuring accuracy, mcc, holm over metrics",
        "tune on 20% for mcc, measuring accuracy, mcc, holm over metrics",
        "tune on 20%, threshold on tuning",
    ],
)
def test_the_run_trains_as_often_as_the_plan_says(
    clauses: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from sklearn.datasets import load_iris
    from sklearn.tree import DecisionTreeClassifier

    import evalang

    counter = tmp_path / "count"
    counter.touch()
    before = DecisionTreeClassifier.fit

    def fit(self, *args, **options):  # type: ignore[no-untyped-def]
        with counter.open("ab") as file:  # trials may run in processes of their own
            file.write(b".")
        return before(self, *args, **options)

    monkeypatch.setattr(DecisionTreeClassifier, "fit", fit)
    text = f"""
    learner d is decision-tree, tune max_depth in {{1, 2, 3}}, train 2 times
    compare d vs naive-bayes on flowers using 3cv, {clauses}, seed 1
    """
    flowers = tuple(part[:100] for part in load_iris(return_X_y=True))  # of two classes
    others = 3 * (1 + ("threshold" in clauses))  # trainings of naive-bayes
    planned = evalang.plan(text, flowers=flowers).plan.comparisons[0].fits - others
    evalang.run(text, flowers=flowers)
    count = counter.stat().st_size
    spare = 3 * 2 if clauses.startswith("tune on 20%, measuring") else 0  # two metrics may agree on one winner
    assert planned - spare <= count <= planned
