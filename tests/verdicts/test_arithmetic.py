"""The shared pieces: ties, checks, tails."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalang.errors import TestError
from evalang.verdicts.arithmetic.checks import numbers, outcomes, pair, require_units
from evalang.verdicts.arithmetic.differences import (
    differences,
    fold_differences,
    tie_equal,
    wins_ties_losses,
)
from evalang.verdicts.arithmetic.tails import half_tail


def _pattern(values: Sequence[Any]) -> list[int]:
    """Dense ranks of the sizes, and which are zero: what every rank test reads."""
    sizes = [abs(v) for v in values]
    order = sorted(set(sizes))
    return [order.index(s) for s in sizes]


@given(st.integers(2, 20).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 300), min_size=n, max_size=n)] * 3)))
def test_ties_of_fractions_are_ties(lists: tuple[list[int], list[int], list[int]]) -> None:
    """k/n of any n: floats have exactly the ties and zeros of the fractions."""
    top, bottom, extra = lists
    n = 300 + extra[0]
    exact = [Fraction(x, n) - Fraction(y, n) for x, y in zip(top, bottom, strict=True)]
    d = differences(np.array(top) / n, np.array(bottom) / n)
    assert _pattern(exact) == _pattern([float(x) for x in d])
    assert wins_ties_losses(d) == (sum(x > 0 for x in exact), sum(x == 0 for x in exact), sum(x < 0 for x in exact))


def test_different_test_sizes_tie_too() -> None:
    d = differences(np.array([33 / 40, 15 / 40, 2 / 3, 7 / 8192]), np.array([31 / 40, 13 / 40, 2 / 3 - 0.05, 7 / 8192]))
    assert d[0] == d[1] == d[2]
    assert d[3] == 0.0


def test_small_real_differences_survive() -> None:
    a = np.array([0.900000, 0.900001, 0.900002])
    d = differences(a, np.full(3, 0.9))
    assert len(set(d.tolist())) == 3
    assert d[0] == 0.0


def test_tie_equal_works_by_row() -> None:
    table = np.array([[0.1 + 0.2, 0.3, 0.5], [0.7, 0.8, 0.1 + 0.7]])
    equal = tie_equal(table)
    assert equal[0, 0] == equal[0, 1]
    assert equal[1, 1] == equal[1, 2]
    assert equal[1, 0] != equal[1, 1]


@pytest.mark.parametrize(
    ("values", "ndim", "words"),
    [
        ([1.0, math.nan], 1, "missing score at unit 2"),
        ([1.0, -math.inf], 1, "infinite score at unit 2"),
        ([1.0, "high"], 1, "scores is not one number per unit"),
        ([[1.0, 2.0], [3.0]], 2, "scores is not a table of numbers"),
        ([[1.0, 2.0], [3.0, math.nan]], 2, "row 2, column 2"),
        ([[1.0, None], [3.0, 4.0]], 2, "row 1, column 2"),
        (3.0, 1, "0 axes where 1 are needed"),
        (object(), 1, "not one number per unit"),
    ],
)
def test_cells_are_named(values: object, ndim: int, words: str) -> None:
    with pytest.raises(TestError, match=words):
        numbers(values, "scores", ndim=ndim)


def test_shapes_and_counts() -> None:
    with pytest.raises(TestError, match="first has 2 units and second has 3 units"):
        pair([1, 2], [1, 2, 3])
    with pytest.raises(TestError, match="wilcoxon needs at least 6 datasets, and there are 4"):
        require_units(4, 6, "dataset", "wilcoxon")
    with pytest.raises(TestError, match=r"0\.5 at unit 1"):
        outcomes([0.5], "first")


@pytest.mark.parametrize("n", [1, 2, 7, 30, 199, 1000, 1001])
def test_the_sign_tail_is_the_exact_fraction(n: int) -> None:
    for k in {0, n // 3, n // 2, n}:
        exact = Fraction(sum(math.comb(n, i) for i in range(k + 1)), 2**n)
        assert abs(Fraction(half_tail(k, n)) - exact) <= exact * Fraction(4, 2**52 if n <= 1000 else 2**40)


def test_rows_of_different_length_are_refused_in_a_sentence() -> None:
    with pytest.raises(TestError):
        fold_differences([[0.1, 0.2], [0.3]], [[0.1, 0.2], [0.3]])
