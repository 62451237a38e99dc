"""From Lark's error to a sentence: what was found, what was expected, what was probably meant."""

from __future__ import annotations

import re

from ..source.finding import Edit, Fix
from ..source.nearest import nearest
from ..source.span import Span
from .build import Problem
from .expected import WORD_OF, expected, words
from .lexer import DEEPEST, STATEMENTS, Token, expression
from .light_lark import UnexpectedToken
from .mistakes import frequent
from .place import Place
from .tables import WORDS

_CHUNK = re.compile(r"[\w.%/×*–−-]+")
_WIDE = ("UNKNOWN", "INT", "DECIMAL", "NAME", "FRACTION", "CV", "RXKCV", "FIVE_BY_TWO")


def diagnose(path: str, text: str, start: int, end: int, error: UnexpectedToken) -> Problem:
    """The problem at the token Lark stopped at, in the statement `text[start:end]`."""
    token = error.token
    accepted: set[str] = set(error.interactive_parser.accepts())  # type: ignore[union-attr,no-untyped-call]
    stop = end if token.type == "$END" else token.start_pos
    before = _last_token(path, text, start, end if stop is None else stop)
    if token.type == "$END":
        at = start if before is None else before.span.end
        span = Span(path, at, at)
    else:
        span = token.span  # type: ignore[attr-defined]
        chunk = _CHUNK.match(text, span.start, end) if token.type in _WIDE else None
        if chunk:
            span = Span(path, span.start, chunk.end())
    found = text[span.start : span.end]
    first = _CHUNK.match(text, start, end)
    place = Place(text, span, found, token.type, before, frozenset(accepted), first[0] if first else "", end)
    if token.type == "TOO_DEEP":
        return Problem(span, f"more than {DEEPEST} brackets are open here", "close some of them first")
    return frequent(place) or _general(place)


def _general(place: Place) -> Problem:
    wanted = expected(place.accepted, place.before)
    if place.kind == "$END":
        after = f" after `{_short(place.before.text)}`" if place.before else ""
        return Problem(place.span, f"the statement ends too early: expected {wanted}{after}", _more(place))
    message = f"`{_short(place.found)}` does not fit here: expected {wanted}"
    meant = nearest(place.found, words(place.accepted)) if place.found[:1].isalpha() else None
    if meant is not None and meant != place.found:
        fix = Fix(f"write `{meant}`", (Edit(place.span, meant),), safe=False)
        return Problem(place.span, message, f"did you mean `{meant}`?", fix, meant)
    return Problem(place.span, message, _more(place))


def _more(place: Place) -> str:
    if place.statement not in STATEMENTS:
        return "a statement begins on a new line with its statement word, a comment with `#`"
    only = [WORD_OF[terminal] for terminal in place.accepted if terminal in WORD_OF]
    if len(only) == 1 and len(place.accepted) == 1:
        return f"write `{only[0]}` here"
    if place.kind in ("NAME", "STRING") and "_COMMA" in place.accepted:
        return "between the members of a list stands a comma"
    return f"`evalang explain {place.statement}` shows how it is written"


def _short(word: str) -> str:
    return word if len(word) <= 60 else word[:57] + "..."


def _last_token(path: str, text: str, start: int, stop: int) -> Token | None:
    """The token that ends last before `stop`, read again from the text."""
    match = expression(text.isascii()).match
    position, last = start, None
    while True:
        found = match(text, position, stop)
        if found is None or found.lastindex is None:
            return last
        begin, position = found.span(found.lastindex)
        word = text[begin:position]
        last = Token(WORDS.get(word, "VALUE"), word, Span(path, begin, position))
