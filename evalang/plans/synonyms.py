"""Common names of learners, metrics and tests in a script, and the canonical names that the plan and `fmt` write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from ..catalogue.learners import canonical_stage
from ..catalogue.metrics import canonical_metric
from ..catalogue.sources import BUNDLED
from ..catalogue.tests import find_test, is_t_test
from ..language import nodes

Heads = nodes.CompareStatement | nodes.EstimateStatement | nodes.ClaimStatement
_DEFINITIONS = (
    nodes.DatasetStatement,
    nodes.SuiteStatement,
    nodes.LearnerStatement,
    nodes.ResultsStatement,
    nodes.PredictionsStatement,
)


def learner_renames(statements: Iterable[nodes.Statement], tables: Iterable[str], own: Iterable[str]) -> dict[str, str]:
    """Return the canonical name of every learner that a comparison or claim calls by another one.

    `tables` are the data whose learners are columns, and `own` the names that have a meaning of their own here.
    """
    heads = [one for one in statements if isinstance(one, Heads)]
    columns = set(tables)
    if any(isinstance(one, nodes.CompareStatement) and not one.learners for one in heads):
        columns.add("")  # a claim without datasets may be about the table of `compare all`
    kept = {
        *own,
        *(n.text for one in heads if columns & ({d.text for d in one.datasets} or {""}) for n in _learners(one)),
    }
    words = {_called(name) for one in heads for name in _learners(one)} - kept
    found = {word: _stage(word) for word in words}
    return {word: name for word, name in found.items() if name != word}


def with_renamed_learners(statement: nodes.Statement, renames: dict[str, str]) -> nodes.Statement:
    """Return a comparison or claim with the canonical names of its learners."""
    if not isinstance(statement, Heads) or not any(_called(name) in renames for name in _learners(statement)):
        return statement

    def renamed(name: nodes.Name) -> nodes.Name:
        called = _called(name)
        new = renames.get(called, called)
        if isinstance(name, nodes.Configured):
            call = replace(name.call, name=replace(name.call.name, text=new))
            return replace(name, call=call, text=new + name.text.removeprefix(called))
        return replace(name, text=new)

    clauses = tuple(
        replace(one, learner=renamed(one.learner)) if isinstance(one, nodes.Control | nodes.Expecting) else one
        for one in statement.clauses
    )
    if isinstance(statement, nodes.CompareStatement):
        return replace(statement, clauses=clauses, learners=tuple(map(renamed, statement.learners)))
    if isinstance(statement, nodes.EstimateStatement):
        return replace(statement, clauses=clauses, learner=renamed(statement.learner))
    return replace(statement, clauses=clauses, left=renamed(statement.left), right=renamed(statement.right))


def canonical_words(statements: tuple[nodes.Statement, ...]) -> dict[int, str]:
    """Return the canonical text of every name in one file that is written otherwise, by where it begins.

    Learners of comparisons keep their names where another file or Python may define them.
    """
    own = {one.name.text for one in statements if isinstance(one, _DEFINITIONS)}
    tables = (nodes.ResultsStatement, nodes.PredictionsStatement)
    known = {*own, *(one.name for one in BUNDLED)}
    closed = not any(isinstance(one, nodes.IncludeStatement) for one in statements) and all(
        {d.text for d in one.datasets} <= known for one in statements if isinstance(one, Heads)
    )
    renames = learner_renames(statements, (s.name.text for s in statements if isinstance(s, tables)), own)
    found: dict[int, str] = {}
    for statement in statements:
        for name in _learners(statement) if closed and isinstance(statement, Heads) else ():
            found[name.span.start] = renames.get(_called(name), "")
        for call, canonical in _calls(statement):
            found[call.span.start] = canonical(call)
    return {start: text for start, text in found.items() if text}


def _learners(statement: Heads) -> Iterator[nodes.Name]:
    if isinstance(statement, nodes.CompareStatement):
        yield from statement.learners
    elif isinstance(statement, nodes.EstimateStatement):
        yield statement.learner
    else:
        yield from (statement.left, statement.right)
    for clause in statement.clauses:
        if isinstance(clause, nodes.Control | nodes.Expecting):
            yield clause.learner


def _called(name: nodes.Name) -> str:
    return name.call.name.text if isinstance(name, nodes.Configured) else name.text


def _stage(word: str) -> str:
    """Return the canonical name; a class keeps its class name, which is shorter than the dotted one."""
    found = canonical_stage(word)
    return word if found is None or "." in found else found


def _calls(statement: nodes.Statement) -> Iterator[tuple[nodes.Call, Callable[[nodes.Call], str]]]:
    """Yield the names of stages, metrics and tests, each with what finds its canonical name."""
    if isinstance(statement, nodes.LearnerStatement) and isinstance(statement.pipeline, tuple):
        yield from ((call, lambda one: _stage(one.name.text)) for call in statement.pipeline)
    if isinstance(statement, nodes.SimulateStatement) and statement.kind == "type-I":
        yield from ((call, _test) for call in statement.subjects)
    extra = (statement.clause,) if isinstance(statement, nodes.SetStatement) else ()
    for clause in (*extra, *statement.clauses):
        if isinstance(clause, nodes.By):
            yield from ((call, _test) for call in clause.tests)
        elif isinstance(clause, nodes.PreparedBy):
            yield from ((call, lambda one: _stage(one.name.text)) for call in clause.steps)
        elif isinstance(clause, nodes.Measuring):
            yield from ((call, _metric) for call in clause.metrics)
        elif (call := getattr(clause, "metric", None)) is not None:
            yield call, _metric


def _test(call: nodes.Call) -> str:
    found = None if is_t_test(call.name.text) else find_test(call.name.text)
    return found.name if found is not None else ""


def _metric(call: nodes.Call) -> str:
    name, options = canonical_metric(call.name.text) or ("", ())
    if not options:
        return name
    shown = ", ".join(
        f'{word} = "{value}"' if isinstance(value, str) else f"{word} = {value}" for word, value in options
    )
    return "" if call.arguments else f"{name}({shown})"
