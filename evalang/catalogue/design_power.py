"""The power of a test on folds or rows from the design alone, in plain Python, for `plan` and lint.

    >>> round(fold_power("5x2cv-t", rows=300, partitions=5, folds=2, difference=0.10), 2)
    0.9

Two learners that disagree on a share psi of the rows and differ by d have, on m test rows, a difference of accuracies
with variance (psi - d^2) / m. tests/catalogue/test_design_power.py holds this to simulations.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from .distributions import noncentral_t_sf, normal_cdf, t_quantile
from .power import power_mcnemar, power_paired_t, power_sign, power_t, power_wilcoxon

ASSUMED_DISAGREEMENT = 0.10  # ours, as in EV413: two learners of use disagree on about one row in ten
ASSUMED_ERROR = 0.20  # ours: where a simulation needs an error rate and none is named
ASSUMED_SPREAD = 0.07  # R 15.2, Figure 15.2: differences over datasets had a standard deviation of 6.93 points
ASKED = 0.05  # the difference asked about where the script names no rope
WANTED = 0.8  # a design is worth its cost when it finds the difference four times in five

ROW_TESTS = ("mcnemar", "mcnemar-exact", "mcnemar-midp", "binomial", "corrected-proportions", "permutation", "row-t")
FOLD_TESTS = ("5x2cv-t", "kfold-t", "corrected-t", "averaged-t")
DATASET_TESTS = ("wilcoxon", "paired-t", "sign")


def row_power(
    rows: int,
    *,
    difference: float,
    disagreement: float = ASSUMED_DISAGREEMENT,
    alpha: float = 0.05,
    exact: bool | None = None,
    sides: int = 2,
) -> float:
    """Power of McNemar's test and its like on so many test rows."""
    psi = max(disagreement, difference)
    return power_mcnemar(rows, disagreement=psi, difference=difference, alpha=alpha, exact=exact, sides=sides)


def fold_power(
    test: str,
    *,
    rows: int,
    partitions: int,
    folds: int,
    difference: float,
    ratio: float | None = None,
    disagreement: float = ASSUMED_DISAGREEMENT,
    alpha: float = 0.05,
    sides: int = 2,
) -> float | None:
    """Power of a t-test on folds; None where there is no closed form.

    The mean over all folds has the variance of all rows tested once, however often they are dealt again. 5x2cv-t: its
    first half, 5 degrees of freedom. corrected-t: the standard error it assumes is larger than that. averaged-t: over
    many partitions the noise of the single standard errors is gone and their mean, E[1/s], is left. Training sets add
    no variance of their own here. `ratio` is test to training rows of resamples: N of them, test parts drawn anew from
    the same rows, have a mean with the variance of all rows times 1 + 1 / (N ratio), which is what corrected-t assumes.
    """
    spread = max(disagreement, difference) - difference * difference
    if test not in FOLD_TESTS or rows < 2 * folds or spread <= 0.0:
        return None
    shift = difference / math.sqrt(spread / rows)
    if test == "averaged-t":
        halves = folds == 2 and partitions % 5 == 0
        single = partitions <= (5 if halves else 1)
        if not single:
            df = 5.0 if halves else folds - 1.0
            reached = _inverse_spread(df) / math.sqrt(2.0) if halves else _inverse_spread(df)
            return _power_z(shift, t_quantile(1.0 - alpha / sides, df) / reached, sides)
        test = "5x2cv-t" if halves else "kfold-t"
    if test == "5x2cv-t":
        return power_t(shift / math.sqrt(2.0), 5.0, alpha=alpha, sides=sides)
    if test == "kfold-t":
        return power_t(shift, folds - 1.0, alpha=alpha, sides=sides)
    units = partitions * folds
    if units < 2:
        return None
    if ratio is not None:
        return power_t(shift / math.sqrt(1.0 + 1.0 / (units * ratio)), units - 1.0, alpha=alpha, sides=sides)
    share = 1.0 / (folds - 1.0)
    too_wide = math.sqrt((1.0 + share) / share * (1.0 / units + share))
    critical = t_quantile(1.0 - alpha / sides, units - 1.0) * too_wide
    upper = noncentral_t_sf(critical, units - 1.0, shift)
    return upper + noncentral_t_sf(critical, units - 1.0, -shift) if sides == 2 else upper


def _inverse_spread(df: float) -> float:
    """E[sigma / s] for a standard deviation on df degrees of freedom."""
    return math.sqrt(df / 2.0) * math.exp(math.lgamma((df - 1.0) / 2.0) - math.lgamma(df / 2.0))


def _power_z(shift: float, critical: float, sides: int) -> float:
    upper = normal_cdf(shift - critical)
    return upper + normal_cdf(-shift - critical) if sides == 2 else upper


def dataset_power(
    test: str,
    datasets: int,
    *,
    difference: float,
    spread: float = ASSUMED_SPREAD,
    alpha: float = 0.05,
    sides: int = 2,
) -> float | None:
    """Power of a test over datasets whose true differences scatter by `spread` about `difference`."""
    dz = difference / spread
    if datasets < 2:
        return None
    if test == "paired-t":
        return power_paired_t(datasets, dz, alpha=alpha, sides=sides)
    if test == "wilcoxon":
        return power_wilcoxon(datasets, dz, alpha=alpha, sides=sides)
    if test == "sign":
        won = 0.5 * math.erfc(-dz / math.sqrt(2.0))
        return power_sign(datasets, won, alpha=alpha, sides=sides).power
    return None


def smallest_found(
    power: Callable[[float], float | None], *, wanted: float = WANTED, most: float = 0.5
) -> float | None:
    """The smallest difference whose power (a function of it) reaches `wanted`; None when none up to `most` does."""
    if (power(most) or 0.0) < wanted:
        return None
    low, high = 0.0, most
    while high - low > 0.0005:  # a twentieth of a point is more than anybody can plan for
        middle = 0.5 * (low + high)
        low, high = (low, middle) if (power(middle) or 0.0) >= wanted else (middle, high)
    return high
