"""The distribution of the signed-rank sum against enumeration of the signs."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import accumulate, product

import numpy as np
import pytest

from evalang.verdicts.arithmetic.signed_ranks import counts_up_to, critical_sum, lower_tail


def test_counts_are_those_of_the_textbook() -> None:
    """n = 4: the sums 0 to 10 occur 1 1 1 2 2 2 2 2 1 1 1 times."""
    assert counts_up_to(np.arange(1, 5), 10).tolist() == [1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1]


def ways(n: int) -> list[int]:
    """How many of the 2^n choices of signs give each sum, by multiplying out (1 + x)(1 + x^2) ... (1 + x^n)."""
    found = [1]
    for rank in range(1, n + 1):
        longer = found + [0] * rank
        for place, count in enumerate(found):
            longer[place + rank] += count
        found = longer
    return found


def test_multiplying_out_is_enumeration() -> None:
    sums = Counter(sum(chosen) for chosen in product(*((0, rank) for rank in range(1, 11))))
    assert ways(10) == [sums[w] for w in range(56)]


@pytest.mark.parametrize("w", [-1, 0, 8, 27, 54, 55])
def test_lower_tail_is_that_of_the_enumeration(w: int) -> None:
    assert lower_tail(2 * np.arange(1, 11), 2 * w) == sum(ways(10)[: w + 1]) / 1024


@pytest.mark.parametrize("n", [6, 7, 8, 9, 10, 12, 15, 20, 25])
def test_the_critical_sum_is_the_last_whose_tail_is_within_the_level(n: int) -> None:
    tails = [Fraction(total, 2**n) for total in accumulate(ways(n))]
    expected = max(w for w, tail in enumerate(tails) if tail <= Fraction(1, 40))
    assert critical_sum(2 * np.arange(1, n + 1), 0.025) // 2 == expected


def test_five_units_have_no_critical_sum() -> None:
    assert critical_sum(2 * np.arange(1, 6), 0.025) == -1
