"""A stretch of a script, by character offsets."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """Characters `start` to `end` (exclusive) of the file `path`; `path` is as the user wrote it."""

    path: str
    start: int
    end: int


class Position(NamedTuple):
    """A place for people: both numbers count from 1."""

    line: int
    column: int


NOWHERE = Span("", 0, 0)
