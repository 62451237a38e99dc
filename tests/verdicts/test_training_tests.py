"""quasi-f and retrained-t: learners trained again and again, how sure the answer is, and what it is about."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evalang import run
from evalang.errors import TestError
from evalang.verdicts.tests.t_tests import row_t
from evalang.verdicts.tests.training_tests import quasi_f, retrained_interval, retrained_t

WILD = """
set seed 3
learner wild is decision-tree(splitter = "random", max_features = 1), train 15 times
learner steady is decision-tree(max_depth = 6)
compare wild vs steady on waveform using holdout 1/3 measuring {metrics} holm over metrics
"""


def drawn(rng: np.random.Generator, times: int, rows: int, training: float, rest: float) -> np.ndarray:
    """One learner: a skill on every row, a luck of every training, and what is left."""
    skill, luck = rng.normal(0, 1, rows), rng.normal(0, training, (times, 1))
    return skill + luck + rng.normal(0, rest, (times, rows))


def test_one_training_is_the_t_test_on_rows() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random(50), rng.random(50)
    for side in ("two-sided", "greater", "less"):
        ours, rows = retrained_t(a, b, alternative=side), row_t(a, b, alternative=side)
        assert ours.pvalue == pytest.approx(rows.pvalue, rel=1e-9)
        assert (ours.interval.low, ours.interval.high) == pytest.approx((rows.interval.low, rows.interval.high))


def test_p_and_interval_are_one_statement() -> None:
    rng = np.random.default_rng(2)
    for _ in range(60):
        a, b = drawn(rng, 4, 40, 0.2, 1.0) + rng.normal(0, 0.3), drawn(rng, 1, 40, 0.2, 1.0)
        found = retrained_t(a, b)
        assert (found.pvalue < 0.05) == (found.interval.low > 0 or found.interval.high < 0)
        assert found.difference == pytest.approx(a.mean() - b.mean())


@pytest.mark.parametrize(("times", "rows"), [(2, 300), (3, 2000)])
def test_type_one_error_and_coverage(times: int, rows: int) -> None:
    """A null with luck of training; the t test on the means of rows rejects in a third of the middle case."""
    rng = np.random.default_rng(times)
    runs, rejected, alone, held = 200, 0, 0, 0
    for _ in range(runs):
        a, b = (drawn(rng, times, rows, 0.05, 1.0) for _ in range(2))
        found = retrained_t(a, b)
        rejected += found.pvalue <= 0.05
        alone += (row_t(a.mean(axis=0), b.mean(axis=0)).pvalue or 1.0) <= 0.05
        within = retrained_interval(a, bounds=(None, None)).interval
        held += within.low <= 0.0 <= within.high
    assert rejected / runs <= 0.09
    assert held / runs >= 0.92
    if rows == 2000:
        assert alone / runs > 0.2


def test_no_variance() -> None:
    same = np.ones((3, 10))
    assert retrained_t(same, same).pvalue == 1.0
    with pytest.raises(TestError, match="no variance"):
        retrained_t(same, same * 0.5)


@pytest.mark.parametrize(
    "metrics", ["accuracy, error, brier, root-brier, cross-entropy", "balanced-accuracy, roc-area"]
)
def test_the_verdict_is_about_the_mean_of_the_table(metrics: str, tmp_path: Path) -> None:
    """The vote of fifteen wild trees is better than the steady one, each of them is worse."""
    result = run(WILD.format(metrics=metrics), out=tmp_path / "run")
    for verdict in result.run.verdicts:
        means = {s.learner: s.mean for s in verdict.scores}
        assert verdict.difference == pytest.approx(means["wild"] - means["steady"], abs=1e-9)
        assert verdict.decision == "second-better"


def test_the_ends_of_the_interval_of_quasi_f_are_just_rejected() -> None:
    a, b = np.random.default_rng(4).normal(size=(2, 6, 25))
    interval = quasi_f(a, b).interval
    for end in (interval.low, interval.high):
        assert quasi_f(a, b + end).pvalue == pytest.approx(0.05, abs=1e-6)


def test_degenerate_is_p_one_with_a_note() -> None:
    x = np.arange(12.0).reshape(3, 4)
    same, shifted = quasi_f(x, x), quasi_f(x, x + 1.0)
    assert same.pvalue == shifted.pvalue == 1.0
    assert same.notes
    assert "nothing to divide by" in shifted.notes[0]


def test_too_few() -> None:
    with pytest.raises(TestError, match="at least 2 training sets and 2 test rows, and there are 1 and 3"):
        quasi_f([[1, 2, 3]], [[1, 2, 4]])
