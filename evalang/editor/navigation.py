"""The names of a script and its outline: definitions, references, symbols, folds and links."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ..catalogue.sources import READERS
from ..findings.rules import find_rule
from ..language import nodes
from ..language.grammar import RESERVED, pattern
from ..language.text import Span
from .workspace import ScriptReading

Space = Literal["definition", "comparison"]
_DEFINING = (
    nodes.DatasetStatement,
    nodes.SuiteStatement,
    nodes.LearnerStatement,
    nodes.ResultsStatement,
    nodes.PredictionsStatement,
)
# What a name in a tree stands for, by the field that holds it.
_KINDS = {
    **dict.fromkeys(("learner", "learners", "left", "right", "control"), "learner"),
    **dict.fromkeys(("datasets", "members"), "data"),
    **dict.fromkeys(("comparison", "subject"), "comparison"),
}


@dataclass(frozen=True, slots=True)
class Mention:
    """A name at a place; `kind` is dataset, suite, learner, results, predictions, data (any of these) or comparison."""

    text: str
    span: Span
    kind: str
    defines: bool
    statement: nodes.Statement

    @property
    def space(self) -> Space:
        """Comparisons have names of their own: a learner may be called like one."""
        return "comparison" if self.kind == "comparison" else "definition"


def mentions(statement: nodes.Statement) -> Iterator[Mention]:
    """Yield every name in a statement that stands for something of a script."""
    yield from defined(statement)
    if isinstance(statement, nodes.SimulateStatement) and statement.kind == "power":
        for call in statement.subjects:
            yield Mention(call.name.text, call.name.span, "comparison", False, statement)
    for field, item in nodes.walk(statement):
        # `random-forest(n_estimators = 30)` among learners names nothing of the script.
        if isinstance(item, nodes.Name | nodes.Call) and not isinstance(item, nodes.Configured) and field in _KINDS:
            name = item.name if isinstance(item, nodes.Call) else item
            yield Mention(name.text, name.span, _KINDS[field], False, statement)


def defined(statement: nodes.Statement) -> Iterator[Mention]:
    """Yield the names that a statement gives: its own, and that of a comparison."""
    if isinstance(statement, _DEFINING):
        yield Mention(statement.name.text, statement.name.span, _word(statement), True, statement)
    for clause in statement.clauses:
        if isinstance(clause, nodes.AsName):
            yield Mention(clause.name.text, clause.name.span, "comparison", True, statement)


def _word(statement: nodes.Statement) -> str:
    return type(statement).__name__.lower().removesuffix("statement")


def mention_at(reading: ScriptReading, offset: int) -> Mention | None:
    """Return the name at an offset of the script."""
    statement = reading.statement_at(offset)
    found = mentions(statement) if statement is not None else ()
    return next((one for one in found if one.span.start <= offset <= one.span.end), None)


def definition(reading: ScriptReading, text: str, space: Space) -> Mention | None:
    """Return where a name is defined, in the script or in a file it includes."""
    return next((one for one in definitions(reading) if one.text == text and one.space == space), None)


def definitions(reading: ScriptReading) -> tuple[Mention, ...]:
    """Return everything that the script and its includes define."""
    return tuple(one for statement in reading.all_statements() for one in defined(statement))


def references(reading: ScriptReading, text: str, space: Space) -> tuple[Span, ...]:
    """Return every place of a name, its definition included."""
    return tuple(
        one.span
        for statement in reading.all_statements()
        for one in mentions(statement)
        if one.text == text and one.space == space
    )


def written(name: str) -> str:
    """Return a name as it has to be written: in quotes when it could not be read without them.

    >>> written("tree"), written("C4.5 rules"), written("vs")
    ('tree', '"C4.5 rules"', '"vs"')
    """
    bare = re.fullmatch(pattern("NAME"), name) is not None and name not in RESERVED
    return name if bare else '"' + name.replace('"', '""') + '"'


def unfit(reading: ScriptReading, mention: Mention, new: str) -> str:
    """Return why a name cannot be given to what is mentioned, as a sentence; "" when it can."""
    if not new.strip() or "\n" in new or "\r" in new:
        return "a name stands on one line and is not empty"
    if new != mention.text and definition(reading, new, mention.space) is not None:
        return f"{new} is defined already"
    if new != mention.text and references(reading, new, mention.space):  # a catalogue's name: the two would become one
        return f"{new} is used already for something else"
    return ""


_COMMENTS = re.compile(r"(?m)^[ \t]*#[^\n]*(?:\n[ \t]*#[^\n]*)+")
_FILES = tuple(reader.name for reader in READERS if reader.is_path)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A statement by name: `kind` is its statement word."""

    name: str
    kind: str
    span: Span
    selection: Span
    detail: str = ""


def symbols(reading: ScriptReading) -> Iterator[Symbol]:
    """Yield one symbol for each statement; comparisons have the names that the plan gives them."""
    planned = {c.span: c for c in reading.built.plan.comparisons}
    claims = {c.span: c for c in reading.built.plan.claims}
    for statement in reading.statements:
        kind = _word(statement)
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
    """Yield statements and comments of several lines, each with "region" or "comment"."""
    text = reading.source.text
    for statement in reading.statements:
        if "\n" in reading.source.cut(statement.span).rstrip():
            yield statement.span, "region"
    for found in _COMMENTS.finditer(text):
        yield Span(reading.source.path, found.start(), found.end()), "comment"


def links(reading: ScriptReading) -> Iterator[tuple[Span, str]]:
    """Yield words that lead to a file or to the page of a rule, with its path or its code."""
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
                yield clause.code.span, rule.code


def _file(reading: ScriptReading, text: nodes.Text) -> Iterator[tuple[Span, str]]:
    """Yield a file inside the folder of the script that is there; nothing is opened."""
    folder = os.path.realpath(reading.folder())
    try:
        real = os.path.realpath(os.path.join(folder, text.value))
        inside = os.path.commonpath((folder, real)) == folder and os.path.exists(real)
    except (OSError, ValueError):
        return
    if inside:
        yield Span(text.span.path, text.span.start + 1, text.span.end - 1), real
