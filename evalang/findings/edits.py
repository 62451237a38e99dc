"""Edits that rules offer: a clause added to a statement, a clause taken out, words replaced."""

from __future__ import annotations

from ..source.finding import Edit, Fix
from ..source.span import Span
from ..source.text import Source
from .facts import Facts
from .places import masked, source_of


def replaced(title: str, span: Span, text: str, *, safe: bool = True) -> Fix:
    """Other words in the place of these."""
    return Fix(title=title, edits=(Edit(span, text),), safe=safe)


def with_clause(facts: Facts, statement: Span, clause: str, *, safe: bool = True) -> Fix | None:
    """The statement with one more clause at its end; in a statement of several lines it gets a line of its own."""
    source = source_of(facts, statement)
    if source is None:
        return None
    return Fix(title=f"add `{clause}`", edits=(appended(source, statement, clause),), safe=safe)


def appended(source: Source, statement: Span, clause: str) -> Edit:
    """The insertion of a clause at the end of a statement, before a comment that may follow it."""
    text = source.cut(statement)
    end = statement.start + len(text.rstrip())
    at = Span(statement.path, end, end)
    if "\n" not in text.rstrip():
        return Edit(at, f", {clause}")
    last = text.rstrip().rpartition("\n")[2]
    indent = last[: len(last) - len(last.lstrip())] or "  "
    return Edit(at, f"\n{indent}{clause}")


def without(source: Source, span: Span) -> Edit:
    """The removal of a clause with the comma and the blanks before it; of its line when nothing else stands there."""
    text = source.text
    start, end = span.start, span.end
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    line = text.rfind("\n", 0, span.start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    if start == line and not text[end:stop].strip(" \t,\r"):
        # The comma that stood before the clause ends the line above; it would now end the statement.
        return Edit(Span(span.path, line - 1 if line else 0, stop), "")
    if start > line and text[start - 1] == ",":
        start -= 1
    elif start == line:
        start = span.start
        while end < len(text) and text[end] in " \t,":
            end += 1
    return Edit(Span(span.path, start, end), "")


def trailing_comma(source: Source, statement: Span, span: Span) -> Edit | None:
    """The removal of a comma that `without` would leave at the end of the statement."""
    before = masked(source.text[statement.start : span.start]).rstrip()
    after = masked(source.text[span.end : statement.end]).strip(" \t\r\n,")
    if after or not before.endswith(","):
        return None
    at = statement.start + len(before) - 1
    return Edit(Span(span.path, at, at + 1), "")


def removed(facts: Facts, title: str, statement: Span, span: Span, *, safe: bool = True) -> Fix | None:
    """The statement without one of its clauses."""
    source = source_of(facts, span)
    if source is None:
        return None
    edit = without(source, span)
    comma = trailing_comma(source, statement, span)
    if comma is None or comma.span.start >= edit.span.start:
        return Fix(title=title, edits=(edit,), safe=safe)
    return Fix(title=title, edits=(comma, edit), safe=safe)
