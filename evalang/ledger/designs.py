"""The design of a comparison as the ledger records it, how two designs differ, and frozen designs with their codes."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..plans.description import fingerprint
from ..plans.learners import literal_text
from ..plans.model import Calibration, Comparison, Learner, Literals, Metric, Part, Plan, Thresholding, Tuning
from .chain import Event

Design = dict[str, Any]


def design_of(plan: Plan, comparison: Comparison) -> Design:
    """Return the clauses of a statement without names, reasons and allows.

    Empty clauses are left out, so that a clause added to the language later changes no design that does not use it.
    """
    c = comparison
    so_far = c.correction is not None and c.correction.so_far
    learners = {name: _learner(found) for name in c.learners if (found := plan.learner(name)) is not None}
    clauses: Design = {
        "learners": learners or list(c.learners),
        "metrics": [m.label for m in c.metrics],
        "using": c.scheme.text if c.scheme else None,
        "by": [t.name + _options(t.options) for t in (*c.tests, *c.over)],
        "seed": c.seed.value if c.seed else None,
        "level": None if so_far else c.alpha.value,  # over everything so far, the looks before it set the level
        "correction": _correction(c),
        "tuning": _tuning(c) if any(x.grids for x in map(plan.learner, c.learners) if x) else None,
        "calibrated on": _place(c.calibration) if c.calibration else None,
        "rope": c.rope.value if c.rope else None,
        "expecting": c.expecting,
        "control": c.control,
        "failures": c.failures if c.failures != "undecided" else None,
        "primary": c.primary,
        "threshold": _place(c.threshold) + _for(c.threshold.metric) if c.threshold else None,
        "stop early on": _part(c.stop_early) if c.stop_early else None,
        "until settled": c.until_settled,
        "estimate": c.estimate or None,
        "this classifier": c.this_classifier or None,
        "complete cases": c.complete_cases or None,
        "missing": c.missing or None,
    }
    return {name: value for name, value in clauses.items() if value not in (None, [], {})}


def design_changes(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield (clause, what it was, what it is); an absent clause is `nothing`.

    >>> list(design_changes({"using": "10cv", "seed": 1}, {"using": "5x2cv", "seed": 1}))
    [('using', '10cv', '5x2cv')]
    """
    for clause in dict.fromkeys((*was, *now)):
        if was.get(clause) != now.get(clause):
            yield clause, describe_value(was.get(clause)), describe_value(now.get(clause))


def describe_value(value: Any) -> str:
    """Return the value of a clause as text."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name} is {what}" for name, what in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "nothing" if value is None else str(value)


def _learner(x: Learner) -> str:
    chain = " | ".join(step.name + _options(step.parameters) for step in x.steps)
    grids = [f"{{{', '.join(map(literal_text, g.values))}}}" if g.values else g.form for g in x.grids]
    tuned = [f"{g.parameter} in {values}" for g, values in zip(x.grids, grids, strict=True)]
    clauses = [f"tune {', '.join(tuned)}"] if tuned else []
    clauses += [f"try {x.tries}"] if x.tries else []
    clauses += [f"calibrate {x.calibrate}"] if x.calibrate != "none" else []
    clauses += [f"train {x.trainings} times"] if x.trainings > 1 else []
    clauses += [f"threshold {x.threshold:g}"] if x.threshold is not None else []
    clauses += ["without preparation"] if x.without_preparation else []
    return ", ".join([chain, *clauses])


def _options(options: tuple[tuple[str, Literals], ...]) -> str:
    return f"({', '.join(f'{name} = {literal_text(value)}' for name, value in sorted(options))})" if options else ""


def _correction(c: Comparison) -> str | None:
    if c.correction is None:
        return None
    return (
        f"{c.correction.method} over {', '.join(c.correction.over)}"
        + " so far" * c.correction.so_far
        + (f" within {c.correction.looks} looks" if c.correction.looks else "")
    )


def _part(part: Part) -> str:
    return f"{part.rows} rows" if part.rows is not None else f"{100 * (part.fraction or 0):g}%"


def _place(chosen: Tuning | Calibration | Thresholding) -> str:
    return _part(chosen.part) if chosen.part is not None else chosen.where


def _for(metric: Metric | None) -> str:
    return f" for {metric.label}" if metric else ""


def _tuning(c: Comparison) -> str | None:
    if c.tuning is None:
        return None
    t = c.tuning.value
    where = {"cv": f"{t.folds}cv", "given": "a file", "test": "the test part"}.get(t.where) or _place(t)
    return where + _for(t.metric) + ("" if c.retrains else ", without retraining")


@dataclass(frozen=True, slots=True)
class Deviation:
    """A difference from the frozen design."""

    what: str
    was: str
    now: str
    reason: str = ""  # the author's, from `allow EV802 because`


def frozen_facts(study: str, plan: Plan, data: Mapping[str, str], versions: Mapping[str, str]) -> dict[str, Any]:
    """Return what `freeze` puts into the ledger."""
    return {
        "study": study,
        "plan": fingerprint(plan),
        "designs": {c.name: design_of(plan, c) for c in plan.comparisons},
        "claims": [claim.text for claim in plan.claims],
        "data": dict(data),
        "versions": dict(versions),
    }


def freeze_code(event: Event) -> str:
    """Return the code of a frozen design: 20 characters of its line's hash, which covers all lines before it.

    >>> freeze_code(Event("frozen", "", {}, (), "00" * 16))
    'EV-AAAAA-AAAAA-AAAAA-AAAAA'
    """
    text = base64.b32encode(bytes.fromhex(event.hash)).decode()[:20]
    return "-".join(["EV", *(text[i : i + 5] for i in range(0, 20, 5))])


def find_frozen(events: Iterable[Event], code: str) -> Event | None:
    """Return the frozen design of a code; case and surrounding blanks do not matter."""
    wanted = code.strip().upper()
    return next((one for one in events if one.kind == "frozen" and freeze_code(one) == wanted), None)


def deviations(was: Mapping[str, Any], now: Mapping[str, Any], plan: Plan) -> Iterator[Deviation]:
    """Yield every difference between two frozen designs, with the reason that the script gives for it."""
    everywhere = next((a.reason for a in plan.allow if a.code == "EV802"), "")
    reasons = {c.name: a.reason for c in plan.comparisons for a in reversed(c.allow) if a.code == "EV802"}
    for name in dict.fromkeys((*was["designs"], *now["designs"])):
        reason = reasons.get(name, everywhere)
        if name not in now["designs"] or name not in was["designs"]:
            there = name in now["designs"]
            yield Deviation(name, "nothing" if there else "there", "there" if there else "nothing", reason)
            continue
        for clause, before, after in design_changes(was["designs"][name], now["designs"][name]):
            yield Deviation(f"{name}: {clause}", before, after, reason)
    for kind, what in (("data", "the rows of"), ("versions", "the version of")):
        for name, before, after in design_changes(was.get(kind, {}), now.get(kind, {})):
            yield Deviation(f"{what} {name}", before[:16], after[:16], everywhere)
    claimed, claims = was.get("claims", ()), now["claims"]
    yield from (Deviation("a claim", text, "nothing", everywhere) for text in claimed if text not in claims)
    yield from (Deviation("a claim", "nothing", text, everywhere) for text in claims if text not in claimed)
