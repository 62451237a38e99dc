"""The clauses of a statement, looked up by kind, and what they ask for, each with where it came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar, cast

from ..language import nodes
from ..language.nodes import ROWS
from ..language.text import Span
from .model import Allowance, Given, Metric, Origin
from .values import (
    LARGEST_COUNT,
    LARGEST_SEED,
    PlanErrors,
    read_level,
    read_literal,
    read_metric,
    read_part,
    read_whole,
)

C = TypeVar("C", bound=nodes.Clause)
R = TypeVar("R")
T = TypeVar("T")
SetClauses = Mapping[type[nodes.Clause], nodes.Clause]

# The word under which a rule finds the place of a clause (`comparison.span_of("cases")`) that begins with another.
_OTHER_WORDS = {
    "alpha": "at", "all": "pairs", "complete": "cases", "missing": "cases", "without": "retraining",
    **dict.fromkeys(ROWS[nodes.Correct].begins.split(" | "), "correct"),
}  # fmt: skip


def _word(first: str) -> str:
    return _OTHER_WORDS.get(first, first)


class Clauses:
    """The clauses of a statement by kind, and those that `set` gives above it in its file for all statements."""

    __slots__ = ("_every", "_first", "_set", "unread")

    def __init__(self, clauses: tuple[nodes.Clause, ...], by_set: SetClauses | None = None) -> None:
        self._every = clauses
        self._first: dict[type[nodes.Clause], nodes.Clause] = {}
        for one in clauses:
            self._first.setdefault(type(one), one)
        self._set = by_set or {}
        self.unread = tuple([(_word(one.word), one.span) for one in clauses if type(one) is nodes.Unread])

    def __contains__(self, kind: type[nodes.Clause]) -> bool:
        return kind in self._first

    def get(self, kind: type[C]) -> C | None:
        """Return the clause of a kind as written in the statement."""
        clause = self._first.get(kind)
        return clause if isinstance(clause, kind) else None

    def every(self, kind: type[C]) -> list[C]:
        """Return all clauses of a kind, for those that may stand more than once."""
        return [one for one in self._every if isinstance(one, kind)]

    def get_or_set(self, kind: type[C]) -> tuple[C | None, Origin]:
        """Return the clause as written, else as `set`, with where it came from."""
        clause = self.get(kind)
        if clause is not None:
            return clause, "written"
        by_set = self._set.get(kind)
        return (by_set, "set") if isinstance(by_set, kind) else (None, "default")

    @property
    def spans(self) -> tuple[tuple[str, Span], ...]:
        """Where the clauses stand, by their words."""
        rows = [(ROWS[kind], one.span) for kind, one in self._first.items() if kind in ROWS]
        once = [(_word(row.begins.split()[0]), span) for row, span in rows if not row.repeatable]
        return (*once, *self.unread)

    @property
    def because(self) -> str | None:
        """The author's reason for a statement; three dots where something could not be read that may have been it."""
        clause = self.get(nodes.Because)
        return clause.reason.value if clause else "…" if self.unread else None

    def allowances(self, errors: PlanErrors, everywhere: bool = False) -> tuple[Allowance, ...]:
        """Return what `allow CODE because "..."` allows; without a reason it is EV006 and allows nothing."""
        allowed = []
        for one in self.every(nodes.Allow):
            code = one.code.text
            if one.reason is None or not one.reason.value.strip():
                errors.invalid(one.span, f"`allow {code}` gives no reason", f'write `allow {code} because "…"`')
            else:
                allowed.append(Allowance(code=code, reason=one.reason.value, everywhere=everywhere, span=one.span))
        return tuple(allowed)


# The clause of a field, and how it is read: by its own field of that name ("" for a clause without values), or so.
FieldReader = tuple[type[nodes.Clause], str | Callable[[Any, PlanErrors], Any]]
DefinitionStatement = (
    nodes.DatasetStatement
    | nodes.SuiteStatement
    | nodes.LearnerStatement
    | nodes.ResultsStatement
    | nodes.PredictionsStatement
)


def read_fields(clauses: Clauses, readers: Mapping[str, FieldReader], errors: PlanErrors) -> dict[str, Any]:
    """Return the fields whose clauses are written."""
    found: dict[str, Any] = {}
    for name, (kind, read) in readers.items():
        clause = clauses.get(kind)
        if clause is None:
            continue
        if isinstance(read, str):
            found[name] = not read or plain_value(getattr(clause, read))
        else:
            found[name] = read(clause, errors)
    return found


def plain_value(value: Any) -> Any:
    """Return what a node of a value, a name or a text stands for; of a tuple, of each."""
    if type(value) is tuple:  # no span, which is a NamedTuple
        return tuple(map(plain_value, value))
    return read_literal(cast(nodes.Value, value)) if isinstance(value, nodes.Node) else value


def record_of(kind: Callable[..., R], node: nodes.Node) -> R:
    """Return the record with the values of the node's fields of the same names."""
    return kind(**{field.name: plain_value(getattr(node, field.name)) for field in fields(cast(Any, kind))})


def read_count(what: str, low: int = 1, high: int = LARGEST_COUNT) -> Callable[[nodes.CountClause, PlanErrors], Any]:
    """Return the reader of a clause that counts."""
    return lambda clause, errors: read_whole(clause.count, what, low, errors, high)


def read_definition(
    record: type, statement: DefinitionStatement, readers: Mapping[str, FieldReader], included: bool, errors: PlanErrors
) -> dict[str, Any]:
    """Return the fields of a record that the clauses of its definition fill, and those that every definition has."""
    clauses = Clauses(statement.clauses)
    own = {field.name for field in fields(record)}
    return {
        **read_fields(clauses, {name: reader for name, reader in readers.items() if name in own}, errors),
        "name": statement.name.text,
        "because": clauses.because,
        "included": included,
        "allow": clauses.allowances(errors),
        "span": statement.span,
    }


def read_part_clause(
    clause: nodes.PartClause | nodes.TuneOn | nodes.ThresholdOn,
    record: Callable[..., R],
    words: str,
    elsewhere: str,
    errors: PlanErrors,
    **others: Any,
) -> R | None:
    """Return the record of what is chosen on a part of the rows, or `elsewhere` if the clause names no part."""
    if clause.part is None:
        return record(where=elsewhere, span=clause.span, **others)
    part = read_part(clause.part, words, errors)
    return record(where="part", part=part, span=clause.span, **others) if part else None


def read_one_metric(clauses: Clauses, message: str, help: str, errors: PlanErrors) -> Metric | None:
    """Return the metric of a statement that takes only one."""
    measuring = clauses.get(nodes.Measuring)
    if measuring is None:
        return None
    if len(measuring.metrics) > 1:
        errors.invalid(measuring.span, message, help)
    return read_metric(measuring.metrics[0], errors)


ALPHA = 0.05


def given_of(clauses: Clauses, kind: type[C], read: Callable[[C], T | None]) -> Given[T] | None:
    """Return the value of a clause that is written or set."""
    clause, origin = clauses.get_or_set(kind)
    value = read(clause) if clause else None
    return Given(value, origin, "", clause.span) if clause and value is not None else None


def alpha_of(clauses: Clauses, errors: PlanErrors) -> Given[float]:
    """Return the significance level."""
    written = given_of(clauses, nodes.At, lambda at: read_level(at.alpha, errors))
    return written or Given(ALPHA, "default", "the usual level")


def seed_of(clauses: Clauses, errors: PlanErrors) -> Given[int] | None:
    """Return the seed, if one is written or set."""
    return given_of(clauses, nodes.Seed, lambda seed: read_whole(seed.value, "a seed", 0, errors, LARGEST_SEED))
