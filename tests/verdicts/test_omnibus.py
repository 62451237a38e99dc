"""An omnibus is a member of its family and gates nothing; a post-hoc of all pairs is one block of it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from evalang.reports.sentences import allowed, words
from evalang.verdicts.adjust import adjust
from evalang.verdicts.judge import Judged, judge
from evalang.verdicts.tests.rank_tests import critical_difference

from ..support.evidence import MadeEvidence, planned

NAMES = ("one", "two", "three", "four")
LEARNERS = "\n".join(f"learner {name} is decision-tree(max_depth = {i + 1})" for i, name in enumerate(NAMES))


def judged(scores: np.ndarray, clauses: str, more: str = "") -> Judged:
    """Four learners over as many datasets as there are rows."""
    sets = tuple(f"d{i}" for i in range(len(scores)))
    text = "\n".join(f'dataset {name} from csv "{name}.csv", target "y"' for name in sets)
    text += f"\n{LEARNERS}\ncompare {' vs '.join(NAMES)} on {', '.join(sets)} using 10cv, {clauses}\n{more}"
    folds = {
        d: {"accuracy": {x: np.full((1, 10), scores[i, j]) for j, x in enumerate(NAMES)}} for i, d in enumerate(sets)
    }
    plan = planned(text)
    return judge(plan, {c.name: MadeEvidence(folds) for c in plan.comparisons})


def random_scores(seed: int, datasets: int, gaps: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.8, 0.02, (datasets, 4)) + np.array(gaps)


def test_the_omnibus_is_corrected_with_its_pairs() -> None:
    found = judged(random_scores(3, 12, (0.03, 0.0, 0.0, 0.0)), "by friedman, wilcoxon, holm over learners").verdicts
    over = [v for v in found if v.dataset is None]
    raw = [v.test.pvalue if v.test is not None else None for v in over]
    assert len(over) == 7
    assert [v.family_size for v in over] == [7] * 7
    assert [v.adjusted_p for v in over] == pytest.approx(list(adjust(raw, "holm")))
    assert {v.family for v in over} == {"compare-1 over datasets"}


def test_not_all_equal_and_no_pair_settled_is_all_that_is_said() -> None:
    """Six datasets in the same order: Friedman is sure, and no wilcoxon of six can be below 2/64."""
    found = judged(
        np.tile([0.9, 0.8, 0.7, 0.6], (6, 1)) + random_scores(1, 6) / 100, "by friedman, wilcoxon, holm over learners"
    )
    omnibus, *pairs = [v for v in found.verdicts if v.dataset is None]
    assert omnibus.decision == "differ"
    assert not any(v.settled for v in pairs)
    said = words(omnibus)
    assert "the 4 learners are not all equal in accuracy, but no pair differs significantly" in said.found
    assert "is answered" not in said.allows
    assert "is answered" not in allowed([omnibus, *pairs])[0]


def test_a_post_hoc_of_all_pairs_shares_the_level_with_its_omnibus() -> None:
    scores = random_scores(5, 14, (0.02, 0.01, 0.0, -0.01))
    together, alone = judged(scores, "by friedman, nemenyi"), judged(scores, "by nemenyi")
    (first,), (second,) = together.rankings, alone.rankings
    assert first.critical_difference == pytest.approx(critical_difference(4, 14, 0.025))
    assert second.critical_difference == pytest.approx(critical_difference(4, 14, 0.05))
    for found, ranking in ((together, first), (alone, second)):
        pairs = [v for v in found.verdicts if v.dataset is None and v.pair]
        blocks = 2 if found is together else 1
        assert [v.adjusted_p for v in pairs] == [min(1.0, blocks * (v.test.pvalue or 0)) for v in pairs if v.test]
        ranks = dict(zip(ranking.learners, ranking.ranks, strict=True))
        apart = {p for p in combinations(NAMES, 2) if abs(ranks[p[0]] - ranks[p[1]]) >= ranking.critical_difference}
        assert {v.learners for v in pairs if v.settled} == apart  # the picture and the verdicts agree


def test_a_block_enters_everything_as_one() -> None:
    scores = random_scores(5, 14, (0.02, 0.01, 0.0, -0.01))
    sets = ", ".join(f"d{i}" for i in range(14))
    second = f"compare {' vs '.join(NAMES)} on {sets} using 10cv, by wilcoxon, all pairs, holm over everything"
    found = judged(scores, "by nemenyi, holm over everything", second).verdicts
    block, others = ([v for v in found if v.comparison == f"compare-{n}" and v.dataset is None] for n in (1, 2))
    assert [v.adjusted_p for v in block] == [min(1.0, 2 * (v.test.pvalue or 0)) for v in block if v.test]
    stepped = adjust([v.test.pvalue if v.test else None for v in others], "holm")
    assert [v.adjusted_p for v in others] == [min(1.0, 2 * (p or 0)) for p in stepped]  # two blocks of one family
    assert "by holm over a family of 6 tests, times 2 blocks of its family" in words(others[0]).found


def test_pairs_that_a_control_leaves_out_are_marked_as_not_tested() -> None:
    found = judged(random_scores(2, 12), "by friedman, wilcoxon, control two, holm over learners")
    (ranking,) = found.rankings
    assert set(ranking.untested) == {("one", "three"), ("one", "four"), ("three", "four")}
    assert not set(ranking.joined) & set(ranking.untested)


@pytest.mark.slow
@pytest.mark.parametrize("clauses", ["by friedman, wilcoxon, holm over learners", "by friedman, nemenyi"])
def test_error_of_omnibus_and_pairs_together(clauses: str) -> None:
    """Outside the family, with a sentence of its own, the omnibus took the union to .075."""
    runs = 400
    wrong = 0
    for seed in range(runs):
        verdicts = judged(random_scores(1000 + seed, 12), clauses).verdicts
        wrong += any(v.settled for v in verdicts if v.dataset is None)
    assert wrong / runs <= 0.06 + 2 * (0.05 * 0.95 / runs) ** 0.5
