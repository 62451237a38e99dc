"""The analysis of a whole table agrees with the single tests, pair by pair."""

from __future__ import annotations

import numpy as np
import pytest

from evalang.errors import TestError
from evalang.verdicts.analysis import analyse
from evalang.verdicts.correct import adjust
from evalang.verdicts.tests.rank_tests import friedman, iman_davenport, nemenyi
from evalang.verdicts.tests.sign_tests import wilcoxon


def table(n: int, k: int, *, seed: int = 0, digits: int = 2) -> tuple[np.ndarray, list[str], list[str]]:
    rng = np.random.default_rng(seed)
    scores = np.round(0.6 + 0.3 * rng.random((n, 1)) + rng.normal(0, 0.03, (n, k)) + np.linspace(0, 0.04, k), digits)
    return scores, [f"l{j}" for j in range(k)], [f"d{i}" for i in range(n)]


@pytest.mark.parametrize(
    ("n", "k", "digits", "higher"),
    [
        (2, 3, 2, True),
        (12, 5, 2, True),
        (12, 5, 2, False),
        (30, 6, 9, False),
        (60, 4, 2, True),
        (205, 3, 2, True),
        (205, 3, 9, False),
    ],
)
def test_every_pair_is_the_single_test(n: int, k: int, digits: int, higher: bool) -> None:
    scores, learners, datasets = table(n, k, digits=digits)
    scores[0, 1] = scores[0, 0]  # a zero difference
    found = analyse(scores, learners, datasets, higher_is_better=higher)
    pairs = found.pairs
    raw = []
    for place, (i, j) in enumerate(zip(pairs.first, pairs.second, strict=True)):
        one, two = (scores[:, learners.index(found.learners[x])] for x in (i, j))
        single = wilcoxon(one, two)
        raw.append(pairs.pvalue[place])
        assert pairs.pvalue[place] == pytest.approx(single.pvalue, rel=1e-13)
        assert (pairs.statistic[place], pairs.effect[place]) == (single.statistic, single.effect.value)
        assert (pairs.wins[place], pairs.ties[place], pairs.losses[place]) == (single.wins, single.ties, single.losses)
        if pairs.rejected[place]:
            ahead = single.effect.value > 0 if higher else single.effect.value < 0
            assert pairs.better[place] == (i if ahead else j)
        else:
            assert pairs.better[place] == -1
    gate = found.omnibus.pvalue if k > 2 else 0.0
    assert pairs.adjusted.tolist() == [max(gate, p) for p in adjust(raw, "holm")]
    assert found.friedman == friedman(scores, higher_is_better=higher)
    assert found.omnibus == iman_davenport(scores, higher_is_better=higher)
    assert list(found.ranks) == sorted(found.ranks)


def test_nemenyi_is_the_single_test() -> None:
    scores, learners, datasets = table(15, 6)
    found = analyse(scores, learners, datasets, pairs_by="nemenyi")
    single = nemenyi(scores)
    by_names = {
        frozenset((learners[i], learners[j])): r for (i, j), r in zip(single.pairs, single.results, strict=True)
    }
    for place, (i, j) in enumerate(zip(found.pairs.first, found.pairs.second, strict=True)):
        result = by_names[frozenset((found.learners[i], found.learners[j]))]
        assert found.pairs.adjusted[place] == pytest.approx(result.pvalue, rel=1e-9)
        assert {found.pairs.wins[place], found.pairs.losses[place]} == {result.wins, result.losses}
    assert found.critical_difference == pytest.approx(single.critical_difference, rel=1e-12)
    assert found.correction.startswith("none")


def test_order_of_columns_and_rows_changes_nothing() -> None:
    scores, learners, datasets = table(20, 5)
    base = analyse(scores, learners, datasets)
    turned = analyse(scores[::-1, ::-1], learners[::-1], datasets[::-1])
    assert base.learners == turned.learners
    assert base.ranks == turned.ranks
    assert base.pairs.adjusted.tolist() == turned.pairs.adjusted.tolist()


def test_every_dataset_may_rank_alike() -> None:
    scores = np.tile([0.7, 0.8, 0.9], (6, 1)) + np.linspace(0, 0.05, 6)[:, None]
    assert "F = infinite, p = 0.000" in str(analyse(scores, ("a", "b", "c"), tuple("uvwxyz")))


def test_one_pair_in_full() -> None:
    scores, learners, datasets = table(12, 3)
    found = analyse(scores, learners, datasets)
    assert found.wilcoxon("l0", "l2") == wilcoxon(scores[:, 0], scores[:, 2])


@pytest.mark.parametrize(
    ("learners", "datasets", "options", "words"),
    [
        (["a", "a"], ["x", "y"], {}, "'a' is named twice"),
        (["a", "b"], ["x", "x"], {}, "'x' is named twice"),
        (["a"], ["x", "y"], {}, "1 names of learners and 2"),
        (["a", "b"], ["x", "y"], {"pairs_by": "t"}, "pairs cannot be tested"),
        (["a", "b"], ["x", "y"], {"correction": "tukey"}, "unknown correction"),
        (["a", "b"], ["x", "y"], {"alpha": 5}, "not between 0 and 1"),
    ],
)
def test_bad_input_is_named(learners: list[str], datasets: list[str], options: dict[str, object], words: str) -> None:
    with pytest.raises(TestError, match=words):
        analyse([[1, 2], [3, 1]], learners, datasets, **options)
