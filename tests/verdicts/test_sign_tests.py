"""The sign test and Wilcoxon's signed-rank test by enumeration, in whole numbers, and against their intervals."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalang.errors import TestError
from evalang.verdicts.apply import compute
from evalang.verdicts.arithmetic.tails import Sided
from evalang.verdicts.tests import sign_tests as signed_ranks
from evalang.verdicts.tests.sign_tests import critical_sum, sign, superiority, wilcoxon


@pytest.mark.parametrize("n", range(1, 13))
@pytest.mark.parametrize("ties", [0, 1, 3])
def test_sign_holds_its_level_by_full_enumeration(n: int, ties: int) -> None:
    for alternative in ("two-sided", "less", "greater"):
        weights: dict[float, int] = {}
        for wins in range(n + 1):
            d = [1] * wins + [-1] * (n - wins) + [0] * ties
            p = sign(d, [0] * len(d), asked=Sided(alternative)).pvalue
            weights[p] = weights.get(p, 0) + math.comb(n, wins)
        reached = 0
        for p in sorted(weights):
            reached += weights[p]
            assert reached / 2**n <= p * (1 + 1e-12)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=20))
def test_one_more_win_never_raises_the_one_sided_p(d: list[int]) -> None:
    before = sign(d, [0] * len(d), asked=Sided("greater")).pvalue
    after = sign([*d, 1], [0] * (len(d) + 1), asked=Sided("greater")).pvalue
    assert after <= before * (1 + 1e-12)


def ways(n: int) -> list[int]:
    """How many of the 2^n choices of signs give each sum, by multiplying out (1 + x)(1 + x^2) ... (1 + x^n)."""
    found = [1]
    for rank in range(1, n + 1):
        longer = found + [0] * rank
        for place, count in enumerate(found):
            longer[place + rank] += count
        found = longer
    return found


@pytest.mark.parametrize("n", [6, 7, 8, 9, 10, 12, 15, 20, 25])
def test_the_critical_sum_is_the_last_whose_tail_is_within_the_level(n: int) -> None:
    tails = [Fraction(total, 2**n) for total in accumulate(ways(n))]
    expected = max(w for w, tail in enumerate(tails) if tail <= Fraction(1, 40))
    assert critical_sum(2 * np.arange(1, n + 1), 0.025) // 2 == expected


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=20), st.data())
def test_counting_equals_listing(values: list[int], data: st.DataObject) -> None:
    ordered = np.sort(np.array(values, dtype=float))
    pairs = sorted((ordered[i] + ordered[j]) / 2 for i in range(len(values)) for j in range(i, len(values)))
    low, high = sorted(data.draw(st.tuples(*2 * [st.integers(1, len(pairs))])))
    assert signed_ranks.walsh_averages(ordered, low, high) == (pairs[low - 1], pairs[high - 1])


@pytest.mark.parametrize("values", [[0.0] * 80 + [1.0] * 40, [-1.0] * 3 + [0.0] * 200, list(range(120))])
def test_counting_equals_listing_where_many_averages_are_equal(values: list[float]) -> None:
    ordered = np.array(values, dtype=float)
    pairs = np.sort([(a + b) / 2 for place, a in enumerate(values) for b in values[place:]])
    for low, high in ((1, len(pairs)), (2, 5), (len(pairs) // 40, len(pairs) // 2)):
        assert signed_ranks.walsh_averages(ordered, low, high) == (pairs[low - 1], pairs[high - 1])


ZEROS = {"wilcox": "drop", "pratt": "pratt", "zsplit_demsar": "demsar-split"}


def by_enumeration(d: list[int], alternative: str, zero_method: str) -> Fraction:
    """The exact p from all sign assignments, in rational numbers: midranks of the sizes, with or without zeros."""
    used = [x for x in d if x]
    if zero_method == "demsar-split" and (len(d) - len(used)) % 2:  # he ignores one of an odd number of zeros
        d = used + [0] * (len(d) - len(used) - 1)
    sizes = sorted(abs(x) for x in (used if zero_method == "drop" else d))
    rank = {s: Fraction(2 * sizes.index(s) + sizes.count(s) + 1, 2) for s in set(sizes)}
    ranks = [rank[abs(x)] for x in used]
    observed = sum((r for r, x in zip(ranks, used, strict=True) if x > 0), Fraction(0))
    sums = [
        sum((r for r, s in zip(ranks, signs, strict=True) if s), Fraction(0))
        for signs in itertools.product((0, 1), repeat=len(used))
    ]
    lower = Fraction(sum(s <= observed for s in sums), len(sums))
    upper = Fraction(sum(s >= observed for s in sums), len(sums))
    return {"less": lower, "greater": upper, "two-sided": min(Fraction(1), 2 * min(lower, upper))}[alternative]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-4, 4), min_size=1, max_size=10),
    st.sampled_from(["two-sided", "less", "greater"]),
    st.sampled_from(["drop", "pratt", "demsar-split"]),
)
def test_equals_the_enumeration_with_ties_and_zeros(d: list[int], alternative: str, zeros: str) -> None:
    result = wilcoxon(d, [0] * len(d), asked=Sided(alternative), zero_method=zeros)
    assert result.pvalue == float(by_enumeration(d, alternative, zeros))


ODD = (0.01, 0.01, -0.02, 0.07, 0.0, 0.08, 0.01, 0.07, 0.05)


@pytest.mark.parametrize(
    ("zeros", "p"),
    [("demsar-split", 0.0625), ("pratt", 0.0390625)],
)
def test_an_odd_zero(zeros: str, p: float) -> None:
    """Demsar leaves it out, Pratt ranks it; the interval holds 0 where p is above .05, and ends there otherwise."""
    result = wilcoxon(ODD, [0.0] * 9, zero_method=zeros)
    assert (result.pvalue, dict(result.details)["n used"], result.dropped) == (p, 8, 1)
    assert (result.interval.low < 0 < result.interval.high) == (p > 0.05)
    assert (result.wins, result.ties, result.losses) == (7, 1, 1)


def test_the_default_is_demsars_rule() -> None:
    assert wilcoxon(ODD, [0.0] * 9) == wilcoxon(ODD, [0.0] * 9, zero_method="demsar-split")
    assert "an odd zero left out (Demsar)" in wilcoxon(ODD, [0.0] * 9).method
    three = (*ODD, 0.0, 0.0)
    result = wilcoxon(three, [0.0] * 11)
    assert result.pvalue == wilcoxon((*ODD, 0.0), [0.0] * 10, zero_method="pratt").pvalue  # two of them are ranked
    # Two zeros have the ranks 1 and 2, half of 3 for each side; .02 is the fourth of the others: 4 + 2.
    assert (result.statistic, dict(result.details)["W-"]) == (55 - 7.5, 7.5)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.integers(-3, 12), min_size=5, max_size=14),
    st.sampled_from(["two-sided", "less", "greater"]),
    st.sampled_from([0.8, 0.9, 0.95, 0.99]),
)
def test_zero_is_never_strictly_inside_where_p_rejects(d: list[int], alternative: str, level: float) -> None:
    """Rounded scores: with zeros dropped by the test and kept by the interval this failed in most tables."""
    result = wilcoxon([x / 100 for x in d], [0.0] * len(d), asked=Sided(alternative, level))
    if result.pvalue <= 1 - level:
        assert not result.interval.low < 0 < result.interval.high
        assert result.interval.low <= result.difference <= result.interval.high


SIZES: tuple[tuple[int, ...], ...] = (
    (1,), (1, 2), (1, 1, 2), (1, 2, 3, 4, 5), (1, 1, 1, 2, 2, 3), (0, 0, 1, 2, 2, 5, 6), (1,) * 8,
    (0, 1, 1, 2, 3, 3, 4, 5, 5, 9),
)  # fmt: skip
LONGEST = tuple(range(1, 10))
LONGER = [pytest.param(tuple(range(1, last)), "drop", marks=pytest.mark.slow) for last in (11, 13)]


@pytest.mark.parametrize(
    ("sizes", "zero_method"),
    # without zeros the three conventions are one
    [*((s, z) for s in (*SIZES, LONGEST) for z in (ZEROS.values() if 0 in s else ["drop"])), *LONGER],
    ids=str,
)
def test_holds_its_level_by_full_enumeration(sizes: tuple[int, ...], zero_method: str) -> None:
    """P(p <= a) <= a for every attainable a, over all signs of the non-zero sizes."""
    zeros = [s for s in sizes if s == 0]
    nonzero = [s for s in sizes if s]
    for alternative in ("two-sided", "less", "greater"):
        pvalues = sorted(
            wilcoxon(
                [s * x for s, x in zip(signs, nonzero, strict=True)] + zeros,
                [0] * len(sizes),
                asked=Sided(alternative),
                zero_method=zero_method,
            ).pvalue
            for signs in itertools.product((-1, 1), repeat=len(nonzero))
        )
        for i, p in enumerate(pvalues):
            last = i + 1 == len(pvalues) or pvalues[i + 1] > p
            assert not last or (i + 1) / len(pvalues) <= p * (1 + 1e-12)


@pytest.mark.parametrize("tables", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_tables_of_accuracies_have_no_wrong_tie(tables: int) -> None:
    """k/n accuracies: the p of the floats is the p of the integer counts in all of the tables."""
    rng = np.random.default_rng(20)
    wrong = 0
    for _ in range(tables):
        n = int(rng.choice([7, 30, 40, 150, 690, 1000]))
        a, b = rng.integers(n // 2, n + 1, size=(2, 12))
        truth = wilcoxon(a, b)
        floats = wilcoxon(a / n, b / n)
        wrong += truth.pvalue != floats.pvalue or truth.statistic != floats.statistic
    assert wrong == 0


def test_far_tail_is_not_zero() -> None:
    """scipy #26026: n = 54 to 60 all positive gave p = 0.0; the truth is 2 / 2^n."""
    for n in (53, 54, 60, 100, 200):
        assert wilcoxon(range(1, n + 1), [0] * n).pvalue == math.ldexp(1.0, 1 - n)


def test_above_two_hundred_units_it_says_normal() -> None:
    rng = np.random.default_rng(1)
    d = rng.normal(0.05, 1.0, 201)
    result = wilcoxon(d, np.zeros(201))
    assert result.method.startswith("normal approximation: 201")
    assert result.pvalue == pytest.approx(wilcoxon(d, np.zeros(201), method="exact").pvalue, abs=1e-3)


@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
def test_the_normal_form_is_scipys_with_and_without_continuity(side: str) -> None:
    for seed, correction in itertools.product(range(4), (True, False)):
        d = np.random.default_rng(seed).normal(0.1, 1.0, 30)
        ours = wilcoxon(d, np.zeros(30), asked=Sided(side), method="normal", correction=correction).pvalue
        theirs = stats.wilcoxon(d, alternative=side, method="asymptotic", correction=correction).pvalue
        assert ours == pytest.approx(theirs, rel=1e-9)


def test_the_interval_is_made_of_walsh_averages() -> None:
    """Nine differences without a tie: p by all 512 signs, the interval by counting in from both ends."""
    d = [0.95, -0.15, 1.02, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01]
    ranks = {size: rank for rank, size in enumerate(sorted(map(abs, d)), start=1)}
    plus = sum(ranks[abs(x)] for x in d if x > 0)
    sums = [sum(chosen) for chosen in itertools.product(*((0, rank) for rank in range(1, 10)))]
    result = wilcoxon(d, [0.0] * 9, asked=Sided("greater"))
    assert result.statistic == plus
    assert result.pvalue == sum(s >= plus for s in sums) / 512
    walsh = sorted((a + b) / 2 for i, a in enumerate(d) for b in d[i:])
    outside = max(w for w in range(46) if sum(s <= w for s in sums) <= 0.025 * 512)
    two = wilcoxon(d, [0.0] * 9)
    assert two.difference == pytest.approx(walsh[22], abs=1e-12)  # the middle one of 45
    assert (two.interval.low, two.interval.high) == pytest.approx((walsh[outside], walsh[44 - outside]), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-10_000, 10_000).filter(bool), min_size=6, max_size=30, unique_by=abs))
def test_interval_excludes_zero_exactly_when_p_is_below(d: list[int]) -> None:
    result = wilcoxon(d, [0] * len(d), asked=Sided(level=0.95))
    # A Walsh average that is 0 puts the boundary itself at stake; the test statistic has no such average without ties.
    assert (result.interval.low > 0 or result.interval.high < 0) == (result.pvalue <= 0.05)


def test_large_samples_count_walsh_averages() -> None:
    d = np.random.default_rng(3).normal(0.3, 1.0, 1200)
    i, j = np.triu_indices(1200)
    assert wilcoxon(d, np.zeros(1200)).difference == pytest.approx(float(np.median((d[i] + d[j]) / 2)), rel=1e-12)


@pytest.mark.parametrize(
    "options", [{"zero_method": "zsplit"}, {"method": "approx"}, {"alternative": "both"}, {"level": 95}]
)
def test_unknown_options_name_the_choices(options: dict[str, object]) -> None:
    with pytest.raises(TestError):
        compute("wilcoxon", first=[1, 2], second=[2, 1], **options)
    with pytest.raises(TestError, match="zero method"):
        sign([1], [0], zero_method="pratt")


def test_a_tie_is_half_a_win() -> None:
    assert superiority(3, 2, 5).value == 0.4
