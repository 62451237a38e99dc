"""Fit, then ask for the rows' answers, and hold them to the contract: right length, right kind, no NaN."""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np

from ..plans.model import Learner, Part
from .calibrate import apply
from .calibrate import fit as fit_calibration
from .divide import Rows
from .pipeline import Bench, build
from .prepared import Prepared
from .stop import Watched, hold_out
from .store_rows import small
from .trial import Numbers, Parameters, Predicted, Values


class Broken(Exception):
    """The learner's answer is not one: fault of the learner, kind "contract"."""


def train(
    on: Bench, learner: Learner, settings: Parameters, seed: int, rows: Rows, ending: Rows | Part | None = None
) -> tuple[Prepared, float]:
    """A learner trained on these rows and nothing else, and the seconds it took.

    `ending` says when training ends: rows that it is not trained on, or how many of its own it keeps back for that.
    """
    made = build(learner, on.table.task, on.columns, seed, settings, on.trust)
    if isinstance(ending, Part):
        hold_out(made.learner, ending.of(len(rows)), len(rows))
    X, y, weights = _given(on, made, rows)
    watched = Watched(*_given(on, made, ending)) if isinstance(ending, np.ndarray) else None
    np.random.seed(seed)  # for learners that draw from a global state whatever they are told
    random.seed(seed)
    begun = time.perf_counter()
    made.fit(X, y, weights, watched)
    return made, time.perf_counter() - begun


def _given(on: Bench, made: Prepared, rows: Rows) -> tuple[Any, Values, Numbers | None]:
    """Features, target and weights of some rows, read-only."""
    weights = on.table.weights
    return on.rows(made, rows), _frozen(on.table.y[rows]), None if weights is None else _frozen(weights[rows])


def calibrated(on: Bench, learner: Learner, made: Prepared, rows: Rows | None) -> Any:
    """The learner's scores turned into probabilities on rows it has not seen; None when it asks for nothing."""
    if learner.calibrate == "none" or rows is None or on.table.task != "classification":
        return None
    _, scores, _ = answer(on, made, rows)
    if scores is None:
        raise Broken("has no scores, so there is nothing to calibrate")
    weights = None if on.table.weights is None else on.table.weights[rows]
    return fit_calibration(learner.calibrate, scores, on.table.y[rows], weights)


def answer(
    on: Bench, made: Prepared, rows: Rows, calibration: Any = None, threshold: float | None = None
) -> tuple[Values, Numbers | None, bool]:
    """(labels, scores, whether they are probabilities) for some rows, checked.

    A calibrated learner's labels follow its probabilities; where there is a threshold, they follow that.
    """
    classes = len(on.table.classes) if on.table.task == "classification" else 0
    labels, scores, probabilities = made.answer(on.rows(made, rows), classes)
    labels = _labels(labels, len(rows), classes)
    if scores is not None:
        scores = _scores(scores, len(rows), classes, probabilities)
    if calibration is not None and scores is not None:
        scores, probabilities = apply(calibration, scores), True
        labels = (scores > 0.5).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
    if made.threshold is not None:
        if classes != 2 or scores is None or not probabilities:
            raise Broken("has no probability of a second class for its threshold")
        threshold = made.threshold
    if threshold is not None and scores is not None:
        labels = (scores >= threshold).astype(np.intp)
    return (small(labels, classes) if classes else labels), scores, probabilities


def judged(on: Bench, labels: Values, scores: Numbers | None, probabilities: bool, rows: Rows) -> Predicted:
    """Answers beside the truth, for the scores layer."""
    table = on.table
    return Predicted(
        truth=table.y[rows],
        labels=labels,
        scores=scores,
        probabilities=probabilities,
        classes=table.classes,
        positive=table.positive_code,
        weights=None if table.weights is None else table.weights[rows],
    )


def _labels(labels: Any, n: int, classes: int) -> Values:
    found = np.asarray(labels)
    if found.shape != (n,):
        raise Broken(f"predicted {_shape(found)} for {n} rows")
    if found.dtype == object or found.dtype.kind not in "iufb":
        try:
            found = found.astype(np.float64)
        except (TypeError, ValueError):
            raise Broken(f"predicted values of type {found.dtype}, not {'classes' if classes else 'numbers'}") from None
    if not np.isfinite(found).all():
        raise Broken(
            f"predicted {found[~np.isfinite(found)][0]} for row {int(np.argmin(np.isfinite(found))) + 1} of the part"
        )
    if not classes:
        return found.astype(np.float64)
    codes = found.astype(np.int64)
    if (codes != found).any() or codes.min(initial=0) < 0 or codes.max(initial=0) >= classes:
        raise Broken("predicted a class that the dataset does not have")
    return codes


def _scores(scores: Any, n: int, classes: int, probabilities: bool) -> Numbers:
    try:
        found = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise Broken("gave scores that are no numbers") from None
    if found.shape not in ((n,), (n, classes)):
        raise Broken(f"gave scores of shape {_shape(found)} for {n} rows and {classes} classes")
    if not np.isfinite(found).all():
        raise Broken("gave a score that is not a finite number")
    if probabilities and (found.min(initial=0.0) < -1e-6 or found.max(initial=0.0) > 1 + 1e-6):
        raise Broken("gave probabilities outside 0 and 1")
    if probabilities and found.ndim == 2 and np.abs(found.sum(axis=1) - 1).max(initial=0.0) > 1e-3:
        raise Broken("gave probabilities that do not sum to 1")
    return np.clip(found, 0.0, 1.0) if probabilities else found


def _shape(values: Values) -> str:
    return " x ".join(map(str, values.shape)) or "a single value"


def _frozen(values: Values) -> Values:
    values.flags.writeable = False
    return values
