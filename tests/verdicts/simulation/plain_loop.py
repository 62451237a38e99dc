"""Dietterich's simulation written out row by row with SciPy's tests, to hold the vectorised one to."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Rows = NDArray[np.float64]  # [row, learner]: each learner's probability of error


def population(error: float, n: int, rng: np.random.Generator) -> Rows:
    """A data set drawn with replacement from the two halves of the population."""
    halves = np.array([[error / 2, 3 * error / 2], [3 * error / 2, error / 2]])
    return halves[rng.integers(0, 2, n)]


def classify(rows: Rows, rng: np.random.Generator, beta: float = 0.0) -> NDArray[np.bool_]:
    """Wrong or not, for each row and learner, drawn anew."""
    return rng.random(rows.shape) < rows + beta


def mcnemar(s: Rows, rng: np.random.Generator) -> float:
    wrong = classify(s[rng.permutation(len(s))[: len(s) // 3]], rng)
    n01, n10 = int((wrong[:, 0] & ~wrong[:, 1]).sum()), int((~wrong[:, 0] & wrong[:, 1]).sum())
    if n01 + n10 < 25:
        return float(stats.binomtest(n01, n01 + n10, 0.5).pvalue) if n01 + n10 else 1.0
    return float(stats.chi2.sf((abs(n01 - n10) - 1) ** 2 / (n01 + n10), 1)) if n01 != n10 else 1.0


def proportions(s: Rows, rng: np.random.Generator) -> float:
    wrong = classify(s[rng.permutation(len(s))[: len(s) // 3]], rng)
    a, b = wrong.mean(axis=0)
    p = (a + b) / 2
    return float(2 * stats.norm.sf(abs(a - b) / math.sqrt(2 * p * (1 - p) / len(wrong)))) if 0 < p < 1 else 1.0


def resampled_t(s: Rows, rng: np.random.Generator, times: int = 30) -> float:
    rates = [classify(s[rng.permutation(len(s))[: len(s) // 3]], rng).mean(axis=0) for _ in range(times)]
    return paired(np.array(rates))


def kfold_t(s: Rows, rng: np.random.Generator, folds: int = 10) -> float:
    places = np.array_split(rng.permutation(len(s)), folds)
    return paired(np.array([classify(s[i], rng, rng.uniform(-0.02, 0.02)).mean(axis=0) for i in places]))


def five_by_two_t(s: Rows, rng: np.random.Generator) -> float:
    first, variances = 0.0, []
    for replication in range(5):
        order = rng.permutation(len(s))
        halves = [classify(s[part], rng).mean(axis=0) for part in np.array_split(order, 2)]
        d = [float(h[0] - h[1]) for h in halves]
        first = d[0] if replication == 0 else first
        mean = sum(d) / 2
        variances.append((d[0] - mean) ** 2 + (d[1] - mean) ** 2)
    below = math.sqrt(sum(variances) / 5)
    return float(2 * stats.t.sf(abs(first / below), 5)) if below > 0 else 1.0


def paired(rates: NDArray[np.float64]) -> float:
    """SciPy's paired t; no variance rejects nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        p = float(stats.ttest_rel(rates[:, 0], rates[:, 1]).pvalue)
    return 1.0 if math.isnan(p) or np.ptp(rates[:, 0] - rates[:, 1]) < 1e-12 else p


TESTS: dict[str, Callable[[Rows, np.random.Generator], float]] = {
    "mcnemar": mcnemar,
    "proportions": proportions,
    "resampled-t": resampled_t,
    "kfold-t": kfold_t,
    "5x2cv-t": five_by_two_t,
}


def rejections(error: float, trials: int, seed: int, n: int = 300) -> Iterator[tuple[str, int]]:
    """How many of the trials each test rejects at .05."""
    rng = np.random.default_rng(seed)
    sets = [population(error, n, rng) for _ in range(trials)]
    for name, test in TESTS.items():
        yield name, sum(test(s, rng) <= 0.05 for s in sets)
