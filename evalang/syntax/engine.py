"""Lark's LALR parser, fed with our tokens and building nodes as it goes (no tree in between)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Transformer, UnexpectedToken

from ..source.span import Span
from .build import BUILD, Build
from .build_clauses import CLAUSES, SCHEMES
from .build_statements import STATEMENTS
from .lexer import Lexer, Token
from .tables import parser, words_in

SHORT = 20_000  # characters; looking for every word in a longer text costs more than loading all tables


def _callback(build: Build) -> Callable[[list[Any]], Any]:
    """What Lark calls when it has recognised a rule, with everything on its right side."""

    def node(c: list[Any]) -> Any:
        path, start, _ = c[0].span
        span = Span(path, start, c[-1].span[2])
        # Words without a meaning of their own are left out, unless there is nothing else (a column called `dataset`).
        kept = [child for child in c if child.__class__ is not Token or child.type[0] != "_"]
        return build(span, kept or c)

    return node


class Nodes(Transformer[Any, Any]):
    """The nodes by the name of their rule."""

    def __init__(self) -> None:
        super().__init__()
        for rule, build in {**BUILD, **SCHEMES, **CLAUSES, **STATEMENTS}.items():
            setattr(self, rule, _callback(build))


class Engine:
    """Parses one statement at a time; made for some words of the language only, or for all of them."""

    def __init__(self, words: frozenset[str] | None = None) -> None:
        self.words = words
        self.lark = parser(Nodes(), words)

    def statement(self, path: str, text: str, start: int, end: int) -> Any:
        """The statement at `text[start:end]`; raises Lark's UnexpectedToken, or Problem."""
        reading: Any = self.lark.parse_interactive()
        token = None
        try:
            for token in Lexer(path, text, start, end).tokens(reading.choices):
                reading.feed_token(token)
            return reading.feed_eof(token)
        except UnexpectedToken as error:
            error.interactive_parser = reading
            raise


_engines: list[Engine] = []  # of all words; at most one, as of the next
_partial: list[Engine] = []


def engine() -> Engine:
    """The one engine of this process that reads everything, made when first needed."""
    if not _engines:
        _engines.append(Engine())
    return _engines[0]


def engine_for(text: str) -> Engine:
    """An engine that reads `text` if it is without mistake; what a mistake means, only the whole one can tell."""
    if _engines or len(text) > SHORT:
        return engine()
    words = words_in(text)
    if not _partial:
        _partial.append(Engine(words))
    known = _partial[0]
    return known if known.words is not None and words <= known.words else engine()
