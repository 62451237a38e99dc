"""Tests over several trainings: quasi-f on disjoint training sets, retrained-t on trainings of the same rows."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import scipy

from ...catalogue.tests import exceeding
from ...errors import TestError
from ...results.records import Alternative, Interval, TestResult
from ..arithmetic.checks import Floats, numbers, pair, require_units
from ..arithmetic.differences import (
    about_weighted_mean,
    differences,
    is_constant,
    no_difference,
    row_weights,
    units_of,
)
from ..arithmetic.tails import USUAL, Sided, clip
from .intervals import ScoreInterval


class QuasiF(NamedTuple):
    """Mean squares of learner x training set x test row, and the quasi-F ratio F'' with Satterthwaite's df and its p.

    The primed ratio has one number of degrees of freedom below; None when MS_AT + MS_AE - MS_ATE is not positive.
    """

    squares: tuple[float, float, float, float]  # of A, AT, AE, ATE
    double: tuple[float, tuple[float, float], float]
    prime: tuple[float, float, float] | None


def quasi_f(
    first: Any, second: Any, *, weights: Any = None, unit: str = "test row", asked: Sided = USUAL
) -> TestResult:
    """F'' = (MS_A + MS_ATE) / (MS_AT + MS_AE) on losses [training set, unit] of both learners.

    A unit is a test row, or a group of them with the mean of its rows and a weight for their number.
    p is that of F''; F' = MS_A / (MS_AT + MS_AE - MS_ATE) stands beside it. No variation at all, or a denominator that
    is not positive, gives p = 1 with a note. References: lindman1992, rasmussen1996, satterthwaite1946.
    """
    one, two = pair(first, second, ndim=2)
    if one.shape[0] < 2 or one.shape[1] < 2:
        raise TestError(
            f"quasi-f needs at least 2 training sets and 2 {unit}s, and there are {one.shape[0]} and {one.shape[1]}"
        )
    d = _about(differences(one, two), weights, "quasi-f")
    found = quasi_f_components(np.stack([d / 2.0, -d / 2.0]))  # only the differences matter: each learner gets half
    statistic, df, p = found.double if found is not None else (0.0, (), 1.0)
    details: list[tuple[str, float]] = []
    if found is not None:
        details += zip(("ms_a", "ms_at", "ms_ae", "ms_ate"), found.squares, strict=True)
        details += zip(("f_prime", "df_prime", "p_prime"), found.prime or (), strict=False)
    if unit == "group":
        details.append(("groups", float(d.shape[1])))
    notes: tuple[str, ...] = () if d.any() else (no_difference("test row"),)
    if found is None and not notes:
        notes = (f"The difference varies neither over training sets nor over {unit}s, so se is 0 and p = 1.",)
    return TestResult(
        test="quasi-f",
        statistic=statistic,
        statistic_name="F''",
        pvalue=p,
        df=df,
        difference=math.fsum(d.ravel()) / d.size,
        interval=None if found is None else _interval(d, found.squares, asked.level),
        **units_of(d.mean(axis=1), "training set"),
        method=f"quasi-F (F'') on {d.shape[0]} training sets and {d.shape[1]} {unit}s, Satterthwaite df",
        details=tuple(details),
        notes=notes,
    )


def quasi_f_components(loss: Any) -> QuasiF | None:
    """Return mean squares and ratios of losses [learner, training set, test row]; None without variation."""
    x = numbers(loss, "loss", ndim=3)
    k, t, e = x.shape
    centred = x - x.mean(axis=0, keepdims=True)
    by_a = centred.mean(axis=(1, 2))
    by_at = centred.mean(axis=2) - by_a[:, None]
    by_ae = centred.mean(axis=1) - by_a[:, None]
    rest = centred - by_a[:, None, None] - by_at[:, :, None] - by_ae[:, None, :]
    freedom = (k - 1, (k - 1) * (t - 1), (k - 1) * (e - 1), (k - 1) * (t - 1) * (e - 1))
    sums = ((t * e, by_a), (e, by_at), (t, by_ae), (1, rest))
    a, at, ae, ate = (n * math.fsum((x**2).ravel()) / df for (n, x), df in zip(sums, freedom, strict=True))
    if at + ae <= 1e-24 * float(np.max(np.abs(x), initial=0.0)) ** 2:
        return None
    below, prime = at + ae - ate, None
    if below > 0.0:
        df = below**2 / (at**2 / freedom[1] + ae**2 / freedom[2] + ate**2 / freedom[3])
        prime = a / below, df, float(scipy.special.fdtrc(float(freedom[0]), df, a / below))
    return QuasiF((a, at, ae, ate), _ratio(a, at, ae, ate, freedom), prime)


def _ratio(
    a: float, at: float, ae: float, ate: float, freedom: tuple[int, int, int, int]
) -> tuple[float, tuple[float, float], float]:
    """Return F'', its degrees of freedom and its p."""
    above, below = a + ate, at + ae
    if above <= 0.0:
        return 0.0, (float(freedom[0]), float(freedom[1] + freedom[2])), 1.0
    df1 = above**2 / (a**2 / freedom[0] + ate**2 / freedom[3])
    df2 = below**2 / (at**2 / freedom[1] + ae**2 / freedom[2])
    return above / below, (df1, df2), float(scipy.special.fdtrc(df1, df2, above / below))


def _interval(d: Floats, squares: tuple[float, ...], level: float) -> Interval | None:
    """Return the shifts that F'' does not reject, by bisection; None when even the mean difference is rejected."""
    t, e = d.shape
    mean = math.fsum(d.ravel()) / d.size
    freedom = (1, t - 1, e - 1, (t - 1) * (e - 1))
    _, at, ae, ate = squares

    def excess(half: float) -> float:
        return _ratio(t * e * half * half / 2.0, at, ae, ate, freedom)[2] - (1.0 - level)

    if excess(0.0) <= 0.0:
        return None
    reach = math.sqrt(2.0 * (at + ae) / (t * e))
    for _ in range(200):
        if excess(reach) < 0.0:
            break
        reach *= 2.0
    else:
        return None

    half = float(scipy.optimize.brentq(excess, 0.0, reach, xtol=1e-15 + 1e-13 * reach))
    return Interval(low=mean - half, high=mean + half, level=level, method="shifts that quasi-f does not reject")


def _about(values: Floats, weights: Any, test: str) -> Floats:
    """Return the values about their weighted mean; as they are without weights."""
    return values if weights is None else about_weighted_mean(values, row_weights(weights, values.shape[-1], test))


TEST = "retrained-t"
SMALLEST_P = 1e-200  # below it the quantiles of t are no longer right
ONCE = "One learner was trained only once, so for this learner the result applies only to that one training."
AGAIN = "The result applies to repeated training on this training set, and not to other training sets."


def retrained_t(
    first: Any, second: Any, *, weights: Any = None, unit: str = "test row", asked: Sided = USUAL
) -> TestResult:
    """t = mean(a) - mean(b) over its standard error over rows and trainings; scores are [training, row].

    Each value is what the row adds to the metric in that training, so that their mean, by the `weights` of the rows
    where folds differ in size, is the mean score of the table. Groups of rows take their place as in `quasi_f`.
    v = s2(rows)/n + s2(trainings)/N - s2(rest)/(n N), the last two for each learner, and never below the larger of the
    first two. The critical value is Cochran and Cox's: the mean of those of the rows and of the trainings, weighted by
    their part of v. Satterthwaite's single number of degrees of freedom rejects too often with few trainings.
    Reference: cochran1957.
    """
    one, two = _trained(first, "first"), _trained(second, "second")
    if one.shape[1] != two.shape[1]:
        raise TestError(f"{TEST}: {one.shape[1]} and {two.shape[1]} {unit}s cannot be paired")
    require_units(one.shape[1], 2, unit, TEST)
    one, two = _about(one, weights, TEST), _about(two, weights, TEST)
    rows = differences(one.mean(axis=0), two.mean(axis=0))
    parts = _parts(rows, one, two)
    difference = float(math.fsum(one.ravel()) / one.size - math.fsum(two.ravel()) / two.size)
    variance = _variance(parts)
    nothing = bool(np.all(rows == 0.0)) and variance == 0.0
    if variance <= 0.0 and not nothing:
        raise TestError(
            f"{TEST}: the difference is {difference:.6g} on every {unit}, so its variance is 0 and t cannot be computed"
        )
    se = math.sqrt(variance)
    t = 0.0 if nothing else difference / se
    half = 0.0 if nothing else _critical(parts, 1.0 - asked.quantile) * se
    low, high = difference - half, difference + half
    return TestResult(
        test=TEST,
        statistic=t,
        statistic_name="t",
        pvalue=1.0 if nothing else _pvalue(t, parts, asked.alternative),
        df=tuple(df for _, df in parts.kept),
        alternative=asked.alternative,
        difference=difference,
        interval=None if nothing else asked.interval(low, high, _METHOD),
        n_units=int(rows.size),  # a row is won by some trainings and lost by others
        unit=unit,
        method=f"t over {rows.size} {unit}s and {one.shape[0]} and {two.shape[0]} trainings",
        details=(("standard_error", se), ("rows", parts.rows), ("trainings", parts.trainings), *_once(one, two)),
        notes=((no_difference("test row"),) if nothing else ()) + (AGAIN, *((ONCE,) if _once(one, two) else ())),
        unmet=_few(one, two, parts),
    )


def _few(one: Floats, two: Floats, parts: _Parts) -> tuple[str, ...]:
    """Return a warning where two trainings carry most of the variance: they know little of their own spread."""
    if 2 not in (one.shape[0], two.shape[0]) or parts.trainings <= parts.rows:
        return ()
    above = exceeding(TEST, "holdout")
    assert above is not None
    return (
        "two trainings are too few to estimate how much scores vary between trainings, and here they vary more "
        "between trainings than between rows; in such simulations, retrained-t at the level 5% had a type I error of "
        f"up to {100 * above.rate:.1f}%",
    )


def retrained_interval(
    values: Any,
    *,
    weights: Any = None,
    unit: str = "test row",
    asked: Sided = USUAL,
    bounds: tuple[float | None, float | None] = (0.0, 1.0),
) -> ScoreInterval:
    """The mean of [training, unit] with the standard error of `retrained_t`, within `bounds`."""
    found = _about(_trained(values, "values"), weights, "retrained-interval")
    require_units(found.shape[1], 2, unit, "retrained-interval")
    rows = found.mean(axis=0)
    parts = _parts(rows, found)
    mean = math.fsum(found.ravel()) / found.size
    se = math.sqrt(_variance(parts))
    half = _critical(parts, (1.0 - asked.level) / 2.0) * se if se > 0.0 else 0.0
    note = "All values are the same, so the interval has width 0. This does not mean that the estimate is precise."
    notes = () if se > 0.0 else (note,)
    return ScoreInterval(
        method_name="retrained-interval",
        value=mean,
        interval=clip(asked.interval(mean - half, mean + half, _METHOD), *bounds),
        standard_error=se,
        n_units=int(rows.size),
        unit=unit,
        method=f"t over {rows.size} {unit}s and {found.shape[0]} trainings",
        details=(("rows", parts.rows), ("trainings", parts.trainings)),
        notes=(*notes, AGAIN),
    )


def _once(one: Floats, two: Floats) -> tuple[tuple[str, float], ...]:
    """Set where one learner was trained once: what another training of it would have been is then not known."""
    return (("trained once", 1.0),) if 1 in (one.shape[0], two.shape[0]) else ()


_METHOD = "t over rows and trainings (Cochran and Cox)"


class _Parts(NamedTuple):
    """The parts of the variance of the difference, and those above 0 with their degrees of freedom."""

    rows: float
    trainings: float
    rest: float
    kept: tuple[tuple[float, float], ...]


def _trained(values: Any, name: str) -> Floats:
    """Return [training, test row]; one axis is one training."""
    return np.atleast_2d(numbers(values, name, ndim=1 if np.ndim(values) == 1 else 2))


def _parts(rows: Floats, *learned: Floats) -> _Parts:
    n = rows.size
    over_rows = 0.0 if is_constant(rows) else float(rows.var(ddof=1)) / n
    learners = []
    for values in learned:
        times = values.shape[0]
        if times < 2:
            continue
        scores = values.mean(axis=1)
        residual = values - values.mean(axis=0) - (scores - scores.mean())[:, None]
        rest = float((residual**2).sum()) / ((times - 1) * (n - 1))
        learners.append((float(scores.var(ddof=1)) / times, float(times - 1), rest / (n * times)))
    kept = tuple(one for one in ((over_rows, n - 1.0), *((part, df) for part, df, _ in learners)) if one[0] > 0.0)
    trainings, rest = math.fsum(part for part, _, _ in learners), math.fsum(rest for _, _, rest in learners)
    return _Parts(over_rows, trainings, rest, kept)


def _variance(parts: _Parts) -> float:
    return max(parts.rows + parts.trainings - parts.rest, parts.rows, parts.trainings)


def _critical(parts: _Parts, tail: float) -> float:
    weight = math.fsum(part for part, _ in parts.kept)
    return math.fsum(-part * float(scipy.special.stdtrit(df, tail)) for part, df in parts.kept) / weight


def _pvalue(t: float, parts: _Parts, alternative: Alternative) -> float:
    """Return the level at which the critical value is just met."""
    if alternative == "two-sided":
        return min(1.0, 2.0 * _tail(abs(t), parts))
    return _tail(t if alternative == "greater" else -t, parts)


def _tail(t: float, parts: _Parts) -> float:
    if t < 0.0:
        return 1.0 - _tail(-t, parts)
    if t == 0.0:
        return 0.5
    if _critical(parts, SMALLEST_P) <= t:
        return SMALLEST_P

    def beyond(log_p: float) -> float:
        return _critical(parts, math.exp(log_p)) - t

    return math.exp(float(scipy.optimize.brentq(beyond, math.log(SMALLEST_P), math.log(0.5), xtol=1e-12)))
