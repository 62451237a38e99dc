"""permutation: swap the two learners at random within units and see how often the difference is as large."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import TestError
from ...results.records import Alternative, Effect, Interval, TestResult
from ..arithmetic.differences import (
    TIE_TOLERANCE,
    cohen_dz,
    differences,
    facing,
    is_constant,
    no_difference,
    one_sided,
    sign_pvalue,
    tail_level,
    wins_ties_losses,
)
from ..arithmetic.guarded import Floats, check_options, pair, plural, require_units

EXACT_UP_TO = 16  # units: 65,536 swaps are all listed
RESAMPLES = 9_999
CHUNK = 4_000_000  # signs held at a time


def permutation(
    a: Any,
    b: Any,
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
    unit: str = "test row",
) -> TestResult:
    """The share of all 2^n swaps with a mean difference at least as large; (b + 1)/(m + 1) of m random swaps if n > 16.

    Differences that all have one size (outcomes) are counted exactly by the binomial distribution. The interval is made
    of the means of the swapped subsets, which inverts the same test. References: fisher1935, phipson2010.
    """
    check_options(alternative, level)
    one, two = pair(a, b)
    d = differences(one, two)
    require_units(d.size, 1, unit, "permutation")
    wins, ties, losses = wins_ties_losses(d)
    mean = math.fsum(d) / d.size
    # Sorted and turned so that the mean is positive: neither the order of units nor of learners touches the draws.
    turned = facing(d)
    ordered = np.sort(turned * d) if turned else np.sort(d)
    exact = d.size <= EXACT_UP_TO
    sums, counts = _all_subsets(ordered) if exact else _random_subsets(ordered, rng, resamples)
    towards = _mirror(alternative) if turned < 0 else alternative
    if not turned and alternative != "two-sided":
        towards = "greater"  # d and -d are the same values: both sides have one p
    one_size = np.unique(np.abs(d[d != 0.0])).size <= 1
    p = sign_pvalue(wins, losses, alternative) if one_size else _share(ordered, sums, towards, exact)
    low, high = _limits(sums, counts, towards, level, exact)
    if turned < 0:
        low, high = -high, -low
    elif not turned and math.isfinite(low):
        low, high = (low - high) / 2.0, (high - low) / 2.0
    how = "all swaps listed" if exact else f"{resamples} random swaps"
    method = f"exact: differences of one size, binomial; interval from {how}" if one_size else how
    nothing = wins == losses == 0
    constant = is_constant(d)
    return TestResult(
        test="permutation",
        statistic=mean,
        statistic_name="mean difference",
        pvalue=p,
        df=(),
        alternative=alternative,
        difference=mean,
        interval=None if nothing else _interval(low, high, alternative, level),
        effect=Effect(name="share of units won less lost", value=(wins - losses) / d.size) if constant else cohen_dz(d),
        wins=wins,
        ties=ties,
        losses=losses,
        n_units=int(d.size),
        unit=unit,
        method=f"{method}, {d.size} {plural(unit, d.size)}",
        dropped=0,
        notes=(no_difference(unit),) if nothing else (),
    )


def _all_subsets(d: Floats) -> tuple[Floats, Floats]:
    """Sum and size of every subset of the units; the empty one comes first."""
    sums, counts = np.zeros(1), np.zeros(1)
    for value in d:
        sums = np.concatenate([sums, sums + value])
        counts = np.concatenate([counts, counts + 1.0])
    return sums, counts


def _random_subsets(d: Floats, rng: np.random.Generator | None, resamples: int) -> tuple[Floats, Floats]:
    """Sum and size of the units swapped in each of `resamples` random swaps."""
    if rng is None:
        raise TestError(
            f"permutation draws random swaps for more than {EXACT_UP_TO} units, so it needs a generator",
            hint="pass rng=numpy.random.default_rng(seed)",
        )
    sizes, members = np.unique(d, return_counts=True)
    if sizes.size <= 64:
        picked = rng.binomial(members, 0.5, size=(resamples, sizes.size))
        return picked @ sizes, picked.sum(axis=1).astype(np.float64)
    step = max(1, CHUNK // d.size)
    both = np.stack([d, np.ones_like(d)], axis=1)
    parts = [_some_subsets(both, rng, min(step, resamples - start)) for start in range(0, resamples, step)]
    found = np.concatenate(parts)
    return found[:, 0], found[:, 1]


def _some_subsets(both: Floats, rng: np.random.Generator, number: int) -> Floats:
    n = both.shape[0]
    bits = np.unpackbits(np.frombuffer(rng.bytes(number * ((n + 7) // 8)), dtype=np.uint8).reshape(number, -1), axis=1)
    return np.asarray(bits[:, :n].astype(np.float64) @ both)


def _share(d: Floats, sums: Floats, alternative: Alternative, exact: bool) -> float:
    """The p-value: swapping a subset turns the sum T into T - 2 * (its sum)."""
    total = math.fsum(d)
    slack = TIE_TOLERANCE * math.fsum(np.abs(d))  # sums that are equal but for rounding count as equal
    swapped = total - 2.0 * sums
    if alternative == "two-sided":
        hits = np.abs(swapped) >= abs(total) - slack
    elif alternative == "greater":
        hits = swapped >= total - slack
    else:
        hits = swapped <= total + slack
    more = 0 if exact else 1  # the observed arrangement is one of the possible ones: phipson2010
    return min(1.0, (int(np.count_nonzero(hits)) + more) / (sums.size + more))


def _limits(sums: Floats, counts: Floats, alternative: Alternative, level: float, exact: bool) -> tuple[float, float]:
    """The k-th smallest and largest mean of a swapped subset, k the tail's share of all swaps (hartigan1969)."""
    some = counts > 0
    means = np.sort(sums[some] / counts[some])
    arrangements = sums.size if exact else sums.size + 1
    k = math.floor((1.0 - tail_level(level, alternative)) * arrangements + 1e-9)
    if k < 1 or k > means.size:
        return -math.inf, math.inf
    return float(means[k - 1]), float(means[-k])


def _interval(low: float, high: float, alternative: Alternative, level: float) -> Interval:
    return one_sided(low, high, alternative, level, "means of swapped subsets")


def _mirror(alternative: Alternative) -> Alternative:
    mirrored: dict[Alternative, Alternative] = {"greater": "less", "less": "greater", "two-sided": "two-sided"}
    return mirrored[alternative]
