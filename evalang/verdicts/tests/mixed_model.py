"""mixed-model: REML on the folds of several datasets, which separates the spread of datasets from noise."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import optimize, special

from ...errors import TestError
from ...results.records import Alternative, TestResult
from ..arithmetic.checks import Floats, pair, require_units
from ..arithmetic.differences import differences, is_constant
from ..arithmetic.tails import Sided, Student, refuse_constant, t_result
from .bayes_tests import check_rope

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
    """Return the variances within and between datasets by ANOVA; with equal numbers of folds they are those of REML."""
    sizes = np.array([one.size for one in d], dtype=np.float64)
    means = np.array([one.mean() for one in d])
    n, k = float(sizes.sum()), len(d)
    within = math.fsum(float(((one - mean) ** 2).sum()) for one, mean in zip(d, means, strict=True)) / (n - k)
    square = float(sizes @ (means - float(sizes @ means) / n) ** 2) / (k - 1)
    return within, (square - within) * (k - 1) / (n - float(sizes @ sizes) / n)


def reml(d: Sequence[Floats], within: float, between: float) -> MixedFit | None:
    """Return the model by statsmodels; None where its likelihood is highest without a spread of datasets.

    Left to itself MixedLM ends in wrong places and says that it converged (docs/peers.md). So it gets differences
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


TEST = "mixed-model"
FEWEST = 5  # datasets: of fewer the spread between them is hardly known


def mixed_model(
    first: Any,
    second: Any,
    *,
    ratios: Any = None,
    rope: float = 0.0,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TestResult:
    """t = difference over its standard error, both by REML of statsmodels, on N - 1 degrees of freedom.

    The scores are those of every fold of every dataset, in pairs; d_ij = difference + u_i + e_ij, u_i normal
    over the N datasets and e_ij over their folds. Folds of one dataset share training rows, so their mean is less
    certain than independent ones would be: `ratios` of test to training rows (Nadeau and Bengio) say how much of what
    the folds of a dataset have in common is noise, and the datasets are never taken to differ by less than that. A
    normal reference, as statsmodels has, rejects too often with few datasets. References: corani2017, lindstrom1988.
    """
    asked = Sided(alternative=alternative, level=level)
    check_rope(rope)
    d = _by_dataset(first, second)
    shared = _ratios(ratios, len(d))
    every = np.concatenate(d)
    refuse_constant(every, TEST, "fold", alternative)
    means = np.array([math.fsum(one) / one.size for one in d])
    df = float(len(d) - 1)
    if is_constant(every):
        return t_result(TEST, "dataset", means, Student(estimate=0.0, se=0.0, df=df), asked)
    fit = _fitted(d, shared)
    noise = float(np.mean(shared)) * fit.within
    spread = math.sqrt(max(0.0, fit.between - noise))
    found = t_result(TEST, "dataset", means, Student(estimate=fit.estimate, se=fit.se, df=df), asked)
    elsewhere = _elsewhere(fit, spread, df, rope)
    return replace(
        found,
        method=f"REML on {every.size} folds of {len(d)} datasets, t with {df:g} degrees of freedom",
        details=(
            *found.details,
            ("spread over datasets", spread),
            ("spread of folds", math.sqrt(fit.within)),
            *elsewhere,
        ),
        notes=(_said(spread, elsewhere, rope),),
    )


def _said(spread: float, elsewhere: tuple[tuple[str, float], ...], rope: float) -> str:
    """Return the note on the spread over datasets, which averages do not show."""
    chances = ", ".join(f"{name.partition(': ')[2]} {value:.2f}" for name, value in elsewhere)
    beyond = f" (by more than {rope:g})" if rope > 0.0 else ""
    return (
        f"Beyond the noise of folds the difference spreads by {spread:.3g} over datasets. On another dataset like "
        f"these the chances are, by estimate: {chances}{beyond}."
    )


def _by_dataset(first: Any, second: Any) -> tuple[Floats, ...]:
    """Return the differences of every dataset's folds, flat, with real ties."""
    if len(first) != len(second):
        raise TestError(f"{TEST}: {len(first)} and {len(second)} datasets cannot be paired")
    require_units(len(first), FEWEST, "dataset", TEST)
    pairs = [pair(np.ravel(one), np.ravel(two)) for one, two in zip(first, second, strict=True)]
    if min(one.size for one, _ in pairs) < 2:
        raise TestError(
            f"{TEST} needs several folds of every dataset, and one has a single score",
            hint="name paired-t or wilcoxon, which need one score of each dataset",
        )
    flat = differences(*(np.concatenate(side) for side in zip(*pairs, strict=True)))
    ends = np.cumsum([one.size for one, _ in pairs])[:-1]
    return tuple(np.split(flat, ends))


def _ratios(ratios: Any, datasets: int) -> Floats:
    if ratios is None:
        return np.zeros(datasets)
    found = np.asarray(ratios, dtype=np.float64)
    if found.shape != (datasets,) or not np.all(np.isfinite(found)) or np.any(found < 0.0):
        raise TestError(f"{TEST}: {datasets} datasets need as many ratios of test to training rows")
    return found


def _fitted(d: Sequence[Floats], ratios: Floats) -> MixedFit:
    """Fit by REML, or with the folds' shared noise alone where datasets differ by no more than it."""
    within, between = moments(d)
    if within <= 0.0:
        raise TestError(
            f"{TEST}: the folds of every dataset give the same difference, so nothing tells their noise",
            hint="name paired-t, which needs one score of each dataset",
        )
    floor = float(np.mean(ratios))
    fit = reml(d, within, between)
    if fit is not None and fit.between > floor * fit.within:
        return fit
    weights = np.array([1.0 / (1.0 / one.size + ratio) for one, ratio in zip(d, ratios, strict=True)])
    means = np.array([one.mean() for one in d])
    estimate = float(weights @ means / weights.sum())
    if not floor:  # no random part is left: all folds are one sample
        every = np.concatenate(d)
        within = math.fsum((every - estimate) ** 2) / (every.size - 1)
    return MixedFit(estimate=estimate, se=math.sqrt(within / weights.sum()), between=floor * within, within=within)


def _elsewhere(fit: MixedFit, spread: float, df: float, rope: float) -> tuple[tuple[str, float], ...]:
    """Return where the difference would lie on another dataset like these: below, within and above the rope."""
    scale = math.hypot(spread, fit.se)
    above, below = (float(special.stdtr(df, (side * fit.estimate - rope) / scale)) for side in (1.0, -1.0))
    within = (("another dataset: within the rope", 1.0 - above - below),) if rope > 0.0 else ()
    return (("another dataset: first higher", above), *within, ("another dataset: second higher", below))
