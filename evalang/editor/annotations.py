"""Text shown around a statement: inline hints with what the plan filled in, and lenses with commands above it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from ..language import nodes
from ..language.text import LEVELS, Span
from ..plans.default_tests import question_text
from ..plans.families import describe_factors
from ..plans.model import Comparison, Family
from .workspace import ScriptReading


@dataclass(frozen=True, slots=True)
class Hint:
    """Words shown at an offset, and what they mean."""

    offset: int
    text: str
    more: str


def hints(reading: ScriptReading) -> Iterator[Hint]:
    """Yield the hints of a script, in reading order."""
    plan = reading.built.plan
    for comparison in plan.comparisons:
        if reading.owns(comparison.span):
            families = [f for f in plan.families if comparison.name in f.comparisons]
            yield from sorted(_hints(reading, comparison, families), key=lambda hint: hint.offset)


def _hints(reading: ScriptReading, c: Comparison, families: list[Family]) -> Iterator[Hint]:
    head = max((span.end for span in c.dataset_spans), default=c.span.end)
    end = c.span.start + len(reading.source.cut(c.span).rstrip())
    yield Hint(head, f"question {c.question}", f"{question_text(c)} ({c.question_reason})")
    using = _end(c, "using", head)
    if c.metrics_origin == "default" and c.metrics:
        yield Hint(using, f"measuring {', '.join(m.name for m in c.metrics)}", "by default, for this kind of target")
    for test in (*c.tests, *c.over):
        if test.origin == "default":
            over = " over datasets" if test in c.over else ""
            yield Hint(using, f"by {test.name}{over}", test.reason)
    if c.data == "datasets":
        fits = f"{c.fits:,} fit{'s' * (c.fits != 1)}" if c.fits >= 0 else "fits: only the data can tell"
        yield Hint(using, fits, c.fits_reason)
    corrected = _end(c, "correct", end)
    for family in families:
        yield Hint(corrected, family_words(family), _family_reason(family))


def _end(c: Comparison, clause: str, otherwise: int) -> int:
    return next((span.end for word, span in c.spans if word == clause), otherwise)


def family_words(family: Family) -> str:
    """Return `3 tests, level 0.0167`: how many tests are corrected together, and what the smallest p has to meet."""
    size = family.size if family.method != "uncorrected" else family.size * family.count
    over = " over datasets" if family.scope == "over-datasets" else ""
    several = f" in each of {family.count} families" if family.count > 1 and family.method != "uncorrected" else ""
    return f"{size} test{'s' * (size != 1)}{over}{several}, level {family.first_level:.3g}"


def _family_reason(family: Family) -> str:
    counted = describe_factors(family)
    how = "not corrected" if family.method == "uncorrected" else f"corrected by {family.method}"
    return f"{counted}, {how}" + (f"; {family.reason}" if family.reason else "")


LINT, PLAN, RUN, REPORT = "evalang.lint", "evalang.plan", "evalang.run", "evalang.openReport"
COMMANDS = (LINT, PLAN, RUN, REPORT)


def lenses(reading: ScriptReading) -> Iterator[tuple[Span, str, str]]:
    """Yield a place, a title and a command: lint, plan, run and the report on the first comparison or simulation."""
    asking = (nodes.CompareStatement, nodes.EstimateStatement, nodes.SimulateStatement)
    first = next((s for s in reading.statements if isinstance(s, asking)), None)
    if first is None:
        return
    at = Span(first.span.path, first.span.start, first.span.start)
    yield at, counted(reading), LINT
    fits = reading.built.plan.fits
    yield at, f"plan: {fits:,} fit{'s' * (fits != 1)}" if fits else "plan", PLAN
    if reading.script.quoted or not os.path.isfile(reading.source.path):
        return  # a text of the editor alone: nothing to run yet
    if not reading.report.errors:
        yield at, "run", RUN
    if report_of(reading.source.path):
        yield at, "open the report", REPORT


def counted(reading: ScriptReading) -> str:
    """Return `lint: 1 error, 2 warnings`."""
    levels = [finding.level for finding in reading.report.findings]
    found = [(levels.count(level), level) for level in LEVELS]
    return "lint: " + (", ".join(f"{n} {level}{'s' * (n != 1)}" for n, level in found if n) or "nothing found")


def report_of(path: str) -> str:
    """Return the report of a script's last run; "" when there is none."""
    folder = os.path.join(os.path.dirname(path), "runs", os.path.splitext(os.path.basename(path))[0])
    for name in ("report.html", "report.md"):
        found = os.path.join(folder, name)
        if os.path.isfile(found):
            return found
    return ""
