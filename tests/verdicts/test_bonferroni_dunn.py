"""The Bonferroni-Dunn test against the normal distribution and Demsar's worked example."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from evalang.errors import TestError
from evalang.verdicts.tests.bonferroni_dunn import bonferroni_dunn, bonferroni_dunn_difference


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
