"""Simultaneous intervals by the largest t: critical values of others, coverage, and agreement with the verdict."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from evalang.reports import terminal
from evalang.reports.assemble import document
from evalang.results.records import Verdict
from evalang.verdicts.correct import critical_value

from ..support.tables import run_on

LEARNERS = ("a", "b", "c", "d")


def test_with_equal_variances_all_pairs_are_tukeys() -> None:
    """Differences of k independent columns: max |t| is the studentized range over the square root of 2."""
    for k, df in ((3, 20), (4, 60), (6, 12)):
        pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
        contrast = np.array([[(x == i) - (x == j) for x in range(k)] for i, j in pairs]) / np.sqrt(2)
        found = critical_value(contrast @ contrast.T, df, 0.05, np.random.default_rng(k))
        assert found == pytest.approx(stats.studentized_range.ppf(0.95, k, df) / np.sqrt(2), abs=0.02)


@pytest.mark.parametrize(("others", "df", "table"), [(2, 20, 2.38), (3, 20, 2.54), (4, 20, 2.65), (5, 10**6, 2.51)])
def test_with_a_control_they_are_dunnetts(others: int, df: int, table: float) -> None:
    """Dunnett (1964), table of two-sided comparisons with a control at 5%."""
    correlation = np.full((others, others), 0.5) + 0.5 * np.eye(others)
    assert critical_value(correlation, df, 0.05, np.random.default_rng(2)) == pytest.approx(table, abs=0.02)


def test_unrelated_and_identical_differences_are_the_two_ends() -> None:
    apart = critical_value(np.eye(4), 1000, 0.05, np.random.default_rng(3))
    assert apart == pytest.approx(stats.t.isf((1 - 0.95**0.25) / 2, 1000), abs=0.02)  # Sidak
    same = critical_value(np.ones((4, 4)), 1000, 0.05, np.random.default_rng(4))
    assert same == pytest.approx(stats.t.isf(0.025, 1000), abs=0.02)


def judged(folder: Path, seed: int, more: str, ahead: float = 0.0, rows: int = 60) -> tuple[list[Verdict], str]:
    """Numbers predicted by four learners whose errors go together, judged by row-t or, in a table, by paired-t."""
    rng = np.random.default_rng(seed)
    if "paired-t" in more:
        level = rng.uniform(0.6, 0.9, (15, 1))
        frame = pd.DataFrame(level + rng.normal(size=(15, 4)) * 0.02 + np.array([ahead, 0, 0, 0]), columns=LEARNERS)
        frame.insert(0, "set", [f"s{i}" for i in range(15)])
        head = 'results p from csv "p.csv", datasets in "set", measuring accuracy\n'
    else:
        y, shared = rng.normal(size=rows) * 3, rng.normal(size=rows)
        said = {x: y + shared + rng.normal(size=rows) for x in LEARNERS}
        said["a"] = said["a"] + ahead
        frame = pd.DataFrame({"y": y, **said})
        head = 'predictions p from csv "p.csv", truth "y", learners in "a", "b", "c", "d"\n'
    result = run_on(folder, f"{head}compare all on p{more}\n", p=frame)
    return [v for v in result.verdicts if v.pair], terminal.render(document(result), full=True)


@pytest.mark.parametrize(
    ("more", "way"),
    [
        (", measuring mae, holm over learners", "max-t"),
        (", measuring mae, control a, holm over learners", "Dunnett"),
        (", by paired-t, all pairs, holm over learners", "max-t"),
        (", by paired-t, control a, bonferroni over learners", "Dunnett"),
    ],
)
def test_the_interval_says_which_it_is_and_agrees_with_the_verdict(more: str, way: str, tmp_path: Path) -> None:
    settled = 0
    for seed, ahead in ((1, 0.0), (2, 0.5), (3, 1.5)):
        verdicts, text = judged(tmp_path, seed, more, ahead / 40 if "paired-t" in more else ahead)
        assert f"for each of {len(verdicts)} tests, by {way}" in " ".join(text.split())
        for v in verdicts:
            assert v.test.difference is not None
            single, bonferroni = v.test.interval, 1 - 0.05 / len(verdicts)
            assert v.interval.low <= single.low
            assert v.interval.high >= single.high
            assert single.level < v.interval.level <= bonferroni + 1e-12
            if v.decision == "not-settled":
                assert v.interval.low <= 0.0 <= v.interval.high
            settled += v.settled
    assert settled


def test_other_tests_keep_bonferronis(tmp_path: Path) -> None:
    verdicts, text = judged(
        tmp_path, 1, ", measuring rmse, by bootstrap(resamples = 201), all pairs, holm over learners, seed 1"
    )
    assert verdicts
    assert "max-t" not in text
