"""Tango's interval against printed values, against a search of the likelihood, and by counting what it covers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, stats

from evalang.verdicts.arithmetic.tango import tango_interval
from evalang.verdicts.tests.mcnemar import mcnemar_counts
from evalang.verdicts.tests.proportions import corrected_proportions_counts


def test_printed_values() -> None:
    """Fagerland, Lydersen and Laake 2014 (Statistics in Medicine 33), airway study: 21 children, -0.517 to -0.026."""
    found = tango_interval(7, 1, 21, "two-sided", 0.95)
    assert (round(found.low, 3), round(found.high, 3)) == (-0.517, -0.026)


@pytest.mark.parametrize(("n01", "n10", "rows"), [(7, 1, 21), (16, 6, 161), (3, 40, 300), (5, 5, 12), (1, 0, 44)])
def test_ends_are_where_a_searched_likelihood_puts_them(n01: int, n10: int, rows: int) -> None:
    found = tango_interval(n01, n10, rows, "two-sided", 0.95)
    z = stats.norm.ppf(0.975)
    assert _score(n01, n10, rows, found.low) == pytest.approx(z, abs=1e-4)
    assert _score(n01, n10, rows, found.high) == pytest.approx(-z, abs=1e-4)


def _score(n01: int, n10: int, rows: int, difference: float) -> float:
    """The nuisance share by maximising the multinomial likelihood, not by its formula."""

    def unlikely(share: float) -> float:
        cells = (share + difference, share, 1 - 2 * share - difference)
        counts = (n10, n01, rows - n10 - n01)
        return -sum(n * math.log(max(p, 1e-300)) for n, p in zip(counts, cells, strict=True) if n)

    bounds = (max(0.0, -difference), (1 - difference) / 2)
    share = optimize.minimize_scalar(unlikely, bounds=bounds, method="bounded", options={"xatol": 1e-13}).x
    return float((n10 - n01 - rows * difference) / math.sqrt(rows * (2 * share + difference - difference**2)))


@pytest.mark.parametrize(("p10", "p01"), [(0.13, 0.005), (0.3, 0.01), (0.2, 0.2), (0.05, 0.0)])
def test_covers_what_it_says(p10: float, p01: float) -> None:
    """Every table of 60 rows counted. An interval of the disagreements' split covers .55 and .60 in the first two."""
    rows, covered = 60, 0.0
    for n10 in range(rows + 1):
        for n01 in range(rows + 1 - n10):
            weight = float(stats.multinomial.pmf((n10, n01, rows - n10 - n01), rows, (p10, p01, 1 - p10 - p01)))
            if weight > 1e-9:
                found = tango_interval(n01, n10, rows, "two-sided", 0.95)
                covered += weight * (found.low <= p10 - p01 <= found.high)
    assert 0.93 <= covered <= 0.995


def test_goes_with_the_uncorrected_test() -> None:
    for n01 in range(0, 40, 3):
        for n10 in range(0, 40, 3):
            for side in ("two-sided", "greater", "less"):
                found = corrected_proportions_counts(n01, n10, rows=100, alternative=side)  # type: ignore[arg-type]
                assert found.interval is not None
                assert found.pvalue is not None
                outside = found.interval.low > 0.0 or found.interval.high < 0.0
                assert outside == (found.pvalue < 0.05), (n01, n10, side)


def test_mirrors_and_holds_the_estimate() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        rows = int(rng.integers(1, 200))
        n10, n01, _ = rng.multinomial(rows, rng.dirichlet((0.4, 0.4, 0.6)))
        found, turned = (
            tango_interval(*c, rows, "two-sided", 0.9) for c in ((int(n01), int(n10)), (int(n10), int(n01)))
        )
        assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low), abs=1e-9)
        assert -1.0 <= found.low <= (n10 - n01) / rows <= found.high <= 1.0
        assert found.low < found.high


def test_every_form_carries_it() -> None:
    for form in ("mcnemar", "mcnemar-exact", "mcnemar-midp"):
        found = mcnemar_counts(2, 20, rows=60, form=form).interval  # type: ignore[arg-type]
        assert found == tango_interval(2, 20, 60, "two-sided", 0.95)
