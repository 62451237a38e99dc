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
        long(learner="algo"),
        long("correct", "agent").rename(columns={"item": "question"}),
        long("score").sample(frac=1, random_state=1),
        {"item": ITEMS, "a": A, "b": B},
        {"item": np.array(ITEMS), "a": np.array(A), "b": pd.Series(B)},
        pd.concat([long(), long().assign(accuracy=1.0)]).assign(split=["test"] * 80 + ["train"] * 80),
    ],
    ids=["score", "algo", "agent", "in any order", "lists", "arrays", "beside training rows"],
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


def test_a_leaderboard_and_returns_are_scores() -> None:
    board = pd.DataFrame({"model": ["a", "b"]} | {f"task {i}": [0.5 + i / 50, 0.52 + i / 40] for i in range(8)})
    result = ev.compare("a vs b on board measuring accuracy", board=board, ledger=False)
    assert p_of(result) == ev.analyse(board).pairs.pvalue[0] == 2 * 0.5**8
    runs = [(a, e, s, 10.0 * e + s + len(a)) for a in ("ppo", "sac2") for e in range(6) for s in range(3)]
    frame = pd.DataFrame(runs, columns=["algo", "env", "seed", "return"])
    said = str(ev.compare("ppo vs sac2 on R", R=frame, ledger=False).summary())
    assert "`sac2` is better than `ppo` over 6 datasets: return higher by 1" in " ".join(said.split())


def test_a_frame_without_a_learner_or_a_level_is_a_dataset() -> None:
    for frame in (long().drop(columns="model"), long().drop(columns="item"), long("answer")):
        (dataset,) = ev.plan("compare knn vs svm on D using 10cv", D=frame).plan.datasets
        assert dataset.name == "D"


@pytest.mark.parametrize(
    ("logs", "said"),
    [
        ({"a": A, "b": B}, "the axes of the arrays of logs are unknown"),
        ({"item": ITEMS[1:], "a": A, "b": B}, "differ in length: 'item' 39, 'a' 40, 'b' 40"),
        ({"item": ITEMS, "a": pd.Series(A), "b": pd.Series(B)[::-1]}, "have different indexes"),
        (long().iloc[:-1], "`b` lacks 1 of 40 answers in table `logs`"),
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
        (
            KFold(5, shuffle=True, random_state=1),
            KFold(5, shuffle=True, random_state=2),
            "learners `b` and `a` have different folds",
        ),
        (ShuffleSplit(5, random_state=1), ShuffleSplit(5, random_state=1), "do not hold each row exactly once"),
    ],
    ids=["other folds", "resamples"],
)
def test_folds_that_are_not_the_same_or_no_partition_are_refused(first: Any, second: Any, said: str) -> None:
    with pytest.raises(ev.EvalangError, match=said):
        ev.compare("a vs b on folds measuring accuracy", folds={"a": validated(first), "b": validated(second)})


def test_folds_that_nobody_can_see_are_refused() -> None:
    whole = validated(TENS)
    bare = {key: value for key, value in whole.items() if key != "indices"}
    for one in (bare, {**bare, "indices": None}, {**bare, "indices": {}}):
        with pytest.raises(ev.EvalangError, match="return_indices=True"):
            ev.compare("a vs b on folds measuring accuracy", folds={"a": one, "b": one})
    short = {**whole, "test_score": whole["test_score"][1:]}
    with pytest.raises(ev.EvalangError, match="has 10 folds of learner `b` but a different number"):
        ev.compare("a vs b on folds measuring accuracy", folds={"a": whole, "b": short})


def test_groups_may_be_said_beside_the_scores() -> None:
    """Groups of four items that stand or fall together: the units are ten, not forty."""
    passages = [f"p{i // 4}" for i in range(40)]
    plain = {"item": ITEMS, "passage": passages, "a": A, "b": B}
    frame = long().assign(passage=passages * 2)
    asked = "a vs b on logs measuring accuracy"
    found = [ev.compare(asked, logs=ev.given(one, 'groups "passage"'), seed=1) for one in (plain, frame)]
    for result in found:
        (verdict,) = result.run.verdicts
        assert verdict.test is not None
        assert (verdict.test.test, verdict.test.n_units) == ("cluster-permutation", 10)
    assert p_of(found[0]) == pytest.approx(p_of(found[1]))


def test_how_they_were_made_may_be_said_beside_the_scores() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"model": np.repeat(["a", "b"], 30), "repeat": np.tile(np.arange(30), 2)})
    frame["accuracy"] = np.where(frame["model"] == "a", 0.8, 0.85) + rng.normal(0, 0.02, 60)
    with pytest.raises(ev.EvalangError, match="it is unknown what changes with each repeat"):
        ev.compare("a vs b on logs", logs=frame)
    result = ev.compare("a vs b on logs by corrected-t", logs=ev.given(frame, "made using 30 resamples of 2/3"))
    difference = frame.loc[:29, "accuracy"].to_numpy() - frame.loc[30:, "accuracy"].to_numpy()
    spread = np.sqrt((1 / 30 + 0.5) * difference.var(ddof=1))  # nadeau2003: test over training rows is 1/2
    assert p_of(result) == pytest.approx(2 * stats.t.sf(abs(difference.mean()) / spread, 29), rel=1e-5)


def test_a_formula_may_be_given_for_other_names() -> None:
    frame = long().rename(columns={"model": "who", "item": "question"})
    logs = ev.given(frame, 'as accuracy ~ who | question, items in "question"')
    assert p_of(ev.compare("a vs b on logs", logs=logs)) == p_of(ev.compare("a vs b on logs", logs=long()))


@pytest.mark.parametrize(
    ("clauses", "said"),
    [
        ("made using nothing", "the clauses of logs cannot be read"),
        ("\ncompare a vs b on iris using 5cv", "the clauses of logs cannot be read"),
        ('groups "nowhere"', "nowhere"),
    ],
)
def test_clauses_that_cannot_be(clauses: str, said: str) -> None:
    with pytest.raises(ev.EvalangError, match=said):
        ev.compare("a vs b on logs", logs=ev.given(long(), clauses))


class CrossValidationReport:
    """What skore 0.28 has, as far as it is asked for."""

    def __init__(self, learner: Any, cv: Any) -> None:
        found = validated(cv, ["accuracy", "neg_log_loss"], learner)
        self.split_indices = tuple(zip(found["indices"]["train"], found["indices"]["test"], strict=True))
        self.ml_task = "multiclass-classification"
        self.metrics = self
        self._scores = {"accuracy": found["test_accuracy"], "log_loss": -found["test_neg_log_loss"]}

    def available(self) -> list[str]:
        return [*self._scores, "roc_auc"]

    def get(self, name: str, *, aggregate: None) -> pd.DataFrame:
        return pd.DataFrame([self._scores.get(name, [0] * 10)] * (3 if name == "roc_auc" else 1))


CrossValidationReport.__module__ = "skore.made"


class ComparisonReport:
    def __init__(self, reports: dict[str, CrossValidationReport]) -> None:
        self.reports_ = reports


ComparisonReport.__module__ = "skore.made"


@pytest.mark.parametrize(("metric", "scoring"), [("", "accuracy"), (" measuring log-loss", "neg_log_loss")])
def test_reports_of_skore_are_cross_validations(metric: str, scoring: str) -> None:
    plain = {name: validated(TENS, [scoring], one) for name, one in (("tree", TREE), ("bayes", BAYES))}
    expected = p_of(ev.compare("tree vs bayes on own", own=plain))
    reports = {name: CrossValidationReport(one, TENS) for name, one in (("tree", TREE), ("bayes", BAYES))}
    for given in (reports, ComparisonReport(reports)):
        assert p_of(ev.compare(f"tree vs bayes on own{metric}", own=given)) == pytest.approx(expected)


def test_reports_that_cannot_be_paired() -> None:
    other = KFold(10, shuffle=True, random_state=5)
    torn = {"tree": CrossValidationReport(TREE, TENS), "bayes": CrossValidationReport(BAYES, other)}
    with pytest.raises(ev.EvalangError, match="learners `bayes` and `tree` have different folds"):
        ev.compare("tree vs bayes on own", own=torn)
    whole = {"tree": torn["tree"], "bayes": CrossValidationReport(BAYES, TENS)}
    with pytest.raises(ev.EvalangError, match="has a roc-area for each class"):
        ev.compare("tree vs bayes on own measuring roc-area", own=whole)
    with pytest.raises(ev.EvalangError, match="has no kappa"):
        ev.compare("tree vs bayes on own measuring kappa", own=whole)
    with pytest.raises(ev.EvalangError, match="is a CrossValidationReport of skore, which holds no comparison"):
        ev.compare("tree vs bayes on own", own=whole["tree"])
