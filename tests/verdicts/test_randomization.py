"""randomization: (b + 1)/(m + 1), with ties counted against."""

from __future__ import annotations

import pytest

from evalang.errors import TestError
from evalang.verdicts.tests.resampling_tests import randomization


def test_by_hand() -> None:
    found = randomization(0.8, [0.5, 0.6, 0.7, 0.8])
    assert found.pvalue == 2 / 5  # the tie counts as at least as good
    assert found.difference == pytest.approx(0.8 - 0.65)
    assert (found.wins, found.ties, found.losses) == (3, 1, 0)


def test_never_zero() -> None:
    assert randomization(0.99, [0.5] * 99).pvalue == 1 / 100


def test_lower_is_better() -> None:
    assert randomization(0.1, [0.5, 0.4, 0.05], alternative="less").pvalue == 2 / 4


def test_float_noise_is_a_tie() -> None:
    assert randomization(0.3, [0.1 + 0.2, 0.1]).pvalue == 2 / 3
    assert randomization(0.1 + 0.2, [0.3, 0.1]).pvalue == 2 / 3


def test_all_the_same() -> None:
    found = randomization(0.5, [0.5, 0.5])
    assert found.pvalue == 1.0
    assert found.notes


def test_bad_input() -> None:
    with pytest.raises(TestError, match="at least 1 shuffle"):
        randomization(0.5, [])
    with pytest.raises(TestError, match="missing score at unit 2"):
        randomization(0.5, [0.5, float("nan")])
