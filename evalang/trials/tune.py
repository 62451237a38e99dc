"""Choosing among candidates. Nothing here ever sees a test row, unless the script says `tune on test`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..catalogue.metrics import find_metric
from ..errors import EvalangError
from ..plans.model import Learner, Metric
from .divide import Rows
from .expand import Cell
from .folds import Fold, Partition
from .pipeline import Bench
from .predict import answer, judged, train
from .prepared import Prepared
from .problem import as_failure
from .trial import Candidate, Judge, Parameters, Predicted, stream


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chosen:
    """A winner, the metrics it wins for, and the trained learner where it need not be trained again."""

    parameters: Parameters
    metrics: tuple[int, ...]  # places in the cell's metrics
    trained: tuple[Prepared, float] | None


class NoCandidate(Exception):
    """Every candidate failed; the message is the first one's."""


def settings(learner: Learner, root: int) -> Iterator[Parameters]:
    """The candidates in order of the grid; with `try N`, N of them by lot, the same for every fold and dataset."""
    sizes = [len(grid.values) for grid in learner.grids]
    total = math.prod(sizes)
    places = range(total)
    if learner.tries is not None and learner.tries < total:
        rng = stream(root, "try", learner.tries, [(g.parameter, g.values) for g in learner.grids])
        places = sorted(int(n) for n in rng.choice(total, learner.tries, replace=False, shuffle=False))  # type: ignore[assignment]
    for place in places:
        indices = np.unravel_index(place, sizes)
        yield tuple((g.parameter, g.values[int(i)]) for g, i in zip(learner.grids, indices, strict=True))


def tune(
    on: Bench, cell: Cell, fold: Fold, partition: Partition, judge: Judge, seed: int
) -> tuple[tuple[Candidate, ...], tuple[Chosen, ...]]:
    """Every candidate with its scores, and the winners: the best score, the first of equals."""
    divisions = tuple(_divisions(cell, fold, partition))
    keep = len(divisions) == 1 and (not cell.recipe.retrain or cell.recipe.tuning_on_test)
    best: dict[int, tuple[float, int, tuple[Prepared, float] | None]] = {}
    candidates: list[Candidate] = []
    for number, setting in enumerate(settings(cell.learner, cell.seed)):
        candidate, trained = _try(on, cell, setting, divisions, judge, seed)
        candidates.append(candidate)
        for place, score in enumerate(candidate.scores):
            signed = None if score is None else score * _sign(cell.metrics[place])
            if signed is not None and (place not in best or signed > best[place][0]):
                best[place] = (signed, number, trained if keep else None)
    if not best:
        raise NoCandidate(candidates[0].failure or "no candidate has a score")
    winners: dict[int, list[int]] = {}
    for place in range(len(cell.metrics)):
        # A metric that no candidate has a score for (it may need scores that are not there) takes the first winner.
        winners.setdefault(best[place][1] if place in best else best[min(best)][1], []).append(place)
    trained_by = {number: trained for _, number, trained in best.values()}
    chosen = tuple(
        Chosen(parameters=candidates[number].parameters, metrics=tuple(places), trained=trained_by[number])
        for number, places in sorted(winners.items())
    )
    return tuple(candidates), chosen


def _divisions(cell: Cell, fold: Fold, partition: Partition) -> Iterator[tuple[Rows, Rows]]:
    """(trained on, judged on) for every inner fold."""
    tuning = cell.recipe.tuning
    assert tuning is not None
    if tuning.where == "cv":
        yield from partition.inner(fold.train, fold.fold, tuning.folds or 2)
    elif tuning.where == "test":
        yield fold.train, fold.test
    else:
        assert fold.tuning is not None
        yield fold.train, fold.tuning


def _try(
    on: Bench, cell: Cell, setting: Parameters, divisions: tuple[tuple[Rows, Rows], ...], judge: Judge, seed: int
) -> tuple[Candidate, tuple[Prepared, float] | None]:
    found: list[list[float]] = []
    trained: tuple[Prepared, float] | None = None
    try:
        for rows, part in divisions:
            trained = train(on, cell.learner, setting, seed, rows)
            said = judged(on, *answer(on, trained[0], part), part)
            found.append([_score(judge, metric, said) for metric in cell.metrics])
    except Exception as error:  # a candidate that fails is a candidate that loses
        failure = as_failure(error)
        return Candidate(parameters=setting, scores=(None,) * len(cell.metrics), failure=failure.message), None
    means = [math.fsum(column) / len(found) for column in zip(*found, strict=True)]
    return Candidate(parameters=setting, scores=tuple(m if math.isfinite(m) else None for m in means)), trained


def _score(judge: Judge, metric: Metric, said: Predicted) -> float:
    try:
        return float(judge(metric, said))
    except EvalangError:  # not defined here, such as roc-area of a part with one class
        return math.nan


def _sign(metric: Metric) -> int:
    entry = find_metric(metric.name)
    return entry.sign if entry is not None else 1
