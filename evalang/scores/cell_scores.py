"""The scores of one learner on one dataset: every trial scored once, what failed, warned and was tried noted."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from ..catalogue.metrics import find_metric
from ..errors import DataError
from ..plans.model import Comparison, Metric
from ..results.trial_rows import MissingScore, Tried
from ..trials.trial import Trial
from .answer import Answer, Numbers, Values
from .metrics.score import score
from .trial_answers import TrialAnswers


class CellScores:
    """[partition, fold, training, metric], NaN where there is no score, and the sizes of the folds."""

    def __init__(self, answers: TrialAnswers, comparison: Comparison, learner: str, dataset: str) -> None:
        self.answers, self.comparison, self.learner, self.dataset = answers, comparison.name, learner, dataset
        self.metrics = {m.label: m for m in comparison.metrics}
        self.failures: list[MissingScore] = []
        self.warnings: Counter[str] = Counter()
        self.tried: list[Tried] = []
        shape = (answers.partitions, answers.folds, answers.trainings)
        self.values: Numbers = np.full((*shape, len(self.metrics)), np.nan)
        self.trained = np.zeros(shape, dtype=np.int64)
        self.tested = np.zeros(shape, dtype=np.int64)
        self._score(pooled_only=answers.cell.scheme.card.pooled)

    def means(self, metric: str) -> Numbers:
        """[partition, fold]: the mean over trainings, exactly rounded; a failed training leaves a hole."""
        values = self.values[..., list(self.metrics).index(metric)]
        if values.shape[2] == 1:
            return values[..., 0]
        return np.array([[math.fsum(cell) / len(cell) for cell in row] for row in values])

    def _score(self, pooled_only: bool) -> None:
        at: tuple[int, int] | None = None
        rows: Values | None = None
        for trial in self.answers.trials():
            place = (trial.partition, trial.fold, trial.training)
            self.trained[place], self.tested[place] = trial.train_size, trial.test_size
            self._note(trial)
            if trial.failure is not None or pooled_only:
                continue  # leave-one-out has a score of all rows together, none of a single row
            if rows is None or at != place[:2]:
                at, rows = place[:2], self.answers.rows(*place[:2])
            for number, (words, metric) in enumerate(self.metrics.items()):
                given = trial.answer(words)
                if given is not None:
                    answer = self.answers.answer(given, rows)
                    self.values[(*place, number)] = self._one(answer, metric, words, trial)

    def _one(self, answer: Answer, metric: Metric, words: str, trial: Trial) -> float:
        """One score; undefined or out of its range it is a failure with a reason, never a number."""
        try:
            value = score(metric.name, answer, metric.options)
            reason = _out_of_range(metric, value)
        except DataError as error:
            value, reason = math.nan, error.message
        if reason:
            self._miss(trial, "score", reason, words)
            return math.nan
        return value

    def _miss(self, trial: Trial, kind: str, message: str, metric: str | None) -> None:
        self.failures.append(
            MissingScore(
                comparison=self.comparison,
                learner=self.learner,
                dataset=self.dataset,
                partition=trial.partition,
                fold=trial.fold,
                training=trial.training,
                kind=kind,
                message=message,
                metric=metric,
            )
        )

    def _note(self, trial: Trial) -> None:
        for category, message, _ in trial.warnings:
            self.warnings[f"{category}: {message}"] += 1
        if trial.failure is not None:
            self._miss(trial, trial.failure.kind, f"{trial.failure.error}: {trial.failure.message}", None)
        if trial.training:
            return  # tuning is done once for all trainings
        for candidate in trial.candidates:
            for number, words in enumerate(trial.tuned_for):
                given = trial.answer(words)
                self.tried.append(
                    Tried(
                        comparison=self.comparison,
                        learner=self.learner,
                        dataset=self.dataset,
                        partition=trial.partition,
                        fold=trial.fold,
                        metric=words,
                        setting=tuple((k, str(v) if isinstance(v, tuple) else v) for k, v in candidate.parameters),
                        score=candidate.scores[number],
                        chosen=given is not None and given.chosen == candidate.parameters,
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
