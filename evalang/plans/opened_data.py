"""What the opened data adds to a plan: the metric a task calls for, the number of trainings, what is too small, what
is not built.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..errors import ScriptError
from ..language.text import Span
from .build import Built
from .claims import ClaimEvidence
from .comparison import selection_metrics, with_default_scheme, with_fits
from .default_tests import many_classes, with_default_tests, with_question
from .definitions import with_explanations
from .families import pairs_among, with_families
from .model import Comparison, Dataset, Given, Learner, Level, Metric, Plan, Simulation, Task
from .simulation import no_power
from .values import PlanErrors, default_metric, no_unit

NOT_BUILT = {
    "measuring": "measuring your own metric where learners are trained",
    "choosing": "choosing by your own metric",
}


def refuse_unbuilt(plan: Plan) -> None:
    """Raise ScriptError at the first place that cannot be run: not supported yet, or only described."""
    unbuilt: list[tuple[Span, str]] = []
    for c in plan.comparisons:
        measured = any(m.better or m.epochs for m in c.metrics)
        if c.data == "datasets":
            unbuilt += [(c.span_of("measuring"), NOT_BUILT["measuring"])] if measured else []
            unbuilt += [(m.span, NOT_BUILT["choosing"]) for m in selection_metrics(c) if m.better or m.epochs]
    if unbuilt:
        span, what = min(unbuilt, key=lambda one: (one[0].path != plan.script, one[0]))
        hint = "lint, plan and fmt accept it; remove it to run the script"
        raise ScriptError(f"{what} is not supported yet", hint=hint, span=span)
    described = [(d.name, d.span) for d in plan.datasets if d.used and d.source.kind == "described"]
    described += [(x.name, x.span) for x in plan.learners if x.used and x.described]
    for name, span in described:
        hint = "`evalang lint` and `evalang plan` check the design; to test existing results, use a `results` statement"
        raise ScriptError(f"`{name}` is declared with `described as`, so it cannot be run", hint=hint, span=span)


_SHARE = re.compile(r"\S*\d\s*(?:%|points?\b)")


@dataclass(frozen=True, slots=True)
class OpenedDataset:
    """What is known of a dataset once it is opened."""

    task: Task
    rows: int
    classes: int | None = None
    folds: int | None = None


@dataclass(frozen=True, slots=True)
class OpenedTable:
    """What is known of a table of results or predictions once it is read."""

    learners: tuple[str, ...]
    datasets: tuple[str, ...] = ()  # of results
    levels: tuple[Level, ...] = ()
    graded: bool = False  # items have degrees of right, or several samples
    tied: bool = False  # samples of some item are right and wrong equally often: a majority of them is half right
    grouped: bool = False
    many_groups: bool = False  # enough of them, and alike enough in size, for cluster-t
    metric: str = ""  # what predictions of this kind are measured by, where the script names nothing


def with_opened_data(
    built: Built, known: Mapping[str, OpenedDataset], tables: Mapping[str, OpenedTable] | None = None
) -> Built:
    """Return the plan completed from the data; what the script wrote stays. `tables` are by comparison."""
    plan, errors = built.plan, PlanErrors()
    learners = {learner.name: learner for learner in plan.learners}
    datasets = {
        d.name: replace(d, task=one.task, rows=one.rows, classes=one.classes) if (one := known.get(d.name)) else d
        for d in plan.datasets
    }
    folds = {name: one.folds for name, one in known.items()}
    comparisons = {}
    for c in plan.comparisons:
        table = (tables or {}).get(c.name)
        if c.data == "datasets":
            on = tuple(datasets[name] for name in c.datasets)
            c = _divided(c, learners, on)
            if many_classes(on) != c.many_classes:  # a test of two classes is not taken for more of them
                c = with_default_tests(replace(c, many_classes=not c.many_classes))
            c = with_fits(_measured(c, default_metric(on), built, errors), learners, on, folds, errors)
        elif table is not None:
            c = _measured(c, Metric(name=table.metric), built, errors) if table.metric else c
            c = _complete_from_table(c, table, errors)
        comparisons[c.name] = c
    rows = {name: d.rows for name, d in datasets.items()}
    for simulation in plan.simulations:
        _check(simulation, built, comparisons, rows, errors)
    evidence = ClaimEvidence(tuple(comparisons.values()))
    changed = replace(
        plan,
        comparisons=tuple(comparisons.values()),
        claims=tuple(replace(claim, evidence=evidence.bearing(claim)) for claim in plan.claims),
    )
    return Built(with_families(changed), built.findings + tuple(errors.findings), built.sources)


def with_suite_members(built: Built, members: Mapping[str, tuple[Dataset, ...]]) -> Built:
    """Return the plan with the datasets of opened suites in place of their stand-ins, and new tests and questions."""
    if not members:
        return built
    plan = built.plan
    names = {name: tuple(d.name for d in found) for name, found in members.items()}

    def spread(datasets: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one for name in datasets for one in names.get(name, (name,)))

    suites = [replace(s, members=spread(s.members)) if s.each else s for s in plan.suites]
    comparisons = tuple(
        with_default_tests(with_question(replace(c, datasets=spread(c.datasets))))
        if set(c.datasets) & set(names)
        else c
        for c in plan.comparisons
    )
    changed = replace(
        plan,
        datasets=tuple(one for d in plan.datasets for one in members.get(d.name, (d,))),
        suites=tuple(suites),
        comparisons=comparisons,
        claims=tuple(replace(claim, datasets=spread(claim.datasets)) for claim in plan.claims),
    )
    return Built(changed, built.findings, built.sources)


def _complete_from_table(comparison: Comparison, table: OpenedTable, errors: PlanErrors) -> Comparison:
    """Return the comparison with the learners and datasets of its table; its tests can be counted only now."""
    learners = comparison.learners or table.learners
    control = comparison.control
    if control is not None and control not in learners:
        help = "the control must be one of the compared learners"
        errors.unknown_name(comparison.span_of("control"), "compared learner", control, learners, help)
    pairs = 0 if comparison.estimate else pairs_among(len(learners), control is not None)
    levels = comparison.levels
    if table.levels and {one.standing for one in table.levels} != {one.standing for one in levels}:  # found in files
        levels = with_explanations(table.levels, comparison.scheme, None, comparison.metrics[0])
    read = replace(
        comparison,
        learners=learners,
        in_table=table.datasets,
        pairs=pairs,
        levels=levels,
        graded=table.tied if any(m.epochs == "majority" for m in comparison.metrics) else table.graded,
        grouped=comparison.grouped or table.grouped,
    )
    completed = with_default_tests(with_question(read))
    if not table.many_groups or pairs < 2:
        return completed
    reason = "many tests share the level, so random sign changes are too coarse; there are enough groups for a t-test"
    tests = [
        replace(t, name="cluster-t", reason=reason) if (t.name, t.origin) == ("cluster-permutation", "default") else t
        for t in completed.tests
    ]
    return replace(completed, tests=tuple(tests))


def _divided(comparison: Comparison, learners: Mapping[str, Learner], on: tuple[Dataset, ...]) -> Comparison:
    """Return the comparison with the scheme for the counted rows, if none is written, and its question and tests."""
    planned = comparison.scheme
    if planned is None or planned.origin != "default":
        return comparison
    chosen = with_default_scheme(comparison, learners, on)
    assert chosen.scheme is not None
    if chosen.scheme.kind == planned.kind:  # the gap stays
        return replace(comparison, scheme=replace(planned, reason=chosen.scheme.reason))
    return with_default_tests(with_question(chosen))


def _measured(comparison: Comparison, metric: Metric, built: Built, errors: PlanErrors) -> Comparison:
    """Return the comparison with the metric for the task, if the script names none, and the tests for it."""
    if comparison.metrics_origin != "default" or comparison.metrics == (metric,):
        return comparison
    rope = _rope(comparison.rope, metric, built, errors)
    return with_default_tests(replace(comparison, metrics=(metric,), rope=rope))


def _rope(rope: Given[float] | None, metric: Metric, built: Built, errors: PlanErrors) -> Given[float] | None:
    """Return the margin, or None (with EV006) when it is a share and the metric needs a number in its own unit."""
    source = built.sources.get(rope.span.path) if rope is not None else None
    share = _SHARE.search(source.cut(rope.span)) if rope is not None and source is not None else None
    return None if rope and share and no_unit(share[0], (metric,), rope.span, errors) else rope


def _check(
    simulation: Simulation,
    built: Built,
    comparisons: Mapping[str, Comparison],
    rows: Mapping[str, int | None],
    errors: PlanErrors,
) -> None:
    """Report a power simulation that seemed possible before the data were opened and is not."""
    if simulation.kind != "power":
        return
    before = {d.name: d.rows for d in built.plan.datasets}
    settings = dict(simulation.settings)
    stated = tuple(int(n) for n in (*settings.get("rows", ()), *settings.get("n", ())))
    for planned in built.plan.comparisons:
        if planned.name in simulation.subjects and no_power(planned, before, stated) is None:
            refused = no_power(comparisons[planned.name], rows, stated)
            if refused is not None:
                errors.conflict(simulation.span, *refused)
