"""A statement as words with the white space of the canonical form between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..codec import field_names
from .lexer import WORDS, Lexer, expression
from .nodes import Name, Node

_COMMENT = re.compile(r"#[^\r\n]*")
_BARE = re.compile(r"[A-Za-z]\w*(?:[.-]\w+)*", re.ASCII)
_TIGHT_BEFORE = frozenset([",", ")", "]", "}", "(", "^", ".."])
_TIGHT_AFTER = frozenset(["(", "[", "{", "^", ".."])


@dataclass(frozen=True, slots=True)
class Word:
    """A token or a comment: `text` as it is printed, its place, and whether a comma there only parts two clauses."""

    text: str
    start: int
    end: int
    depth: int  # open brackets before it
    comment: bool = False
    parting: bool = False
    own_line: bool = False  # a comment with nothing before it on its line


def words(text: str, start: int, end: int) -> Iterator[Word]:
    """Tokens and comments of `text[start:end]`, in order."""
    match = expression(text.isascii()).match
    lexer = Lexer("", text, start, end)
    position, depth = start, 0
    while True:
        found = match(text, position, end)
        if found is None or found.lastindex is None:
            break
        begin, stop = found.span(found.lastindex)
        yield from comments(text, position, begin)
        token = text[begin:stop]
        yield Word(token, begin, stop, depth, parting=token == "," and depth == 0 and lexer.ends_list(stop))
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
        position = stop
    yield from comments(text, position, end)


def comments(text: str, start: int, end: int) -> Iterator[Word]:
    """The comments in a stretch without tokens."""
    for found in _COMMENT.finditer(text, start, end):
        line = max(text.rfind("\n", 0, found.start()), text.rfind("\r", 0, found.start())) + 1
        alone = not text[line : found.start()].strip("\ufeff \t\f\u00a0\u3000")
        yield Word(found[0].rstrip(), found.start(), found.end(), 0, comment=True, own_line=alone)


def space(before: str, after: str) -> str:
    """The white space between two tokens.

    >>> space("svm", "("), space("=", "3"), space("a", "vs")
    ('', ' ', ' ')
    """
    if after in _TIGHT_BEFORE or before in _TIGHT_AFTER or (after == "{" and before == "^"):
        return ""
    return " "


def needless_quotes(text: str, statement: Node) -> set[int]:
    """Where quoted names begin that could be written without their quotes."""
    found: set[int] = set()
    waiting: list[object] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(node)
        elif isinstance(node, Name):
            at = node.span.start
            if text.startswith('"', at) and _BARE.fullmatch(node.text) and node.text not in WORDS:
                found.add(at)
        elif isinstance(node, Node):
            waiting.extend(getattr(node, field) for field in field_names(type(node)) if field != "span")
    return found
