"""Permutation by full enumeration, the bootstrap with a metric of rows, randomization by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evalang.errors import TestError
from evalang.results.records import Alternative
from evalang.verdicts.apply import compute
from evalang.verdicts.arithmetic.tails import Sided
from evalang.verdicts.tests.resampling_tests import bootstrap, permutation, randomization

SIDES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


def enumerated(d: list[int], alternative: Alternative) -> Fraction:
    """The p-value by exact integers."""
    total = sum(d)
    hits = 0
    for signs in product((1, -1), repeat=len(d)):
        found = sum(s * x for s, x in zip(signs, d, strict=True))
        hits += {"two-sided": abs(found) >= abs(total), "greater": found >= total, "less": found <= total}[alternative]
    return Fraction(hits, 2 ** len(d))


@pytest.mark.parametrize(
    "sizes", [[1, 2, 3, 4, 5, 6, 7, 8], [1, 1, 1, 2, 2, 5, 5, 5, 9, 9], [0, 0, 1, 1, 3, 3, 4, 4, 4, 6, 7, 7]]
)
@pytest.mark.parametrize("alternative", SIDES)
def test_holds_its_level_by_enumeration(sizes: list[int], alternative: Alternative) -> None:
    """All sign vectors, with ties and zeros: P(p <= a) <= a for every attainable a, and p is the exact one."""
    n = len(sizes)
    vectors = Counter(
        tuple(sorted(s * x for s, x in zip(signs, sizes, strict=True))) for signs in product((1, -1), repeat=n)
    )
    seen: Counter[float] = Counter()
    for d, times in vectors.items():
        p = permutation(d, [0] * n, asked=Sided(alternative)).pvalue
        seen[p] += times
    running = 0
    for p in sorted(seen):
        running += seen[p]
        assert running / 2**n <= p * (1 + 1e-12)
    for d in list(vectors)[:: len(vectors) // 5]:
        assert permutation(d, [0] * n, asked=Sided(alternative)).pvalue == float(enumerated(list(d), alternative))


@pytest.mark.parametrize("tables", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_float_ties_never_change_the_answer(tables: int) -> None:
    """None wrong of the random tables of k/n accuracies: floats give the p of the integers."""
    rng = np.random.default_rng(20)
    wrong = 0
    for _ in range(tables):
        n, rows = int(rng.integers(3, 9)), int(rng.integers(3, 200))
        a, b = rng.integers(0, rows + 1, n), rng.integers(0, rows + 1, n)
        floats, integers = permutation(a / rows, b / rows), permutation(a, b)
        wrong += abs((floats.pvalue or 0.0) - (integers.pvalue or 0.0)) > 1e-12 or floats.ties != integers.ties
    assert wrong == 0


def test_random_swaps_agree_with_the_exact_value() -> None:
    """19 integers: the exact p by convolution, the random one within five standard errors."""
    rng = np.random.default_rng(5)
    d = rng.integers(-9, 15, 19)
    counts: Counter[int] = Counter({0: 1})
    for x in d:
        nxt: Counter[int] = Counter()
        for total, c in counts.items():
            nxt[total + int(x)] += c
            nxt[total - int(x)] += c
        counts = nxt
    exact = sum(c for total, c in counts.items() if abs(total) >= abs(int(d.sum()))) / 2**19
    found = permutation(d, np.zeros(19), rng=np.random.default_rng(1), resamples=20_000).pvalue
    assert found == pytest.approx(exact, abs=5 * (exact * (1 - exact) / 20_000) ** 0.5 + 1e-4)


def test_outcomes_give_mcnemar_exact() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.random(200) < 0.8, rng.random(200) < 0.7
    exact = compute("mcnemar-exact", first=a, second=b)
    assert permutation(a, b, rng=rng).pvalue == exact.pvalue


def test_needs_a_generator_for_many_units() -> None:
    with pytest.raises(TestError, match="needs a generator"):
        permutation(np.arange(30.0), np.zeros(30))


def test_p_is_never_zero() -> None:
    found = permutation(np.arange(1.0, 101.0), np.zeros(100), rng=np.random.default_rng(0), resamples=999)
    assert found.pvalue == pytest.approx(1 / 1000)


def _accuracy(truth: NDArray[Any], labels: NDArray[Any]) -> float:
    return float(np.mean(truth == labels))


def test_metric_form_agrees_with_means() -> None:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 300)
    a, b = np.where(rng.random(300) < 0.9, truth, 1 - truth), np.where(rng.random(300) < 0.8, truth, 1 - truth)
    rows = bootstrap(a == truth, b == truth, rng=np.random.default_rng(1))
    whole = bootstrap(a, b, truth=truth, metric=_accuracy, rng=np.random.default_rng(1), resamples=4000)
    assert whole.difference == pytest.approx(rows.difference)
    assert whole.interval.low == pytest.approx(rows.interval.low, abs=0.01)
    assert whole.interval.high == pytest.approx(rows.interval.high, abs=0.01)


def test_constant_difference_has_the_p_of_the_sign_test() -> None:
    found = bootstrap([0.02] * 8, [0.0] * 8, rng=np.random.default_rng(0))
    assert found.pvalue == pytest.approx(2 / 256)
    assert found.notes


def test_metric_undefined_on_most_resamples() -> None:
    def picky(truth: NDArray[Any], labels: NDArray[Any]) -> float:
        if truth.sum() == 0:
            raise ValueError
        return float(labels[truth == 1].mean())

    truth = np.array([1] + [0] * 200)
    found = bootstrap(
        np.arange(201), np.arange(201)[::-1], truth=truth, metric=picky, rng=np.random.default_rng(0), resamples=50
    )
    assert found.n_units == 201  # undefined draws were drawn again

    def never(truth: NDArray[Any], labels: NDArray[Any]) -> float:
        return 1.0 if len(np.unique(labels)) == 201 else float("nan")

    with pytest.raises(TestError, match="undefined on more than half"):
        bootstrap(
            np.arange(201), np.arange(201) + 0.5, truth=truth, metric=never, rng=np.random.default_rng(0), resamples=50
        )


@pytest.mark.parametrize(
    ("observed", "shuffled", "side", "p"),
    [
        (0.8, [0.5, 0.6, 0.7, 0.8], "greater", 2 / 5),  # a tie counts as at least as good
        (0.99, [0.5] * 99, "greater", 1 / 100),
        (0.1, [0.5, 0.4, 0.05], "less", 2 / 4),
        (0.3, [0.1 + 0.2, 0.1], "greater", 2 / 3),
        (0.1 + 0.2, [0.3, 0.1], "greater", 2 / 3),
        (0.5, [0.5, 0.5], "greater", 1.0),
    ],
)
def test_randomization_by_hand(observed: float, shuffled: list[float], side: Alternative, p: float) -> None:
    found = randomization(observed, shuffled, asked=Sided(side))
    assert found.pvalue == p
    assert found.difference == pytest.approx(observed - sum(shuffled) / len(shuffled))
    assert found.wins + found.ties + found.losses == len(shuffled)
    spread = float(np.std(shuffled, ddof=1)) if len(set(shuffled)) > 1 else 0.0
    assert found.effect.value == pytest.approx(found.difference / spread if spread else 0.0)


def test_bad_shuffles_are_named() -> None:
    with pytest.raises(TestError, match="at least 1 shuffle"):
        randomization(0.5, [])
    with pytest.raises(TestError, match="missing score at unit 2"):
        randomization(0.5, [0.5, float("nan")])
