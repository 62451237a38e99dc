"""How many trainings a statement takes, reckoned before anything is expanded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..catalogue.metrics import find_metric
from ..source.record import replace
from .model import Comparison, Dataset, Learner, Metric, Tuning
from .problems import Problems
from .values import shown

MOST_FITS = 10_000_000
UNKNOWN = -1


def counted(
    comparison: Comparison,
    learners: Mapping[str, Learner],
    datasets: Iterable[Dataset],
    folds: Mapping[str, int | None],
    problems: Problems,
) -> Comparison:
    """The comparison with its number of trainings; `folds` are those the data itself says, by dataset."""
    scheme = comparison.scheme
    if scheme is None or comparison.data != "datasets":
        return replace(comparison, fits=0, fits_reason=f"the {comparison.data} are already there")
    tuning = comparison.tuning.value if comparison.tuning else None
    per_fold = sum(fits_of(learners[x], tuning, comparison.metrics, comparison.retrains) for x in comparison.learners)
    counts = [scheme.splits(d.rows, folds.get(d.name)) for d in datasets]
    found = total(counts, per_fold)
    if found > MOST_FITS:
        help = f"{MOST_FITS:,} are the most; use fewer folds, partitions or settings"
        problems.bad(comparison.span, f"this takes {shown(found)} trainings", help)
        return replace(comparison, fits=UNKNOWN, fits_reason="more than can be done")
    if found == UNKNOWN:
        reason = f"{per_fold:,} on every fold; the data tells how many folds there are"
        return replace(comparison, fits=UNKNOWN, fits_reason=reason)
    reason = f"{per_fold:,} on every fold, {sum(filter(None, counts)):,} folds"
    return replace(comparison, fits=found, fits_reason=reason)


def fits_of(learner: Learner, tuning: Tuning | None, metrics: tuple[Metric, ...], retrained: bool) -> int:
    """Trainings of one learner on one fold, at most.

    Every candidate is trained once (in each inner fold); then every winner is trained, `train N times` each, one
    training less where the winner need not be trained again. Each metric may have a winner of its own.
    """
    if not learner.grids or tuning is None:
        return learner.trainings
    judged = learner.candidates * (tuning.folds or 1)
    kept = tuning.where == "test" or (tuning.where in ("part", "given") and not retrained)
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
