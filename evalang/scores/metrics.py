"""The function of every metric card, and `score`, which finds it by name.

Our own rather than `sklearn.metrics`: those agree to the last digits (the tests compare them), but a call takes
milliseconds instead of microseconds, lift, break-even, cal and costs are not among them, and top-k breaks ties by the
order of the classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import fsum, isfinite
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..catalogue.metrics import MetricEntry, check_option, find_metric, metric_words
from ..errors import DataError
from ..language.text import nearest
from ..plans.model import Metric
from ..trials.calibrate import apply, fit
from ..trials.trial import Predicted
from .answer import Answer, Numbers, class_scores, mean, positive_scores

Flags = npt.NDArray[np.bool_]
Options = Mapping[str, Any]
MetricFunction = Callable[[Answer, Options], float]
RowLoss = Callable[[Answer, Options], Numbers]

SMALLEST = 2.0**-52  # what a probability of 0 counts as in cross-entropy, as in scikit-learn; written on its card
SUMS_TO_ONE = 1e-3  # single precision over many classes

METRIC_FUNCTIONS: dict[str, MetricFunction] = {}
ROW_LOSSES: dict[str, RowLoss] = {}  # lower is better, for accuracy too
ROOT_METRICS: set[str] = set()  # the root of a mean loss
ONE_MINUS: set[str] = set()  # one minus a mean loss


def metric(name: str) -> Callable[[MetricFunction], MetricFunction]:
    """Register the function of a metric card."""

    def register(function: MetricFunction) -> MetricFunction:
        METRIC_FUNCTIONS[name] = function
        return function

    return register


def row_metric(name: str, kind: Literal["mean", "root", "one-minus"] = "mean") -> Callable[[RowLoss], RowLoss]:
    """Register a metric that is the mean of one loss per row, the root of that mean, or one minus it."""

    def register(loss: RowLoss) -> RowLoss:
        def function(answer: Answer, options: Options) -> float:
            if kind == "one-minus":
                return mean(1.0 - loss(answer, options), answer)
            value = mean(loss(answer, options), answer)
            return value if kind == "mean" else float(np.sqrt(value))

        METRIC_FUNCTIONS[name] = function
        ROW_LOSSES[name] = loss
        if kind != "mean":
            (ROOT_METRICS if kind == "root" else ONE_MINUS).add(name)
        return loss

    return register


def score(metric: str, answer: Answer, options: Iterable[tuple[str, object]] = ()) -> float:
    """Return the score of one answer: a finite number, or an error that says why there is none.

    >>> score("accuracy", Answer(truth=np.array([0, 1]), labels=np.array([0, 0]), classes=("a", "b")))
    0.5
    """
    entry = find_metric(metric)
    if entry is None:
        near = nearest(metric, metric_words())
        raise DataError(f"there is no metric {metric}", hint=f"did you mean {near}?" if near else "")
    return METRIC_FUNCTIONS[entry.name](*_checked(answer, entry, options))


def score_candidate(metric: Metric, said: Predicted) -> float:
    """Return the score of a tuning candidate; `trials.run.run` calls it."""
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
    """Return one loss per test row, lower is better, for the tests that work on rows."""
    entry = find_metric(metric)
    if entry is None or entry.name not in ROW_LOSSES:
        known = ", ".join(sorted(ROW_LOSSES))
        raise DataError(f"{metric} is not made of one loss per row", hint=f"these are: {known}")
    return ROW_LOSSES[entry.name](*_checked(answer, entry, options))


def normalise(metric: str, scores: Sequence[float], baseline: float) -> list[float]:
    """Return (score - baseline) / (best - baseline), for metrics of either direction; cal starts at the mean score.

    Predicting the share of positives is well calibrated, so cal is scaled between the mean observed (0) and the best
    observed (1): Caruana & Niculescu-Mizil, section 2.3. When no score differs from the bottom of the scale, all are 0;
    when none is better than the baseline the scale has no top, which is an error.

    >>> normalise("accuracy", [0.75, 1.0, 0.25], baseline=0.5)
    [0.5, 1.0, -0.5]
    """
    entry = find_metric(metric)
    if entry is None:
        raise DataError(f"there is no metric {metric}")
    if not scores or not all(map(isfinite, scores)):
        raise DataError(f"normalised {entry.name} needs at least one score, and every score to be a finite number")
    bottom = fsum(scores) / len(scores) if entry.name == "cal" else baseline
    best = max(scores) if entry.higher_is_better else min(scores)
    if all(value == best for value in scores) and (entry.name == "cal" or best == bottom):
        return [0.0] * len(scores)
    if not entry.sign * (best - bottom) > 0:
        raise DataError(
            f"no learner does better than the baseline ({bottom:.4g}) on {entry.name}, so 1 has no meaning",
            hint="report the scores themselves",
        )
    return [(value - bottom) / (best - bottom) for value in scores]


def _checked(
    answer: Answer, entry: MetricEntry, options: Iterable[tuple[str, object]]
) -> tuple[Answer, dict[str, object]]:
    """Return the answer as the metric needs it and all options, or raise what makes the metric undefined."""
    settings: dict[str, object] = dict(entry.options)
    for name, value in options:
        wrong = check_option(entry, name, value)
        if wrong is not None:
            raise DataError(wrong)
        settings[name] = value
    if entry.needs in ("time", "size"):
        return answer, settings
    if answer.rows == 0:
        raise DataError(f"{entry.name} is not defined: the test part is empty")
    if len(answer.labels) != answer.rows:
        raise DataError(f"{len(answer.labels)} predictions were made for {answer.rows} test rows")
    if answer.weights is not None and not answer.weights.sum() > 0:
        raise DataError(f"{entry.name} is not defined: the weights of the test part sum to 0")
    if bool(answer.classes) == (entry.needs == "numbers"):
        kinds = ("numbers", "classes") if entry.needs == "numbers" else ("classes", "numbers")
        raise DataError(f"{entry.name} is a metric of {kinds[0]}, and the target holds {kinds[1]}")
    if entry.needs == "probabilities" and not answer.probabilities and answer.scores is not None:
        # Margins scaled linearly to 0..1 over the test part, as Caruana & Niculescu-Mizil, section 3, do for an svm
        # that is not calibrated; no label is used.
        margins = class_scores(answer, entry.name)
        answer = replace(answer, scores=apply(fit("range", margins, answer.truth), margins), probabilities=True)
    return answer, settings


# Predicted classes


@row_metric("error")
@row_metric("accuracy", "one-minus")
def zero_one_loss(answer: Answer, options: Options) -> Numbers:
    """Return 1 for a wrong row, 0 for a right one."""
    wrong: Numbers = (answer.truth != answer.labels).astype(np.float64)
    return wrong


@row_metric("cost")
def cost_of_rows(answer: Answer, options: Options) -> Numbers:
    """Return what each row's error costs: fp, fn, or 0 where the answer is right."""
    price = np.where(answer.truth == _positive(answer, "cost"), float(options["fn"]), float(options["fp"]))
    return np.where(answer.truth == answer.labels, 0.0, price)


def confusion(answer: Answer) -> Numbers:
    """Return [true class, predicted class]: rows, or the sum of their weights."""
    k = len(answer.classes)
    pairs = answer.truth.astype(np.intp) * k + answer.labels
    counts = np.bincount(pairs, weights=answer.weights, minlength=k * k)
    return counts.reshape(k, k).astype(np.float64)


@metric("balanced-accuracy")
def balanced_accuracy(answer: Answer, options: Options) -> float:
    """Return the mean recall over the classes in the test part."""
    table = confusion(answer)
    rows = table.sum(axis=1)
    there = rows > 0
    return float((np.diagonal(table)[there] / rows[there]).mean())


@metric("precision")
def precision(answer: Answer, options: Options) -> float:
    """Return TP / (TP + FP); 0 when nothing is predicted positive."""
    table = confusion(answer)
    return _averaged(answer, options, np.diagonal(table), table.sum(axis=0), "precision")


@metric("recall")
def recall(answer: Answer, options: Options) -> float:
    """Return TP / (TP + FN)."""
    table = confusion(answer)
    rows = table.sum(axis=1)
    if _average(answer, options) == "positive" and rows[_positive(answer, "recall")] == 0:
        raise DataError("recall is not defined: the test part has no positive row")
    return _averaged(answer, options, np.diagonal(table), rows, "recall")


@metric("f-score")
def f_score(answer: Answer, options: Options) -> float:
    """Return (1 + b²)TP / ((1 + b²)TP + b² FN + FP); 0/0 counts as 0."""
    table = confusion(answer)
    square = float(options["beta"]) ** 2
    hits = (1.0 + square) * np.diagonal(table)
    return _averaged(answer, options, hits, square * table.sum(axis=1) + table.sum(axis=0), "f-score")


@metric("mcc")
def mcc(answer: Answer, options: Options) -> float:
    """Return the correlation of truth and prediction over the whole table; 0 where either is constant."""
    table = confusion(answer)
    total, true, predicted = table.sum(), table.sum(axis=1), table.sum(axis=0)
    shared = np.trace(table) * total - np.dot(true, predicted)
    spread = (total**2 - np.dot(true, true)) * (total**2 - np.dot(predicted, predicted))
    return float(np.clip(shared / np.sqrt(spread), -1.0, 1.0)) if spread > 0 else 0.0


@metric("specificity")
def specificity(answer: Answer, options: Options) -> float:
    """Return TN / (TN + FP): the recall of the other class."""
    table, negative = confusion(answer), 1 - _positive(answer, "specificity")
    rows = float(table[negative].sum())
    if rows == 0:
        raise DataError("specificity is not defined: the test part has no negative row")
    return float(table[negative, negative]) / rows


@metric("kappa")
def kappa(answer: Answer, options: Options) -> float:
    """Return (p_o - p_e) / (1 - p_e), Cohen 1960; 0 where truth and prediction hold one class."""
    table = confusion(answer)
    total = table.sum()
    chance = float(np.dot(table.sum(axis=1), table.sum(axis=0)))
    room = total**2 - chance
    return float(np.clip((np.trace(table) * total - chance) / room, -1.0, 1.0)) if room > 0 else 0.0


def _positive(answer: Answer, metric: str) -> int:
    if len(answer.classes) != 2:
        raise DataError(
            f"{metric} of one positive class needs two classes, not {len(answer.classes)}",
            hint=f'write {metric}(average = "macro")',
        )
    if answer.positive is None:
        raise DataError(
            f"{metric} needs the positive class",
            hint=f'add `positive "…"` to the dataset, or write {metric}(average = "macro")',
        )
    return answer.positive


def _average(answer: Answer, options: Options) -> str:
    average = str(options["average"])
    return ("positive" if len(answer.classes) == 2 else "macro") if average == "auto" else average


def _averaged(answer: Answer, options: Options, top: Numbers, bottom: Numbers, metric: str) -> float:
    """Return top / bottom of the positive class, over all classes, or averaged over the classes that occur."""
    average = _average(answer, options)
    if average == "positive":
        place = _positive(answer, metric)
        return float(top[place] / bottom[place]) if bottom[place] > 0 else 0.0
    if average == "micro":
        return float(top.sum() / bottom.sum())
    k = len(answer.classes)
    true = np.bincount(answer.truth.astype(np.intp), weights=answer.weights, minlength=k).astype(np.float64)
    predicted = np.bincount(answer.labels.astype(np.intp), minlength=k)
    used = true > 0 if metric == "recall" else (true > 0) | (predicted > 0)
    each = np.divide(top, bottom, out=np.zeros(k), where=bottom > 0)[used]
    return float(each.mean()) if average == "macro" else float(np.dot(each, true[used]) / true.sum())


# The order of the rows. Rows of equal score stay together, so the order in the file never matters.


@metric("roc-area")
def roc_area(answer: Answer, options: Options) -> float:
    """Return P(score of a positive > score of a negative) + P(equal)/2; many classes: the mean of one against the rest.

    Mann-Whitney form: Fawcett 2006.
    """
    if len(answer.classes) == 2:
        positive, scores = positive_scores(answer, "roc-area")
        return _area(answer, positive, scores, "both classes")
    scores = class_scores(answer, "roc-area")
    areas = [
        _area(answer, answer.truth == code, scores[:, code], f"class {name}")
        for code, name in enumerate(answer.classes)
    ]
    return float(np.mean(areas))


@metric("average-precision")
def average_precision(answer: Answer, options: Options) -> float:
    """Return the sum over distinct scores of (R_i - R_{i-1}) P_i."""
    hits, below = _climb(answer, *_positives(answer, "average-precision"))
    gained = np.diff(hits, prepend=0.0)
    reached = hits + below
    precision = np.divide(hits, reached, out=np.zeros_like(hits), where=reached > 0)
    return float(np.dot(gained, precision) / hits[-1])


@metric("break-even")
def break_even(answer: Answer, options: Options) -> float:
    """Return the precision among as many top rows as there are positives."""
    hits, below = _climb(answer, *_positives(answer, "break-even"))
    return _hits_within(hits, below, float(hits[-1])) / float(hits[-1])


@metric("lift")
def lift(answer: Answer, options: Options) -> float:
    """Return (share of positives in the top) / (share of positives); the top has floor(top·n + 1/2) rows, or 1."""
    top = options["top"]
    hits, below = _climb(answer, *_positives(answer, "lift"))
    total = float(hits[-1] + below[-1])
    size = max(1.0, float(np.floor(top * answer.rows + 0.5))) if answer.weights is None else top * total
    return _hits_within(hits, below, size) / size / (float(hits[-1]) / total)


@row_metric("top-k", "one-minus")
def beyond_the_top(answer: Answer, options: Options) -> Numbers:
    """Return 1 for a row whose class is not among the k highest, else 0; at the edge the share of ties left out."""
    k = options["k"]
    if k >= len(answer.classes):
        raise DataError(f"top-k(k = {k}) is right for every row: there are {len(answer.classes)} classes")
    scores = class_scores(answer, "top-k")
    own = np.take_along_axis(scores, answer.truth.astype(np.intp)[:, None], axis=1)
    above, tied = (scores > own).sum(axis=1), (scores == own).sum(axis=1)
    beyond: Numbers = 1.0 - np.clip((k - above) / tied, 0.0, 1.0)
    return beyond


def _positives(answer: Answer, metric: str) -> tuple[Flags, Numbers]:
    if answer.positive is None:
        raise DataError(f"{metric} needs the positive class", hint='add `positive "…"` to the dataset')
    positive, scores = positive_scores(answer, metric)
    if not positive.any():
        raise DataError(f"{metric} is not defined: the test part has no positive row")
    return positive, scores


def _climb(answer: Answer, positive: Flags, scores: Numbers) -> tuple[Numbers, Numbers]:
    """Return the weight of positives and of negatives at or above each distinct score, from the highest down."""
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    ends = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), len(ordered) - 1)
    right = positive[order].astype(np.float64)
    wrong = 1.0 - right
    if answer.weights is not None:
        right, wrong = right * answer.weights[order], wrong * answer.weights[order]
    return np.cumsum(right)[ends], np.cumsum(wrong)[ends]


def _area(answer: Answer, positive: Flags, scores: Numbers, what: str) -> float:
    hits, below = _climb(answer, positive, scores)
    if hits[-1] <= 0 or below[-1] <= 0:
        raise DataError(f"roc-area is not defined: the test part does not hold rows in and out of {what}")
    steps = np.diff(below, prepend=0.0)
    area = np.dot(steps, hits - np.diff(hits, prepend=0.0) / 2.0)
    return float(np.clip(area / (hits[-1] * below[-1]), 0.0, 1.0))


def _hits_within(hits: Numbers, below: Numbers, size: float) -> float:
    """Return the weight of positives among the first `size` of weight; ties at the edge count by their share."""
    reached = hits + below
    place = min(int(np.searchsorted(reached, size - 1e-9)), len(reached) - 1)
    before, weight = (float(hits[place - 1]), float(reached[place - 1])) if place else (0.0, 0.0)
    share = (size - weight) / (float(reached[place]) - weight)
    return before + share * (float(hits[place]) - before)


# Probabilities


@row_metric("root-brier", "root")
@row_metric("brier")
def squared_loss(answer: Answer, options: Options) -> Numbers:
    """Return half the squared distance between the probabilities and the truth; (p - y)² for two classes."""
    chance = _probabilities(answer, "brier")
    if chance.ndim == 1:
        two: Numbers = np.square(chance - (answer.truth == 1))
        return two
    true = chance[np.arange(answer.rows), answer.truth]
    loss: Numbers = 0.5 * (np.square(chance).sum(axis=1) - np.square(true) + np.square(1.0 - true))
    return loss


@row_metric("cross-entropy")
def log_loss(answer: Answer, options: Options) -> Numbers:
    """Return -ln(probability of the true class), probabilities raised to at least 2^-52; never negative."""
    chance = _probabilities(answer, "cross-entropy")
    if chance.ndim == 1:
        true = np.where(answer.truth == 1, chance, 1.0 - chance)
    else:
        true = chance[np.arange(answer.rows), answer.truth]
    loss: Numbers = -np.log(np.clip(true, SMALLEST, 1.0))
    return loss + 0.0


@metric("cal")
def cal(answer: Answer, options: Options) -> float:
    """Return the mean over all windows of 100 neighbours of |share of positives - mean probability|.

    Caruana & Niculescu-Mizil, section 2.2; rows of equal probability enter with their mean outcome.
    """
    window = options["window"]
    if answer.rows < window:
        raise DataError(
            f"cal needs {window} test rows, the test part has {answer.rows}",
            hint="test on more rows, or take brier or cross-entropy",
        )
    _probabilities(answer, "cal")
    positive, chance = positive_scores(answer, "cal")
    order = np.argsort(chance, kind="stable")
    ordered = chance[order]
    starts = np.append(0, np.flatnonzero(ordered[1:] != ordered[:-1]) + 1)
    sizes = np.diff(np.append(starts, len(ordered)))
    outcome = np.repeat(np.add.reduceat(positive[order].astype(np.float64), starts) / sizes, sizes)
    gap = np.append(0.0, np.cumsum(outcome - ordered))
    return float(np.abs(gap[window:] - gap[:-window]).mean() / window)


def _probabilities(answer: Answer, metric: str) -> Numbers:
    chance = class_scores(answer, metric)
    wrong = (chance < 0.0) | (chance > 1.0)
    if wrong.any():
        row = int(np.flatnonzero(wrong.reshape(answer.rows, -1).any(axis=1))[0])
        raise DataError(f"{metric} needs probabilities, and test row {row + 1} has one outside 0 to 1")
    if chance.ndim == 2:
        off = np.abs(chance.sum(axis=1) - 1.0) > SUMS_TO_ONE
        if off.any():
            row = int(np.flatnonzero(off)[0])
            raise DataError(f"{metric} needs probabilities, and those of test row {row + 1} do not sum to 1")
    return chance


# Predicted numbers


@row_metric("mse")
@row_metric("rmse", "root")
def squared_error(answer: Answer, options: Options) -> Numbers:
    """Return one squared error per row."""
    return np.square(_errors(answer))


@row_metric("mae")
def absolute_error(answer: Answer, options: Options) -> Numbers:
    """Return one absolute error per row."""
    return np.abs(_errors(answer))


@row_metric("mape")
def relative_error(answer: Answer, options: Options) -> Numbers:
    """Return one absolute error per row, as a share of the truth."""
    errors, truth = np.abs(_errors(answer)), np.abs(np.asarray(answer.truth, dtype=np.float64))
    if (truth == 0).any():
        row = int(np.flatnonzero(truth == 0)[0])
        raise DataError(f"mape is not defined: the target of test row {row + 1} is 0", hint="take mae or rmse")
    with np.errstate(over="ignore"):
        shares: Numbers = errors / truth
    if not np.isfinite(shares).all():
        raise DataError("mape is not defined: the target is so near 0 that the relative error has no finite value")
    return shares


@metric("r2")
def r2(answer: Answer, options: Options) -> float:
    """Return 1 - SSE / SS around the mean of the test part."""
    truth = answer.truth.astype(np.float64)
    around = mean(np.square(truth - mean(truth, answer)), answer)
    if around <= 0.0 or answer.rows < 2 or (truth == truth[0]).all():
        raise DataError("r2 is not defined: the target does not vary in the test part", hint="take rmse or mae")
    return 1.0 - mean(np.square(_errors(answer)), answer) / around


def _errors(answer: Answer) -> Numbers:
    errors = np.asarray(answer.labels, dtype=np.float64) - np.asarray(answer.truth, dtype=np.float64)
    if not np.isfinite(errors).all():
        row = int(np.flatnonzero(~np.isfinite(errors))[0])
        raise DataError(f"the prediction or the truth of test row {row + 1} is not a finite number")
    return errors


# Time and size


def _recorded(name: str, field: str) -> None:
    @metric(name)
    def recorded(answer: Answer, options: Options) -> float:
        value = getattr(answer, field)
        if value is None:
            hint = "only learners that evalang fitted itself have times and sizes"
            raise DataError(f"{name} was not recorded", hint=hint)
        return float(value)


_recorded("fit-time", "fit_seconds")
_recorded("predict-time", "predict_seconds")
_recorded("size", "size")
