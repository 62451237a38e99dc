"""Type I error of single tests under true nulls, and coverage of their intervals, within binomial bounds (99.9%)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from evalang.errors import TestError
from evalang.verdicts.apply import compute
from evalang.verdicts.tests.intervals import wilson
from evalang.verdicts.tests.outcome_tests import cochran_q, delong
from evalang.verdicts.tests.partition_tests import averaged_t, five_by_two_f, five_by_two_t
from evalang.verdicts.tests.rank_tests import anova, bonferroni_dunn, friedman, iman_davenport, nemenyi
from evalang.verdicts.tests.resampling_tests import bootstrap, permutation
from evalang.verdicts.tests.sign_tests import sign, wilcoxon
from evalang.verdicts.tests.t_tests import corrected_t, kfold_t, paired_t, row_t
from evalang.verdicts.tests.training_tests import quasi_f

pytestmark = pytest.mark.slow
Rng = np.random.Generator
Draw = Callable[[Rng], float]  # p of one true null


def rate(draw: Draw, runs: int, seed: int = 0) -> float:
    """The share of null draws that the test rejects at .05; a refusal rejects nothing."""
    rng, rejected = np.random.default_rng(seed), 0
    for _ in range(runs):
        try:
            rejected += draw(rng) <= 0.05
        except TestError:
            continue
    return rejected / runs


def band(runs: int, level: float = 0.05) -> tuple[float, float]:
    """The shares that a test of exactly this level shows with probability .999."""
    return float(stats.binom.ppf(0.0005, runs, level)) / runs, float(stats.binom.ppf(0.9995, runs, level)) / runs


NULLS: dict[str, Callable[[Rng, int], NDArray[Any]]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "t3": lambda rng, n: rng.standard_t(3, size=n),
    "k/40": lambda rng, n: np.round(rng.normal(size=n) * 3) / 40,  # ties and zeros
    "30% zeros": lambda rng, n: rng.normal(size=n) * (rng.random(n) > 0.3),
}


@pytest.mark.parametrize("null", NULLS)
@pytest.mark.parametrize("n", [5, 10, 14, 30])
def test_exact_tests_never_exceed_the_level(null: str, n: int) -> None:
    zero = np.zeros(n)
    for test in (wilcoxon, sign, permutation)[: 3 if n <= 14 else 2]:
        assert rate(lambda rng, test=test: test(NULLS[null](rng, n), zero).pvalue, 5000) <= band(5000)[1]


def outcomes(rng: Rng, n: int, k: int = 2) -> NDArray[Any]:
    """k learners of equal accuracy that tend to fail on the same rows."""
    hard = rng.random(n) < 0.3
    return rng.random((n, k)) < np.where(hard, 0.4, 0.9)[:, None]


def on_rows(test: str, n: int) -> Draw:
    def draw(rng: Rng) -> float:
        first, second = outcomes(rng, n).T
        return compute(test, first=first, second=second).pvalue or 0.0

    return draw


def areas(rng: Rng) -> float:
    truth = np.arange(160) % 2 == 0
    base = rng.normal(size=160) + truth
    return delong(truth, base + rng.normal(size=160), base + rng.normal(size=160)).pvalue or 0.0


def trainings(rng: Rng) -> float:
    """Eight training sets, 60 rows, and all three sources of variation."""
    a, b = (rng.normal(size=(8, 1)) * 0.5 + rng.normal(size=(1, 60)) + rng.normal(size=(8, 60)) for _ in range(2))
    return quasi_f(a, b).pvalue or 0.0


def smallest(test: Callable[..., Any]) -> Draw:
    return lambda rng: min(r.pvalue for r in test(rng.normal(size=(15, 5))).results)


# Test: draw, runs, and the levels between which it is (None: no lower bound).
LEVELS: dict[str, tuple[Draw, int, float | None, float]] = {
    **{f"row-t, {n}": (lambda rng, n=n: row_t(rng.normal(size=n), np.zeros(n)).pvalue, 4000, 0.05, 0.05)
       for n in (5, 10, 30)},
    **{f"paired-t, {n}": (lambda rng, n=n: paired_t(rng.normal(size=n), np.zeros(n)).pvalue, 4000, 0.05, 0.05)
       for n in (5, 10, 30)},
    "permutation, random": (
        lambda rng: permutation(rng.normal(size=25), np.zeros(25), rng=rng, resamples=499).pvalue, 3000, 0.05, 0.05
    ),
    **{f"{test}, {n}": (on_rows(test, n), 2000, None, 0.055 if test == "mcnemar-midp" else 0.05)
       for test in ("mcnemar", "mcnemar-exact", "mcnemar-midp") for n in (20, 100, 400)},
    "cochran-q": (lambda rng: cochran_q(outcomes(rng, 300, 4)).pvalue, 2000, 0.05, 0.05),
    "delong": (areas, 2000, 0.045, 0.06),
    "quasi-f": (trainings, 1500, None, 0.06),
    "bootstrap of 20, as its card says": (
        lambda rng: bootstrap(rng.normal(size=20), np.zeros(20), rng=rng, resamples=1000).pvalue, 2000, 0.07, 0.08
    ),
    **{f"friedman, {n} x {k}": (lambda rng, n=n, k=k: friedman(rng.normal(size=(n, k))).pvalue, 8000, None, 0.05)
       for n, k in ((10, 5), (15, 4), (30, 3))},
    # An approximation: measured .049 to .061 here, so its card says .04 to .06.
    **{f"iman-davenport, {n} x {k}": (
        lambda rng, n=n, k=k: iman_davenport(rng.normal(size=(n, k))).pvalue, 8000, 0.045, 0.06)
       for n, k in ((10, 5), (15, 4), (30, 3))},
    "anova": (lambda rng: anova(rng.normal(size=(12, 4))).pvalue, 8000, 0.05, 0.05),
    "nemenyi": (smallest(nemenyi), 4000, None, 0.05),
    "bonferroni-dunn": (smallest(lambda scores: bonferroni_dunn(scores, control=0)), 4000, None, 0.05),
}  # fmt: skip


@pytest.mark.parametrize("name", LEVELS)
def test_levels(name: str) -> None:
    draw, runs, low, high = LEVELS[name]
    found = rate(draw, runs)
    assert (band(runs, low)[0] if low else 0.0) <= found <= band(runs, high)[1]


def test_intervals_cover() -> None:
    rng = np.random.default_rng(4)
    held = {"paired-t": 0, "wilcoxon": 0, "sign": 0}
    for _ in range(4000):
        d = rng.normal(0.3, 1.0, 20)
        for test in (paired_t, wilcoxon, sign):
            result = test(d, np.zeros(20))
            held[result.test] += result.interval.low <= 0.3 <= result.interval.high
    assert all(count / 4000 >= 0.9386 for count in held.values()), held  # 99.9% band of 4,000


def test_wilson_covers_on_average() -> None:
    rng = np.random.default_rng(6)
    shares = rng.uniform(0.5, 1.0, 10_000)
    counts = rng.binomial(50, shares)
    intervals = [wilson(s, 50).interval for s in range(51)]
    held = np.mean([intervals[c].low <= p <= intervals[c].high for c, p in zip(counts, shares, strict=True)])
    assert held >= 0.94


def centroid_scores(rng: Rng, partitions: int, folds: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Accuracies [partition, fold] of two nearest-centroid learners, each on its own exchangeable columns, 200 rows."""
    y = np.arange(200) % 2
    x = rng.normal(size=(2, 200, 5)) + 0.35 * y[None, :, None]
    found = np.empty((2, partitions, folds))
    for r in range(partitions):
        place = rng.permutation(200) % folds
        for f in range(folds):
            test = place == f
            for learner, rows in enumerate(x):
                up, down = rows[~test & (y == 1)].mean(axis=0), rows[~test & (y == 0)].mean(axis=0)
                answers = (rows[test] - (up + down) / 2) @ (up - down) > 0
                found[learner, r, f] = np.mean(answers == (y[test] == 1))
    return found[0], found[1]


@pytest.mark.parametrize(
    ("test", "shape", "low", "high"),
    [
        (lambda a, b: corrected_t(a, b, train_size=180, test_size=20), (10, 10), 0.0, 0.06),
        (averaged_t, (10, 10), 0.0, 0.06),
        (kfold_t, (10, 10), 0.3, 1.0),  # ten partitions counted as new rows
        (five_by_two_t, (5, 2), 0.02, 0.09),
        (five_by_two_f, (5, 2), 0.01, 0.09),
    ],
)
def test_equal_learners_on_real_folds(test: Any, shape: tuple[int, int], low: float, high: float) -> None:
    found = rate(lambda rng: test(*centroid_scores(rng, *shape)).pvalue or 0.0, 1000, seed=5)
    assert low <= found <= band(1000, high)[1]


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


def _pooled(rng: Rng, learn: Learn, rows: int = 100) -> float:
    """One 10cv of two learners that are equal: the same method, each on five features of its own of the same kind."""
    y = rng.integers(0, 2, rows)
    x = rng.normal(size=(rows, 10)) + y[:, None]
    fold = rng.permutation(np.arange(rows) % 10)
    right = np.empty((2, rows), dtype=bool)
    for k in range(10):
        known, new = fold != k, fold == k
        for who, own in enumerate((x[:, :5], x[:, 5:])):
            right[who, new] = learn(own[known], y[known], own[new]) == y[new]
    return compute("mcnemar-midp", first=right[0], second=right[1]).pvalue or 0.0


@pytest.mark.parametrize("learn", [_nearest, _stump])
def test_mcnemar_on_pooled_folds_is_wrong_too_often(learn: Learn) -> None:
    """What EV416 says of it; the figures there are of 1,000 datasets of 100 and of 300 rows."""
    assert rate(lambda rng: _pooled(rng, learn), 300, seed=1) > band(300)[1]
