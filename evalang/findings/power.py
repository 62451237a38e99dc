"""The power of the tests of a design, reckoned before the run."""

from __future__ import annotations

from functools import lru_cache

from ..catalogue.distributions import normal_cdf
from ..catalogue.power import power_mcnemar, power_paired_t, power_sign, power_wilcoxon


@lru_cache(maxsize=4096)
def power_over(test: str, datasets: int, dz: float, alpha: float, sides: int) -> float | None:
    """Power of a test over datasets for a mean difference of dz standard deviations; None when it is not known."""
    if test in ("paired-t", "anova"):
        return power_paired_t(datasets, dz, alpha=alpha, sides=sides)
    if test in ("wilcoxon", "permutation"):
        return power_wilcoxon(datasets, dz, alpha=alpha, sides=sides)
    if test == "sign":
        return power_sign(datasets, normal_cdf(dz), alpha=alpha, sides=sides).power
    return None


@lru_cache(maxsize=4096)
def power_on_rows(rows: int, disagreement: float, difference: float, alpha: float) -> float:
    """Power of McNemar's test and its like on so many test rows."""
    return power_mcnemar(rows, disagreement=max(disagreement, difference), difference=difference, alpha=alpha)


def datasets_needed(test: str, dz: float, alpha: float, sides: int, power: float) -> int | None:
    """The smallest number of datasets that reaches the power, up to 1,000."""
    low, high = 2, 1000
    if (power_over(test, high, dz, alpha, sides) or 0.0) < power:
        return None
    while low < high:
        middle = (low + high) // 2
        if (power_over(test, middle, dz, alpha, sides) or 0.0) >= power:
            high = middle
        else:
            low = middle + 1
    return high
