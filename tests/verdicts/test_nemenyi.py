"""Nemenyi's test against R, its far tails against a 50-digit value, and its bookkeeping."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special

from evalang.verdicts.arithmetic.studentized_range import range_quantile
from evalang.verdicts.tests.nemenyi import critical_difference, nemenyi, nemenyi_pvalues
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", cases("nemenyi_posthoc"))
def test_golden_pvalues(case: Case) -> None:
    scores, higher = case["inputs"]["scores"], case["inputs"]["higher_is_better"]
    result = nemenyi(scores, higher_is_better=higher)
    k, n = len(scores[0]), len(scores)
    table = np.ones((k, k))
    for (i, j), each in zip(result.pairs, result.results, strict=True):
        table[i, j] = table[j, i] = each.pvalue
    agrees(
        case,
        p_values=table.tolist(),
        cd_05=result.critical_difference,
        cd_10=nemenyi(scores, level=0.9).critical_difference,
    )
    assert nemenyi_pvalues(result.ranks, n) == pytest.approx(table)


@pytest.mark.parametrize("case", cases("nemenyi_cd"))
def test_golden_critical_difference(case: Case) -> None:
    agrees(case, cd=critical_difference(case["inputs"]["k"], case["inputs"]["N"], case["options"]["alpha"]))


@pytest.mark.parametrize("case", cases("nemenyi_q"))
def test_golden_quantiles(case: Case) -> None:
    k = case["inputs"]["k"]
    got = {
        f"q_{name}": range_quantile(alpha, k) / math.sqrt(2)
        for name, alpha in (("05", 0.05), ("10", 0.1), ("01", 0.01))
    }
    got |= {
        f"bonferroni_dunn_q_{name}": -float(special.ndtri(alpha / (2 * (k - 1))))
        for name, alpha in (("05", 0.05), ("10", 0.1))
    }
    agrees(case, **got)


def test_far_tail() -> None:
    """P(range of 10 normals > 15) is 1.2495e-24 (mpmath); R's ptukey gives 9.5e-14 and scipy 1.1e-16."""
    ranks = np.array([1.0, 10.0, *[5.5] * 8])
    n = (15.0 / 9.0) ** 2 / 2.0 * 10 * 11 / 6.0  # the N at which a gap of 9 ranks is q = 15
    assert nemenyi_pvalues(ranks, n)[0, 1] == pytest.approx(1.2495e-24, rel=1e-4)


def test_two_learners_are_the_normal_test() -> None:
    ranks, n = [1.2, 1.8], 20
    z = 0.6 / math.sqrt(2 * 3 / (6 * n))
    assert nemenyi_pvalues(ranks, n)[0, 1] == pytest.approx(2 * float(special.ndtr(-z)), rel=1e-10)


def test_wins_difference_and_direction() -> None:
    scores = np.array([[0.9, 0.8, 0.8], [0.7, 0.6, 0.7], [0.5, 0.9, 0.1]])
    result = nemenyi(scores)
    first = result.results[result.pairs.index((0, 1))]
    assert (first.wins, first.ties, first.losses) == (2, 0, 1)
    assert first.difference == pytest.approx(float((scores[:, 0] - scores[:, 1]).mean()))
    as_loss = nemenyi(-scores, higher_is_better=False)
    again = as_loss.results[as_loss.pairs.index((0, 1))]
    assert (again.wins, again.losses) == (1, 2)
    assert again.pvalue == first.pvalue
    assert as_loss.ranks == result.ranks


def test_rejects_exactly_beyond_the_critical_difference() -> None:
    rng = np.random.default_rng(2)
    scores = rng.random((40, 6)) + np.linspace(0, 0.5, 6)
    result = nemenyi(scores)
    for each in result.results:
        assert (each.pvalue <= 0.05) == (abs(each.effect.value) >= result.critical_difference)


def test_duplicated_learner_has_p_one() -> None:
    scores = np.random.default_rng(4).random((10, 3))
    result = nemenyi(np.column_stack([scores, scores[:, 0]]))
    assert result.results[result.pairs.index((0, 3))].pvalue == 1.0
