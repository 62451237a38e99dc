"""Decisions: the direction of the metric, the corrected p, and nothing else."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from evalang.results.records import Interval, Posterior
from evalang.verdicts.decide import decide, decide_omnibus, matters, posterior_matters, sides_differ
from evalang.verdicts.tests.outcome_tests import mcnemar_midp
from evalang.verdicts.tests.partition_tests import five_by_two_t
from evalang.verdicts.tests.t_tests import corrected_t

HIGH = np.array([[0.90, 0.91, 0.93, 0.92, 0.90]])
LOW = np.array([[0.80, 0.83, 0.82, 0.80, 0.81]])


def test_the_better_learner_follows_the_direction_of_the_metric() -> None:
    result = corrected_t(HIGH, LOW, train_size=80, test_size=20)
    assert decide(result, 0.01, 0.05, +1) == "first-better"
    assert decide(result, 0.01, 0.05, -1) == "second-better"
    mirrored = corrected_t(LOW, HIGH, train_size=80, test_size=20)
    assert decide(mirrored, 0.01, 0.05, +1) == "second-better"


def test_the_level_is_met_or_not() -> None:
    result = corrected_t(HIGH, LOW, train_size=80, test_size=20)
    assert decide(result, 0.05, 0.05, 1) == "first-better"
    assert decide(result, np.nextafter(0.05, 1), 0.05, 1) == "not-settled"
    assert decide(None, None, 0.05, 1) == "undecided"
    assert decide_omnibus(None, 0.05) == "undecided"
    assert decide_omnibus(0.2, 0.05) == "not-settled"
    assert decide_omnibus(0.02, 0.05) == "differ"


def test_5x2cv_is_not_settled_when_its_numerator_points_the_other_way() -> None:
    d = np.array([[0.05, 0.04], [-0.06, -0.06], [-0.06, -0.06], [-0.06, -0.06], [-0.06, -0.06]])
    result = five_by_two_t(0.8 + d, np.full((5, 2), 0.8))
    assert result.pvalue < 0.05
    assert dict(result.details)["first_difference"] > 0 > result.difference
    assert decide(result, result.pvalue, 0.05, 1) == "not-settled"
    assert decide(result, result.pvalue, 0.05, -1) == "not-settled"


@pytest.mark.parametrize(
    ("probabilities", "sign", "expected"),
    [
        ((0.01, 0.02, 0.97), 1, "first-better"),
        ((0.01, 0.02, 0.97), -1, "second-better"),
        ((0.96, 0.02, 0.02), 1, "second-better"),
        ((0.01, 0.98, 0.01), 1, "equivalent"),
        ((0.3, 0.3, 0.4), 1, "not-settled"),
    ],
)
def test_a_posterior_decides_at_95_percent(probabilities: tuple[float, float, float], sign: int, expected: str) -> None:
    left, rope, right = probabilities
    result = dataclasses.replace(
        corrected_t(HIGH, LOW, train_size=80, test_size=20),
        pvalue=None,
        posterior=Posterior(p_left=left, p_rope=rope, p_right=right, rope=0.01),
    )
    assert decide(result, None, 0.05, sign) == expected


@pytest.mark.parametrize(
    ("low", "high", "rope", "expected"),
    [
        (-0.005, 0.008, 0.01, "too-small"),
        (0.011, 0.03, 0.01, "matters"),
        (-0.03, -0.02, 0.01, "matters"),
        (0.005, 0.03, 0.01, "cannot-tell"),
        (0.005, 0.03, None, "no-rope"),
    ],
)
def test_whether_it_matters_is_read_off_the_interval(
    low: float, high: float, rope: float | None, expected: str
) -> None:
    interval = Interval(low=low, high=high, level=0.95, method="")
    assert matters("first-better", interval, rope) == expected
    unsettled = "cannot-tell" if expected == "matters" else expected
    assert matters("not-settled", interval, rope) == unsettled
    assert matters("first-better", None, 0.01) == "cannot-tell"


def test_a_posterior_says_itself_whether_it_matters() -> None:
    for left, inside, right, expected in (
        (0.01, 0.02, 0.97, "matters"),
        (0.96, 0.04, 0.0, "matters"),
        (0.01, 0.96, 0.03, "too-small"),
        (0.3, 0.4, 0.3, "cannot-tell"),
    ):
        posterior = Posterior(p_left=left, p_rope=inside, p_right=right, rope=0.01)
        assert posterior_matters(posterior, 0.01) == expected
    assert posterior_matters(posterior, None) == "no-rope"


def test_p_and_its_own_interval_on_different_sides_settle_nothing() -> None:
    """McNemar's mid-p and Tango's interval are close relatives and no twins: some tables fall between them."""
    apart = 0
    for n01 in range(16):
        for n10 in range(n01, 40):
            result = mcnemar_midp(n01, n10, rows=60)
            rejects, inside = result.pvalue <= 0.05, result.interval.low < 0 < result.interval.high
            apart += rejects == inside
            assert sides_differ(result) == (rejects == inside)
            decided = decide(result, result.pvalue, 0.05, 1)
            assert (decided in ("first-better", "second-better")) == (rejects and not inside)
    assert apart > 0
