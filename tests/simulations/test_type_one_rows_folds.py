"""Type I error under true nulls, with binomial bounds (99.9%): tests that promise the level keep it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from evalang.results.records import TestResult
from evalang.verdicts.compute import compute
from evalang.verdicts.evidence import Outcomes
from evalang.verdicts.tests.delong import delong
from evalang.verdicts.tests.outcome_tests import cochran_q
from evalang.verdicts.tests.partition_tests import averaged_t, five_by_two_f, five_by_two_t
from evalang.verdicts.tests.resampling_tests import bootstrap, permutation
from evalang.verdicts.tests.t_tests import corrected_t, kfold_t, row_t
from evalang.verdicts.tests.training_tests import quasi_f

pytestmark = pytest.mark.slow
ALPHA = 0.05


def on_rows(test: str, first: Any, second: Any) -> TestResult:
    """The test on right and wrong rows."""
    return compute(test, Outcomes(first=first, second=second))


def rate(draw: Callable[[np.random.Generator], TestResult], runs: int, seed: int = 0) -> float:
    """The share of null draws that the test rejects at .05."""
    rng = np.random.default_rng(seed)
    return sum((draw(rng).pvalue or 0.0) <= ALPHA for _ in range(runs)) / runs


def band(runs: int, level: float = ALPHA) -> tuple[float, float]:
    """The shares that a test of exactly this level shows with probability .999."""
    return float(stats.binom.ppf(0.0005, runs, level)) / runs, float(stats.binom.ppf(0.9995, runs, level)) / runs


NULLS: dict[str, Callable[[np.random.Generator, int], NDArray[Any]]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "t3": lambda rng, n: rng.standard_t(3, size=n),
    "counts": lambda rng, n: rng.integers(-8, 9, size=n) / 40,
    "ties": lambda rng, n: rng.integers(-3, 4, size=n) * (rng.random(n) > 0.3) * 1.0,
}


@pytest.mark.parametrize("n", [5, 10, 30])
def test_t_on_normal_differences_is_exact(n: int) -> None:
    low, high = band(4000)
    assert low <= rate(lambda rng: row_t(rng.normal(size=n), np.zeros(n)), 4000) <= high
    assert low <= rate(lambda rng: kfold_t(rng.normal(size=n), np.zeros(n)), 4000, seed=1) <= high


@pytest.mark.parametrize("null", NULLS)
@pytest.mark.parametrize("n", [6, 10, 14])
def test_permutation_keeps_its_level(null: str, n: int) -> None:
    found = rate(lambda rng: permutation(NULLS[null](rng, n), np.zeros(n)), 3000)
    assert found <= band(3000)[1]


def test_permutation_with_random_swaps_keeps_its_level() -> None:
    found = rate(lambda rng: permutation(rng.normal(size=25), np.zeros(25), rng=rng, resamples=499), 3000)
    assert band(3000)[0] <= found <= band(3000)[1]


def outcomes(rng: np.random.Generator, n: int, k: int = 2) -> NDArray[Any]:
    """k learners of equal accuracy that tend to fail on the same rows."""
    hard = rng.random(n) < 0.3
    return rng.random((n, k)) < np.where(hard, 0.4, 0.9)[:, None]


@pytest.mark.parametrize("n", [20, 100, 400])
def test_outcomes(n: int) -> None:
    high = band(2000)[1]
    assert rate(lambda rng: on_rows("mcnemar-exact", *outcomes(rng, n).T), 2000) <= high
    assert rate(lambda rng: on_rows("mcnemar", *outcomes(rng, n).T), 2000) <= high
    assert rate(lambda rng: on_rows("mcnemar-midp", *outcomes(rng, n).T), 2000) <= band(2000, 0.055)[1]


def test_cochran_q() -> None:
    low, high = band(2000)
    assert low <= rate(lambda rng: cochran_q(outcomes(rng, 300, 4)), 2000) <= high


def test_delong() -> None:
    truth = np.arange(160) % 2 == 0

    def draw(rng: np.random.Generator) -> TestResult:
        base = rng.normal(size=160) + truth
        return delong(truth, base + rng.normal(size=160), base + rng.normal(size=160))

    assert 0.03 <= rate(draw, 2000) <= band(2000, 0.06)[1]


def test_quasi_f() -> None:
    """Eight training sets, 60 rows, and all three sources of variation."""

    def draw(rng: np.random.Generator) -> TestResult:
        def learner() -> NDArray[Any]:
            return rng.normal(size=(8, 1)) * 0.5 + rng.normal(size=(1, 60)) + rng.normal(size=(8, 60))

        return quasi_f(learner(), learner())

    assert rate(draw, 1500) <= band(1500, 0.06)[1]


def test_bootstrap_is_somewhat_liberal_for_few_units_as_its_card_says() -> None:
    found = rate(lambda rng: bootstrap(rng.normal(size=20), np.zeros(20), rng=rng, resamples=1000), 2000)
    assert 0.05 < found < 0.10


def centroid_scores(rng: np.random.Generator, partitions: int, folds: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Accuracies [partition, fold] of two nearest-centroid learners, each on its own exchangeable columns, 200 rows."""
    y = np.arange(200) % 2
    x = rng.normal(size=(2, 200, 5)) + 0.35 * y[None, :, None]
    found = np.empty((2, partitions, folds))
    for r in range(partitions):
        place = rng.permutation(200) % folds
        for f in range(folds):
            test = place == f
            for learner in range(2):
                rows = x[learner]
                up, down = rows[~test & (y == 1)].mean(axis=0), rows[~test & (y == 0)].mean(axis=0)
                said = (rows[test] - (up + down) / 2) @ (up - down) > 0
                found[learner, r, f] = np.mean(said == (y[test] == 1))
    return found[0], found[1]


def refused_is_no_rejection(call: Callable[[], TestResult]) -> bool:
    from evalang.errors import TestError

    try:
        return (call().pvalue or 0.0) <= ALPHA
    except TestError:
        return False


def test_real_cross_validation() -> None:
    """Equal learners on real folds: corrected-t stays below .06, the plain t on ten partitions does not."""
    rng = np.random.default_rng(5)
    runs = 1500
    corrected = naive = averaged = 0
    for _ in range(runs):
        a, b = centroid_scores(rng, 10, 10)
        corrected += refused_is_no_rejection(lambda a=a, b=b: corrected_t(a, b, train_size=180, test_size=20))  # type: ignore[misc]
        naive += refused_is_no_rejection(lambda a=a, b=b: kfold_t(a, b))  # type: ignore[misc]
        averaged += refused_is_no_rejection(lambda a=a, b=b: averaged_t(a, b))  # type: ignore[misc]
    print(
        f"corrected-t {corrected / runs:.3f}, kfold-t on 100 folds {naive / runs:.3f}, averaged-t {averaged / runs:.3f}"
    )
    assert corrected / runs <= band(runs, 0.06)[1]
    assert averaged / runs <= band(runs, 0.06)[1]
    assert naive / runs > 0.3


def test_five_by_two_on_real_folds_is_near_what_its_card_says() -> None:
    rng = np.random.default_rng(6)
    runs = 1500
    t = f = 0
    for _ in range(runs):
        a, b = centroid_scores(rng, 5, 2)
        t += refused_is_no_rejection(lambda a=a, b=b: five_by_two_t(a, b))  # type: ignore[misc]
        f += refused_is_no_rejection(lambda a=a, b=b: five_by_two_f(a, b))  # type: ignore[misc]
    print(f"5x2cv-t {t / runs:.3f}, 5x2cv-f {f / runs:.3f}")
    assert 0.02 <= t / runs <= band(runs, 0.09)[1]
    assert 0.01 <= f / runs <= band(runs, 0.09)[1]


Learn = Callable[[NDArray[Any], NDArray[Any], NDArray[Any]], NDArray[Any]]


def _nearest(x: NDArray[Any], y: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(y[((new[:, None, :] - x[None]) ** 2).sum(axis=2).argmin(axis=1)])


def _stump(x: NDArray[Any], y: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
    order = np.argsort(x, axis=0)
    ahead = (2 * y - 1).sum() - 2 * np.cumsum(2 * y[order] - 1, axis=0)[:-1]  # right minus wrong, class 1 above the cut
    row, column = np.unravel_index(np.abs(ahead).argmax(), ahead.shape)
    values = np.sort(x[:, column])
    above = new[:, column] > (values[row] + values[row + 1]) / 2
    return np.asarray((above == (ahead[row, column] > 0)).astype(int))


def _pooled(rng: np.random.Generator, learn: Learn, rows: int = 100) -> TestResult:
    """One 10cv of two learners that are equal: the same method, each on five features of its own of the same kind."""
    y = rng.integers(0, 2, rows)
    x = rng.normal(size=(rows, 10)) + y[:, None]
    fold = rng.permutation(np.arange(rows) % 10)
    right = np.empty((2, rows), dtype=bool)
    for k in range(10):
        known, new = fold != k, fold == k
        for who, own in enumerate((x[:, :5], x[:, 5:])):
            right[who, new] = learn(own[known], y[known], own[new]) == y[new]
    return on_rows("mcnemar-midp", right[0], right[1])


@pytest.mark.parametrize("learn", [_nearest, _stump])
def test_mcnemar_on_pooled_folds_is_wrong_too_often(learn: Learn) -> None:
    """What EV416 says of it; the figures there are of 1,000 datasets of 100 and of 300 rows."""
    assert rate(lambda rng: _pooled(rng, learn), 300, seed=1) > band(300)[1]
