"""The place of a syntax error, as the table of mistakes sees it."""

from __future__ import annotations

from dataclasses import dataclass

from .lexer import Token
from .text import Edit, Fix, Span


@dataclass(frozen=True, slots=True)
class ErrorPlace:
    """Where the parser stopped: the text, what was found, the token before, what would have been accepted."""

    text: str
    span: Span
    found: str
    kind: str  # type of the token found; "$END" at the end of the statement, "UNKNOWN" for no token at all
    before: Token | None
    accepted: frozenset[str]
    statement: str  # the first word of the piece
    end: int


def replaced(place: ErrorPlace, new: str, span: Span | None = None, safe: bool = False) -> Fix:
    """The repair that writes something else at the place."""
    title = f"write `{new.strip()}`" if new.strip() else "take it away"
    return Fix(title, (Edit(span or place.span, new),), safe)
