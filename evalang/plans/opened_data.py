"""Completes a plan from the opened data: the metric for the task, the scheme for the rows, the fits, and margins.

It also refuses what a run does not support, or what is only described.
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
from .families import pairs_among, with_families
from .levels import with_explanations
from .model import Claim, Comparison, Dataset, Given, Learner, Level, Metric, Plan, Simulation, Task
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


SMALLEST_PERCENT = 0.1  # of scores in per cent: less than a tenth of a point is a share written by mistake
WIDEST_NUMBER = 0.5  # of scores from 0 to 1: a larger number is points written by mistake
_SHARE = re.compile(r"\S*\d\s*(?:%|points?\b|pt\b)")
_WITHIN = re.compile(r"\bwithin\s+(\S*\d(?:\s*(?:%|points?\b|pt\b))?)")


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
    largest: float = 0.0  # score of results; its size where the metric has no best score


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
            c = _with_scheme_for_rows(c, learners, on)
            if many_classes(on) != c.many_classes:  # a test of two classes is not taken for more of them
                c = with_default_tests(replace(c, many_classes=not c.many_classes))
            c = with_fits(_with_metric_for_task(c, default_metric(on), built, errors), learners, on, folds, errors)
        elif table is not None:
            c = _with_metric_for_task(c, Metric(name=table.metric), built, errors) if table.metric else c
            c = _complete_from_table(c, table, errors)
        if c.rope is not None:
            width = _in_unit_of_scores(c.rope.value, c.rope.span, c, c.metrics, table, built, errors)
            c = replace(c, rope=replace(c.rope, value=width))
        comparisons[c.name] = c
    rows = {name: d.rows for name, d in datasets.items()}
    for simulation in plan.simulations:
        _check_power(simulation, built, comparisons, rows, errors)
    evidence = ClaimEvidence(tuple(comparisons.values()))
    claims = [replace(claim, evidence=evidence.bearing(claim)) for claim in plan.claims]
    changed = replace(
        plan,
        comparisons=tuple(comparisons.values()),
        claims=tuple(_claim_in_unit_of_scores(claim, comparisons, tables or {}, built, errors) for claim in claims),
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


def _with_scheme_for_rows(
    comparison: Comparison, learners: Mapping[str, Learner], on: tuple[Dataset, ...]
) -> Comparison:
    """Return the comparison with the scheme for the counted rows, if none is written, and its question and tests."""
    planned = comparison.scheme
    if planned is None or planned.origin != "default":
        return comparison
    chosen = with_default_scheme(comparison, learners, on)
    assert chosen.scheme is not None
    if chosen.scheme.kind == planned.kind:  # the gap stays
        return replace(comparison, scheme=replace(planned, reason=chosen.scheme.reason))
    return with_default_tests(with_question(chosen))


def _with_metric_for_task(comparison: Comparison, metric: Metric, built: Built, errors: PlanErrors) -> Comparison:
    """Return the comparison with the metric for the task, if the script names none, and the tests for it."""
    if comparison.metrics_origin != "default" or comparison.metrics == (metric,):
        return comparison
    rope = _margin_for_metric(comparison.rope, metric, built, errors)
    return with_default_tests(replace(comparison, metrics=(metric,), rope=rope))


def _margin_for_metric(
    rope: Given[float] | None, metric: Metric, built: Built, errors: PlanErrors
) -> Given[float] | None:
    """Return the margin, or None (with EV006) when it is a share and the metric needs a number in its own unit."""
    source = built.sources.get(rope.span.path) if rope is not None else None
    share = _SHARE.search(source.cut(rope.span)) if rope is not None and source is not None else None
    return None if rope and share and no_unit(share[0], (metric,), rope.span, errors) else rope


def _claim_in_unit_of_scores(
    claim: Claim,
    comparisons: Mapping[str, Comparison],
    tables: Mapping[str, OpenedTable],
    built: Built,
    errors: PlanErrors,
) -> Claim:
    """Return the claim with the width after `within` in the unit of the scores that bear on it."""
    if claim.within is None:
        return claim
    width, span = claim.within, claim.span
    source = built.sources.get(span.path)
    written = re.sub('"[^"]*"', lambda quoted: " " * len(quoted[0]), source.cut(span)) if source is not None else ""
    if place := _WITHIN.search(written):
        span = Span(span.path, span.start + place.start(1), span.start + place.end(1))
    for c in map(comparisons.__getitem__, claim.evidence):
        named = claim.metric.name if claim.metric else None
        metrics = tuple(m for m in c.metrics if (m.name == named if named else c.primary in (None, m.label)))
        before = len(errors.findings)
        width = _in_unit_of_scores(claim.within, span, c, metrics, tables.get(c.name), built, errors)
        if len(errors.findings) > before:
            break
    return replace(claim, within=width)


def _in_unit_of_scores(
    width: float,
    span: Span,
    comparison: Comparison,
    metrics: tuple[Metric, ...],
    table: OpenedTable | None,
    built: Built,
    errors: PlanErrors,
) -> float:
    """Return a margin in the unit of the scores: `1 point` of an accuracy such as 89.6 is 1, of 0.896 it is 0.01.

    Reports (EV006) points of scores that are no shares, and a width that nearly every difference would be within.
    """
    source = built.sources.get(span.path)
    share = _SHARE.search(source.cut(span)) if source is not None else None
    text = share[0] if share else f"{width:g}"
    largest = table.largest if table is not None and comparison.data == "results" else None
    percent = largest is not None and largest > 1.0
    like = f" (such as {largest:g})" if percent else ""
    for metric in metrics:
        card = metric.card
        has_unit, high = (card.has_unit, card.high) if card else (False, None)
        if high is None and largest is not None and card is not None and card.higher_is_better and not has_unit:
            high = None if percent else 1.0  # the scores of your own metric look like shares
        if share and (has_unit or (percent and high is None)):
            plain = f"{100 * width:g}"
            message = f"`{text}` means {width:g}, but the scores of {metric.name} are not from 0 to 1{like}"
            errors.invalid(span, message, f"write `{plain}` for a difference of {plain} in {metric.name}")
        elif high == 1.0 and percent:
            if not share and 0.0 < width < SMALLEST_PERCENT:
                message = f"{comparison.datasets[0]} has percentages{like}, but the margin is {text}"
                errors.invalid(span, message, f"write `{100 * width:g}`, in percentage points like the table")
            width = 100 * width if share else width
            if width >= 100.0:
                errors.invalid(span, f"`{text}` covers every difference in {metric.name}", "write `1 point`")
        elif high == 1.0 and width >= (1.0 if share else WIDEST_NUMBER):
            points = text if not share and width < 100.0 else "1"
            message = f"`{text}` covers nearly every difference in {metric.name}, whose scores are at most 1"
            errors.invalid(span, message, f"write `{points} point{'s' if points != '1' else ''}`")
    return width


def _check_power(
    simulation: Simulation,
    built: Built,
    comparisons: Mapping[str, Comparison],
    rows: Mapping[str, int | None],
    errors: PlanErrors,
) -> None:
    """Report a power simulation that is impossible with the opened data."""
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
