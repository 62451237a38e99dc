"""Training that ends early: on the same rows of the training part for all learners, or on rows that they draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import SGDClassifier
from sklearn.neural_network import MLPClassifier
from threadpoolctl import threadpool_limits

from evalang.data.table import Table
from evalang.plans.model import Given, Grid, Learner, Part, Scheme, Step, Tuning
from evalang.plans.preparation import PATIENCE, stops_early
from evalang.trials.expand import expand
from evalang.trials.options import RunOptions
from evalang.trials.splits import Cuts, folds
from evalang.trials.task import fit_seed
from evalang.trials.trial import Trial

from ..support.engine import THIRD, carry_out, catalogue, comparison, options, plan, stored, table, trials_of

TENTH = Part(fraction=0.1)
TUNE = Tuning(where="part", part=Part(fraction=0.2))


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """As in a trial; histograms in several threads wait for each other on a busy machine."""
    with threadpool_limits(1):
        yield


def sklearn(name: str, dotted: str, **parameters: Any) -> Learner:
    return Learner(name=name, steps=(Step(name=dotted, kind="estimator", parameters=tuple(parameters.items())),))


def histograms(**parameters: Any) -> Learner:
    return sklearn("histograms", "sklearn.ensemble.HistGradientBoostingClassifier", **parameters)


def run(learner: Learner, made: Table, scheme: Scheme, folder: Path, **more: Any) -> Trial:
    trusted = RunOptions(jobs=0, folder=folder, trusted=frozenset({"lightgbm", "xgboost", "catboost"}))
    carry_out([learner], [made], scheme, trusted, stop_early=TENTH, **more)
    (trial,) = trials_of(folder)
    assert trial.failure is None, trial.failure
    return trial


def seed_of(learner: Learner, made: Table) -> int:
    asked = comparison("c", [learner], [made], THIRD, stop_early=TENTH)
    (cell,) = expand(plan([asked], [learner]), {made.name: made}).cells
    return fit_seed(cell, 0, 0, 0)


def test_histogram_boosting_by_hand(tmp_path: Path) -> None:
    """Fitted by scikit-learn on the same rows, with the same rows to stop on: the same scores and rounds."""
    made = table(300)
    trial = run(histograms(learning_rate=0.5), made, THIRD, tmp_path)
    (fold,) = folds(THIRD, made, 20, Cuts(stopping=TENTH))
    assert fold.stopping is not None
    assert len(fold.stopping) == 20
    assert np.bincount(made.y[fold.stopping]).tolist() == [10, 10]  # stratified, as the scheme is
    X, y = made.X.to_numpy(), made.y
    by_hand = HistGradientBoostingClassifier(learning_rate=0.5, early_stopping=True)
    by_hand.fit(X[fold.train], y[fold.train], X_val=X[fold.stopping], y_val=y[fold.stopping])
    (given,) = trial.answers
    assert given.rounds == by_hand.n_iter_ < 100
    assert given.scores is not None
    assert given.scores == pytest.approx(by_hand.predict_proba(X[fold.test])[:, 1], abs=1e-12)
    assert trial.train_size == len(fold.train) == 180


def test_tuned_and_trained_again_it_stops_on_the_same_rows(tmp_path: Path) -> None:
    made = table(300)
    grid = (Grid(parameter="learning_rate", size=2, values=(0.05, 0.5), form=""),)
    trial = run(replace(histograms(), grids=grid, candidates=2), made, THIRD, tmp_path, tuning=Given(TUNE))
    (fold,) = folds(THIRD, made, 20, Cuts(TUNE, stopping=TENTH))
    assert fold.stopping is not None
    assert fold.tuning is not None
    X, y, reached = made.X.to_numpy(), made.y, {}
    for rate in (0.05, 0.5):
        model = HistGradientBoostingClassifier(learning_rate=rate, early_stopping=True)
        model.fit(X[fold.train], y[fold.train], X_val=X[fold.stopping], y_val=y[fold.stopping])
        reached[rate] = float((model.predict(X[fold.tuning]) == y[fold.tuning]).mean())
    assert [c.scores[0] for c in trial.candidates] == pytest.approx(list(reached.values()))
    both = np.sort(np.concatenate([fold.train, fold.tuning]))
    (given,) = trial.answers
    rate = dict(given.chosen)["learning_rate"]
    again = HistGradientBoostingClassifier(learning_rate=rate, early_stopping=True)
    again.fit(X[both], y[both], X_val=X[fold.stopping], y_val=y[fold.stopping])
    assert given.rounds == again.n_iter_
    assert given.labels.tolist() == again.predict(X[fold.test]).tolist()


BY_ITSELF = (
    (catalogue("boosted-trees", learning_rate=0.5), GradientBoostingClassifier(learning_rate=0.5), "n_estimators_"),
    (catalogue("neural-net", learning_rate_init=0.1), MLPClassifier(learning_rate_init=0.1, max_iter=500), "n_iter_"),
    (sklearn("descent", "sklearn.linear_model.SGDClassifier"), SGDClassifier(), "n_iter_"),
)


@pytest.mark.parametrize(("learner", "peer", "rounds"), BY_ITSELF, ids=lambda x: getattr(x, "name", ""))
def test_what_takes_no_rows_holds_out_as_many_itself(learner: Learner, peer: Any, rounds: str, tmp_path: Path) -> None:
    made = table(150)
    trial = run(learner, made, THIRD, tmp_path)
    (fold,) = folds(THIRD, made, 20)
    told = {} if isinstance(peer, GradientBoostingClassifier) else {"early_stopping": True}
    patience = {"n_iter_no_change": PATIENCE} if peer.n_iter_no_change is None else {}
    by_hand = peer.set_params(validation_fraction=0.1, random_state=seed_of(learner, made), **told, **patience)
    X = made.X.to_numpy()
    by_hand.fit(X[fold.train], made.y[fold.train])
    (given,) = trial.answers
    assert given.rounds == getattr(by_hand, rounds)
    assert given.labels.tolist() == by_hand.predict(X[fold.test]).tolist()
    assert trial.train_size == len(fold.train) == 100


def test_lightgbm_by_hand(tmp_path: Path) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    made = table(300)
    trial = run(catalogue("lightgbm", learning_rate=0.5), made, THIRD, tmp_path)
    (fold,) = folds(THIRD, made, 20, Cuts(stopping=TENTH))
    X, y = made.X.to_numpy(), made.y
    by_hand = lightgbm.LGBMClassifier(learning_rate=0.5, n_jobs=1, verbose=-1)
    ends = [lightgbm.early_stopping(PATIENCE, verbose=False)]
    by_hand.fit(X[fold.train], y[fold.train], eval_set=[(X[fold.stopping], y[fold.stopping])], callbacks=ends)
    (given,) = trial.answers
    assert given.rounds == by_hand.best_iteration_ < 100
    assert given.scores is not None
    assert given.scores == pytest.approx(by_hand.predict_proba(X[fold.test])[:, 1])
    assert trial.warnings == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["xgboost", "catboost"])
def test_other_boosting_packages_stop_before_their_last_round(name: str, tmp_path: Path) -> None:
    pytest.importorskip(name)
    made = table(300, weights=np.linspace(0.5, 1.5, 300))
    trial = run(catalogue(name, learning_rate=0.5), made, THIRD, tmp_path)
    rounds = trial.answers[0].rounds
    assert rounds is not None
    assert 0 < rounds < 100


def test_weights_and_categories_go_to_the_rows_that_stop(tmp_path: Path) -> None:
    made = table(200, weights=np.linspace(0.1, 2.0, 200))
    trial = run(histograms(learning_rate=0.5), made, THIRD, tmp_path)
    (fold,) = folds(THIRD, made, 20, Cuts(stopping=TENTH))
    assert fold.stopping is not None
    assert made.weights is not None
    X, y, w = made.X.to_numpy(), made.y, made.weights
    by_hand = HistGradientBoostingClassifier(learning_rate=0.5, early_stopping=True)
    by_hand.fit(
        X[fold.train], y[fold.train], sample_weight=w[fold.train],
        X_val=X[fold.stopping], y_val=y[fold.stopping], sample_weight_val=w[fold.stopping],
    )  # fmt: skip
    assert trial.answers[0].rounds == by_hand.n_iter_
    assert trial.answers[0].labels.tolist() == by_hand.predict(X[fold.test]).tolist()


def test_forward_in_time_the_rows_to_stop_on_come_last_and_groups_stay_whole() -> None:
    timed = table(100, time=np.arange(100))
    for fold in folds(Scheme(kind="forward", folds=4), timed, 20, Cuts(TUNE, stopping=TENTH)):
        assert fold.stopping is not None
        assert fold.tuning is not None
        assert fold.train.max() < fold.stopping.min() <= fold.stopping.max() < fold.tuning.min()
        assert fold.tuning.max() < fold.test.min()
    grouped = table(100, groups=np.arange(100) // 5)
    for fold in folds(Scheme(kind="cv", folds=4, grouped=True), grouped, 20, Cuts(stopping=TENTH)):
        assert fold.stopping is not None
        assert not set(fold.stopping // 5) & set(fold.train // 5)


def test_who_stops() -> None:
    assert stops_early(catalogue("lightgbm")) == stops_early(histograms()) == "on the part"
    assert stops_early(catalogue("boosted-trees")) == stops_early(catalogue("neural-net")) == "by itself"
    assert stops_early(catalogue("neural-net", solver="lbfgs")) is None
    assert stops_early(catalogue("knn")) is None


def test_a_learner_that_does_not_stop_is_the_same_with_and_without_the_clause(tmp_path: Path) -> None:
    made = table(90)
    for name, more in (("with", {"stop_early": TENTH}), ("without", {})):
        carry_out([catalogue("knn")], [made], THIRD, options(tmp_path / name, 0), **more)
    assert stored(tmp_path / "with") == stored(tmp_path / "without")


def test_the_same_bytes_for_any_workers(tmp_path: Path) -> None:
    learners = [histograms(max_iter=20), catalogue("boosted-trees", n_estimators=20), catalogue("knn")]
    for jobs in (0, 2):
        here = options(tmp_path / str(jobs), jobs)
        carry_out(learners, [table(90)], Scheme(kind="cv", folds=2), here, stop_early=TENTH, tuning=Given(TUNE))
    assert stored(tmp_path / "0") == stored(tmp_path / "2")
