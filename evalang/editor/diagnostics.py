"""Findings with their places in the script and related places."""

from __future__ import annotations

from collections.abc import Iterator

from ..findings.rule import unquote
from ..language.nodes import IncludeStatement
from ..language.text import NOWHERE, Finding, Span
from .navigation import Mention, definitions
from .workspace import ScriptReading

Known = dict[tuple[str, str], Mention]
Related = list[tuple[Span, str]]


def diagnoses(reading: ScriptReading) -> Iterator[tuple[Finding, Span, Related]]:
    """Yield every finding with its place in the script and related places, each with what stands there.

    One about an included file is shown where that file is included.
    """
    report = reading.report
    known: Known = {(one.space, one.text): one for one in reversed(definitions(reading))} if report.findings else {}
    for finding in report.findings:
        if reading.owns(finding.span):
            yield finding, finding.span, _related(reading, finding, known)
        else:
            place = [(finding.span, finding.message)] if finding.span != NOWHERE else []
            yield finding, _include(reading, finding.span), place


def _include(reading: ScriptReading, span: Span) -> Span:
    """Return the span of the `include` that brings in a file, or the first line for a finding without a place."""
    found = [s for s in reading.statements if isinstance(s, IncludeStatement)]
    direct = [s for s in found if span.path.endswith(s.path.value.lstrip("./"))]
    for statement in (*direct, *found):
        return statement.path.span
    first = reading.source.text.partition("\n")[0]
    return Span(reading.source.path, 0, len(first.rstrip("\r")))


def _related(reading: ScriptReading, finding: Finding, known: Known) -> Related:
    """Return where the names that are meant are defined, unless in the statement of the finding."""
    statement, subject = reading.statement_at(finding.span.start), finding.subject
    word = unquote(reading.source.cut(finding.span))
    names = (word, subject.statement, subject.comparison, subject.dataset or "", *subject.learners)
    found = [known.get((space, text)) for text in names for space in ("definition", "comparison")]
    elsewhere = [one for one in found if one and not (statement and one.statement.span == statement.span)]
    places = {one.span: f"{one.text} is defined here" for one in elsewhere if one.span != finding.span}
    return list(places.items())
