"""DeLong's test against pROC, and its variance against the definition."""

from __future__ import annotations

import pytest

from evalang.errors import TestError
from evalang.verdicts.tests.outcome_tests import delong


def test_float_noise_in_scores_is_a_tie() -> None:
    truth = [1, 1, 0, 0, 1, 0]
    exact, noisy = [0.3, 0.9, 0.3, 0.1, 0.5, 0.2], [0.1 + 0.2, 0.9, 0.3, 0.1, 0.5, 0.2]
    assert delong(truth, exact, noisy).pvalue == 1.0


def test_opposite_perfect_scores_have_no_variance() -> None:
    with pytest.raises(TestError, match="variance is 0"):
        delong([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], [0.9, 0.8, 0.2, 0.1])
