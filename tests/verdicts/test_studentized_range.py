"""The range of k normals: against scipy in the middle, against itself by integration on the grid."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evalang.verdicts.arithmetic.studentized_range import range_quantile, range_sf


@pytest.mark.parametrize("k", [2, 3, 10, 100])
def test_agrees_with_scipy_where_scipy_has_digits(k: int) -> None:
    q = np.linspace(0.1, 6.0, 12)
    assert range_sf(q, k) == pytest.approx(stats.studentized_range.sf(q, k, np.inf), abs=1e-12, rel=1e-9)


@pytest.mark.parametrize("k", [2, 10, 1000])
def test_the_grid_agrees_with_the_integral(k: int) -> None:
    q = np.linspace(0.01, 45.0, 3001)
    some = np.arange(0, 3001, 100)
    assert range_sf(q, k)[some] == pytest.approx(range_sf(q[some], k), rel=1e-6)


def test_monotone_and_within_bounds() -> None:
    p = range_sf(np.linspace(0.0, 100.0, 2000), 7)
    assert p[0] == 1.0
    assert (np.diff(p) <= 0).all()
    assert (p > 0).all()


def test_quantile_turns_back() -> None:
    assert range_sf(np.array([range_quantile(0.03, 8)]), 8)[0] == pytest.approx(0.03, rel=1e-10)
