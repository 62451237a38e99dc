"""Normal, t, F, chi-squared and binomial probabilities in plain Python, for the lint and plan path.

Everything here agrees with SciPy to about 1e-10 (relative); tests/catalogue/test_distributions.py holds it to that.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import lru_cache

_TINY = 1e-300
_EPS = 1e-16
_SQRT2 = math.sqrt(2.0)


def normal_cdf(x: float) -> float:
    """P(Z <= x) of the standard normal."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def normal_quantile(p: float) -> float:
    """Return the x with P(Z <= x) = p, for 0 < p < 1."""
    # `statistics` pulls in decimal and fractions: not worth it for scripts that never ask for a quantile.
    from statistics import NormalDist

    return NormalDist().inv_cdf(p)


def beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by the continued fraction of Lentz."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - _beta_tail(1.0 - x, b, a)
    return _beta_tail(x, a, b)


def beta_sf(x: float, a: float, b: float) -> float:
    """1 - I_x(a, b), without cancellation in the upper tail."""
    return beta_cdf(1.0 - x, b, a)


def _beta_tail(x: float, a: float, b: float) -> float:
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > _TINY else _TINY)
    value = d
    for m in range(1, 10_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            d = 1.0 + numerator * d
            d = 1.0 / (d if abs(d) > _TINY else _TINY)
            c = 1.0 + numerator / c
            c = c if abs(c) > _TINY else _TINY
            value *= c * d
        if abs(c * d - 1.0) < _EPS * 10:
            break
    return math.exp(log_front) * value / a


def t_sf(t: float, df: float) -> float:
    """P(T > t) of Student's t."""
    # x = df / (df + t^2) is the share that falls in both tails.
    tail = 0.5 * beta_cdf(df / (df + t * t), df / 2.0, 0.5)
    return tail if t >= 0.0 else 1.0 - tail


@lru_cache(maxsize=1024)
def t_quantile(p: float, df: float) -> float:
    """Return the t with P(T <= t) = p, for 0 < p < 1."""
    if p == 0.5:
        return 0.0
    if p < 0.5:
        return -t_quantile(1.0 - p, df)
    upper = 1.0
    while t_sf(upper, df) > 1.0 - p:
        upper *= 2.0
    return bisect(lambda t: (1.0 - p) - t_sf(t, df), 0.0, upper)


def chi2_sf(x: float, df: float) -> float:
    """P(X > x) of the chi-squared distribution: the upper incomplete gamma function."""
    if x <= 0.0:
        return 1.0
    a, y = df / 2.0, x / 2.0
    front = math.exp(a * math.log(y) - y - math.lgamma(a))
    if y < a + 1.0:
        term = total = 1.0 / a
        n = a
        while abs(term) > abs(total) * _EPS:
            n += 1.0
            term *= y / n
            total += term
        return 1.0 - front * total
    b = y + 1.0 - a
    c, d = 1.0 / _TINY, 1.0 / b
    value = d
    for i in range(1, 100_000):
        step = -i * (i - a)
        b += 2.0
        d = 1.0 / (step * d + b or _TINY)
        c = b + step / c or _TINY
        value *= c * d
        if abs(c * d - 1.0) < _EPS * 10:
            break
    return front * value


def binomial_pmf(k: int, n: int, p: float) -> float:
    """P(X = k) for X ~ Binomial(n, p)."""
    if not 0 <= k <= n:
        return 0.0
    if p in (0.0, 1.0):
        return 1.0 if k == n * p else 0.0
    if n <= 1000:  # the integer is exact and its product with the powers cannot overflow
        return math.exp(math.log(math.comb(n, k)) + k * math.log(p) + (n - k) * math.log1p(-p))
    log_choose = math.lgamma(n + 1.0) - math.lgamma(k + 1.0) - math.lgamma(n - k + 1.0)
    return math.exp(log_choose + k * math.log(p) + (n - k) * math.log1p(-p))


def binomial_cdf(k: int, n: int, p: float) -> float:
    """P(X <= k) for X ~ Binomial(n, p)."""
    if k < 0:
        return 0.0
    if k >= n:
        return 1.0
    return beta_sf(p, k + 1.0, n - float(k))


_FAR = 9.0  # standard deviations: beyond them the normal distribution is 0 or 1 to 1e-18
_MOST_PANELS = 100_000


def noncentral_t_sf(t: float, df: float, shift: float) -> float:
    """P(T > t) for T = (Z + shift) / V with V^2 = chi-squared(df) / df, as the mean of Phi(shift - t V).

    The trapezoidal rule over log V: the integrand is analytic and dies off on both sides, so a few points for each of
    its scales give 1e-12: its spread, and 1 / shift, within which Phi turns. A shift that no V can make up for has no
    turn at all.
    """
    spread = 1.0 / math.sqrt(2.0 * df)
    low, high = -38.0 / df - 10.0 * spread, math.log1p(12.0 * spread)
    ends = (shift - t * math.exp(low), shift - t * math.exp(high))
    if min(ends) > _FAR or max(ends) < -_FAR:
        return 1.0 if shift > 0.0 else 0.0
    panels = min(int((4.0 + 2.0 / spread + 2.5 * abs(shift)) * (high - low)), _MOST_PANELS)
    shift /= _SQRT2
    points, weights = _chi_points(df, low, high, panels)
    erfc = math.erfc
    total: float = sum(map(operator.mul, weights, [erfc(t * v - shift) for v in points]))
    return min(1.0, total)


@lru_cache(maxsize=1024)
def _chi_points(df: float, low: float, high: float, panels: int) -> tuple[list[float], list[float]]:
    """Return equally spaced log V as V / sqrt(2), and half the probability around each, as erfc takes them.

    Points too far out to count are left out. Both tails of a test share them.
    """
    log_front = math.log(2.0) + 0.5 * df * math.log(0.5 * df) - math.lgamma(0.5 * df)
    width = (high - low) / panels
    points, weights = [], []
    for i in range(panels + 1):
        u = low + i * width
        v = math.exp(u)
        weight = 0.5 * width * math.exp(log_front + df * u - 0.5 * df * v * v)
        if weight > 1e-22:
            points.append(v / _SQRT2)
            weights.append(weight)
    return points, weights


def normal_range_sf(q: float, k: int) -> float:
    """P(range of k standard normals > q), by the trapezoidal rule over z, the largest of them.

    k times the integral of phi(z) Phi(z)^(k-1) [1 - (1 - Phi(z-q) / Phi(z))^(k-1)]; every term is positive, so far
    tails come out right.
    """
    if q <= 0.0 or k < 2:
        return 1.0
    step = 0.05
    total = 0.0
    for i in range(int((q / 2.0 + 21.0) / step)):
        z = -9.0 + i * step
        cdf = normal_cdf(z)
        ratio = min(normal_cdf(z - q) / cdf, 1.0)
        some_below = 1.0 if ratio == 1.0 else -math.expm1((k - 1) * math.log1p(-ratio))
        total += math.exp(-0.5 * z * z + (k - 1) * math.log(cdf)) * some_below
    return min(1.0, k * step * total / math.sqrt(2.0 * math.pi))


def bisect(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the root of a function that rises through zero between `low` and `high`."""
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        if function(middle) < 0.0:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
