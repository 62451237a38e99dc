"""A million item scores of forty models: all pairs, clustered, against one NumPy pass over the same pairs."""

from __future__ import annotations

import tracemalloc
from itertools import combinations

import numpy as np
import pytest

from evalang.results.leaderboard import places_of
from evalang.verdicts.correct import adjust
from evalang.verdicts.item_evidence import item_pairs

from ..support.evidence import pvalues_of
from .test_analysis_speed import seconds

pytestmark = pytest.mark.benchmark


def test_a_million_scores_of_forty_models() -> None:
    """p of all 780 pairs by CR2, Holm, places; against the paired means of the same pairs."""
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 500, 25_000)
    ability = np.linspace(0, 0.2, 40)[:, None]
    scores = (rng.random((40, 25_000)) < rng.beta(2, 2, 25_000) * 0.8 + ability).astype(float)
    pairs = list(combinations(range(40), 2))

    def ours() -> object:
        found = item_pairs(scores, groups)
        p = pvalues_of(found)
        adjusted = adjust([float(p[i, j]) for i, j in pairs], "holm")
        settled = [pair for pair, q in zip(pairs, adjusted, strict=True) if q is not None and q <= 0.05]
        better = [(str(i), str(j)) if found.means[i] > found.means[j] else (str(j), str(i)) for i, j in settled]
        means = {str(i): float(m) for i, m in enumerate(found.means)}
        return places_of(means, better, [(str(i), str(j)) for i, j in pairs])

    def numpy_pass() -> object:
        return [float((scores[i] - scores[j]).mean()) for i, j in pairs]

    ours()
    spent, one_pass = seconds(ours), seconds(numpy_pass)
    tracemalloc.start()
    ours()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(
        f"780 pairs of 25,000 items in 500 groups: {spent:.3f} s, {spent / one_pass:.1f} passes, {peak / 2**20:.0f} MB"
    )
    assert spent <= 10.0 * one_pass
    assert peak <= 2**30
