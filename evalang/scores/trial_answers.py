"""Trials read back from the store, beside the truth, as answers that can be scored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import RunError
from ..trials.cell import Cell
from ..trials.expand import split_key
from ..trials.store import Store
from ..trials.trial import Given, Trial, trial_digest
from .answer import Answer, Numbers, Values


class Truth:
    """The target of a dataset as it was when the trials ran."""

    def __init__(self, store: Store, data: str) -> None:
        found = store.fact("datasets", data)
        if found is None:
            raise RunError("the store does not hold the target of a dataset", hint="run the script again")
        about, arrays = found
        self.y = arrays["y"]
        self.weights: Numbers | None = arrays.get("weights")
        self.groups: Values | None = arrays.get("groups")
        self.time: Values | None = arrays.get("time")
        self.classes = tuple(str(name) for name in about.get("classes", ()))
        self.positive: int | None = about.get("positive")


class TrialAnswers:
    """The trials of one cell, as far as a comparison asks for them."""

    def __init__(self, store: Store, cell: Cell, partitions: int, trainings: int, truth: Truth) -> None:
        self.cell, self.truth = cell, truth
        self.partitions, self.folds, self.trainings = partitions, cell.folds, trainings
        self._store = store

    def trials(self) -> Iterator[Trial]:
        """In order of partition, fold and training."""
        for partition in range(self.partitions):
            for fold in range(self.folds):
                for training in range(self.trainings):
                    yield self.trial(partition, fold, training)

    def rows(self, partition: int, fold: int) -> Values:
        """The test rows of a fold."""
        found = self._store.fact("splits", split_key(self.cell, partition, fold))
        if found is None:
            raise RunError("the store does not hold the rows of a fold", hint="run the script again")
        return found[1]["test"]

    def answer(self, given: Given, rows: Values) -> Answer:
        """What a trial says, beside the truth."""
        truth = self.truth
        return Answer(
            truth=truth.y[rows],
            labels=given.labels,
            scores=given.scores,
            classes=truth.classes,
            positive=truth.positive,
            probabilities=given.probabilities,
            weights=None if truth.weights is None else truth.weights[rows],
            fit_seconds=given.fit_seconds,
            predict_seconds=given.predict_seconds,
            size=given.size,
        )

    def trial(self, partition: int, fold: int, training: int) -> Trial:
        """One trial. One that is not there is an error, not a hole."""
        key = trial_digest(self.cell.digest, partition, fold, training)
        found = next(self._store.trials((key,)), None)
        if found is None:
            raise RunError(
                f"{self.cell.learner.name} on {self.cell.dataset} has no trial for fold {fold + 1} of partition "
                f"{partition + 1}",
                hint="run the script again to finish what is missing",
            )
        return found


def pooled(answers: list[tuple[Values, Answer]]) -> Answer:
    """The folds of one partition as one answer, rows in ascending order."""
    rows = np.concatenate([rows for rows, _ in answers])
    order = np.argsort(rows, kind="stable")
    parts = [answer for _, answer in answers]
    first = parts[0]
    scores = None
    if all(a.scores is not None for a in parts):
        scores = np.concatenate([a.scores for a in parts if a.scores is not None])[order]
    weights = None
    if all(a.weights is not None for a in parts):
        weights = np.concatenate([a.weights for a in parts if a.weights is not None])[order]
    return _changed(
        first,
        truth=np.concatenate([a.truth for a in parts])[order],
        labels=np.concatenate([np.asarray(a.labels) for a in parts])[order],
        scores=scores,
        weights=weights,
    )


def _changed(answer: Answer, **changes: Any) -> Answer:
    values = {name: getattr(answer, name) for name in answer._fields}
    values.update(changes)
    return Answer(**values)
