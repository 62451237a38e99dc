"""Plain-Python distributions against SciPy."""

from __future__ import annotations

import math

import pytest
from scipy import stats

from evalang.catalogue import distributions as d


@pytest.mark.parametrize("df", [1, 2, 3, 5, 9, 30, 100, 1000])
def test_t(df: int) -> None:
    for t in (-3.0, 0.1, 1.0, 2.5, 5.0, 20.0, 100.0):
        assert d.t_sf(t, df) == pytest.approx(stats.t.sf(t, df), rel=1e-10)
    for p in (0.01, 0.3, 0.5, 0.6, 0.9, 0.95, 0.975, 0.995, 0.9999):
        assert d.t_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("df", [1, 2, 5, 30, 200])
def test_chi2(df: int) -> None:
    for x in (0.0, 0.01, 1.0, 5.0, 30.0, 100.0, 500.0):
        assert d.chi2_sf(x, df) == pytest.approx(stats.chi2.sf(x, df), rel=1e-10)


@pytest.mark.parametrize("n", [1, 5, 50, 1000, 20_000])
@pytest.mark.parametrize("p", [0.0, 0.01, 0.3, 0.5, 0.9, 1.0])
def test_binomial(n: int, p: float) -> None:
    for k in sorted({-1, 0, n // 10, n // 3, n // 2, n - 1, n}):
        assert d.binomial_cdf(k, n, p) == pytest.approx(stats.binom.cdf(k, n, p), rel=1e-9, abs=1e-300)
        assert d.binomial_pmf(k, n, p) == pytest.approx(stats.binom.pmf(k, n, p), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("df", [1, 2, 3, 7, 30, 300])
def test_noncentral_t(df: int) -> None:
    for shift in (-3.0, 0.0, 0.5, 2.0, 6.0, 20.0):
        for t in (0.5, 2.0, 5.0, 12.0):
            assert d.noncentral_t_sf(t, df, shift) == pytest.approx(stats.nct.sf(t, df, shift), abs=1e-10)


def test_normal() -> None:
    for x in (-30.0, -5.0, 0.0, 1.0, 5.0):
        assert d.normal_cdf(x) == pytest.approx(stats.norm.cdf(x), rel=1e-12)
    for p in (1e-10, 0.025, 0.5, 0.975):
        assert d.normal_quantile(p) == pytest.approx(stats.norm.ppf(p), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("k", [2, 5, 20])
def test_normal_range(k: int) -> None:
    for q in (0.5, 2.0, 4.0):
        assert d.normal_range_sf(q, k) == pytest.approx(stats.studentized_range.sf(q, k, math.inf), rel=1e-9)
    assert d.normal_range_sf(15.0, 10) == pytest.approx(1.2495e-24, rel=1e-4)  # mpmath, 50 digits


def test_a_shift_beyond_all_bounds_ends_at_once() -> None:
    """Equal differences have a spread of rounding alone, and a shift of 1e15: that must not count panels for ever."""
    for df in (1, 4, 9, 500):
        assert d.noncentral_t_sf(2.0, df, 1e16) == 1.0
        assert d.noncentral_t_sf(2.0, df, -1e16) == 0.0
    # One degree of freedom and a far critical value: |Z'| < shift / t, almost a step, so V < shift / t decides.
    assert d.noncentral_t_sf(30_000.0, 1, 30_000.0) == pytest.approx(stats.chi2.cdf(1.0, 1), abs=1e-4)
