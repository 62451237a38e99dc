"""`learner` statements: pipelines checked against the catalogue, and the grids that are tuned."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

from ..catalogue import learners as stages
from ..catalogue.estimators import BOOSTERS
from ..language import nodes
from ..language.text import nearest
from .model import Description, Grid, Learner, Literals, Step
from .preparation import DROP
from .values import (
    Clauses,
    FieldReader,
    PlanErrors,
    count_text,
    read_count,
    read_definition,
    read_fields,
    read_literal,
    read_options,
    read_part,
    read_whole,
)

MOST_VALUES = 100_000  # of one parameter
MOST_CANDIDATES = 1_000_000  # settings of one learner; beyond that the plan could not even be listed


def plan_grid(tuned: nodes.TunedParameter, errors: PlanErrors) -> Grid | None:
    """Return the values of one tuned parameter, or None when they make no sense; counted before a value is made."""
    grid, name, shown = tuned.grid, tuned.name.text, grid_text(tuned.grid)
    size = _size(grid)
    wrong, help = "", f"the limit for one parameter is {MOST_VALUES:,}; name fewer values"
    if size == 0:
        wrong = f"the grid `{shown}` has no values"
        help = "write `1..9`, the smaller number first, or `log(low, high, count)` with 0 < low < high and count >= 2"
    elif size > MOST_VALUES:
        wrong = f"parameter `{name}` would take {count_text(size)} values"
    elif isinstance(grid, nodes.GridPowers) and not _in_range(grid):
        wrong, help = (
            f"the grid `{shown}` has values too large or too small for a number",
            "use a positive base and smaller exponents",
        )
    values = _values(grid) if not wrong else ()
    if len(set(map(repr, values))) != len(values):
        wrong, help = f"the grid of `{name}` has a value twice", "name each value once"
    if wrong:
        errors.invalid(grid.span, wrong, help)
        return None
    return Grid(parameter=name, size=size, values=values, form=shown, span=tuned.span)


def _size(grid: nodes.Grid) -> int:
    """Return the number of values, 0 where its numbers make no sense."""
    if isinstance(grid, nodes.GridSet):
        return len(grid.items)
    if isinstance(grid, nodes.GridLog):
        fits = 0 < grid.low.value < grid.high.value < math.inf and _whole(grid.count) and grid.count.value >= 2
        return int(grid.count.value) if fits else 0
    whole = _whole(grid.start) and _whole(grid.stop)
    return max(int(grid.stop.value) - int(grid.start.value) + 1, 0) if whole else 0


def _in_range(grid: nodes.GridPowers) -> bool:
    largest = max(abs(grid.start.value), abs(grid.stop.value))
    return grid.base.value > 0 and largest * abs(math.log10(grid.base.value)) <= 300


def grid_text(grid: nodes.Grid) -> str:
    """Return the grid as a reader writes it."""
    if isinstance(grid, nodes.GridSet):
        shown = [literal_text(read_literal(item)) for item in grid.items[:8]]
        return "{" + ", ".join(shown) + (", …" if len(grid.items) > 8 else "") + "}"
    if isinstance(grid, nodes.GridRange):
        return f"{grid.start.text}..{grid.stop.text}"
    if isinstance(grid, nodes.GridPowers):
        return f"{grid.base.text}^{{{grid.start.text}..{grid.stop.text}}}"
    return f"log({grid.low.text}, {grid.high.text}, {grid.count.text})"


def literal_text(value: Literals) -> str:
    """Return a value as a script writes it."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(literal_text, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _whole(number: nodes.Number) -> bool:
    return isinstance(number.value, int) and abs(number.value) < 10**15


def _values(grid: nodes.Grid) -> tuple[Literals, ...]:
    if isinstance(grid, nodes.GridSet):
        return tuple(read_literal(item) for item in grid.items)
    if isinstance(grid, nodes.GridRange):
        return tuple(range(int(grid.start.value), int(grid.stop.value) + 1))
    if isinstance(grid, nodes.GridPowers):
        base = grid.base.value
        exponents = range(int(grid.start.value), int(grid.stop.value) + 1)
        # repr of 10.0 ** -3 is 0.001: exact powers of ten come from their decimal form, not from multiplying up
        if base == 10:
            return tuple(10**e if e >= 0 else float(f"1e{e}") for e in exponents)
        return tuple(base**e if e >= 0 else float(base) ** e for e in exponents)
    low, high, count = math.log(grid.low.value), math.log(grid.high.value), int(grid.count.value)
    middle = [math.exp(low + (high - low) * i / (count - 1)) for i in range(1, count - 1)]
    return (float(grid.low.value), *(float(f"{v:.12g}") for v in middle), float(grid.high.value))


MOST_TRAININGS = 10_000
LONGEST_CLASS = 300  # characters of "package.module:Class"
OPEN = ("code", "python")  # stages whose parameters only the estimator itself knows
Estimators = Mapping[str, str]  # estimators that Python hands over -> their dotted classes


def plan_step(call: nodes.Call, errors: PlanErrors, last: bool = False, estimators: Estimators | None = None) -> Step:
    """Return one stage of a pipeline, its parameters checked against the catalogue."""
    name = call.name.text
    parameters = read_options(call.arguments, errors)
    if estimators and name in estimators:
        return Step(name=name, kind="python", parameters=parameters, target=estimators[name], span=call.span)
    if code := own_class_name(name):
        if len(code) > LONGEST_CLASS:
            message = f"this class name is too long ({len(code):,} characters)"
            errors.invalid(call.name.span, message, 'write `"package.module:Class"`')
        return Step(name=code[:LONGEST_CLASS], kind="code", parameters=parameters, span=call.span)
    if name == DROP:
        return _dropping(call, parameters, errors)
    if not stages.targets(name):
        what, near = "learner" if last else "step", stages.nearest_stage(name)
        name = (
            errors.unknown_name(call.name.span, what, name, (near,) if near else (), meant=stages.meant_stage(name))
            or name
        )
    else:
        _check(call, last, errors)
    name = stages.canonical_stage(name) or name
    return Step(name=name, kind=_kind(name), parameters=parameters, span=call.span)


def own_class_name(word: str) -> str:
    """Return "my_model:MyModel" for a class of the user, which may also be written my_model.MyModel; else "".

    >>> own_class_name("my_model.MyModel"), own_class_name("sklearn.svm.SVC"), own_class_name("wilcox.test")
    ('my_model:MyModel', '', '')
    """
    if ":" in word:
        return word
    module, dot, name = word.rpartition(".")
    top = module.partition(".")[0]
    known = ("sklearn", *BOOSTERS)
    own = dot and name[:1].isupper() and top not in known and not nearest(top, known)
    return f"{module}:{name}" if own else ""


def _dropping(call: nodes.Call, parameters: tuple[tuple[str, Literals], ...], errors: PlanErrors) -> Step:
    """Return the step for `drop(columns = ["age"])`, which leaves columns out of what is learned from."""
    columns = dict(parameters).get("columns")
    fine = isinstance(columns, tuple) and columns and all(isinstance(one, str) for one in columns)
    if not fine or len(parameters) != 1:
        errors.invalid(call.span, "`drop` needs the columns to leave out", 'write `drop(columns = ["age"])`')
    return Step(name=DROP, kind="step", parameters=parameters, span=call.span)


def configured_learner(name: nodes.Configured, errors: PlanErrors) -> Learner | None:
    """Return a catalogue learner with parameters that is used without a learner statement."""
    word = name.call.name.text
    known = own_class_name(word) or stages.targets(word)
    made = plan_step(name.call, errors, last=True)
    return Learner(name=name.text, steps=(made,), implicit=True, span=name.span) if known else None


def _check(call: nodes.Call, last: bool, errors: PlanErrors) -> None:
    name = call.name.text
    wrong = stages.check_role(name, last)
    if wrong:
        message, _, help = wrong.partition("; ")
        errors.conflict(call.name.span, message, help or "put steps first and the learner last: `scale | svm`")
    for argument in call.arguments:
        fault = stages.check_stage(name, argument.name.text, read_literal(argument.value))
        if fault and argument.name.text not in stages.stage_parameters(name):
            known = "" if "; " in fault else f"; `evalang explain {name}` lists the parameters"
            errors.bad_parameter(argument.span, fault + known)
        elif fault:
            errors.invalid(argument.span, fault, f"`evalang explain {name}` shows what the parameter takes")


def _kind(name: str) -> Literal["step", "learner", "estimator"]:
    if "." in name:
        return "estimator"
    return "step" if stages.find_step(name) else "learner"


def plan_learner(
    statement: nodes.LearnerStatement, included: bool, errors: PlanErrors, estimators: Estimators
) -> Learner:
    """Return the learner that a learner statement defines."""
    clauses = Clauses(statement.clauses)
    chain = statement.pipeline
    if isinstance(chain, nodes.Described):
        return _described(statement, chain, included, errors)
    bare = clauses.get(nodes.WithoutPreparation)
    if bare and len(chain) > 1:
        errors.conflict(
            bare.span,
            f"step `{chain[0].name.text}` prepares the data, but `without preparation` allows no preparation",
            "remove one of the two",
        )
    steps = tuple([plan_step(call, errors, call is chain[-1], estimators) for call in chain])
    tune, tries = clauses.get(nodes.Tune), clauses.get(nodes.Try)
    grids: tuple[Grid, ...] = ()
    if tune:
        grids = tuple([grid for grid in (plan_grid(one, errors) for one in tune.parameters) if grid is not None])
        _check_tuned(tune, steps, grids, errors)
    total = math.prod(g.size for g in grids)  # without making one
    wanted = read_whole(tries.count, "the number after `try`", 1, errors) if tries else None
    if tries and not tune:
        errors.conflict(
            tries.span, "`try` needs a `tune` clause that says what to try", "add for example `tune C in {1, 10}`"
        )
    if total > MOST_CANDIDATES and wanted is None:
        message = f"the grid of learner `{statement.name.text}` has {count_text(total)} settings"
        help = f"the limit is {MOST_CANDIDATES:,}; name fewer values, or add `try 50` for a random sample"
        errors.invalid(tune.span if tune else statement.span, message, help)
    return Learner(
        steps=steps,
        grids=grids,
        candidates=min(total, wanted) if wanted else total,
        tries=wanted,
        **read_definition(Learner, statement, _FIELDS, included, errors),
    )


def _read_threshold(clause: nodes.Threshold, errors: PlanErrors) -> float | None:
    if clause.score.unit in ("rows", "points") or not 0 <= clause.score.value <= 1:
        errors.invalid(
            clause.span, f"`{clause.score.text}` is not a threshold", "write a score from 0 to 1, such as 0.3"
        )
        return None
    return float(clause.score.value)


_HOURS = {"minutes": 1 / 60, "hours": 1.0, "days": 24.0}
# The clause that fills each field, and how its value is read.
_FIELDS: dict[str, FieldReader] = {
    "calibrate": (nodes.Calibrate, "method"),
    "trainings": (nodes.TrainTimes, read_count("the number after `train`", 1, MOST_TRAININGS)),
    "threshold": (nodes.Threshold, _read_threshold),
    "without_preparation": (nodes.WithoutPreparation, ""),
}
_TRAINED: dict[str, FieldReader] = {
    "trainings": (nodes.TrainedTimes, read_count("the number after `trained`", 1, MOST_TRAININGS))
}
_DESCRIBED_FIELDS: dict[str, FieldReader] = {
    "randomised": (nodes.Randomised, ""),
    "gives_scores": (nodes.GivesScores, ""),
    "tries": (nodes.TunedWith, lambda clause, errors: read_whole(clause.tries, "the number of tries", 1, errors)),
    "by_hand": (nodes.TunedByHand, ""),
    "hours": (nodes.TunedFor, lambda clause, _: clause.time.value * _HOURS[clause.unit]),
    "pretrained_on": (nodes.PretrainedOn, "data"),
    "stopped_on_test": (nodes.StoppedEarly, lambda clause, _: clause.part is None),
    "stopped_on": (
        nodes.StoppedEarly,
        lambda clause, errors: read_part(clause.part, "stopped early on", errors) if clause.part else None,
    ),
}


def _described(
    statement: nodes.LearnerStatement, chain: nodes.Described, included: bool, errors: PlanErrors
) -> Learner:
    """Return a learner that is only described; nothing else is known of it."""
    assert chain.text is not None
    told = read_fields(Clauses(statement.clauses), _DESCRIBED_FIELDS, errors)
    description = Description(text=chain.text.value, span=chain.span, **told)
    return Learner(
        steps=(Step(name=description.text, kind="described", span=chain.span),),
        candidates=description.tries or 1,
        described=description,
        **read_definition(Learner, statement, _TRAINED, included, errors),
    )


def _check_tuned(tune: nodes.Tune, steps: tuple[Step, ...], grids: tuple[Grid, ...], errors: PlanErrors) -> None:
    seen: set[str] = set()
    values = {g.parameter: g.values for g in grids}
    for tuned in tune.parameters:
        word = tuned.name.text
        if word in seen:
            errors.invalid(tuned.span, f"parameter `{word}` is tuned twice", "keep one of the two")
        seen.add(word)
        owner, parameter = _owner(word, steps)
        if owner is None:
            near = nearest(parameter, [p for s in steps for p in stages.stage_parameters(s.name)])
            offer = f"; did you mean `{near}`?" if near else ""
            chain = " | ".join(s.name for s in steps)
            errors.bad_parameter(tuned.name.span, f"`{chain}` has no parameter `{word}`{offer}")
        elif owner.kind not in OPEN and stages.targets(owner.name):
            faults = (stages.check_stage(owner.name, parameter, value) for value in values.get(word, ()))
            fault = next((f for f in faults if f), None)
            if fault:
                errors.invalid(tuned.grid.span, fault, f"`evalang explain {owner.name}` shows what the parameter takes")


def _owner(word: str, steps: tuple[Step, ...]) -> tuple[Step | None, str]:
    """Return the stage of a tuned parameter: `pca.n_components` by name, else the last or only stage that has it."""
    stage, dot, parameter = word.rpartition(".")
    having = [
        s for s in steps if s.kind in OPEN or not stages.targets(s.name) or parameter in stages.stage_parameters(s.name)
    ]
    if dot:
        named = [s for s in having if stage in (s.name, s.name.replace("-", "_"), s.name.rpartition(".")[2])]
        return (named[-1] if named else None), parameter
    if steps[-1] in having:
        return steps[-1], parameter
    return (having[0] if len(having) == 1 else None), parameter


def implicit_learner(name: str) -> Learner | None:
    """Return a catalogue learner or a class that is used without a learner statement."""
    if code := own_class_name(name):
        return Learner(name=name, steps=(Step(name=code, kind="code"),), implicit=True)
    stage = stages.canonical_stage(name)
    if stage is None or stages.check_role(stage, last=True):
        return None
    return Learner(name=name, steps=(Step(name=stage, kind=_kind(stage)),), implicit=True)
