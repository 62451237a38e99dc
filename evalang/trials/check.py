"""Checks before the first fit: every fold can be made, every learner exists, can be made and fits its data."""

from __future__ import annotations

import contextlib
import inspect
from dataclasses import replace
from typing import Any

from ..catalogue.learners import targets
from ..errors import DataError, EvalangError, RunError, ScriptError
from ..language.text import NOWHERE, nearest
from ..plans.model import Learner, Plan, Step
from .expand import Cell, at_scheme
from .identity import code_facts
from .learners import (
    CodeFacts,
    Trust,
    estimator_class,
    given_object,
    own_class,
    own_object,
    package_behind,
    prints_to_stderr,
)
from .options import RunOptions
from .pool import start_method, worker_count
from .prepare import PreparedTable, build, owner
from .prepared import Prepared, check_takes_rows
from .task import TaskContext
from .worker import Starter


def inspect_code(plan: Plan, trust: Trust, options: RunOptions) -> dict[str, CodeFacts]:
    """Check every class of the user's own and every object given from Python, of the learners that are used.

    Return what is known of the classes. A worker imports them, so that this process never does.
    """
    used = {name for c in plan.comparisons if c.data == "datasets" for name in c.learners}
    learners = tuple(x for x in plan.learners if x.name in used)
    _check_steps(learners, trust, ("python", "learner", "estimator"))
    own = tuple(x for x in learners if any(step.kind == "code" for step in x.steps))
    if not own:
        return {}
    if worker_count(options) > 0:
        starter = Starter(None, start_method(options, own_code=True))
        with contextlib.suppress(OSError):  # no process can be started
            return dict(starter.call(_code_facts, own, replace(trust, objects={})))
    return _code_facts(None, own, trust)


def _code_facts(_: None, learners: tuple[Learner, ...], trust: Trust) -> dict[str, CodeFacts]:
    _check_steps(learners, trust, ("code",))
    names = {step.name for learner in learners for step in learner.steps if step.kind == "code"}
    return {name: code_facts(name, trust) for name in sorted(names)}


def _check_steps(learners: tuple[Learner, ...], trust: Trust, kinds: tuple[str, ...]) -> None:
    for learner in learners:
        for place, step in enumerate(learner.steps):
            if step.kind not in kinds or (step.kind not in ("code", "python") and not package_behind(step)):
                continue
            try:
                _check_step(learner, place, step, trust)
            except EvalangError as error:
                if error.span == NOWHERE:
                    error.span = step.span
                raise


def check_folds(context: TaskContext) -> None:
    """Make the first fold of every scheme on every table: what does not fit is a DataError before any fit."""
    seen: set[tuple[str, str, str]] = set()
    for cell in context.cells:
        key = (cell.data, cell.split, cell.recipe.fingerprint)
        if key not in seen:
            seen.add(key)
            with at_scheme(cell.scheme):
                partition = context.partition(cell, 0)
                fold = partition.fold(0, cell.recipe.cuts)
                if cell.recipe.tuning is not None and cell.recipe.tuning.where == "cv":
                    next(partition.inner(fold.train, 0, cell.recipe.tuning.folds or 2))


def check_learners(context: TaskContext, own_code: bool) -> None:
    """Make every learner once for every table, unfitted: a column, parameter or kind of target may not fit.

    Those with classes of the user's own, or the others.
    """
    seen: set[tuple[str, ...]] = set()
    for cell in context.cells:
        if any(step.kind == "code" for step in cell.learner.steps) != own_code:
            continue
        table = context.tables[cell.dataset]
        key = (cell.identity, cell.data, cell.recipe.fingerprint)
        if key not in seen:
            seen.add(key)
            made = build(cell.learner, table.table.task, table.columns, 0, (), table.trust)
            _check_target(cell, table, made)
            if cell.recipe.stops == "on the part":
                check_takes_rows(made.learner)


def _check_step(learner: Learner, place: int, step: Step, trust: Trust) -> None:
    if package_behind(step):  # its parameters are known from the catalogue, and were checked with the script
        estimator_class(targets(step.name)[0])
        return
    owners = [owner(grid.parameter, learner.steps) for grid in learner.grids]
    tuned = [name for stage, name in owners if stage == place]
    if step.kind == "code":
        cls = own_class(step.name, trust)
        for name in (*(name for name, _ in step.parameters), *tuned):
            _check_parameter(cls, step, name)
    try:
        with prints_to_stderr():
            made = own_object(step, 0, trust) if step.kind == "code" else given_object(step, 0, trust)
            _check_clone(made, step)
    except (EvalangError, KeyboardInterrupt):
        raise
    except BaseException as reason:
        raise RunError(f"`{step.name}` cannot be created: {type(reason).__name__}: {str(reason)[:300]}") from None
    last = place == len(learner.steps) - 1
    wanted = ("fit", "predict") if last else ("fit", "transform")
    lacking = next((name for name in wanted if not callable(getattr(made, name, None))), None)
    if lacking is not None:
        what = "the last stage of a learner" if last else "a step before the learner"
        raise ScriptError(f"`{step.name}` has no method `{lacking}`, which {what} needs")


def _check_parameter(cls: type, step: Step, name: str) -> None:
    """Refuse a parameter that the signature does not have; **kwargs takes any."""
    try:
        parameters = inspect.signature(cls).parameters.values()
    except (TypeError, ValueError):
        return
    known = [p.name for p in parameters if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    if name not in known and not any(p.kind == p.VAR_KEYWORD for p in parameters):
        near = nearest(name, known)
        hint = f"did you mean {near}?" if near else f"it takes {', '.join(known[:20]) or 'none'}"
        raise ScriptError(f"`{step.name}` has no parameter `{name}`", hint=hint)


def _check_clone(made: Any, step: Step) -> None:
    """Refuse an estimator that changes its parameters in the constructor: it is not the one that the report names."""
    from sklearn.base import clone

    if not hasattr(made, "get_params"):
        return
    try:
        clone(made)
    except (RuntimeError, TypeError, AttributeError, ValueError) as reason:
        raise ScriptError(
            f"`{step.name}` cannot be cloned: {str(reason)[:300]}",
            hint="its constructor must store every parameter unchanged, in an attribute of the same name",
        ) from None


def _check_target(cell: Cell, table: PreparedTable, made: Prepared) -> None:
    """Refuse a regressor for classes and the reverse; those of the catalogue were looked up by the kind of target."""
    from sklearn.base import is_classifier, is_regressor

    step, known = cell.learner.steps[-1], table.table
    classes = known.task == "classification"
    chosen = cell.recipe.threshold
    if (chosen is not None or cell.learner.threshold is not None) and len(known.classes) != 2:
        raise DataError(
            f"learner `{cell.learner.name}` has a threshold, but dataset `{known.name}` does not have two classes",
            hint="leave out `threshold`",
            span=chosen.span if chosen is not None else cell.learner.span,
        )
    if step.kind not in ("code", "python"):
        return
    try:
        wrong = is_regressor(made.learner) if classes else is_classifier(made.learner)
    except AttributeError:  # a plain class with fit and predict has no such tag
        return
    if wrong:
        kind, other = ("regressor", "classes") if classes else ("classifier", "numbers")
        raise DataError(
            f"learner `{cell.learner.name}` is a {kind}, but the target of dataset `{known.name}` has {other}",
            hint="use a different learner, or add `as regression` or `as classification` to the dataset",
            span=step.span,
        )
