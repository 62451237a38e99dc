"""quasi-f against R's mean squares."""

from __future__ import annotations

import numpy as np
import pytest

from evalang.errors import TestError
from evalang.verdicts.tests.training_tests import quasi_f, quasi_f_components
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", cases("quasi_f"))
def test_agrees_with_r(case: Case) -> None:
    found = quasi_f_components(case["inputs"]["loss"])
    assert found is not None
    assert found.df_prime is not None
    agrees(case, ms_A=found.ms_a, ms_AT=found.ms_at, ms_AE=found.ms_ae, ms_ATE=found.ms_ate)
    agrees(
        case, F_double_prime=found.f_double, p_double_prime=found.p_double, F_prime=found.f_prime, p_prime=found.p_prime
    )
    agrees(case, df1_double_prime=found.df_double[0], df2_double_prime=found.df_double[1])
    agrees(case, df1_prime=found.df_prime[0], df2_prime=found.df_prime[1])


@pytest.mark.parametrize("case", [c for c in cases("quasi_f") if len(c.values[0]["inputs"]["loss"]) == 2])
def test_two_learners(case: Case) -> None:
    a, b = (np.array(x) for x in case["inputs"]["loss"])
    found = quasi_f(a, b)
    agrees(case, F_double_prime=found.statistic, p_double_prime=found.pvalue, p_prime=dict(found.details)["p_prime"])
    assert found.difference == pytest.approx((a - b).mean(), rel=1e-9)
    assert found.interval is not None
    for end in (found.interval.low, found.interval.high):
        assert quasi_f(a, b + end).pvalue == pytest.approx(0.05, abs=1e-6)


def test_degenerate_is_p_one_with_a_note() -> None:
    x = np.arange(12.0).reshape(3, 4)
    same, shifted = quasi_f(x, x), quasi_f(x, x + 1.0)
    assert same.pvalue == shifted.pvalue == 1.0
    assert same.notes
    assert "nothing to divide by" in shifted.notes[0]


def test_too_few() -> None:
    with pytest.raises(TestError, match="at least 2 training sets and 2 test rows, and there are 1 and 3"):
        quasi_f([[1, 2, 3]], [[1, 2, 4]])
