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
from .threshold import best_threshold
from .trial import Candidate, Judge, Parameters, Predicted, stream


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chosen:
    """A winner, the metrics it wins for, and the trained learner where it need not be trained again."""

    parameters: Parameters
    metrics: tuple[int, ...]  # places in the cell's metrics
    trained: tuple[Prepared, float] | None
    threshold: float | None = None  # where it was chosen on the rows that judge candidates


@dataclass(frozen=True, slots=True, eq=False)
class Attempt:
    """What a candidate said of the rows it was judged on, and the learner trained last."""

    said: tuple[Predicted, ...] = ()
    trained: tuple[Prepared, float] | None = None


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
    """Every candidate with its scores, and the winners: the best score, the first of equals.

    A learner without candidates is trained as it is, for its threshold.
    """
    divisions = tuple(_divisions(cell, fold, partition))
    if not cell.recipe.tunes:
        said = _said(on, cell, (), divisions, seed, fold).said
        return (), (Chosen(parameters=(), metrics=(), trained=None, threshold=_threshold(cell, judge, said)),)
    keep = len(divisions) == 1 and (not cell.recipe.retrain or cell.recipe.tuning_on_test)
    best: dict[int, tuple[float, int, Attempt]] = {}
    candidates: list[Candidate] = []
    for number, setting in enumerate(settings(cell.learner, cell.seed)):
        candidate, attempt = _try(on, cell, setting, divisions, judge, seed, fold)
        candidates.append(candidate)
        for place, score in enumerate(candidate.scores):
            signed = None if score is None else score * _sign(cell.metrics[place])
            if signed is not None and (place not in best or signed > best[place][0]):
                best[place] = (signed, number, attempt)
    if not best:
        raise NoCandidate(candidates[0].failure or "no candidate has a score")
    winners: dict[int, list[int]] = {}
    for place in range(len(cell.metrics)):
        # A metric that no candidate has a score for (it may need scores that are not there) takes the first winner.
        winners.setdefault(best[place][1] if place in best else best[min(best)][1], []).append(place)
    by_number = {number: attempt for _, number, attempt in best.values()}
    chosen = tuple(
        Chosen(
            parameters=candidates[number].parameters,
            metrics=tuple(places),
            trained=by_number[number].trained if keep else None,
            threshold=_threshold(cell, judge, by_number[number].said),
        )
        for number, places in sorted(winners.items())
    )
    return tuple(candidates), chosen


def _threshold(cell: Cell, judge: Judge, said: tuple[Predicted, ...]) -> float | None:
    """The winner's threshold, where it is chosen before the winner is trained again."""
    chosen = cell.recipe.threshold
    if chosen is None or chosen.metric is None or not cell.recipe.judged_inside:
        return None
    return best_threshold(judge, chosen.metric, said)


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


def _said(
    on: Bench, cell: Cell, setting: Parameters, divisions: tuple[tuple[Rows, Rows], ...], seed: int, fold: Fold
) -> Attempt:
    """Train a candidate on each division, and ask it about the rows that judge it."""
    said: list[Predicted] = []
    trained: tuple[Prepared, float] | None = None
    for rows, part in divisions:
        trained = train(on, cell.learner, setting, seed, rows, cell.recipe.ending(fold))
        said.append(judged(on, *answer(on, trained[0], part), part))
    return Attempt(tuple(said), trained)


def _try(
    on: Bench,
    cell: Cell,
    setting: Parameters,
    divisions: tuple[tuple[Rows, Rows], ...],
    judge: Judge,
    seed: int,
    fold: Fold,
) -> tuple[Candidate, Attempt]:
    try:
        attempt = _said(on, cell, setting, divisions, seed, fold)
        found = [[_score(judge, metric, said) for metric in cell.metrics] for said in attempt.said]
    except Exception as error:  # a candidate that fails is a candidate that loses
        failure = as_failure(error)
        return Candidate(parameters=setting, scores=(None,) * len(cell.metrics), failure=failure.message), Attempt()
    means = [math.fsum(column) / len(found) for column in zip(*found, strict=True)]
    return Candidate(parameters=setting, scores=tuple(m if math.isfinite(m) else None for m in means)), attempt


def _score(judge: Judge, metric: Metric, said: Predicted) -> float:
    try:
        return float(judge(metric, said))
    except EvalangError:  # not defined here, such as roc-area of a part with one class
        return math.nan


def _sign(metric: Metric) -> int:
    entry = find_metric(metric.name)
    return entry.sign if entry is not None else 1
