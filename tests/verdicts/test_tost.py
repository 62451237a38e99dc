"""tost against R, and with the standard error of every scheme."""

from __future__ import annotations

import numpy as np
import pytest

from evalang.errors import TestError
from evalang.verdicts.arithmetic.tails import t_pvalue
from evalang.verdicts.tests.partition_tests import averaged_t, five_by_two_t
from evalang.verdicts.tests.t_tests import corrected_t
from evalang.verdicts.tests.tost import tost
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", cases("tost_paired"))
def test_agrees_with_r(case: Case) -> None:
    given, alpha = case["inputs"], case["options"]["alpha"]
    d = given["differences"]
    assert given["low"] == -given["high"]
    if case["behavior"] != "value":
        with pytest.raises(TestError, match="no variance"):
            tost(d, [0.0] * len(d), margin=given["high"])
        return
    found = tost(d, [0.0] * len(d), margin=given["high"], level=1 - alpha)
    details = dict(found.details)
    assert found.interval is not None
    assert found.pvalue is not None
    agrees(case, p_value=found.pvalue, ci_lower=found.interval.low, ci_upper=found.interval.high)
    agrees(case, **{key: details[key] for key in ("t_lower", "p_lower", "t_upper", "p_upper")})
    assert (found.pvalue <= alpha) == case["expected"]["equivalent"]


def test_no_worse_is_one_side() -> None:
    d, zeros = [0.01, -0.004, 0.02, 0.03, -0.01], [0.0] * 5
    both = dict(tost(d, zeros, margin=0.02).details)
    assert tost(d, zeros, margin=0.02, alternative="greater").pvalue == both["p_lower"]
    assert tost(d, zeros, margin=0.02, alternative="less").pvalue == both["p_upper"]


def test_takes_the_standard_error_of_the_scheme() -> None:
    rng = np.random.default_rng(3)
    flat, halves, parts = rng.normal(0.01, 0.02, 10), rng.normal(0.01, 0.02, (5, 2)), rng.normal(0.01, 0.02, (4, 10))
    zero = np.zeros(10)

    corrected = corrected_t(flat - 0.05, zero, train_size=9, test_size=1, alternative="less").pvalue
    assert tost(flat, zero, margin=0.05, base="corrected-t", train_size=9, test_size=1, alternative="less").pvalue == (
        pytest.approx(corrected, rel=1e-9)
    )
    five = five_by_two_t(halves - 0.05, np.zeros((5, 2)), alternative="less").pvalue
    assert tost(halves, np.zeros((5, 2)), margin=0.05, base="5x2cv-t", alternative="less").pvalue == pytest.approx(five)
    averaged = averaged_t(parts - 0.05, np.zeros((4, 10)), alternative="less").pvalue
    assert tost(parts, np.zeros((4, 10)), margin=0.05, base="averaged-t", alternative="less").pvalue == (
        pytest.approx(averaged, rel=1e-9)
    )
    naive = tost(flat, zero, margin=0.05).pvalue
    wide = tost(flat, zero, margin=0.05, base="corrected-t", train_size=9, test_size=1).pvalue
    assert naive is not None
    assert wide is not None
    assert wide > naive
    assert t_pvalue(0.0, 3) == 1.0


def test_margin_and_base() -> None:
    with pytest.raises(TestError, match="margin above 0"):
        tost([1, 2], [1, 3], margin=0)
    with pytest.raises(TestError, match="standard error of 'kfold-t'"):
        tost([1, 2], [1, 3], margin=1, base="kfold-t")
