"""The Bayesian tests: posteriors by definition, mirrored sides, no spread."""

from __future__ import annotations

import numpy as np
import pytest

from evalang.errors import TestError
from evalang.verdicts.tests.bayes_tests import bayes_correlated_t, bayes_signed_rank


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


RNG = np.random.default_rng


def by_definition(d: np.ndarray, rope: float, samples: int) -> tuple[float, float, float]:
    """Every pair of every sample, as the paper writes it."""
    z = np.append(d, 0.0)
    sums = z[:, None] + z[None, :]
    above = (sums > 2 * rope + 1e-12) + 0.5 * (np.abs(sums - 2 * rope) <= 1e-12)
    below = (sums < -2 * rope - 1e-12) + 0.5 * (np.abs(sums + 2 * rope) <= 1e-12)
    weights = RNG(99).dirichlet(np.append(np.ones(d.size), 0.5), samples)
    left = np.einsum("si,sj,ij->s", weights, weights, below)
    right = np.einsum("si,sj,ij->s", weights, weights, above)
    winner = np.argmax(np.stack([left, 1 - left - right, right], axis=1), axis=1)
    return tuple(np.bincount(winner, minlength=3) / samples)


@pytest.mark.parametrize("rope", [0.0, 0.01, 0.02])
@pytest.mark.parametrize("n", [1, 2, 8, 25])
def test_agrees_with_the_definition(n: int, rope: float) -> None:
    d = np.round(RNG(n).normal(0.004, 0.02, n), 2)  # rounded: sums fall on the edges of the rope
    if not d.any():
        d[0] = 0.01
    posterior = bayes_signed_rank(d, np.zeros(n), rope=rope, rng=RNG(1)).posterior
    got = (posterior.p_left, posterior.p_rope, posterior.p_right)
    assert got == pytest.approx(by_definition(d, rope, 20_000), abs=0.025)  # five standard errors of 20,000 draws


def test_equal_learners_believe_in_no_difference() -> None:
    result = bayes_signed_rank([0.5, 0.6], [0.5, 0.6], rng=RNG(0))
    assert result.posterior.p_rope == 1.0
    assert result.notes


def test_needs_a_generator() -> None:
    with pytest.raises(TestError, match="generator"):
        bayes_signed_rank([1, 2], [2, 1])
