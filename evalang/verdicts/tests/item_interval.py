"""item-interval: the mean score of one model on items that have several samples, degrees of right, or groups."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ...results.records import Interval
from ..arithmetic.clusters import clusters_of
from ..arithmetic.differences import t_interval
from ..arithmetic.guarded import Floats, check_options, numbers, require_units
from .cluster_t import cr2
from .score_intervals import ScoreInterval

TEST = "item-interval"


def item_interval(
    scores: Any,
    *,
    values: Any = None,
    groups: Any = None,
    level: float = 0.95,
    bounds: tuple[float | None, float | None] = (0.0, 1.0),
) -> ScoreInterval:
    """Wilson's interval with p (1 - p) / variance in place of the number of items, and t in place of z.

    `scores` has one number for each item, `values` [item, epoch] the samples behind it, `groups` the group of each.
    The variance of the mean is that of items, or of groups by CR2. The number is at most that of all samples, and that
    of the items (or groups) where all of them score alike, for no variance is not seen from a few.
    References: wilson1927, korn1998, miller2024.
    """
    check_options("two-sided", level)
    x = numbers(scores, "scores")
    require_units(x.size, 2, "item", TEST)
    found = clusters_of(x, np.zeros_like(x), np.arange(x.size) if groups is None else groups, TEST)
    require_units(found.count, 2, "group", TEST)
    variance, df = cr2(found)
    mean = found.mean
    share = bounds == (0.0, 1.0)
    if share:
        interval = _wilson(min(max(mean, 0.0), 1.0), _equivalent(mean, variance, found.count, values), df, level)
    else:
        interval = t_interval(mean, math.sqrt(variance), df, "two-sided", level)
    what = f"{found.count} groups (CR2)" if groups is not None else f"{found.count} items"
    how = "Wilson score with the variance of" if share else "t with the variance of"
    return ScoreInterval(
        method_name=TEST,
        value=mean,
        interval=interval,
        standard_error=math.sqrt(variance),
        n_units=int(x.size),
        unit="item",
        method=f"{how} {what}, t with {df:.4g} degrees of freedom",
        details=(("standard error", math.sqrt(variance)), *variance_split(values)),
    )


def _equivalent(mean: float, variance: float, units: int, values: Any) -> float:
    """Items, right or wrong once, whose mean would have this variance."""
    spread = mean * (1.0 - mean)
    if variance <= 0.0 or spread <= 0.0:
        return float(units)
    most = math.inf if values is None else float(np.count_nonzero(~np.isnan(values)))
    outcomes = values is not None and bool(np.isin(values[~np.isnan(values)], (0.0, 1.0)).all())
    return min(spread / variance, most) if outcomes else spread / variance


def _wilson(share: float, n: float, df: float, level: float) -> Interval:
    z2 = float(special.stdtrit(df, (1.0 + level) / 2.0)) ** 2
    centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n)
    half = math.sqrt(z2 * (share * (1.0 - share) / n + z2 / (4.0 * n * n))) / (1.0 + z2 / n)
    low = 0.0 if share == 0.0 else max(0.0, centre - half)
    high = 1.0 if share == 1.0 else min(1.0, centre + half)
    return Interval(low=low, high=high, level=level, method="Wilson score of items")


def variance_split(values: Any, other: Any = None) -> tuple[tuple[str, float], ...]:
    """Variance between items and within them, of one learner's [item, epoch] or of the difference of two.

    Within is the mean over items of the variance of their samples, between what is left of the variance of the items'
    means; samples of the two learners are drawn independently, so theirs add up (Miller 2024, section 3). Empty where
    an item has one sample: then the two cannot be told apart.
    """
    learners = [np.asarray(v, dtype=np.float64) for v in (values, other) if v is not None]
    if not learners or any(v.ndim != 2 for v in learners):
        return ()
    counts = [np.count_nonzero(~np.isnan(v), axis=1) for v in learners]
    if any(np.any(n < 2) for n in counts) or learners[0].shape[0] < 2:
        return ()
    within = [np.nanvar(v, axis=1, ddof=1) for v in learners]
    means: Floats = np.nanmean(learners[0], axis=1)
    if other is not None:
        means = means - np.nanmean(learners[1], axis=1)
    sampled = sum(float(np.mean(w / n)) for w, n in zip(within, counts, strict=True))
    between = max(0.0, float(np.var(means, ddof=1)) - sampled)
    return (
        ("variance between items", between),
        ("variance within items", sum(float(w.mean()) for w in within)),
    )
