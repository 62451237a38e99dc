"""quasi-f: two learners on several disjoint training sets and one test set, both of them samples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, stats

from ...errors import TestError
from ...results.records import Alternative, Interval, TestResult
from ..arithmetic.differences import differences, no_difference, two_sided_only, wins_ties_losses
from ..arithmetic.guarded import Floats, check_options, numbers, pair


@dataclass(frozen=True, slots=True, kw_only=True)
class QuasiF:
    """Mean squares of learner x training set x test row, and both quasi-F ratios with Satterthwaite's df.

    The primed values are None when MS_AT + MS_AE - MS_ATE is not positive.
    """

    ms_a: float
    ms_at: float
    ms_ae: float
    ms_ate: float
    f_double: float
    df_double: tuple[float, float]
    p_double: float
    f_prime: float | None
    df_prime: tuple[float, float] | None
    p_prime: float | None


def quasi_f(a: Any, b: Any, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TestResult:
    """F'' = (MS_A + MS_ATE) / (MS_AT + MS_AE) on losses [training set, test row] of both learners.

    p is that of F''; F' = MS_A / (MS_AT + MS_AE - MS_ATE) stands beside it. No variation at all, or a denominator that
    is not positive, gives p = 1 with a note. References: lindman1992, rasmussen1996, satterthwaite1946.
    """
    check_options(alternative, level)
    two_sided_only(alternative, "quasi-f")
    one, two = pair(a, b, ndim=2)
    if one.shape[0] < 2 or one.shape[1] < 2:
        raise TestError(
            f"quasi-f needs at least 2 training sets and 2 test rows, and there are {one.shape[0]} and {one.shape[1]}"
        )
    d = differences(one, two)
    wins, ties, losses = wins_ties_losses(d.mean(axis=1))
    found = mean_squares(d)
    degenerate = found is None
    return TestResult(
        test="quasi-f",
        statistic=0.0 if found is None else found.f_double,
        statistic_name="F''",
        pvalue=1.0 if found is None else found.p_double,
        df=() if found is None else found.df_double,
        alternative=alternative,
        difference=math.fsum(d.ravel()) / d.size,
        interval=None if found is None else _interval(d, found, level),
        effect=None,
        wins=wins,
        ties=ties,
        losses=losses,
        n_units=int(d.shape[0]),
        unit="training set",
        method=f"quasi-F (F'') on {d.shape[0]} training sets and {d.shape[1]} test rows, Satterthwaite df",
        details=_details(found),
        notes=_notes(d, degenerate),
    )


def mean_squares(d: Floats) -> QuasiF | None:
    """The two-learner form: only the differences matter, so each learner gets half of them."""
    half = np.stack([d / 2.0, -d / 2.0])
    return quasi_f_components(half)


def quasi_f_components(loss: Any) -> QuasiF | None:
    """Mean squares and ratios of losses [learner, training set, test row]; None where there is nothing to divide by."""
    x = numbers(loss, "loss", ndim=3)
    k, t, e = x.shape
    centred = x - x.mean(axis=0, keepdims=True)
    by_a = centred.mean(axis=(1, 2))
    by_at = centred.mean(axis=2) - by_a[:, None]
    by_ae = centred.mean(axis=1) - by_a[:, None]
    rest = centred - by_a[:, None, None] - by_at[:, :, None] - by_ae[:, None, :]
    freedom = (k - 1, (k - 1) * (t - 1), (k - 1) * (e - 1), (k - 1) * (t - 1) * (e - 1))
    ms_a = t * e * math.fsum(by_a**2) / freedom[0]
    ms_at = e * math.fsum((by_at**2).ravel()) / freedom[1]
    ms_ae = t * math.fsum((by_ae**2).ravel()) / freedom[2]
    ms_ate = math.fsum((rest**2).ravel()) / freedom[3]
    noise = 1e-24 * float(np.max(np.abs(x), initial=0.0)) ** 2
    if ms_at + ms_ae <= noise:
        return None
    f_double, df_double, p_double = _ratio(ms_a, ms_at, ms_ae, ms_ate, freedom)
    below = ms_at + ms_ae - ms_ate
    if below <= 0.0:
        f_prime = df_prime = p_prime = None
    else:
        f_prime = ms_a / below
        spread = ms_at**2 / freedom[1] + ms_ae**2 / freedom[2] + ms_ate**2 / freedom[3]
        df_prime = (float(freedom[0]), below**2 / spread)
        p_prime = float(stats.f.sf(f_prime, *df_prime))
    return QuasiF(
        ms_a=ms_a,
        ms_at=ms_at,
        ms_ae=ms_ae,
        ms_ate=ms_ate,
        f_double=f_double,
        df_double=df_double,
        p_double=p_double,
        f_prime=f_prime,
        df_prime=df_prime,
        p_prime=p_prime,
    )


def _ratio(
    ms_a: float, ms_at: float, ms_ae: float, ms_ate: float, freedom: tuple[int, int, int, int]
) -> tuple[float, tuple[float, float], float]:
    above, below = ms_a + ms_ate, ms_at + ms_ae
    if above <= 0.0:
        return 0.0, (float(freedom[0]), float(freedom[1] + freedom[2])), 1.0
    df1 = above**2 / (ms_a**2 / freedom[0] + ms_ate**2 / freedom[3])
    df2 = below**2 / (ms_at**2 / freedom[1] + ms_ae**2 / freedom[2])
    return above / below, (df1, df2), float(stats.f.sf(above / below, df1, df2))


def _interval(d: Floats, found: QuasiF, level: float) -> Interval | None:
    """Shifts that F'' does not reject, by bisection; absent when even the mean difference itself is rejected."""
    t, e = d.shape
    mean = math.fsum(d.ravel()) / d.size
    freedom = (1, t - 1, e - 1, (t - 1) * (e - 1))

    def excess(half: float) -> float:
        p = _ratio(t * e * half * half / 2.0, found.ms_at, found.ms_ae, found.ms_ate, freedom)[2]
        return p - (1.0 - level)

    if excess(0.0) <= 0.0:
        return None
    reach = math.sqrt(2.0 * (found.ms_at + found.ms_ae) / (t * e))
    for _ in range(200):
        if excess(reach) < 0.0:
            break
        reach *= 2.0
    else:
        return None
    half = float(optimize.brentq(excess, 0.0, reach, xtol=1e-15 + 1e-13 * reach))
    return Interval(low=mean - half, high=mean + half, level=level, method="shifts that quasi-f does not reject")


def _details(found: QuasiF | None) -> tuple[tuple[str, float], ...]:
    if found is None:
        return ()
    primed: tuple[tuple[str, float], ...] = ()
    if found.f_prime is not None and found.df_prime is not None and found.p_prime is not None:
        primed = (("f_prime", found.f_prime), ("df_prime", found.df_prime[1]), ("p_prime", found.p_prime))
    squares = (("ms_a", found.ms_a), ("ms_at", found.ms_at), ("ms_ae", found.ms_ae), ("ms_ate", found.ms_ate))
    return (*squares, *primed)


def _notes(d: Floats, degenerate: bool) -> tuple[str, ...]:
    if not np.any(d):
        return (no_difference("test row"),)
    if degenerate:
        return ("The difference varies neither over training sets nor over rows: nothing to divide by, so p = 1.",)
    return ()
