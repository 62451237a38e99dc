"""What is knowable before the first fit: own code is imported, made and cloned, every learner made for its tables."""

from __future__ import annotations

import inspect
from typing import Any

from ..errors import DataError, EvalangError, RunError, ScriptError
from ..plans.model import Learner, Plan, Step
from ..source.nearest import nearest
from ..source.span import NOWHERE
from .cell import Cell
from .fit import Workshop
from .own_code import quiet
from .pipeline import Trust, build, owner
from .predict import Bench
from .prepared import Prepared
from .resolve import handed, own, own_class


def check_code(plan: Plan, trust: Trust) -> None:
    """Every class of one's own and every object that Python handed over, of the learners that are used."""
    used = {name for c in plan.comparisons if c.data == "datasets" for name in c.learners}
    for learner in (x for x in plan.learners if x.name in used):
        for place, step in enumerate(learner.steps):
            if step.kind not in ("code", "python"):
                continue
            try:
                _check(learner, place, step, trust)
            except EvalangError as error:
                if error.span == NOWHERE:
                    error.span = step.span
                raise


def _check(learner: Learner, place: int, step: Step, trust: Trust) -> None:
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
    seen: set[tuple[str, str]] = set()
    for cell in shop.cells:
        on = shop.benches[cell.dataset]
        if (cell.identity, cell.data) not in seen:
            seen.add((cell.identity, cell.data))
            made = build(cell.learner, on.table.task, on.columns, 0, (), on.trust)
            _check_target(cell, on, made)


def _check_target(cell: Cell, on: Bench, made: Prepared) -> None:
    """Own estimators say what they are; those of the catalogue were looked up by the kind of target."""
    from sklearn.base import is_classifier, is_regressor

    step, table = cell.learner.steps[-1], on.table
    classes = table.task == "classification"
    if cell.learner.threshold is not None and len(table.classes) != 2:
        raise DataError(
            f"{cell.learner.name} has a threshold, and {table.name} has no two classes",
            hint="leave the threshold out",
            span=cell.learner.span,
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
