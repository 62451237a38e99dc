"""Restricted maximum likelihood of one mean with a random part for each group: statsmodels' MixedLM, with its corners
mended."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize

from ...errors import TestError
from .guarded import Floats

_SMALLEST, _LARGEST = 1e-6, 1e3  # ratio of the variances between and within datasets that is searched
_SAME = 0.01  # so far may MixedLM go from where its likelihood is highest: the p-value does not notice


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedFit:
    """difference + dataset + fold: the estimate and the variances of both random parts."""

    estimate: float
    se: float
    between: float  # variance of the datasets' differences, what all folds of a dataset share included
    within: float  # variance of the folds of a dataset about its own mean


def moments(d: Sequence[Floats]) -> tuple[float, float]:
    """The variances within and between datasets by an analysis of variance: REML's own where all have as many folds."""
    sizes = np.array([one.size for one in d], dtype=np.float64)
    means = np.array([one.mean() for one in d])
    n, k = float(sizes.sum()), len(d)
    within = math.fsum(float(((one - mean) ** 2).sum()) for one, mean in zip(d, means, strict=True)) / (n - k)
    square = float(sizes @ (means - float(sizes @ means) / n) ** 2) / (k - 1)
    return within, (square - within) * (k - 1) / (n - float(sizes @ sizes) / n)


def reml(d: Sequence[Floats], within: float, between: float) -> MixedFit | None:
    """The model by statsmodels; None where its likelihood is highest without a spread of datasets.

    Left to itself MixedLM ends in wrong places and says that it converged (docs/peers.md). So it is handed differences
    of one scale and in one order, and starts where its own likelihood, searched along its one free ratio, is highest.
    """
    from statsmodels.regression.mixed_linear_model import MixedLM, MixedLMParams  # slow to import

    scale = math.sqrt(within)
    turn = -1.0 if math.fsum(float(one.sum()) for one in d) < 0.0 else 1.0
    ordered = sorted((np.sort(turn * one / scale) for one in d), key=lambda one: (one.size, *one))
    every = np.concatenate(ordered)
    groups = np.repeat(np.arange(len(ordered)), [one.size for one in ordered])
    model = MixedLM(every, np.ones((every.size, 1)), groups)
    model.reml, model.cov_pen, model.fe_pen, model._cov_sing = True, None, None, 0

    def start(log_ratio: float) -> Any:
        return MixedLMParams.from_components(fe_params=np.zeros(1), cov_re=np.array([[math.exp(log_ratio)]]))

    most = max(_LARGEST, 100.0 * between / within)
    found = optimize.minimize_scalar(
        lambda x: -model.loglike(start(x)),
        bounds=(math.log(_SMALLEST), math.log(most)),
        method="bounded",
        options={"xatol": 1e-10},
    )
    ratio = math.exp(found.x)
    if ratio < 2.0 * _SMALLEST:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of an end that is checked here
        fit = model.fit(reml=True, start_params=start(found.x))
    kept = math.isclose(float(fit.cov_re[0, 0] / fit.scale), ratio, rel_tol=_SAME)
    if not (kept and math.isfinite(float(fit.bse_fe[0]))):
        raise TestError(
            "mixed-model: the model cannot be fitted to these folds", hint="name paired-t, on one score of each dataset"
        )
    return MixedFit(
        estimate=turn * scale * float(fit.fe_params[0]),
        se=scale * float(fit.bse_fe[0]),
        between=scale**2 * float(fit.cov_re[0, 0]),
        within=scale**2 * float(fit.scale),
    )
