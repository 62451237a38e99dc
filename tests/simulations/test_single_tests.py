"""Type I error of single tests under true nulls, and coverage of intervals where folds differ in size.

A rate lies within the binomial bounds (99.9%) of its level; the ordinary suite draws a part of what `-m slow` draws.
The other tests are exact by enumeration (tests/verdicts), or simulated from script to sentence (items, procedures).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from evalang.errors import TestError
from evalang.results.records import TestResult
from evalang.verdicts.apply import compute
from evalang.verdicts.tests.dependent_rows import cluster_permutation, cluster_t, diebold_mariano, forward_t
from evalang.verdicts.tests.outcome_tests import cochran_q, delong
from evalang.verdicts.tests.rank_tests import anova, bonferroni_dunn, friedman, iman_davenport, nemenyi
from evalang.verdicts.tests.resampling_tests import bootstrap, permutation
from evalang.verdicts.tests.t_tests import row_t
from evalang.verdicts.tests.training_tests import quasi_f, retrained_t

from .levels import divide
from .levels.learners import LEARNERS

Rng = np.random.Generator
Draw = Callable[[Rng], float]  # p of one true null
SHARES = [pytest.param(1 / 20, id="a part"), pytest.param(1, id="all", marks=pytest.mark.slow)]


def rate(draw: Draw, runs: int, seed: int = 0) -> float:
    """The share of null draws that the test rejects at .05; a refusal rejects nothing."""
    rng, rejected = np.random.default_rng(seed), 0
    for _ in range(runs):
        try:
            rejected += draw(rng) <= 0.05
        except TestError:
            continue
    return rejected / runs


def band(runs: int, level: float) -> tuple[float, float]:
    """The shares that a test of exactly this level shows with probability .999."""
    return float(stats.binom.ppf(0.0005, runs, level)) / runs, float(stats.binom.ppf(0.9995, runs, level)) / runs


def outcomes(rng: Rng) -> float:
    """Four learners of equal accuracy that tend to fail on the same 300 rows."""
    hard = rng.random(300) < 0.3
    return cochran_q(rng.random((300, 4)) < np.where(hard, 0.4, 0.9)[:, None]).pvalue or 0.0


def areas(rng: Rng) -> float:
    truth = np.arange(160) % 2 == 0
    base = rng.normal(size=160) + truth
    return delong(truth, base + rng.normal(size=160), base + rng.normal(size=160)).pvalue or 0.0


def trainings(rng: Rng) -> float:
    """Eight training sets, 60 rows, and all three sources of variation."""
    a, b = (rng.normal(size=(8, 1)) * 0.5 + rng.normal(size=(1, 60)) + rng.normal(size=(8, 60)) for _ in range(2))
    return quasi_f(a, b).pvalue or 0.0


def resampled(test: Callable[..., TestResult], n: int, resamples: int) -> Draw:
    return lambda rng: test(rng.normal(size=n), np.zeros(n), rng=rng, resamples=resamples).pvalue or 0.0


def on_tables(test: Callable[..., TestResult], n: int, k: int) -> Draw:
    return lambda rng: test(rng.normal(size=(n, k))).pvalue or 0.0


def smallest(test: Callable[..., Any]) -> Draw:
    return lambda rng: min(r.pvalue for r in test(rng.normal(size=(15, 5))).results)


SIZES = ((10, 5), (15, 4), (30, 3))
# Test: draw, runs, and the levels between which it is (None: no lower bound).
LEVELS: dict[str, tuple[Draw, int, float | None, float]] = {
    "permutation, random": (resampled(permutation, 25, 499), 3000, 0.05, 0.05),
    "cochran-q": (outcomes, 2000, 0.05, 0.05),
    "delong": (areas, 2000, 0.045, 0.06),
    "quasi-f": (trainings, 1500, None, 0.06),
    "bootstrap of 20, as its card says": (resampled(bootstrap, 20, 1000), 2000, 0.07, 0.08),
    **{f"friedman, {n} x {k}": (on_tables(friedman, n, k), 8000, None, 0.05) for n, k in SIZES},
    # An approximation: measured .049 to .061 here, so its card says .04 to .06.
    **{f"iman-davenport, {n} x {k}": (on_tables(iman_davenport, n, k), 8000, 0.045, 0.06) for n, k in SIZES},
    "anova": (on_tables(anova, 12, 4), 8000, 0.05, 0.05),
    "nemenyi": (smallest(nemenyi), 4000, None, 0.05),
    "bonferroni-dunn": (smallest(partial(bonferroni_dunn, control=0)), 4000, None, 0.05),
}


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("name", LEVELS)
def test_levels(name: str, share: float) -> None:
    draw, runs, low, high = LEVELS[name]
    found = rate(draw, round(share * runs))
    assert (band(round(share * runs), low)[0] if low else 0.0) <= found <= band(round(share * runs), high)[1]


def pooled(kind: str, rng: Rng) -> float:
    """One 10cv of two learners that are equal: the same method, each on five features of its own of the same kind."""
    y = rng.integers(0, 2, 100)
    weights, tested = divide.folds(rng, y, 10, 1)
    seen = (rng.normal(size=(100, 5)) + y[:, None] for _ in range(2))
    right = [(LEARNERS[kind](x, y, weights) == y)[tested] for x in seen]
    return compute("mcnemar-midp", first=right[0], second=right[1]).pvalue or 0.0


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["1-nn", "stump"])
def test_mcnemar_on_pooled_folds_is_wrong_too_often(kind: str) -> None:
    """What EV416 says of it; the figures there are of 1,000 datasets of 100 and of 300 rows."""
    assert rate(partial(pooled, kind), 300, seed=1) > band(300, 0.05)[1]


# Coverage where folds differ in size. The difference is not zero: a wrong weighing of it does not show under the null.
# A row of a fold of n rows counts for N / (F n), so that the mean is that of the folds.
DIFFERENCE = 0.5
Places = tuple[NDArray[Any], dict[str, Any]]


def weights_of(fold: NDArray[Any]) -> NDArray[Any]:
    """Return N / (F n_f) for every row."""
    sizes = np.bincount(fold)
    return fold.size / (sizes.size * sizes[fold])


def grouped(rng: Rng) -> Places:
    """Return 40 groups of 4 to 12 rows in three folds of 24, 12 and 4 groups."""
    groups = np.repeat(np.arange(40), rng.integers(4, 13, 40))
    fold = np.repeat([0, 1, 2], [24, 12, 4])[groups]
    d = DIFFERENCE + rng.normal(0, 0.15, 40)[groups] + rng.normal(0, 0.3, groups.size)
    return d, {"groups": groups, "weights": weights_of(fold)}


def timed(rng: Rng) -> Places:
    """Return 120 days of 1 to 90 rows in eight folds of 15 days, half of each day's part passing to the next."""
    days = np.repeat(np.arange(120), np.round(1.5 * 1.035 ** np.arange(120)).astype(int))
    shared = np.zeros(121)
    for t, noise in enumerate(rng.normal(0, 0.1, 120), start=1):
        shared[t] = 0.3 * shared[t - 1] + noise
    d = DIFFERENCE + shared[1:][days] + rng.normal(0, 0.3, days.size)
    return d, {"times": days, "weights": weights_of(days // 15)}


def plain(rng: Rng) -> Places:
    """Return independent rows in folds of 180, 80 and 30."""
    fold = np.repeat([0, 1, 2], [180, 80, 30])
    return DIFFERENCE + rng.normal(0, 0.3, 290), {"weights": weights_of(fold)}


def retrained(d: NDArray[Any], zeros: NDArray[Any], *, rng: Rng, **places: Any) -> TestResult:
    """Return the test of five trainings each, whose scores spread by .02."""
    one, two = (rng.normal(0, 0.02, (5, 1)) + rng.normal(0, 0.1, (5, d.size)) for _ in range(2))
    return retrained_t(d + one, two, **places)


# Test, its draw, and the least coverage of a 95% interval that its card allows here.
COVERED: dict[str, tuple[Callable[..., TestResult], Callable[[Rng], Places], float]] = {
    "forward-t": (forward_t, timed, 0.92),
    "cluster-t": (cluster_t, grouped, 0.93),
    "cluster-permutation": (cluster_permutation, grouped, 0.92),
    "retrained-t": (retrained, plain, 0.94),
    "row-t": (row_t, plain, 0.94),
    "permutation": (partial(permutation, resamples=999), plain, 0.93),
}


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("name", COVERED)
def test_intervals_hold_a_difference(name: str, share: float) -> None:
    test, make, least = COVERED[name]
    drawn = name in ("cluster-permutation", "permutation", "retrained-t")
    runs = round(share * 4000) // (3 if share < 1 and "permutation" in name else 1)
    rng, held, widths, means = np.random.default_rng(28), 0, [], []
    for _ in range(runs):
        d, places = make(rng)
        found = test(d, np.zeros_like(d), **places, **({"rng": rng} if drawn else {}))
        assert found.interval is not None
        held += found.interval.low <= DIFFERENCE <= found.interval.high
        widths.append(found.interval.high - found.interval.low)
        means.append(found.difference)
    assert held / runs >= band(runs, least)[0]
    # an interval as wide as the wrong one always holds: 3.92 true errors are enough
    assert np.mean(widths) / (3.92 * np.std(means)) < 1.35


def test_diebold_mariano_has_the_same_mean() -> None:
    d, places = timed(np.random.default_rng(1))
    one, two = (test(d, np.zeros_like(d), **places) for test in (forward_t, diebold_mariano))
    mean = np.average(d, weights=places["weights"])
    assert (one.difference, two.difference) == pytest.approx((mean, mean))
