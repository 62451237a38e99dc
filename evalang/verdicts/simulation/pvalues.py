"""The p-values of many trials at once: the same tests as in ../tests, on arrays. tests hold each pair of them together.

A trial whose test would be refused (a constant difference leaves no variance) gets p = 1: it rejects nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from ..arithmetic.differences import tie_equal
from ..tests.outcome_tests import EXACT_BELOW
from ..tests.sign_tests import EXACT_UNITS, lower_tail, signed_ranks
from .draws import Counts, DrawnFolds, Floats, Ints

ROUNDING = 1e-12  # differences are counts over a size: a gap below it is none
Sides = int  # 2, or 1 for "the first is better"


def _normal(z: Floats, sides: Sides) -> Floats:
    return np.asarray(2.0 * scipy.special.ndtr(-np.abs(z)) if sides == 2 else scipy.special.ndtr(-z))


def _student(estimate: Floats, variance: Floats, df: float, sides: Sides) -> Floats:
    """Return p of estimate / sqrt(variance); 1 without any variance."""
    flat = variance <= 0.0
    t = np.divide(estimate, np.sqrt(np.where(flat, 1.0, variance)))
    p = 2.0 * scipy.special.stdtr(df, -np.abs(t)) if sides == 2 else scipy.special.stdtr(df, -t)
    return np.asarray(np.where(flat, 1.0, p))


def _sign(wins: Ints, losses: Ints, sides: Sides) -> Floats:
    total = wins + losses
    if sides == 1:
        return np.asarray(np.where(total == 0, 1.0, scipy.special.bdtr(losses, total, 0.5)))
    return np.asarray(
        np.where(total == 0, 1.0, np.minimum(1.0, 2.0 * scipy.special.bdtr(np.minimum(wins, losses), total, 0.5)))
    )


def _exact(c: Counts, sides: Sides) -> Floats:
    return _sign(c.second_only, c.first_only, sides)


def _z(c: Counts, correction: float) -> Floats:
    total, gap = c.first_only + c.second_only, c.second_only - c.first_only
    root = np.sqrt(np.maximum(total, 1))
    return np.asarray(np.sign(gap) * (np.abs(gap) - correction * (gap != 0)) / root)


def _mcnemar(c: Counts, sides: Sides) -> Floats:
    total = c.first_only + c.second_only
    return np.asarray(np.where(total < EXACT_BELOW, _exact(c, sides), _normal(_z(c, 1.0), sides)))


def _midp(c: Counts, sides: Sides) -> Floats:
    total = c.first_only + c.second_only
    low = np.minimum(c.first_only, c.second_only) if sides == 2 else c.first_only
    point = scipy.special.bdtr(low, total, 0.5) - np.where(
        low > 0, scipy.special.bdtr(np.maximum(low - 1, 0), total, 0.5), 0.0
    )
    p = scipy.special.bdtr(low, total, 0.5) - 0.5 * point
    if sides == 2:
        p = np.where(c.first_only == c.second_only, 1.0 - point / 2.0, 2.0 * p)
    return np.asarray(np.where(total == 0, 1.0, p))


def _corrected_proportions(c: Counts, sides: Sides) -> Floats:
    total = c.first_only + c.second_only
    return np.asarray(np.where(total == 0, 1.0, _normal(_z(c, 0.0), sides)))


def _proportions(c: Counts, sides: Sides) -> Floats:
    mean = (c.first_only + c.second_only + 2 * c.both) / (2 * c.rows)
    variance = 2.0 * mean * (1.0 - mean) / c.rows
    z = (c.second_only - c.first_only) / c.rows / np.sqrt(np.where(variance > 0.0, variance, 1.0))
    return np.asarray(np.where(c.first_only + c.second_only == 0, 1.0, _normal(z, sides)))


def _row_t(c: Counts, sides: Sides) -> Floats:
    n, total = c.rows, c.first_only + c.second_only
    mean = (c.second_only - c.first_only) / n
    variance = (total - n * mean * mean) / (n - 1)
    constant = (total == 0) | (c.first_only == n) | (c.second_only == n)
    return _student(mean, np.where(constant, 0.0, variance / n), n - 1, sides)


def _moments(d: Floats) -> tuple[Floats, Floats]:
    mean = d.mean(axis=-1)
    variance = d.var(axis=-1, ddof=1)
    return mean, np.where(np.ptp(d, axis=-1) < ROUNDING, 0.0, variance)


def _flat(f: DrawnFolds) -> Floats:
    return f.d.reshape(f.d.shape[0], -1)


def _plain_t(f: DrawnFolds, sides: Sides) -> Floats:
    d = _flat(f)
    mean, variance = _moments(d)
    return _student(mean, variance / d.shape[1], d.shape[1] - 1, sides)


def _corrected_t(f: DrawnFolds, sides: Sides) -> Floats:
    d = _flat(f)
    mean, variance = _moments(d)
    return _student(mean, variance * (1.0 / d.shape[1] + f.ratio), d.shape[1] - 1, sides)


def _partition_t(f: DrawnFolds, sides: Sides) -> Floats:
    d, folds = _flat(f), f.d.shape[2]
    mean, variance = _moments(d)
    df = (folds if folds > 1 else d.shape[1]) - 1.0
    return _student(mean, variance * (f.ratio / (1.0 + f.ratio) + f.ratio), df, sides)


def _halves(d: Floats) -> Floats:
    """Return s_i^2 of each replication [..., 5, 2]: half the squared gap of its two folds."""
    gap = d[..., 0] - d[..., 1]
    return np.asarray(np.where(np.abs(gap) < ROUNDING, 0.0, gap) ** 2 / 2.0)


def _five_by_two_t(f: DrawnFolds, sides: Sides) -> Floats:
    return _student(f.d[:, 0, 0], _halves(f.d).mean(axis=-1), 5.0, sides)


def _five_by_two_f(f: DrawnFolds, sides: Sides) -> Floats:
    below = 2.0 * _halves(f.d).sum(axis=-1)
    ratio = (f.d**2).sum(axis=(1, 2)) / np.where(below > 0.0, below, 1.0)
    return np.asarray(np.where(below > 0.0, scipy.special.fdtrc(10.0, 5.0, ratio), 1.0))


def _averaged_t(f: DrawnFolds, sides: Sides) -> Floats:
    """Return the mean t of the partitions, with the degrees of freedom of one; [trial, 5 N, 2] is N times 5x2cv."""
    if f.d.shape[2] == 2 and f.d.shape[1] % 5 == 0:
        parts = f.d.reshape(f.d.shape[0], -1, 5, 2)
        top, variance, df = parts[..., 0, 0], _halves(parts).mean(axis=-1), 5.0
    else:
        top, spread = _moments(f.d)
        variance, df = spread / f.d.shape[2], f.d.shape[2] - 1.0
    t = np.where(variance > 0.0, top / np.sqrt(np.where(variance > 0.0, variance, 1.0)), 0.0).mean(axis=1)
    return _student(t, np.ones_like(t), df, sides)


def _paired_t(d: Floats, sides: Sides) -> Floats:
    return _plain_t(DrawnFolds(d=d[:, None, :], ratio=0.0), sides)


def _sign_over(d: Floats, sides: Sides) -> Floats:
    return _sign((d > 0).sum(axis=1), (d < 0).sum(axis=1), sides)


def _wilcoxon(d: Floats, sides: Sides) -> Floats:
    """Return p as `wilcoxon`: exact given the ranks, zeros split, the normal approximation above 200 differences.

    The exact tail depends on few sets of ranks, so each is counted once.
    """
    known: dict[tuple[bytes, int], float] = {}
    found = np.ones(d.shape[0])
    sizes: NDArray[np.float64] = np.copysign(tie_equal(np.abs(d)), d)
    for i, row in enumerate(sizes):
        zeros = np.flatnonzero(row == 0.0)
        if zeros.size % 2 and zeros.size < row.size:  # one of an odd number of zeros is left out (Demsar 2006)
            row = np.delete(row, zeros[0])
        ranks, signs = signed_ranks(row, keep_zeros=True)
        if not ranks.size:
            continue
        plus, total = int(ranks[signs > 0].sum()), int(ranks.sum())
        if ranks.size > EXACT_UNITS:
            z = (2 * plus - total) / np.sqrt(float((ranks * ranks).sum()))  # the ranks are doubled
            found[i] = _normal(z, sides)
            continue
        low = min(plus, total - plus) if sides == 2 else total - plus
        key = (np.sort(ranks).tobytes(), low)
        if key not in known:
            known[key] = min(1.0, sides * lower_tail(ranks, low))
        found[i] = known[key]
    return found


OUTCOMES: dict[str, Callable[[Counts, Sides], Floats]] = {
    "mcnemar": _mcnemar,
    "mcnemar-exact": _exact,
    "mcnemar-midp": _midp,
    "binomial": _exact,
    "permutation": _exact,  # swapping right and wrong is the binomial test
    "proportions": _proportions,
    "corrected-proportions": _corrected_proportions,
    "cochran-q": _corrected_proportions,  # of two learners
    "row-t": _row_t,
}
FOLDS: dict[str, Callable[[DrawnFolds, Sides], Floats]] = {
    "resampled-t": _plain_t,
    "kfold-t": _plain_t,
    "corrected-t": _corrected_t,
    "partition-t": _partition_t,
    "5x2cv-t": _five_by_two_t,
    "5x2cv-f": _five_by_two_f,
    "averaged-t": _averaged_t,
}
DATASETS: dict[str, Callable[[Floats, Sides], Floats]] = {
    "paired-t": _paired_t,
    "wilcoxon": _wilcoxon,
    "sign": _sign_over,
}

# The shape of what is drawn -> the tests made from it; differences [trial, dataset] have no record of their own.
_TESTS: dict[type[Any], dict[str, Callable[[Any, Sides], Floats]]] = {
    Counts: OUTCOMES,
    DrawnFolds: FOLDS,
    np.ndarray: DATASETS,
}


def pvalues(test: str, drawn: Counts | DrawnFolds | Floats, sides: Sides = 2) -> Floats:
    """Return p of a test, one per trial."""
    return _TESTS[type(drawn)][test](drawn, sides)
