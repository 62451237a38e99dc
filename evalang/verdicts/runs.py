"""Runs of learners on tasks, as reinforcement learning reports them: aggregates, and how often one run beats another.

A run is a seed. Runs of one task are drawn independently, of two learners too, so nothing is paired; the tasks are
those of the benchmark and no sample of others. Reference: agarwal2021.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import scipy

from ..catalogue.distributions import normal_quantile
from ..errors import TestError
from ..plans.model import Comparison, Metric
from ..results.records import BETTER, Aggregate, AggregateName, Improvement, Interval, PerformanceProfile, Runs
from .apply import rng_of
from .arithmetic.checks import Floats, numbers, require_units
from .arithmetic.tails import Sided
from .planned_tests import pairs_of
from .shapes import metric_card

DRAWS = 2_000
AT_ONCE = 250  # draws, so that fifty runs of a hundred tasks stay small
FEW_RUNS = 10  # below it percentiles of the bootstrap are too short: they covered .73 at three runs (rliable #20)

FEWEST_ORDERED = 10  # runs; of equal learners with five, one is called ordered in 9 of 100
POINTS = 51  # of a performance profile


def iqm(scores: Floats) -> Floats:
    """Return the mean of the middle half of all runs of all tasks; [..., run, task]."""
    flat = np.sort(scores.reshape(*scores.shape[:-2], -1), axis=-1)
    cut = flat.shape[-1] // 4
    return np.asarray(flat[..., cut : flat.shape[-1] - cut].mean(axis=-1))


def optimality_gap(scores: Floats, target: float = 1.0) -> Floats:
    """Return by how much the runs fall short of the target on average; what is beyond it counts as reached."""
    return np.asarray(target - np.minimum(scores, target).mean(axis=(-2, -1)))


AGGREGATES: dict[AggregateName, Callable[[Floats], Floats]] = {
    "iqm": iqm,
    "mean": lambda scores: np.asarray(scores.mean(axis=-2).mean(axis=-1)),
    "median": lambda scores: np.asarray(np.median(scores.mean(axis=-2), axis=-1)),
    "optimality-gap": optimality_gap,
}


def runs_of(
    scores: Mapping[str, Any], *, seed: int, level: float = 0.95, higher_is_better: bool = True, target: float = 1.0
) -> Runs:
    """Return the aggregates of [run, task] of every learner; the number of runs may differ, the tasks may not."""
    Sided(level=level)  # raises an error for a level that is none
    tables = {name: _table(found, name) for name, found in scores.items()}
    if len({table.shape[1] for table in tables.values()}) > 1:
        told = ", ".join(f"{name} has {table.shape[1]}" for name, table in tables.items())
        raise TestError(f"the learners differ in their number of tasks: {told}")

    def rng(*key: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))

    kinds, sign = _aggregates(target if higher_is_better else None), 1.0 if higher_is_better else -1.0
    return Runs(
        aggregates=tuple(
            one for i, (x, table) in enumerate(tables.items()) for one in _each(x, table, kinds, rng(i), level)
        ),
        improvements=tuple(
            _ordered(tables, pair, sign, rng(len(tables), i), level) for i, pair in enumerate(combinations(tables, 2))
        ),
        profiles=profiles(tables, sign, level),
    )


def runs_on_tasks(comparison: Comparison, metric: Metric, tables: Mapping[str, Floats]) -> Runs:
    """Return the aggregates of a table of seeds on these tasks, beside the verdict; `tables` are [run, task]."""
    card, level = metric_card(metric), 1.0 - comparison.alpha.value
    higher, sign = card.higher_is_better, 1.0 if card.higher_is_better else -1.0
    kinds = _aggregates(1.0 if higher and card.high == 1.0 else None) if not card.has_unit else {}
    pairs = () if comparison.estimate else pairs_of(comparison, tuple(tables))
    tasks = next(iter(tables.values())).shape[1]
    counts = {len(table) for table in tables.values()}
    return Runs(
        comparison=comparison.name,
        metric=metric.label,
        aggregates=tuple(
            one
            for name, table in tables.items()
            for one in _each(name, table, kinds, rng_of(comparison, "runs", metric.label, name), level)
        ),
        improvements=tuple(
            _ordered(tables, pair, sign, rng_of(comparison, "order", metric.label), level) for pair in pairs
        ),
        profiles=profiles(tables, sign, level) if not card.has_unit else (),
        runs=counts.pop() if len(counts) == 1 else 0,
        tasks=tasks,
        needed=runs_needed(tasks, comparison.alpha.value),
    )


def _ordered(
    tables: Mapping[str, Floats], names: tuple[str, str], sign: float, rng: np.random.Generator, level: float
) -> Improvement:
    first, second = (sign * tables[name] for name in names)
    return with_order(improvement(first, second, names=names, level=level), first, second, rng)


def _aggregates(target: float | None) -> dict[AggregateName, Callable[[Floats], Floats]]:
    """Return the aggregates that make sense: without a target there is no optimality gap."""
    if target is None:
        return {kind: function for kind, function in AGGREGATES.items() if kind != "optimality-gap"}
    return AGGREGATES | {"optimality-gap": lambda scores: optimality_gap(scores, target)}


def _each(
    name: str,
    table: Floats,
    kinds: Mapping[AggregateName, Callable[[Floats], Floats]],
    rng: np.random.Generator,
    level: float,
) -> list[Aggregate]:
    """Return the aggregates of one learner."""
    return [
        Aggregate(learner=name, name=kind, value=float(of(table)), interval=bootstrapped(table, of, one, level))
        for (kind, of), one in zip(kinds.items(), rng.spawn(len(kinds)), strict=True)
    ]


def profiles(tables: Mapping[str, Floats], sign: float, level: float) -> tuple[PerformanceProfile, ...]:
    """Return the share of runs at each score or better (Dolan and More 2002; agarwal2021, run-score distributions).

    The band is Wilson's, with the effective number of runs: tasks are fixed, so only the runs within each of them vary.
    """
    low, high = (min(float(x.min()) for x in tables.values()), max(float(x.max()) for x in tables.values()))
    taus = np.linspace(low, high, POINTS) if high > low else np.array([low])
    z = normal_quantile((1.0 + level) / 2.0)
    found = []
    for name, table in tables.items():
        runs, tasks = table.shape
        each = (sign * table[:, :, None] >= sign * taus).mean(axis=0)  # [task, score]
        share = each.mean(axis=0)
        variance = (each * (1 - each)).sum(axis=0) / ((runs - 1.0) * tasks * tasks)
        whole = share * (1 - share)
        count = np.divide(whole, variance, out=np.full_like(share, runs * tasks), where=variance > 0)
        centre = (share + z * z / (2 * count)) / (1 + z * z / count)
        half = z / (1 + z * z / count) * np.sqrt(whole / count + z * z / (4 * count * count))
        curves = (taus, share, np.clip(centre - half, 0.0, 1.0), np.clip(centre + half, 0.0, 1.0))
        scores, shares, least, most = (tuple(curve.tolist()) for curve in curves)
        found.append(PerformanceProfile(learner=name, scores=scores, shares=shares, low=least, high=most))
    return tuple(found)


def _table(found: Any, name: str) -> Floats:
    table = numbers(found, name, ndim=2)
    require_units(table.shape[0], 2, "run", f"the aggregate of {name}")
    return table


def bootstrapped(
    table: Floats, function: Callable[[Floats], Floats], rng: np.random.Generator, level: float
) -> Interval:
    """Return the interval of the stratified bootstrap, which draws the runs of each task separately.

    Ten runs or more: percentiles. Fewer: the standard deviation of the draws, times sqrt(n / (n - 1)) since n runs
    drawn again vary by so much less than n new ones, and Student's t with the degrees of freedom of all tasks.
    """
    runs, tasks = table.shape
    drawn = []
    for start in range(0, DRAWS, AT_ONCE):
        rows = rng.integers(0, runs, size=(min(AT_ONCE, DRAWS - start), runs, tasks))
        drawn.append(function(np.take_along_axis(table[None], rows, axis=1)))
    values = np.concatenate(drawn)
    if runs >= FEW_RUNS:
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
        return Interval(low=float(low), high=float(high), level=level, method="percentiles, stratified bootstrap")
    error = float(values.std(ddof=1)) * math.sqrt(runs / (runs - 1.0))
    centre, df = float(function(table)), tasks * (runs - 1)
    half = float(scipy.special.stdtrit(df, (1.0 + level) / 2.0)) * error
    method = f"t with {df} degrees of freedom, error of the stratified bootstrap"
    return Interval(low=centre - half, high=centre + half, level=level, method=method)


def improvement(
    first: Floats, second: Floats, *, names: tuple[str, str] = ("first", "second"), level: float = 0.95
) -> Improvement:
    """Return P(a run of the first is higher) averaged over tasks, higher being better, with a score interval."""
    tasks = first.shape[1]
    m, n = first.shape[0], second.shape[0]
    higher = first[:, None, :] - second[None, :, :]
    each = (np.count_nonzero(higher > 0, axis=(0, 1)) + 0.5 * np.count_nonzero(higher == 0, axis=(0, 1))) / (m * n)
    mean = float(each.mean())
    interval = _score_interval(each, m, n, level)
    return Improvement(first=names[0], second=names[1], probability=mean, interval=interval, tasks=tasks)


def violation(first: Floats, second: Floats) -> Floats:
    """Return by how much the first fails to be stochastically larger; [..., run] of each.

    The share of the squared distance between the two quantile functions where the second lies above (del Barrio and
    others 2018): 0 where the first is larger at every quantile, 1 where the second is. The functions are steps, so the
    integral is a sum. Two that are the same are half a violation.
    """
    m, n = first.shape[-1], second.shape[-1]
    ends = np.unique(np.concatenate([np.arange(1, m + 1) * n, np.arange(1, n + 1) * m]))  # in units of 1 / (m n)
    widths = np.diff(ends, prepend=0) / (m * n)
    gap = np.sort(second, axis=-1)[..., (ends - 1) // m] - np.sort(first, axis=-1)[..., (ends - 1) // n]
    whole = np.asarray(gap**2 @ widths)
    part = np.asarray(np.maximum(gap, 0.0) ** 2 @ widths)
    return np.asarray(np.divide(part, whole, out=np.full(whole.shape, 0.5), where=whole > 0))


def almost_stochastic_order(first: Floats, second: Floats, rng: np.random.Generator, level: float = 0.95) -> float:
    """Return the upper bound of the violation of "a run of the first is stochastically larger than one of the second".

    The violation plus the normal quantile times the standard deviation over runs drawn again (Dror, Shlomov and
    Reichart 2019). Of equal learners with 5 to 50 runs it is below .5 in 12 to 22 of 100, below .2 in 1 to 7.
    """
    drawn = violation(*(x[rng.integers(0, x.size, size=(DRAWS, x.size))] for x in (first, second)))
    bound = float(violation(first, second)) + normal_quantile(level) * float(drawn.std(ddof=1))
    return min(max(bound, 0.0), 1.0)


def with_order(one: Improvement, first: Floats, second: Floats, rng: np.random.Generator) -> Improvement:
    """Return the improvement with the stochastic order on the task where it holds least; few runs get none.

    Who is ahead is seen from the same runs, so each side has half of the level.
    """
    if min(first.shape[0], second.shape[0]) < FEWEST_ORDERED:
        return one
    ahead, behind = (first, second) if one.probability >= 0.5 else (second, first)
    tasks, half = range(first.shape[1]), (1.0 + one.interval.level) / 2.0
    return replace(one, order=max(almost_stochastic_order(ahead[:, t], behind[:, t], rng, half) for t in tasks))


def _variance(p: Floats | float, m: int, n: int) -> Any:
    """Return the variance of the share of pairs by Hanley and McNeil's form (Newcombe 2006)."""
    runs = (m + n) / 2.0
    return p * (1 - p) * (1 + (runs - 1) * ((1 - p) / (2 - p) + p / (1 + p))) / (m * n)


def _score_interval(each: Floats, m: int, n: int, level: float) -> Interval:
    """Return every mean over the tasks whose score test does not reject (one task: Newcombe 2006, method 5).

    A mean q has the variance of q on every task, times the share by which tasks that differ vary less. That share is
    computed from p(1 - p) of each task, with half a pair of each outcome added and its bias removed.
    """
    z, mean = normal_quantile((1.0 + level) / 2.0), float(each.mean())
    inside = (each * m * n + 0.5) / (m * n + 1.0)
    whole = float(inside.mean()) * (1.0 - float(inside.mean()))
    within = float(np.mean(inside * (1.0 - inside))) / (1.0 - float(_variance(inside.mean(), m, n)) / whole)
    share = min(within / whole, 1.0)

    def beyond(q: float) -> float:
        return (mean - q) ** 2 - z * z * share * float(_variance(q, m, n)) / each.size

    tiny = 1e-9  # at 0 and 1 nothing varies: each is a root of its own mean
    low = float(scipy.optimize.brentq(beyond, 0.0, min(mean, 1.0 - tiny))) if mean > 0.0 else 0.0
    high = float(scipy.optimize.brentq(beyond, max(mean, tiny), 1.0)) if mean < 1.0 else 1.0
    return Interval(low=low, high=high, level=level, method="Newcombe's score interval")


def runs_needed(tasks: int, alpha: float = 0.05) -> int:
    """Return the runs of each on each task with power .95 to show which is better, if that one is in 3 of 4 pairs.

    Two-sided, by Noether (1987) for the Mann-Whitney test.

    >>> runs_needed(1), runs_needed(7)
    (35, 5)
    """
    z = normal_quantile(1.0 - alpha / 2.0) + normal_quantile(0.95)
    return math.ceil(z * z / (6.0 * tasks * (BETTER - 0.5) ** 2))
