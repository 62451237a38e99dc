"""What can be done with a script, above its first statement and above its comparisons."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from ..language import nodes
from ..language.text import LEVELS, Span
from .workspace import ScriptReading

LINT, PLAN, RUN, REPORT = "evalang.lint", "evalang.plan", "evalang.run", "evalang.openReport"
COMMANDS = (LINT, PLAN, RUN, REPORT)


@dataclass(frozen=True, slots=True)
class Lens:
    """A title above a line, and the command behind it."""

    span: Span
    title: str
    command: str


def lenses(reading: ScriptReading) -> Iterator[Lens]:
    """Lint, plan, run and the report on the first comparison or simulation; definitions alone have nothing to run."""
    asking = (nodes.CompareStatement, nodes.EstimateStatement, nodes.SimulateStatement)
    first = next((s for s in reading.statements if isinstance(s, asking)), None)
    if first is None:
        return
    at = Span(first.span.path, first.span.start, first.span.start)
    yield Lens(at, counted(reading), LINT)
    fits = reading.built.plan.fits
    yield Lens(at, f"plan: {fits:,} fit{'s' * (fits != 1)}" if fits else "plan", PLAN)
    if reading.script.quoted or not os.path.isfile(reading.source.path):
        return  # a text of the editor alone: nothing to run yet
    if not reading.report.errors:
        yield Lens(at, "run", RUN)
    if report_of(reading.source.path):
        yield Lens(at, "open the report", REPORT)


def counted(reading: ScriptReading) -> str:
    """`lint: 1 error, 2 warnings`"""
    levels = [finding.level for finding in reading.report.findings]
    found = [(levels.count(level), level) for level in LEVELS]
    return "lint: " + (", ".join(f"{n} {level}{'s' * (n != 1)}" for n, level in found if n) or "nothing found")


def report_of(path: str) -> str:
    """The report of a script's last run; "" when there is none."""
    folder = os.path.join(os.path.dirname(path), "runs", os.path.splitext(os.path.basename(path))[0])
    for name in ("report.html", "report.md"):
        found = os.path.join(folder, name)
        if os.path.isfile(found):
            return found
    return ""
