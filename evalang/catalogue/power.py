"""Power and multiplicity in plain Python, so that lint and plan can reckon before anything is loaded.

    >>> round(power_paired_t(8, 0.8), 3)
    0.496
    >>> rows_needed(disagreement=0.10, difference=0.02)
    2059

tests/catalogue/test_power.py compares every function with statsmodels, R's values or an enumeration.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .distributions import (
    binomial_cdf,
    binomial_pmf,
    bisect,
    noncentral_t_sf,
    normal_cdf,
    normal_quantile,
    t_quantile,
)

# The Wilcoxon test needs pi/3 times the units of the t-test on normal differences (Hodges & Lehmann 1956).
WILCOXON_EFFICIENCY = 3.0 / math.pi
# Above this many rows the exact McNemar power is not worth the wait; the normal form is off by less than 0.04 there.
EXACT_ROWS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiplicity:
    """What to expect of n independent tests at level alpha when nothing differs (Salzberg 1997, section 3)."""

    tests: int
    alpha: float
    expected_false_positives: float
    familywise_error: float  # the chance of at least one: 1 - (1 - alpha)^n
    sidak_alpha: float
    bonferroni_alpha: float


def multiplicity(tests: int, alpha: float) -> Multiplicity:
    """Expected false positives n * alpha and the chance 1 - (1 - alpha)^n of at least one.

    >>> round(multiplicity(154, 0.05).familywise_error, 4)
    0.9996
    """
    log_keep = math.log1p(-alpha)
    return Multiplicity(
        tests=tests,
        alpha=alpha,
        expected_false_positives=tests * alpha,
        familywise_error=-math.expm1(tests * log_keep),
        sidak_alpha=-math.expm1(log_keep / tests),
        bonferroni_alpha=alpha / tests,
    )


def power_t(shift: float, df: float, *, alpha: float = 0.05, sides: int = 2) -> float:
    """Power of a t-test whose statistic has the given non-centrality; both tails count when two-sided."""
    critical = t_quantile(1.0 - alpha / sides, df)
    upper = noncentral_t_sf(critical, df, shift)
    return upper + noncentral_t_sf(critical, df, -shift) if sides == 2 else upper


def power_paired_t(units: float, dz: float, *, alpha: float = 0.05, sides: int = 2) -> float:
    """Power of the paired t-test over `units` datasets for a mean difference of dz standard deviations."""
    if units < 2:
        return 0.0
    return power_t(dz * math.sqrt(units), units - 1.0, alpha=alpha, sides=sides)


def power_two_sample_t(units: float, d: float, *, alpha: float = 0.05, sides: int = 2) -> float:
    """Power of the unpaired t-test with `units` in each group, to show what the pairing is worth."""
    if units < 2:
        return 0.0
    return power_t(d * math.sqrt(units / 2.0), 2.0 * units - 2.0, alpha=alpha, sides=sides)


def units_needed_t(
    effect: float, *, power: float = 0.8, alpha: float = 0.05, sides: int = 2, paired: bool = True
) -> float:
    """The (fractional) number of units at which the t-test reaches the power; round up to use it."""
    if effect == 0.0:
        return math.inf
    reach = power_paired_t if paired else power_two_sample_t
    high = 4.0
    while reach(high, abs(effect), alpha=alpha, sides=sides) < power:
        high *= 2.0
    return bisect(lambda n: reach(n, abs(effect), alpha=alpha, sides=sides) - power, 2.0, high)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignPower:
    """The power of the exact sign test, and what the test really does at its level."""

    power: float
    critical_low: int  # reject when the smaller count is at most this; -1 when nothing can be rejected
    actual_size: float


def power_sign(units: int, win_share: float, *, alpha: float = 0.05, sides: int = 2) -> SignPower:
    """Power of the exact sign test on `units` untied datasets of which the share `win_share` is won.

    One-sided it is the test for more wins than losses.
    """
    critical = -1
    while sides * binomial_cdf(critical + 1, units, 0.5) <= alpha and 2 * (critical + 1) < units:
        critical += 1
    if critical < 0:
        return SignPower(power=0.0, critical_low=-1, actual_size=0.0)
    power = binomial_cdf(critical, units, 1.0 - win_share)
    if sides == 2:
        power += binomial_cdf(critical, units, win_share)
    size = sides * binomial_cdf(critical, units, 0.5)
    return SignPower(power=min(1.0, power), critical_low=critical, actual_size=size)


def power_wilcoxon(units: int, dz: float, *, alpha: float = 0.05, sides: int = 2) -> float:
    """Power of the Wilcoxon signed-rank test for normal differences: the t-test's with 3/pi of the units.

    An approximation (within 0.03 of simulation for 8 units or more); 0 where even the most extreme ranks
    cannot reach the level.
    """
    if sides * 0.5**units > alpha:
        return 0.0
    return power_paired_t(units * WILCOXON_EFFICIENCY, dz, alpha=alpha, sides=sides)


def power_mcnemar(
    rows: int, *, disagreement: float, difference: float, alpha: float = 0.05, exact: bool | None = None, sides: int = 2
) -> float:
    """Power of McNemar's test on `rows` test rows.

    `disagreement` is the share of rows on which exactly one learner is right, `difference` the difference of the
    accuracies. Exact (over the binomial number of disagreements) up to 400 rows, else the normal form of Connor
    (1987) with the continuity correction that the test itself has:
    Phi((|difference| sqrt(n) - 1 / sqrt(n) - z sqrt(disagreement)) / sqrt(disagreement - difference^2)).
    """
    psi, delta = disagreement, abs(difference)
    if rows < 1 or psi <= 0.0:
        return 0.0
    if delta > psi:
        raise ValueError("the accuracies cannot differ on more rows than the learners disagree on")
    if exact if exact is not None else rows <= EXACT_ROWS:
        return _power_mcnemar_exact(rows, psi, delta, alpha, sides)
    spread = psi - delta * delta
    if spread <= 0.0:
        return 1.0
    z = normal_quantile(1.0 - alpha / sides)
    root = math.sqrt(rows)
    return normal_cdf((delta * root - 1.0 / root - z * math.sqrt(psi)) / math.sqrt(spread))


def _power_mcnemar_exact(rows: int, psi: float, delta: float, alpha: float, sides: int) -> float:
    share = 0.5 * (1.0 + delta / psi)
    total = 0.0
    for disagreements in range(1, rows + 1):
        weight = binomial_pmf(disagreements, rows, psi)
        if weight > 1e-14:
            total += weight * power_sign(disagreements, share, alpha=alpha, sides=sides).power
    return total


def rows_needed(*, disagreement: float, difference: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """Test rows that McNemar's test needs for the power, by Connor's normal form with continuity correction.

    With s = z_alpha sqrt(disagreement) + z_power sqrt(disagreement - d^2): ((s + sqrt(s^2 + 4 d)) / (2 d))^2.
    """
    psi, delta = disagreement, abs(difference)
    if not 0.0 < delta <= psi:
        raise ValueError("the difference must be above zero and no larger than the disagreement")
    z_alpha, z_power = normal_quantile(1.0 - alpha / 2.0), normal_quantile(power)
    s = z_alpha * math.sqrt(psi) + z_power * math.sqrt(psi - delta * delta)
    root = (s + math.sqrt(s * s + 4.0 * delta)) / (2.0 * delta)
    return math.ceil(root * root)


def smallest_difference(rows: int, *, disagreement: float, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The smallest difference of accuracies that McNemar's test finds with the power; None when there is none."""

    def short(delta: float) -> float:
        return power_mcnemar(rows, disagreement=disagreement, difference=delta, alpha=alpha, exact=False) - power

    if rows < 1 or disagreement <= 0.0 or short(disagreement) < 0.0:
        return None
    return bisect(short, 0.0, disagreement)
