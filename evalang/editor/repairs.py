"""Repairs as an editor offers them: each alone, the safe ones together, and the finding kept on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..findings.fix import apply, repair
from ..findings.rule import appended
from ..language.text import Edit, Finding, Span
from .reading import ScriptReading


@dataclass(frozen=True, slots=True)
class Repair:
    """Edits under a title; `finding` is what it repairs, None when it repairs several."""

    title: str
    edits: tuple[Edit, ...]
    finding: Finding | None = None
    preferred: bool = False


def repairs(reading: ScriptReading, start: int, end: int) -> Iterator[Repair]:
    """What can be done about the findings that touch `start` to `end`."""
    near = [f for f in reading.report.findings if reading.owns(f.span) and f.span.start <= end and start <= f.span.end]
    for finding in near:
        if finding.fix is not None:
            yield Repair(finding.fix.title, finding.fix.edits, finding, preferred=finding.fix.safe)
    for finding in near:
        kept = _allow(reading, finding)
        if kept is not None:
            yield kept


def all_safe(reading: ScriptReading) -> Repair | None:
    """Every safe repair of the script, as `lint --fix` writes them."""
    offered = [f for f in reading.report.findings if f.fix is not None and f.fix.safe]
    if not offered or apply(reading.source, offered) == reading.source.text:
        return None
    text = repair(reading.source)
    if text == reading.source.text:
        return None
    count = f"{len(offered)} safe repair{'s' * (len(offered) != 1)}"
    return Repair(f"write all safe repairs ({count})", (whole(reading.source.path, reading.source.text, text),))


def whole(path: str, before: str, after: str) -> Edit:
    """The one edit from a text to another: what is equal at both ends stays."""
    head = 0
    shorter = min(len(before), len(after))
    while head < shorter and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return Edit(Span(path, head, len(before) - tail), after[head : len(after) - tail])


def _allow(reading: ScriptReading, finding: Finding) -> Repair | None:
    """`allow CODE because "…"` on the statement; a script that cannot be read as meant has nothing to allow."""
    statement = reading.statement_at(finding.span.start)
    if statement is None or finding.code.startswith(("EV0", "EV9")):
        return None
    clause = f'allow {finding.code} because "…"'
    return Repair(f"keep it on purpose: {clause}", (appended(reading.source, statement.span, clause),), finding)
