"""Gaps: the rules that could not judge part of a script, because something it names is unknown or cannot be read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from ..catalogue.metrics import find_metric
from .case import Case
from .facts import Facts
from .lint_report import Unjudged
from .rule import Need
from .rules import RULES
from .rules.script import unused_definitions


def _needing(*needs: Need) -> tuple[str, ...]:
    """Return the codes of the rules that need one of these."""
    return tuple(rule.code for rule in RULES if not set(needs).isdisjoint(rule.needs))


def find_gaps(
    facts: Facts, unplanned: Iterable[str], reported: Collection[str], ready: Collection[str]
) -> tuple[Unjudged, ...]:
    """Return one entry for every reason, with the codes in `ready` that found nothing all the same."""
    gaps = [gap for case in facts.cases for gap in _of_case(case)]
    claims, compared = _needing("claim"), _needing("dataset", "learner")
    gaps += [(claims if name.startswith("claim") else compared, f"{name} is not planned") for name in unplanned]
    strange = {one.name for one in facts.plan.learners if one.steps and one.steps[-1].kind == "unknown"}
    for claim in facts.plan.claims:
        gaps += [(claims, f"the learner {one} is unknown") for one in (claim.left, claim.right) if one in strange]
    if facts.faulty and (unused := [item.name for _, item in unused_definitions(facts.plan)]):
        gaps.append((("EV004",), f"a use of {unused[0]} may be among what could not be read"))
    found: dict[str, Unjudged] = {}
    for codes, reason in gaps:
        left = tuple(code for code in codes if code in ready and code not in reported)
        if left:
            found.setdefault(reason, Unjudged(left, reason))
    return tuple(found.values())


def _of_case(case: Case) -> Iterator[tuple[tuple[str, ...], str]]:
    comparison = case.comparison
    name = comparison.name
    if case.scheme is None:
        yield _needing("scheme"), f"no scheme says how the rows of {name} are split"
    if not case.tests and case.says("by"):
        yield _needing("test"), f"the test of {name} is unknown"
    strange = [m.name for m in comparison.metrics if find_metric(m.name) is None and m.better is None]
    if strange:
        written = comparison.metrics_origin == "written"
        yield (
            _needing("metric"),
            (f"the metric {strange[0]} is unknown" if written else f"no metric says what {name} measures"),
        )
    for traits in case.learners:
        if traits.learner.steps and traits.learner.steps[-1].kind == "unknown":
            yield _needing("learner"), f"the learner {traits.name} is unknown"
    for dataset in case.datasets:
        if dataset.source.kind == "unknown":
            yield _needing("dataset"), f"the dataset {dataset.name} is unknown"
    for word in _unread_clauses(case):
        what = "the correction" if word == "correct" else f"the clause `{word}`"
        need: Any = "metric" if word == "measuring" else word
        yield _needing(need), f"{what} of {name} cannot be read"


def _unread_clauses(case: Case) -> list[str]:
    """Return the clauses, besides scheme and test, whose value the plan does not have."""
    comparison = case.comparison
    has = {
        "measuring": comparison.metrics_origin == "written", "tune": comparison.tuning, "rope": comparison.rope,
        "calibrate": comparison.calibration, "correct": comparison.correction, "control": comparison.control,
        "at": comparison.alpha.origin == "written", "seed": comparison.seed, "expecting": comparison.expecting,
    }  # fmt: skip
    unread = {word for word, span in comparison.spans if not has.get(word, True) or not span.path}
    return sorted(unread - {"using", "by"})
