"""cluster-permutation: rows that come in groups, whose differences change sign together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...results.records import Alternative, Interval, TestResult
from ..arithmetic.clusters import Clusters, clusters_of
from ..arithmetic.differences import Sided, no_difference, one_sided, wins_ties_losses
from ..arithmetic.guarded import Floats, require_units

TEST = "cluster-permutation"
FEWEST = 6  # groups: with five no p reaches .05
ENUMERATED = 18  # groups up to which all signs are listed
RESAMPLES = 9_999
METHOD = "sign changes of groups"
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
    asked = Sided(alternative=alternative, level=level)
    found = clusters_of(a, b, groups, TEST)
    require_units(found.count, FEWEST, "group", TEST)
    flips = sign_flips(found.count, rng)
    return of_flipped(found, flips @ found.sums, flips @ found.sizes, asked)


def sign_flips(count: int, rng: np.random.Generator, draws: int = RESAMPLES) -> Floats:
    """[sign change, group]: 1 where a group changes its sign; the first changes nothing."""
    if count <= ENUMERATED:
        return (np.arange(2**count)[:, None] >> np.arange(count) & 1).astype(np.float64)
    return np.concatenate([np.zeros((1, count)), (rng.random((draws, count)) < 0.5).astype(np.float64)])


def of_flipped(found: Clusters, flipped: Floats, sizes: Floats, asked: Sided) -> TestResult:
    """The test from what each sign change flips: the summed difference and the rows of its groups.

    So that all pairs of many learners share one product of matrices.
    """
    nothing = not found.sums.any()
    wins, ties, losses = wins_ties_losses(found.sums)
    how = "all {:,} sign changes" if found.count <= ENUMERATED else "{:,} random sign changes"
    how = how.format(len(sizes) - (found.count > ENUMERATED))
    return TestResult(
        test=TEST,
        statistic=found.mean,
        statistic_name="mean difference by row",
        pvalue=1.0 if nothing else _pvalue(found.sums, flipped, asked.alternative),
        df=(),
        alternative=asked.alternative,
        difference=found.mean,
        interval=None if nothing else _interval(flipped, sizes, asked.alternative, asked.level),
        effect=None,
        wins=wins,
        ties=ties,
        losses=losses,
        n_units=found.count,
        unit="group",
        method=f"{how} of {found.count} groups; the mean is by row",
        details=(("rows", float(found.rows)), ("effective groups", found.effective)),
        notes=(no_difference("test row"),) if nothing else (),
    )


def _pvalue(sums: Floats, flipped: Floats, alternative: Alternative) -> float:
    seen = float(sums.sum())
    totals = seen - 2.0 * flipped
    room = _TIE * float(np.abs(sums).sum())
    if alternative == "greater":
        return float(np.mean(totals >= seen - room))
    if alternative == "less":
        return float(np.mean(totals <= seen + room))
    return float(np.mean(np.abs(totals) >= abs(seen) - room))


def _interval(flipped: Floats, sizes: Floats, alternative: Alternative, level: float) -> Interval:
    """Every difference that the one-sided tests do not reject.

    With `shift` taken from each row, a sign change has at least the observed total where the mean by row of the groups
    it flips is at most `shift`. So p is a step function of `shift`, whose steps are these means: the ends of the
    interval are two of them, and nothing has to be searched.
    """
    some = sizes > 0.0
    steps = flipped[some] / sizes[some]
    tail = (1.0 - level) / (2.0 if alternative == "two-sided" else 1.0)
    place = math.floor(tail * sizes.size + _TIE) - int(sizes.size - steps.size)
    if not 0 <= place < steps.size:  # so few sign changes that no difference is rejected at this level
        return one_sided(-math.inf, math.inf, alternative, level, METHOD)
    ordered = np.partition(steps, sorted({place, steps.size - 1 - place}))
    low, high = float(ordered[place]), float(ordered[steps.size - 1 - place])
    return one_sided(low, high, alternative, level, METHOD)
