"""Speed of the analysis of a table of results, against the peer in the same run where there is one."""

from __future__ import annotations

import contextlib
import io
import time
import warnings
from collections.abc import Callable

import numpy as np
import pytest

from evalang.verdicts.analysis import analyse
from evalang.verdicts.tests.bayes_tests import bayes_signed_rank
from evalang.verdicts.tests.rank_tests import friedman, nemenyi, nemenyi_pvalues
from evalang.verdicts.tests.sign_tests import wilcoxon

pytestmark = pytest.mark.benchmark


def seconds(call: Callable[[], object], repeats: int = 5) -> float:
    """The fastest of a few runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def table(datasets: int, learners: int, digits: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    level = 0.6 + 0.3 * rng.random((datasets, 1))
    scores = level + rng.normal(0, 0.02, (datasets, learners)) + np.linspace(0, 0.02, learners)
    return np.round(scores, digits)


# "10x30" is read both ways: learners by datasets, and datasets by learners.
@pytest.mark.parametrize(("datasets", "learners"), [(30, 10), (100, 20), (500, 50), (10, 30), (20, 100), (50, 500)])
def test_whole_analysis_against_autorank(datasets: int, learners: int, record_property) -> None:
    """The same work: ranks, omnibus, all pairs by Nemenyi, effects, verdicts. Scores of three digits, so with ties."""
    autorank = pytest.importorskip("autorank")
    import pandas as pd

    scores = table(datasets, learners, 3)
    names = [f"l{j}" for j in range(learners)], [f"d{i}" for i in range(datasets)]
    frame = pd.DataFrame(scores, columns=names[0])

    def peer() -> None:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            autorank.autorank(frame, alpha=0.05, verbose=False, force_mode="nonparametric")

    ours, theirs = seconds(lambda: analyse(scores, *names, pairs_by="nemenyi")), seconds(peer)
    record_property("seconds", (ours, theirs))
    print(f"{datasets} datasets, {learners} learners: {ours:.4f} s against {theirs:.4f} s, {ours / theirs:.2f}")
    assert ours <= 0.5 * theirs


def test_wilcoxon_pairs_against_a_scipy_call_per_pair() -> None:
    """With ties SciPy takes the normal approximation unless told otherwise; ours is exact, and faster still."""
    from scipy import stats

    scores = table(100, 20, 3)
    names = [f"l{j}" for j in range(20)], [f"d{i}" for i in range(100)]

    def peer() -> None:
        for i in range(20):
            for j in range(i):
                stats.wilcoxon(scores[:, i], scores[:, j])

    ours, theirs = seconds(lambda: analyse(scores, *names), 3), seconds(peer, 3)
    print(f"190 pairs: {ours:.4f} s against {theirs:.4f} s")
    assert ours <= theirs


def test_nemenyi_of_a_thousand_learners() -> None:
    scores = np.random.default_rng(0).random((50, 1000))
    start = time.perf_counter()
    found = nemenyi(scores)
    records = time.perf_counter() - start
    start = time.perf_counter()
    nemenyi_pvalues(found.ranks, 50)
    alone = time.perf_counter() - start
    print(f"499,500 pairs: {alone:.3f} s the p-values, {records:.2f} s with a record of each pair")
    assert alone <= 2.0
    assert records <= 10.0


def test_friedman_of_ten_thousand_datasets() -> None:
    scores = np.random.default_rng(0).random((10_000, 1000))
    spent = seconds(lambda: friedman(scores), 1)
    print(f"Friedman 10,000 x 1,000: {spent:.2f} s")
    assert spent <= 10.0


def test_exact_wilcoxon_of_two_hundred() -> None:
    d = np.random.default_rng(0).normal(0.1, 1.0, 200)
    spent = seconds(lambda: wilcoxon(d, np.zeros(200)))
    print(f"exact Wilcoxon, 200 datasets, with interval: {spent * 1000:.1f} ms")
    assert spent <= 0.1


def test_bayes_signed_rank_against_baycomp() -> None:
    """200 datasets, 50,000 samples each; the same answer within five standard errors."""
    baycomp = pytest.importorskip("baycomp")
    rng = np.random.default_rng(1)
    a = rng.normal(0.8, 0.05, 200)
    b = a + rng.normal(-0.0012, 0.02, 200)
    start = time.perf_counter()
    ours = bayes_signed_rank(a, b, rope=0.0012, rng=np.random.default_rng(0)).posterior
    spent = time.perf_counter() - start
    start = time.perf_counter()
    theirs = baycomp.SignedRankTest.probs(b, a, 0.0012, nsamples=50_000, random_state=0)
    peer = time.perf_counter() - start
    print(f"{spent:.2f} s against {peer:.2f} s, {peer / spent:.1f} times faster; {ours} and {theirs}")
    assert (ours.p_left, ours.p_rope, ours.p_right) == pytest.approx(tuple(map(float, theirs)), abs=5 * 0.0032)
    assert spent <= peer / 5.0
