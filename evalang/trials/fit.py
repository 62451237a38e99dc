"""Running a task: its fold made, its learner tuned, trained, calibrated and asked; a failure is an answer too."""

from __future__ import annotations

import contextlib
import pickle
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..errors import EvalangError
from .capture import Notes, noted
from .cell import Cell, Task, at
from .folds import Fold, Partition
from .keys import seed
from .predict import Bench, answer, calibrated, train
from .problem import as_failure
from .resolve import dotted_of, estimator_class
from .trial import Candidate, Failure, Given, Judge, Trial
from .tune import Chosen, NoCandidate, tune

KEPT_PARTITIONS = 16


@dataclass(slots=True, kw_only=True)
class Workshop:
    """What a worker holds: the cells, the tables made ready, and the partitions it made last."""

    cells: tuple[Cell, ...]
    benches: Mapping[str, Bench]
    judge: Judge
    strict: bool
    partitions: dict[tuple[str, int], Partition]

    def partition(self, cell: Cell, number: int) -> Partition:
        """A partition, made once for the trials that follow one another on it."""
        key = (f"{cell.dataset}\0{cell.split}\0{cell.seed}", number)
        found = self.partitions.get(key)
        if found is None:
            if len(self.partitions) >= KEPT_PARTITIONS:
                del self.partitions[next(iter(self.partitions))]
            found = Partition(cell.scheme, self.benches[cell.dataset].table, cell.seed, number)
            self.partitions[key] = found
        return found


def load(shop: Workshop) -> None:
    """Import what the cells name of scikit-learn: workers share it, and know it as it was before any learner ran."""
    for cell in shop.cells:
        for step in cell.learner.steps:
            with contextlib.suppress(EvalangError, ImportError):  # said by the trial that needs it
                estimator_class(dotted_of(step, shop.benches[cell.dataset].table.task))


def check_folds(shop: Workshop) -> None:
    """Make the first fold of every scheme on every table: what does not fit is a DataError before any fit."""
    seen: set[tuple[str, str, str]] = set()
    for cell in shop.cells:
        key = (cell.data, cell.split, cell.recipe.fingerprint)
        if key not in seen:
            seen.add(key)
            with at(cell.scheme):
                partition = shop.partition(cell, 0)
                fold = partition.fold(0, cell.recipe.tuning, cell.recipe.calibration)
                if cell.recipe.tuning is not None and cell.recipe.tuning.where == "cv":
                    next(partition.inner(fold.train, 0, cell.recipe.tuning.folds or 2))


def run_task(task: Task, shop: Workshop) -> tuple[Trial, ...]:
    """The trials of a task; whatever the learner does short of ending the process becomes part of them."""
    cell = shop.cells[task.cell]
    with noted() as notes:
        try:
            trials = _run(task, cell, shop, notes)
        except BaseException as error:  # SystemExit and KeyboardInterrupt raised by a learner are its failure too
            trials = tuple(replace(t, warnings=notes.listed()) for t in failed(task, cell, as_failure(error)))
    return tuple(_strict(t) for t in trials) if shop.strict else trials


def _strict(trial: Trial) -> Trial:
    """A trial that warned, as a failure."""
    if trial.failure or not trial.warnings:
        return trial
    category, message, _ = trial.warnings[0]
    return replace(trial, failure=Failure(kind="warning", error=category, message=message), answers=())


def failed(task: Task, cell: Cell, failure: Failure) -> tuple[Trial, ...]:
    """The trials of a task that gave no answer."""
    return tuple(
        _empty(task, cell, training, key, failure) for training, key in zip(task.trainings, task.keys, strict=True)
    )


def fit_seed(cell: Cell, partition: int, fold: int, training: int) -> int:
    """The learner's own seed: tuning, order, workers, versions, names of columns and classes do not change it."""
    return seed(cell.seed, "fit", cell.rows, cell.written, cell.split, partition, fold, training)


def _run(task: Task, cell: Cell, shop: Workshop, notes: Notes) -> tuple[Trial, ...]:
    on = shop.benches[cell.dataset]
    partition = shop.partition(cell, task.partition)
    fold = partition.fold(task.fold, cell.recipe.tuning, cell.recipe.calibration)
    candidates: tuple[Candidate, ...] = ()
    chosen: tuple[Chosen, ...] = (Chosen(parameters=(), metrics=(), trained=None),)
    if cell.recipe.tunes:
        try:
            first = fit_seed(cell, task.partition, task.fold, 0)
            candidates, chosen = tune(on, cell, fold, partition, shop.judge, first)
        except NoCandidate as none:
            reason = Failure(kind="exception", error="NoCandidate", message=f"every candidate failed: {none}")
            return tuple(replace(t, warnings=notes.listed()) for t in failed(task, cell, reason))
    trials: list[Trial] = []
    for training, key in zip(task.trainings, task.keys, strict=True):
        own = fit_seed(cell, task.partition, task.fold, training)
        with noted() as warned:  # a training's warnings are its own, whichever others were run with it
            try:
                answers = tuple(_answer(on, cell, fold, one, training, own) for one in chosen)
                trial = replace(_empty(task, cell, training, key, None), answers=answers)
            except BaseException as error:
                trial = _empty(task, cell, training, key, as_failure(error))
        trial = replace(trial, warnings=warned.listed(notes))
        rows = _training_rows(cell, fold)
        words = tuple(m.label for m in cell.metrics)
        trials.append(
            replace(trial, train_size=len(rows), test_size=len(fold.test), candidates=candidates, tuned_for=words)
        )
    return tuple(trials)


def _answer(on: Bench, cell: Cell, fold: Fold, one: Chosen, training: int, own: int) -> Given:
    keep = one.trained if training == 0 else None
    made, fit_seconds = keep or train(on, cell.learner, one.parameters, own, _training_rows(cell, fold))
    where = cell.recipe.calibration
    part = None if where is None else fold.tuning if where.where == "tuning" else fold.calibration
    calibration = calibrated(on, cell.learner, made, part)
    begun = time.perf_counter()
    labels, scores, probabilities = answer(on, made, fold.test, calibration)
    return Given(
        metrics=() if cell.general else tuple(cell.metrics[place].label for place in one.metrics),
        labels=labels,
        scores=scores,
        probabilities=probabilities,
        chosen=one.parameters,
        size=len(pickle.dumps(made, protocol=5)) if cell.sized else None,
        fit_seconds=fit_seconds,
        predict_seconds=time.perf_counter() - begun,
    )


def _training_rows(cell: Cell, fold: Fold) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """What the final learner is trained on: with the tuning part again, unless the script says otherwise."""
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
