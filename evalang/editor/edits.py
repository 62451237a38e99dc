"""Edits that an editor offers: repairs of findings, `allow` clauses, and formatting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import EvalangError
from ..findings.fix import apply, repair
from ..findings.rule import append_edit
from ..language.format import CLAUSE, format_script, format_statement
from ..language.text import Edit, Finding, Span
from ..plans.names import canonical_words
from .workspace import ScriptReading


@dataclass(frozen=True, slots=True)
class Repair:
    """Edits under a title; `finding` is what it repairs, None when it repairs several."""

    title: str
    edits: tuple[Edit, ...]
    finding: Finding | None = None
    preferred: bool = False


def repairs(reading: ScriptReading, start: int, end: int) -> Iterator[Repair]:
    """Yield the repairs of the findings that touch `start` to `end`."""
    near = [f for f in reading.report.findings if reading.owns(f.span) and f.span.start <= end and start <= f.span.end]
    for finding in near:
        if finding.fix is not None:
            yield Repair(finding.fix.title, finding.fix.edits, finding, preferred=finding.fix.safe)
    for finding in near:
        kept = _allow(reading, finding)
        if kept is not None:
            yield kept


def all_safe(reading: ScriptReading) -> Repair | None:
    """Return every safe repair of the script, as `lint --fix` writes them."""
    offered = [f for f in reading.report.findings if f.fix is not None and f.fix.safe]
    if not offered or apply(reading.source, offered) == reading.source.text:
        return None
    text = repair(reading.source)
    if text == reading.source.text:
        return None
    count = f"{len(offered)} safe repair{'s' * (len(offered) != 1)}"
    return Repair(f"write all safe repairs ({count})", (whole(reading.source.path, reading.source.text, text),))


def whole(path: str, before: str, after: str) -> Edit:
    """Return the one edit from a text to another, without what is equal at both ends."""
    head = _equal_letters(before, after)
    tail = _equal_letters(before[head:][::-1], after[head:][::-1])
    return Edit(Span(path, head, len(before) - tail), after[head : len(after) - tail])


def _equal_letters(one: str, other: str) -> int:
    """Return how many letters two texts have in common at their beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _allow(reading: ScriptReading, finding: Finding) -> Repair | None:
    """Return the edit that adds `allow CODE because "…"` to the statement; None where the script cannot be read."""
    statement = reading.statement_at(finding.span.start)
    if statement is None or finding.code.startswith(("EV0", "EV9")):
        return None
    clause = f'allow {finding.code} because "…"'
    return Repair(f"keep it on purpose: {clause}", (append_edit(reading.source, statement.span, clause),), finding)


def format_whole(reading: ScriptReading) -> tuple[Edit, ...]:
    """Return the edits to the canonical form; none for a script that cannot be read or that has it already."""
    try:
        text = format_script(reading.source, canonical_words)
    except EvalangError:
        return ()
    before = reading.source.text
    return (whole(reading.source.path, before, text),) if text != before else ()


def format_range(reading: ScriptReading, start: int, end: int) -> tuple[Edit, ...]:
    """Return the edits to the canonical form of every statement in a range; the others may hold mistakes."""
    text = reading.source.text
    newline = "\r\n" if "\r\n" in text else "\n"
    broken = [f.span for f in reading.parse(reading.source)[1]]
    edits = []
    for statement in reading.statements:
        span = statement.span
        if span.start > end or span.end < start or any(span.start <= b.start <= span.end for b in broken):
            continue
        new = newline.join(format_statement(text, statement))
        if new != text[span.start : span.end]:
            edits.append(Edit(span, new))
    return tuple(edits)


def format_typed(reading: ScriptReading, offset: int) -> tuple[Edit, ...]:
    """Return the edits after a line end: a clause is indented, and a statement that an empty line ends is formatted."""
    text = reading.source.text
    line = text.rfind("\n", 0, offset) + 1
    above = text.rfind("\n", 0, max(line - 1, 0)) + 1
    if text[above:line].strip():
        indent = text[line:offset]
        goes_on = text[above:line].rstrip().endswith((",", "|"))
        return (
            (Edit(Span(reading.source.path, line, offset), CLAUSE),)
            if goes_on and not indent.strip(" \t") and indent != CLAUSE
            else ()
        )
    before = [s for s in reading.statements if s.span.start < line]
    return format_range(reading, before[-1].span.start, before[-1].span.start) if before else ()
