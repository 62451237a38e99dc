"""`learner` statements: the chain of stages, what is tuned, how it is calibrated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..catalogue.stages import check_role, check_stage, nearest_stage, stage_parameters, targets
from ..catalogue.steps import find_step
from ..source.nearest import nearest
from ..syntax import nodes
from .clauses import allowances, because, clause
from .grids import MOST_CANDIDATES, candidates, grid
from .model import Grid, Learner, Step
from .problems import Problems
from .values import literal, options, shown, whole

MOST_TRAININGS = 10_000
OPEN = ("code", "python")  # stages whose parameters only the estimator itself knows
Handed = Mapping[str, str]  # estimators that Python hands over -> their dotted classes


def step(call: nodes.Call, problems: Problems, last: bool = False, handed: Handed | None = None) -> Step:
    """One stage of a pipeline, its parameters checked against the catalogue."""
    name = call.name.text
    parameters = options(call.arguments, problems)
    if call.code:
        return Step(name=name, kind="code", parameters=parameters, span=call.span)
    if handed and name in handed:
        return Step(name=name, kind="python", parameters=parameters, target=handed[name], span=call.span)
    if not targets(name):
        near = nearest_stage(name)
        problems.unknown(call.name.span, "learner" if last else "step", name, (near,) if near else ())
    else:
        _check(call, last, problems)
    return Step(name=name, kind=_kind(name), parameters=parameters, span=call.span)


def _check(call: nodes.Call, last: bool, problems: Problems) -> None:
    name = call.name.text
    wrong = check_role(name, last)
    if wrong:
        message, _, help = wrong.partition("; ")
        problems.disagree(call.name.span, message, help or "put steps first and the learner last: scale | svm")
    for argument in call.arguments:
        fault = check_stage(name, argument.name.text, literal(argument.value))
        if fault and argument.name.text not in stage_parameters(name):
            problems.parameter(argument.span, fault)
        elif fault:
            problems.bad(argument.span, fault, "write a value that the parameter takes")


def _kind(name: str) -> Literal["step", "learner", "estimator"]:
    if "." in name:
        return "estimator"
    return "step" if find_step(name) else "learner"


def learner(statement: nodes.Learner, included: bool, problems: Problems, handed: Handed) -> Learner:
    """A learner statement."""
    said = statement.clauses
    chain = statement.pipeline
    steps = tuple([step(call, problems, call is chain[-1], handed) for call in chain])
    tune, tries = clause(said, nodes.Tune), clause(said, nodes.Try)
    times, method = clause(said, nodes.TrainTimes), clause(said, nodes.Calibrate)
    grids: tuple[Grid, ...] = ()
    if tune:
        grids = tuple([g for g in (grid(p, problems) for p in tune.parameters) if g is not None])
        _check_tuned(tune, steps, grids, problems)
    total = candidates(grids)
    wanted = whole(tries.count, "try", 1, problems) if tries else None
    if tries and not tune:
        problems.disagree(tries.span, "try has nothing to try", "say what is tuned: tune C in {1, 10}")
    if total > MOST_CANDIDATES and wanted is None:
        problems.bad(
            tune.span if tune else statement.span,
            f"the grid of {statement.name.text} has {shown(total)} settings",
            f"{MOST_CANDIDATES:,} are the most; name fewer values, or add try 50 for a random sample",
        )
    return Learner(
        name=statement.name.text,
        steps=steps,
        grids=grids,
        candidates=min(total, wanted) if wanted else total,
        tries=wanted,
        calibrate=method.method if method else "none",
        trainings=(whole(times.count, "train", 1, problems, MOST_TRAININGS) or 1) if times else 1,
        because=because(said),
        included=included,
        allow=allowances(said, problems),
        span=statement.span,
    )


def _check_tuned(tune: nodes.Tune, steps: tuple[Step, ...], grids: tuple[Grid, ...], problems: Problems) -> None:
    seen: set[str] = set()
    values = {g.parameter: g.values for g in grids}
    for tuned in tune.parameters:
        word = tuned.name.text
        if word in seen:
            problems.bad(tuned.span, f"{word} is tuned twice", "keep one of the two")
        seen.add(word)
        owner, parameter = _owner(word, steps)
        if owner is None:
            near = nearest(parameter, [p for s in steps for p in stage_parameters(s.name)])
            offer = f"; did you mean {near}?" if near else ""
            chain = " | ".join(s.name for s in steps)
            problems.parameter(tuned.name.span, f'{chain} has no parameter "{word}"{offer}')
        elif owner.kind not in OPEN and targets(owner.name):
            faults = (check_stage(owner.name, parameter, value) for value in values.get(word, ()))
            fault = next((f for f in faults if f), None)
            if fault:
                problems.bad(tuned.grid.span, fault, "name only values that the parameter takes")


def _owner(word: str, steps: tuple[Step, ...]) -> tuple[Step | None, str]:
    """The stage of a tuned parameter: `pca.n_components` by name, a bare one of the last or only stage that has it."""
    stage, dot, parameter = word.rpartition(".")
    having = [s for s in steps if s.kind in OPEN or not targets(s.name) or parameter in stage_parameters(s.name)]
    if dot:
        named = [s for s in having if stage in (s.name, s.name.replace("-", "_"), s.name.rpartition(".")[2])]
        return (named[-1] if named else None), parameter
    if steps[-1] in having:
        return steps[-1], parameter
    return (having[0] if len(having) == 1 else None), parameter


def implicit_learner(name: str) -> Learner | None:
    """A catalogue learner or dotted name used without a learner statement."""
    if not targets(name) or check_role(name, last=True):
        return None
    return Learner(name=name, steps=(Step(name=name, kind=_kind(name)),), implicit=True)
