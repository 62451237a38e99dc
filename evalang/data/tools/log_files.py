"""The files behind a locator: a file, every log of a folder, `samples_*.jsonl`, `{a,b}.eval`."""

from __future__ import annotations

import codecs
import fnmatch
import hashlib
import io
import json
import os
import re
from collections.abc import Container, Iterator
from dataclasses import replace
from io import BufferedIOBase
from pathlib import Path
from typing import Any, BinaryIO

from ...errors import DataError
from ..access import Access, resolve
from ..files import opened
from ..limits import LINE_BYTES, LOG_FILES, VALUE_CHARACTERS
from ..quoting import quoted

_BLOCK = 1 << 20
_SIGNS = "*?["
_BRACES = re.compile(r"([^{}]*)\{([^{}]+)\}([^{}]*)")  # logs/{a,b}.eval, as a shell writes several names


def found_files(locator: str, access: Access, *patterns: str) -> tuple[str, ...]:
    """Locators in the order of their names: the file itself, or what in the folder goes by one of the patterns.

    Links that lead out of the folder are refused when the file is opened, like any other path of a script.
    """
    several = _BRACES.fullmatch(locator)
    if several and not _exists(locator, access):
        parts = [f"{several[1]}{part.strip()}{several[3]}" for part in several[2].split(",")]
        return tuple(dict.fromkeys(name for part in parts for name in found_files(part, access, *patterns)))
    wanted: tuple[str, ...]
    folder, _, last = locator.rstrip("/").rpartition("/")
    if any(sign in last for sign in _SIGNS) and not _exists(locator, access):
        place, wanted, deep = folder or ".", (last,), False
    else:
        if any(sign in folder for sign in _SIGNS) and not _exists(locator, access):
            hint = "only the name of the file may have `*`"
            raise DataError(f"{quoted(locator)} has a pattern in the name of a folder", hint=hint)
        if not resolve(locator, access).is_dir():
            return (locator,)
        place, wanted, deep = locator.rstrip("/"), patterns, True
    names = _below(resolve(place, access), wanted, deep)
    if not names:
        raise DataError(f"{quoted(place)} holds no file {' or '.join(wanted)}", hint="check the name of the folder")
    return tuple(name if place == "." else f"{place}/{name}" for name in names)


def beside(locator: str, name: str) -> str:
    """The locator of another file in the same folder."""
    folder, slash, _ = locator.rpartition("/")
    return f"{folder}{slash}{name}"


def there(locator: str, access: Access) -> bool:
    """Whether there is such a file; one that leads out of the folder is not there."""
    return _exists(locator, access) and resolve(locator, access).is_file()


def sha256_of(locator: str, access: Access, *, expects: str = "") -> str:
    """The SHA-256 of a file's content, unpacked when it is packed."""
    digest = hashlib.sha256()
    with opened(locator, replace(access, reading=None), expects=expects) as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


class Hashed(io.BufferedIOBase):
    """A stream that is hashed while it is read, so that a large file is read once; `hexdigest` reads what is left."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        block = self._stream.read(-1 if size is None else size)
        self._digest.update(block)
        return block

    def readline(self, size: int | None = -1) -> bytes:
        line = self._stream.readline(-1 if size is None else size)
        self._digest.update(line)
        return line

    def hexdigest(self) -> str:
        while self.read(_BLOCK):
            pass
        return self._digest.hexdigest()


def _exists(locator: str, access: Access) -> bool:
    try:
        resolve(locator, access)
    except DataError:
        return False
    return True


def _below(folder: Path, patterns: tuple[str, ...], deep: bool) -> list[str]:
    found: list[str] = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if deep and not f.startswith("."))
        inside = os.path.relpath(place, folder)
        for name in files:
            if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
                found.append(name if inside == "." else f"{Path(inside).as_posix()}/{name}")
            if len(found) > LOG_FILES:
                raise DataError(f"{quoted(folder.name)} holds more than {LOG_FILES} logs", hint="name some of them")
    return sorted(found)


_BLOCK_JSON_STREAM = 1 << 18
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
                f"line {number} of {quoted(where)} is longer than {LINE_BYTES >> 20} MB", hint="is it JSON Lines?"
            )
        if line.strip():
            yield number, checked_object(loads(line, f"line {number} of {quoted(where)}"), f"line {number} of {where}")


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
            block = self._stream.read(max(_BLOCK_JSON_STREAM, len(self._text) - self._at))
            self._ended = not block
            fresh = self._decode.decode(block, final=self._ended)
        except UnicodeDecodeError as error:
            raise _broken(quoted(self._where), error) from None
        self._text, self._at = self._text[self._at :] + fresh, 0
        if len(self._text) > VALUE_CHARACTERS:
            raise DataError(
                f"{quoted(self._where)} holds a value of more than {VALUE_CHARACTERS >> 20} million characters",
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
            raise self._wrong(f"{quoted(sign)} stands where {' or '.join(signs)} belongs")
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
                    raise _broken(quoted(self._where), error) from None
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
        return DataError(f"{quoted(self._where)} is no JSON: {what}", hint="check what wrote the file")


def _broken(what: str, error: Exception) -> DataError:
    reason = "it is nested too deeply" if isinstance(error, RecursionError) else quoted(str(error))
    return DataError(f"{what} is no JSON: {reason}", hint="check what wrote the file")
