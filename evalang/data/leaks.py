"""Columns and rows that give the target away: columns made of it, and rows made of other rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .table import Array, Table
from .undeclared import Codes

FOLDS = 5
CELLS = 20_000_000  # of the table value x class; beyond it a column is nearly unique and a lookup knows nothing
FEWER_ERRORS = 0.2  # ours: the lookup must save four in five of the errors of always guessing the largest class
STRAIGHT = 1e-6  # ours: of the target's range; a line this close is the target in other units
COARSE = 0.05  # ours: of the target's standard deviation; coarser rounding hides more than it shows
SMOOTH = 0.005  # ours: of the target's interquartile range; no measurement of something else is so close
FEWEST_NUMBERS = 10  # ours: with fewer different numbers they may well be codes of categories
MOSTLY = 0.5  # ours: of the rows
TELLING = 0.9  # ours: share of the rows that a category predicts, such as the hospital of a scan


def answer_share(table: Table, column: pd.Series[Any], codes: Array, distinct: int) -> float:
    """Return the share of the rows for which a lookup of the column's values, learnt on the other folds, is right.

    Of numbers and two classes one threshold may do better.

    0 when the column says no more than a guess. For regression: rows on one straight line, or rows whose value
    always comes with the same target.
    """
    if table.task == "regression":
        return _regression_share(table, column, codes, distinct)
    nominal = isinstance(column.dtype, pd.CategoricalDtype)
    share = 0.0 if nominal else _threshold_share(column.to_numpy(dtype=np.float64), table.y)
    if distinct * 2 <= table.rows and distinct * len(table.classes) <= CELLS:
        share = max(share, _lookup(codes, distinct, table.y, len(table.classes)))
    guess = np.bincount(table.y).max() / table.rows
    return share if (1 - share) <= FEWER_ERRORS * (1 - guess) else 0.0


def _threshold_share(values: Array, y: Array) -> float:
    """Return the share of the rows of two classes on the right side of the best threshold; 0 for more classes."""
    if y.max() != 1:
        return 0.0
    order = np.argsort(values, kind="stable")
    ones, number = np.cumsum(y[order]), len(y)
    right = np.arange(1, number + 1) - ones + ones[-1] - ones  # up to here all are of the first class, then none
    right = right[np.append(np.diff(values[order]) != 0, True)]
    return float(max(right.max(), number - right.min()) / number)


def _lookup(codes: Array, distinct: int, y: Array, classes: int) -> float:
    """Return the cross-validated accuracy of a lookup; unseen values get the largest class, missing is a value."""
    values = np.where(codes < 0, distinct, codes).astype(np.int64)
    cells = values * classes + y
    shape = (distinct + 1, classes)
    whole = np.bincount(cells, minlength=shape[0] * classes).reshape(shape)
    fold = np.random.default_rng(0).permutation(len(y)) % FOLDS
    right = 0
    for k in range(FOLDS):
        tested = fold == k
        rest = whole - np.bincount(cells[tested], minlength=shape[0] * classes).reshape(shape)
        answer = rest.argmax(axis=1)
        answer[rest.sum(axis=1) == 0] = rest.sum(axis=0).argmax()
        right += int((answer[values[tested]] == y[tested]).sum())
    return right / len(y)


def _regression_share(table: Table, column: pd.Series[Any], codes: Array, distinct: int) -> float:
    if not isinstance(column.dtype, pd.CategoricalDtype):
        share = _function_share(column.to_numpy(), table.y)
        if share > 0.5:
            return share
    y = table.y
    if distinct * 2 > table.rows:
        return 0.0
    values = np.where(codes < 0, distinct, codes)
    low = np.full(distinct + 1, np.inf)
    high = np.full(distinct + 1, -np.inf)
    np.minimum.at(low, values, y)
    np.maximum.at(high, values, y)
    constant = (low == high) & (np.bincount(values, minlength=distinct + 1) > 1)
    return float(constant[values].sum() / len(y)) if len(np.unique(y)) > 2 else 0.0


def _function_share(x: Array, y: Array) -> float:
    """Return the share of the rows in which the target is the column in other units, or a smooth function of it.

    In other units it is on a line up to rounding; of a smooth function, nine targets of ten are interpolated from the
    rows with the nearest values.
    """
    known = ~np.isnan(x)
    x, target = x[known], y[known]
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(target) == 0:
        return 0.0
    centred = x - x.mean()
    slope = float((centred * (target - target.mean())).sum() / (centred**2).sum())
    off = np.abs(target - target.mean() - slope * centred)
    allowed = STRAIGHT * np.ptp(target) + _rounding(target) + abs(slope) * _rounding(x)
    share = float((off <= allowed).sum() / len(y)) if allowed < COARSE * target.std() else 0.0
    if share > 0.5:
        return share
    order = np.argsort(x, kind="stable")
    x, target = x[order], target[order]
    before, after = x[:-2], x[2:]
    width = np.where(after > before, after - before, 1.0)
    between = target[:-2] + (target[2:] - target[:-2]) * (x[1:-1] - before) / width
    spread = float(np.subtract(*np.percentile(target, (75, 25))))
    near = np.abs(target[1:-1] - between) <= SMOOTH * spread
    return 1.0 if near.mean() >= 0.9 and len(np.unique(target)) > FEWEST_NUMBERS else 0.0


def _rounding(values: Array) -> float:
    """Return half of the last decimal place that a column is written with; 0 for more than six places."""
    places = next((n for n in range(7) if np.allclose(values, values.round(n), rtol=0, atol=1e-9)), None)
    return 0.0 if places is None else 0.5 * 10.0**-places


def target_means(table: Table, codes: Codes) -> tuple[str, ...]:
    """Return columns of numbers that are the mean of the target over the rows with the same value.

    Of two classes, the mean is the share of one of them. Such a column encodes a category by the targets of all rows.
    """
    if table.task == "classification" and len(table.classes) != 2:
        return ()
    found = []
    for name in table.numeric:
        own, distinct = codes[name]
        if own.min() < 0 or not FEWEST_NUMBERS <= distinct <= table.rows / 2:
            continue
        values, rows = table.X[name].to_numpy(dtype=np.float64), np.bincount(own)
        means = (np.bincount(own, weights=table.y) / rows)[own]
        allowed = _rounding(values) + STRAIGHT * np.ptp(values)
        if allowed > COARSE * np.ptp(table.y):
            continue
        telling = (means != table.y) | (rows[own] > 1)
        sides = (means, 1.0 - means) if table.task == "classification" else (means,)
        near = [np.mean(np.abs(mean - values)[telling] <= allowed) for mean in sides]
        found += [name] if telling.mean() > MOSTLY and max(near) >= TELLING else []
    return tuple(found)


def sums_to_target(table: Table) -> tuple[str, ...]:
    """Return columns of numbers whose sum, each times one factor, is a numeric target; () without any."""
    if table.task != "regression":
        return ()
    columns = [name for name in table.numeric if not table.X[name].isna().any() and np.ptp(table.X[name]) > 0]
    if len(columns) < 2 or table.rows < 3 * len(columns) + FEWEST_NUMBERS:
        return ()
    values = table.X[columns].to_numpy(dtype=np.float64)
    scaled = np.column_stack(((values - values.mean(axis=0)) / values.std(axis=0), np.ones(table.rows)))
    some = np.random.default_rng(0).permutation(table.rows)[: 5 * len(columns) + 50]  # enough to rule most tables out
    factors, _, rank, _ = np.linalg.lstsq(scaled[some], table.y[some], rcond=None)
    if rank < scaled.shape[1] or np.abs(scaled @ factors - table.y).max() > STRAIGHT * np.ptp(table.y):
        return ()
    return tuple(n for n, factor in zip(columns, factors, strict=False) if abs(factor) > STRAIGHT * np.ptp(table.y))


WINDOW = 60  # rows on either side of a row
FITTED = 3  # ours: times the factors; a fit on so many rows is tried on the others


def windows_of_target(table: Table, order: Array | None) -> tuple[str, ...]:
    """Return columns of numbers that are computed from the target of the same or of later rows, in order of time.

    Such a column is a sum of neighbouring targets, each times a factor: tomorrow's value, a moving mean that contains
    today, or a change since yesterday. If earlier targets alone give it, it is known in time.
    """
    if order is None or (table.task == "classification" and len(table.classes) != 2):
        return ()
    parts = np.zeros(table.rows) if table.series is None else table.series[order]
    wide = min(WINDOW, len(order) // max(1, len(np.unique(parts))) // 8)
    if wide < 2:
        return ()
    y = table.y[order].astype(np.float64)
    places = np.arange(wide, len(y) - wide)
    places = _drawn(places[parts[places - wide] == parts[places + wide]])
    window, rows = np.lib.stride_tricks.sliding_window_view(y, 2 * wide + 1)[places - wide], order[places]
    fitted, tried = np.split(np.arange(len(rows)), [min(FITTED * (2 * wide + 2), 2 * len(rows) // 3)])
    known = table.X.iloc[rows]
    columns = [n for n in table.numeric if known[n].nunique() >= FEWEST_NUMBERS and known[n].notna().all()]
    values = table.X[columns].to_numpy(dtype=np.float64)[rows]
    if len(fitted) <= 2 * wide + 2 or not columns:
        return ()

    def is_made_of(targets: Array) -> Array:
        given = np.column_stack((targets, np.ones(len(rows))))
        factors = np.linalg.lstsq(given[fitted], values[fitted], rcond=None)[0]
        off = np.abs(given[tried] @ factors - values[tried])
        near: Array = (off <= allowed).mean(axis=0) >= TELLING
        return near

    exact = 2 * np.array([_rounding(one) for one in values.T]) + STRAIGHT * np.ptp(values, axis=0)
    coarsest = 2 * COARSE * values.std(axis=0)
    rounded = exact + 2 * _rounding(y)  # whole numbers may be counts, which are exact
    allowed = np.where((rounded > coarsest) & bool(np.all(y == np.floor(y))), exact, rounded)
    fine = allowed <= coarsest
    found = fine & is_made_of(window) & ~is_made_of(window[:, :wide])
    return tuple(name for name, made in zip(columns, found, strict=True) if made)


MOST_ROWS = 4000  # of larger tables so many are compared, drawn at random
MOST_COLUMNS = 100
COMPARED = 300  # rows of a class
NEIGHBOURS = 30
EXPECTED = 8  # in the rows looked at first; with fewer than a quarter of them no more rows are compared
BETWEEN = 0.1  # ours: share of the rows of a class that lie on a line between two others
CLOSER = 10  # ours: so many times closer than the next row
MOST_COPIES = 10
FAR_FROM_CHANCE = 3  # ours: so many times what is expected without copies


def generated_rows(table: Table, values: Array | None) -> tuple[str, float]:
    """Return the class of which most rows lie on a line between two others, as SMOTE makes them, and their share.

    The width of the line is such that chance puts about one row in a hundred on it. In every class alike, rows on lines
    are a property of the data, as in a series that was interpolated. The values are the `measurements` of the table.
    """
    shares = {}
    for code, label in enumerate(table.classes if values is not None else ()):
        own = _drawn(np.flatnonzero(table.y == code))
        if len(own) > NEIGHBOURS and (space := _dimensions(values[own])) >= 3:  # type: ignore[index]
            angle = min(0.05, (0.02 / NEIGHBOURS**2) ** (1 / (space - 1)))
            shares[label] = _share_between(values[own], angle)  # type: ignore[index]
    label = max(shares, key=shares.__getitem__, default="")
    others = max((share for name, share in shares.items() if name != label), default=1.0)
    return (label, shares[label]) if label and shares[label] >= max(BETWEEN, 4 * others) else ("", 0.0)


def _share_between(values: Array, angle: float) -> float:
    """Return the share of rows from which two near rows are seen in opposite directions, up to an angle."""
    share = 0.0
    for rows in (values[: round(EXPECTED / BETWEEN)], values[:COMPARED]):
        far, near = _nearest(values, rows, NEIGHBOURS + 1)
        sight = (values[near] - rows[:, None]) / np.where(far > 0, far, np.inf)[..., None]
        share = float(((sight @ sight.swapaxes(1, 2)).min(axis=(1, 2)) < -np.cos(angle)).mean())
        if share <= BETWEEN / 4:  # too few, and too few to explain those of another class
            break
    return share


def near_copies(table: Table, values: Array | None) -> tuple[int, int]:
    """Return how many rows have a nearly equal row, such as a rounded one, and how many were compared.

    The copies of a row, at most MOST_COPIES with the same target, are ten times closer than the next row. With a test
    file, copies of its rows among the others are counted. The values are the `measurements` of the table.
    """
    if values is None or (space := _dimensions(values)) < 2:
        return 0, 0
    start = table.test_from
    others = _drawn(np.arange(table.rows if start is None else start))
    every = others if start is None else _drawn(np.arange(start, table.rows))
    fewest = (0.05 if start is None else 0.01) + FAR_FROM_CHANCE * CLOSER ** -float(space)
    for rows in (every[: round(EXPECTED / fewest)], every):
        far, near = _nearest(values[others], values[rows], min(MOST_COPIES + 2, len(others)))
        closer = ((far[:, :-1] > 0) & (far[:, 1:] >= CLOSER * far[:, :-1])).any(axis=1)
        copy = others[near[np.arange(len(rows)), np.argmin(np.where(far > 0, far, np.inf), axis=1)]]
        apart = np.abs(table.y[copy] - table.y[rows])
        same = apart == 0 if table.task == "classification" else apart <= 0.1 * table.y.std()
        copies = int((closer & same).sum())
        if copies <= fewest * len(rows) / 4:
            return 0, 0
    return (copies, len(every)) if copies > max(fewest * len(every), TELLING * closer.sum()) else (0, 0)


def _nearest(values: Array, rows: Array, count: int) -> tuple[Array, Array]:
    """Return the distances of each row to the nearest values, in ascending order, and the numbers of these values.

    In many columns comparing with all values is quicker than a tree.
    """
    from scipy.spatial.distance import cdist

    count = min(count, len(values))
    fars, nears = [], []
    for start in range(0, len(rows), 500):  # all distances at once may be too many for the memory
        far = cdist(rows[start : start + 500], values)
        near = np.argpartition(far, count - 1)[:, :count]
        far = np.take_along_axis(far, near, axis=1)
        order = np.argsort(far, axis=1)
        fars.append(np.take_along_axis(far, order, axis=1))
        nears.append(np.take_along_axis(near, order, axis=1))
    return np.concatenate(fars), np.concatenate(nears)


def measurements(table: Table, codes: Codes) -> Array | None:
    """Return the columns of measurements (most numbers differ), each of spread 1; None for fewer than three."""
    names = [n for n in table.numeric if 2 * codes[n][1] > table.rows and codes[n][0].min() >= 0]
    values = table.X[names[:: len(names) // MOST_COLUMNS + 1]].to_numpy(dtype=np.float64)
    kept = values[:, values.std(axis=0) > 0]
    return (kept - kept.mean(axis=0)) / kept.std(axis=0) if kept.shape[1] >= 3 else None


def _dimensions(values: Array) -> float:
    """Return how many directions the rows are spread in: the participation ratio of the variances."""
    variances = np.linalg.eigvalsh(np.cov(values.T))
    return float(variances.sum() ** 2 / (variances**2).sum())


def _drawn(rows: Array) -> Array:
    return np.random.default_rng(0).permutation(rows)[:MOST_ROWS]
