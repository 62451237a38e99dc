"""Coverage of the intervals of tests over rows, groups and time stamps where folds differ in size.

The difference is not zero: a wrong weighing of it does not show under the null. A row of a fold of n rows counts for
N / (F n), so that the mean is that of the folds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evalang.results.records import TestResult
from evalang.verdicts.tests.dependent_rows import cluster_permutation, cluster_t, diebold_mariano, forward_t
from evalang.verdicts.tests.resampling_tests import permutation
from evalang.verdicts.tests.t_tests import row_t
from evalang.verdicts.tests.training_tests import retrained_t

Rng = np.random.Generator
DIFFERENCE = 0.5


def weights_of(fold: Any) -> Any:
    """Return N / (F n_f) for every row."""
    sizes = np.bincount(fold)
    return fold.size / (sizes.size * sizes[fold])


def grouped(rng: Rng) -> tuple[Any, dict[str, Any]]:
    """Return 40 groups of 4 to 12 rows in three folds of 24, 12 and 4 groups."""
    sizes = rng.integers(4, 13, 40)
    groups = np.repeat(np.arange(40), sizes)
    fold = np.repeat([0, 1, 2], [24, 12, 4])[groups]
    d = DIFFERENCE + rng.normal(0, 0.15, 40)[groups] + rng.normal(0, 0.3, groups.size)
    return d, {"groups": groups, "weights": weights_of(fold)}


def timed(rng: Rng) -> tuple[Any, dict[str, Any]]:
    """Return 120 days of 1 to 90 rows in eight folds of 15 days, half of each day's part passing to the next."""
    days = np.repeat(np.arange(120), np.round(1.5 * 1.035 ** np.arange(120)).astype(int))
    shared = np.zeros(121)
    for t, noise in enumerate(rng.normal(0, 0.1, 120), start=1):
        shared[t] = 0.3 * shared[t - 1] + noise
    d = DIFFERENCE + shared[1:][days] + rng.normal(0, 0.3, days.size)
    return d, {"times": days, "weights": weights_of(days // 15)}


def plain(rng: Rng) -> tuple[Any, dict[str, Any]]:
    """Return independent rows in folds of 180, 80 and 30."""
    fold = np.repeat([0, 1, 2], [180, 80, 30])
    return DIFFERENCE + rng.normal(0, 0.3, 290), {"weights": weights_of(fold)}


def pair_of(test: Callable[..., TestResult], make: Callable[[Rng], Any], **more: Any) -> Callable[[Rng], TestResult]:
    def draw(rng: Rng) -> TestResult:
        d, places = make(rng)
        drawn = {"rng": rng, **more} if test in (cluster_permutation, permutation) else more
        return test(d, np.zeros_like(d), **places, **drawn)

    return draw


def retrained(rng: Rng) -> TestResult:
    """Return the test of five trainings each, whose scores spread by .02."""
    d, places = plain(rng)
    one, two = (rng.normal(0, 0.02, (5, 1)) + rng.normal(0, 0.1, (5, d.size)) for _ in range(2))
    return retrained_t(d + one, two, **places)


# Test -> its draw, and the least coverage of a 95% interval that its card allows here.
DRAWS: dict[str, tuple[Callable[[Rng], TestResult], float]] = {
    "forward-t": (pair_of(forward_t, timed), 0.92),
    "cluster-t": (pair_of(cluster_t, grouped), 0.93),
    "cluster-permutation": (pair_of(cluster_permutation, grouped), 0.92),
    "retrained-t": (retrained, 0.94),
    "row-t": (pair_of(row_t, plain), 0.94),
    "permutation": (pair_of(permutation, plain, resamples=999), 0.93),
}


def coverage(draw: Callable[[Rng], TestResult], runs: int) -> tuple[float, float]:
    """Return the share of intervals that hold the difference, and their mean width over that of 3.92 true errors."""
    rng, held, widths, means = np.random.default_rng(28), 0, [], []
    for _ in range(runs):
        found = draw(rng)
        assert found.interval is not None
        held += found.interval.low <= DIFFERENCE <= found.interval.high
        widths.append(found.interval.high - found.interval.low)
        means.append(found.difference)
    return held / runs, float(np.mean(widths) / (3.92 * np.std(means)))


def check(test: str, runs: int) -> None:
    draw, least = DRAWS[test]
    held, wide = coverage(draw, runs)
    assert held >= float(stats.binom.ppf(0.0005, runs, least)) / runs, held
    assert wide < 1.35, wide  # an interval as wide as the wrong one always holds


@pytest.mark.parametrize("test", DRAWS)
def test_intervals_hold_a_difference(test: str) -> None:
    check(test, 60 if test in ("cluster-permutation", "permutation") else 200)


@pytest.mark.slow
@pytest.mark.parametrize("test", DRAWS)
def test_intervals_hold_a_difference_in_many_runs(test: str) -> None:
    check(test, 4_000)


def test_diebold_mariano_has_the_same_mean() -> None:
    d, places = timed(np.random.default_rng(1))
    one, two = (test(d, np.zeros_like(d), **places) for test in (forward_t, diebold_mariano))
    mean = np.average(d, weights=places["weights"])
    assert (one.difference, two.difference) == pytest.approx((mean, mean))
