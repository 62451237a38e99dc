"""A script's text, and the way from offsets to lines and columns."""

from __future__ import annotations

from bisect import bisect_right

from .span import Position, Span


def _line_starts(text: str) -> tuple[int, ...]:
    starts = [0]
    found = text.find("\n")
    while found != -1:
        starts.append(found + 1)
        found = text.find("\n", found + 1)
    return tuple(starts)


class Source:
    """One file: its path as the user named it and its text after decoding."""

    __slots__ = ("path", "starts", "text")

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.starts = _line_starts(text)

    def position(self, offset: int) -> Position:
        """Line and column of an offset, both from 1.

        >>> Source("a.eval", "ab\\ncd").position(4)
        Position(line=2, column=2)
        """
        line = bisect_right(self.starts, offset)
        return Position(line, offset - self.starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """The text of a line without its end."""
        start = self.starts[number - 1]
        end = self.starts[number] - 1 if number < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r")

    def cut(self, span: Span) -> str:
        """The words a span stands on."""
        return self.text[span.start : span.end]
