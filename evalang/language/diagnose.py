"""From a token that does not fit to a sentence: what was found, what was expected, what was probably meant."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from .build_nodes import Problem
from .expected import WORD_OF, expected, words
from .lexer import CLAUSE_WORDS, DEEPEST, KINDS, STATEMENT_WORDS, WORDS, Token, expression
from .mistaken_signs import comma_at_end
from .mistaken_words import SYNONYMS
from .mistakes import frequent
from .nearest import nearest
from .place import ErrorPlace
from .text import Edit, Fix, Span

if TYPE_CHECKING:
    from .parser import Unexpected

_CHUNK = re.compile(r"[\w.%/×*–−-]+")
_WIDE = ("UNKNOWN", "INT", "DECIMAL", "NAME", "FRACTION", "CV", "RXKCV", "FIVE_BY_TWO")


def diagnose(path: str, text: str, start: int, end: int, error: Unexpected) -> Problem:
    """The problem at the token where reading stopped, in the statement `text[start:end]`."""
    token = error.token
    accepted = error.automaton.accepts()
    stop = end if token.type == "$END" else token.span.start
    read = _tokens(path, text, start, stop)
    if token.type == "TOO_DEEP":
        return Problem(token.span, f"more than {DEEPEST} brackets are open here", "close some of them first")
    if token.type == "_COMMA" and "CLAUSE_COMMA" in accepted:
        # No list stands here, so the comma is right and the word after it is no clause word.
        following = _tokens(path, text, token.span.end, end, 1)
        if not following:
            return comma_at_end(token.span)
        error.automaton.feed(Token("CLAUSE_COMMA", ",", token.span))
        read, token, accepted = [*read, token], following[0], error.automaton.accepts()
    elif len(read) > 1 and (meant := _misspelt_member(read, accepted)):
        return _misspelt(read[-1], meant)
    before = read[-1] if read else None
    if token.type == "$END":
        at = start if before is None else before.span.end
        span = Span(path, at, at)
    else:
        span = token.span
        chunk = _CHUNK.match(text, span.start, end) if token.type in _WIDE else None
        if chunk:
            span = Span(path, span.start, chunk.end())
    found = text[span.start : span.end]
    first = _CHUNK.match(text, start, end)
    place = ErrorPlace(text, span, found, token.type, before, frozenset(accepted), first[0] if first else "", end)
    return frequent(place) or _general(place)


def _misspelt_member(read: list[Token], accepted: set[str]) -> str | None:
    """`on d, usng 10cv`: the last member of the list was meant to be a clause word."""
    comma, last = read[-2:]
    if comma.text != "," or last.type != "NAME" or len(last.text) < 3 or "$END" not in accepted:
        return None
    fitting = [word for word in words(accepted) if word in CLAUSE_WORDS]
    other = SYNONYMS.get(last.text.lower())
    return other if other in fitting else nearest(last.text, fitting)


def _misspelt(token: Token, meant: str) -> Problem:
    fix = Fix(f"write `{meant}`", (Edit(token.span, meant),), safe=False)
    message = f"`{token.text}` does not fit here: after the comma the list goes on, or a clause begins"
    return Problem(token.span, message, f"did you mean `{meant}`?", fix, meant)


def _general(place: ErrorPlace) -> Problem:
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


def _more(place: ErrorPlace) -> str:
    if place.statement not in STATEMENT_WORDS:
        return "a statement begins on a new line with its statement word, a comment with `#`"
    only = [WORD_OF[terminal] for terminal in place.accepted if terminal in WORD_OF]
    if len(only) == 1 and len(place.accepted) == 1:
        return f"write `{only[0]}` here"
    if place.kind in ("NAME", "STRING") and "_COMMA" in place.accepted:
        return "between the members of a list stands a comma"
    return f"`evalang explain {place.statement}` shows how it is written"


def _short(word: str) -> str:
    return word if len(word) <= 60 else word[:57] + "..."


def _tokens(path: str, text: str, start: int, stop: int, most: int = 0) -> list[Token]:
    """The last two tokens before `stop` (or the first few), read again from the text."""
    match = expression(text.isascii()).match
    position, read = start, deque[Token](maxlen=most or 2)
    while True:
        found = match(text, position, stop)
        if found is None or found.lastindex is None or (most and len(read) == most):
            return list(read)
        begin, position = found.span(found.lastindex)
        word = text[begin:position]
        kind = WORDS.get(word, KINDS[found.lastindex])
        read.append(Token(kind, word, Span(path, begin, position)))
