"""mixed-model: the folds of several datasets in one model, which tells the spread of datasets from noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import special

from ...errors import TestError
from ...results.records import Alternative, TestResult
from ..arithmetic.differences import Sided, Student, differences, is_constant, refuse_constant, t_result
from ..arithmetic.guarded import Floats, pair, require_units
from ..arithmetic.reml import MixedFit, moments, reml
from .bayes_correlated_t import check_rope

TEST = "mixed-model"
FEWEST = 5  # datasets: of fewer the spread between them is hardly known


def mixed_model(
    a: Any,
    b: Any,
    *,
    ratios: Any = None,
    rope: float = 0.0,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TestResult:
    """t = difference over its standard error, both by REML of statsmodels, on N - 1 degrees of freedom.

    `a` and `b` hold the scores of every fold of every dataset, in pairs; d_ij = difference + u_i + e_ij, u_i normal
    over the N datasets and e_ij over their folds. Folds of one dataset share training rows, so their mean is less
    certain than independent ones would be: `ratios` of test to training rows (Nadeau and Bengio) say how much of what
    the folds of a dataset have in common is noise, and the datasets are never taken to differ by less than that. A
    normal reference, as statsmodels has, rejects too often with few datasets. References: corani2017, lindstrom1988.
    """
    asked = Sided(alternative=alternative, level=level)
    check_rope(rope)
    d = _by_dataset(a, b)
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
    """What the averages cannot tell, for people."""
    chances = ", ".join(f"{name.partition(': ')[2]} {value:.2f}" for name, value in elsewhere)
    beyond = f" (by more than {rope:g})" if rope > 0.0 else ""
    return (
        f"Beyond the noise of folds the difference spreads by {spread:.3g} over datasets. On another dataset like "
        f"these the chances are, by estimate: {chances}{beyond}."
    )


def _by_dataset(a: Any, b: Any) -> tuple[Floats, ...]:
    """The differences of every dataset's folds, flat, with real ties."""
    if len(a) != len(b):
        raise TestError(f"{TEST}: {len(a)} and {len(b)} datasets cannot be paired")
    require_units(len(a), FEWEST, "dataset", TEST)
    pairs = [pair(np.ravel(one), np.ravel(two)) for one, two in zip(a, b, strict=True)]
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
    """By REML, or, where datasets differ by no more than the noise that their folds share, with that noise alone."""
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
    """Where the difference would lie on another dataset like these: below, within and above the rope."""
    scale = math.hypot(spread, fit.se)
    above, below = (float(special.stdtr(df, (side * fit.estimate - rope) / scale)) for side in (1.0, -1.0))
    within = (("another dataset: within the rope", 1.0 - above - below),) if rope > 0.0 else ()
    return (("another dataset: first higher", above), *within, ("another dataset: second higher", below))
