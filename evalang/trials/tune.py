"""Choosing among candidates, and a threshold. No test row is used unless the script says `on test`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..catalogue.metrics import find_metric
from ..errors import EvalangError
from ..plans.model import MOST_THRESHOLDS, Learner, Metric
from .expand import Cell
from .fit import ContractError, as_failure, predict, train, with_truth
from .prepare import PreparedTable
from .prepared import Prepared
from .splits import Fold, Partition, Rows
from .trial import Candidate, Failure, Numbers, Parameters, Predicted, Scorer, stream


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chosen:
    """A winner, the metrics it wins for, and the trained learner where it need not be trained again."""

    parameters: Parameters
    metrics: tuple[int, ...]  # places in the cell's metrics
    trained: tuple[Prepared, float] | None
    threshold: float | None = None  # where it was chosen on the rows that score candidates


@dataclass(frozen=True, slots=True, eq=False)
class Attempt:
    """A candidate's predictions of the rows that score it, and the learner trained last."""

    predicted: tuple[Predicted, ...] = ()
    trained: tuple[Prepared, float] | None = None
    failure: Failure | None = None


class NoCandidate(Exception):
    """Every candidate failed; message and `failure` are those of the first."""

    def __init__(self, message: str, failure: Failure | None) -> None:
        super().__init__(message)
        self.failure = failure


def settings(learner: Learner, root: int) -> Iterator[Parameters]:
    """Yield the candidates in order of the grid; with `try N`, N random ones, equal for every fold and dataset."""
    sizes = [len(grid.values) for grid in learner.grids]
    total = math.prod(sizes)
    places: Sequence[int] = range(total)
    if learner.tries is not None and learner.tries < total:
        rng = stream(root, "try", learner.tries, [(g.parameter, g.values) for g in learner.grids])
        places = sorted(int(n) for n in rng.choice(total, learner.tries, replace=False, shuffle=False))
    for place in places:
        indices = np.unravel_index(place, sizes)
        yield tuple((g.parameter, g.values[int(i)]) for g, i in zip(learner.grids, indices, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Tuning:
    """What all candidates of a fold share."""

    table: PreparedTable
    cell: Cell
    fold: Fold
    scorer: Scorer
    seed: int
    divisions: tuple[tuple[Rows, Rows], ...]  # rows to train on, rows to score

    def attempt(self, setting: Parameters) -> Attempt:
        """Train a candidate on each division and predict the rows that score it."""
        predicted: list[Predicted] = []
        trained: tuple[Prepared, float] | None = None
        stopping = self.cell.recipe.stopping_rows(self.fold)
        for rows, part in self.divisions:
            trained = train(self.table, self.cell.learner, setting, self.seed, rows, stopping)
            predicted.append(with_truth(self.table, *predict(self.table, trained[0], part), part))
        return Attempt(tuple(predicted), trained)

    def score(self, setting: Parameters) -> tuple[Candidate, Attempt]:
        """Return a candidate with its mean score for each metric; one that fails is one that loses."""
        metrics = self.cell.metrics
        try:
            attempt = self.attempt(setting)
            found = [[_score(self.scorer, metric, one) for metric in metrics] for one in attempt.predicted]
        except Exception as error:
            none, failure = (None,) * len(metrics), as_failure(error)
            return Candidate(parameters=setting, scores=none, failure=failure.message), Attempt(failure=failure)
        means = [math.fsum(column) / len(found) for column in zip(*found, strict=True)]
        return Candidate(parameters=setting, scores=tuple(m if math.isfinite(m) else None for m in means)), attempt

    def threshold(self, attempt: Attempt) -> float | None:
        """Return the winner's threshold, where it is chosen before the winner is trained again."""
        chosen = self.cell.recipe.threshold
        if chosen is None or chosen.metric is None or not self.cell.recipe.threshold_before_training:
            return None
        return best_threshold(self.scorer, chosen.metric, attempt.predicted)


def tune(
    table: PreparedTable, cell: Cell, fold: Fold, partition: Partition, scorer: Scorer, seed: int
) -> tuple[tuple[Candidate, ...], tuple[Chosen, ...]]:
    """Return every candidate with its scores, and the winners: the best score, the first of equals.

    A learner without candidates is trained as it is, for its threshold.
    """
    tuning = _Tuning(table, cell, fold, scorer, seed, tuple(_divisions(cell, fold, partition)))
    if not cell.recipe.tunes:
        threshold = tuning.threshold(tuning.attempt(()))
        return (), (Chosen(parameters=(), metrics=(), trained=None, threshold=threshold),)
    best: dict[int, tuple[float, int, Attempt]] = {}
    candidates: list[Candidate] = []
    first: Failure | None = None
    for number, setting in enumerate(settings(cell.learner, cell.seed)):
        candidate, attempt = tuning.score(setting)
        candidates.append(candidate)
        first = attempt.failure if number == 0 else first
        for place, score in enumerate(candidate.scores):
            signed = None if score is None else score * _sign(cell.metrics[place])
            if signed is not None and (place not in best or signed > best[place][0]):
                best[place] = (signed, number, attempt)
    if not best:
        raise NoCandidate(candidates[0].failure or "no candidate has a score", first)
    winners: dict[int, list[int]] = {}
    for place in range(len(cell.metrics)):
        # A metric that no candidate has a score for (it may need scores that are not there) takes the first winner.
        winners.setdefault(best[place][1] if place in best else best[min(best)][1], []).append(place)
    attempts = {number: attempt for _, number, attempt in best.values()}
    # Trained on all the rows of the final learner already: with one division and no part to be put back.
    keep = len(tuning.divisions) == 1 and (not cell.recipe.retrain or cell.recipe.tuning_on_test)
    chosen = tuple(
        Chosen(
            parameters=candidates[number].parameters,
            metrics=tuple(places),
            trained=attempts[number].trained if keep else None,
            threshold=tuning.threshold(attempts[number]),
        )
        for number, places in sorted(winners.items())
    )
    return tuple(candidates), chosen


def best_threshold(scorer: Scorer, metric: Metric, parts: Sequence[Predicted]) -> float:
    """Return the threshold with the best score on these rows together; of equals the one nearest to the usual one.

    The second class is predicted from the threshold on. Tried are the usual threshold (a probability of .5, a margin of
    0), one between every two neighbouring scores, the lowest score and one above the highest: whatever a threshold can
    do to these rows. Of more than so many different scores, so many are taken, evenly by rank.
    """
    together = _concatenate(parts)
    scores = together.scores
    if scores is None or scores.ndim != 1:
        raise ContractError("has no scores of a second class, so no threshold can be chosen")
    usual = 0.5 if together.probabilities else 0.0
    best: tuple[float, float, float] | None = None
    for threshold in thresholds(scores, usual):
        value = _score(scorer, metric, replace(together, labels=(scores >= threshold).astype(np.intp)))
        rank = (_sign(metric) * value, -abs(threshold - usual), -threshold)
        if math.isfinite(value) and (best is None or rank > best):
            best = rank
    if best is None:
        raise ContractError(f"has no threshold at which {metric.label} could be measured on the rows that choose it")
    return -best[2]


def thresholds(scores: Numbers, usual: float) -> list[float]:
    """Return the thresholds to try, in order.

    >>> thresholds(np.array([0.2, 0.6, 0.2]), 0.5)[:3]
    [0.2, 0.4, 0.5]
    """
    found = np.unique(scores)
    if len(found) > MOST_THRESHOLDS:
        found = found[np.unique(np.linspace(0, len(found) - 1, MOST_THRESHOLDS).round().astype(np.int64))]
    between = (found[:-1] + found[1:]) / 2.0
    between = np.where(between > found[:-1], between, found[1:])  # neighbours with nothing between them
    above = np.nextafter(found[-1:], np.inf)
    return [float(t) for t in np.unique(np.concatenate([found[:1], between, above, [usual]]))]


def _divisions(cell: Cell, fold: Fold, partition: Partition) -> Iterator[tuple[Rows, Rows]]:
    """Yield (rows to train on, rows to score) for every inner fold."""
    tuning = cell.recipe.tuning
    assert tuning is not None
    if tuning.where == "cv":
        yield from partition.inner(fold.train, fold.fold, tuning.folds or 2)
    elif tuning.where == "test":
        yield fold.train, fold.test
    else:
        assert fold.tuning is not None
        yield fold.train, fold.tuning


def _score(scorer: Scorer, metric: Metric, predicted: Predicted) -> float:
    try:
        return float(scorer(metric, predicted))
    except EvalangError:  # not defined here, such as roc-area of a part with one class
        return math.nan


def _sign(metric: Metric) -> int:
    entry = find_metric(metric.name)
    return entry.sign if entry is not None else 1


def _concatenate(parts: Sequence[Predicted]) -> Predicted:
    """Return the predictions of several parts, such as inner folds, as one."""
    scored = [one.scores for one in parts if one.scores is not None]
    weights = [one.weights for one in parts if one.weights is not None]
    return replace(
        parts[0],
        truth=np.concatenate([one.truth for one in parts]),
        scores=np.concatenate(scored) if len(scored) == len(parts) else None,
        weights=np.concatenate(weights) if weights else None,
    )
