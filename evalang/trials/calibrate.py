"""From scores to probabilities: Platt scaling, isotonic regression, and the linear scaling of plain margins.

Fitted on rows that neither trained the learner nor test it. Many classes: each against the rest, then made to sum to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..errors import DataError

Numbers = npt.NDArray[np.float64]
Method = Literal["platt", "isotonic", "range"]

STEPS = 100  # Newton steps; ten are usual
SETTLED = 1e-10  # largest gradient per row at the end
HALVINGS = 40


@dataclass(frozen=True, slots=True)
class Sigmoid:
    """p = 1 / (1 + exp(slope · score + offset)): A and B of Platt."""

    slope: float
    offset: float


@dataclass(frozen=True, slots=True)
class Staircase:
    """A rising line through (score, probability), level before the first and after the last."""

    scores: tuple[float, ...]
    chances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """(score - low) / (high - low), kept within 0 and 1."""

    low: float
    high: float


Map = Sigmoid | Staircase | Range


@dataclass(frozen=True, slots=True)
class FittedCalibration:
    """One map for two classes (of the second class's score), else one for each class."""

    maps: tuple[Map, ...]


def fit(
    method: Method, scores: Numbers, truth: npt.NDArray[np.intp], weights: Numbers | None = None
) -> FittedCalibration:
    """Fit on the scores [n] or [n, classes] and the codes of the true classes."""
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim == 2 and values.shape[1] == 2:
        values = values[:, 1]
    if len(values) == 0 or len(values) != len(truth):
        raise DataError(f"calibration has {len(values)} scores for {len(truth)} rows")
    if not np.isfinite(values).all():
        raise DataError("a score of the calibration part is not a finite number")
    if values.ndim == 1:
        return FittedCalibration(maps=(_fit_one(method, values, np.asarray(truth) == 1, weights),))
    columns = range(values.shape[1])
    return FittedCalibration(
        maps=tuple(_fit_one(method, values[:, k], np.asarray(truth) == k, weights) for k in columns)
    )


def apply(calibration: FittedCalibration, scores: Numbers) -> Numbers:
    """Probabilities of the second class [n], or of every class [n, classes] with rows that sum to 1."""
    values = np.asarray(scores, dtype=np.float64)
    if len(calibration.maps) == 1:
        return apply_map(calibration.maps[0], values[:, 1] if values.ndim == 2 else values)
    each = np.column_stack([apply_map(one, values[:, k]) for k, one in enumerate(calibration.maps)])
    total = each.sum(axis=1, keepdims=True)
    level = np.full_like(each, 1.0 / each.shape[1])
    shares: Numbers = np.divide(each, total, out=level, where=total > 0)
    return shares


def apply_map(one: Map, scores: Numbers) -> Numbers:
    """The probabilities that one map gives."""
    if isinstance(one, Sigmoid):
        return _sigmoid(-(one.slope * scores + one.offset))
    if isinstance(one, Staircase):
        stairs: Numbers = np.interp(scores, np.array(one.scores), np.array(one.chances))
        return stairs
    if one.high == one.low:
        return np.full(len(scores), 0.5)
    return np.clip((scores - one.low) / (one.high - one.low), 0.0, 1.0)


def fit_platt(scores: Numbers, truth: npt.NDArray[np.bool_], weights: Numbers | None = None) -> Sigmoid:
    """The sigmoid of largest likelihood, against Platt's targets (N+ + 1)/(N+ + 2) and 1/(N- + 2).

    Newton's method with step halving on the exact likelihood: Platt 1999; Lin, Lin & Weng 2007.
    """
    weight = np.ones(len(scores)) if weights is None else np.asarray(weights, dtype=np.float64)
    truth = np.asarray(truth, dtype=bool)
    positives, negatives = float(weight[truth].sum()), float(weight[~truth].sum())
    target = np.where(truth, (positives + 1.0) / (positives + 2.0), 1.0 / (negatives + 2.0))
    centre, spread = float(np.average(scores, weights=weight)), float(np.std(scores))
    if spread == 0.0:
        share = float(np.average(target, weights=weight))
        return Sigmoid(slope=0.0, offset=float(np.log1p(-share) - np.log(share)))
    # Standardised scores keep the two equations well conditioned, whatever the unit of the margins.
    design = np.column_stack([(scores - centre) / spread, np.ones(len(scores))])
    rise, level = (float(value) for value in _newton(design, target, weight))
    return Sigmoid(slope=-rise / spread, offset=-(level - rise * centre / spread))


def fit_isotonic(scores: Numbers, truth: Numbers, weights: Numbers | None = None) -> Staircase:
    """Least squares among rising functions of the score, straight between the scores seen: Zadrozny & Elkan 2002."""
    from sklearn.isotonic import IsotonicRegression

    stairs = IsotonicRegression().fit(scores, truth, sample_weight=weights)
    return Staircase(scores=tuple(map(float, stairs.X_thresholds_)), chances=tuple(map(float, stairs.y_thresholds_)))


def fit_range(scores: Numbers) -> Range:
    """The smallest and largest score: Caruana & Niculescu-Mizil, section 3, for the margins of an svm."""
    return Range(low=float(np.min(scores)), high=float(np.max(scores)))


def _fit_one(method: Method, scores: Numbers, truth: npt.NDArray[np.bool_], weights: Numbers | None) -> Map:
    if method == "range":
        return fit_range(scores)
    if truth.all() or not truth.any():
        raise DataError(
            "the calibration part needs rows of every class and rows of other classes",
            hint="use more rows for calibration",
        )
    return (
        fit_platt(scores, truth, weights) if method == "platt" else fit_isotonic(scores, truth.astype(float), weights)
    )


def _newton(design: Numbers, target: Numbers, weight: Numbers) -> Numbers:
    share = float(np.average(target, weights=weight))
    found = np.array([0.0, np.log(share) - np.log1p(-share)])
    loss = _loss(design @ found, target, weight)
    for _ in range(STEPS):
        chance = _sigmoid(design @ found)
        gradient = design.T @ (weight * (chance - target))
        if np.abs(gradient).max() <= SETTLED * weight.sum():
            break
        curvature = (design * (weight * chance * (1.0 - chance))[:, None]).T @ design + 1e-12 * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        for _ in range(HALVINGS):
            tried = _loss(design @ (found - step), target, weight)
            if tried <= loss:
                break
            step = step / 2.0
        found, loss = found - step, tried
    return found


def _loss(height: Numbers, target: Numbers, weight: Numbers) -> float:
    return float(np.dot(weight, np.logaddexp(0.0, height) - target * height))


def _sigmoid(height: Numbers) -> Numbers:
    falling = np.exp(-np.abs(height))
    return np.where(height >= 0, 1.0, falling) / (1.0 + falling)
