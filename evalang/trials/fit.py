"""Fit a learner on some rows and predict others; predictions of the wrong length, kind or with NaN are its failure."""

from __future__ import annotations

import random
import time
import traceback
from pathlib import PurePath
from typing import Any

import numpy as np

from ..errors import EvalangError, RunError
from ..plans.model import Learner, Part
from .calibrate import FittedCalibration, apply
from .calibrate import fit as fit_calibration
from .capture import clean
from .own_code import is_own_file
from .prepare import PreparedTable, build
from .prepared import Prepared, StoppingRows, hold_out
from .splits import Rows
from .trial import Failure, FailureKind, Numbers, Parameters, Predicted, Values

MAX_FRAMES = 30
MAX_TRACEBACK = 20_000  # characters


class ContractError(Exception):
    """A learner's predictions are not usable."""


def train(
    table: PreparedTable,
    learner: Learner,
    settings: Parameters,
    seed: int,
    rows: Rows,
    stopping: Rows | Part | None = None,
) -> tuple[Prepared, float]:
    """Return a learner trained on these rows and nothing else, and the seconds it took.

    `stopping` ends training early: rows that it is not trained on, or how many of its own it holds out for that.
    """
    made = build(learner, table.table.task, table.columns, seed, settings, table.trust)
    if isinstance(stopping, Part):
        hold_out(made.learner, stopping.of(len(rows)), len(rows))
    X, y, weights = _select(table, made, rows)
    watched = StoppingRows(*_select(table, made, stopping)) if isinstance(stopping, np.ndarray) else None
    np.random.seed(seed)  # for learners that draw from a global state whatever seed they are given
    random.seed(seed)
    started = time.perf_counter()
    made.fit(X, y, weights, watched)
    return made, time.perf_counter() - started


def _select(table: PreparedTable, made: Prepared, rows: Rows) -> tuple[Any, Values, Numbers | None]:
    """Return features, target and weights of some rows, read-only."""
    weights = table.table.weights
    chosen = table.table.y[rows], None if weights is None else weights[rows]
    for values in chosen:
        if values is not None:
            values.flags.writeable = False
    return table.features(made, rows), *chosen


def fit_calibrated(
    table: PreparedTable, learner: Learner, made: Prepared, rows: Rows | None
) -> FittedCalibration | None:
    """Return a calibration fitted on rows the learner has not seen; None when it asks for none."""
    if learner.calibrate == "none" or rows is None or table.table.task != "classification":
        return None
    _, scores, _ = predict(table, made, rows)
    if scores is None:
        raise ContractError("gave no scores, so it cannot be calibrated")
    weights = None if table.table.weights is None else table.table.weights[rows]
    return fit_calibration(learner.calibrate, scores, table.table.y[rows], weights)


def predict(
    table: PreparedTable,
    made: Prepared,
    rows: Rows,
    calibration: FittedCalibration | None = None,
    threshold: float | None = None,
) -> tuple[Values, Numbers | None, bool]:
    """Return (labels, scores, whether they are probabilities) for some rows, checked.

    A calibrated learner's labels follow its probabilities; where there is a threshold, they follow that.
    """
    classes = len(table.table.classes) if table.table.task == "classification" else 0
    labels, scores, probabilities = made.predict_all(table.features(made, rows), classes)
    labels = _check_labels(labels, len(rows), classes)
    if scores is not None:
        scores = _check_scores(scores, len(rows), classes, probabilities)
    if calibration is not None and scores is not None:
        scores, probabilities = apply(calibration, scores), True
        labels = (scores > 0.5).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
    if made.threshold is not None:
        if classes != 2 or scores is None or not probabilities:
            raise ContractError("gave no probability of the positive class for its threshold")
        threshold = made.threshold
    if threshold is not None and scores is not None:
        labels = (scores >= threshold).astype(np.intp)
    if classes:  # in as few bytes as they need
        labels = labels.astype(np.uint8 if classes <= 256 else np.uint32)
    return labels, scores, probabilities


def with_truth(
    table: PreparedTable, labels: Values, scores: Numbers | None, probabilities: bool, rows: Rows
) -> Predicted:
    """Return predictions together with the truth, for the scores layer."""
    known = table.table
    return Predicted(
        truth=known.y[rows],
        labels=labels,
        scores=scores,
        probabilities=probabilities,
        classes=known.classes,
        positive=known.positive_code,
        weights=None if known.weights is None else known.weights[rows],
    )


def _check_labels(labels: Any, n: int, classes: int) -> Values:
    found = np.asarray(labels)
    if found.shape != (n,):
        raise ContractError(f"predicted {_shape(found)} for {n} rows")
    if found.dtype == object or found.dtype.kind not in "iufb":
        try:
            found = found.astype(np.float64)
        except (TypeError, ValueError):
            kind = "classes" if classes else "numbers"
            raise ContractError(f"predicted values of type {found.dtype}, not {kind}") from None
    finite = np.isfinite(found)
    if not finite.all():
        raise ContractError(f"predicted {found[~finite][0]} for row {int(np.argmin(finite)) + 1} of the part")
    if not classes:
        return found.astype(np.float64)
    codes = found.astype(np.int64)
    if (codes != found).any() or codes.min(initial=0) < 0 or codes.max(initial=0) >= classes:
        raise ContractError("predicted a class that the dataset does not have")
    return codes


def _check_scores(scores: Any, n: int, classes: int, probabilities: bool) -> Numbers:
    try:
        found = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise ContractError("gave scores that are not numbers") from None
    if found.shape not in ((n,), (n, classes)):
        raise ContractError(f"gave scores of shape {_shape(found)} for {n} rows and {classes} classes")
    if not np.isfinite(found).all():
        raise ContractError("gave a score that is not a finite number")
    if probabilities and (found.min(initial=0.0) < -1e-6 or found.max(initial=0.0) > 1 + 1e-6):
        raise ContractError("gave probabilities outside 0 and 1")
    if probabilities and found.ndim == 2 and np.abs(found.sum(axis=1) - 1).max(initial=0.0) > 1e-3:
        raise ContractError("gave probabilities that do not sum to 1")
    return np.clip(found, 0.0, 1.0) if probabilities else found


def _shape(values: Values) -> str:
    return " x ".join(map(str, values.shape)) or "a single value"


def as_failure(error: BaseException) -> Failure:
    """Return an exception as text, so that nothing of a learner's own travels between processes."""
    try:
        text = error.message if isinstance(error, EvalangError) else str(error)
    except BaseException:  # an exception whose own __str__ fails
        text = "its message cannot be shown"
    message = " ".join(clean(text).split()) or f"{type(error).__name__} with no message"
    frames = traceback.extract_tb(error.__traceback__, limit=-MAX_FRAMES)
    last = next((f for f in reversed(frames) if is_own_file(f.filename)), None)
    place = f"{PurePath(last.filename).name}, line {last.lineno}, in {last.name}" if last is not None else ""
    return Failure(
        kind=_failure_kind(error),
        error=type(error).__name__,
        message=message,
        place=clean(place),
        traceback=_traceback_text(error),
    )


def _traceback_text(error: BaseException) -> str:
    try:
        lines = "".join(traceback.format_exception(error, limit=-MAX_FRAMES)).splitlines()
    except BaseException:  # an exception whose own __str__ fails
        lines = traceback.format_tb(error.__traceback__, limit=-MAX_FRAMES)
    return "\n".join(clean(line) for line in lines)[-MAX_TRACEBACK:]


def _failure_kind(error: BaseException) -> FailureKind:
    if isinstance(error, ContractError):
        return "contract"
    if isinstance(error, MemoryError):
        return "memory"
    if isinstance(error, ImportError) or (isinstance(error, RunError) and isinstance(error.__cause__, ImportError)):
        return "import"
    if isinstance(error, SystemExit | KeyboardInterrupt):
        return "exit"
    return "exception"
