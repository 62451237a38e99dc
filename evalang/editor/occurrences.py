"""The names of a script: where each is defined and where it is used, across included files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ..codec import field_names
from ..language import nodes
from ..language.lexer import PATTERNS, RESERVED
from ..language.text import Span
from .reading import ScriptReading

Space = Literal["definition", "comparison"]
_BARE = re.compile(PATTERNS["NAME"])
_DEFINING = (
    nodes.DatasetStatement,
    nodes.SuiteStatement,
    nodes.LearnerStatement,
    nodes.ResultsStatement,
    nodes.PredictionsStatement,
)
# By the field that holds it: what a name in a tree stands for.
_LEARNER = ("learner", "learners", "left", "right", "control")
_DATA = ("datasets", "members")
_COMPARISON = ("comparison", "subject")


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
    """Every name in a statement that stands for something of a script."""
    yield from defined(statement)
    if isinstance(statement, nodes.SimulateStatement) and statement.kind == "power":
        for call in statement.subjects:
            yield Mention(call.name.text, call.name.span, "comparison", False, statement)
    yield from _inside(statement, statement)


def defined(statement: nodes.Statement) -> Iterator[Mention]:
    """The names that a statement gives: its own, and that of a comparison."""
    if isinstance(statement, _DEFINING):
        yield Mention(statement.name.text, statement.name.span, _word(statement), True, statement)
    for clause in statement.clauses:
        if isinstance(clause, nodes.AsName):
            yield Mention(clause.name.text, clause.name.span, "comparison", True, statement)


def _word(statement: nodes.Statement) -> str:
    return type(statement).__name__.lower().removesuffix("statement")


def _inside(node: nodes.Node, statement: nodes.Statement) -> Iterator[Mention]:
    for field in field_names(type(node)):
        value = getattr(node, field)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, nodes.Configured):
                continue  # `random-forest(n_estimators = 30)` among learners names nothing of the script
            if isinstance(item, nodes.Name | nodes.Call) and (kind := _kind(field)):
                name = item.name if isinstance(item, nodes.Call) else item
                yield Mention(name.text, name.span, kind, False, statement)
            elif isinstance(item, nodes.Node) and not isinstance(item, nodes.Name):
                yield from _inside(item, statement)


def _kind(field: str) -> str:
    return (
        "learner" if field in _LEARNER else "data" if field in _DATA else "comparison" if field in _COMPARISON else ""
    )


def mention_at(reading: ScriptReading, offset: int) -> Mention | None:
    """The name at an offset of the script."""
    statement = reading.statement_at(offset)
    found = mentions(statement) if statement is not None else ()
    return next((one for one in found if one.span.start <= offset <= one.span.end), None)


def definition(reading: ScriptReading, text: str, space: Space) -> Mention | None:
    """Where a name is defined, in the script or in a file it includes."""
    return next(
        (
            one
            for statement in reading.all_statements()
            for one in defined(statement)
            if one.text == text and one.space == space
        ),
        None,
    )


def definitions(reading: ScriptReading) -> tuple[Mention, ...]:
    """Everything that the script and its includes define."""
    return tuple(one for statement in reading.all_statements() for one in defined(statement))


def references(reading: ScriptReading, text: str, space: Space) -> tuple[Span, ...]:
    """Every place of a name, its definition included."""
    return tuple(
        one.span
        for statement in reading.all_statements()
        for one in mentions(statement)
        if one.text == text and one.space == space
    )


def written(name: str) -> str:
    """A name as it has to be written: in quotes when it could not be read without them.

    >>> written("tree"), written("C4.5 rules"), written("vs")
    ('tree', '"C4.5 rules"', '"vs"')
    """
    bare = _BARE.fullmatch(name) is not None and name not in RESERVED
    return name if bare else '"' + name.replace('"', '""') + '"'


def unfit(reading: ScriptReading, mention: Mention, new: str) -> str:
    """Why a name cannot be given to what is mentioned, as a sentence; "" when it can."""
    if not new.strip() or "\n" in new or "\r" in new:
        return "a name stands on one line and is not empty"
    if new != mention.text and definition(reading, new, mention.space) is not None:
        return f"{new} is defined already"
    if new != mention.text and references(reading, new, mention.space):  # a catalogue's name: the two would become one
        return f"{new} is used already for something else"
    return ""
