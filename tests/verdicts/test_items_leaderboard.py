"""Leaderboards: all pairs of many models on the same items, the places they may hold, who is not told apart."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalang.results.leaderboard import places_of
from evalang.verdicts.arithmetic.tails import Sided
from evalang.verdicts.item_evidence import flipped, item_pairs
from evalang.verdicts.tests.dependent_rows import cluster_permutation, cluster_t, of_flipped

from ..support.evidence import pvalues_of
from .test_items import run


def answers(rng: np.random.Generator, models: int, items: int) -> np.ndarray:
    """Models of one ability on items of their own difficulty."""
    return (rng.random((models, items)) < rng.beta(2, 2, items)).astype(float)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), models=st.integers(2, 6), items=st.integers(8, 60))
def test_all_pairs_at_once_are_the_pairs_one_by_one(seed: int, models: int, items: int) -> None:
    rng = np.random.default_rng(seed)
    scores = answers(rng, models, items) if seed % 2 else rng.random((models, items))
    scores[-1] = scores[0]  # two that are alike
    found = pvalues_of(item_pairs(scores))
    groups = rng.permutation(np.arange(items) % 7)
    by_group = item_pairs(scores, groups)
    for i in range(models):
        for j in range(i):
            if (scores[i] == scores[j]).all():
                assert found[i, j] == pvalues_of(by_group)[i, j] == 1.0
                continue
            if np.ptp(scores[i] - scores[j]) > 0:
                assert found[i, j] == pytest.approx(stats.ttest_rel(scores[i], scores[j]).pvalue, rel=1e-6)
            one = cluster_t(scores[i], scores[j], groups=groups)
            assert pvalues_of(by_group)[i, j] == pytest.approx(one.pvalue, rel=1e-6)


def test_the_sign_changes_of_all_pairs_are_those_of_each() -> None:
    rng = np.random.default_rng(3)
    scores, groups = answers(rng, 4, 90), np.repeat(np.arange(9), 10)
    found = item_pairs(scores, groups)
    flips = flipped(found, rng, 6)
    for i in range(4):
        for j in range(i):
            ours = of_flipped(found.clusters(i, j), flips.sums[i] - flips.sums[j], flips.sizes, Sided())
            alone = cluster_permutation(scores[i], scores[j], groups=groups, rng=rng)
            assert ours.pvalue == alone.pvalue
            assert (ours.interval.low, ours.interval.high) == pytest.approx((alone.interval.low, alone.interval.high))


def test_the_variance_of_statsmodels_with_its_own_correction() -> None:
    """Groups of one size: there statsmodels' G / (G - 1) and the 1 / (1 - n_g/n) of CR2 are the same number."""
    sm = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(11)
    groups = np.repeat(np.arange(25), 8)
    a, b = answers(rng, 2, 200) + rng.normal(0, 0.2, 25)[groups]
    fit = sm.OLS(a - b, np.ones((200, 1))).fit(cov_type="cluster", cov_kwds={"groups": groups})
    found = item_pairs(np.vstack([a, b]), groups)
    assert found.variance[0, 1] == pytest.approx(float(fit.bse[0]) ** 2, rel=1e-9)
    assert found.df == pytest.approx(24.0)


@settings(max_examples=50, deadline=None)
@given(data=st.data(), count=st.integers(2, 7))
def test_two_share_a_letter_just_when_nothing_tells_them_apart(data: st.DataObject, count: int) -> None:
    names = [f"m{i}" for i in range(count)]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    better = [pair for pair in pairs if data.draw(st.booleans())]
    found = {p.learner: p for p in places_of({n: -float(i) for i, n in enumerate(names)}, better, pairs)}
    for a, b in pairs:
        assert bool(set(found[a].ties) & set(found[b].ties)) == ((a, b) not in better)
    for name in names:
        assert found[name].low == 1 + sum(loser == name for _, loser in better)
        assert found[name].high == count - sum(winner == name for winner, _ in better)


def leaderboard(tmp_path: Path, clause: str, groups: int = 30) -> object:
    rng = np.random.default_rng(2)
    ability = {"a": 0.45, "b": 0.43, "c": 0.25, "own": 0.25, "e": 0.02}
    chance, share = rng.beta(2, 2, 600) * 0.5, rng.normal(0, 0.05, groups)
    frame = pd.DataFrame(
        {"score": int(rng.random() < chance[i] + more + share[i % groups]), "model": m, "item": i, "text": i % groups}
        for m, more in ability.items()
        for i in range(600)
    )
    script = 'results r from csv "t.csv" as score ~ model | item, groups "text"\n'
    return run(tmp_path, frame, f"{script}compare all on r measuring accuracy, {clause}, seed 1\n")


def test_a_leaderboard_from_a_script(tmp_path: Path) -> None:
    from evalang.reports import terminal
    from evalang.reports.assemble import document
    from evalang.reports.headline import headline
    from evalang.reports.sentences import words
    from evalang.reports.tables import places
    from evalang.reports.view import views

    found = leaderboard(tmp_path, "all pairs, holm over learners")
    assert {v.test.test for v in found.verdicts} == {"cluster-t"}  # thirty groups of one size are enough
    assert {v.family_size for v in found.verdicts} == {10}
    (view,) = views(found)
    held = {p.learner: (p.low, p.high, p.ties) for p in places(view, "accuracy")}
    assert held["e"][:2] == (5, 5)
    assert held["a"][0] == held["b"][0] == 1
    assert not set(held["a"][2]) & set(held["e"][2])
    assert "of 5." in headline(view).text
    assert "has the best mean accuracy of 5 models" in headline(view).text
    for said in (terminal.render(document(found), full=True), *(words(v).text() for v in found.verdicts)):
        assert not re.search(r"\blearners?\b", said.partition("\nChecklist\n")[0])


def test_against_ones_own_the_family_is_smaller(tmp_path: Path) -> None:
    from evalang.reports.headline import headline
    from evalang.reports.view import views

    found = leaderboard(tmp_path, "control own, holm over learners", groups=10)
    assert {v.test.test for v in found.verdicts} == {"cluster-permutation"}  # ten groups are too few for the t
    assert {v.family_size for v in found.verdicts} == {4}
    (view,) = views(found)
    assert "`own` has rank 3-4 of 5." in headline(view).text


def test_a_pair_picked_from_a_leaderboard_is_warned_about(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    scores = answers(rng, 12, 50)
    frame = pd.DataFrame({"score": scores[m, i], "model": f"m{m}", "item": i} for m in range(12) for i in range(50))
    script = 'results r from csv "t.csv" as score ~ model | item\ncompare m0 vs m1 on r measuring accuracy{}\n'
    codes = {f.code for f in run(tmp_path, frame, script.format("")).findings}
    assert "EV514" in codes
    named = run(tmp_path, frame, script.format(' because "fixed before the run"'))
    assert "EV514" not in {f.code for f in named.findings}
