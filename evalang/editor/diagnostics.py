"""Findings with their places in the script and related places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..findings.rule import unquote
from ..language.nodes import IncludeStatement
from ..language.text import NOWHERE, Finding, Span
from .navigation import Mention, definitions
from .workspace import ScriptReading

Known = dict[tuple[str, str], Mention]


@dataclass(frozen=True, slots=True)
class RelatedPlace:
    """A related place, and what stands there."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A finding of this script, where it stands in it, and related places."""

    finding: Finding
    span: Span
    related: tuple[RelatedPlace, ...]


def diagnoses(reading: ScriptReading) -> Iterator[Diagnosis]:
    """Every finding; one about an included file is shown where that file is included, with the place beside it."""
    report = reading.report
    known: Known = {(one.space, one.text): one for one in reversed(definitions(reading))} if report.findings else {}
    for finding in report.findings:
        if reading.owns(finding.span):
            yield Diagnosis(finding, finding.span, tuple(_related(reading, finding, known)))
        else:
            place = (RelatedPlace(finding.span, finding.message),) if finding.span != NOWHERE else ()
            yield Diagnosis(finding, _include(reading, finding.span), place)


def _include(reading: ScriptReading, span: Span) -> Span:
    """The include by which a file came, directly or through others; the first line for a finding without a place."""
    found = [s for s in reading.statements if isinstance(s, IncludeStatement)]
    direct = [s for s in found if span.path.endswith(s.path.value.lstrip("./"))]
    for statement in (*direct, *found):
        return statement.path.span
    first = reading.source.text.partition("\n")[0]
    return Span(reading.source.path, 0, len(first.rstrip("\r")))


def _related(reading: ScriptReading, finding: Finding, known: Known) -> Iterator[RelatedPlace]:
    """Where the name that is meant is defined, and the statement that it is about."""
    seen = {finding.span}
    statement = reading.statement_at(finding.span.start)
    word = unquote(reading.source.cut(finding.span))
    names = [(space, text) for text in (word, *_subjects(finding)) for space in ("definition", "comparison")]
    for name in names:
        found = known.get(name)
        own = found is not None and statement is not None and found.statement.span == statement.span
        if found is not None and not own and found.span not in seen:
            seen.add(found.span)
            yield RelatedPlace(found.span, f"{found.text} is defined here")


def _subjects(finding: Finding) -> tuple[str, ...]:
    """The names a finding is about, the nearest first."""
    subject = finding.subject
    return (subject.statement, subject.comparison, subject.dataset or "", *subject.learners)
