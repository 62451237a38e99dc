"""cluster-permutation: rows that come in groups, whose differences change sign together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...results.test_result import Alternative, Interval, TestResult
from ..arithmetic.checked import Floats, check_options, require_units
from ..arithmetic.clusters import Clusters, clusters_of
from ..arithmetic.differences import no_difference
from ..arithmetic.tails import one_sided

TEST = "cluster-permutation"
FEWEST = 6  # groups: with five no p reaches .05
ENUMERATED = 18  # groups up to which all signs are listed
RESAMPLES = 9_999
_TIE = 1e-9  # sums of the same values in another order differ in the last digits


def cluster_permutation(
    a: Any,
    b: Any,
    *,
    groups: Any,
    rng: np.random.Generator,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TestResult:
    """The share of sign changes of the groups' summed differences whose total is at least as large.

    Under the null the two learners can be exchanged within a group, all its rows at once. All 2^G signs up to 18
    groups, else 9,999 random ones and the observed. The mean is by row: large groups count for more. The interval holds
    every difference that, taken from each row, the same signs do not reject. Reference: canay2017.
    """
    check_options(alternative, level)
    found = clusters_of(a, b, groups, TEST)
    require_units(found.count, FEWEST, "group", TEST)
    nothing = bool(np.all(found.sums == 0.0))
    signs = _signs(found.count, rng)
    wins, losses = int(np.count_nonzero(found.sums > 0)), int(np.count_nonzero(found.sums < 0))
    listed = found.count <= ENUMERATED
    how = f"all {len(signs):,} sign changes" if listed else f"{RESAMPLES:,} random sign changes"
    return TestResult(
        test=TEST,
        statistic=found.mean,
        statistic_name="mean difference by row",
        pvalue=1.0 if nothing else _pvalue(found.sums, signs, alternative),
        df=(),
        alternative=alternative,
        difference=found.mean,
        interval=None if nothing else _interval(found, signs, alternative, level),
        effect=None,
        wins=wins,
        ties=found.count - wins - losses,
        losses=losses,
        n_units=found.count,
        unit="group",
        method=f"{how} of {found.count} groups; the mean is by row",
        details=(("rows", float(found.rows)), ("effective groups", found.effective)),
        notes=(no_difference("test row"),) if nothing else (),
    )


def _signs(count: int, rng: np.random.Generator) -> Floats:
    """[sign change, group]; the first changes nothing."""
    if count <= ENUMERATED:
        bits = np.arange(2**count)[:, None] >> np.arange(count)
        return np.where(bits & 1, -1.0, 1.0)
    drawn = np.where(rng.random((RESAMPLES, count)) < 0.5, -1.0, 1.0)
    return np.concatenate([np.ones((1, count)), drawn])


def _pvalue(sums: Floats, signs: Floats, alternative: Alternative) -> float:
    totals = signs @ sums
    seen = totals[0]
    room = _TIE * float(np.abs(sums).sum())
    if alternative == "greater":
        return float(np.mean(totals >= seen - room))
    if alternative == "less":
        return float(np.mean(totals <= seen + room))
    return float(np.mean(np.abs(totals) >= abs(seen) - room))


def _interval(found: Clusters, signs: Floats, alternative: Alternative, level: float) -> Interval:
    side: Alternative = "greater" if alternative == "two-sided" else alternative
    tail = (1.0 - level) / (2.0 if alternative == "two-sided" else 1.0)
    low = -math.inf if alternative == "less" else _end(found, signs, tail, 1.0)
    high = math.inf if side == "greater" and alternative != "two-sided" else -_end(found, signs, tail, -1.0)
    return one_sided(low, high, alternative, level, "sign changes of groups")


def _end(found: Clusters, signs: Floats, tail: float, sign: float) -> float:
    """The smallest difference at which the one-sided p is above `tail`, minus infinity where every one is; the upper
    end is the lower one mirrored."""
    sums, mean = sign * found.sums, sign * found.mean
    spread = float(np.abs(sums / found.sizes - mean).max())

    def rejected(shift: float) -> bool:
        return _pvalue(sums - shift * found.sizes, signs, "greater") <= tail

    step = spread or abs(mean) or 1.0
    below = mean - step
    for _ in range(60):
        if rejected(below):
            break
        below -= step
        step *= 2.0
    else:  # so few signs that no difference is rejected at this level
        return -math.inf
    above = mean
    for _ in range(50):
        middle = (below + above) / 2.0
        below, above = (middle, above) if rejected(middle) else (below, middle)
    return above
