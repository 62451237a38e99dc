"""Scores on one scale for all metrics and datasets: 0 is the baseline, 1 the best observed."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, isfinite

from ..catalogue.metrics import find_metric
from ..errors import DataError


def normalise(metric: str, scores: Sequence[float], baseline: float) -> list[float]:
    """(score - baseline) / (best - baseline), for metrics of either direction; cal starts at the mean observed score.

    Predicting the share of positives is well calibrated, so cal is scaled between the mean observed (0) and the best
    observed (1): Caruana & Niculescu-Mizil, section 2.3. When no score differs from the bottom of the scale, all are 0;
    when none is better than the baseline the scale has no top, which is an error.

    >>> normalise("accuracy", [0.75, 1.0, 0.25], baseline=0.5)
    [0.5, 1.0, -0.5]
    """
    entry = find_metric(metric)
    if entry is None:
        raise DataError(f"there is no metric {metric}")
    if not scores or not all(map(isfinite, scores)):
        raise DataError(f"normalised {entry.name} needs at least one score, and every score to be a finite number")
    bottom = fsum(scores) / len(scores) if entry.name == "cal" else baseline
    best = max(scores) if entry.higher_is_better else min(scores)
    if all(value == best for value in scores) and (entry.name == "cal" or best == bottom):
        return [0.0] * len(scores)
    if not entry.sign * (best - bottom) > 0:
        raise DataError(
            f"no learner does better than the baseline ({bottom:.4g}) on {entry.name}, so 1 has no meaning",
            hint="report the scores themselves",
        )
    return [(value - bottom) / (best - bottom) for value in scores]
