"""Gaps: the rules that could not judge part of a script, because something it names is unknown or cannot be read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ..catalogue.metrics import find_metric
from .case import Case
from .facts import Facts
from .lint_report import Unjudged
from .rules import RULES
from .rules.script import unused_definitions

Gap = tuple[str, tuple[str, ...]]  # the reason, and the needs of the rules that it silences


def find_gaps(
    facts: Facts, unplanned: Iterable[str], reported: Collection[str], ready: Collection[str]
) -> tuple[Unjudged, ...]:
    """Return one entry for every reason, with the codes in `ready` that found nothing all the same."""
    gaps: list[Gap] = [gap for case in facts.cases for gap in _of_case(case)]
    gaps += [
        (f"{name} is not planned", ("claim",) if name.startswith("claim") else ("dataset", "learner"))
        for name in unplanned
    ]
    strange = {one.name for one in facts.plan.learners if one.steps and one.steps[-1].kind == "unknown"}
    named = [name for claim in facts.plan.claims for name in (claim.left, claim.right) if name in strange]
    gaps += [(f"the learner {name} is unknown", ("claim",)) for name in named]
    found: dict[str, Unjudged] = {}
    for reason, needs in gaps:
        codes = [rule.code for rule in RULES if set(needs).intersection(rule.needs)]
        left = tuple(code for code in codes if code in ready and code not in reported)
        if left:
            found.setdefault(reason, Unjudged(left, reason))
    unused = next((item.name for _, item in unused_definitions(facts.plan)), "")
    if facts.faulty and unused and "EV004" in ready and "EV004" not in reported:
        reason = f"a use of {unused} may be among what could not be read"
        found[reason] = Unjudged(("EV004",), reason)
    return tuple(found.values())


def _of_case(case: Case) -> Iterator[Gap]:
    comparison, name = case.comparison, case.comparison.name
    if case.scheme is None:
        yield f"no scheme says how the rows of {name} are split", ("scheme",)
    if not case.tests and case.has_clause("by"):
        yield f"the test of {name} is unknown", ("test",)
    strange = next((m.name for m in comparison.metrics if find_metric(m.name) is None and m.better is None), None)
    if strange is not None and comparison.metrics_origin == "written":
        yield f"the metric {strange} is unknown", ("metric",)
    elif strange is not None:
        yield f"no metric says what {name} measures", ("metric",)
    for traits in case.learners:
        if traits.learner.steps and traits.learner.steps[-1].kind == "unknown":
            yield f"the learner {traits.name} is unknown", ("learner",)
    for dataset in case.datasets:
        if dataset.source.kind == "unknown":
            yield f"the dataset {dataset.name} is unknown", ("dataset",)
    has = {
        "measuring": comparison.metrics_origin == "written", "tune": comparison.tuning, "rope": comparison.rope,
        "calibrate": comparison.calibration, "correct": comparison.correction, "control": comparison.control,
        "at": comparison.alpha.origin == "written", "seed": comparison.seed, "expecting": comparison.expecting,
    }  # fmt: skip
    for word in sorted({word for word, span in comparison.spans if not has.get(word, True) or not span.path}):
        if word not in ("using", "by"):
            what = "the correction" if word == "correct" else f"the clause `{word}`"
            yield f"{what} of {name} cannot be read", ("metric" if word == "measuring" else word,)
