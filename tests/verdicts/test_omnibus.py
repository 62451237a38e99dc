"""An omnibus is the gate of its pairs, at the whole level; pairs are corrected among themselves (Demsar 2006)."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest

from evalang.reports.sentences import allowed, words
from evalang.results.run_result import RunResult
from evalang.verdicts.analysis import analyse
from evalang.verdicts.correct import adjust
from evalang.verdicts.judge import Judged, judge
from evalang.verdicts.tests.rank_tests import critical_difference

from ..support.evidence import MadeEvidence, planned
from ..support.tables import run_on

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


def judged_table(table: pd.DataFrame, clauses: str) -> RunResult:
    """All learners of a table of scores, datasets in the index."""
    with TemporaryDirectory() as folder:
        text = 'results scores from csv "scores.csv", datasets in "set", measuring accuracy\ncompare all on scores, '
        return run_on(Path(folder), text + clauses, scores=table.to_csv(index_label="set", float_format="%.17g"))


def random_scores(seed: int, datasets: int, gaps: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.8, 0.02, (datasets, 4)) + np.array(gaps)


def test_a_pair_has_at_least_the_p_of_the_omnibus() -> None:
    found = judged(random_scores(3, 12, (0.03, 0.0, 0.0, 0.0)), "by friedman, wilcoxon, holm over learners").verdicts
    over = [v for v in found if v.dataset is None]
    raw = [v.test.pvalue if v.test is not None else None for v in over]
    assert len(over) == 7
    assert [v.family_size for v in over] == [1] + [6] * 6
    assert over[0].adjusted_p == raw[0]
    own = adjust(raw[1:], "holm")
    assert [v.adjusted_p for v in over[1:]] == [max(raw[0] or 0.0, p or 0.0) for p in own]
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
    assert said.found.startswith("The 4 learners are not all equal over 6 datasets in accuracy, but no pair differs")
    assert said.scope.startswith("The test shows only whether all learners are equal")
    assert "better" not in allowed([omnibus, *pairs])[0]


def test_the_omnibus_takes_no_level_from_a_post_hoc_of_all_pairs() -> None:
    scores = random_scores(5, 14, (0.02, 0.01, 0.0, -0.01))
    together, alone = judged(scores, "by friedman, nemenyi"), judged(scores, "by nemenyi")
    (first,), (second,) = together.rankings, alone.rankings
    assert first.critical_difference == pytest.approx(critical_difference(4, 14, 0.05))
    assert second.critical_difference == pytest.approx(critical_difference(4, 14, 0.05))
    for found, ranking in ((together, first), (alone, second)):
        pairs = [v for v in found.verdicts if v.dataset is None and v.pair]
        gate = next((v.test.pvalue or 0 for v in found.verdicts if not v.pair and v.test), 0.0)
        assert [v.adjusted_p for v in pairs] == [max(gate, v.test.pvalue or 0) for v in pairs if v.test]
        ranks = dict(zip(ranking.learners, ranking.ranks, strict=True))
        apart = {p for p in combinations(NAMES, 2) if abs(ranks[p[0]] - ranks[p[1]]) >= ranking.critical_difference}
        assert {v.learners for v in pairs if v.settled} == apart  # the picture and the verdicts agree


def test_eight_learners_on_25_datasets_have_demsars_critical_difference() -> None:
    """Demsar 2006, table 5: q = 3.031 for 8 learners, times sqrt(8 * 9 / (6 * 25))."""
    scores = np.random.default_rng(8).normal(0.8, 0.02, (25, 8)) + np.linspace(0.03, 0.0, 8)
    names = [f"l{j}" for j in range(8)]
    table = pd.DataFrame(scores, columns=names, index=[f"d{i}" for i in range(25)])
    found = judged_table(table, "by friedman, nemenyi")
    (ranking,) = found.rankings
    assert ranking.critical_difference == pytest.approx(3.031 * (8 * 9 / (6 * 25)) ** 0.5, abs=0.002)
    assert round(ranking.critical_difference or 0, 2) == 2.1
    analysed = analyse(scores, names, table.index, pairs_by="nemenyi")
    assert analysed.critical_difference == pytest.approx(ranking.critical_difference)
    frame = analysed.frame
    adjusted = {
        frozenset(x): p
        for x, p in zip(zip(frame["first"], frame["second"], strict=True), frame["adjusted_p"], strict=True)
    }
    for v in found.verdicts:
        if v.pair:
            assert v.adjusted_p == pytest.approx(adjusted[frozenset(v.learners)])
    apart = {frozenset(v.learners) for v in found.verdicts if v.pair and v.settled}
    assert apart == {pair for pair, p in adjusted.items() if p <= 0.05}
    assert {frozenset(pair) for pair in ranking.joined} == set(adjusted) - apart


def test_a_closed_gate_joins_all() -> None:
    """One pair is significant by itself and the omnibus is not: nothing is, and its interval contains 0."""
    found = judged(random_scores(0, 12), "by friedman, wilcoxon, uncorrected")
    omnibus, *pairs = [v for v in found.verdicts if v.dataset is None]
    assert (omnibus.adjusted_p or 0) > 0.05
    assert min(v.test.pvalue or 1 for v in pairs if v.test) < 0.05
    assert not any(v.settled for v in pairs)
    assert len(found.rankings[0].joined) == 6
    assert all(v.interval is None or v.interval.low <= 0.0 <= v.interval.high for v in pairs)


def test_a_block_enters_everything_as_one() -> None:
    scores = random_scores(5, 14, (0.02, 0.01, 0.0, -0.01))
    sets = ", ".join(f"d{i}" for i in range(14))
    second = f"compare {' vs '.join(NAMES)} on {sets} using 10cv, by wilcoxon, all pairs, holm over everything"
    found = judged(scores, "by nemenyi, holm over everything", second).verdicts
    block, others = ([v for v in found if v.comparison == f"compare-{n}" and v.dataset is None] for n in (1, 2))
    assert [v.adjusted_p for v in block] == [min(1.0, 2 * (v.test.pvalue or 0)) for v in block if v.test]
    stepped = adjust([v.test.pvalue if v.test else None for v in others], "holm")
    assert [v.adjusted_p for v in others] == [min(1.0, 2 * (p or 0)) for p in stepped]  # two blocks of one family
    assert (
        "p is corrected by holm over 6 tests (all tests of the script). Adjusted p is then multiplied by 2"
        in words(others[0]).found
    )


def test_pairs_that_a_control_leaves_out_are_marked_as_not_tested() -> None:
    found = judged(random_scores(2, 12), "by friedman, wilcoxon, control two, holm over learners")
    (ranking,) = found.rankings
    assert set(ranking.untested) == {("one", "three"), ("one", "four"), ("three", "four")}
    assert not set(ranking.joined) & set(ranking.untested)
