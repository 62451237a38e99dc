"""Learners that are fitted to many training sets of the same rows at once, in plain NumPy.

Each is a function (x, y, weights) -> answers: `weights` [training set, row] counts how often a row is trained on, and
the answers [training set, row] are the classes, 0 or 1, given to the rows that are not trained on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
Learner = Callable[[Floats, Ints, Ints], Ints]

RIDGE = 1e-3  # keeps a covariance of few rows from being singular


def _moments(x: Floats, y: Ints, weights: Ints) -> tuple[list[Floats], list[Floats]]:
    """Of both classes: how many rows each training set has, and their means [training set, feature]."""
    counts, means = [], []
    for label in (0, 1):
        of_class = weights * (y == label)
        count = np.maximum(of_class.sum(axis=1), 1e-9)
        counts.append(count)
        means.append(of_class @ x / count[:, None])
    return counts, means


def _linear(x: Floats, slope: Floats, offset: Floats) -> Ints:
    """1 where slope . x + offset is above zero."""
    return (slope @ x.T + offset[:, None] > 0).astype(np.uint8)


def centroid(x: Floats, y: Ints, weights: Ints) -> Ints:
    """The class whose mean is nearer."""
    _, (low, high) = _moments(x, y, weights)
    return _linear(x, high - low, ((low**2).sum(axis=1) - (high**2).sum(axis=1)) / 2)


def discriminant(x: Floats, y: Ints, weights: Ints) -> Ints:
    """Linear discriminant analysis with the priors of the training set."""
    (few, many), (low, high) = _moments(x, y, weights)
    d = x.shape[1]
    squares = (weights @ (x[:, :, None] * x[:, None, :]).reshape(len(x), -1)).reshape(-1, d, d)
    within = squares - few[:, None, None] * low[:, :, None] * low[:, None, :]
    within -= many[:, None, None] * high[:, :, None] * high[:, None, :]
    within = within / (few + many)[:, None, None] + RIDGE * np.eye(d)
    slope = np.linalg.solve(within, (high - low)[:, :, None])[:, :, 0]
    return _linear(x, slope, -((high + low) * slope).sum(axis=1) / 2 + np.log(many / few))


def bayes(x: Floats, y: Ints, weights: Ints) -> Ints:
    """Gaussian naive Bayes: a variance for each class and feature."""
    counts, means = _moments(x, y, weights)
    score: Floats = np.zeros((len(weights), len(x)))
    for sign, label in ((-1, 0), (1, 1)):
        variance = (weights * (y == label)) @ x**2 / counts[label][:, None] - means[label] ** 2
        variance = np.maximum(variance, 0) + RIDGE
        inner = (1 / variance) @ (x**2).T - 2 * (means[label] / variance) @ x.T
        inner += (means[label] ** 2 / variance + np.log(variance)).sum(axis=1)[:, None]
        score += sign * (np.log(counts[label])[:, None] - inner / 2)
    return (score > 0).astype(np.uint8)


def logistic(x: Floats, y: Ints, weights: Ints) -> Ints:
    """Logistic regression with a small ridge, by six steps of Newton."""
    z = np.column_stack([np.ones(len(x)), x])
    d = z.shape[1]
    outer = (z[:, :, None] * z[:, None, :]).reshape(len(z), -1)
    beta: Floats = np.zeros((len(weights), d))
    for _ in range(6):
        p = 1 / (1 + np.exp(-np.clip(beta @ z.T, -12, 12)))
        gradient = (weights * (y - p)) @ z - beta
        hessian = ((weights * p * (1 - p)) @ outer).reshape(-1, d, d) + np.eye(d)
        beta = beta + np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
    return _linear(x, beta[:, 1:], beta[:, 0])


def looked_through(weights: Ints, k: int) -> int:
    """So many of the nearest rows that are trained on somewhere hold k of a training set, but for one in a million."""
    held = weights > 0
    somewhere = int(held.any(axis=0).sum())
    share = held.sum(axis=1).min() / somewhere
    return min(int((10 + 3 * k) / share) + 1, somewhere - 1)


def neighbours(x: Floats, y: Ints, weights: Ints, *, k: int) -> Ints:
    """The majority of the k nearest training rows."""
    squares = (x**2).sum(axis=1)
    far = squares[:, None] - 2 * x @ x.T + squares
    np.fill_diagonal(far, np.inf)
    far[:, ~(weights > 0).any(axis=0)] = np.inf
    near = far.argsort(axis=1)[:, : looked_through(weights, k)]
    labels = 2 * y[near] - 1
    answers = np.empty(weights.shape, dtype=np.uint8)
    for given, row in zip(answers, weights, strict=True):
        there = row[near].astype(np.int64)
        before = np.cumsum(there, axis=1) - there
        given[:] = (np.clip(k - before, 0, there) * labels).sum(axis=1) > 0
    return answers


def tree(x: Floats, y: Ints, weights: Ints, *, depth: int) -> Ints:
    """A binary tree of this depth by the Gini index; each cut lies at a training row."""
    orders = np.argsort(x, axis=0)
    columns = x.astype(np.float32)
    y32 = y.astype(np.float32)

    def leaf(held: Floats) -> Floats:
        return np.repeat((held @ y32 * 2 > held.sum(axis=1))[:, None], len(x), axis=1)

    def grow(held: Floats, left: int) -> Floats:
        if left == 0:
            return leaf(held)
        best = np.full(len(held), -1.0, dtype=np.float32)
        which: Ints = np.zeros(len(held), dtype=np.int64)
        cut = np.full(len(held), np.inf, dtype=np.float32)
        for j in range(x.shape[1]):
            order = orders[:, j]
            sorted_held = held[:, order]
            n = np.cumsum(sorted_held, axis=1)
            ones = np.cumsum(sorted_held * y32[order], axis=1)
            n_right, ones_right = n[:, -1:] - n, ones[:, -1:] - ones
            purity = (ones**2 + (n - ones) ** 2) / np.maximum(n, 0.5)
            purity += (ones_right**2 + (n_right - ones_right) ** 2) / np.maximum(n_right, 0.5)
            place = purity.argmax(axis=1)
            value = np.take_along_axis(purity, place[:, None], axis=1)[:, 0]
            better = value > best
            best[better], which[better] = value[better], j
            cut[better] = columns[order, j][place][better]
        goes = columns.T[which] <= cut[:, None]
        low, high = grow(held * goes, left - 1), grow(held * ~goes, left - 1)
        return np.where(goes, low, high)

    return grow(weights.astype(np.float32), depth).astype(np.uint8)


def grown_tree(x: Floats, y: Ints, weights: Ints) -> Ints:
    """scikit-learn's tree, grown until its leaves are pure."""
    answers = np.empty(weights.shape, dtype=np.uint8)
    narrow = x.astype(np.float32)
    for i, row in enumerate(weights):
        held = np.flatnonzero(row)
        answers[i] = DecisionTreeClassifier(random_state=i).fit(narrow[held], y[held], row[held]).predict(narrow)
    return answers


LEARNERS: dict[str, Learner] = {
    "centroid": centroid,
    "discriminant": discriminant,
    "naive-bayes": bayes,
    "logistic": logistic,
    "1-nn": partial(neighbours, k=1),
    "5-nn": partial(neighbours, k=5),
    "stump": partial(tree, depth=1),
    "small-tree": partial(tree, depth=3),
    "grown-tree": grown_tree,
}
