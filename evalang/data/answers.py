"""Does one column alone tell the target?"""

from __future__ import annotations

import numpy as np

from .columns import Array
from .table import Table

FOLDS = 5
CELLS = 20_000_000  # of the table value x class; beyond it a column is nearly unique and a lookup knows nothing
FEWER_ERRORS = 0.2  # ours: the lookup must save four in five of the errors of always guessing the largest class
STRAIGHT = 1e-6  # ours: of the target's range; a line this close is the target in other units


def answer_share(table: Table, name: str, codes: Array, distinct: int) -> float:
    """Share of the rows for which a lookup of the column's values, learnt on the other folds, is right.

    0 when the column is worth no more than a guess. For regression: rows on one straight line, or rows whose value
    always comes with the same target.
    """
    if table.task == "regression":
        return _regression_share(table, name, codes, distinct)
    if distinct * 2 > table.rows or distinct * len(table.classes) > CELLS:
        return 0.0
    share = _lookup(codes, distinct, table.y, len(table.classes))
    guess = np.bincount(table.y).max() / table.rows
    return share if (1 - share) <= FEWER_ERRORS * (1 - guess) else 0.0


def _lookup(codes: Array, distinct: int, y: Array, classes: int) -> float:
    """Cross-validated accuracy; unseen values get the largest class, a missing value is a value."""
    values = np.where(codes < 0, distinct, codes).astype(np.int64)
    cells = values * classes + y
    shape = (distinct + 1, classes)
    whole = np.bincount(cells, minlength=shape[0] * classes).reshape(shape)
    fold = np.random.default_rng(0).permutation(len(y)) % FOLDS
    right = 0
    for k in range(FOLDS):
        held = fold == k
        rest = whole - np.bincount(cells[held], minlength=shape[0] * classes).reshape(shape)
        answer = rest.argmax(axis=1)
        answer[rest.sum(axis=1) == 0] = rest.sum(axis=0).argmax()
        right += int((answer[values[held]] == y[held]).sum())
    return right / len(y)


def _regression_share(table: Table, name: str, codes: Array, distinct: int) -> float:
    y = table.y
    spread = float(y.max() - y.min())
    if name in table.numeric:
        x = table.X[name].to_numpy()
        known = ~np.isnan(x)
        if known.sum() > 2 and np.ptp(x[known]) > 0:
            centred = x[known] - x[known].mean()
            slope = float((centred * (y[known] - y[known].mean())).sum() / (centred**2).sum())
            off = np.abs(y[known] - y[known].mean() - slope * centred)
            share = float((off <= STRAIGHT * spread).sum() / len(y))
            if share > 0.5:
                return share
    if distinct * 2 > table.rows:
        return 0.0
    values = np.where(codes < 0, distinct, codes)
    low = np.full(distinct + 1, np.inf)
    high = np.full(distinct + 1, -np.inf)
    np.minimum.at(low, values, y)
    np.maximum.at(high, values, y)
    settled = (low == high) & (np.bincount(values, minlength=distinct + 1) > 1)
    return float(settled[values].sum() / len(y)) if len(np.unique(y)) > 2 else 0.0
