"""Power of tests in plain Python, so that lint and plan compute it without loading SciPy.

From the size of an effect to the power of one test (`power_...`), and from a design to it (`row_power`, `fold_power`,
`dataset_power`). Two learners that disagree on a share psi of the rows and differ by d have, on m test rows, a
difference of accuracies with variance (psi - d^2) / m.

    >>> round(power_paired_t(8, 0.8), 3)
    0.496
    >>> rows_needed("mcnemar-exact", disagreement=0.10, difference=0.02)
    2059

tests/catalogue/test_power.py compares every function with statsmodels, R's values or an enumeration,
test_design_power.py the designs with simulations.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

from .distributions import binomial_cdf, binomial_pmf, noncentral_t_sf, normal_cdf, normal_quantile, t_quantile

# The Wilcoxon test needs pi/3 times the units of the t-test on normal differences (Hodges & Lehmann 1956).
WILCOXON_EFFICIENCY = 3.0 / math.pi
ASSUMED_DISAGREEMENT = 0.10  # ours, as in EV413: two learners of use disagree on about one row in ten
ASSUMED_ERROR = 0.20  # ours: where a simulation needs an error rate and none is named
ASSUMED_SPREAD = 0.07  # R 15.2, Figure 15.2: differences over datasets had a standard deviation of 6.93 points
ASKED = 0.05  # the difference asked about where the script names no rope
WANTED = 0.8  # a design is worth its cost when it finds the difference four times in five
NEGLIGIBLE = 1e-12  # the probability of a number of disagreements that is ignored
MOST_DATASETS = 1_000  # the largest number worth naming
MOST_REPEATS = 1_000  # of a cross-validation

ROW_TESTS = ("mcnemar", "mcnemar-exact", "mcnemar-midp", "binomial", "corrected-proportions", "permutation", "row-t")
# Exact, or with the continuity correction that comes near it; all others on rows have the power of the mid-p form.
CORRECTED_TESTS = ("mcnemar", "mcnemar-exact", "binomial", "permutation")
FOLD_TESTS = ("5x2cv-t", "kfold-t", "corrected-t", "partition-t", "averaged-t")
DATASET_TESTS = ("wilcoxon", "paired-t", "sign")

# Above this many rows McNemar's power is not counted exactly; the normal form is off by less than 0.04 there.
COUNTED_ROWS = 400


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


def power_sign(units: int, win_share: float, *, alpha: float = 0.05, sides: int = 2) -> float:
    """Power of the exact sign test on `units` untied datasets of which the share `win_share` is won.

    One-sided it is the test for more wins than losses.
    """
    critical = _critical(units, alpha, sides)
    if critical < 0:
        return 0.0
    power = binomial_cdf(critical, units, 1.0 - win_share)
    if sides == 2:
        power += binomial_cdf(critical, units, win_share)
    return min(1.0, power)


def _critical(units: int, alpha: float, sides: int, low: int = -1, *, mid_p: bool = False) -> int:
    """The largest count of losses at which the sign test rejects, from `low` up; more units never make it smaller.

    By the mid-p value only half the probability of what was seen counts.
    """
    while 2 * (low + 1) < units:
        tail = binomial_cdf(low + 1, units, 0.5) - (0.5 * binomial_pmf(low + 1, units, 0.5) if mid_p else 0.0)
        if sides * tail > alpha:
            break
        low += 1
    return low


def power_wilcoxon(units: int, dz: float, *, alpha: float = 0.05, sides: int = 2) -> float:
    """Power of the Wilcoxon signed-rank test for normal differences: the t-test's with 3/pi of the units.

    An approximation, for few units too high because the exact test stays below its level (0.10 for 6 units, at most
    0.06 for 7 or more); 0 where even the most extreme ranks cannot reach the level.
    """
    if sides * 0.5**units > alpha:
        return 0.0
    return power_paired_t(units * WILCOXON_EFFICIENCY, dz, alpha=alpha, sides=sides)


def power_mcnemar(
    rows: int,
    *,
    disagreement: float,
    difference: float,
    alpha: float = 0.05,
    sides: int = 2,
    mid_p: bool = False,
    counted: bool | None = None,
) -> float:
    """Power of McNemar's test on `rows` test rows, by its exact p-value or by its mid-p value.

    `disagreement` is the share of rows on which exactly one learner is right, `difference` the difference of the
    accuracies. Counted (over the binomial number of disagreements) up to 400 rows, else the normal form of Connor
    (1987), for the exact p-value with the continuity correction c = 1, for the mid-p value without it, c = 0:
    Phi((|difference| sqrt(n) - c / sqrt(n) - z sqrt(disagreement)) / sqrt(disagreement - difference^2)).
    """
    psi, delta = disagreement, abs(difference)
    if rows < 1 or psi <= 0.0:
        return 0.0
    if delta > psi:
        raise ValueError("the accuracies cannot differ on more rows than the learners disagree on")
    if counted if counted is not None else rows <= COUNTED_ROWS:
        critical = partial(_critical, alpha=alpha, sides=sides, mid_p=mid_p)
        return _power_mcnemar_counted(rows, psi, 0.5 * (1.0 + delta / psi), critical, sides)
    spread = psi - delta * delta
    if spread <= 0.0:
        return 1.0
    z = normal_quantile(1.0 - alpha / sides)
    root = math.sqrt(rows)
    correction = 0.0 if mid_p else 1.0 / root
    return normal_cdf((delta * root - correction - z * math.sqrt(psi)) / math.sqrt(spread))


def _power_mcnemar_counted(rows: int, psi: float, share: float, critical: partial[int], sides: int) -> float:
    """`share` of the disagreements is won; `critical` of them are lost at most when the test rejects."""
    total, lost = 0.0, -1
    for disagreements in range(1, rows + 1):
        weight = binomial_pmf(disagreements, rows, psi)
        if weight < NEGLIGIBLE:
            continue
        lost = critical(disagreements, low=lost)
        if lost >= 0:
            far = binomial_cdf(lost, disagreements, share) if sides == 2 else 0.0
            total += weight * (binomial_cdf(lost, disagreements, 1.0 - share) + far)
    return min(1.0, total)


def rows_needed(test: str, *, disagreement: float, difference: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """Return the test rows that McNemar's test and its like need for the power, by Connor's normal form.

    With s = z_alpha sqrt(disagreement) + z_power sqrt(disagreement - d^2): (s / d)^2, and with the continuity
    correction ((s + sqrt(s^2 + 4 d)) / (2 d))^2.
    """
    psi, delta = disagreement, abs(difference)
    if not 0.0 < delta <= psi:
        raise ValueError("the difference must be above zero and no larger than the disagreement")
    z_alpha, z_power = normal_quantile(1.0 - alpha / 2.0), normal_quantile(power)
    s = z_alpha * math.sqrt(psi) + z_power * math.sqrt(psi - delta * delta)
    root = (s + math.sqrt(s * s + 4.0 * delta)) / (2.0 * delta) if test in CORRECTED_TESTS else s / delta
    return math.ceil(root * root)


def units_needed(
    variance: float, difference: float, *, alpha: float = 0.05, power: float = WANTED, sides: int = 2
) -> int:
    """Return how many items (or groups) find a mean difference with the power, given its paired variance.

    >>> units_needed(1 / 9, 0.03)
    969

    (z_alpha + z_power)^2 variance / difference^2 (Miller 2024, section 5).
    """
    if not difference or variance < 0.0:
        raise ValueError("the difference must not be zero, nor the variance below it")
    z = normal_quantile(1.0 - alpha / sides) + normal_quantile(power)
    return max(2, math.ceil(z * z * variance / (difference * difference) - NEGLIGIBLE))


@lru_cache(maxsize=4096)
def row_power(
    test: str,
    rows: int,
    *,
    difference: float,
    disagreement: float = ASSUMED_DISAGREEMENT,
    alpha: float = 0.05,
    sides: int = 2,
) -> float:
    """Return the power of McNemar's test and its like on so many test rows, by the form that the test has."""
    psi, mid_p = max(disagreement, difference), test not in CORRECTED_TESTS
    return power_mcnemar(rows, disagreement=psi, difference=difference, alpha=alpha, sides=sides, mid_p=mid_p)


@lru_cache(maxsize=4096)  # the same for every comparison of a kind; finding the smallest difference asks often
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

    The mean over all folds has the variance of all rows tested once, however often they are reshuffled. 5x2cv-t: its
    first half, 5 degrees of freedom. corrected-t and partition-t: the standard error they assume is larger than that.
    averaged-t: over many partitions the noise of the single standard errors is gone and their mean, E[1/s], is left.
    Training sets add no variance of their own here. `ratio` is test to training rows of resamples: N of them, test
    parts drawn anew from the same rows, have a mean with the variance of all rows times 1 + 1 / (N ratio).
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
        return power_t(shift, folds - 1.0, alpha=alpha, sides=sides) if folds > 1 else None  # resamples have no folds
    units = partitions * folds
    if units < 2:
        return None
    share = 1.0 / (folds - 1.0) if ratio is None else ratio
    one_pass = test == "partition-t"
    # s^2 of the folds in units of spread / rows: parts of the same rows differ by less than new rows would.
    within = 1.0 / share if ratio is not None else folds * partitions * (folds - 1.0) / (units - 1.0)
    true = 1.0 if ratio is None else 1.0 + 1.0 / (units * ratio)
    shift /= math.sqrt(true)
    too_wide = math.sqrt(within * ((share / (1.0 + share) if one_pass else 1.0 / units) + share) / true)
    df = folds - 1.0 if one_pass and folds > 1 else units - 1.0
    critical = t_quantile(1.0 - alpha / sides, df) * too_wide
    upper = noncentral_t_sf(critical, units - 1.0, shift)
    return upper + noncentral_t_sf(critical, units - 1.0, -shift) if sides == 2 else upper


def _inverse_spread(df: float) -> float:
    """E[sigma / s] for a standard deviation on df degrees of freedom."""
    return math.sqrt(df / 2.0) * math.exp(math.lgamma((df - 1.0) / 2.0) - math.lgamma(df / 2.0))


def _power_z(shift: float, critical: float, sides: int) -> float:
    upper = normal_cdf(shift - critical)
    return upper + normal_cdf(-shift - critical) if sides == 2 else upper


def dataset_power(
    test: str, datasets: int, *, difference: float, spread: float = ASSUMED_SPREAD, alpha: float = 0.05, sides: int = 2
) -> float | None:
    """Power of a test over datasets whose true differences scatter by `spread` about `difference`.

    None where there is no closed form: the pairs of nemenyi depend on all learners of the table.
    """
    return _dataset_power(test, datasets, difference / spread, alpha, sides)


@lru_cache(maxsize=4096)
def _dataset_power(test: str, datasets: int, dz: float, alpha: float, sides: int) -> float | None:
    if datasets < 2:
        return None
    if test == "paired-t":
        return power_paired_t(datasets, dz, alpha=alpha, sides=sides)
    if test in ("wilcoxon", "permutation"):
        return power_wilcoxon(datasets, dz, alpha=alpha, sides=sides)
    return power_sign(datasets, normal_cdf(dz), alpha=alpha, sides=sides) if test == "sign" else None


def datasets_needed(test: str, dz: float, *, power: float, alpha: float = 0.05, sides: int = 2) -> int | None:
    """Return the smallest number of datasets that reaches the power for a mean difference of dz standard deviations."""

    def reached(datasets: int) -> bool:
        known = _known_reach(test, datasets, power, alpha, sides)
        if known[0] < dz < known[1]:
            known[(_dataset_power(test, datasets, dz, alpha, sides) or 0.0) >= power] = dz
        return dz >= known[1]

    return _first(reached, 2, MOST_DATASETS)


@lru_cache(maxsize=4096)
def _known_reach(test: str, datasets: int, power: float, alpha: float, sides: int) -> list[float]:
    """Return a dz known not to reach the power and one known to; each question narrows them, as power grows with dz."""
    return [-math.inf, math.inf]


def _first(reached: Callable[[int], bool], low: int, high: int) -> int | None:
    """Return the smallest number from which on it is reached; None when it is not even by the largest."""
    if not reached(high):
        return None
    return low + bisect_left(range(low, high), True, key=reached)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitPower:
    """The power of one test of a pair by the number of its units: items, rows, groups or datasets.

    `disagreement` is the share of units on which exactly one of two learners is right; else `spread` is the standard
    deviation over units of their difference. Before data they are assumed, after data they are what was seen.
    The power of `tost` is that of showing two equal learners to be equivalent, the difference being the margin.

        >>> UnitPower(test="paired-t", spread=0.07).needed(0.02)
        99
    """

    test: str
    level: float = 0.05
    sides: int = 2
    disagreement: float | None = None
    spread: float = 0.0
    freedom: float = 1.0  # degrees of freedom per unit after the first; fewer where groups differ in size

    def power(self, units: int, difference: float) -> float | None:
        """Return the power for a difference; None where there is no closed form."""
        if self.test == "tost":
            df = self.freedom * (units - 1.0) if units > 1 else 1.0
            return power_equivalence(self.spread / math.sqrt(units), difference, df=df, alpha=self.level)
        if self.disagreement is not None:
            psi, alpha, sides = self.disagreement, self.level, self.sides
            return row_power(self.test, units, difference=difference, disagreement=psi, alpha=alpha, sides=sides)
        if self.test in DATASET_TESTS:
            return _dataset_power(self.test, units, difference / self.spread, self.level, self.sides)
        if units < 2:
            return 0.0
        shift = difference * math.sqrt(units) / self.spread
        return power_t(shift, self.freedom * (units - 1.0), alpha=self.level, sides=self.sides)

    def needed(self, difference: float, wanted: float = WANTED) -> int | None:
        """Return the units that reach the power; None where there is no closed form, or more than can be had."""
        if self.test == "tost":
            near = units_for_equivalence(self.spread**2, difference, alpha=self.level, power=wanted)
            return _first(lambda units: (self.power(units, difference) or 0.0) >= wanted, 2, 2 * near + 20)
        if self.disagreement is not None:
            return self._rows_needed(difference, wanted)
        if self.test in DATASET_TESTS:
            dz = difference / self.spread
            return datasets_needed(self.test, dz, power=wanted, alpha=self.level, sides=self.sides)
        units = units_needed(self.spread**2, difference, alpha=self.level, power=wanted, sides=self.sides)
        while (self.power(units, difference) or 0.0) < wanted:  # by the normal form a few too few
            units += 1
        return units

    def _rows_needed(self, difference: float, wanted: float) -> int:
        """Return the fewest rows that reach the power: by the normal form, or counted where rows are few."""
        psi, alpha = max(self.disagreement or 0.0, difference), 2.0 * self.level / self.sides
        near = rows_needed(self.test, disagreement=psi, difference=difference, alpha=alpha, power=wanted)
        if near > 1.1 * COUNTED_ROWS:  # the two forms differ by less than a tenth there
            return near

        def reached(rows: int) -> bool:
            return (self.power(rows, difference) or 0.0) >= wanted

        rows = _first(reached, 1, 2 * near + 20) or near
        while rows > 1 and reached(rows - 1):  # the power rises in small steps down and up
            rows -= 1
        return rows

    def smallest(self, units: int, wanted: float = WANTED) -> float | None:
        """Return the smallest difference whose power reaches `wanted`; None where none does."""
        if self.disagreement is not None:
            return smallest_found(partial(self.power, units), wanted=wanted, most=1.0)
        if self.test in (*DATASET_TESTS, "tost"):
            found = smallest_found(lambda dz: self.power(units, dz * self.spread), wanted=wanted, most=10.0)
            return None if found is None else found * self.spread
        if units < 2:
            return None
        df = self.freedom * (units - 1.0)
        t = t_quantile(1.0 - self.level / self.sides, df) + t_quantile(wanted, df)
        return t * self.spread / math.sqrt(units)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldPower:
    """The power of one t-test on folds by the number of repeats of the cross-validation.

    On J folds its squared standard error is `floor` + `per_fold` / J: repeats test the same rows again, so the floor
    stays. `df` is None for J - 1 degrees of freedom, else their number however often is repeated.

        >>> corrected = FoldPower.of_spread("corrected-t", 0.03, folds=2)
        >>> round(corrected.power(10, 0.08), 2), corrected.needed(0.08), corrected.needed(0.09)
        (0.69, None, 12)
    """

    test: str
    folds: int  # in one repeat
    floor: float
    per_fold: float = 0.0
    df: float | None = None
    level: float = 0.05
    sides: int = 2

    @classmethod
    def of_spread(cls, test: str, spread: float, *, folds: int, level: float = 0.05, sides: int = 2) -> FoldPower:
        """Return the power of corrected-t or partition-t, `spread` the standard deviation of a fold's difference."""
        variance, ratio = spread * spread, 1.0 / (folds - 1.0)
        if test == "partition-t":
            floor, df = variance * (1.0 / folds + ratio), folds - 1.0
            return cls(test=test, folds=folds, floor=floor, df=df, level=level, sides=sides)
        return cls(test=test, folds=folds, floor=variance * ratio, per_fold=variance, level=level, sides=sides)

    def error(self, repeats: int) -> float:
        """Return the standard error that the test assumes."""
        return math.sqrt(self.floor + self.per_fold / (repeats * self.folds))

    def power(self, repeats: int, difference: float) -> float:
        """Return the power for a difference, if the standard error of the test is the true one."""
        df = self.df or repeats * self.folds - 1.0
        return power_t(difference / self.error(repeats), df, alpha=self.level, sides=self.sides) if df > 0.0 else 0.0

    def limit(self, difference: float) -> float:
        """Return the power that no number of repeats exceeds."""
        if not self.floor:
            return 1.0
        shift = difference / math.sqrt(self.floor)
        if self.df:
            return power_t(shift, self.df, alpha=self.level, sides=self.sides)
        return _power_z(shift, normal_quantile(1.0 - self.level / self.sides), self.sides)

    def needed(self, difference: float, wanted: float = WANTED) -> int | None:
        """Return the repeats that reach the power; None where no number up to 1,000 does."""
        return _first(lambda repeats: self.power(repeats, difference) >= wanted, 1, MOST_REPEATS)

    def smallest(self, repeats: int, wanted: float = WANTED) -> float | None:
        """Return the smallest difference whose power reaches `wanted`; None where none does."""
        error = self.error(repeats)
        errors = smallest_found(lambda shift: self.power(repeats, shift * error), wanted=wanted, most=100.0)
        return None if errors is None else errors * error


def power_equivalence(error: float, margin: float, *, df: float = math.inf, alpha: float = 0.05) -> float:
    """Return how likely two one-sided tests show two equal learners to be equivalent within the margin.

    `error` is the standard error of the difference. By the noncentral t, as `method = "nct"` of R's PowerTOST; 0 where
    the two bounds are further apart than the margin allows.

    >>> round(power_equivalence(0.0141, 0.01), 3), round(power_equivalence(0.003, 0.01), 3)
    (0.0, 0.909)
    """
    shift = margin / error
    if math.isinf(df):
        return max(0.0, 2.0 * normal_cdf(shift - normal_quantile(1.0 - alpha)) - 1.0)
    return max(0.0, 2.0 * noncentral_t_sf(t_quantile(1.0 - alpha, df), df, shift) - 1.0)


def units_for_equivalence(variance: float, margin: float, *, alpha: float = 0.05, power: float = WANTED) -> int:
    """Return how many units show equal learners to be equivalent, given the variance of the difference of one unit.

    >>> units_for_equivalence(0.10, 0.01)
    8564
    """
    z = normal_quantile(1.0 - alpha) + normal_quantile(0.5 + power / 2.0)
    return max(2, math.ceil(z * z * variance / (margin * margin) - NEGLIGIBLE))


def smallest_found(
    power: Callable[[float], float | None], *, wanted: float = WANTED, most: float = 0.5
) -> float | None:
    """Return the smallest difference whose power reaches `wanted`; None when none up to `most` does."""
    if (power(most) or 0.0) < wanted:
        return None
    low, high = 0.0, most
    while high - low > 0.0005:  # a twentieth of a point is fine enough for a plan
        middle = 0.5 * (low + high)
        low, high = (low, middle) if (power(middle) or 0.0) >= wanted else (middle, high)
    return high


def assumed_of_rows(disagreement: float = ASSUMED_DISAGREEMENT) -> str:
    """Return the assumption behind every power on rows or folds before they are seen, as the end of a sentence."""
    return f"{seen_of_rows(disagreement)} and training adds no variance"


def seen_of_rows(disagreement: float, unit: str = "row") -> str:
    """Return the assumption behind a power on rows whose predictions are known."""
    return f"if the learners disagree on {100 * disagreement:.3g}% of the {unit}s"


def assumed_of_datasets(spread: float = ASSUMED_SPREAD) -> str:
    """Return the assumption behind every power of a test over datasets."""
    return f"if the true differences spread by {100 * spread:.3g} points over datasets"
