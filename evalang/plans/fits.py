"""How many trainings a statement takes, reckoned before anything is expanded."""

from __future__ import annotations

from collections.abc import Iterable

from ..catalogue.metrics import find_metric
from .model import Learner, Metric, Tuning

MOST_FITS = 10_000_000
UNKNOWN = -1


def fits_of(learner: Learner, tuning: Tuning | None, metrics: tuple[Metric, ...], retrained: bool) -> int:
    """Trainings of one learner on one fold, at most.

    Every candidate is trained once (in each inner fold); then every winner is trained, `train N times` each, one
    training less where the winner need not be trained again. Each metric may have a winner of its own.
    """
    if not learner.grids or tuning is None:
        return learner.trainings
    judged = learner.candidates * (tuning.folds or 1)
    kept = tuning.where == "test" or (tuning.where == "part" and not retrained)
    return judged + _winners(learner, tuning, metrics) * (learner.trainings - kept)


def _winners(learner: Learner, tuning: Tuning, metrics: tuple[Metric, ...]) -> int:
    if tuning.metric:
        return 1
    # Times and sizes vary from run to run, so they choose no winner.
    steady = [m for m in metrics if (card := find_metric(m.name)) is None or card.needs not in ("time", "size")]
    return min(max(len(steady), 1), learner.candidates)


def total(per_dataset: Iterable[int | None], per_fold: int) -> int:
    """Trainings in all, or UNKNOWN."""
    found = 0
    for count in per_dataset:
        if count is None:
            return UNKNOWN
        found += count * per_fold
    return found
