"""A plan in words: what will be done, at which level, and what it costs, before anything is spent."""

from __future__ import annotations

from collections.abc import Iterator

from ..catalogue.corrections import find_correction
from .model import Claim, Comparison, Dataset, Family, Learner, Part, Plan
from .question import QUESTIONS


def describe(plan: Plan) -> str:
    """The whole plan as text."""
    return "\n".join(_lines(plan)) + "\n"


def _lines(plan: Plan) -> Iterator[str]:
    datasets = {d.name: d for d in plan.datasets}
    learners = {x.name: x for x in plan.learners}
    for comparison in plan.comparisons:
        yield from _comparison(comparison, datasets, learners, [f for f in plan.families if comparison.name in f.comparisons])
        yield ""
    for claim in plan.claims:
        yield from _claim(claim)
    if plan.claims:
        yield ""
    for simulation in plan.simulations:
        settings = ", ".join(f"{word} {', '.join(f'{v:g}' for v in values)}" for word, values in simulation.settings)
        yield f"{simulation.name}: {simulation.kind} of {', '.join(simulation.subjects)}" + (f" with {settings}" if settings else "")
    for output in plan.outputs:
        yield f"report: {output.subject or 'everything'} to {output.path}"
    known = [c.fits for c in plan.comparisons if c.fits >= 0]
    unknown = len(plan.comparisons) - len(known)
    more = f", and {unknown} statement{'s' * (unknown > 1)} whose number only the data can tell" if unknown else ""
    yield f"In all {sum(known):,} trainings at most{more}. Nothing has been run."


def _comparison(c: Comparison, datasets: dict[str, Dataset], learners: dict[str, Learner], families: list[Family]) -> Iterator[str]:
    who = " vs ".join(c.learners) or "all learners of the table"
    yield f"{c.name}: {'estimate ' if c.estimate else ''}{'this classifier ' if c.this_classifier else ''}{who}"
    yield f"  question   {c.question} of 9: {QUESTIONS[c.question]} ({c.question_reason})"
    yield f"  data       {', '.join(_dataset(datasets[d]) if d in datasets else d for d in c.datasets)}"
    for name in c.learners:
        if name in learners:
            yield f"  learner    {_learner(learners[name])}"
    if c.scheme:
        yield f"  scheme     {c.scheme.text}{_sizes(c, datasets)}"
    tuned = any(learners[n].grids for n in c.learners if n in learners)
    if c.tuning and tuned:
        yield f"  tuning     {_tuning(c)}{_origin(c.tuning.origin, '')}"
    if c.calibration:
        place = "the tuning part" if c.calibration.where == "tuning" else _part(c.calibration.part) + " of each training part"
        yield f"  calibrated on {place}"
    yield f"  metric     {', '.join(m.name for m in c.metrics)}{_origin(c.metrics_origin, 'accuracy for classes, rmse for numbers')}"
    for test in c.tests:
        where = "" if not test.metrics else f" ({', '.join(test.metrics)})"
        yield f"  test       {test.name}{where}{_origin(test.origin, test.reason)}"
    for test in c.over:
        where = "" if not test.metrics else f" ({', '.join(test.metrics)})"
        yield f"  over sets  {test.name}{where}{_origin(test.origin, test.reason)}"
    if c.over_note:
        yield f"  over sets  {c.over_note}"
    for family in families:
        yield f"  family     {_family(family)}"
    yield f"  level      alpha {c.alpha.value:g}{_origin(c.alpha.origin, c.alpha.reason)}"
    if c.rope:
        yield f"  rope       {c.rope.value:g}: smaller differences do not matter"
    yield f"  seed       {c.seed.value}{_origin(c.seed.origin, '')}" if c.seed else "  seed       none"
    yield f"  fits       {c.fits:,} ({c.fits_reason})" if c.fits >= 0 else f"  fits       {c.fits_reason}"
    for allowed in c.allow:
        yield f"  allowed    {allowed.code} because {allowed.reason}"


def _origin(origin: str, reason: str) -> str:
    if origin == "written":
        return ""
    words = {"set": "by set", "default": "by default", "derived": "from the table"}[origin]
    return f"  ({words}: {reason})" if reason else f"  ({words})"


def _dataset(d: Dataset) -> str:
    return f"{d.name} ({d.rows:,} rows)" if d.rows is not None else d.name


def _learner(x: Learner) -> str:
    chain = " | ".join(s.name + (f"({', '.join(f'{k} = {v}' for k, v in s.parameters)})" if s.parameters else "") for s in x.steps)
    tuned = f", {x.candidates:,} settings of {', '.join(g.parameter for g in x.grids)}" if x.grids else ""
    calibrated = f", calibrated by {x.calibrate}" if x.calibrate != "none" else ""
    times = f", trained {x.trainings} times" if x.trainings > 1 else ""
    return f"{x.name} = {chain}{tuned}{calibrated}{times}"


def _part(part: Part | None) -> str:
    if part is None:
        return "a part"
    return f"{part.rows:,} rows" if part.rows is not None else f"{100 * (part.fraction or 0):g}%"


def _tuning(c: Comparison) -> str:
    assert c.tuning is not None
    t = c.tuning.value
    where = {"part": f"on {_part(t.part)} of each training part", "cv": f"by {t.folds}cv inside each training part", "test": "on the test part"}[t.where]
    again = "" if c.without_retraining else ", the winner is trained again on all of it"
    return where + again


def _sizes(c: Comparison, datasets: dict[str, Dataset]) -> str:
    """The parts in rows, where the plan knows the rows."""
    assert c.scheme is not None
    shown = []
    for name in c.datasets[:4]:
        rows = datasets[name].rows if name in datasets else None
        parts = split_rows(c, rows) if rows else None
        if parts:
            train, tuning, calibration, test = parts
            inner = (f", of which {tuning} for tuning" if tuning else "") + (f", {calibration} for calibration" if calibration else "")
            shown.append(f"{name}: {train} to train{inner}, {test} to test")
    return "  (" + "; ".join(shown) + ("; …" if len(c.datasets) > 4 else "") + ")" if shown else ""


def split_rows(c: Comparison, rows: int) -> tuple[int, int, int, int] | None:
    """Rows to train on (in all), to tune on, to calibrate on, to test on, in one fold; None when only the data can tell."""
    scheme = c.scheme
    if scheme is None:
        return None
    if scheme.kind in ("cv", "repeated-cv", "partitions-cv", "5x2cv", "partitions-5x2cv"):
        test = rows // scheme.folds
    elif scheme.kind == "holdout" and scheme.part:
        test = scheme.part.rows or round(rows * (scheme.part.fraction or 0))
    elif scheme.kind == "resamples" and scheme.part:
        test = rows - (scheme.part.rows or round(rows * (scheme.part.fraction or 0)))
    elif scheme.kind == "leave-one-out":
        test = 1
    elif scheme.kind == "trainings" and scheme.rows:
        return scheme.rows, _rows_of(c, scheme.rows), 0, max(rows - scheme.partitions * scheme.rows, 0)
    else:
        return None
    train = rows - test
    calibration = 0
    if c.calibration and c.calibration.part:
        calibration = c.calibration.part.rows or round(train * (c.calibration.part.fraction or 0))
    return train, _rows_of(c, train), calibration, test


def _rows_of(c: Comparison, train: int) -> int:
    if c.tuning is None or c.tuning.value.part is None:
        return 0
    part = c.tuning.value.part
    return part.rows or round(train * (part.fraction or 0))


def _family(f: Family) -> str:
    scope = "over datasets" if f.scope == "over-datasets" else "on each dataset"
    counted = " x ".join(f"{n} {word}" for word, n in f.factors)
    several = f"{f.count} families of " if f.count > 1 and f.size > 1 else ""
    if f.size <= 1 or f.method == "uncorrected":
        total = f.size * f.count
        return f"{total} test{'s' * (total != 1)} {scope} ({counted}), {'not corrected' if total > 1 else 'nothing to correct'}, level {f.alpha:g}"
    card = find_correction(f.method)
    step = f"; the smallest p has to be at most {f.first_level:.4g}" if card else ""
    return f"{several}{f.size} tests {scope} ({counted}), {f.method}{step}"


def _claim(claim: Claim) -> Iterator[str]:
    bearing = ", ".join(claim.evidence) or "no comparison"
    yield f"{claim.name}: {claim.text} (judged by {bearing})"
