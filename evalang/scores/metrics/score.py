"""From a metric's name to its function, for trials and for candidates of tuning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from ...catalogue.metrics import MetricEntry, check_option, find_metric, metric_words
from ...errors import DataError
from ...language.nearest import nearest
from ...plans.model import Metric
from ...trials.calibrate import apply, fit
from ...trials.trial import Predicted
from ..answer import Answer, Numbers, class_scores
from . import costs, labels, numeric, order_of_rows, probabilities

METRIC_FUNCTIONS: Mapping[str, Callable[[Answer, Mapping[str, object]], float]] = {
    "accuracy": labels.accuracy,
    "error": labels.error,
    "balanced-accuracy": labels.balanced_accuracy,
    "precision": labels.precision,
    "recall": labels.recall,
    "f-score": labels.f_score,
    "mcc": labels.mcc,
    "specificity": labels.specificity,
    "kappa": labels.kappa,
    "cost": labels.cost,
    "lift": order_of_rows.lift,
    "roc-area": order_of_rows.roc_area,
    "average-precision": order_of_rows.average_precision,
    "break-even": order_of_rows.break_even,
    "top-k": order_of_rows.top_k,
    "root-brier": probabilities.root_brier,
    "brier": probabilities.brier,
    "cross-entropy": probabilities.cross_entropy,
    "cal": probabilities.cal,
    "rmse": numeric.rmse,
    "mae": numeric.mae,
    "mape": numeric.mape,
    "r2": numeric.r2,
    "fit-time": costs.fit_time,
    "predict-time": costs.predict_time,
    "size": costs.size,
}

# The loss of one row; the metric is its mean, or grows with it. Lower is better, for accuracy too.
ROW_LOSSES: Mapping[str, Callable[[Answer], Numbers]] = {
    "accuracy": labels.zero_one_loss,
    "error": labels.zero_one_loss,
    "root-brier": probabilities.squared_loss,
    "brier": probabilities.squared_loss,
    "cross-entropy": probabilities.log_loss,
    "rmse": numeric.squared_error,
    "mae": numeric.absolute_error,
    "mape": numeric.relative_error,
}
_LOSSES_BY_OPTION: Mapping[str, Callable[[Answer, Mapping[str, object]], Numbers]] = {
    "cost": labels.cost_of_rows,
    "top-k": order_of_rows.beyond_the_top,
}
ROW_METRICS = frozenset((*ROW_LOSSES, *_LOSSES_BY_OPTION))


def score(metric: str, answer: Answer, options: Iterable[tuple[str, object]] = ()) -> float:
    """The score of one answer; always a finite number, or an error that says why there is none.

    >>> import numpy as np
    >>> score("accuracy", Answer(truth=np.array([0, 1]), labels=np.array([0, 0]), classes=("a", "b")))
    0.5
    """
    entry = find_metric(metric)
    if entry is None:
        near = nearest(metric, metric_words())
        raise DataError(f"there is no metric {metric}", hint=f"did you mean {near}?" if near else "")
    settings = _settings(entry, options)
    _check(answer, entry.name, entry.needs)
    return METRIC_FUNCTIONS[entry.name](_with_chances(answer, entry), settings)


def score_candidate(metric: Metric, said: Predicted) -> float:
    """The score of a candidate of tuning on the rows it is judged by; handed to `trials.schedule.run`."""
    answer = Answer(
        truth=said.truth,
        labels=said.labels,
        scores=said.scores,
        classes=said.classes,
        positive=said.positive,
        probabilities=said.probabilities,
        weights=said.weights,
    )
    return score(metric.name, answer, metric.options)


def row_losses(metric: str, answer: Answer, options: Iterable[tuple[str, object]] = ()) -> Numbers:
    """One loss per test row, lower is better, for the tests that work on rows."""
    entry = find_metric(metric)
    if entry is None or entry.name not in ROW_METRICS:
        raise DataError(
            f"{metric} is not made of one loss per row", hint=f"these are: {', '.join(sorted(ROW_METRICS))}"
        )
    settings = _settings(entry, options)
    _check(answer, entry.name, entry.needs)
    if entry.name in _LOSSES_BY_OPTION:
        return _LOSSES_BY_OPTION[entry.name](answer, settings)
    return ROW_LOSSES[entry.name](_with_chances(answer, entry))


def _settings(entry: MetricEntry, options: Iterable[tuple[str, object]]) -> dict[str, object]:
    settings: dict[str, object] = dict(entry.options)
    for name, value in options:
        wrong = check_option(entry, name, value)
        if wrong is not None:
            raise DataError(wrong)
        settings[name] = value
    return settings


def _with_chances(answer: Answer, entry: MetricEntry) -> Answer:
    """Margins scaled linearly to 0..1 over the test part, where a metric needs probabilities.

    Caruana & Niculescu-Mizil, section 3, do so for an svm that is not calibrated; no label is looked at.
    """
    if entry.needs != "probabilities" or answer.probabilities or answer.scores is None:
        return answer
    margins = class_scores(answer, entry.name)
    return replace(answer, scores=apply(fit("range", margins, answer.truth), margins), probabilities=True)


def _check(answer: Answer, metric: str, needs: str) -> None:
    if needs in ("time", "size"):
        return
    if answer.rows == 0:
        raise DataError(f"{metric} is not defined: the test part is empty")
    if len(answer.labels) != answer.rows:
        raise DataError(f"{len(answer.labels)} predictions were made for {answer.rows} test rows")
    if answer.weights is not None and not answer.weights.sum() > 0:
        raise DataError(f"{metric} is not defined: the weights of the test part sum to 0")
    if bool(answer.classes) == (needs == "numbers"):
        kind = "numbers" if needs == "numbers" else "classes"
        raise DataError(
            f"{metric} is a metric of {kind}, and the target holds {'classes' if answer.classes else 'numbers'}"
        )
