"""Thresholds: chosen on rows of the training part alone, and the one that trying every one of them finds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from evalang.data.table import Table
from evalang.plans.model import Given, Metric, Part, Thresholding, Tuning
from evalang.scores.metrics import score_candidate as judge
from evalang.trials.splits import Cuts, Fold, Partition, folds
from evalang.trials.trial import Predicted
from evalang.trials.tune import best_threshold

from ..support.engine import FIVEFOLD, THIRD, carry_out, catalogue, options, table, trials_of

F_SCORE = Metric("f-score")
FIFTH = Part(fraction=0.2)
ON_PART = Thresholding(where="part", part=FIFTH, metric=F_SCORE)
ON_TUNING = Thresholding(where="tuning", metric=F_SCORE)
TUNE = Tuning(where="part", part=FIFTH)


def uneven(rows: int = 150, seed: int = 1) -> Table:
    """Two classes, the second (positive) one with a fifth of the rows."""
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < 0.2).astype(np.int64)
    made = table(rows, 2, seed=seed, y=y, positive="c1")
    made.X["x"] = rng.normal(size=rows) + 1.2 * y
    return made


def f_score(truth: Any, called: Any, weights: Any = None) -> float:
    """2 TP / (2 TP + FP + FN), 0 where nothing is positive on either side."""
    truth, called, w = (
        np.asarray(truth) == 1,
        np.asarray(called) == 1,
        np.ones(len(truth)) if weights is None else weights,
    )
    hit, missed = w[truth & called].sum(), w[truth != called].sum()
    return float(2 * hit / (2 * hit + missed)) if hit else 0.0


def tried_by_hand(truth: Any, scores: Any, usual: float, weights: Any = None) -> float:
    """The best f-score that any threshold reaches."""
    return max(f_score(truth, scores >= cut, weights) for cut in [*np.unique(scores), np.inf, usual])


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), rows=st.integers(4, 60), digits=st.integers(1, 6), margins=st.booleans())
def test_no_threshold_is_better(seed: int, rows: int, digits: int, margins: bool) -> None:
    """Against every threshold there is, with ties among the scores; and it is the nearest to the customary one."""
    rng = np.random.default_rng(seed)
    truth = np.append(rng.integers(0, 2, rows), [0, 1])
    scores = np.round(rng.normal(size=rows + 2) if margins else rng.random(rows + 2), digits)
    said = Predicted(
        truth=truth,
        labels=truth,
        scores=scores,
        probabilities=not margins,
        classes=("a", "b"),
        positive=1,
        weights=None,
    )
    usual = 0.0 if margins else 0.5
    found = best_threshold(judge, F_SCORE, [said])
    assert f_score(truth, scores >= found) == tried_by_hand(truth, scores, usual)
    if f_score(truth, scores >= usual) == tried_by_hand(truth, scores, usual):
        assert found == usual


def test_scores_of_several_parts_count_together() -> None:
    rng = np.random.default_rng(5)
    parts = []
    for _ in range(3):
        truth, scores = np.append(rng.integers(0, 2, 20), [0, 1]), rng.random(22)
        parts.append(
            Predicted(truth=truth, labels=truth, scores=scores, probabilities=True, classes=("a", "b"), positive=1,
                      weights=rng.random(22))
        )  # fmt: skip
    found = best_threshold(judge, F_SCORE, parts)
    truth, scores, weights = (np.concatenate([getattr(p, n) for p in parts]) for n in ("truth", "scores", "weights"))
    assert f_score(truth, scores >= found, weights) == pytest.approx(tried_by_hand(truth, scores, 0.5, weights))


PEERS = {"naive-bayes": GaussianNB(), "svm": SVC()}


def scores_of(fitted: Any, X: Any) -> Any:
    return fitted.decision_function(X) if isinstance(fitted, SVC) else fitted.predict_proba(X)[:, 1]


@pytest.mark.parametrize("name", list(PEERS))
def test_on_a_part_of_its_own_by_hand(name: str, tmp_path: Path) -> None:
    """Trained on the rest, chosen on the part, and the labels those of scikit-learn's FixedThresholdClassifier."""
    made = uneven()
    carry_out([catalogue(name)], [made], FIVEFOLD, options(tmp_path, 0), threshold=ON_PART, metrics=(F_SCORE,))
    X, y = made.X.to_numpy(), made.y
    for trial, fold in zip(trials_of(tmp_path), folds(FIVEFOLD, made, 20, Cuts(threshold=FIFTH)), strict=True):
        assert fold.threshold is not None
        (given,) = trial.answers
        fitted = PEERS[name].fit(X[fold.train], y[fold.train])
        inner = scores_of(fitted, X[fold.threshold])
        assert given.threshold is not None
        reached = f_score(y[fold.threshold], inner >= given.threshold)
        assert reached == tried_by_hand(y[fold.threshold], inner, 0.0 if name == "svm" else 0.5)
        peer = FixedThresholdClassifier(PEERS[name], threshold=given.threshold, pos_label=1).fit(
            X[fold.train], y[fold.train]
        )
        assert given.labels.tolist() == peer.predict(X[fold.test]).tolist()
        assert trial.train_size == len(fold.train)
        assert trial.failure is None


def test_on_the_tuning_part_by_hand(tmp_path: Path) -> None:
    """Chosen by a learner that was not trained on the part; the one that is tested was, and keeps the threshold."""
    made = uneven()
    carry_out(
        [catalogue("naive-bayes")], [made], FIVEFOLD, options(tmp_path, 0),
        tuning=Given(TUNE), threshold=ON_TUNING, metrics=(F_SCORE, Metric("roc-area")),
    )  # fmt: skip
    X, y = made.X.to_numpy(), made.y
    for trial, fold in zip(trials_of(tmp_path), folds(FIVEFOLD, made, 20, Cuts(TUNE)), strict=True):
        assert fold.tuning is not None
        (given,) = trial.answers
        assert given.threshold is not None
        inner = GaussianNB().fit(X[fold.train], y[fold.train]).predict_proba(X[fold.tuning])[:, 1]
        reached = f_score(y[fold.tuning], inner >= given.threshold)
        assert reached == tried_by_hand(y[fold.tuning], inner, 0.5)
        both = np.sort(np.concatenate([fold.train, fold.tuning]))
        scores = GaussianNB().fit(X[both], y[both]).predict_proba(X[fold.test])[:, 1]
        assert given.scores is not None
        assert given.scores == pytest.approx(scores)  # what roc-area is measured on
        assert given.labels.tolist() == (given.scores >= given.threshold).astype(int).tolist()
        assert trial.candidates == ()


def test_by_inner_folds_by_hand(tmp_path: Path) -> None:
    made, tuning = uneven(), Tuning(where="cv", folds=4)
    carry_out(
        [catalogue("naive-bayes")], [made], THIRD, options(tmp_path, 0), tuning=Given(tuning), threshold=ON_TUNING
    )
    (trial,) = trials_of(tmp_path)
    partition, X = Partition(THIRD, made, 20, 0), made.X.to_numpy()
    scores, truth = [], []
    for rows, part in partition.inner(partition.fold(0).train, 0, 4):
        scores += GaussianNB().fit(X[rows], made.y[rows]).predict_proba(X[part])[:, 1].tolist()
        truth += made.y[part].tolist()
    chosen = trial.answers[0].threshold
    assert chosen is not None
    assert f_score(truth, np.array(scores) >= chosen) == tried_by_hand(truth, np.array(scores), 0.5)


def test_a_tuned_winner_has_its_own(tmp_path: Path) -> None:
    """Without a further training: 2 candidates and the winner, whose threshold comes from its candidate."""
    from evalang.plans.model import Grid

    grid = (Grid(parameter="C", size=2, values=(0.01, 10.0), form=""),)
    learner = replace(catalogue("logistic-regression"), grids=grid, candidates=2)
    made = uneven()
    carry_out(
        [learner], [made], THIRD, options(tmp_path, 0), tuning=Given(replace(TUNE, metric=F_SCORE)), threshold=ON_TUNING
    )
    (trial,), (fold,) = trials_of(tmp_path), folds(THIRD, made, 20, Cuts(TUNE))
    assert fold.tuning is not None
    (given,) = trial.answers
    X, best = made.X.to_numpy(), dict(given.chosen)["C"]
    fitted = LogisticRegression(C=best, max_iter=1000).fit(X[fold.train], made.y[fold.train])
    inner = fitted.predict_proba(X[fold.tuning])[:, 1]
    assert given.threshold is not None
    reached = f_score(made.y[fold.tuning], inner >= given.threshold)
    assert reached == tried_by_hand(made.y[fold.tuning], inner, 0.5)


def test_a_written_threshold_stays_and_the_part_is_left_out_all_the_same(tmp_path: Path) -> None:
    written = replace(catalogue("naive-bayes"), threshold=0.3)
    made = uneven()
    carry_out([written], [made], THIRD, options(tmp_path, 0), threshold=ON_PART)
    (trial,), (fold,) = trials_of(tmp_path), folds(THIRD, made, 20, Cuts(threshold=FIFTH))
    (given,) = trial.answers
    assert given.threshold is None
    assert trial.train_size == len(fold.train)
    peer = FixedThresholdClassifier(GaussianNB(), threshold=0.3, pos_label=1)
    peer.fit(made.X.to_numpy()[fold.train], made.y[fold.train])
    assert given.labels.tolist() == peer.predict(made.X.to_numpy()[fold.test]).tolist()


@pytest.mark.parametrize("where", [ON_PART, ON_TUNING])
def test_no_test_row_is_seen(where: Thresholding, tmp_path: Path) -> None:
    """With every label of the test part turned over, the threshold and the scores are the same."""
    made = uneven(90)
    found = []
    plain = replace(THIRD, stratified=False)  # strata would move with the labels
    (fold,) = folds(plain, made, 20)
    turned = made.y.copy()
    turned[fold.test] = 1 - turned[fold.test]
    for place, y in enumerate((made.y, turned)):
        one = table(90, 2, y=y, positive="c1", X=made.X, content_hash=f"{place}")
        folder = tmp_path / str(place)
        carry_out([catalogue("naive-bayes")], [one], plain, options(folder, 0), tuning=Given(TUNE), threshold=where)
        (trial,) = trials_of(folder)
        found.append((trial.answers[0].threshold, trial.answers[0].labels.tolist()))
    assert found[0] == found[1]


def test_all_learners_share_the_other_parts() -> None:
    """One fold of a comparison: whoever has a part put back, tuning and calibration rows are the same."""
    made = uneven()

    def cut(stops: bool) -> Fold:
        return folds(THIRD, made, 20, Cuts(TUNE, FIFTH, FIFTH, FIFTH, stops))[0]

    stopping, other = cut(True), cut(False)
    for name in ("tuning", "calibration", "threshold", "test"):
        assert getattr(stopping, name).tolist() == getattr(other, name).tolist()
    assert stopping.stopping is not None
    assert other.stopping is None
    assert sorted([*stopping.train, *stopping.stopping]) == other.train.tolist()
