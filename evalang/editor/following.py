"""What may follow at a place of a statement, as the parser itself says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lark import Token

from ..language.clauses import STATEMENT_WORDS
from ..language.parser import pieces, read_unfinished
from ..language.tokens import Word, words

_UNFINISHED = re.compile(r"[\w.-]*\Z")
_STATEMENTS = frozenset(word.upper() for word in STATEMENT_WORDS)


@dataclass(frozen=True, slots=True)
class Following:
    """The terminals that fit at a place; `before` are the words of the statement up to it, `typed` the word begun."""

    accepted: frozenset[str]
    before: tuple[Word, ...]
    typed: str
    start: int  # where the word begun starts
    quoted: bool  # inside text in quotes
    statement: tuple[int, int]


def following(text: str, offset: int) -> Following | None:
    """What may stand at an offset; None inside a comment, or where what stands before cannot be read."""
    line = text.rfind("\n", 0, offset) + 1
    begin = max((start for start, _ in pieces(text) if start <= offset), default=offset)
    end = next((start for start, _ in pieces(text) if start > offset), len(text))
    before = list(words(text, begin, offset))
    if before and before[-1].comment and before[-1].end >= offset:
        return None
    quote = _open_quote(text, max(line, begin), offset)
    if quote is not None:
        start, typed = quote, text[quote + 1 : offset]
    else:
        found = _UNFINISHED.search(text, max(line, begin), offset)
        typed = found[0].lstrip(".-") if found else ""
        start = offset - len(typed)
    read = tuple(word for word in before if word.end <= start and not word.comment)
    accepted = _accepted(text, begin, start) if read else frozenset[str]()
    if quote is None and not text[line:start].strip():  # the first word of a line may begin a statement
        accepted |= _STATEMENTS
    return Following(accepted, read, typed, start, quote is not None, (begin, end))


def _open_quote(text: str, start: int, offset: int) -> int | None:
    """Where the quotes begin that are open at an offset."""
    opened: int | None = None
    for index in range(start, offset):
        if text[index] == '"':
            opened = index if opened is None else None
        elif text[index] == "#" and opened is None:
            return None
    return opened


def _accepted(text: str, start: int, end: int) -> frozenset[str]:
    cut = text[start:end]
    body = cut.rstrip()
    comma = body.endswith(",")
    stopped = read_unfinished(body[:-1] if comma else cut)
    if stopped is None:
        return frozenset()
    if not comma:
        return frozenset(stopped.accepts())
    # A comma goes on with the list or ends it: only the word after it could tell.
    found: set[str] = set()
    for kind in stopped.accepts() & {"COMMA", "CLAUSE_COMMA"}:
        again = stopped.copy()
        again.feed_token(Token(kind, ","))
        found |= again.accepts()
    return frozenset(found)
