"""A task run: its fold made, its learner tuned, trained, calibrated and asked; before the first, every learner is made
once.
"""

from __future__ import annotations

import contextlib
import inspect
import pickle
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..catalogue.learners import targets
from ..errors import DataError, EvalangError, RunError, ScriptError
from ..language.nearest import nearest
from ..language.text import NOWHERE
from ..plans.model import Learner, Plan, Step
from .capture import Meter, Notes, noted
from .expand import Cell, Task, at
from .folds import Fold, Partition
from .pipeline import Bench, Trust, build, owner
from .predict import answer, calibrated, judged, train
from .prepared import Prepared
from .problem import as_failure
from .resolve import dotted_of, estimator_class, handed, own, own_class, package_behind, quiet
from .stop import check_takes_rows, rounds_of
from .threshold import best_threshold
from .trial import Candidate, Failure, Judge, LearnerAnswer, Trial, seed
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
                fold = partition.fold(0, cell.recipe.cuts)
                if cell.recipe.tuning is not None and cell.recipe.tuning.where == "cv":
                    next(partition.inner(fold.train, 0, cell.recipe.tuning.folds or 2))


def run_task(task: Task, shop: Workshop) -> tuple[Trial, ...]:
    """The trials of a task; whatever the learner does short of ending the process becomes part of them."""
    cell = shop.cells[task.cell]
    meter = Meter()
    with noted() as notes:
        try:
            trials = _run(task, cell, shop, notes)
        except BaseException as error:  # SystemExit and KeyboardInterrupt raised by a learner are its failure too
            trials = tuple(replace(t, warnings=notes.listed()) for t in failed(task, cell, as_failure(error)))
    seconds, memory = meter.read()
    trials = tuple(replace(t, seconds=seconds / len(trials), memory=memory) for t in trials)
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
    fold = partition.fold(task.fold, cell.recipe.cuts)
    candidates: tuple[Candidate, ...] = ()
    chosen: tuple[Chosen, ...] = (Chosen(parameters=(), metrics=(), trained=None),)
    if cell.recipe.tunes or cell.recipe.judged_inside:
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
                answers = tuple(_answer(shop, cell, fold, one, training, own) for one in chosen)
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


def _answer(shop: Workshop, cell: Cell, fold: Fold, one: Chosen, training: int, own: int) -> LearnerAnswer:
    on, ending = shop.benches[cell.dataset], cell.recipe.ending(fold)
    keep = one.trained if training == 0 else None
    made, fit_seconds = keep or train(on, cell.learner, one.parameters, own, _training_rows(cell, fold), ending)
    where = cell.recipe.calibration
    part = None if where is None else fold.tuning if where.where == "tuning" else fold.calibration
    calibration = calibrated(on, cell.learner, made, part)
    threshold = one.threshold
    if threshold is None:
        threshold = _threshold(shop, cell, fold, made, calibration)
    begun = time.perf_counter()
    labels, scores, probabilities = answer(on, made, fold.test, calibration, threshold)
    return LearnerAnswer(
        metrics=() if cell.general else tuple(cell.metrics[place].label for place in one.metrics),
        labels=labels,
        scores=scores,
        probabilities=probabilities,
        chosen=one.parameters,
        size=len(pickle.dumps(made, protocol=5)) if cell.sized else None,
        threshold=threshold,
        rounds=rounds_of(made.learner) if cell.recipe.stops else None,
        fit_seconds=fit_seconds,
        predict_seconds=time.perf_counter() - begun,
    )


def _threshold(shop: Workshop, cell: Cell, fold: Fold, made: Prepared, calibration: Any) -> float | None:
    """The threshold that a trained learner has its best score with, on a part that it was not trained on."""
    chosen = cell.recipe.threshold
    if chosen is None or chosen.metric is None or cell.learner.threshold is not None:
        return None
    rows = {"part": fold.threshold, "tuning": fold.tuning, "test": fold.test}[chosen.where]
    assert rows is not None
    on = shop.benches[cell.dataset]
    return best_threshold(shop.judge, chosen.metric, [judged(on, *answer(on, made, rows, calibration), rows)])


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


def check_code(plan: Plan, trust: Trust) -> None:
    """Every class of one's own and every object that Python handed over, of the learners that are used."""
    used = {name for c in plan.comparisons if c.data == "datasets" for name in c.learners}
    for learner in (x for x in plan.learners if x.name in used):
        for place, step in enumerate(learner.steps):
            if step.kind not in ("code", "python") and not package_behind(step):
                continue
            try:
                _check(learner, place, step, trust)
            except EvalangError as error:
                if error.span == NOWHERE:
                    error.span = step.span
                raise


def _check(learner: Learner, place: int, step: Step, trust: Trust) -> None:
    if package_behind(step):  # its parameters are known from the catalogue, and were checked with the script
        estimator_class(targets(step.name)[0])
        return
    tuned = [name for grid in learner.grids if (found := owner(grid.parameter, learner.steps))[0] == place
             for name in found[1:]]  # fmt: skip
    if step.kind == "code":
        cls = own_class(step.name, trust.packages, trust.local)
        for name in (*(name for name, _ in step.parameters), *tuned):
            _check_parameter(cls, step, name)
    try:
        with quiet():
            code = step.kind == "code"
            made = own(step, 0, trust.packages, trust.local) if code else handed(step, 0, trust.handed)
            _check_clone(made, step)
    except (EvalangError, KeyboardInterrupt):
        raise
    except BaseException as reason:
        raise RunError(f"{step.name} cannot be made: {type(reason).__name__}: {str(reason)[:300]}") from None
    last = place == len(learner.steps) - 1
    wanted = ("fit", "predict") if last else ("fit", "transform")
    lacking = next((name for name in wanted if not callable(getattr(made, name, None))), None)
    if lacking is not None:
        what = "the last stage of a learner" if last else "a step before the learner"
        raise ScriptError(f"{step.name} has no method {lacking}, which {what} needs")


def _check_parameter(cls: type, step: Step, name: str) -> None:
    """Known by the signature, or by what a fresh object says of itself; names that **kwargs takes are let through."""
    try:
        signature = inspect.signature(cls)
    except (TypeError, ValueError):
        return
    known = [p.name for p in signature.parameters.values() if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    open_ended = any(p.kind == p.VAR_KEYWORD for p in signature.parameters.values())
    if name in known:
        return
    near = nearest(name, [*known, *_said_of_itself(cls)])
    if open_ended and (near is None or near == name):
        return
    hint = f"did you mean {near}?" if near else f"it takes {', '.join(known[:20]) or 'none'}"
    raise ScriptError(f"{step.name} has no parameter {name}", hint=hint)


def _said_of_itself(cls: Any) -> list[str]:
    try:
        with quiet():
            return sorted(cls().get_params(deep=False))
    except Exception:  # it cannot be made without parameters, or has none to tell
        return []


def _check_clone(made: Any, step: Step) -> None:
    """An estimator that changes its parameters in the constructor is not the one that the report names."""
    from sklearn.base import clone

    if not hasattr(made, "get_params"):
        return
    try:
        clone(made)
    except (RuntimeError, TypeError, AttributeError, ValueError) as reason:
        raise ScriptError(
            f"{step.name} cannot be cloned: {str(reason)[:300]}",
            hint="its constructor has to keep every parameter as it is given",
        ) from None


def check_learners(shop: Workshop) -> None:
    """Make every learner once for every table, unfitted: a column, parameter or kind of target that does not fit."""
    seen: set[tuple[str, ...]] = set()
    for cell in shop.cells:
        on = shop.benches[cell.dataset]
        key = (cell.identity, cell.data, cell.recipe.fingerprint)
        if key not in seen:
            seen.add(key)
            made = build(cell.learner, on.table.task, on.columns, 0, (), on.trust)
            _check_target(cell, on, made)
            if cell.recipe.stops == "on the part":
                check_takes_rows(made.learner)


def _check_target(cell: Cell, on: Bench, made: Prepared) -> None:
    """Own estimators say what they are; those of the catalogue were looked up by the kind of target."""
    from sklearn.base import is_classifier, is_regressor

    step, table = cell.learner.steps[-1], on.table
    classes = table.task == "classification"
    chosen = cell.recipe.threshold
    if (chosen is not None or cell.learner.threshold is not None) and len(table.classes) != 2:
        raise DataError(
            f"{cell.learner.name} has a threshold, and {table.name} has no two classes",
            hint="leave the threshold out",
            span=chosen.span if chosen is not None else cell.learner.span,
        )
    if step.kind not in ("code", "python"):
        return
    try:
        wrong = is_regressor(made.learner) if classes else is_classifier(made.learner)
    except AttributeError:  # a plain class with fit and predict says nothing of itself
        return
    if wrong:
        kind, other = ("regressor", "classes") if classes else ("classifier", "numbers")
        raise DataError(
            f"{cell.learner.name} is a {kind}, and the target of {table.name} holds {other}",
            hint="take another learner, or say `as regression` or `as classification` at the dataset",
            span=step.span,
        )
