"""From offsets in a text to an editor's lines and characters, and back."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Literal, NamedTuple

Units = Literal["utf-8", "utf-16", "utf-32"]
_END = re.compile(r"\r\n|\n|\r")


class EditorPosition(NamedTuple):
    """A place for editors: both numbers count from 0, `character` in the units that the editor counts in."""

    line: int
    character: int


class Lines:
    """One text; a place behind the end of a line or of the text is taken for that end."""

    __slots__ = ("ascii", "starts", "text", "units")

    def __init__(self, text: str, units: Units = "utf-16") -> None:
        self.text = text
        self.units = units
        self.ascii = text.isascii()
        self.starts = [0, *(found.end() for found in _END.finditer(text))]

    def at(self, offset: int) -> EditorPosition:
        """The place of an offset.

        >>> Lines("ab\\n😀c").at(4)
        At(line=1, character=2)
        """
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, offset) - 1
        start = self.starts[line]
        if self.ascii:
            return EditorPosition(line, offset - start)
        return EditorPosition(line, _count(self.text[start:offset], self.units))

    def offset(self, line: int, character: int) -> int:
        """The offset of a place.

        >>> Lines("ab\\n😀c").offset(1, 2)
        4
        """
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        start = self.starts[line]
        stop = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        body = self.text[start:stop].rstrip("\r\n")
        if self.ascii or self.units == "utf-32" or body.isascii():
            return start + min(max(character, 0), len(body))
        seen = 0
        for index, letter in enumerate(body):
            if seen >= character:
                return start + index
            seen += _count(letter, self.units)
        return start + len(body)


def _count(text: str, units: Units) -> int:
    if units == "utf-32" or text.isascii():
        return len(text)
    if units == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(letter > "\uffff" for letter in text)
