"""Tests of many learners over datasets against R, Demsar's printed examples and whole-number arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import special, stats

from evalang.errors import TestError
from evalang.verdicts.tests import rank_tests as ranks
from evalang.verdicts.tests.rank_tests import (
    anova,
    bonferroni_dunn,
    bonferroni_dunn_difference,
    doubled_ranks,
    friedman,
    iman_davenport,
    nemenyi,
    nemenyi_pvalues,
    range_sf,
)

TABLES = hnp.arrays(np.int64, st.tuples(st.integers(1, 6), st.integers(1, 9)), elements=st.integers(-4, 4))


@given(TABLES, st.booleans())
def test_twice_the_average_ranks_of_scipy(table: np.ndarray, descending: bool) -> None:
    found, ties = doubled_ranks(table.astype(float), descending=descending)
    assert (found == 2 * stats.rankdata(-table if descending else table, axis=1)).all()
    counts = [int(c) for row in table for c in np.unique(row, return_counts=True)[1]]
    assert ties == sum(c**3 - c for c in counts)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.random.default_rng(0).integers(0, 9, (50, 7)).astype(float)
    whole = doubled_ranks(table)
    monkeypatch.setattr(ranks, "BLOCK", 20)
    again = doubled_ranks(table)
    assert (again[0] == whole[0]).all()
    assert again[1] == whole[1]


def test_perfect_concordance_has_the_exact_p() -> None:
    """Five datasets that all order three learners alike: one chance in 6^4, not 0 and not an error."""
    result = iman_davenport([[61, 71, 81], [62, 72, 82], [63, 73, 83], [64, 74, 84], [65, 75, 85]])
    assert result.statistic is None
    assert result.notes
    assert result.pvalue == pytest.approx(1 / 6**4, rel=1e-12)
    with_tie = iman_davenport([[1, 2, 2], [3, 4, 4], [0, 9, 9]])
    assert with_tie.pvalue == pytest.approx(1 / 3**2, rel=1e-12)


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


@pytest.mark.parametrize("tables", [300, pytest.param(10_000, marks=pytest.mark.slow)])
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


@pytest.mark.parametrize("k", [2, 3, 10, 100])
def test_range_agrees_with_scipy_where_scipy_has_digits(k: int) -> None:
    q = np.linspace(0.1, 6.0, 12)
    assert range_sf(q, k) == pytest.approx(stats.studentized_range.sf(q, k, np.inf), abs=1e-12, rel=1e-9)


@pytest.mark.parametrize("k", [2, 10, 1000])
def test_the_grid_of_the_range_agrees_with_single_values(k: int) -> None:
    q = np.linspace(0.01, 45.0, 3001)
    some = np.arange(0, 3001, 100)
    assert range_sf(q, k)[some] == pytest.approx(range_sf(q[some], k), rel=1e-6)


def test_range_is_monotone_and_within_bounds() -> None:
    p = range_sf(np.linspace(0.0, 100.0, 2000), 7)
    assert p[0] == 1.0
    assert (np.diff(p) <= 0).all()
    assert (p > 0).all()


def test_far_tail() -> None:
    """P(range of 10 normals > 15) is 1.2495e-24 (mpmath); R's ptukey gives 9.5e-14 and scipy 1.1e-16."""
    ranks = np.array([1.0, 10.0, *[5.5] * 8])
    n = (15.0 / 9.0) ** 2 / 2.0 * 10 * 11 / 6.0  # the N at which a gap of 9 ranks is q = 15
    assert nemenyi_pvalues(ranks, n)[0, 1] == pytest.approx(1.2495e-24, rel=1e-4)


def test_wins_difference_and_direction() -> None:
    scores = np.array([[0.9, 0.8, 0.8], [0.7, 0.6, 0.7], [0.5, 0.9, 0.1]])
    result = nemenyi(scores)
    assert [one.ranks for one in result.results] == [(result.ranks[i], result.ranks[j]) for i, j in result.pairs]
    first = result.results[result.pairs.index((0, 1))]
    assert (first.wins, first.ties, first.losses) == (2, 0, 1)
    assert first.difference == pytest.approx(float((scores[:, 0] - scores[:, 1]).mean()))


def test_duplicated_learner_has_p_one() -> None:
    scores = np.random.default_rng(4).random((10, 3))
    result = nemenyi(np.column_stack([scores, scores[:, 0]]))
    assert result.results[result.pairs.index((0, 3))].pvalue == 1.0


def test_demsar_critical_difference() -> None:
    """Demsar 2006, 3.2.4: four learners, 14 datasets, 0.10: q 2.128, critical difference 1.04."""
    assert bonferroni_dunn_difference(4, 14, 0.10) == pytest.approx(2.128 * np.sqrt(4 * 5 / (6 * 14)), abs=5e-4)
    assert bonferroni_dunn_difference(4, 14, 0.10) == pytest.approx(1.04, abs=5e-3)


def test_pvalues_are_the_normal_ones_times_the_comparisons() -> None:
    scores = np.random.default_rng(8).random((12, 5)) + np.linspace(0, 0.4, 5)
    result = bonferroni_dunn(scores, control=2)
    assert result.pairs == ((2, 0), (2, 1), (2, 3), (2, 4))
    assert result.adjusted
    for (_, j), each in zip(result.pairs, result.results, strict=True):
        z = (result.ranks[2] - result.ranks[j]) / np.sqrt(5 * 6 / (6 * 12))
        assert each.pvalue == pytest.approx(min(1.0, 4 * 2 * special.ndtr(-abs(z))), rel=1e-12)
        assert (each.pvalue <= 0.05) == (abs(each.effect.value) >= result.critical_difference)


def test_control_must_exist() -> None:
    with pytest.raises(TestError, match="no learner 3"):
        bonferroni_dunn([[1, 2, 3], [2, 3, 1]], control=3)


def test_a_large_common_level_changes_nothing() -> None:
    """As NIST's SmLs07-09: thirteen leading digits in common. The increments are exact in binary."""
    scores = np.random.default_rng(1).integers(0, 64, size=(9, 4)) / 64.0
    assert anova(scores + 1e9).statistic == pytest.approx(anova(scores).statistic, rel=1e-10)


def test_same_amount_on_every_dataset_is_refused() -> None:
    column = np.random.default_rng(2).random((7, 1))
    with pytest.raises(TestError, match="variance is 0"):
        anova(column + np.array([0.0, 0.1, 0.2]))


def test_unequal_variances_are_noted() -> None:
    rng = np.random.default_rng(3)
    scores = np.column_stack([rng.normal(0, s, 30) for s in (0.01, 0.01, 0.01, 5.0)])
    assert any("Greenhouse-Geisser" in note for note in anova(scores).notes)
