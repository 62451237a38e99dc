"""One task: make its fold, tune, train and calibrate its learner, and predict the test rows."""

from __future__ import annotations

import contextlib
import pickle
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import EvalangError
from .calibrate import FittedCalibration
from .capture import CostMeter, ProcessState, WarningCounts, counted_warnings
from .expand import Cell, Task
from .fit import as_failure, fit_calibrated, predict, train, with_truth
from .identity import imported_code
from .learners import dotted_of, estimator_class
from .prepare import PreparedTable
from .prepared import Prepared, rounds_of
from .splits import Fold, Partition, Rows
from .trial import Candidate, Failure, LearnerAnswer, Scorer, Trial, seed
from .tune import Chosen, NoCandidate, best_threshold, tune

KEPT_PARTITIONS = 16


@dataclass(slots=True, kw_only=True)
class TaskContext:
    """What every task needs: the cells, the prepared tables, and the partitions made last."""

    cells: tuple[Cell, ...]
    tables: Mapping[str, PreparedTable]
    scorer: Scorer
    fail_on_warning: bool
    partitions: dict[tuple[str, int], Partition] = field(default_factory=dict)

    def partition(self, cell: Cell, number: int) -> Partition:
        """Return a partition, made once for the trials that follow one another on it."""
        key = (f"{cell.dataset}\0{cell.split}\0{cell.seed}", number)
        found = self.partitions.get(key)
        if found is None:
            if len(self.partitions) >= KEPT_PARTITIONS:
                del self.partitions[next(iter(self.partitions))]
            found = Partition(cell.scheme, self.tables[cell.dataset].table, cell.seed, number)
            self.partitions[key] = found
        return found


def import_learners(context: TaskContext) -> None:
    """Import the estimators of scikit-learn that the cells name, for workers to share."""
    for cell in context.cells:
        for step in cell.learner.steps:
            with contextlib.suppress(EvalangError, ImportError):  # reported by the trial that needs it
                estimator_class(dotted_of(step, context.tables[cell.dataset].table.task))


def run_task(task: Task, context: TaskContext) -> tuple[Trial, ...]:
    """Return the trials of a task; whatever the learner does short of ending the process becomes part of them."""
    cell = context.cells[task.cell]
    meter = CostMeter()
    with counted_warnings() as counts:
        try:
            trials = _run(task, cell, context, counts)
        except BaseException as error:  # SystemExit and KeyboardInterrupt raised by a learner are its failure too
            trials = _with_warnings(failed(task, cell, as_failure(error)), counts)
    seconds, memory = meter.read()
    trials = tuple(replace(t, seconds=seconds / len(trials), memory=memory) for t in trials)
    return tuple(_fail_on_warning(t) for t in trials) if context.fail_on_warning else trials


def with_effects(
    trials: tuple[Trial, ...],
    task: Task,
    context: TaskContext,
    printed: str,
    state: ProcessState,
    loaded: frozenset[str],
) -> tuple[Trial, ...]:
    """Return the trials with what they printed and own code imported; undo what own code changed in this process."""
    imported: tuple[tuple[str, str], ...] = ()
    if task.own_code:
        state.restore()
        cell = context.cells[task.cell]
        imported = imported_code(cell.learner, context.tables[cell.dataset].trust, loaded)
    if not printed and not imported:
        return trials
    return tuple(replace(trial, printed=printed, imported=imported) for trial in trials)


def failed(task: Task, cell: Cell, failure: Failure) -> tuple[Trial, ...]:
    """Return the trials of a task that gave no answer."""
    return tuple(
        _empty(task, cell, training, key, failure) for training, key in zip(task.trainings, task.keys, strict=True)
    )


def fit_seed(cell: Cell, partition: int, fold: int, training: int) -> int:
    """Return the learner's own seed, which tuning, order, workers, versions and names do not change."""
    return seed(cell.seed, "fit", cell.rows, cell.written, cell.split, partition, fold, training)


def _fail_on_warning(trial: Trial) -> Trial:
    if trial.failure or not trial.warnings:
        return trial
    category, message, _ = trial.warnings[0]
    return replace(trial, failure=Failure(kind="warning", error=category, message=message), answers=())


def _with_warnings(trials: tuple[Trial, ...], counts: WarningCounts) -> tuple[Trial, ...]:
    return tuple(replace(trial, warnings=counts.listed()) for trial in trials)


def _run(task: Task, cell: Cell, context: TaskContext, counts: WarningCounts) -> tuple[Trial, ...]:
    partition = context.partition(cell, task.partition)
    fold = partition.fold(task.fold, cell.recipe.cuts)
    candidates: tuple[Candidate, ...] = ()
    chosen: tuple[Chosen, ...] = (Chosen(parameters=(), metrics=(), trained=None),)
    if cell.recipe.tunes or cell.recipe.threshold_before_training:
        try:
            first = fit_seed(cell, task.partition, task.fold, 0)
            candidates, chosen = tune(context.tables[cell.dataset], cell, fold, partition, context.scorer, first)
        except NoCandidate as none:
            reason = Failure(kind="exception", error="NoCandidate", message=f"every candidate failed: {none}")
            if none.failure is not None:
                reason = replace(reason, place=none.failure.place, traceback=none.failure.traceback)
            return _with_warnings(failed(task, cell, reason), counts)
    trials: list[Trial] = []
    rows = _training_rows(cell, fold)
    for training, key in zip(task.trainings, task.keys, strict=True):
        own_seed = fit_seed(cell, task.partition, task.fold, training)
        answers: tuple[LearnerAnswer, ...] = ()
        failure = None
        with counted_warnings() as own:  # a training's warnings are its own, whichever others were run with it
            try:
                answers = tuple(_answer(context, cell, fold, rows, one, training, own_seed) for one in chosen)
            except BaseException as error:
                failure = as_failure(error)
        trials.append(
            replace(
                _empty(task, cell, training, key, failure),
                answers=answers,
                warnings=own.listed(counts),
                train_size=len(rows),
                test_size=len(fold.test),
                candidates=candidates,
            )
        )
    return tuple(trials)


def _answer(
    context: TaskContext, cell: Cell, fold: Fold, rows: Rows, one: Chosen, training: int, own_seed: int
) -> LearnerAnswer:
    table, recipe = context.tables[cell.dataset], cell.recipe
    trained = one.trained if training == 0 else None
    made, fit_seconds = trained or train(
        table, cell.learner, one.parameters, own_seed, rows, recipe.stopping_rows(fold)
    )
    where = recipe.calibration
    part = None if where is None else fold.tuning if where.where == "tuning" else fold.calibration
    calibration = fit_calibrated(table, cell.learner, made, part)
    threshold = one.threshold
    if threshold is None:
        threshold = _threshold(context, cell, fold, made, calibration)
    started = time.perf_counter()
    labels, scores, probabilities = predict(table, made, fold.test, calibration, threshold)
    return LearnerAnswer(
        metrics=() if cell.general else tuple(cell.metrics[place].label for place in one.metrics),
        labels=labels,
        scores=scores,
        probabilities=probabilities,
        chosen=one.parameters,
        size=len(pickle.dumps(made, protocol=5)) if cell.sized else None,
        threshold=threshold,
        rounds=rounds_of(made.learner) if recipe.stops else None,
        fit_seconds=fit_seconds,
        predict_seconds=time.perf_counter() - started,
    )


def _threshold(
    context: TaskContext, cell: Cell, fold: Fold, made: Prepared, calibration: FittedCalibration | None
) -> float | None:
    """Return the threshold with the best score on a part that the learner was not trained on."""
    chosen = cell.recipe.threshold
    if chosen is None or chosen.metric is None or cell.learner.threshold is not None:
        return None
    rows = {"part": fold.threshold, "tuning": fold.tuning, "test": fold.test}[chosen.where]
    assert rows is not None
    table = context.tables[cell.dataset]
    predicted = with_truth(table, *predict(table, made, rows, calibration), rows)
    return best_threshold(context.scorer, chosen.metric, [predicted])


def _training_rows(cell: Cell, fold: Fold) -> Rows:
    """Return what the final learner is trained on: with the tuning part, unless the script says otherwise."""
    if fold.tuning is None or not cell.recipe.retrain:
        return fold.train
    return np.sort(np.concatenate([fold.train, fold.tuning]))


def _empty(task: Task, cell: Cell, training: int, key: str, failure: Failure | None) -> Trial:
    return Trial(
        key=key,
        partition=task.partition,
        fold=task.fold,
        training=training,
        train_size=0,
        test_size=0,
        tuned_for=tuple(m.label for m in cell.metrics),
        failure=failure,
    )
