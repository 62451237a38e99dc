"""JSON read piece by piece: a log of a gigabyte is never in memory as a whole."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Container, Iterator
from io import BufferedIOBase
from typing import Any, BinaryIO

from ...errors import DataError
from ..limits import LINE_BYTES, VALUE_CHARACTERS
from ..shown import shown

_BLOCK = 1 << 18
_SPACE = re.compile(r"[ \t\n\r]*")
# Everything up to the next bracket; strings, and brackets that hold at most one more level, are swallowed whole.
_PLAIN = r'[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+"'
_FLAT = rf"[\[{{](?:{_PLAIN})*+[\]}}]"
_NESTED = rf"[\[{{](?:{_PLAIN}|{_FLAT})*+[\]}}]"
_BRACKET = re.compile(rf"(?:{_PLAIN}|{_NESTED})*+([\[\]{{}}])?", re.DOTALL)
_AFTER = frozenset(" \t\n\r,:]}")
_SCALAR = re.compile(r"[^,\]}\s]+")


def lines(stream: BinaryIO | BufferedIOBase, where: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number and object of every line that is not blank (JSON Lines)."""
    number = 0
    while line := stream.readline(LINE_BYTES + 1):
        number += 1
        if len(line) > LINE_BYTES:
            raise DataError(
                f"line {number} of {shown(where)} is longer than {LINE_BYTES >> 20} MB", hint="is it JSON Lines?"
            )
        if line.strip():
            yield number, checked_object(loads(line, f"line {number} of {shown(where)}"), f"line {number} of {where}")


def loads(data: bytes | str, what: str) -> Any:
    """The value in some JSON; DataError when it is none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _broken(what, error) from None


def checked_object(value: Any, what: str) -> dict[str, Any]:
    """The value, when it is an object."""
    if not isinstance(value, dict):
        raise DataError(f"{what} holds no JSON object", hint="check what wrote the file")
    return value


class JsonStream:
    """An object read key by key; values nobody asked for are skipped, an array may be read element by element."""

    def __init__(self, stream: BinaryIO, where: str) -> None:
        self._stream = stream
        self._where = where
        self._decode = codecs.getincrementaldecoder("utf-8-sig")("strict")
        self._decoder = json.JSONDecoder()
        self._text = ""
        self._at = 0
        self._ended = False

    def members(self, wanted: Container[str], each: str | None = None) -> Iterator[tuple[str, Any]]:
        """Key and value of each wanted member; of the array `each`, one pair for every element."""
        self._expect("{")
        if self._peek() == "}":
            return
        while True:
            key = self._value()
            if not isinstance(key, str):
                raise self._wrong("a name is missing")
            self._expect(":")
            if key == each and self._peek() == "[":
                for element in self._elements():
                    yield key, element
            elif key in wanted or key == each:
                yield key, self._value()
            else:
                self._skip()
            if self._expect(",}") == "}":
                return

    def elements(self) -> Iterator[Any]:
        """Every element of a document that is one array."""
        yield from self._elements()

    def _elements(self) -> Iterator[Any]:
        self._expect("[")
        if self._peek() == "]":
            self._at += 1
            return
        while True:
            yield self._value()
            if self._expect(",]") == "]":
                return

    def _more(self) -> bool:
        """Read on; what is behind the place is given up."""
        if self._ended:
            return False
        try:
            block = self._stream.read(max(_BLOCK, len(self._text) - self._at))
            self._ended = not block
            fresh = self._decode.decode(block, final=self._ended)
        except UnicodeDecodeError as error:
            raise _broken(shown(self._where), error) from None
        self._text, self._at = self._text[self._at :] + fresh, 0
        if len(self._text) > VALUE_CHARACTERS:
            raise DataError(
                f"{shown(self._where)} holds a value of more than {VALUE_CHARACTERS >> 20} million characters",
                hint="leave out of the log what is so large",
            )
        return True

    def _peek(self) -> str:
        while True:
            self._at = _SPACE.match(self._text, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                raise self._wrong("it ends in the middle")

    def _expect(self, signs: str) -> str:
        sign = self._peek()
        if sign not in signs:
            raise self._wrong(f"{shown(sign)} stands where {' or '.join(signs)} belongs")
        self._at += 1
        return sign

    def _value(self) -> Any:
        self._peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
                if self._ended or self._text[end : end + 1] in _AFTER:  # a number may go on in the next block
                    self._at = end
                    return value
            except (ValueError, RecursionError) as error:
                if self._ended or isinstance(error, RecursionError):
                    raise _broken(shown(self._where), error) from None
            self._more()

    def _skip(self) -> None:
        """Go past a value without making anything of it."""
        if self._peek() not in "[{":
            if self._text[self._at] == '"':
                self._value()
                return
            while (found := _SCALAR.match(self._text, self._at)) and found.end() == len(self._text) and self._more():
                pass
            if found is None:
                raise self._wrong("a value is missing")
            self._at = found.end()
            return
        self._at, depth = self._at + 1, 1
        while True:
            past = _BRACKET.match(self._text, self._at)
            assert past is not None  # it matches nothing at all, too
            self._at, bracket = past.end(), past.group(1)
            if bracket is None:
                if not self._more():
                    raise self._wrong("it ends in the middle")
                continue
            depth += 1 if bracket in "[{" else -1
            if not depth:
                return

    def _wrong(self, what: str) -> DataError:
        return DataError(f"{shown(self._where)} is no JSON: {what}", hint="check what wrote the file")


def _broken(what: str, error: Exception) -> DataError:
    reason = "it is nested too deeply" if isinstance(error, RecursionError) else shown(str(error))
    return DataError(f"{what} is no JSON: {reason}", hint="check what wrote the file")
