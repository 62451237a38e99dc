"""Training that ends early: each kind of learner is handed the rows to stop on in its own way.

A learner of scikit-learn that takes no such rows cuts as many from its training part itself.
"""

from __future__ import annotations

import inspect
import sys
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from ..errors import RunError
from ..plans.stopping import PATIENCE

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Watched:
    """Rows that say when training ends, and are not trained on."""

    X: Any
    y: Array
    weights: Array | None


def fit_watched(learner: Any, X: Any, y: Array, weights: Array | None, watched: Watched) -> None:
    """Fit a learner until the watched rows get no better for so many rounds."""
    package = type(learner).__module__.partition(".")[0]
    given: dict[str, Any] = {} if weights is None else {"sample_weight": weights}
    beside = watched.weights if weights is not None else None
    if package == "lightgbm":
        given["callbacks"] = [sys.modules["lightgbm"].early_stopping(PATIENCE, verbose=False)]
        given |= {} if beside is None else {"eval_sample_weight": [beside]}
        named = "eval_X" in inspect.signature(learner.fit).parameters  # since 4.7, which warns of the older way
        given |= {"eval_X": watched.X, "eval_y": watched.y} if named else {"eval_set": [(watched.X, watched.y)]}
        learner.fit(X, y, **given)
    elif package == "xgboost":
        if learner.get_params().get("early_stopping_rounds") is None:
            learner.set_params(early_stopping_rounds=PATIENCE)
        given |= {} if beside is None else {"sample_weight_eval_set": [beside]}
        learner.fit(X, y, eval_set=[(watched.X, watched.y)], verbose=False, **given)
    elif package == "catboost":
        seen = sys.modules["catboost"].Pool(watched.X, watched.y, weight=beside)
        learner.fit(X, y, eval_set=seen, early_stopping_rounds=PATIENCE, **given)
    else:
        learner.set_params(early_stopping=True)
        given |= {} if beside is None else {"sample_weight_val": beside}
        learner.fit(X, y, X_val=watched.X, y_val=watched.y, **given)


def check_takes_rows(learner: Any) -> None:
    """Histogram boosting takes rows to stop on since scikit-learn 1.7."""
    histograms = type(learner).__name__.startswith("HistGradientBoosting")
    if histograms and "X_val" not in inspect.signature(learner.fit).parameters:
        raise RunError(
            "histogram boosting of this scikit-learn takes no rows to stop on",
            hint="install scikit-learn 1.7 or later, or leave out `stop early on`",
        )


def hold_out(learner: Any, held: int, rows: int) -> None:
    """Tell a learner that stops by itself how many of its rows to stop on."""
    known = learner.get_params(deep=False)
    told: dict[str, Any] = {"validation_fraction": (held - 0.5) / rows}  # scikit-learn rounds the number of rows up
    if "early_stopping" in known:
        told["early_stopping"] = True
    if known.get("n_iter_no_change") is None:
        told["n_iter_no_change"] = PATIENCE
    learner.set_params(**told)


def rounds_of(learner: Any) -> int | None:
    """The rounds of training that the fitted learner answers with; None where it does not say."""
    package = type(learner).__module__.partition(".")[0]
    if package == "xgboost":
        return int(learner.best_iteration) + 1
    for name in ("tree_count_", "best_iteration_", "n_iter_", "n_estimators_"):
        found = getattr(learner, name, None)
        if found:
            return int(found)
    return None
