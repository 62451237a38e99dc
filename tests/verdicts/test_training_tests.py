"""quasi-f and retrained-t: learners trained again and again, how sure the answer is, and what it is about."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evalang.errors import TestError
from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.verdicts.apply import compute
from evalang.verdicts.arithmetic.tails import Sided
from evalang.verdicts.shapes import TestSubject, learner_losses, training_losses
from evalang.verdicts.tests.t_tests import row_t
from evalang.verdicts.tests.training_tests import quasi_f, retrained_interval, retrained_t


def drawn(rng: np.random.Generator, times: int, rows: int, training: float, rest: float) -> np.ndarray:
    """One learner: a skill on every row, a luck of every training, and what is left."""
    skill, luck = rng.normal(0, 1, rows), rng.normal(0, training, (times, 1))
    return skill + luck + rng.normal(0, rest, (times, rows))


def test_one_training_is_the_t_test_on_rows() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random(50), rng.random(50)
    for side in ("two-sided", "greater", "less"):
        ours, rows = retrained_t(a, b, asked=Sided(side)), row_t(a, b, asked=Sided(side))
        assert ours.pvalue == pytest.approx(rows.pvalue, rel=1e-9)
        assert (ours.interval.low, ours.interval.high) == pytest.approx((rows.interval.low, rows.interval.high))


def test_p_and_interval_are_one_statement() -> None:
    rng = np.random.default_rng(2)
    for _ in range(60):
        a, b = drawn(rng, 4, 40, 0.2, 1.0) + rng.normal(0, 0.3), drawn(rng, 1, 40, 0.2, 1.0)
        found = retrained_t(a, b)
        assert (found.pvalue < 0.05) == (found.interval.low > 0 or found.interval.high < 0)
        assert found.difference == pytest.approx(a.mean() - b.mean())


@pytest.mark.parametrize("side", ["two-sided", "greater"])
def test_the_error_and_the_critical_value_by_their_formulas(side: Any) -> None:
    """Cochran and Cox: t of rows and of trainings, weighted by their parts of the variance."""
    rng = np.random.default_rng(3)
    for times, rows, training in ((2, 30, 1.0), (3, 200, 0.3), (5, 40, 1.0)):
        made = drawn(rng, times, rows, training, 1.0)
        of_rows, of_trainings = made.mean(axis=0), made.mean(axis=1)
        a, b = of_rows.var(ddof=1) / rows, of_trainings.var(ddof=1) / times
        rest = made - of_rows - of_trainings[:, None] + made.mean()
        v = max(a + b - (rest**2).sum() / ((rows - 1) * (times - 1) * rows * times), a, b)
        t = stats.t.ppf(0.975 if side == "two-sided" else 0.95, [rows - 1, times - 1])
        low = made.mean() - (a * t[0] + b * t[1]) / (a + b) * math.sqrt(v)
        compared = retrained_t(made, np.zeros(rows), asked=Sided(side))
        assert (compared.statistic, compared.interval.low) == pytest.approx((made.mean() / math.sqrt(v), low))
        assert bool(compared.unmet) == (times == 2)  # two trainings know little of their own spread
        if side == "two-sided":
            alone = retrained_interval(made, bounds=(None, None))
            assert (alone.standard_error, alone.interval.low) == pytest.approx((math.sqrt(v), low))


def test_no_variance() -> None:
    same = np.ones((3, 10))
    assert retrained_t(same, same).pvalue == 1.0
    with pytest.raises(TestError, match="variance is 0"):
        retrained_t(same, same * 0.5)


def test_degenerate_is_p_one_with_a_note() -> None:
    x = np.arange(12.0).reshape(3, 4)
    same, shifted = quasi_f(x, x), quasi_f(x, x + 1.0)
    assert same.pvalue == shifted.pvalue == 1.0
    assert same.notes
    assert "so se is 0" in shifted.notes[0]


def test_too_few() -> None:
    with pytest.raises(TestError, match="at least 2 training sets and 2 test rows, and there are 1 and 3"):
        quasi_f([[1, 2, 3]], [[1, 2, 4]])


class _InGroups:
    """Evidence of `grouped N trainings of M`: [training set, test row] of each learner, and the groups of the rows."""

    def __init__(self, sizes: list[int], sd: float, rng: np.random.Generator) -> None:
        self.groups = np.repeat(np.arange(len(sizes)), sizes)
        shared = rng.normal(0, sd, len(sizes))[self.groups] + rng.normal(0, 0.45, self.groups.size)
        first = 0.7 + shared + rng.normal(0, 0.2, (8, self.groups.size))
        self.values = {"a": first, "b": np.full_like(first, 0.7)}

    def training_values(self, dataset: str, metric: str) -> dict[str, np.ndarray]:
        return self.values

    def row_places(self, dataset: str, kind: str) -> np.ndarray:
        return self.groups

    def at(self, *learners: str) -> TestSubject:
        (comparison,) = build(SourceText("s.eval", GROUPED)).plan.comparisons
        metric = comparison.metrics[0]
        return TestSubject(comparison=comparison, evidence=self, metric=metric, learners=learners, dataset="d")  # type: ignore[arg-type]


GROUPED = (
    'dataset d from csv "d.csv", target "y", groups "g"\ncompare a vs b on d using grouped 8 trainings of 50, seed 1\n'
)


def test_grouped_trainings_keep_their_level() -> None:
    """Groups that differ, learners that do not: counting rows, .43 of these nulls were rejected."""
    rng, runs = np.random.default_rng(5), 80
    rejected, by_rows, held = 0, 0, 0
    for _ in range(runs):
        drawn = _InGroups([50] * 20, 0.15, rng)
        rejected += quasi_f_p(drawn) <= 0.05
        by_rows += quasi_f(drawn.values["a"], drawn.values["b"]).pvalue <= 0.05
        interval = compute("training-interval", **learner_losses(drawn.at("a"))).interval
        held += interval.low <= 0.7 <= interval.high
    assert rejected / runs <= 0.09
    assert by_rows / runs > 0.25
    assert held / runs >= 0.90  # two errors of 80 runs below .95


def quasi_f_p(drawn: _InGroups) -> float:
    return compute("quasi-f", **training_losses(drawn.at("a", "b"))).pvalue or 0.0


def test_groups_of_one_row_are_rows_and_large_groups_count_for_more() -> None:
    rng = np.random.default_rng(8)
    alone = _InGroups([1] * 40, 0.2, rng)
    assert quasi_f_p(alone) == pytest.approx(quasi_f(alone.values["a"], alone.values["b"]).pvalue, rel=1e-9)
    uneven = _InGroups([1, 5, 9, 30, 2, 7], 0.2, rng)
    found = compute("quasi-f", **training_losses(uneven.at("a", "b")))
    assert found.difference == pytest.approx((uneven.values["a"] - uneven.values["b"]).mean(), abs=1e-12)
    assert "8 training sets and 6 groups" in found.method
