"""A design in words that stay the same over versions: what the ledger keeps of it, and what has changed between two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..plans.grids import word
from ..plans.model import Comparison, Learner, Literals, Part, Plan

Design = dict[str, Any]


def design_of(plan: Plan, comparison: Comparison) -> Design:
    """The clauses of a statement; names, reasons and allows stand outside.

    What says nothing is left out, so that a clause which comes later changes no design that does not use it.
    """
    c = comparison
    so_far = c.correction is not None and c.correction.so_far
    learners = {name: _learner(found) for name in c.learners if (found := plan.learner(name)) is not None}
    said: Design = {
        "learners": learners or list(c.learners),
        "metrics": [m.label for m in c.metrics],
        "using": c.scheme.text if c.scheme else None,
        "by": [t.name + _options(t.options) for t in (*c.tests, *c.over)],
        "seed": c.seed.value if c.seed else None,
        "level": None if so_far else c.alpha.value,  # over everything so far, the looks before it set the level
        "correction": _correction(c),
        "tuning": _tuning(c) if any(x.grids for x in map(plan.learner, c.learners) if x) else None,
        "calibrated on": (c.calibration.where if c.calibration.part is None else _part(c.calibration.part))
        if c.calibration
        else None,
        "rope": c.rope.value if c.rope else None,
        "expecting": c.expecting,
        "control": c.control,
        "failures": c.failures if c.failures != "undecided" else None,
        "primary": c.primary,
        "threshold": str(c.threshold.where) if c.threshold else None,
        "stop early on": _part(c.stop_early) if c.stop_early else None,
        "until settled": c.until_settled,
        "estimate": c.estimate or None,
        "this classifier": c.this_classifier or None,
        "complete cases": c.complete_cases or None,
    }
    return {name: value for name, value in said.items() if value not in (None, [], {})}


def changes(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(clause, what it was, what it is), a clause that is gone or new as `nothing`.

    >>> list(changes({"using": "10cv", "seed": 1}, {"using": "5x2cv", "seed": 1}))
    [('using', '10cv', '5x2cv')]
    """
    for clause in dict.fromkeys((*was, *now)):
        if was.get(clause) != now.get(clause):
            yield clause, shown(was.get(clause)), shown(now.get(clause))


def shown(value: Any) -> str:
    """A clause's value for people."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name} is {what}" for name, what in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "nothing" if value is None else str(value)


def _learner(x: Learner) -> str:
    chain = " | ".join(step.name + _options(step.parameters) for step in x.steps)
    tuned = [f"{g.parameter} in {{{', '.join(map(word, g.values))}}}" if g.values else f"{g.parameter} in {g.form}"
             for g in x.grids]  # fmt: skip
    said = [f"tune {', '.join(tuned)}"] if tuned else []
    said += [f"try {x.tries}"] if x.tries else []
    said += [f"calibrate {x.calibrate}"] if x.calibrate != "none" else []
    said += [f"train {x.trainings} times"] if x.trainings > 1 else []
    said += [f"threshold {x.threshold:g}"] if x.threshold is not None else []
    said += ["without preparation"] if x.without_preparation else []
    return ", ".join([chain, *said])


def _options(options: tuple[tuple[str, Literals], ...]) -> str:
    return f"({', '.join(f'{name} = {word(value)}' for name, value in sorted(options))})" if options else ""


def _correction(c: Comparison) -> str | None:
    if c.correction is None:
        return None
    return f"{c.correction.method} over {', '.join(c.correction.over)}" + " so far" * c.correction.so_far


def _part(part: Part) -> str:
    return f"{part.rows} rows" if part.rows is not None else f"{100 * (part.fraction or 0):g}%"


def _tuning(c: Comparison) -> str | None:
    if c.tuning is None:
        return None
    t = c.tuning.value
    where = {"part": _part(t.part) if t.part else "", "cv": f"{t.folds}cv", "given": "a file", "test": "the test part"}[
        t.where
    ]
    again = "" if c.retrains else ", without retraining"
    return where + (f" for {t.metric.label}" if t.metric else "") + again
