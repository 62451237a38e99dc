"""What the tests should say, by plain loops and SciPy's distributions: nothing here is shared with the program."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb, sqrt

from scipy import stats


def t_two_sided(t: float, df: float) -> float:
    return float(2 * stats.t.sf(abs(t), df))


def mean_and_variance(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return mean, sum((v - mean) ** 2 for v in values) / (len(values) - 1)


def corrected_t(folds: Sequence[Sequence[float]], ratio: float) -> float:
    """Differences by partition; ratio is that of test to training rows."""
    every = [d for partition in folds for d in partition]
    mean, variance = mean_and_variance(every)
    return t_two_sided(mean / sqrt((1 / len(every) + ratio) * variance), len(every) - 1)


def partition_t(folds: Sequence[Sequence[float]], ratio: float) -> float:
    """The mean of all partitions on the standard error and degrees of freedom of one."""
    k = len(folds[0])
    mean, variance = mean_and_variance([d for partition in folds for d in partition])
    return t_two_sided(mean / sqrt((1 / k + ratio) * variance), k - 1)


def five_by_two_t(folds: Sequence[Sequence[float]]) -> float:
    spread = 0.0
    for first, second in folds:
        middle = (first + second) / 2
        spread += (first - middle) ** 2 + (second - middle) ** 2
    return t_two_sided(folds[0][0] / sqrt(spread / 5), 5)


def halving_t(whole: Sequence[Sequence[float]], halvings: Sequence[Sequence[float]]) -> float:
    """Differences by partition of all rows, and by halving: the first half of its folds in one half of the rows."""
    every = [d for partition in whole for d in partition]
    mean = sum(every) / len(every)
    squares = 0.0
    for folds in halvings:
        k = len(folds) // 2
        squares += (sum(folds[:k]) / k - sum(folds[k:]) / k) ** 2
    return t_two_sided(mean / sqrt(squares / (4 * len(halvings))), len(halvings) - 1)


def disagreements(truth: Sequence[object], a: Sequence[object], b: Sequence[object]) -> tuple[int, int]:
    """Rows that only a gets right, and that only b gets right."""
    only_a = only_b = 0
    for t, x, y in zip(truth, a, b, strict=True):
        only_a += x == t and y != t
        only_b += y == t and x != t
    return only_a, only_b


def mcnemar(only_a: int, only_b: int) -> float:
    """Edwards' chi-squared; exact when fewer than 25 rows disagree."""
    n = only_a + only_b
    if n < 25:
        return exact(only_a, only_b)
    gap = abs(only_a - only_b)
    return float(stats.chi2.sf(max(gap - 1, 0) ** 2 / n if gap else 0.0, 1))


def exact(only_a: int, only_b: int) -> float:
    n, low = only_a + only_b, min(only_a, only_b)
    return min(1.0, 2 * sum(comb(n, i) for i in range(low + 1)) / 2**n)


def mcnemar_midp(only_a: int, only_b: int) -> float:
    n, low = only_a + only_b, min(only_a, only_b)
    if only_a == only_b:
        return 1.0
    return min(1.0, 2 * sum(comb(n, i) for i in range(low + 1)) / 2**n - comb(n, low) / 2**n)


def wilcoxon(differences: Sequence[float]) -> float:
    """The share of all signs that give a sum of ranks at least as far from its middle; without ties and zeros."""
    order = sorted(range(len(differences)), key=lambda i: abs(differences[i]))
    ranks = {index: place + 1 for place, index in enumerate(order)}
    middle = len(differences) * (len(differences) + 1) / 4
    seen = abs(sum(ranks[i] for i, d in enumerate(differences) if d > 0) - middle)
    signs = list(product((0, 1), repeat=len(differences)))
    far = sum(abs(sum((i + 1) * s for i, s in enumerate(sign)) - middle) >= seen for sign in signs)
    return far / len(signs)
