"""Metrics of predicted classes, all from counts (or weights) of true against predicted class."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...errors import DataError
from ..answer import Answer, Numbers, mean


def accuracy(answer: Answer, options: Mapping[str, object]) -> float:
    """The share of rows predicted right; a ratio of counts when there are no weights, so that equal counts tie."""
    right = answer.truth == answer.labels
    if answer.weights is None:
        return int(np.count_nonzero(right)) / answer.rows
    return mean(right.astype(np.float64), answer)


def error(answer: Answer, options: Mapping[str, object]) -> float:
    """The share of rows predicted wrong."""
    wrong = answer.truth != answer.labels
    if answer.weights is None:
        return int(np.count_nonzero(wrong)) / answer.rows
    return mean(wrong.astype(np.float64), answer)


def zero_one_loss(answer: Answer) -> Numbers:
    """1 for a wrong row, 0 for a right one."""
    wrong: Numbers = (answer.truth != answer.labels).astype(np.float64)
    return wrong


def confusion(answer: Answer) -> Numbers:
    """[true class, predicted class]: rows, or the sum of their weights."""
    k = len(answer.classes)
    pairs = answer.truth.astype(np.intp) * k + answer.labels
    counts = np.bincount(pairs, weights=answer.weights, minlength=k * k)
    return counts.reshape(k, k).astype(np.float64)


def balanced_accuracy(answer: Answer, options: Mapping[str, object]) -> float:
    """The mean recall over the classes in the test part."""
    table = confusion(answer)
    rows = table.sum(axis=1)
    there = rows > 0
    return float((np.diagonal(table)[there] / rows[there]).mean())


def precision(answer: Answer, options: Mapping[str, object]) -> float:
    """TP / (TP + FP); 0 when nothing is predicted positive."""
    table = confusion(answer)
    return _averaged(answer, options, np.diagonal(table), table.sum(axis=0), "precision")


def recall(answer: Answer, options: Mapping[str, object]) -> float:
    """TP / (TP + FN)."""
    table = confusion(answer)
    rows = table.sum(axis=1)
    average = _average(answer, options, "recall")
    if average == "positive" and rows[_positive(answer, "recall")] == 0:
        raise DataError("recall is not defined: the test part has no positive row")
    return _averaged(answer, options, np.diagonal(table), rows, "recall")


def f_score(answer: Answer, options: Mapping[str, object]) -> float:
    """(1 + b²)TP / ((1 + b²)TP + b² FN + FP); 0/0 counts as 0."""
    table = confusion(answer)
    beta = options["beta"]
    assert isinstance(beta, int | float)
    square = float(beta) ** 2
    hits = (1.0 + square) * np.diagonal(table)
    return _averaged(answer, options, hits, square * table.sum(axis=1) + table.sum(axis=0), "f-score")


def mcc(answer: Answer, options: Mapping[str, object]) -> float:
    """The correlation of truth and prediction over the whole table; 0 where either is constant."""
    table = confusion(answer)
    total, true, predicted = table.sum(), table.sum(axis=1), table.sum(axis=0)
    shared = np.trace(table) * total - np.dot(true, predicted)
    spread = (total**2 - np.dot(true, true)) * (total**2 - np.dot(predicted, predicted))
    return float(np.clip(shared / np.sqrt(spread), -1.0, 1.0)) if spread > 0 else 0.0


def specificity(answer: Answer, options: Mapping[str, object]) -> float:
    """TN / (TN + FP): the recall of the other class."""
    table, negative = confusion(answer), 1 - _positive(answer, "specificity")
    rows = float(table[negative].sum())
    if rows == 0:
        raise DataError("specificity is not defined: the test part has no negative row")
    return float(table[negative, negative]) / rows


def kappa(answer: Answer, options: Mapping[str, object]) -> float:
    """(p_o - p_e) / (1 - p_e), Cohen 1960; 0 where one class is all there is in truth and prediction."""
    table = confusion(answer)
    total = table.sum()
    chance = float(np.dot(table.sum(axis=1), table.sum(axis=0)))
    room = total**2 - chance
    return float(np.clip((np.trace(table) * total - chance) / room, -1.0, 1.0)) if room > 0 else 0.0


def cost(answer: Answer, options: Mapping[str, object]) -> float:
    """The mean cost of a row."""
    return mean(cost_of_rows(answer, options), answer)


def cost_of_rows(answer: Answer, options: Mapping[str, object]) -> Numbers:
    """What each row's error costs: fp, fn, or 0 where the answer is right."""
    false_positive, false_negative = options["fp"], options["fn"]
    assert isinstance(false_positive, int | float)
    assert isinstance(false_negative, int | float)
    price = np.where(answer.truth == _positive(answer, "cost"), float(false_negative), float(false_positive))
    return np.where(answer.truth == answer.labels, 0.0, price)


def _positive(answer: Answer, metric: str) -> int:
    if len(answer.classes) != 2:
        raise DataError(
            f"{metric} of one positive class needs two classes, not {len(answer.classes)}",
            hint=f'write {metric}(average = "macro")',
        )
    if answer.positive is None:
        raise DataError(
            f"{metric} needs to be told which class is positive",
            hint=f'add `positive "…"` to the dataset, or write {metric}(average = "macro")',
        )
    return answer.positive


def _average(answer: Answer, options: Mapping[str, object], metric: str) -> str:
    average = str(options["average"])
    return ("positive" if len(answer.classes) == 2 else "macro") if average == "auto" else average


def _averaged(answer: Answer, options: Mapping[str, object], top: Numbers, bottom: Numbers, metric: str) -> float:
    average = _average(answer, options, metric)
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
