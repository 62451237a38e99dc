"""A learner with its preparation steps, fitted together on the training rows and nothing else; also stopping early."""

from __future__ import annotations

import inspect
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import RunError
from ..plans.preparation import PATIENCE

Array = npt.NDArray[Any]


class Prepared:
    """Preparation steps and a learner. Every step is fitted on the rows that `fit` is given.

    The same as scikit-learn's Pipeline without what that costs per call, which for quick learners is more than the fit.
    The names in this class count: the length of its pickle is the metric `size`.
    """

    def __init__(
        self,
        steps: list[Any],
        learner: Any,
        *,
        takes_weights: bool,
        takes_frame: bool = False,
        plain_names: bool = False,
        keeps: list[int] | None = None,
        threshold: float | None = None,
    ) -> None:
        self.steps = steps
        self.learner = learner
        self.takes_weights = takes_weights  # False: the dataset's weights count in scoring only
        self.takes_frame = takes_frame  # wants the table's frame, not its matrix
        self.plain_names = plain_names  # a boosting package, which refuses some signs in the names of columns
        self.keeps = keeps  # places of the columns it learns from, None for all
        self.threshold = threshold  # the second of two classes is predicted from this probability on

    def fit(self, X: Any, y: Array, weights: Array | None = None, stopping: StoppingRows | None = None) -> Prepared:
        """Fit the steps one after the other, then the learner, until the stopping rows improve no more."""
        X = _fit_steps(X, y, self.steps)
        if stopping is not None:
            seen = StoppingRows(self.prepare(stopping.X), stopping.y, stopping.weights)
            fit_until_stopped(self.learner, X, y, weights if self.takes_weights else None, seen)
        elif weights is not None and self.takes_weights:
            self.learner.fit(X, y, sample_weight=weights)
        else:
            self.learner.fit(X, y)
        return self

    def prepare(self, X: Any) -> Any:
        """Return rows as the learner sees them."""
        return _pass_steps(X, self.steps)

    def predict(self, X: Any) -> Array:
        """Return codes of classes, or numbers."""
        return self._predicted(self.prepare(X))

    def _predicted(self, ready: Any) -> Array:
        """Return one value for each row, also of a learner that gives a column, as catboost does for three classes."""
        found = np.asarray(self.learner.predict(ready))
        return found[:, 0] if found.ndim == 2 and found.shape[1] == 1 else found

    def predict_all(self, X: Any, classes: int) -> tuple[Array, Array | None, bool]:
        """Return (labels, scores, whether the scores are probabilities), the rows prepared once.

        Scores are [n], of the second class, for two classes and [n, classes] for more; a class that the training part
        did not hold gets probability 0, or the lowest margin of the row less 1. None where there are none.
        """
        ready = self.prepare(X)
        if not classes:
            return self._predicted(ready), None, False
        once = in_one_pass(self.learner, ready)
        known = getattr(self.learner, "classes_", None)
        if once is not None:
            labels, scores, sure = once
            return labels, spread(scores, known, classes, 0.0 if sure else None), sure
        labels = self._predicted(ready)
        if hasattr(self.learner, "predict_proba"):
            return labels, spread(np.asarray(self.learner.predict_proba(ready)), known, classes, 0.0), True
        if hasattr(self.learner, "decision_function"):
            margins = np.asarray(self.learner.decision_function(ready), dtype=np.float64)
            return labels, spread(margins, known, classes, None), False
        return labels, None, False


def in_one_pass(learner: Any, X: Any) -> tuple[Array, Array, bool] | None:
    """Return labels and scores from one call, for classes of scikit-learn whose labels follow from their scores.

    To predict twice would double the time of forests and neighbours. Which class a tie goes to is theirs; a test
    compares the labels with `predict` on data full of ties. None for every other learner.
    """
    rule = _ONE_PASS.get(f"{type(learner).__module__}.{type(learner).__qualname__}")
    if rule is None or len(learner.classes_) < 2:
        return None
    known = np.asarray(learner.classes_)
    if rule == "margin" and len(known) == 2:
        margins = np.asarray(learner.decision_function(X))
        return known[(margins >= 0).astype(np.intp)], margins, False
    if rule == "margin" or (rule == "uniform" and learner.weights != "uniform"):
        return None
    chances = np.asarray(learner.predict_proba(X))
    if rule == "half" and len(known) == 2:
        return known[(chances[:, 1] >= 0.5).astype(np.intp)], chances, True
    return known[np.argmax(chances, axis=1)], chances, True


_ONE_PASS = {
    "sklearn.dummy.DummyClassifier": "argmax",
    "sklearn.ensemble._bagging.BaggingClassifier": "argmax",
    "sklearn.ensemble._forest.ExtraTreesClassifier": "argmax",
    "sklearn.ensemble._forest.RandomForestClassifier": "argmax",
    "sklearn.ensemble._gb.GradientBoostingClassifier": "half",
    "sklearn.ensemble._weight_boosting.AdaBoostClassifier": "argmax",
    "sklearn.linear_model._logistic.LogisticRegression": "argmax",
    "sklearn.naive_bayes.GaussianNB": "argmax",
    "sklearn.neighbors._classification.KNeighborsClassifier": "uniform",
    "sklearn.neural_network._multilayer_perceptron.MLPClassifier": "argmax",
    "sklearn.svm._classes.SVC": "margin",
    "sklearn.tree._classes.DecisionTreeClassifier": "argmax",
}


def spread(scores: Array, known: Array | None, classes: int, absent: float | None) -> Array | None:
    """Return scores of the classes seen in training as scores of all classes; None when their shape does not fit."""
    seen = np.arange(classes) if known is None else np.asarray(known).astype(np.intp)
    if scores.ndim == 1 and len(seen) == 2:  # a margin between two classes
        if classes == 2:
            return scores
        scores = np.column_stack([-scores, scores])
    if scores.ndim != 2 or scores.shape[1] != len(seen):
        return None
    if len(seen) == classes:
        full = scores
    else:
        lowest = np.full(len(scores), absent) if absent is not None else scores.min(axis=1) - 1.0
        full = np.repeat(lowest[:, None], classes, axis=1)
        full[:, seen] = scores
    return full[:, 1] - (full[:, 0] if absent is None else 0.0) if classes == 2 else full


class Lanes:
    """Steps for the numeric columns and steps for the categorical ones; their results stand side by side."""

    def __init__(self, lanes: list[tuple[list[int], list[Any]]]) -> None:
        self.lanes = lanes  # (columns, steps)

    def fit_transform(self, X: Array, y: Array) -> Array:
        """Fit every lane on its own columns."""
        return np.hstack([_fit_steps(X[:, columns], y, steps) for columns, steps in self.lanes])

    def transform(self, X: Array) -> Array:
        """Pass new rows through the fitted lanes."""
        return np.hstack([_pass_steps(X[:, columns], steps) for columns, steps in self.lanes])


class SignedLog:
    """sign(x) ln(1 + |x|): the `log` step."""

    def fit_transform(self, X: Array, y: Array) -> Array:
        """Nothing is learned."""
        return self.transform(X)

    def transform(self, X: Array) -> Array:
        """Return the logarithm of every value with its sign."""
        turned: Array = np.sign(X) * np.log1p(np.abs(X))
        return turned


def _fit_steps(X: Any, y: Array, steps: list[Any]) -> Any:
    for step in steps:
        X = _dense(step.fit_transform(X, y) if hasattr(step, "fit_transform") else step.fit(X, y).transform(X))
    return X


def _pass_steps(X: Any, steps: list[Any]) -> Any:
    for step in steps:
        X = _dense(step.transform(X))
    return X


def _dense(X: Any) -> Any:
    """Return a dense matrix: many learners refuse the sparse ones that some steps make."""
    return X.toarray() if hasattr(X, "toarray") else X


@dataclass(frozen=True, slots=True, eq=False)
class StoppingRows:
    """Rows that decide when training ends, and are not trained on."""

    X: Any
    y: Array
    weights: Array | None


def fit_until_stopped(learner: Any, X: Any, y: Array, weights: Array | None, stopping: StoppingRows) -> None:
    """Fit a learner until the stopping rows improve no more; each package takes them in its own way."""
    package = type(learner).__module__.partition(".")[0]
    given: dict[str, Any] = {} if weights is None else {"sample_weight": weights}
    beside = stopping.weights if weights is not None else None
    if package == "lightgbm":
        given["callbacks"] = [sys.modules["lightgbm"].early_stopping(PATIENCE, verbose=False)]
        given |= {} if beside is None else {"eval_sample_weight": [beside]}
        named = "eval_X" in inspect.signature(learner.fit).parameters  # since 4.7, which warns of the older way
        given |= {"eval_X": stopping.X, "eval_y": stopping.y} if named else {"eval_set": [(stopping.X, stopping.y)]}
        learner.fit(X, y, **given)
    elif package == "xgboost":
        if learner.get_params().get("early_stopping_rounds") is None:
            learner.set_params(early_stopping_rounds=PATIENCE)
        given |= {} if beside is None else {"sample_weight_eval_set": [beside]}
        learner.fit(X, y, eval_set=[(stopping.X, stopping.y)], verbose=False, **given)
    elif package == "catboost":
        seen = sys.modules["catboost"].Pool(stopping.X, stopping.y, weight=beside)
        learner.fit(X, y, eval_set=seen, early_stopping_rounds=PATIENCE, **given)
    else:
        learner.set_params(early_stopping=True)
        given |= {} if beside is None else {"sample_weight_val": beside}
        learner.fit(X, y, X_val=stopping.X, y_val=stopping.y, **given)


def check_takes_rows(learner: Any) -> None:
    """Refuse histogram boosting before scikit-learn 1.7, which takes no rows to stop on."""
    histograms = type(learner).__name__.startswith("HistGradientBoosting")
    if histograms and "X_val" not in inspect.signature(learner.fit).parameters:
        raise RunError(
            "histogram boosting of this scikit-learn takes no rows to stop on",
            hint="install scikit-learn 1.7 or later, or leave out `stop early on`",
        )


def hold_out(learner: Any, held: int, rows: int) -> None:
    """Set how many of its rows a learner that stops by itself holds out."""
    known = learner.get_params(deep=False)
    changes: dict[str, Any] = {"validation_fraction": (held - 0.5) / rows}  # scikit-learn rounds the number of rows up
    if "early_stopping" in known:
        changes["early_stopping"] = True
    if known.get("n_iter_no_change") is None:
        changes["n_iter_no_change"] = PATIENCE
    learner.set_params(**changes)


def rounds_of(learner: Any) -> int | None:
    """Return the rounds of training of a fitted learner; None where it does not tell."""
    package = type(learner).__module__.partition(".")[0]
    if package == "xgboost":
        return int(learner.best_iteration) + 1
    for name in ("tree_count_", "best_iteration_", "n_iter_", "n_estimators_"):
        found = getattr(learner, name, None)
        if found:
            return int(found)
    return None
