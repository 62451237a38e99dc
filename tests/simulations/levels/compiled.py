"""The learners that are slow in NumPy, and the dealing of folds, compiled by Numba: more runs in an hour.

They are those of `learners` and `divide`; `agree` holds them to these before anything is measured. Numba is needed for
the long run alone (`pip install numba`); without it the NumPy forms are taken.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import divide
from .learners import LEARNERS, RIDGE, Floats, Ints, Learner, Pairs

try:
    from numba import njit
except ImportError:  # the NumPy forms do

    def njit(**_: object) -> Callable[[Any], Any]:
        return lambda function: function

    HERE = False
else:
    HERE = True


@njit(cache=True)
def _nearest(x: Any, look: int) -> Any:
    """For each row the rows nearest to it, nearest first."""
    n, wide = x.shape
    near, far = np.empty((n, look), dtype=np.int64), np.empty(look)
    for i in range(n):
        held = 0
        for j in range(n):
            if i == j:
                continue
            away = 0.0
            for f in range(wide):
                away += (x[i, f] - x[j, f]) ** 2
            if held == look and away >= far[look - 1]:
                continue
            place = min(held, look - 1)
            held = min(held + 1, look)
            while place > 0 and far[place - 1] > away:
                far[place], near[i, place] = far[place - 1], near[i, place - 1]
                place -= 1
            far[place], near[i, place] = away, j
    return near


@njit(cache=True)
def _vote(near: Any, y: Any, held: Any, sets: Any, rows: Any, k: int, answers: Any) -> None:
    for p in range(len(sets)):
        left, votes = k, 0
        for j in near[rows[p]]:
            there = held[sets[p], j]
            if there > 0:
                taken = min(left, there)
                votes += taken if y[j] == 1 else -taken
                left -= taken
                if left == 0:
                    break
        answers[p] = votes > 0


def neighbours(x: Floats, y: Ints, weights: Floats, at: Pairs, *, k: int) -> Ints:
    """As `learners.neighbours`: of as many near rows the first k that are trained on."""
    look = min(24 + 8 * k, len(x) - 1)
    answers = np.empty(len(at[0]), dtype=np.int8)
    _vote(_nearest(x, look), y, weights.astype(np.int8), at[0], at[1], k, answers)
    return answers


@njit(cache=True)
def _grow(columns: Any, orders: Any, y: Any, weights: Any, tested: Any, starts: Any, depth: int, answers: Any) -> None:
    features, n = columns.shape
    nodes = 1 << depth
    node = np.empty(n, dtype=np.int64)
    total, ones = np.empty(nodes), np.empty(nodes)
    count, right = np.empty(nodes), np.empty(nodes)
    best, under, cut, which = np.empty(nodes), np.empty(nodes), np.empty(nodes), np.empty(nodes, dtype=np.int64)
    for s in range(len(weights)):
        held = weights[s]
        node[:] = 0
        for level in range(depth + 1):
            total[:], ones[:] = 0.0, 0.0
            for i in range(n):
                total[node[i]] += held[i]
                ones[node[i]] += held[i] * y[i]
            if level == depth:
                break
            cut[:], which[:] = np.inf, 0
            best[:], under[:] = 0.0, 1.0
            for j in range(features):
                count[:], right[:] = 0.0, 0.0
                for i in orders[j]:
                    if held[i] == 0:
                        continue
                    m = node[i]
                    count[m] += held[i]
                    right[m] += held[i] * y[i]
                    a, b = count[m], right[m]
                    gain, size = (b * total[m] - a * ones[m]) ** 2, a * (total[m] - a)  # purity grows with gain / size
                    if gain * under[m] > best[m] * size:
                        best[m], under[m], cut[m], which[m] = gain, size, columns[j, i], j
            for i in range(n):
                m = node[i]
                node[i] = 2 * m + (columns[which[m], i] > cut[m])
        for p in range(starts[s], starts[s + 1]):
            m = node[tested[p]]
            answers[p] = 2 * ones[m] > total[m]


def tree(x: Floats, y: Ints, weights: Floats, at: Pairs, *, depth: int) -> Ints:
    """As `learners.tree`."""
    answers = np.empty(len(at[0]), dtype=np.int8)
    columns = np.ascontiguousarray(x.T.astype(np.float32))
    orders = np.argsort(columns, axis=1)
    starts = np.searchsorted(at[0], np.arange(len(weights) + 1))
    _grow(columns, orders, y.astype(np.float64), weights, at[1], starts, depth, answers)
    return answers


@njit(cache=True)
def _moments(x: Any, y: Any, held: Any) -> Any:
    """Of both classes: how many rows are trained on, their sums of features, and sums of their squares."""
    count, total, squares = np.zeros(2), np.zeros((2, x.shape[1])), np.zeros((2, x.shape[1]))
    for i in range(len(y)):
        if held[i] > 0:
            label = y[i]
            count[label] += held[i]
            for f in range(x.shape[1]):
                total[label, f] += held[i] * x[i, f]
                squares[label, f] += held[i] * x[i, f] ** 2
    return np.maximum(count, 1e-9), total, squares


@njit(cache=True)
def _answer_linear(x: Any, slope: Any, offset: float, rows: Any, answers: Any) -> None:
    for p in range(len(rows)):
        score = offset
        for f in range(x.shape[1]):
            score += slope[f] * x[rows[p], f]
        answers[p] = score > 0


@njit(cache=True)
def _centroids(x: Any, y: Any, weights: Any, tested: Any, starts: Any, answers: Any) -> None:
    for s in range(len(weights)):
        count, total, _ = _moments(x, y, weights[s])
        low, high = total[0] / count[0], total[1] / count[1]
        part = slice(starts[s], starts[s + 1])
        _answer_linear(x, high - low, ((low**2).sum() - (high**2).sum()) / 2, tested[part], answers[part])


@njit(cache=True)
def _discriminants(x: Any, y: Any, weights: Any, tested: Any, starts: Any, answers: Any) -> None:
    d = x.shape[1]
    for s in range(len(weights)):
        held = weights[s]
        count, total, _ = _moments(x, y, held)
        low, high = total[0] / count[0], total[1] / count[1]
        within = np.zeros((d, d))
        for i in range(len(y)):
            if held[i] > 0:
                for f in range(d):
                    for g in range(f + 1):
                        within[f, g] += held[i] * x[i, f] * x[i, g]
        for f in range(d):
            for g in range(f + 1):
                within[f, g] -= count[0] * low[f] * low[g] + count[1] * high[f] * high[g]
                within[f, g] /= count[0] + count[1]
                within[g, f] = within[f, g]
            within[f, f] += RIDGE
        slope = np.linalg.solve(within, high - low)
        offset = -((high + low) * slope).sum() / 2 + np.log(count[1] / count[0])
        part = slice(starts[s], starts[s + 1])
        _answer_linear(x, slope, offset, tested[part], answers[part])


@njit(cache=True)
def _bayes(x: Any, y: Any, weights: Any, tested: Any, starts: Any, answers: Any) -> None:
    for s in range(len(weights)):
        count, total, squares = _moments(x, y, weights[s])
        mean, spread = total.copy(), squares.copy()
        offset = np.log(count[1]) - np.log(count[0])
        for label in (0, 1):
            for f in range(x.shape[1]):
                mean[label, f] /= count[label]
                spread[label, f] = max(squares[label, f] / count[label] - mean[label, f] ** 2, 0.0) + RIDGE
                offset += (0.5 if label == 0 else -0.5) * np.log(spread[label, f])
        for p in range(starts[s], starts[s + 1]):
            score = offset
            for f in range(x.shape[1]):
                value = x[tested[p], f]
                score += (value - mean[0, f]) ** 2 / (2 * spread[0, f]) - (value - mean[1, f]) ** 2 / (2 * spread[1, f])
            answers[p] = score > 0


@njit(cache=True)
def _coefficients(z: Any, y: Any, held: Any, beta: Any) -> Any:
    """Newton's steps from here until they are nothing."""
    d = z.shape[1]
    for _ in range(12):
        gradient, hessian = -beta, np.eye(d)
        for i in range(len(y)):
            if held[i] == 0:
                continue
            score = 0.0
            for f in range(d):
                score += beta[f] * z[i, f]
            chance = 1 / (1 + np.exp(-min(max(score, -12.0), 12.0)))
            rest, bend = held[i] * (y[i] - chance), held[i] * chance * (1 - chance)
            for f in range(d):
                gradient[f] += rest * z[i, f]
                for g in range(f + 1):
                    hessian[f, g] += bend * z[i, f] * z[i, g]
        for f in range(d):
            for g in range(f):
                hessian[g, f] = hessian[f, g]
        step = np.linalg.solve(hessian, gradient)
        beta = beta + step
        if np.abs(step).max() < 1e-4:  # the next one would be smaller than its square
            break
    return beta


@njit(cache=True)
def _logistics(x: Any, y: Any, weights: Any, tested: Any, starts: Any, answers: Any) -> None:
    z = np.ones((len(y), x.shape[1] + 1))
    z[:, 1:] = x
    whole = _coefficients(z, y, np.ones(len(y)), np.zeros(x.shape[1] + 1))  # near those of every training set
    for s in range(len(weights)):
        beta = _coefficients(z, y, weights[s], whole)
        part = slice(starts[s], starts[s + 1])
        _answer_linear(x, beta[1:], beta[0], tested[part], answers[part])


def by_set(answer: Callable[..., None], x: Floats, y: Ints, weights: Floats, at: Pairs) -> Ints:
    """The answers of a learner that is fitted to one training set after the other."""
    answers = np.empty(len(at[0]), dtype=np.int8)
    starts = np.searchsorted(at[0], np.arange(len(weights) + 1))
    answer(np.ascontiguousarray(x), y, weights, at[1], starts, answers)
    return answers


@njit(cache=True)
def _dealt(rng: Any, y: Any, k: int, partitions: int, inside: Any) -> Any:
    """For each partition the fold of every row, -1 for those not inside; each class is dealt out evenly."""
    fold = np.full((partitions, len(y)), -1)
    for p in range(partitions):
        place = rng.integers(0, k)
        for label in (0, 1):
            rows = np.flatnonzero((y == label) & inside)
            for i in range(len(rows) - 1, -1, -1):
                j = rng.integers(0, i + 1)
                rows[i], rows[j] = rows[j], rows[i]
                fold[p, rows[i]] = place % k
                place += 1
    return fold


def folds(rng: np.random.Generator, y: Ints, k: int, partitions: int) -> divide.Divided:
    dealt = _dealt(rng, y, k, partitions, np.ones(len(y), dtype=np.bool_))
    tested = (dealt[:, None, :] == np.arange(k)[:, None]).reshape(-1, len(y))
    return (~tested).astype(np.float64), tested


def halvings(rng: np.random.Generator, y: Ints, times: int, k: int) -> divide.Divided:
    halves = _dealt(rng, y, 2, times, np.ones(len(y), dtype=np.bool_))
    trained, tested = [], []
    for half in halves:
        for side in (0, 1):
            test = _dealt(rng, y, k, 1, half == side) == np.arange(k)[:, None]
            tested.append(test)
            trained.append((half == side) & ~test)
    return np.concatenate(trained).astype(np.float64), np.concatenate(tested)


FAST: dict[str, Learner] = {
    "centroid": partial(by_set, _centroids),
    "discriminant": partial(by_set, _discriminants),
    "naive-bayes": partial(by_set, _bayes),
    "logistic": partial(by_set, _logistics),
    "1-nn": partial(neighbours, k=1),
    "5-nn": partial(neighbours, k=5),
    "stump": partial(tree, depth=1),
    "small-tree": partial(tree, depth=3),
}
DIVIDED: dict[str, Callable[[np.random.Generator, Ints], divide.Divided]] = {
    "10x10cv": lambda rng, y: folds(rng, y, 10, 10),
    "5x5cv": lambda rng, y: folds(rng, y, 5, 5),
    "50x2cv": lambda rng, y: folds(rng, y, 2, 50),
    "halvings": lambda rng, y: halvings(rng, y, 10, 5),
}


def learner(name: str) -> Learner:
    return FAST[name] if HERE and name in FAST else LEARNERS[name]


def scheme(name: str) -> Callable[[np.random.Generator, Ints], divide.Divided]:
    return DIVIDED[name] if HERE and name in DIVIDED else divide.SCHEMES[name]


def agree(rows: int = 120) -> dict[str, float]:
    """Of each compiled learner: the share of answers on the folds of every scheme that are those of the NumPy form."""
    rng = np.random.default_rng(1)
    y = rng.permutation(np.arange(rows) % 2)
    x = rng.normal(size=(rows, 4)) + np.outer(2 * y - 1, (0.5, 0.5, 0.5, 0.0))
    divided = [divide.SCHEMES[s](rng, y) for s in ("10x10cv", "50x2cv", "bootstrap 30", "halvings")]
    weights = np.concatenate([d[0] for d in divided])
    at = np.nonzero(np.concatenate([d[1] for d in divided]))
    found = {}
    for name, fast in FAST.items():
        same: NDArray[np.bool_] = fast(x, y, weights, at) == LEARNERS[name](x, y, weights, at)
        found[name] = float(same.mean())
    return found
