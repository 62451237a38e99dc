"""Learners made ready to fit: preparation inside the training part, the stated default, seeds, weights, addresses."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import SGDClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from evalang.catalogue.learners import LEARNERS, STEPS, package_of
from evalang.data.table import Table
from evalang.errors import DataError, RunError, ScriptError
from evalang.plans.model import Learner, Step
from evalang.trials.learners import Trust
from evalang.trials.prepare import Columns, build, columns_of, matrix, owner
from evalang.trials.prepared import Prepared

PLAIN = Columns(kinds=("numeric",) * 4, missing=(False,) * 4)


def chain(*stages: tuple[str, dict[str, Any]] | str) -> Learner:
    steps = []
    for place, stage in enumerate(stages):
        name, given = (stage, {}) if isinstance(stage, str) else stage
        last = place == len(stages) - 1
        kind: Any = "code" if ":" in name else "estimator" if "." in name else "learner" if last else "step"
        steps.append(Step(name=name, kind=kind, parameters=tuple(given.items())))
    return Learner(name="x", steps=tuple(steps))


def mixed(n: int = 90, missing: bool = True, seed: int = 0, task: str = "classification") -> Table:
    rng = np.random.default_rng(seed)
    age, height = rng.normal(40, 10, n), rng.normal(170, 8, n)
    town = rng.choice(["Bonn", "Köln", "Ulm"], n)
    y = ((age > 40) ^ (town == "Ulm")).astype(np.int64)
    if missing:
        age[::7] = np.nan
        town = np.where(np.arange(n) % 11 == 0, None, town)
    frame = pd.DataFrame(
        {"age": age, "town": pd.Categorical(town, categories=["Bonn", "Köln", "Ulm"]), "height": height}
    )
    return Table(
        name="people",
        X=frame,
        y=y if task == "classification" else height,
        target="y",
        task=task,  # type: ignore[arg-type]
        task_reason="",
        classes=("no", "yes") if task == "classification" else (),
        kinds=("numeric", "categorical", "numeric"),
    )


def test_matrix_holds_numbers_and_places_of_categories() -> None:
    table = mixed()
    filled = matrix(table)
    assert filled.shape == (90, 3)
    assert np.isnan(filled[0]).tolist() == [True, True, False]
    texts = np.array(["Bonn", "Köln", "Ulm"])
    known = ~np.isnan(filled[:, 1])
    assert (texts[filled[known, 1].astype(int)] == table.X["town"].astype(object)[known]).all()
    assert columns_of(table) == Columns(
        kinds=("numeric", "categorical", "numeric"),
        missing=(True, True, False),
        names=("age", "town", "height"),
        levels=3,
    )


@pytest.mark.parametrize(
    "entry",
    [pytest.param(e, marks=pytest.mark.slow) if e.name in ("xgboost", "catboost") else e for e in LEARNERS],
    ids=lambda e: e.name,
)
def test_every_learner_of_the_catalogue_fits_mixed_data(entry: Any) -> None:
    package = package_of(entry.name)
    if package:
        pytest.importorskip(package)
    trust = Trust(packages=frozenset({package}))
    if entry.name == "quadratic-discriminant":  # scikit-learn refuses the collinear 0/1 columns of this table
        with pytest.raises(np.linalg.LinAlgError, match="reg_param"):
            build(chain(entry.name), "classification", columns_of(mixed()), 1).fit(matrix(mixed()), mixed().y)
        return
    for task, dotted in (("classification", entry.classifier), ("regression", entry.regressor)):
        table = mixed(task=task)
        if dotted is None:
            with pytest.raises(DataError, match=entry.name):
                build(chain(entry.name), task, columns_of(table), 1)  # type: ignore[arg-type]
            continue
        ready = build(chain(entry.name), task, columns_of(table), 1, (), trust)  # type: ignore[arg-type]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            labels, scores, sure = ready.fit(matrix(table), table.y).predict_all(matrix(table), len(table.classes))
        assert len(labels) == table.rows
        if task == "classification":
            assert (scores is not None) == (entry.gives != "labels")
            assert sure == (entry.gives == "probabilities")


@pytest.mark.parametrize("card", STEPS, ids=lambda c: c.name)
def test_every_step_fits_mixed_data_in_front_of_a_learner(card: Any) -> None:
    table = mixed()
    ready = build(chain(card.name, "naive-bayes"), "classification", columns_of(table), 1)
    ready.fit(matrix(table)[:60], table.y[:60])
    assert np.isfinite(ready.prepare(matrix(table)[60:])).all()
    assert set(ready.predict(matrix(table)[60:])) <= {0, 1}


def test_written_steps_keep_to_their_kind_of_columns() -> None:
    table = mixed(missing=False)
    ready = build(chain("scale", "knn"), "classification", columns_of(table), 1)
    ready.fit(matrix(table), table.y)
    seen = ready.prepare(matrix(table))
    assert seen.shape == (90, 5)
    assert seen[:, :2].mean(axis=0) == pytest.approx([0, 0], abs=1e-12)
    assert set(np.unique(seen[:, 2:])) == {0.0, 1.0}


@pytest.mark.parametrize("order", [("one-hot", "scale"), ("scale", "one-hot"), ("scale",), ("impute", "scale")])
def test_order_of_steps_on_different_columns_is_irrelevant(order: tuple[str, ...]) -> None:
    table = mixed()
    plain = build(chain("scale", "knn"), "classification", columns_of(table), 1).fit(matrix(table), table.y)
    other = build(chain(*order, "knn"), "classification", columns_of(table), 1).fit(matrix(table), table.y)
    assert other.prepare(matrix(table)) == pytest.approx(plain.prepare(matrix(table)))


def test_steps_see_the_training_part_only() -> None:
    X = np.arange(20, dtype=float)[:, None]
    columns = Columns(kinds=("numeric",), missing=(False,))
    ready = build(chain("scale", "knn"), "classification", columns, 1)
    ready.fit(X[:10], np.arange(10) % 2)
    assert ready.steps[0].mean_[0] == 4.5


def test_a_category_or_gap_first_met_in_testing_is_no_fault() -> None:
    table = mixed(n=40)
    X = matrix(table)
    train = np.flatnonzero((X[:, 1] != 2) & ~np.isnan(X).any(axis=1))
    ready = build(chain("logistic-regression"), "classification", columns_of(table), 1).fit(X[train], table.y[train])
    assert len(ready.predict(X)) == 40


def test_a_column_with_no_value_in_training_is_no_fault() -> None:
    X = np.column_stack([np.arange(12.0), np.full(12, np.nan)])
    columns = Columns(kinds=("numeric", "numeric"), missing=(False, True))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ready = build(chain("decision-tree"), "classification", columns, 1).fit(X, np.arange(12) % 2)
    assert ready.prepare(X).shape == (12, 2)


def test_one_seed_gives_one_answer_and_another_seed_another() -> None:
    X, y = load_iris(return_X_y=True)
    X = X + np.random.default_rng(0).normal(size=X.shape)

    def chances(seed: int) -> Any:
        learner = chain(("random-forest", {"n_estimators": 5}))
        return build(learner, "classification", PLAIN, seed).fit(X, y).predict_all(X, 3)[1]

    assert (chances(1) == chances(1)).all()
    assert (chances(1) != chances(2)).any()


def test_random_state_and_jobs_are_set_everywhere() -> None:
    nested = make_pipeline(StandardScaler(), RandomForestClassifier(n_jobs=-1))
    learner = Learner(name="x", steps=(Step(name="mine", kind="python"),))
    ready = build(learner, "classification", PLAIN, 1, trust=Trust(objects={"mine": nested}))
    inner = ready.learner.steps[1][1]
    assert isinstance(inner.random_state, int)
    assert inner.n_jobs == 1
    assert nested.steps[1][1].n_jobs == -1  # the caller's own object is left alone
    plain = SGDClassifier(alpha=0.1, n_jobs=-1).fit([[0], [1]], [0, 1])
    for given in (plain, clone(plain)):  # the second is copied without scikit-learn's clone
        copied = build(learner, "classification", PLAIN, 1, trust=Trust(objects={"mine": given})).learner
        assert copied is not given
        assert vars(copied) == vars(clone(plain).set_params(random_state=1, n_jobs=1))
        assert (given.random_state, given.n_jobs) == (None, -1)
    assert ready.takes_frame
    ready = build(chain("bagged-trees"), "classification", PLAIN, 1)
    assert isinstance(ready.learner.random_state, int)
    assert ready.learner.n_jobs is None  # one job


def test_parameters_of_trees_reach_the_trees_of_an_ensemble() -> None:
    ready = build(chain(("adaboosted-trees", {"min_samples_leaf": 3})), "classification", PLAIN, 1, (("max_depth", 2),))
    assert ready.learner.n_estimators == 100
    assert (ready.learner.estimator.max_depth, ready.learner.estimator.min_samples_leaf) == (2, 3)
    ready = build(chain(("bagged-trees", {"max_features": 0.5, "max_leaf_nodes": 4})), "regression", PLAIN, 1)
    assert type(ready.learner.estimator).__name__ == "DecisionTreeRegressor"
    assert (ready.learner.max_features, ready.learner.estimator.max_features) == (0.5, None)
    assert ready.learner.estimator.max_leaf_nodes == 4


def test_target_encoding_is_dealt_by_the_seed() -> None:
    table = mixed()

    def seen(seed: int) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ready = build(chain(("target-encode", {"cv": 3}), "knn"), "classification", columns_of(table), seed)
            return ready.steps[0].fit_transform(matrix(table), table.y)

    assert (seen(1) == seen(1)).all()
    assert (seen(1) != seen(2)).any()


def test_settings_are_addressed_by_stage_or_bare() -> None:
    steps = chain("scale", "pca", "knn").steps
    assert owner("pca.n_components", steps) == (1, "n_components")
    assert owner("n_components", steps) == (1, "n_components")
    assert owner("n_neighbors", steps) == (2, "n_neighbors")
    assert owner("KNeighborsClassifier.p", chain("sklearn.neighbors.KNeighborsClassifier").steps) == (0, "p")
    with pytest.raises(ScriptError, match="has no parameter `depth`"):
        owner("depth", steps)
    learner = chain("scale", "pca", ("knn", {"n_neighbors": 9}))
    ready = build(learner, "classification", PLAIN, 1, (("pca.n_components", 2), ("n_neighbors", 3)))
    assert ready.steps[1].n_components == 2
    assert ready.learner.n_neighbors == 3


def test_weights_go_to_learners_that_take_them() -> None:
    X, y = load_iris(return_X_y=True)
    weights = np.where(y == 1, 1000.0, 1e-3)
    heavy = build(chain("logistic-regression"), "classification", PLAIN, 1)
    assert heavy.takes_weights
    assert (heavy.fit(X, y, weights).predict(X) == 1).all()
    assert not build(chain("knn"), "classification", PLAIN, 1).takes_weights


def test_select_scores_by_the_task() -> None:
    from sklearn.feature_selection import f_classif, f_regression

    number = build(chain(("select", {"k": 1}), "ridge"), "regression", PLAIN, 1)
    classes = build(chain(("select", {"k": 1}), "knn"), "classification", PLAIN, 1)
    assert number.steps[0].score_func is f_regression
    assert classes.steps[0].score_func is f_classif


def test_impute_follows_its_strategy_on_numbers_and_the_mode_on_categories() -> None:
    table = mixed()
    learner = chain(("impute", {"strategy": "mean"}), "naive-bayes")
    ready = build(learner, "classification", columns_of(table), 1).fit(matrix(table), table.y)
    assert ready.prepare(matrix(table))[0, 0] == pytest.approx(np.nanmean(matrix(table)[:, 0]))
    own_category = chain(("impute", {"strategy": "constant", "fill_value": 7}), "naive-bayes")
    ready = build(own_category, "classification", columns_of(table), 1).fit(matrix(table), table.y)
    seen = ready.prepare(matrix(table))
    assert seen[0, 0] == 7
    assert seen.shape[1] == 2 + 4


def test_a_class_missing_from_training_keeps_its_column() -> None:
    X, y = load_iris(return_X_y=True)
    two = y < 2
    _, chances, _ = build(chain("naive-bayes"), "classification", PLAIN, 1).fit(X[two], y[two]).predict_all(X, 3)
    assert chances is not None
    assert chances.shape == (150, 3)
    assert (chances[:, 2] == 0).all()
    _, margins, sure = build(chain("svm"), "classification", PLAIN, 1).fit(X[two], y[two]).predict_all(X, 3)
    assert margins is not None
    assert not sure
    assert margins.shape == (150, 3)
    assert (margins[:, 2] < margins[:, :2].min(axis=1)).all()


ONE_PASS = [
    "adaboosted-trees",
    "majority",
    "bagged-trees",
    "random-forest",
    "boosted-trees",
    "boosted-stumps",
    "logistic-regression",
]
ONE_PASS += ["naive-bayes", "knn", "nearest-neighbor", "neural-net", "svm", "decision-tree", "stratified-guess"]


@pytest.mark.parametrize("seeds", [1, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", [*ONE_PASS, "sklearn.ensemble.ExtraTreesClassifier"])
def test_labels_from_one_pass_are_those_of_predict(name: str, classes: int, seeds: int) -> None:
    """On small whole numbers, with every row of every class repeated, so that scores tie."""
    rng = np.random.default_rng(5)
    for seed in range(seeds):
        X = rng.integers(0, 3, (60, 4)).astype(float)
        X = np.vstack([X, X])
        y = rng.integers(0, classes, 120)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ready = build(chain(name), "classification", PLAIN, seed).fit(X, y)
        labels, scores, _ = ready.predict_all(X, classes)
        assert scores is not None
        assert (labels == ready.predict(X)).all()
        peer = ready.learner.predict_proba(X) if hasattr(ready.learner, "predict_proba") else None
        if peer is not None:
            assert (scores == (peer[:, 1] if classes == 2 else peer)).all()


@pytest.mark.parametrize(
    ("stages", "task", "words"),
    [
        (("linear-regression",), "classification", "predicts numbers, but the target has classes.*as regression"),
        (("naive-bayes",), "regression", "predicts classes, but the target has numbers"),
        (("sklearn.svm.SVC",), "regression", "is not a regressor"),
        ((("boosted-stumps", {"max_depth": 2}),), "classification", "no parameter max_depth for a target of classes"),
    ],
)
def test_a_learner_for_the_other_task_is_said(stages: Any, task: Any, words: str) -> None:
    with pytest.raises(DataError, match=words):
        build(chain(*stages), task, PLAIN, 1)


def test_an_estimator_that_was_not_handed_over_is_said() -> None:
    with pytest.raises(RunError, match="`mine` was passed"):
        build(Learner(name="x", steps=(Step(name="mine", kind="python"),)), "classification", PLAIN, 1)


def test_handed_estimators_get_the_default_preparation() -> None:
    table = mixed()
    learner = Learner(name="x", steps=(Step(name="mine", kind="python"),))
    trust = Trust(objects={"mine": KNeighborsClassifier()})
    ready: Prepared = build(learner, "classification", columns_of(table), 1, trust=trust)
    assert not ready.takes_frame
    assert len(ready.fit(matrix(table), table.y).predict(matrix(table))) == 90


def test_lists_take_the_form_the_parameter_wants() -> None:
    net = build(chain(("neural-net", {"hidden_layer_sizes": (3, 2)})), "classification", PLAIN, 1)
    assert list(net.learner.hidden_layer_sizes) == [3, 2]
    scaled = build(chain(("min-max", {"feature_range": (-1, 1)}), "knn"), "classification", PLAIN, 1)
    X, y = load_iris(return_X_y=True)
    assert scaled.fit(X, y).prepare(X).min() == -1
