"""Friedman and Iman-Davenport against R, Demsar's printed example and whole-number arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from evalang.errors import TestError
from evalang.verdicts.tests.friedman import friedman, iman_davenport
from evalang.verdicts.tests.sign import sign
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", cases("friedman"))
def test_golden(case: Case) -> None:
    scores, higher = case["inputs"]["scores"], case["inputs"]["higher_is_better"]
    corrected, plain = (friedman(scores, higher_is_better=higher, tie_correction=c) for c in (True, False))
    f = iman_davenport(scores, higher_is_better=higher)
    f_plain = iman_davenport(scores, higher_is_better=higher, tie_correction=False)
    got = {
        "avg_ranks": list(corrected.ranks),
        "chi2": corrected.statistic,
        "p_value": corrected.pvalue,
        "df": corrected.df[0],
        "chi2_no_tie_correction": plain.statistic,
        "p_no_tie_correction": plain.pvalue,
        "iman_davenport_F": f.statistic,
        "iman_davenport_p": f.pvalue,
        "iman_davenport_F_no_tie_correction": f_plain.statistic,
        "iman_davenport_p_no_tie_correction": f_plain.pvalue,
        "df1": f.df[0],
        "df2": f.df[1],
        "kendalls_w": corrected.effect.value,
    }
    agrees(case, **{key: value for key, value in got.items() if key in case["expected"]})
    assert dict(corrected.details)["chi-squared without tie correction"] == plain.statistic


def test_perfect_concordance_has_the_exact_p() -> None:
    """Five datasets that all order three learners alike: one chance in 6^4, not 0 and not an error."""
    result = iman_davenport([[61, 71, 81], [62, 72, 82], [63, 73, 83], [64, 74, 84], [65, 75, 85]])
    assert result.statistic is None
    assert result.notes
    assert result.pvalue == pytest.approx(1 / 6**4, rel=1e-12)
    with_tie = iman_davenport([[1, 2, 2], [3, 4, 4], [0, 9, 9]])
    assert with_tie.pvalue == pytest.approx(1 / 3**2, rel=1e-12)


def test_all_tied_is_one_with_a_note() -> None:
    """scipy's friedmanchisquare gives NaN here."""
    for test in (friedman, iman_davenport):
        result = test(np.full((5, 4), 70.0))
        assert (result.pvalue, result.statistic) == (1.0, 0.0)
        assert result.notes


def test_two_learners_without_ties_follow_the_sign_test() -> None:
    """chi-squared = (wins - losses)^2 / N."""
    scores = np.array([[1, 2], [3, 1], [5, 2], [7, 3], [2, 1]])
    signs = sign(scores[:, 0], scores[:, 1])
    assert friedman(scores).statistic == pytest.approx((signs.wins - signs.losses) ** 2 / 5)


def whole_number_chi2(counts: np.ndarray) -> Fraction:
    """Tie-corrected chi-squared from integer counts, in rational numbers."""
    n, k = counts.shape
    sums, ties = [Fraction(0)] * k, 0
    for row in counts.tolist():
        for j, x in enumerate(row):
            sums[j] += Fraction(2 * sum(y > x for y in row) + row.count(x) + 1, 2)
        ties += sum(row.count(x) ** 3 - row.count(x) for x in set(row))
    between = sum((s - Fraction(n * (k + 1), 2)) ** 2 for s in sums)
    scale = Fraction(n * k * (k + 1)) - Fraction(ties, k - 1)
    return Fraction(0) if scale == 0 else 12 * between / scale


@pytest.mark.parametrize("tables", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_tables_of_accuracies_have_no_wrong_tie(tables: int) -> None:
    """Means of shuffled fold accuracies differ in the last bit; the ranks may not. No table is wrong."""
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(tables):
        n = int(rng.choice([7, 30, 40, 150, 1000]))
        counts = rng.integers(n // 2, n + 1, size=(4, 3, 5))  # dataset, learner, fold
        counts[:, 1] = np.where(rng.random((4, 1)) < 0.5, counts[:, 0], counts[:, 1])[:, rng.permutation(5)]
        means = (counts / n).sum(axis=2) / 5
        wrong += friedman(means).statistic != pytest.approx(float(whole_number_chi2(counts.sum(axis=2))), rel=1e-12)
    assert wrong == 0


TABLES = hnp.arrays(np.int64, st.tuples(st.integers(2, 8), st.integers(2, 6)), elements=st.integers(0, 12))


@settings(deadline=None)
@given(TABLES)
def test_metamorphic(table: np.ndarray) -> None:
    base = friedman(table)
    assert 0.0 <= base.pvalue <= 1.0
    assert sum(base.ranks) == pytest.approx(table.shape[1] * (table.shape[1] + 1) / 2)
    monotone = friedman(np.exp(table / 3.0))
    assert (monotone.pvalue, monotone.ranks) == (base.pvalue, base.ranks)
    assert friedman(table[::-1]).pvalue == base.pvalue
    shuffled = friedman(table[:, ::-1])
    assert shuffled.pvalue == base.pvalue
    assert shuffled.ranks == base.ranks[::-1]
    as_loss = friedman(-table, higher_is_better=False)
    assert (as_loss.pvalue, as_loss.ranks) == (base.pvalue, base.ranks)
    assert 0.0 < iman_davenport(table).pvalue <= 1.0


def test_demsar_table_6() -> None:
    """Demsar 2006, 3.2.2 prints ranks 3.143 2.000 2.893 1.964, chi2 9.28, F 3.69: as if C4.5+cf led on `voting`."""
    auc = [
        [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.97501, 0.975], [0.957, 0.978, 0.946, 0.970],
    ]  # fmt: skip
    result = friedman(auc, tie_correction=False)
    assert result.ranks == pytest.approx((3.143, 2.000, 2.893, 1.964), abs=5e-4)
    assert result.statistic == pytest.approx(9.28, abs=5e-3)
    assert iman_davenport(auc, tie_correction=False).statistic == pytest.approx(3.69, abs=5e-3)


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([[1, 2, 3]], "at least 2 datasets"),
        ([[1], [2]], "at least 2 learners"),
        ([], "axes"),
        ([[1, 2], [3, math.nan]], "row 2, column 2"),
        ([[1, 2], [math.inf, 2]], "row 2, column 1"),
        ([[1, 2], [3]], "row 2 has 1 numbers"),
        ([[1, "x"], [3, 4]], "'x' at row 1, column 2"),
    ],
)
def test_bad_tables_name_the_cell(scores: object, words: str) -> None:
    for test in (friedman, iman_davenport):
        with pytest.raises(TestError, match=words):
            test(scores)
