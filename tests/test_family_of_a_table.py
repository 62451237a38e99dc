"""The tests on a results table are counted when it is read: its learners and datasets make the family."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.plans.description import describe
from evalang.plans.opened_data import OpenedTable, with_opened_data
from evalang.results.run_result import RunResult

from .support.tables import run_on

LEARNERS = ("a", "b", "c", "d", "e")


def run(folder: Path, text: str) -> RunResult:
    """The result of a script on a table of scores in which no learner is better than another."""
    scores = pd.DataFrame(np.random.default_rng(3).normal(0.8, 0.03, (12, 5)), columns=LEARNERS)
    scores.insert(0, "set", [f"s{i}" for i in range(12)])
    table = 'results scores from csv "scores.csv", datasets in "set", measuring accuracy\n'
    return run_on(folder, table + text, scores=scores)


def test_ten_pairs_of_five_learners_are_one_family(tmp_path: Path) -> None:
    found = run(tmp_path, "compare all on scores, all pairs, by wilcoxon, holm over learners")
    pairs = [v for v in found.verdicts if v.pair]
    assert [v.family_size for v in pairs] == [10] * 10
    raw = sorted(v.test.pvalue or 0.0 for v in pairs if v.test is not None)
    smallest = min(pairs, key=lambda v: v.adjusted_p or 0.0)
    assert smallest.adjusted_p == pytest.approx(min(1.0, 10 * raw[0]))
    assert found.plan.comparisons[0].learners == LEARNERS


def test_ten_tests_without_a_correction_are_corrected_by_holm_once_the_table_is_read(tmp_path: Path) -> None:
    silent = run(tmp_path, "compare all on scores, all pairs, by wilcoxon")
    written = run(tmp_path, "compare all on scores, all pairs, by wilcoxon, holm over learners")
    assert [v.adjusted_p for v in silent.verdicts] == [v.adjusted_p for v in written.verdicts]
    assert ("EV501", "note") in {(f.code, f.level) for f in silent.findings}


def test_plan_and_run_use_the_smallest_alpha_of_statements_corrected_together(tmp_path: Path) -> None:
    text = "compare a vs b on scores by wilcoxon, at alpha 0.01\ncompare a vs c on scores by wilcoxon"
    found = run(tmp_path, text)
    unread = build(SourceText("x.eval", f'results scores from csv "s.csv", measuring accuracy\n{text}')).plan
    for plan in (unread, found.plan):
        assert [c.alpha.value for c in plan.comparisons] == [0.01, 0.01]
        assert "alpha 0.01  (the smallest alpha of compare-1 and compare-2, which are corrected" in describe(plan)
        assert "alpha 0.05" not in describe(plan)
    assert [v.alpha for v in found.verdicts] == [0.01, 0.01]


def test_the_plan_alone_says_that_it_cannot_count() -> None:
    text = 'results r from csv "r.csv", measuring accuracy\ncompare all on r, by wilcoxon'
    unread = build(SourceText("x.eval", text)).plan
    assert unread.families == ()
    assert "the number of tests is not known before `r` is read" in describe(unread)
    read = with_opened_data(
        build(SourceText("x.eval", text)), {}, {"compare-1": OpenedTable(LEARNERS, ("s1", "s2"))}
    ).plan
    assert sum(f.size * f.count for f in read.families) == 10
    assert "cannot be counted" not in describe(read)


def test_the_datasets_of_a_table_of_folds_count() -> None:
    text = (
        'results r from csv "r.csv", as score ~ learner | dataset / fold, measuring accuracy\n'
        "compare p vs q on r, by corrected-t, holm over datasets"
    )
    assert build(SourceText("x.eval", text)).plan.families == ()
    tables = {"compare-1": OpenedTable(("p", "q"), ("s1", "s2", "s3"))}
    (family,) = with_opened_data(build(SourceText("x.eval", text)), {}, tables).plan.families
    assert (family.size, family.count) == (3, 1)
