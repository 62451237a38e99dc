"""The Bayesian correlated t-test against hand-made posteriors and baycomp."""

from __future__ import annotations

import numpy as np
import pytest

from evalang.errors import TestError
from evalang.verdicts.tests.bayes_tests import bayes_correlated_t
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", cases("bayes_correlated_t"))
def test_golden(case: Case) -> None:
    d = case["inputs"]["differences"]
    result = bayes_correlated_t(d, [0.0] * len(d), rope=case["inputs"]["rope"], rho=case["inputs"]["rho"])
    agrees(
        case,
        p_left=result.posterior.p_left,
        p_rope=result.posterior.p_rope,
        p_right=result.posterior.p_right,
        scale=dict(result.details)["scale"],
        df=result.df[0],
    )
    assert result.pvalue is None


def test_sizes_give_the_correlation() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random((10, 10)), rng.random((10, 10))
    by_sizes = bayes_correlated_t(a, b, rope=0.01, train_size=90, test_size=10)
    assert by_sizes.posterior == bayes_correlated_t(a.ravel(), b.ravel(), rope=0.01, rho=0.1).posterior


def test_swap_mirrors_and_adds_up_to_one() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.random(10), rng.random(10)
    one, two = (bayes_correlated_t(x, y, rope=0.05, rho=0.1).posterior for x, y in ((a, b), (b, a)))
    assert (one.p_left, one.p_right) == pytest.approx((two.p_right, two.p_left))
    assert one.p_left + one.p_rope + one.p_right == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("shift", "expected"), [(0.0, (0, 1, 0)), (0.005, (0, 1, 0)), (0.2, (0, 0, 1)), (-0.2, (1, 0, 0))]
)
def test_no_spread_is_one_point(shift: float, expected: tuple[int, ...]) -> None:
    b = np.array([0.7, 0.8, 0.9])
    posterior = bayes_correlated_t(b + shift, b, rope=0.01, rho=0.1).posterior
    assert (posterior.p_left, posterior.p_rope, posterior.p_right) == expected


@pytest.mark.parametrize("options", [{"rope": -1, "rho": 0.1}, {"rho": 1.0}, {"rope": float("nan"), "rho": 0.1}, {}])
def test_bad_options(options: dict[str, float]) -> None:
    with pytest.raises(TestError):
        bayes_correlated_t([1, 2, 3], [1, 2, 2], **options)
