"""The scores of one learner on one dataset: its trials read from the store, each scored once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np

from ..catalogue.metrics import find_metric
from ..errors import DataError, RunError
from ..plans.model import Comparison, Metric
from ..results.records import LearnerCost, MissingScore, TrainingChoice, Tried
from ..trials.expand import Cell, split_key
from ..trials.store import Store
from ..trials.trial import LearnerAnswer, Trial, trial_digest
from .answer import Answer, Numbers, Values
from .metrics import score


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
    """The trials of one cell that a comparison uses."""

    def __init__(self, store: Store, cell: Cell, partitions: int, trainings: int, truth: Truth) -> None:
        self.cell, self.truth = cell, truth
        self.partitions, self.folds, self.trainings = partitions, cell.folds, trainings
        self._store = store

    def trials(self) -> Iterator[Trial]:
        """Yield the trials in order of partition, fold and training."""
        for partition in range(self.partitions):
            for fold in range(self.folds):
                for training in range(self.trainings):
                    yield self.trial(partition, fold, training)

    def rows(self, partition: int, fold: int) -> Values:
        """Return the test rows of a fold."""
        found = self._store.fact("splits", split_key(self.cell, partition, fold))
        if found is None:
            raise RunError("the store does not hold the rows of a fold", hint="run the script again")
        return found[1]["test"]

    def answer(self, given: LearnerAnswer, rows: Values) -> Answer:
        """Return the predictions of a trial beside the truth."""
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
        """Return one trial; a trial that is not in the store is an error."""
        key = trial_digest(self.cell.digest, partition, fold, training)
        found = next(self._store.trials((key,)), None)
        if found is None:
            raise RunError(
                f"{self.cell.learner.name} on {self.cell.dataset} has no fit for fold {fold + 1} of repeat "
                f"{partition + 1}",
                hint="run the script again to finish what is missing",
            )
        return found


def pooled(answers: list[tuple[Values, Answer]]) -> Answer:
    """Return the folds of one partition as one answer, rows in ascending order."""
    order = np.argsort(np.concatenate([rows for rows, _ in answers]), kind="stable")

    def joined(field: str) -> Any:
        parts = [getattr(answer, field) for _, answer in answers]
        return None if any(part is None for part in parts) else np.concatenate(parts)[order]

    fields = {name: joined(name) for name in ("truth", "labels", "scores", "weights")}
    return replace(answers[0][1], **fields)


def baseline_score(metric: str, answer: Answer, options: Sequence[tuple[str, object]] = ()) -> float:
    """Return the score of predicting the classes' shares of the test part for every row (for numbers: the mean).

    The predicted class is the most frequent one, the first of them when several are.
    """
    weights = np.ones(answer.rows) if answer.weights is None else answer.weights
    if not answer.classes:
        centre = float(np.average(answer.truth.astype(np.float64), weights=weights))
        constant = np.full(answer.rows, centre)
        return score(metric, Answer(truth=answer.truth, labels=constant, weights=answer.weights), options)
    shares = np.bincount(answer.truth, weights=weights, minlength=len(answer.classes)) / weights.sum()
    guess = Answer(
        truth=answer.truth,
        labels=np.full(answer.rows, int(np.argmax(shares))),
        scores=np.tile(shares, (answer.rows, 1)),
        classes=answer.classes,
        positive=answer.positive,
        weights=answer.weights,
    )
    return score(metric, guess, options)


class CellScores:
    """[partition, fold, training, metric], NaN where there is no score, and the sizes of the folds."""

    def __init__(self, answers: TrialAnswers, comparison: Comparison, learner: str, dataset: str) -> None:
        self.answers = answers
        self._names = {"comparison": comparison.name, "learner": learner, "dataset": dataset}
        self.metrics = {m.label: m for m in comparison.metrics}
        self.failures: list[MissingScore] = []
        self.warnings: Counter[str] = Counter()
        self.tried: list[Tried] = []
        self.choices: list[TrainingChoice] = []
        self._costs: list[tuple[float, float, float | None, int | None]] = []
        shape = (answers.partitions, answers.folds, answers.trainings)
        self.values: Numbers = np.full((*shape, len(self.metrics)), np.nan)
        self.trained = np.zeros(shape, dtype=np.int64)
        self.tested = np.zeros(shape, dtype=np.int64)
        self._score(pooled_only=answers.cell.scheme.card.pooled)

    def means(self, metric: str) -> Numbers:
        """Return [partition, fold]: the mean over trainings, exactly rounded; NaN where a training failed."""
        values = self.values[..., list(self.metrics).index(metric)]
        if values.shape[2] == 1:
            return values[..., 0]
        return np.array([[math.fsum(cell) / len(cell) for cell in row] for row in values])

    @property
    def cost(self) -> LearnerCost | None:
        """Seconds and memory of the trials with an answer; None without any."""
        if not self._costs:
            return None
        fit, predict, whole, memory = zip(*self._costs, strict=True)
        timed, grown = [t for t in whole if t is not None], [m for m in memory if m is not None]
        return LearnerCost(
            **self._names,
            trials=len(fit),
            fit=median(fit),
            predict=median(predict),
            trial=median(timed) if timed else None,
            total=math.fsum(timed) if timed else None,
            memory=max(grown, default=None),
        )

    def _score(self, pooled_only: bool) -> None:
        at: tuple[int, int] | None = None
        rows: Values | None = None
        for trial in self.answers.trials():
            place = (trial.partition, trial.fold, trial.training)
            self.trained[place], self.tested[place] = trial.train_size, trial.test_size
            self._record(trial)
            if trial.failure is not None or pooled_only:
                continue  # leave-one-out has a score of all rows together, none of a single row
            if rows is None or at != place[:2]:
                at, rows = place[:2], self.answers.rows(*place[:2])
            for number, (label, metric) in enumerate(self.metrics.items()):
                given = trial.answer(label)
                if given is not None:
                    answer = self.answers.answer(given, rows)
                    self.values[(*place, number)] = self._one(answer, metric, label, trial)

    def _one(self, answer: Answer, metric: Metric, label: str, trial: Trial) -> float:
        """Return one score; undefined or out of its range it is a failure with a reason, and NaN."""
        try:
            value = score(metric.name, answer, metric.options)
            reason = _out_of_range(metric, value)
        except DataError as error:
            value, reason = math.nan, error.message
        if reason:
            self._add_failure(trial, "score", reason, label)
            return math.nan
        return value

    def _add_failure(self, trial: Trial, kind: str, message: str, metric: str | None) -> None:
        place = self._place(trial) | {"training": trial.training}
        self.failures.append(MissingScore(**place, kind=kind, message=message, metric=metric))

    def _place(self, trial: Trial) -> dict[str, Any]:
        return self._names | {"partition": trial.partition, "fold": trial.fold}

    def _record(self, trial: Trial) -> None:
        """Keep warnings, times, failures, thresholds and tuning candidates of a trial."""
        for category, message, _ in trial.warnings:
            self.warnings[f"{category}: {message}"] += 1
        if trial.answers:
            last = trial.answers[-1]
            self._costs.append((last.fit_seconds, last.predict_seconds, trial.seconds, trial.memory))
        if trial.failure is not None:
            where = f" ({trial.failure.place})" if trial.failure.place else ""
            message = f"{trial.failure.error}: {trial.failure.message}{where}"
            self._add_failure(trial, trial.failure.kind, message, None)
        place = self._place(trial)
        for given in trial.answers:
            if given.threshold is not None or given.rounds is not None:
                chosen = place | {"training": trial.training, "threshold": given.threshold, "rounds": given.rounds}
                self.choices += [TrainingChoice(**chosen, metric=label) for label in given.metrics or ("",)]
        if trial.training:
            return  # tuning is done once for all trainings
        for candidate in trial.candidates:
            for number, label in enumerate(trial.tuned_for):
                winner = trial.answer(label)
                self.tried.append(
                    Tried(
                        **place,
                        metric=label,
                        setting=tuple((k, str(v) if isinstance(v, tuple) else v) for k, v in candidate.parameters),
                        score=candidate.scores[number],
                        chosen=winner is not None and winner.chosen == candidate.parameters,
                    )
                )


def _out_of_range(metric: Metric, value: float) -> str:
    entry = find_metric(metric.name)
    if not math.isfinite(value):
        return f"{metric.name} is not a finite number"
    low, high = (entry.low, entry.high) if entry is not None else (None, None)
    if (low is not None and value < low - 1e-9) or (high is not None and value > high + 1e-9):
        return f"{metric.name} is {value:g}, outside its range"
    return ""
