"""The scores of one learner on one dataset by one metric, fold by fold, out of the scores of a run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..source.record import Record

if TYPE_CHECKING:
    from ..results.run_result import RunResult

_Place = tuple[str, str, str, str]


class Series(Record):
    """What one learner scored; `scores` is [partition][fold], the mean over trainings."""

    comparison: str
    dataset: str
    metric: str
    learner: str
    scores: tuple[tuple[float, ...], ...]
    training_rows: float  # mean size of the training parts; 0 when it is not known


def all_series(run: RunResult) -> tuple[Series, ...]:
    """Every series of a run's comparisons that has no hole."""
    values: dict[_Place, dict[tuple[int, int], list[float]]] = {}
    trained: dict[_Place, list[int]] = {}
    holes: set[_Place] = set()
    compared = {c.name for c in run.plan.comparisons if not c.estimate}
    for row in run.scores.rows():
        place = (row.comparison, row.dataset, row.metric, row.learner)
        if row.comparison not in compared:
            continue
        if row.score is None:
            holes.add(place)
            continue
        values.setdefault(place, {}).setdefault((row.partition, row.fold), []).append(row.score)
        trained.setdefault(place, []).append(row.trained)
    return tuple(
        Series(*place, scores=_nested(folds), training_rows=math.fsum(trained[place]) / len(trained[place]))
        for place, folds in values.items()
        if place not in holes
    )


def _nested(folds: dict[tuple[int, int], list[float]]) -> tuple[tuple[float, ...], ...]:
    found: dict[int, list[float]] = {}
    for (partition, _), scores in sorted(folds.items()):
        found.setdefault(partition, []).append(math.fsum(scores) / len(scores))
    return tuple(tuple(row) for row in found.values())
