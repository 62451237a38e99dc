"""McNemar's three forms against R, the papers, and full enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from evalang.errors import TestError
from evalang.verdicts.tests.mcnemar import mcnemar, mcnemar_counts, mcnemar_exact, mcnemar_midp
from tests.golden.load import Case, agrees, cases

MIRROR = {
    "two.sided": "two-sided",
    "greater": "less",
    "less": "greater",
}  # golden: n01 exceeds n10; ours: the first is better


@pytest.mark.parametrize("case", cases("mcnemar_chi2"))
def test_chi_squared_agrees_with_r(case: Case) -> None:
    cells = case["inputs"]
    found = mcnemar_counts(
        cells["n01"], cells["n10"], rows=sum(cells.values()), correction=case["options"]["correction"], exact_below=0
    )
    agrees(case, statistic=found.statistic, p_value=found.pvalue)


@pytest.mark.parametrize("case", cases("mcnemar_exact"))
def test_exact_agrees_with_r(case: Case) -> None:
    cells = case["inputs"]
    alternative = MIRROR[case["options"]["alternative"]]
    found = mcnemar_counts(cells["n01"], cells["n10"], form="mcnemar-exact", alternative=alternative)  # type: ignore[arg-type]
    agrees(case, p_value=found.pvalue)


@pytest.mark.parametrize("case", cases("mcnemar_midp"))
def test_midp_agrees_with_fagerland(case: Case) -> None:
    found = mcnemar_counts(case["inputs"]["n01"], case["inputs"]["n10"], form="mcnemar-midp")
    assert found.pvalue == pytest.approx(
        case["expected"]["p_value"], rel=case["rtol"]
    )  # the preferred value, not the accepted


PAPERS = [
    c
    for c in cases("paper_example")
    if "mcnemar" in c.values[0]["options"]["quantity"] or c.values[0]["options"]["quantity"] == "corrected_z_prime"
]


@pytest.mark.parametrize("case", PAPERS)
def test_papers(case: Case) -> None:
    cells, quantity = case["inputs"], case["options"]["quantity"]
    if quantity == "mcnemar_corrected":
        agrees(case, value=mcnemar_counts(cells["f"], cells["s"]).statistic)
    elif quantity == "mcnemar_exact_p":
        agrees(case, value=mcnemar_counts(cells["n01"], cells["n10"], form="mcnemar-exact").pvalue)
    else:
        found = mcnemar_counts(cells["n01"], cells["n10"], exact_below=0)
        assert found.statistic is not None
        value = {"p": found.pvalue, "e": found.statistic**0.5}.get(quantity[-1], found.statistic)
        agrees(case, value=value)


def test_exact_form_below_25_disagreements() -> None:
    few, many = mcnemar_counts(4, 20), mcnemar_counts(5, 20)
    assert few.method == "exact binomial: 24 disagreements are fewer than 25"
    assert few.pvalue == mcnemar_counts(4, 20, form="mcnemar-exact").pvalue
    assert many.method.startswith("chi-squared")
    assert many.df == (1.0,)


@pytest.mark.parametrize("n", range(1, 13))
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_exact_holds_its_level_by_enumeration(n: int, alternative: str) -> None:
    """Ties (agreements) take any share of the rows; given m disagreements all 2^m splits are equally likely."""
    for m in range(n + 1):
        attained: dict[float, Fraction] = {}
        for k in range(m + 1):
            a = np.array([True] * k + [False] * (m - k) + [True] * (n - m))
            b = np.array([False] * k + [True] * (m - k) + [True] * (n - m))
            p = mcnemar_exact(a, b, alternative=alternative).pvalue  # type: ignore[arg-type]
            assert p is not None
            attained[p] = attained.get(p, Fraction(0)) + Fraction(comb(m, k), 2**m)
        total = Fraction(0)
        for p in sorted(attained):
            total += attained[p]
            assert float(total) <= p * (1 + 1e-12), (n, m, p)


def test_exact_equals_the_rational_value() -> None:
    for n01, n10 in product(range(13), repeat=2):
        m = n01 + n10
        tail = sum(Fraction(comb(m, i), 2**m) for i in range(min(n01, n10) + 1))
        expected = pytest.approx(float(min(Fraction(1), 2 * tail)), rel=1e-14)
        assert mcnemar_counts(n01, n10, form="mcnemar-exact").pvalue == expected, (n01, n10)


def test_direction() -> None:
    a, b = [1] * 30 + [0] * 2, [0] * 30 + [1] * 2
    found = mcnemar(a, b)
    assert (found.wins, found.ties, found.losses, found.difference) == (30, 0, 2, 28 / 32)
    better, worse = mcnemar(a, b, alternative="greater").pvalue, mcnemar(a, b, alternative="less").pvalue
    assert better is not None
    assert worse is not None
    assert better < 0.001 < 0.999 < worse


def test_no_disagreement_is_p_one_with_a_note() -> None:
    for test in (mcnemar, mcnemar_exact, mcnemar_midp):
        found = test([1, 0, 1], [1, 0, 1])
        assert found.pvalue == 1.0
        assert found.difference == 0.0
        assert found.notes


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ([1, 0], [1], "2 units and second has 1"),
        ([1, 2], [1, 0], "first has 2 at unit 2"),
        ([1, float("nan")], [1, 0], "missing score at unit 2"),
        ([1, "x"], [1, 0], "'x' at unit 2"),
        ([], [], "at least 1 test row"),
    ],
)
def test_bad_input_is_named(a: list[object], b: list[object], words: str) -> None:
    with pytest.raises(TestError, match=words):
        mcnemar(a, b)


def test_counts_must_be_counts() -> None:
    with pytest.raises(TestError, match="n01 is -1"):
        mcnemar_counts(-1, 3)
    with pytest.raises(TestError, match="more than the 3 test rows"):
        mcnemar_counts(2, 3, rows=3)
