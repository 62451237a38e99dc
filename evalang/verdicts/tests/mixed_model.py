"""mixed-model: REML on the folds of several datasets, which separates the spread of datasets from noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy

from ...errors import TestError
from ...results.records import TestResult
from ..arithmetic.checks import Floats, pair, require_units
from ..arithmetic.differences import differences, is_constant
from ..arithmetic.tails import USUAL, Sided, Student, refuse_constant, t_result
from .bayes_tests import check_rope

GRID = 400  # ratios of the two variances at which the likelihood is tried before the best of them is refined


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedFit:
    """difference + dataset + fold: the estimate, its standard error and the variances of both random parts."""

    estimate: float
    se: float
    spread: float  # variance of the datasets' differences beyond what their folds share
    within: float  # variance of the folds of a dataset about its own mean


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Restricted:
    """The restricted likelihood of a ratio x = spread / within, with the mean and the variance of folds profiled out.

    The mean over the n_i folds of dataset i has the variance within * (1 / n_i + r_i + x), where r_i is the share of
    noise that its folds have in common.
    """

    sizes: Floats
    means: Floats
    ratios: Floats
    squares: float  # of the folds about the means of their datasets

    def _weighted(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Return for each ratio the weights [ratio, dataset], the estimate and the variance of folds."""
        weights = 1.0 / (1.0 / self.sizes + self.ratios + x[:, None])
        estimate = weights @ self.means / weights.sum(axis=1)
        between = (weights * (self.means - estimate[:, None]) ** 2).sum(axis=1)
        return weights, estimate, (self.squares + between) / (self.sizes.sum() - 1.0)

    def fit(self, x: float) -> MixedFit:
        """Return the estimates at a ratio."""
        weights, (estimate,), (within,) = self._weighted(np.array([x]))
        se = math.sqrt(within / weights.sum())
        return MixedFit(estimate=float(estimate), se=se, spread=float(x * within), within=float(within))

    def loss(self, x: Floats) -> Floats:
        """Return minus twice the restricted log-likelihood of each ratio, but for a constant."""
        weights, _, within = self._weighted(x)
        logs = np.log1p(self.sizes * (self.ratios + x[:, None])).sum(axis=1) + np.log(weights.sum(axis=1))
        return np.asarray(logs + (self.sizes.sum() - 1.0) * np.log(within))

    def best(self) -> float:
        """Return the ratio where the likelihood is highest; 0 where no spread of datasets is seen.

        The likelihood of unequal folds may have two peaks, so a grid finds the higher one before it is refined.
        """
        within = self.squares / (self.sizes.sum() - self.sizes.size)
        most = 1e3 + 100.0 * float(self.means.var()) / within
        tried = np.concatenate([[0.0], np.geomspace(1e-6, most, GRID)])
        place = int(np.argmin(self.loss(tried)))
        ends = tried[max(place - 1, 0)], tried[min(place + 1, GRID)]
        found = scipy.optimize.minimize_scalar(
            lambda x: float(self.loss(np.array([x]))[0]),
            bounds=ends,
            method="bounded",
            options={"xatol": 1e-9 * ends[1]},
        )
        return float(found.x) if found.fun < self.loss(np.zeros(1))[0] and found.x > 1e-6 else 0.0


TEST = "mixed-model"
FEWEST = 5  # datasets: of fewer the spread between them is hardly known


def mixed_model(first: Any, second: Any, *, ratios: Any = None, rope: float = 0.0, asked: Sided = USUAL) -> TestResult:
    """t = difference over its standard error, both by restricted maximum likelihood, on N - 1 degrees of freedom.

    The scores are those of every fold of every dataset, in pairs; d_ij = difference + u_i + s_i + e_ij, u_i normal
    over the N datasets and e_ij over their folds. Folds of one dataset share training rows, so they have noise s_i in
    common, whose variance is that of e_ij times the dataset's own ratio of test to training rows (`ratios`; Nadeau and
    Bengio). A normal reference rejects too often with few datasets. References: corani2017, lindstrom1988, nadeau2003.
    """
    check_rope(rope)
    d = _by_dataset(first, second)
    shared = _ratios(ratios, len(d))
    every = np.concatenate(d)
    refuse_constant(every, TEST, "fold", asked.alternative)
    means = np.array([math.fsum(one) / one.size for one in d])
    df = float(len(d) - 1)
    if is_constant(every):
        return t_result(TEST, "dataset", means, Student(estimate=0.0, se=0.0, df=df), asked)
    fit = _fitted(d, means, shared)
    spread = math.sqrt(fit.spread)
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
    chances = ", ".join(
        f"{name.partition(': ')[2].replace(' higher', ' learner higher')} {value:.2f}" for name, value in elsewhere
    )
    beyond = f" (by more than {rope:g})" if rope > 0.0 else ""
    return (
        f"The true difference has an estimated standard deviation of {spread:.3g} over datasets. Estimated "
        f"probabilities on a new dataset like these{beyond}: {chances}."
    )


def _by_dataset(first: Any, second: Any) -> tuple[Floats, ...]:
    """Return the differences of every dataset's folds, flat, with real ties."""
    if len(first) != len(second):
        raise TestError(f"{TEST}: {len(first)} and {len(second)} datasets cannot be paired")
    require_units(len(first), FEWEST, "dataset", TEST)
    pairs = [pair(np.ravel(one), np.ravel(two)) for one, two in zip(first, second, strict=True)]
    if min(one.size for one, _ in pairs) < 2:
        raise TestError(
            f"{TEST} needs several folds of every dataset, but one dataset has a single score",
            hint="use paired-t or wilcoxon, which need one score of each dataset",
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


def _fitted(d: Sequence[Floats], means: Floats, ratios: Floats) -> MixedFit:
    """Fit by restricted maximum likelihood.

    Where no spread of datasets is seen although folds share noise, the variance of folds is that about the means of
    their datasets: the means, nearer to each other than this noise would leave them, may not make it smaller.
    """
    sizes = np.array([one.size for one in d], dtype=np.float64)
    squares = math.fsum(float(((one - mean) ** 2).sum()) for one, mean in zip(d, means, strict=True))
    if squares <= 0.0:
        raise TestError(
            f"{TEST}: all folds of a dataset have the same difference, so the variance between folds cannot be "
            "estimated",
            hint="use paired-t, which needs one score of each dataset",
        )
    model = _Restricted(sizes=sizes, means=means, ratios=ratios, squares=squares)
    x = model.best()
    found = model.fit(x)
    if x > 0.0 or not ratios.any():
        return found
    within = squares / (sizes.sum() - sizes.size)
    return replace(found, se=found.se * math.sqrt(within / found.within), within=within)


def _elsewhere(fit: MixedFit, spread: float, df: float, rope: float) -> tuple[tuple[str, float], ...]:
    """Return where the difference would lie on another dataset like these: below, within and above the rope."""
    scale = math.hypot(spread, fit.se)
    above, below = (float(scipy.special.stdtr(df, (side * fit.estimate - rope) / scale)) for side in (1.0, -1.0))
    within = (("another dataset: within the rope", 1.0 - above - below),) if rope > 0.0 else ()
    return (("another dataset: first higher", above), *within, ("another dataset: second higher", below))
