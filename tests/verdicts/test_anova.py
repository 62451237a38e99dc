"""Repeated-measures ANOVA against R, the t-test, and numbers that break naive sums."""

from __future__ import annotations

import numpy as np
import pytest

from evalang.errors import TestError
from evalang.verdicts.tests.anova import anova
from evalang.verdicts.tests.paired_t import paired_t
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", cases("rm_anova"))
def test_golden(case: Case) -> None:
    result = anova(case["inputs"]["scores"])
    details = dict(result.details)
    agrees(
        case,
        F=result.statistic,
        df1=result.df[0],
        df2=result.df[1],
        p_value=result.pvalue,
        ss_algorithm=details["sum of squares, learners"],
        ss_error=details["sum of squares, error"],
        gg_epsilon=details["Greenhouse-Geisser epsilon"],
        p_gg=details["p, Greenhouse-Geisser"],
        partial_eta_sq=result.effect.value,
    )


def test_two_learners_are_the_squared_t() -> None:
    scores = np.random.default_rng(9).random((11, 2))
    t = paired_t(scores[:, 0], scores[:, 1])
    result = anova(scores)
    assert result.statistic == pytest.approx(t.statistic**2, rel=1e-10)
    assert result.pvalue == pytest.approx(t.pvalue, rel=1e-10)


def test_a_large_common_level_changes_nothing() -> None:
    """As NIST's SmLs07-09: thirteen leading digits in common. The increments are exact in binary."""
    scores = np.random.default_rng(1).integers(0, 64, size=(9, 4)) / 64.0
    assert anova(scores + 1e9).statistic == pytest.approx(anova(scores).statistic, rel=1e-10)


def test_equal_learners_have_p_one() -> None:
    column = np.random.default_rng(2).random((7, 1))
    result = anova(np.repeat(column, 3, axis=1))
    assert (result.pvalue, result.effect.value) == (1.0, 0.0)
    assert result.notes


def test_same_amount_on_every_dataset_is_refused() -> None:
    column = np.random.default_rng(2).random((7, 1))
    with pytest.raises(TestError, match="no variance"):
        anova(column + np.array([0.0, 0.1, 0.2]))


def test_unequal_variances_are_noted() -> None:
    rng = np.random.default_rng(3)
    scores = np.column_stack([rng.normal(0, s, 30) for s in (0.01, 0.01, 0.01, 5.0)])
    assert any("Greenhouse-Geisser" in note for note in anova(scores).notes)
