"""Lark's LALR parser, loaded from the tables and building nodes as it goes (no tree in between)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..source.span import Span
from . import tables
from .build import BUILD, Build
from .build_clauses import CLAUSES, SCHEMES
from .build_statements import STATEMENTS
from .lexer import Lexer
from .light_lark import IntParseTable, LalrParser, NonTerminal, Reduce, Shift

_BUILD: dict[str, Build] = {**BUILD, **SCHEMES, **CLAUSES, **STATEMENTS}


class Production:
    """A rule as Lark's parser reads it: what it reduces to, and from how many symbols."""

    __slots__ = ("expansion", "origin")

    def __init__(self, origin: NonTerminal, expansion: tuple[str, ...]) -> None:
        self.origin = origin
        self.expansion = expansion


class Rows(dict[int, dict[str, tuple[Any, Any]]]):
    """The action table; a state's row is decoded when the parser first comes there."""

    def __init__(self, productions: list[Production]) -> None:
        super().__init__()
        self.productions = productions

    def __missing__(self, state: int) -> dict[str, tuple[Any, Any]]:
        cells = tables.ROWS[state].split()
        row: dict[str, tuple[Any, Any]] = {}
        for token, code in zip(cells[::2], map(int, cells[1::2]), strict=True):
            row[token] = (Shift, code) if code >= 0 else (Reduce, self.productions[~code])
        self[state] = row
        return row


def _callback(origin: str, kept: list[int], whole: bool) -> Callable[[list[Any]], Any]:
    """What the parser calls when it has recognised a rule, with everything on its right side."""
    build = _BUILD.get(origin)
    if build is None:
        return _gather(kept) if origin.startswith("_") else lambda c: c[0]

    def node(c: list[Any]) -> Any:
        first, last = c[0], c[-1]
        if first.__class__ is list:
            first = first[0]
        if last.__class__ is list:
            last = last[-1]
        path, start, _ = first.span
        span = Span(path, start, last.span[2])
        if whole:
            return build(span, c)
        children: list[Any] = []
        for index in kept:
            child = c[index]
            if child.__class__ is list:
                children += child
            else:
                children.append(child)
        return build(span, children)

    return node


def _gather(kept: list[int]) -> Callable[[list[Any]], list[Any]]:
    """A rule without a node of its own gives the list of its children; repetition grows the list in place."""

    def gather(c: list[Any]) -> list[Any]:
        first = c[0]
        out = first if first.__class__ is list and kept and kept[0] == 0 else None
        rest = kept if out is None else kept[1:]
        children: list[Any] = [] if out is None else out
        for index in rest:
            child = c[index]
            if child.__class__ is list:
                children += child
            else:
                children.append(child)
        return children

    return gather


class Engine:
    """Parses one statement at a time."""

    def __init__(self) -> None:
        symbols: dict[str, NonTerminal] = {}
        productions: list[Production] = []
        callbacks: dict[Any, Callable[[list[Any]], Any]] = {}
        for line in tables.PRODUCTIONS:
            origin, _, right = line.partition(": ")
            marked = right.split(" ")
            production = Production(symbols.setdefault(origin, NonTerminal(origin)), tuple(marked))
            kept = [index for index, symbol in enumerate(marked) if symbol[0] != "-"]
            # An inlined rule comes as a list, which has to be spread out.
            whole = len(kept) == len(marked) and not any(symbol[0] == "_" and symbol.islower() for symbol in marked)
            callbacks[production] = _callback(origin, kept, whole)
            productions.append(production)
        table: Any = IntParseTable(Rows(productions), {"statement": 0}, {"statement": tables.END})  # type: ignore[no-untyped-call]
        self._parser = LalrParser(table, callbacks)

    def statement(self, path: str, text: str, start: int, end: int) -> Any:
        """The statement at `text[start:end]`; raises lark's UnexpectedToken, or Problem."""
        lexer: Any = Lexer(path, text, start, end)
        return self._parser.parse(lexer, "statement")


_engines: list[Engine] = []


def engine() -> Engine:
    """The one engine of this process, made when first needed."""
    if not _engines:
        _engines.append(Engine())
    return _engines[0]
