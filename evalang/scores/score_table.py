"""The scores of a comparison, and the views of them that tests are made from."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
import pandas as pd

from ..catalogue.metrics import COUNTED, find_metric
from ..errors import DataError, TestError
from ..plans.model import Comparison
from ..results.records import LearnerCost, MissingScore, TrainingChoice, Tried
from ..trials.folder import Outcome
from ..trials.store import Store
from .answer import Answer, Numbers, Values, positive_scores
from .cell_scores import CellScores, TrialAnswers, Truth, baseline_score, pooled
from .evidence import Evidence, Flags, once
from .metrics import score
from .row_values import MEANS, row_values

_FoldAnswers = tuple[int, Values | None, list[Answer]]  # fold, its rows, the answers of its trainings
Row = tuple[str, str, str, int, int, int, str, float | None, int, int]
COLUMNS = ("comparison", "learner", "dataset", "partition", "fold", "training", "metric", "score")


class ScoreTable(Evidence):
    """Every score of a comparison on its datasets. Scores are computed once; rows are read from the store on demand."""

    def __init__(self, comparison: Comparison, outcome: Outcome) -> None:
        self.comparison = comparison
        self.learners = comparison.learners
        self.datasets = comparison.datasets
        self.metrics = {m.label: m for m in comparison.metrics}
        self._whole_partitions = comparison.scheme.whole_partitions if comparison.scheme else None
        self._whole = slice(self._whole_partitions)  # the partitions before the halvings
        self._scored_together = comparison.scheme is not None and comparison.scheme.card.pooled
        self._known = {}
        self._outcome = outcome
        self._store = Store(outcome.folder, write=False)
        truths: dict[str, Truth] = {}
        self._cells = {(d, x): self._cell(d, x, truths) for d in self.datasets for x in self.learners}

    @property
    def failures(self) -> tuple[MissingScore, ...]:
        return tuple(one for cell in self._cells.values() for one in cell.failures)

    @property
    def tried(self) -> tuple[Tried, ...]:
        """Every candidate of tuning."""
        return tuple(one for cell in self._cells.values() for one in cell.tried)

    @property
    def choices(self) -> tuple[TrainingChoice, ...]:
        """The thresholds that were chosen, and the rounds after which training ended."""
        return tuple(one for cell in self._cells.values() for one in cell.choices)

    @property
    def costs(self) -> tuple[LearnerCost, ...]:
        """Seconds and memory of each learner on each dataset."""
        return tuple(cost for cell in self._cells.values() if (cost := cell.cost) is not None)

    @property
    def warnings(self) -> Counter[str]:
        """Warnings of learners, with how many trials gave each."""
        return sum((cell.warnings for cell in self._cells.values()), Counter())

    @once
    def fold_scores(self, dataset: str, metric: str) -> dict[str, Numbers]:
        """Return [partition, fold] per learner, the mean over trainings; failures are treated as the script says."""
        if self._scored_together:
            return self._pooled_scores(dataset, metric)
        return self._by_partition(dataset, metric, self._whole)

    def halved_scores(self, dataset: str, metric: str) -> tuple[dict[str, Numbers], int]:
        whole = self.fold_scores(dataset, metric)
        halves = self._by_partition(dataset, metric, slice(self._whole_partitions, None))
        return {x: np.concatenate([whole[x], halves[x]]) for x in self.learners}, len(halves[self.learners[0]])

    def _by_partition(self, dataset: str, metric: str, part: slice) -> dict[str, Numbers]:
        found = {x: self._cells[dataset, x].means(metric)[part] for x in self.learners}
        missing_folds = np.any([np.isnan(values) for values in found.values()], axis=0)
        if not missing_folds.any():
            return found
        if self.comparison.failures == "worst":
            return {x: self._worst(values, found, metric) for x, values in found.items()}
        if self.comparison.failures == "leave-out":
            return {x: self._left_out(values, missing_folds, dataset) for x, values in found.items()}
        raise self._missing(dataset, metric)

    def complete_scores(self, dataset: str, metric: str) -> dict[str, Numbers]:
        """Return [partition, fold] of every learner that failed nowhere, and no score of the others."""
        found = {x: self._cells[dataset, x].means(metric)[self._whole] for x in self.learners}
        return {x: values[:0] if np.isnan(values).any() else values for x, values in found.items()}

    @once
    def sizes(self, dataset: str) -> tuple[float, float]:
        """Return the mean rows trained and tested on, per fold; of rows drawn with replacement the distinct ones."""
        trained = np.concatenate([self._cells[dataset, x].trained[self._whole].ravel() for x in self.learners])
        tested = np.concatenate([self._cells[dataset, x].tested[self._whole].ravel() for x in self.learners])
        there = tested > 0
        if not there.any():
            raise self._missing(dataset, None)
        drawn = self.comparison.scheme is not None and self.comparison.scheme.card.drawn
        distinct = trained - tested if drawn else trained  # as many are drawn as there are; the others are tested
        return float(distinct[there].mean()), float(tested[there].mean())

    def mean_rows(self, dataset: str | None) -> tuple[float, float] | None:
        try:
            return self.sizes(dataset) if dataset is not None else None
        except TestError:
            return None

    def rows_of_one_score(self, dataset: str, learner: str) -> int:
        tested = self._cells[dataset, learner].tested[self._whole]
        return int(tested[0, :, 0].sum()) if self._scored_together or tested.shape[:2] == (1, 1) else 0

    def answers(self, dataset: str, metric: str) -> dict[str, Answer]:
        """Return truth and predictions of every row tested once, in order of rows, by the one model of each learner."""
        self._needs_single_test(dataset)
        self._needs_one_training(dataset)
        return self._pool(dataset, metric)

    def first_partition(self, dataset: str, metric: str) -> dict[str, Answer]:
        """Return truth and predictions of the first training on the first partition's test rows, for figures."""
        return self._pool(dataset, metric)

    def outcomes(self, dataset: str) -> dict[str, Flags]:
        self._needs_single_test(dataset)
        self._needs_equal_rows(dataset)
        self._needs_one_training(dataset)
        if not self._cells[dataset, self.learners[0]].answers.truth.classes:
            raise TestError(f"{dataset} has a target of numbers, so nothing is right or wrong")
        label = next((w for w, m in self.metrics.items() if m.name in COUNTED), "accuracy")
        right = self._by_row(
            dataset, label, 0, lambda answer: (answer.truth == answer.labels).astype(np.float64), worst=0.0
        )
        return {x: values[0] == 1.0 for x, values in right.items()}

    def row_values(self, dataset: str, metric: str) -> dict[str, Numbers]:
        self._needs_single_test(dataset)
        self._needs_equal_rows(dataset)
        return self._values(dataset, metric)

    def row_weights(self, dataset: str, metric: str) -> Numbers | None:
        """Return how much each row of `row_values` counts in the score, 1 on average; None where all count alike.

        The score is the mean of the folds, so that a row of a small fold counts for more.
        """
        folds = next(iter(self._joined(dataset, metric).values()))
        cell = self._cells[dataset, self.learners[0]].answers
        rows = [cell.rows(0, fold) for fold, _, _ in folds]
        sizes = np.array([len(one) for one in rows], dtype=np.float64)
        if self._scored_together or (sizes == sizes[0]).all():
            return None
        weights = np.repeat(sizes.sum() / (sizes.size * sizes), sizes.astype(int))
        return np.asarray(weights[np.argsort(np.concatenate(rows), kind="stable")], dtype=np.float64)

    def row_places(self, dataset: str, kind: Literal["groups", "time"]) -> Values:
        learner = self.learners[0]
        found = getattr(self._cells[dataset, learner].answers.truth, kind)
        if found is None:
            hint = f'add `{kind} "column"` to the dataset'
            raise TestError(f"the {kind} of the rows of {dataset} are not known", hint=hint)
        label = next(iter(self.metrics))
        folds = self._joined(dataset, label)[learner]
        cell = self._cells[dataset, learner].answers
        return np.asarray(found[np.sort(np.concatenate([cell.rows(0, fold) for fold, _, _ in folds]))])

    def row_scores(self, dataset: str) -> tuple[Flags, dict[str, Numbers]]:
        self._needs_equal_rows(dataset)
        label = next((w for w, m in self.metrics.items() if m.name == "roc-area"), "roc-area")
        try:
            found = {x: positive_scores(a, "roc-area") for x, a in self.answers(dataset, label).items()}
        except DataError as error:
            raise TestError(error.message, hint=error.hint) from None
        return next(iter(found.values()))[0], {x: scores for x, (_, scores) in found.items()}

    def training_values(self, dataset: str, metric: str) -> dict[str, Numbers]:
        """Return [training set, test row] of `N trainings of M`, the mean over `train N times`."""
        if self.comparison.scheme is None or not self.comparison.scheme.card.disjoint:
            message = f"{self.comparison.name} has no disjoint training sets with one test set"
            raise TestError(message, hint="use `N trainings of M`, or a test for folds")
        self._needs_equal_rows(dataset)
        sets = self._cells[dataset, self.learners[0]].answers.partitions
        each = [self._values(dataset, metric, partition) for partition in range(sets)]
        return {x: np.stack([values[x].mean(axis=0) for values in each]) for x in self.learners}

    def _needs_one_training(self, dataset: str) -> None:
        """Refuse several trainings: joined into one answer they would be an ensemble."""
        for learner in self.learners:
            times = self._cells[dataset, learner].answers.trainings
            if times > 1:
                raise TestError(
                    f"{learner} is trained {times} times, and this test judges one classifier of each learner",
                    hint="leave out `by` for the test over rows and trainings, or leave out `train N times`",
                )

    def _needs_equal_rows(self, dataset: str) -> None:
        """Refuse weights: an unweighted test would be about another difference than the weighted scores."""
        if self._cells[dataset, self.learners[0]].answers.truth.weights is not None:
            raise TestError(
                f"the rows of {dataset} have weights, and this test counts every row as one",
                hint="use `by bootstrap`, which uses the weights, or a scheme of folds with corrected-t",
            )

    @once
    def dataset_scores(self, metric: str) -> dict[str, Numbers]:
        """Return one score per dataset: the mean over its folds."""
        each = [self.fold_scores(dataset, metric) for dataset in self.datasets]
        return {x: np.array([math.fsum(found[x].ravel()) / found[x].size for found in each]) for x in self.learners}

    def baselines(self) -> Iterator[tuple[str, str, float]]:
        """Yield (dataset, metric, score) of predicting the classes' shares, where the metric has such a score."""
        for dataset in self.datasets:
            truth = self._cells[dataset, self.learners[0]].answers.truth
            whole = Answer(
                truth=truth.y, labels=truth.y, classes=truth.classes, positive=truth.positive, weights=truth.weights
            )
            for label, metric in self.metrics.items():
                try:
                    yield dataset, label, baseline_score(metric.name, whole, metric.options)
                except DataError:
                    continue

    def score_rows(self) -> Iterator[Row]:
        """Return comparison, learner, dataset, partition, fold, training, metric, score, rows trained on and tested."""
        return (row for row in self._rows() if self._whole_partitions is None or row[3] < self._whole_partitions)

    def half_rows(self) -> Iterator[Row]:
        """Return the same of `N halvings`: folds of the first half, then of the second."""
        return (row for row in self._rows() if self._whole_partitions is not None and row[3] >= self._whole_partitions)

    def _rows(self) -> Iterator[Row]:
        for (dataset, learner), cell in self._cells.items():
            for place in np.ndindex(cell.values.shape[:3]):
                sizes = int(cell.trained[place]), int(cell.tested[place])
                for number, label in enumerate(self.metrics):
                    value = float(cell.values[(*place, number)])
                    known = None if math.isnan(value) else value
                    yield (self.comparison.name, learner, dataset, *place, label, known, *sizes)

    def frame(self, *, halves: bool = False) -> pd.DataFrame:
        """Return one row for each score, or for each score of `N halvings`."""
        rows = self.half_rows() if halves else self.score_rows()
        return pd.DataFrame([row[:8] for row in rows], columns=list(COLUMNS))

    def _cell(self, dataset: str, learner: str, truths: dict[str, Truth]) -> CellScores:
        cell = self._outcome.layout.cell(self.comparison.name, dataset, learner)
        scheme = self.comparison.scheme
        assert scheme is not None
        if cell.data not in truths:
            truths[cell.data] = Truth(self._store, cell.data)
        trainings = next(n for x, n in self._outcome.layout.trainings if x == learner)
        partitions = min(scheme.total_partitions, cell.partitions)
        answers = TrialAnswers(self._store, cell, partitions, trainings, truths[cell.data])
        return CellScores(answers, self.comparison, learner, dataset)

    def _joined(self, dataset: str, label: str, partition: int = 0) -> dict[str, list[_FoldAnswers]]:
        """Return for each learner and fold its rows and the answers of its trainings, without folds that are left out.

        A failed fold has no answers; it stays only where failures count as worst, and is refused by default.
        """
        found = {x: list(self._fold_answers(dataset, x, label, partition)) for x in self.learners}
        missing_folds = {fold for folds in found.values() for fold, _, answers in folds if not answers}
        if missing_folds and self.comparison.failures == "undecided":
            raise self._missing(dataset, None)
        if self.comparison.failures == "leave-out":
            found = {x: [one for one in folds if one[0] not in missing_folds] for x, folds in found.items()}
        if not all(found.values()):
            raise TestError(f"no fold of {dataset} is left once the failed ones are left out")
        return found

    def _fold_answers(self, dataset: str, learner: str, label: str, partition: int) -> Iterator[_FoldAnswers]:
        cell = self._cells[dataset, learner].answers
        for fold in range(cell.folds):
            trials = [cell.trial(partition, fold, training) for training in range(cell.trainings)]
            given = [trial.answer(label) for trial in trials]
            if any(one is None for one in given) or any(trial.failure for trial in trials):
                yield fold, None, []
            else:
                rows = cell.rows(partition, fold)
                yield fold, rows, [cell.answer(one, rows) for one in given if one is not None]

    def _pool(self, dataset: str, label: str, training: int = 0) -> dict[str, Answer]:
        """Return the predictions of one training for every row; of a learner with fewer trainings, the last."""
        joined = self._joined(dataset, label)
        for learner, folds in joined.items():
            if not all(answers for _, _, answers in folds):
                raise self._missing(dataset, None, learner)
        return {
            x: pooled([(rows, said[min(training, len(said) - 1)]) for _, rows, said in folds if rows is not None])
            for x, folds in joined.items()
        }

    def _pools(self, dataset: str, label: str) -> dict[str, list[Answer]]:
        """Return the predictions of each training of a learner for every row."""
        times = {x: self._cells[dataset, x].answers.trainings for x in self.learners}
        pools = [self._pool(dataset, label, training) for training in range(max(times.values()))]
        return {x: [pool[x] for pool in pools[:n]] for x, n in times.items()}

    def _pooled_scores(self, dataset: str, label: str) -> dict[str, Numbers]:
        metric = self.metrics[label]
        try:
            pools = self._pools(dataset, label)
            scored = {x: [score(metric.name, one, metric.options) for one in said] for x, said in pools.items()}
            return {x: np.array([[math.fsum(found) / len(found)]]) for x, found in scored.items()}
        except DataError as error:
            raise TestError(f"there is no {label} on {dataset}: {error.message}", hint=error.hint) from None

    def _values(self, dataset: str, label: str, partition: int = 0) -> dict[str, Numbers]:
        """Return [training, row], rows in ascending order; rows of failed folds get the worst value observed.

        Their mean, by `row_weights`, is the score of the table.
        """
        metric = self.metrics[label]
        try:
            if self._scored_together and metric.name not in MEANS:
                pools = self._pools(dataset, label)
                return {x: np.stack([row_values(metric.name, a, metric.options) for a in v]) for x, v in pools.items()}
            return self._by_row(dataset, label, partition, lambda one: row_values(metric.name, one, metric.options))
        except DataError as error:
            raise TestError(error.message, hint=error.hint) from None

    def _by_row(
        self,
        dataset: str,
        label: str,
        partition: int,
        value: Callable[[Answer], Numbers],
        worst: float | None = None,
    ) -> dict[str, Numbers]:
        joined = self._joined(dataset, label, partition)
        rows = {fold: rows for folds in joined.values() for fold, rows, _ in folds if rows is not None}
        if any(fold not in rows for folds in joined.values() for fold, _, _ in folds):
            raise self._missing(dataset, None)
        found: dict[str, Numbers] = {}
        for learner, folds in joined.items():
            times = self._cells[dataset, learner].answers.trainings
            parts = [
                np.stack([value(one) for one in answers]) if answers else np.full((times, len(rows[fold])), np.nan)
                for fold, _, answers in folds
            ]
            order = np.argsort(np.concatenate([rows[fold] for fold, _, _ in folds]), kind="stable")
            found[learner] = np.concatenate(parts, axis=1)[:, order]
        return {x: self._filled(v, found, label, worst) for x, v in found.items()}

    def _filled(self, values: Numbers, found: dict[str, Numbers], label: str, worst: float | None) -> Numbers:
        """Fill rows without a value, which are there only where failures count as worst."""
        if not np.isnan(values).any():
            return values
        if worst is not None:
            return np.where(np.isnan(values), worst, values)
        return self._worst(values, {x: v.ravel() for x, v in found.items()}, label)

    def _needs_single_test(self, dataset: str) -> None:
        scheme = self.comparison.scheme
        if scheme is None or not scheme.card.rows_tested_once:
            raise TestError(
                f"{scheme.text or scheme.kind if scheme else 'the scheme'} tests rows of {dataset} more than once",
                hint="take a test for folds, or a scheme that tests each row once (a holdout, one Kcv)",
            )

    def _worst(self, values: Numbers, found: dict[str, Numbers], metric: str) -> Numbers:
        """Fill missing scores with the worst the metric can be; where it has no bound, with the worst observed."""
        entry = find_metric(self.metrics[metric].name)
        assert entry is not None
        bound = entry.low if entry.higher_is_better else entry.high
        if bound is None:
            seen = np.concatenate([v.ravel() for v in found.values()])
            if np.isnan(seen).all():
                raise TestError(f"no fit has a {metric}, so there is no worst one")
            bound = float(np.nanmin(seen) if entry.higher_is_better else np.nanmax(seen))
        return np.where(np.isnan(values), bound, values)

    def _left_out(self, values: Numbers, missing_folds: Flags, dataset: str) -> Numbers:
        """Drop folds in which any learner failed, or their partitions where the test works by partitions."""
        together = self.comparison.scheme.together if self.comparison.scheme else 0
        if together:
            whole = ~np.repeat(missing_folds.any(axis=1).reshape(-1, together).any(axis=1), together)
            kept = values[whole]
        else:
            kept = values[~missing_folds].reshape((-1, 1) if values.shape[1] == 1 else (1, -1))
        if not kept.size and not missing_folds.all():
            raise TestError(
                f"every repeat on {dataset} has a failed fold, and the test needs complete repeats",
                hint="correct what fails and run again, or write `failures count as worst`",
            )
        if not kept.size:
            raise TestError(f"no fold of {dataset} is left once the failed ones are left out")
        return kept

    def _missing(self, dataset: str, metric: str | None, learner: str | None = None) -> TestError:
        for one in self.failures:
            here = one.dataset == dataset and (metric is None or one.metric in (None, metric))
            if here and (learner is None or one.learner == learner):
                where = f"fold {one.fold + 1}" + (f" of repeat {one.partition + 1}" if one.partition else "")
                return TestError(
                    f"{one.learner} has no score on {dataset}, {where}: {one.message}",
                    hint="correct it and run again, or write `failures count as worst`",
                )
        return TestError(f"{learner or 'a learner'} has no score on {dataset}")
