"""The range of k standard normals (the studentized range with infinite degrees of freedom), right in far tails."""

from __future__ import annotations

import math

import numpy as np
from scipy import interpolate, optimize, special

from .guarded import Floats

FEW = 100  # up to so many distinct values each is integrated; above, a cubic through a grid in log sf
GRID = 500  # points; off by less than 1e-6 (relative) even when the grid has to reach q = 60
STEP = 0.08  # of the trapezoidal rule; halving it changes nothing above 1e-12 for k from 2 to 5000
UNDERFLOW = 60.0  # beyond it the probability is below the smallest float


def range_sf(q: Floats, k: int) -> Floats:
    """P(range of k standard normals > q).

    With z the largest of them: k times the integral of phi(z) Phi(z)^(k-1) [1 - (1 - Phi(z-q) / Phi(z))^(k-1)].
    Every term is positive, so nothing cancels: sf(15, 10) is 1.2e-24, where 1 - cdf gives 1e-16.
    """
    values, inverse = np.unique(np.clip(q, 0.0, UNDERFLOW), return_inverse=True)
    if values.size <= FEW:
        found = np.exp(_log_sf(values, k))
    else:
        # sqrt keeps the grid dense near 0, where log sf is flat and then bends.
        grid = np.linspace(0.0, math.sqrt(float(values[-1])), GRID)
        spline = interpolate.CubicSpline(grid, _log_sf(grid**2, k))
        found = np.exp(spline(np.sqrt(values)))
    p = np.clip(found, math.ulp(0.0), 1.0)
    p[values == 0.0] = 1.0
    return np.asarray(p[inverse].reshape(np.shape(q)), dtype=np.float64)


def range_quantile(alpha: float, k: int) -> float:
    """The q that the range of k standard normals exceeds with probability alpha."""
    target = math.log(alpha)

    def above(q: float) -> float:
        return float(_log_sf(np.array([q]), k)[0]) - target

    return float(optimize.brentq(above, 0.0, UNDERFLOW, xtol=1e-13))


def _log_sf(q: Floats, k: int) -> Floats:
    result = np.empty(q.shape)
    for start in range(0, q.size, 200):  # blocks keep the table of integrand values small
        block = q[start : start + 200]
        z = np.arange(-10.0, float(block.max()) / 2.0 + 12.0, STEP)
        log_phi = -0.5 * z * z - 0.5 * math.log(2.0 * math.pi)
        log_cdf = special.log_ndtr(z)
        ratio = np.exp(np.minimum(special.log_ndtr(z - block[:, None]) - log_cdf, 0.0))
        with np.errstate(divide="ignore"):
            some_below = -np.expm1((k - 1) * np.log1p(-ratio))
            log_terms = log_phi + (k - 1) * log_cdf + np.log(some_below)
        result[start : start + 200] = special.logsumexp(log_terms, axis=1)
    return np.minimum(result + math.log(k * STEP), 0.0)
