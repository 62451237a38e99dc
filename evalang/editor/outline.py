"""The shape of a script: its symbols, what can be folded, and what leads elsewhere."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..findings.rules import find_rule
from ..language import nodes
from ..language.text import Span
from .occurrences import mentions
from .reading import ScriptReading

_COMMENTS = re.compile(r"(?m)^[ \t]*#[^\n]*(?:\n[ \t]*#[^\n]*)+")
_FILES = ("csv", "parquet", "feather", "excel", "arff", "weka", "folder", "inspect")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A statement by name: `kind` is its statement word."""

    name: str
    kind: str
    span: Span
    selection: Span
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead to a file (`path`) or to the page of a rule (`code`)."""

    span: Span
    path: str = ""
    code: str = ""


def symbols(reading: ScriptReading) -> Iterator[Symbol]:
    """One for each statement, comparisons under the names that the plan gives them."""
    planned = {c.span: c for c in reading.built.plan.comparisons}
    claims = {c.span: c for c in reading.built.plan.claims}
    for statement in reading.statements:
        kind = type(statement).__name__.lower().removesuffix("statement")
        defined = next((one for one in mentions(statement) if one.defines), None)
        where = defined.span if defined else Span(statement.span.path, statement.span.start, statement.span.start)
        if statement.span in planned:
            comparison = planned[statement.span]
            who = " vs ".join(comparison.learners) or "all"
            yield Symbol(comparison.name, kind, statement.span, where, f"{who} on {', '.join(comparison.datasets)}")
        elif defined is not None:
            yield Symbol(defined.text, kind, statement.span, where)
        else:
            claim = claims.get(statement.span)
            first = reading.source.cut(statement.span).partition("\n")[0].strip()
            yield Symbol(claim.text if claim else first, kind, statement.span, where)


def folds(reading: ScriptReading) -> Iterator[tuple[Span, str]]:
    """Statements of several lines, and comments of several lines, each with "region" or "comment"."""
    text = reading.source.text
    for statement in reading.statements:
        if "\n" in reading.source.cut(statement.span).rstrip():
            yield statement.span, "region"
    for found in _COMMENTS.finditer(text):
        yield Span(reading.source.path, found.start(), found.end()), "comment"


def links(reading: ScriptReading) -> Iterator[Link]:
    """Included files, data files, reports, and the codes of `allow`."""
    for statement in reading.statements:
        if isinstance(statement, nodes.IncludeStatement):
            yield from _file(reading, statement.path)
        elif isinstance(statement, nodes.ReportStatement):
            yield from _file(reading, statement.to)
        source = getattr(statement, "source", None)
        tested = [c.source for c in statement.clauses if isinstance(c, nodes.TestedOn)]
        for one in (source, *tested):
            if isinstance(one, nodes.DataSource) and one.kind in _FILES and isinstance(one.locator, nodes.Text):
                yield from _file(reading, one.locator)
        allowed = [*statement.clauses, *((statement.clause,) if isinstance(statement, nodes.SetStatement) else ())]
        for clause in allowed:
            if isinstance(clause, nodes.Allow) and (rule := find_rule(clause.code.text)):
                yield Link(clause.code.span, code=rule.code)


def _file(reading: ScriptReading, text: nodes.Text) -> Iterator[Link]:
    """A file inside the folder of the script that is there; nothing is opened."""
    folder = os.path.realpath(reading.folder())
    try:
        real = os.path.realpath(os.path.join(folder, text.value))
        inside = os.path.commonpath((folder, real)) == folder and os.path.exists(real)
    except (OSError, ValueError):
        return
    if inside:
        yield Link(Span(text.span.path, text.span.start + 1, text.span.end - 1), path=real)
