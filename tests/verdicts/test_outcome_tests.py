"""Tests of right and wrong rows against R, the papers and full enumeration."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from evalang.errors import TestError
from evalang.verdicts.apply import compute
from evalang.verdicts.arithmetic.tails import Sided
from evalang.verdicts.tests.outcome_tests import (
    binomial,
    cochran_q,
    corrected_proportions,
    mcnemar,
    mcnemar_exact,
    mcnemar_midp,
    tango_interval,
)


def test_exact_form_below_25_disagreements() -> None:
    few, many = mcnemar(4, 20), mcnemar(5, 20)
    assert few.method == "exact binomial: 24 disagreements are fewer than 25"
    assert few.pvalue == mcnemar_exact(4, 20).pvalue
    assert many.method.startswith("chi-squared")
    assert many.df == (1.0,)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_exact_holds_its_level_by_enumeration(alternative: Any) -> None:
    """Given m disagreements all 2^m splits are equally likely."""
    for m in range(13):
        attained: dict[float, Fraction] = {}
        for k in range(m + 1):
            p = mcnemar_exact(m - k, k, asked=Sided(alternative)).pvalue
            attained[p] = attained.get(p, Fraction(0)) + Fraction(comb(m, k), 2**m)
        total = Fraction(0)
        for p in sorted(attained):
            total += attained[p]
            assert float(total) <= p * (1 + 1e-12), (m, p)


def test_exact_equals_the_rational_value() -> None:
    for n01, n10 in product(range(13), repeat=2):
        m = n01 + n10
        tail = sum(Fraction(comb(m, i), 2**m) for i in range(min(n01, n10) + 1))
        expected = pytest.approx(float(min(Fraction(1), 2 * tail)), rel=1e-14)
        one, two = mcnemar_exact(n01, n10, rows=30), binomial(n01, n10, rows=30)
        assert one.pvalue == expected, (n01, n10)
        assert (two.pvalue, two.difference, two.interval) == (one.pvalue, one.difference, one.interval)


@pytest.mark.parametrize(("n01", "n10"), [(4, 9), (0, 7), (30, 12), (5, 5)])
def test_corrected_square_is_mcnemar_without_correction(n01: int, n10: int) -> None:
    found, chi = corrected_proportions(n01, n10, rows=60), mcnemar(n01, n10, correction=False, exact_below=0)
    assert found.statistic**2 == pytest.approx(chi.statistic, rel=1e-12)
    assert found.pvalue == pytest.approx(chi.pvalue, rel=1e-12)


def test_cells_are_not_swapped() -> None:
    """mlxtend #664, #988: the first learner right and the second wrong is a win of the first."""
    found = compute("mcnemar", first=[1, 1, 1, 0], second=[0, 0, 1, 1])
    assert dict(found.details) == {"n01": 1.0, "n10": 2.0}
    assert (found.wins, found.ties, found.losses, found.difference) == (2, 1, 1, 0.25)


def test_exact_with_millions_of_rows() -> None:
    """mlxtend #306: no overflow, agrees with R's pbinom."""
    assert mcnemar_exact(1_000_000, 1_003_000).pvalue == pytest.approx(0.0340883650794394, rel=1e-6)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mcnemar(-1, 3), "n01 is -1"),
        (lambda: mcnemar(2, 3, rows=3), "more than the 3 test rows"),
        (lambda: compute("mcnemar", first=[1, 2], second=[1, 0]), "first has 2 at unit 2"),
        (lambda: compute("mcnemar", first=[1, "x"], second=[1, 0]), "first is not one number per unit"),
        (lambda: compute("mcnemar", first=[], second=[]), "at least 1 test row"),
        (lambda: cochran_q([[1], [0]]), "two or more learners"),
        (lambda: cochran_q([[1, 0], [1]]), "not a table of numbers"),
        (lambda: cochran_q([[1, 3], [1, 0]]), "row 1, column 2"),
    ],
)
def test_bad_input_is_named(call: Any, words: str) -> None:
    with pytest.raises(TestError, match=words):
        call()


def test_tango_printed_values() -> None:
    """Fagerland, Lydersen and Laake 2014 (Statistics in Medicine 33), airway study: 21 children, -0.517 to -0.026."""
    found = tango_interval(7, 1, 21, Sided())
    assert (round(found.low, 3), round(found.high, 3)) == (-0.517, -0.026)
    assert mcnemar(7, 1, rows=21).interval == mcnemar_midp(7, 1, rows=21).interval == found


@pytest.mark.parametrize(("n01", "n10", "rows"), [(7, 1, 21), (16, 6, 161), (3, 40, 300), (5, 5, 12), (1, 0, 44)])
def test_tango_ends_are_where_a_searched_likelihood_puts_them(n01: int, n10: int, rows: int) -> None:
    found = tango_interval(n01, n10, rows, Sided())
    z = stats.norm.ppf(0.975)
    assert _score(n01, n10, rows, found.low) == pytest.approx(z, abs=1e-4)
    assert _score(n01, n10, rows, found.high) == pytest.approx(-z, abs=1e-4)


def _score(n01: int, n10: int, rows: int, difference: float) -> float:
    """The nuisance share by maximising the multinomial likelihood, not by its formula."""

    def unlikely(share: float) -> float:
        cells = (share + difference, share, 1 - 2 * share - difference)
        counts = (n10, n01, rows - n10 - n01)
        return -sum(n * math.log(max(p, 1e-300)) for n, p in zip(counts, cells, strict=True) if n)

    bounds = (max(0.0, -difference), (1 - difference) / 2)
    share = optimize.minimize_scalar(unlikely, bounds=bounds, method="bounded", options={"xatol": 1e-13}).x
    return float((n10 - n01 - rows * difference) / math.sqrt(rows * (2 * share + difference - difference**2)))


@pytest.mark.parametrize(("p10", "p01"), [(0.13, 0.005), (0.3, 0.01), (0.2, 0.2), (0.05, 0.0)])
def test_tango_covers_what_it_says(p10: float, p01: float) -> None:
    """Every table of 60 rows counted. An interval of the disagreements' split covers .55 and .60 in the first two."""
    rows, covered = 60, 0.0
    for n10 in range(rows + 1):
        for n01 in range(rows + 1 - n10):
            weight = float(stats.multinomial.pmf((n10, n01, rows - n10 - n01), rows, (p10, p01, 1 - p10 - p01)))
            if weight > 1e-9:
                found = tango_interval(n01, n10, rows, Sided())
                covered += weight * (found.low <= p10 - p01 <= found.high)
    assert 0.93 <= covered <= 0.995


def test_tango_goes_with_the_uncorrected_test() -> None:
    for n01, n10, side in product(range(0, 40, 3), range(0, 40, 3), ("two-sided", "greater", "less")):
        found = corrected_proportions(n01, n10, rows=100, asked=Sided(side))
        outside = found.interval.low > 0.0 or found.interval.high < 0.0
        assert outside == (found.pvalue < 0.05), (n01, n10, side)


def test_tango_mirrors_and_holds_the_estimate() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        rows = int(rng.integers(1, 200))
        n10, n01, _ = (int(n) for n in rng.multinomial(rows, rng.dirichlet((0.4, 0.4, 0.6))))
        found, turned = (tango_interval(*c, rows, Sided(level=0.9)) for c in ((n01, n10), (n10, n01)))
        assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low), abs=1e-9)
        assert -1.0 <= found.low <= (n10 - n01) / rows <= found.high <= 1.0
        assert found.low < found.high


def test_cochran_ranks() -> None:
    table = np.random.default_rng(1).random((50, 4)) < [0.6, 0.7, 0.8, 0.9]
    assert np.argmin(cochran_q(table).ranks) == 3
    assert cochran_q(np.ones((20, 4), dtype=bool)).ranks == (2.5,) * 4
