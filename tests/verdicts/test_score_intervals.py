"""Intervals of one learner against R, exact coverage and simulation-free identities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from evalang.errors import TestError
from evalang.verdicts.tests.intervals import clopper_pearson, corrected_interval, training_interval, wilson


@pytest.mark.parametrize("n", [1, 5, 20])
def test_clopper_pearson_covers_by_enumeration(n: int) -> None:
    intervals = [clopper_pearson(s, n).interval for s in range(n + 1)]
    for p in np.linspace(0.01, 0.99, 99):
        covered = sum(stats.binom.pmf(s, n, p) for s, i in enumerate(intervals) if i.low <= p <= i.high)
        assert covered >= 0.95 - 1e-12


def test_corrected_interval_by_hand() -> None:
    """Ten folds 0.1 to 1.0: mean 0.55, s^2 = 0.0916667; 90 and 10 rows, t(9) = 2.262157."""
    scores = np.arange(1, 11) / 10
    found = corrected_interval(scores, train_size=90, test_size=10, bounds=(None, None))
    half = 2.262157163 * math.sqrt((1 / 10 + 1 / 9) * 0.09166666666666667)
    assert found.value == pytest.approx(0.55)
    assert (found.interval.low, found.interval.high) == pytest.approx((0.55 - half, 0.55 + half), rel=1e-9)
    clipped = corrected_interval(scores.reshape(2, 5) + 0.4, train_size=90, test_size=10)
    assert clipped.interval.high == 1.0


def test_training_interval_by_hand() -> None:
    """Two training sets, two rows, losses 1 2 / 3 8: mean squares 16, 9 and 4; (16 + 9 - 4) / 4 is the variance."""
    found = training_interval([[1, 2], [3, 8]], bounds=(None, None))
    assert found.value == 3.5
    assert found.standard_error == pytest.approx(math.sqrt(21 / 4))
    assert dict(found.details)["residual variance"] == pytest.approx(4.0)
    assert dict(found.details)["variance between training sets"] == pytest.approx(6.0)


def test_training_interval_covers_new_training_sets() -> None:
    """Two-way normal components: 2,000 intervals at 95% hold the truth at least 93% of the time (99.9% band: 93.4%)."""
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(2000):
        y = rng.normal(0, 1, (8, 1)) + rng.normal(0, 1, (1, 20)) + rng.normal(0, 1, (8, 20))
        interval = training_interval(y, bounds=(None, None)).interval
        held += interval.low <= 0.0 <= interval.high
    assert held / 2000 >= 0.93


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: wilson(5, 0), "at least 1 test row"),
        (lambda: wilson(6, 5), "6 successes among 5"),
        (lambda: wilson(0.5, 5), "not a whole number"),
        (lambda: corrected_interval([0.5], train_size=9, test_size=1), "at least 2 folds"),
        (lambda: corrected_interval([0.5, 0.6]), "sizes"),
        (lambda: corrected_interval([[0.5, 0.6], [0.7]], train_size=9, test_size=1), "not a table of numbers"),
        (lambda: corrected_interval([0.5, math.nan], train_size=9, test_size=1), "missing score at unit 2"),
        (lambda: training_interval([[1, 2]]), "at least 2 training sets"),
        (lambda: training_interval([[1, 2], [3, math.inf]]), "row 2, column 2"),
    ],
)
def test_bad_input_is_named(call, words: str) -> None:
    with pytest.raises(TestError, match=words):
        call()
