"""How many trainings a statement takes, reckoned before anything is expanded."""

from __future__ import annotations

from collections.abc import Iterable

from .model import Learner, Metric, Scheme, Tuning

MOST_FITS = 10_000_000
UNKNOWN = -1


def splits(scheme: Scheme, rows: int | None, folds: int | None) -> int:
    """Folds on one dataset; UNKNOWN when only the data can tell."""
    if scheme.kind == "leave-one-out":
        return rows if rows is not None else UNKNOWN
    if scheme.kind == "given-folds":
        return folds if folds is not None else UNKNOWN
    return scheme.trials


def fits_of(learner: Learner, tuning: Tuning | None, metrics: tuple[Metric, ...], retrained: bool) -> int:
    """Trainings of one learner on one fold.

    Every candidate is trained once (once per inner fold), then the winner again; several metrics may have several
    winners, so this is the most there can be.
    """
    if not learner.grids or tuning is None or tuning.where == "test":
        return learner.trainings * (learner.candidates if learner.grids else 1)
    judged = learner.candidates * (tuning.folds or 1)
    winners = 1 if tuning.metric else min(len(metrics), learner.candidates)
    return judged + (winners * learner.trainings if retrained else 0)


def total(per_dataset: Iterable[int], per_fold: int) -> int:
    """Trainings in all, or UNKNOWN."""
    found = 0
    for count in per_dataset:
        if count == UNKNOWN:
            return UNKNOWN
        found += count * per_fold
    return found
