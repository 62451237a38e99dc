"""Formatting while one writes: the whole script, a range of it, or the statement that was just left."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import EvalangError
from ..language.format import CLAUSE, format_script, format_statement
from ..language.text import Edit, Span
from .reading import ScriptReading
from .repairs import whole


def format_whole(reading: ScriptReading) -> tuple[Edit, ...]:
    """The canonical form; nothing for a script that cannot be read, or that has it already."""
    try:
        text = format_script(reading.source)
    except EvalangError:
        return ()
    before = reading.source.text
    return (whole(reading.source.path, before, text),) if text != before else ()


def format_range(reading: ScriptReading, start: int, end: int) -> tuple[Edit, ...]:
    """The canonical form of every statement that reaches into a range; the others may hold mistakes."""
    return tuple(_statements(reading, start, end))


def _statements(reading: ScriptReading, start: int, end: int) -> Iterator[Edit]:
    text = reading.source.text
    newline = "\r\n" if "\r\n" in text else "\n"
    broken = [f.span for f in reading.parsers.parse(reading.source)[1]]
    for statement in reading.statements:
        span = statement.span
        if span.start > end or span.end < start or any(span.start <= b.start <= span.end for b in broken):
            continue
        new = newline.join(format_statement(text, statement))
        if new != text[span.start : span.end]:
            yield Edit(span, new)


def format_typed(reading: ScriptReading, offset: int) -> tuple[Edit, ...]:
    """After a line was ended: a clause begins set in; an empty line ends the statement, which is then formatted."""
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
