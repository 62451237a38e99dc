"""Scores that Python hands over: frames, dicts of arrays, cross-validations; what is paired, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.model_selection import (
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import evalang as ev

A = [float(i % 2) for i in range(40)]
B = [float(i % 10 > 0) for i in range(40)]
ITEMS = [f"q{i}" for i in range(40)]
TREE, BAYES = DecisionTreeClassifier(max_depth=1, random_state=0), GaussianNB()
TENS = StratifiedKFold(10, shuffle=True, random_state=0)


def long(metric: str = "accuracy", learner: str = "model") -> pd.DataFrame:
    return pd.DataFrame({learner: ["a"] * 40 + ["b"] * 40, "item": ITEMS * 2, metric: A + B})


def validated(cv: Any, scoring: Any = None, learner: Any = TREE) -> dict[str, Any]:
    X, y = load_iris(return_X_y=True)
    return cross_validate(learner, X, y, cv=cv, scoring=scoring, return_indices=True)  # type: ignore[no-any-return]


def p_of(result: ev.Result) -> float:
    (verdict,) = result.run.verdicts
    assert verdict.test is not None
    return verdict.test.pvalue


def test_a_frame_of_items_is_judged_by_its_discordant_pairs() -> None:
    """16 items are right for b alone and none for a alone: the mid-p of the sign test."""
    result = ev.compare("a vs b on logs", logs=long())
    assert result.run.verdicts[0].decision == "second-better"
    assert p_of(result) == pytest.approx(2 * stats.binom.cdf(0, 16, 0.5) - stats.binom.pmf(0, 16, 0.5))


@pytest.mark.parametrize(
    "logs",
    [
        long("score", "Learner"),
        long("score").sample(frac=1, random_state=1),
        {"item": ITEMS, "a": A, "b": B},
        {"item": np.array(ITEMS), "a": np.array(A), "b": pd.Series(B)},
    ],
    ids=["score", "in any order", "lists", "arrays"],
)
def test_every_form_gives_the_same_verdict(logs: Any) -> None:
    same = ev.compare("a vs b on logs", logs=long())
    other = ev.compare("a vs b on logs measuring accuracy", logs=logs)
    assert p_of(other) == pytest.approx(p_of(same))


def test_cross_validations_are_paired_by_the_rows_of_their_folds() -> None:
    first, second = validated(TENS), validated(TENS, learner=BAYES)
    result = ev.compare("a vs b on iris-cv measuring accuracy", {"iris-cv": {"a": first, "b": second}})
    gap = first["test_score"] - second["test_score"]
    t = gap.mean() / np.sqrt((1 / 10 + 1 / 9) * gap.var(ddof=1))  # Nadeau and Bengio 2003
    assert p_of(result) == pytest.approx(2 * stats.t.sf(abs(t), 9))
    assert result.run.verdicts[0].unmet == ()  # how the scores came about is proved by the rows


def test_a_negated_score_is_turned_back() -> None:
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
    first, second = validated(cv, ["neg_log_loss"]), validated(cv, ["neg_log_loss"], BAYES)
    (verdict,) = ev.compare("a vs b on runs", runs={"a": first, "b": second}).run.verdicts
    assert [s.mean for s in verdict.scores] == pytest.approx(
        [-first["test_neg_log_loss"].mean(), -second["test_neg_log_loss"].mean()]
    )
    assert verdict.decision == "second-better"


def test_a_frame_without_a_learner_or_a_level_is_a_dataset() -> None:
    for frame in (long().drop(columns="model"), long().drop(columns="item"), long("answer")):
        (dataset,) = ev.plan("compare knn vs svm on D using 10cv", D=frame).plan.datasets
        assert dataset.name == "D"


@pytest.mark.parametrize(
    ("logs", "said"),
    [
        ({"a": A, "b": B}, "nothing says what the places in the arrays of logs stand for"),
        ({"item": ITEMS[1:], "a": A, "b": B}, "differ in length: 'item' 39, 'a' 40, 'b' 40"),
        ({"item": ITEMS, "a": pd.Series(A), "b": pd.Series(B)[::-1]}, "have different indexes"),
        (long().iloc[:-1], "q39"),
        (long().assign(score=1.0), "several columns of the score: accuracy, score"),
        (long().replace({"model": {"b": "c"}}), "logs has no learner b"),
    ],
    ids=["no unit", "lengths", "orders", "one side alone", "two scores", "no such learner"],
)
def test_what_cannot_be_paired_is_refused(logs: Any, said: str) -> None:
    with pytest.raises(ev.EvalangError) as refused:
        ev.compare("a vs b on logs measuring accuracy", logs=logs)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (KFold(5, shuffle=True, random_state=1), KFold(5, shuffle=True, random_state=2), "are not those of a"),
        (ShuffleSplit(5, random_state=1), ShuffleSplit(5, random_state=1), "do not hold every row once"),
    ],
    ids=["other folds", "resamples"],
)
def test_folds_that_are_not_the_same_or_no_partition_are_refused(first: Any, second: Any, said: str) -> None:
    with pytest.raises(ev.EvalangError, match=said):
        ev.compare("a vs b on cv measuring accuracy", cv={"a": validated(first), "b": validated(second)})


def test_folds_that_nobody_can_see_are_refused() -> None:
    whole = validated(TENS)
    bare = {key: value for key, value in whole.items() if key != "indices"}
    for one in (bare, {**bare, "indices": None}, {**bare, "indices": {}}):
        with pytest.raises(ev.EvalangError, match="return_indices=True"):
            ev.compare("a vs b on cv measuring accuracy", cv={"a": one, "b": one})
    short = {**whole, "test_score": whole["test_score"][1:]}
    with pytest.raises(ev.EvalangError, match="has 10 folds of b and not as many scores"):
        ev.compare("a vs b on cv measuring accuracy", cv={"a": whole, "b": short})
