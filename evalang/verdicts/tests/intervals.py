"""Intervals of the score of one learner: of counts, of folds, of trainings, of items with samples and groups."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from ...errors import TestError
from ...results.records import Interval
from ..arithmetic.checks import Floats, numbers, require_units
from ..arithmetic.differences import about_weighted_mean, mean_and_variance, row_weights, size_ratio
from ..arithmetic.tails import USUAL, Sided, clip, t_interval
from .dependent_rows import clusters_of, cr2


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreInterval:
    """A score of one learner with the interval that belongs to it."""

    method_name: str  # the card in the catalogue
    value: float
    interval: Interval
    standard_error: float | None
    n_units: int
    unit: str
    method: str
    details: tuple[tuple[str, float], ...] = ()
    notes: tuple[str, ...] = ()


def wilson(right: int, rows: int, *, asked: Sided = USUAL) -> ScoreInterval:
    """Wilson's score interval: the shares p with |p_hat - p| <= z sqrt(p (1-p) / n).

    >>> interval = wilson(30, 30).interval
    >>> round(interval.low, 4), interval.high
    (0.8865, 1.0)

    References: wilson1927, brown2001.
    """
    s, n = _counts(right, rows, "wilson", asked.level)
    z = float(scipy.special.ndtri(asked.quantile))
    return _share("wilson", s, n, _wilson(s / n, n, z, asked.level, "Wilson score"))


def clopper_pearson(right: int, rows: int, *, asked: Sided = USUAL) -> ScoreInterval:
    """Clopper and Pearson's exact interval: quantiles of Beta(s, n-s+1) and Beta(s+1, n-s); never below its level.

    References: clopper1934, brown2001.
    """
    s, n = _counts(right, rows, "clopper-pearson", asked.level)
    tail = (1.0 - asked.level) / 2.0
    low = float(scipy.special.betaincinv(s, n - s + 1, tail)) if s > 0 else 0.0
    high = float(scipy.special.betaincinv(s + 1, n - s, 1.0 - tail)) if s < n else 1.0
    return _share("clopper-pearson", s, n, Interval(low=low, high=high, level=asked.level, method="Clopper-Pearson"))


def corrected_interval(
    scores: Any,
    *,
    train_size: float | None = None,
    test_size: float | None = None,
    asked: Sided = USUAL,
    bounds: tuple[float | None, float | None] = (0.0, 1.0),
) -> ScoreInterval:
    """The mean of fold scores +- t sqrt((1/n + test/train) s^2) with n - 1 degrees of freedom, within `bounds`.

    `train_size` and `test_size` are the rows of one training and one test part; their ratio is what Nadeau and Bengio
    add because the training parts overlap. Without it the interval of 10x10cv is more than three times too short.

    References: nadeau2003, bouckaert2004.
    """
    ratio = size_ratio(train_size, test_size, "corrected-interval")
    flat = numbers(scores, "scores", ndim=_axes(scores)).ravel()
    n = int(flat.size)
    require_units(n, 2, "fold", "corrected-interval")
    mean, variance = mean_and_variance(flat)
    se = math.sqrt((1.0 / n + ratio) * variance)
    notes = (
        (
            "All folds have the same score, so the interval has width 0. This does not mean that the estimate is "
            "precise.",
        )
        if se == 0.0
        else ()
    )
    return ScoreInterval(
        method_name="corrected-interval",
        value=mean,
        interval=clip(t_interval(mean, se, n - 1, asked), *bounds),
        standard_error=se,
        n_units=n,
        unit="fold",
        method=f"Nadeau-Bengio standard error, t with {n - 1} degrees of freedom",
        details=(("standard deviation of the folds", math.sqrt(variance)), ("test/training", ratio)),
        notes=notes,
    )


def training_interval(
    losses: Any,
    *,
    weights: Any = None,
    unit: str = "test row",
    asked: Sided = USUAL,
    bounds: tuple[float | None, float | None] = (0.0, 1.0),
) -> ScoreInterval:
    """Mean of scores [training set, test row] with the variance over both: (MS_train + MS_row - MS_rest) / (I J).

    That estimates s_train^2 / I + s_row^2 / J + s_rest^2 / (I J), so the interval is about new training sets and new
    rows. Degrees of freedom after Satterthwaite; a negative variance falls back on the larger of the two mean squares.
    Where rows come in groups, a group with the mean of its rows and a weight for their number takes the place of a row.

    References: rasmussen1996, dietterich1998.
    """
    y = numbers(losses, "losses", ndim=2)
    sets, rows = y.shape
    require_units(sets, 2, "training set", "training-interval")
    require_units(rows, 2, unit, "training-interval")
    if weights is not None:
        y = about_weighted_mean(y, row_weights(weights, rows, "training-interval"))
    mean = math.fsum(y.ravel().tolist()) / y.size
    centred = y - mean
    by_set, by_row = centred.mean(axis=1), centred.mean(axis=0)
    rest = centred - by_set[:, None] - by_row[None, :]
    df = (sets - 1.0, rows - 1.0, (sets - 1.0) * (rows - 1.0))
    ms_set = rows * float(np.sum(by_set**2)) / df[0]
    ms_row = sets * float(np.sum(by_row**2)) / df[1]
    ms_rest = float(np.sum(rest**2)) / df[2]
    total = ms_set + ms_row - ms_rest
    notes: tuple[str, ...] = ()
    if total <= 0.0 and max(ms_set, ms_row) > 0.0:
        total, freedom = max(ms_set, ms_row), df[0]
        notes = ("The estimated variance components add up to less than zero, so the larger mean square is used.",)
    elif total <= 0.0:
        freedom = df[0]
        notes = (
            "All losses are the same, so the interval has width 0. This does not mean that the estimate is precise.",
        )
    else:
        freedom = total**2 / (ms_set**2 / df[0] + ms_row**2 / df[1] + ms_rest**2 / df[2])
    se = math.sqrt(max(total, 0.0) / y.size)
    return ScoreInterval(
        method_name="training-interval",
        value=mean,
        interval=clip(t_interval(mean, se, freedom, asked), *bounds),
        standard_error=se,
        n_units=sets,
        unit="training set",
        method=f"components of variance over {sets} training sets and {rows} {unit}s, t with {freedom:.4g} df",
        details=(
            ("variance between training sets", max(0.0, (ms_set - ms_rest) / rows)),
            (f"variance between {unit}s", max(0.0, (ms_row - ms_rest) / sets)),
            ("residual variance", ms_rest),
        ),
        notes=notes,
    )


def _axes(scores: Any) -> int:
    """Return 2 for scores by partition and fold, ragged ones included; else 1."""
    try:
        return 2 if np.ndim(scores[0]) else 1
    except (TypeError, ValueError, IndexError, KeyError):
        return 1


def _counts(successes: int, n: int, test: str, level: float) -> tuple[int, int]:
    for name, value in (("successes", successes), ("rows", n)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise TestError(f"{test}: {name} is {value!r}, which is not a whole number")
    require_units(int(n), 1, "test row", test)
    if not 0 <= successes <= n:
        raise TestError(f"{test}: {successes} successes among {n} rows")
    return int(successes), int(n)


def _share(name: str, successes: int, n: int, interval: Interval) -> ScoreInterval:
    value = successes / n
    return ScoreInterval(
        method_name=name,
        value=value,
        interval=interval,
        standard_error=math.sqrt(value * (1.0 - value) / n),
        n_units=n,
        unit="test row",
        method=interval.method,
    )


TEST = "item-interval"


def item_interval(
    scores: Any,
    *,
    values: Any = None,
    groups: Any = None,
    asked: Sided = USUAL,
    bounds: tuple[float | None, float | None] = (0.0, 1.0),
) -> ScoreInterval:
    """Wilson's interval with p (1 - p) / variance in place of the number of items, and t in place of z.

    `scores` has one number for each item, `values` [item, epoch] the samples behind it, `groups` the group of each.
    The variance of the mean is that of items, or of groups by CR2. The number is at most that of all samples, and that
    of the items (or groups) where all of them score alike, for no variance is not seen from a few.
    References: wilson1927, korn1998, miller2024.
    """
    x = numbers(scores, "scores")
    require_units(x.size, 2, "item", TEST)
    found = clusters_of(x, np.zeros_like(x), np.arange(x.size) if groups is None else groups, TEST)
    require_units(found.count, 2, "group", TEST)
    variance, df = cr2(found)
    mean = found.mean
    share = bounds == (0.0, 1.0)
    if share:
        n, t = _equivalent(mean, variance, found.count, values), float(scipy.special.stdtrit(df, asked.quantile))
        interval = _wilson(min(max(mean, 0.0), 1.0), n, t, asked.level, "Wilson score of items")
    else:
        interval = t_interval(mean, math.sqrt(variance), df, asked)
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
    """Return the number of items, right or wrong once, whose mean would have this variance."""
    spread = mean * (1.0 - mean)
    if variance <= 0.0 or spread <= 0.0:
        return float(units)
    most = math.inf if values is None else float(np.count_nonzero(~np.isnan(values)))
    outcomes = values is not None and bool(np.isin(values[~np.isnan(values)], (0.0, 1.0)).all())
    return min(spread / variance, most) if outcomes else spread / variance


def _wilson(share: float, n: float, z: float, level: float, method: str) -> Interval:
    z2 = z * z
    centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n)
    half = math.sqrt(z2 * (share * (1.0 - share) / n + z2 / (4.0 * n * n))) / (1.0 + z2 / n)
    low = 0.0 if share == 0.0 else max(0.0, centre - half)
    high = 1.0 if share == 1.0 else min(1.0, centre + half)
    return Interval(low=low, high=high, level=level, method=method)


def variance_split(values: Any, other: Any = None) -> tuple[tuple[str, float], ...]:
    """Return the variance between and within items, of one learner's [item, epoch] or of the difference of two.

    Within is the mean over items of the variance of their samples, between what is left of the variance of the items'
    means; samples of the two learners are drawn independently, so theirs add up (Miller 2024, section 3). Empty where
    an item has one sample: then the two cannot be separated.
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
