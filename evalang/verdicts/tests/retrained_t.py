"""retrained-t: two learners on one test set, each trained again and again on the same training rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import optimize, stats

from ...catalogue.tests import exceeding
from ...errors import TestError
from ...results.records import Alternative, TestResult
from ..arithmetic.differences import clip, differences, is_constant, no_difference, one_sided, tail_level
from ..arithmetic.guarded import Floats, check_options, numbers, require_units
from .score_intervals import ScoreInterval

TEST = "retrained-t"
SMALLEST_P = 1e-200  # below it the quantiles of t are no longer right
ONCE = "One of the two was trained once: of it the answer is for that one training."
AGAIN = "The answer is for this training set, trained again; nothing is said of other training sets."


def retrained_t(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """t = mean(a) - mean(b) over its standard error over rows and trainings; `a` and `b` are [training, row].

    Each value is what the row adds to the metric in that training, so that their mean is the mean score of the table.
    v = s2(rows)/n + s2(trainings)/N - s2(rest)/(n N), the last two for each learner, and never below the larger of the
    first two. The critical value is Cochran and Cox's: the mean of those of the rows and of the trainings, weighted by
    their part of v. Satterthwaite's single number of degrees of freedom rejects too often with few trainings.
    Reference: cochran1957.
    """
    check_options(alternative, level)
    one, two = _trained(a, "first"), _trained(b, "second")
    if one.shape[1] != two.shape[1]:
        raise TestError(f"{TEST}: {one.shape[1]} and {two.shape[1]} test rows cannot be paired")
    require_units(one.shape[1], 2, "test row", TEST)
    rows = differences(one.mean(axis=0), two.mean(axis=0))
    parts = _parts(rows, one, two)
    difference = float(math.fsum(one.ravel()) / one.size - math.fsum(two.ravel()) / two.size)
    variance = _variance(parts)
    nothing = bool(np.all(rows == 0.0)) and variance == 0.0
    if variance <= 0.0 and not nothing:
        raise TestError(
            f"{TEST}: the difference is {difference:.6g} on every test row, so it has no variance and there is no t"
        )
    se = math.sqrt(variance)
    t = 0.0 if nothing else difference / se
    half = 0.0 if nothing else _critical(parts, 1.0 - tail_level(level, alternative)) * se
    low, high = difference - half, difference + half
    return TestResult(
        test=TEST,
        statistic=t,
        statistic_name="t",
        pvalue=1.0 if nothing else _pvalue(t, parts, alternative),
        df=tuple(df for _, df in parts.kept),
        alternative=alternative,
        difference=difference,
        interval=None if nothing else one_sided(low, high, alternative, level, _METHOD),
        effect=None,
        wins=0,  # a row is won by some trainings and lost by others
        ties=0,
        losses=0,
        n_units=int(rows.size),
        unit="test row",
        method=f"t over {rows.size} test rows and {one.shape[0]} and {two.shape[0]} trainings",
        details=(("standard_error", se), ("rows", parts.rows), ("trainings", parts.trainings), *_once(one, two)),
        notes=((no_difference("test row"),) if nothing else ()) + (AGAIN, *((ONCE,) if _once(one, two) else ())),
        unmet=_few(one, two, parts),
    )


def _few(one: Floats, two: Floats, parts: _Parts) -> tuple[str, ...]:
    """Two trainings know little of their own spread, which matters where it is most of the variance."""
    if 2 not in (one.shape[0], two.shape[0]) or parts.trainings <= parts.rows:
        return ()
    above = exceeding(TEST, "holdout")
    assert above is not None
    return (
        "Two trainings differ more than the rows do, and tell little of how much trainings differ: at 5% retrained-t "
        f"was wrong in up to {100 * above.rate:.1f}% of such nulls",
    )


def retrained_interval(
    values: Any, *, level: float = 0.95, bounds: tuple[float | None, float | None] = (0.0, 1.0)
) -> ScoreInterval:
    """The mean of [training, test row] with the standard error of `retrained_t`, within `bounds`."""
    check_options("two-sided", level)
    found = _trained(values, "values")
    require_units(found.shape[1], 2, "test row", "retrained-interval")
    rows = found.mean(axis=0)
    parts = _parts(rows, found)
    mean = math.fsum(found.ravel()) / found.size
    se = math.sqrt(_variance(parts))
    half = _critical(parts, (1.0 - level) / 2.0) * se if se > 0.0 else 0.0
    notes = () if se > 0.0 else ("All values are the same: the interval has no width, which says little.",)
    return ScoreInterval(
        method_name="retrained-interval",
        value=mean,
        interval=clip(one_sided(mean - half, mean + half, "two-sided", level, _METHOD), *_ends(bounds)),
        standard_error=se,
        n_units=int(rows.size),
        unit="test row",
        method=f"t over {rows.size} test rows and {found.shape[0]} trainings",
        details=(("rows", parts.rows), ("trainings", parts.trainings)),
        notes=(*notes, AGAIN),
    )


def _once(one: Floats, two: Floats) -> tuple[tuple[str, float], ...]:
    """Set where one learner was trained once: what another training of it would have been is then not known."""
    return (("trained once", 1.0),) if 1 in (one.shape[0], two.shape[0]) else ()


def _ends(bounds: tuple[float | None, float | None]) -> tuple[float, float]:
    low, high = bounds
    return -math.inf if low is None else low, math.inf if high is None else high


_METHOD = "t over rows and trainings (Cochran and Cox)"


class _Parts:
    """The parts of the variance of the difference, and the degrees of freedom that belong to each."""

    def __init__(self, rows: tuple[float, float], learners: list[tuple[float, float, float]]) -> None:
        self.rows = rows[0]
        self.trainings = math.fsum(part for part, _, _ in learners)
        self.rest = math.fsum(rest for _, _, rest in learners)
        self.kept = tuple(one for one in (rows, *((part, df) for part, df, _ in learners)) if one[0] > 0.0)


def _trained(values: Any, name: str) -> Floats:
    """[training, test row]; one axis is one training."""
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
    return _Parts((over_rows, float(n - 1)), learners)


def _variance(parts: _Parts) -> float:
    return max(parts.rows + parts.trainings - parts.rest, parts.rows, parts.trainings)


def _critical(parts: _Parts, tail: float) -> float:
    weight = math.fsum(part for part, _ in parts.kept)
    return math.fsum(part * float(stats.t.isf(tail, df)) for part, df in parts.kept) / weight


def _pvalue(t: float, parts: _Parts, alternative: Alternative) -> float:
    """The level at which the critical value is just met."""
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
    return float(
        math.exp(
            optimize.brentq(
                lambda x: _critical(parts, math.exp(x)) - t, math.log(SMALLEST_P), math.log(0.5), xtol=1e-12
            )
        )
    )
