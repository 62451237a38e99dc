"""The views of a comparison's scores, worked out again from the trials themselves."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.naive_bayes import GaussianNB

from evalang.errors import TestError
from evalang.plans.model import Comparison, Metric, Part, Scheme
from evalang.scores.score_table import COLUMNS, ScoreTable
from evalang.trials.splits import folds

from ..support.engine import carry_out, catalogue, options, own, table

NB = catalogue("nb", "naive-bayes")
MAJORITY = catalogue("majority")
CV = Scheme(kind="cv", folds=5)


def by_hand(made: Any, scheme: Scheme) -> list[tuple[Any, Any, Any]]:
    """(test rows, labels, probability of the second class) of naive Bayes on each fold, by scikit-learn alone."""
    found = []
    X = made.X.to_numpy()
    for fold in folds(scheme, made, 20):
        fitted = GaussianNB().fit(X[fold.train], made.y[fold.train])
        found.append((fold.test, fitted.predict(X[fold.test]), fitted.predict_proba(X[fold.test])[:, 1]))
    return found


def run(folder: Path, made: Any, scheme: Scheme, *learners: Any, **more: Any) -> ScoreTable:
    comparison, outcome = carry_out(list(learners) or [NB, MAJORITY], [made], scheme, options(folder, 0), **more)
    return ScoreTable(comparison, outcome)


def test_fold_scores(tmp_path: Path) -> None:
    made, scheme = table(100), Scheme(kind="repeated-cv", partitions=3, folds=4)
    scores = run(tmp_path, made, scheme, metrics=(Metric("accuracy"), Metric("roc-area")))
    hand = by_hand(made, scheme)
    accuracy = np.reshape([accuracy_score(made.y[rows], labels) for rows, labels, _ in hand], (3, 4))
    area = np.reshape([roc_auc_score(made.y[rows], p) for rows, _, p in hand], (3, 4))
    assert scores.fold_scores("made", "accuracy")["nb"] == pytest.approx(accuracy, rel=1e-14)
    assert scores.fold_scores("made", "roc-area")["nb"] == pytest.approx(area, rel=1e-12)
    assert scores.sizes("made") == (75.0, 25.0)
    assert scores.dataset_scores("accuracy")["nb"] == pytest.approx([accuracy.mean()], rel=1e-14)


def test_rows_tested_once(tmp_path: Path) -> None:
    made = table(100)
    scores = run(tmp_path, made, CV, metrics=(Metric("accuracy"), Metric("brier"), Metric("roc-area")))
    labels, chance = np.empty(100), np.empty(100)
    for rows, said, p in by_hand(made, CV):
        labels[rows], chance[rows] = said, p
    assert (scores.outcomes("made")["nb"] == (labels == made.y)).all()
    assert scores.row_values("made", "accuracy")["nb"].tolist() == [(labels == made.y).astype(float).tolist()]
    assert scores.row_values("made", "brier")["nb"][0] == pytest.approx((chance - made.y) ** 2, rel=1e-12)
    positive, ranked = scores.row_scores("made")
    assert (positive == (made.y == 1)).all()
    assert ranked["nb"] == pytest.approx(chance, rel=1e-14)
    assert (scores.answers("made", "accuracy")["nb"].truth == made.y).all()


def test_rows_tested_more_than_once_give_no_outcomes(tmp_path: Path) -> None:
    scores = run(tmp_path, table(100), Scheme(kind="5x2cv", partitions=5, folds=2))
    for view in (scores.outcomes, scores.row_scores):
        with pytest.raises(TestError, match="tests rows of made more than once"):
            view("made")
    with pytest.raises(TestError, match="no disjoint training sets"):
        scores.training_values("made", "accuracy")


def test_numbers_are_neither_right_nor_wrong(tmp_path: Path) -> None:
    scores = run(tmp_path, table(60, 0), CV, catalogue("mean"), catalogue("linear", "linear-regression"))
    with pytest.raises(TestError, match="nothing is right or wrong"):
        scores.outcomes("made")
    assert scores.row_values("made", "rmse")["mean"].shape == (1, 60)


def test_training_values(tmp_path: Path) -> None:
    made, scheme = table(120), Scheme(kind="trainings", partitions=4, rows=20)
    values = run(tmp_path, made, scheme).training_values("made", "accuracy")["nb"]
    hand = [(labels == made.y[rows]).astype(float) for rows, labels, _ in by_hand(made, scheme)]
    assert values.shape == (4, 40)
    assert (values == np.stack(hand)).all()


def test_leave_one_out_is_scored_over_all_rows(tmp_path: Path) -> None:
    made, scheme = table(30), Scheme(kind="leave-one-out")
    scores = run(tmp_path, made, scheme, metrics=(Metric("accuracy"), Metric("roc-area")))
    hand = by_hand(made, scheme)
    area = roc_auc_score([made.y[rows[0]] for rows, _, _ in hand], [p[0] for _, _, p in hand])
    assert scores.fold_scores("made", "roc-area")["nb"] == pytest.approx(np.array([[area]]), rel=1e-12)
    right = sum(labels[0] == made.y[rows[0]] for rows, labels, _ in hand)
    assert scores.fold_scores("made", "accuracy")["nb"].tolist() == [[right / 30]]


def test_trainings_are_averaged_and_never_joined(tmp_path: Path) -> None:
    """Three trainings: a score is the mean of three, and nothing is right or wrong by their vote."""
    forest = replace(catalogue("forest", "random-forest", n_estimators=1), trainings=3)
    scores = run(tmp_path, table(80), Scheme(kind="holdout", part=Part(rows=40)), forest)
    frame = scores.frame()
    assert list(frame.columns) == list(COLUMNS)
    assert frame["training"].tolist() == [0, 1, 2]
    each = frame["score"].tolist()
    assert len(set(each)) > 1
    assert scores.fold_scores("made", "accuracy")["forest"].tolist() == [[math.fsum(each) / 3]]
    assert scores.row_values("made", "accuracy")["forest"].mean(axis=1).tolist() == pytest.approx(each)
    for joined in (scores.outcomes, scores.row_scores):
        with pytest.raises(TestError, match="forest is trained 3 times"):
            joined("made")


@pytest.mark.parametrize("kind", ["undecided", "worst", "leave-out"])
def test_policies_for_failures(kind: str, tmp_path: Path) -> None:
    """One fold of the first learner fails."""
    bad = own("bad", "Raises", without=3)
    scores = run(tmp_path, table(50), CV, bad, NB, failures=kind, metrics=(Metric("accuracy"), Metric("error")))
    failed = next(f.fold for f in scores.failures)
    rows = folds(CV, table(50), 20)[failed].test
    if kind == "undecided":
        views = (scores.fold_scores, scores.row_values, scores.answers, lambda data, _: scores.outcomes(data))
        for view in views:  # no test is computed over a hole
            with pytest.raises(TestError, match=f"bad has no score on made, fold {failed + 1}: ValueError"):
                view("made", "accuracy")
    elif kind == "worst":
        assert scores.fold_scores("made", "accuracy")["bad"][0, failed] == 0.0
        assert scores.fold_scores("made", "error")["bad"][0, failed] == 1.0
        assert scores.fold_scores("made", "accuracy")["nb"].shape == (1, 5)
        assert not scores.outcomes("made")["bad"][rows].any()
        assert (scores.row_values("made", "accuracy")["bad"][:, rows] == 0.0).all()
    else:
        assert {v.shape for v in scores.fold_scores("made", "accuracy").values()} == {(1, 4)}
        assert {v.shape for v in scores.outcomes("made").values()} == {(40,)}


@pytest.mark.parametrize(
    ("scheme", "shape"),
    [
        (Scheme(kind="repeated-cv", partitions=2, folds=5), (1, 8)),
        (Scheme(kind="partitions-cv", partitions=3, folds=5), None),
        (Scheme(kind="5x2cv", partitions=5, folds=2), None),
        (Scheme(kind="resamples", partitions=6, part=Part(fraction=0.8)), None),
    ],
)
def test_leaving_out_keeps_what_a_test_needs(scheme: Scheme, shape: tuple[int, int] | None, tmp_path: Path) -> None:
    bad = own("bad", "Raises", without=3)
    scores = run(tmp_path, table(50), scheme, bad, NB, failures="leave-out")
    failed = {(f.partition, f.fold) for f in scores.failures}
    if scheme.kind == "resamples":
        shape = (6 - len(failed), 1)
    if scheme.together:  # row 3 is tested once in each, so folds are left and no whole partition
        with pytest.raises(TestError, match="every repeat on made has a failed fold"):
            scores.fold_scores("made", "accuracy")
        return
    assert scores.fold_scores("made", "accuracy")["nb"].shape == shape


def test_the_worst_of_a_metric_without_bound_is_the_worst_seen(tmp_path: Path) -> None:
    scores = run(tmp_path, table(50, 0), CV, own("bad", "Raises", without=3), catalogue("mean"), failures="worst")
    found = scores.fold_scores("made", "rmse")
    failed = next(f.fold for f in scores.failures)
    others = np.concatenate([np.delete(found["bad"][0], failed), found["mean"][0]])
    assert found["bad"][0, failed] == others.max()


def test_a_metric_that_is_not_defined_is_a_failure_with_a_reason(tmp_path: Path) -> None:
    """11, 12: roc-area where the test part has one class; the other metric is not touched."""
    made = table(40, 2, y=np.array([1] * 4 + [0] * 36), content_hash="rare")
    scores = run(
        tmp_path, made, replace(CV, stratified=False), NB, MAJORITY, metrics=(Metric("accuracy"), Metric("roc-area"))
    )
    assert {f.metric for f in scores.failures} == {"roc-area"}
    assert {f.kind for f in scores.failures} == {"score"}
    with pytest.raises(TestError, match="has no score on made"):
        scores.fold_scores("made", "roc-area")
    assert scores.fold_scores("made", "accuracy")["nb"].shape == (1, 5)


@pytest.mark.parametrize(
    ("value", "words"),
    [(1.5, "outside its range"), (-0.1, "outside its range"), (math.nan, "not a finite"), (math.inf, "not a finite")],
)
def test_a_score_that_cannot_be_is_a_failure(
    value: float, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """11: whatever a metric comes to."""
    monkeypatch.setattr("evalang.scores.cell_scores.score", lambda *_: value)
    scores = run(tmp_path, table(40), CV)
    with pytest.raises(TestError, match=words):
        scores.fold_scores("made", "accuracy")
    assert {(f.kind, f.metric) for f in scores.failures} == {("score", "accuracy")}


def test_weights_count_in_scoring(tmp_path: Path) -> None:
    weights = np.linspace(0.5, 2.0, 60)
    made = table(60, weights=weights, content_hash="weighted")
    scores = run(tmp_path, made, Scheme(kind="holdout", part=Part(rows=20)))
    (fold,) = folds(Scheme(kind="holdout", part=Part(rows=20)), made, 20)
    answer = scores.answers("made", "accuracy")["majority"]
    right = answer.labels == answer.truth
    assert scores.fold_scores("made", "accuracy")["majority"][0, 0] == pytest.approx(
        float(np.average(right, weights=weights[np.sort(fold.test)]))
    )
    # Right or wrong by the row would be another accuracy, so it is not handed out.
    with pytest.raises(TestError, match="have weights"):
        scores.outcomes("made")


def test_a_run_that_was_stopped_is_not_scored(tmp_path: Path) -> None:
    from evalang.errors import RunError
    from evalang.trials.store import Store

    comparison, outcome = carry_out([NB], [table(40)], CV, options(tmp_path, 0))
    store = Store(tmp_path)
    store._connection.execute("DELETE FROM trials WHERE key = (SELECT min(key) FROM trials)")
    store.close()
    with pytest.raises(RunError, match="has no fit for fold"):
        ScoreTable(comparison, outcome)


def test_the_same_learner_twice_is_one_set_of_trials(tmp_path: Path) -> None:
    one: tuple[Comparison, Any] = carry_out(
        [NB, catalogue("other", "naive-bayes")], [table(40)], CV, options(tmp_path, 0)
    )
    assert one[1].total == 5
    found = ScoreTable(*one).fold_scores("made", "accuracy")
    assert (found["nb"] == found["other"]).all()
