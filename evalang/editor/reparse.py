"""Parsing again after a key was pressed: statements whose words stayed the same are moved, not read.

A statement is read from its own words alone (language/parser.py cuts the text at statement words), so what was read
once holds wherever the same words stand; only the spans move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..codec import field_names, is_record
from ..language.nodes import Script, Statement
from ..language.parser import parse, pieces
from ..language.text import Finding, SourceText, Span

Read = tuple[tuple[Statement, ...], tuple[Finding, ...]]
_put = object.__setattr__


class Cancelled(Exception):
    """Nobody waits for the answer any more."""


class Parser:
    """Parses one file again and again; `check` is asked between statements and may raise Cancelled."""

    def __init__(self, check: Callable[[], None] = lambda: None) -> None:
        self.check = check
        self._known: dict[str, tuple[int, Read]] = {}
        self._last: tuple[SourceText, tuple[Script, tuple[Finding, ...]]] | None = None

    def parse(self, source: SourceText) -> tuple[Script, tuple[Finding, ...]]:
        """What language.parser.parse gives."""
        if self._last is not None and self._last[0] is source:
            return self._last[1]
        statements: list[Statement] = []
        findings: list[Finding] = []
        known: dict[str, tuple[int, Read]] = {}
        for start, end in pieces(source.text):
            words = source.text[start:end]
            read = self._piece(source.path, words, start)
            known[words] = (start, read)
            statements += read[0]
            findings += read[1]
        self._known = known
        found = Script(tuple(statements), span=Span(source.path, 0, len(source.text))), tuple(findings)
        self._last = (source, found)
        return found

    def _piece(self, path: str, words: str, start: int) -> Read:
        before = self._known.get(words)
        if before is None:
            self.check()
            script, findings = parse(SourceText(path, words))
            before = 0, (script.statements, findings)
        moved = start - before[0]
        return before[1] if not moved else (_moved(before[1][0], moved), _moved(before[1][1], moved))


def _moved(value: Any, by: int) -> Any:
    """The same value with every span moved."""
    kind = value.__class__
    if kind is Span:
        return Span(value[0], value[1] + by, value[2] + by)
    if kind is tuple:
        return tuple([_moved(item, by) for item in value])
    if is_record(value):
        new = kind.__new__(kind)
        for name in field_names(kind):
            inner = getattr(value, name)
            _put(new, name, inner if inner.__class__ in _PLAIN else _moved(inner, by))
        return new
    return value


_PLAIN = frozenset([str, int, float, bool, type(None)])
