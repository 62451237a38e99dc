"""The distribution of the signed-rank sum against R's psignrank and qsignrank."""

from __future__ import annotations

import numpy as np
import pytest

from evalang.verdicts.signed_rank import counts_up_to, critical_sum, lower_tail


def test_counts_are_those_of_the_textbook() -> None:
    """n = 4: the sums 0 to 10 occur 1 1 1 2 2 2 2 2 1 1 1 times."""
    assert counts_up_to(np.arange(1, 5), 10).tolist() == [1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1]


@pytest.mark.parametrize(("w", "expected"), [(8, 25 / 1024), (27, 512 / 1024), (54, 1023 / 1024), (55, 1.0), (-1, 0.0)])
def test_psignrank(w: int, expected: float) -> None:
    """R 4.2.2: psignrank(w, 10) times 1024 is 25, 512, 1023, 1024, 0."""
    assert lower_tail(2 * np.arange(1, 11), 2 * w) == expected


def test_critical_values_of_the_tables() -> None:
    """Two-sided 5%: n = 6: 0, 7: 2, 8: 3, 9: 5, 10: 8, 12: 13, 15: 25, 20: 52, 25: 89 (Wilcoxon's table)."""
    for n, expected in ((6, 0), (7, 2), (8, 3), (9, 5), (10, 8), (12, 13), (15, 25), (20, 52), (25, 89)):
        assert critical_sum(2 * np.arange(1, n + 1), 0.025) // 2 == expected
    assert critical_sum(2 * np.arange(1, 6), 0.025) == -1
