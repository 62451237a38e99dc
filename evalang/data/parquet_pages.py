"""The pages of a Parquet file, by their own headers: what the footer says about sizes need not be true.

A header is a Thrift struct in the compact protocol, of which only the numbers that say how much is unpacked are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

MOST_PAGES = 1_000_000
_WINDOWS = (1 << 12, 1 << 16, 1 << 24)  # a header holds a few bytes, or the smallest and largest of long texts
_STOP, _TRUE, _FALSE, _BYTE, _I64, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 0, 1, 2, 3, 6, 7, 8, 9, 10, 12
_DEEPEST = 16
_UNPACKED, _PACKED, _DATA_V1, _DATA_V2 = 2, 3, 5, 8  # fields of PageHeader
_GROUPS, _COLUMNS, _ABOUT, _SIZE, _DATA, _DICTIONARY = 4, 1, 3, 7, 9, 11  # fields of the footer
_ENCODING = {_DATA_V1: 2, _DATA_V2: 4}  # where each kind of page says how its values are written
DELTA_BYTE_ARRAY = 7  # each text names how much of the one before it keeps: a few bits can stand for a megabyte


@dataclass(frozen=True, slots=True)
class ParquetPage:
    """One page: bytes as stored, bytes unpacked, and how its values are written (-1: a dictionary)."""

    packed: int
    unpacked: int
    encoding: int


class BadHeader(ValueError):
    """A header that is none."""


def pages(stream: BinaryIO) -> Iterator[ParquetPage]:
    """Every page of every column; Damaged when a header is none or there are too many.

    The footer is read here too: pyarrow's own view of a column ends the whole process when its numbers disagree.
    """
    count = 0
    for start, end in _chunks(stream):
        while start < end:
            page, size = _page(stream, start)
            start += size + page.packed
            count += 1
            if count > MOST_PAGES:
                raise BadHeader("too many pages")
            yield page


def _chunks(stream: BinaryIO) -> Iterator[tuple[int, int]]:
    """Where the pages of each column of each group of rows begin and end, by the footer."""
    end = stream.seek(-8, 2)
    size = int.from_bytes(stream.read(4), "little")
    if size > end:
        raise BadHeader("the footer is longer than the file")
    stream.seek(end - size)
    try:
        footer, _ = _struct(stream.read(size), 0, 0)
    except IndexError:
        raise BadHeader("the footer is cut short") from None
    for group in _list(footer.get(_GROUPS)):
        for column in _list(group.get(_COLUMNS)):
            about: Any = column.get(_ABOUT)
            if not isinstance(about, dict) or not (_natural(about.get(_SIZE)) and _natural(about.get(_DATA))):
                raise BadHeader("a column does not say where it is")
            start, words = about[_DATA], about.get(_DICTIONARY, 0)
            if isinstance(words, int) and 0 < words < start:
                start = words
            yield start, start + about[_SIZE]


def _natural(value: object) -> bool:
    return isinstance(value, int) and value >= 0


def _list(value: object) -> list[dict[int, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _page(stream: BinaryIO, start: int) -> tuple[ParquetPage, int]:
    for window in _WINDOWS:
        stream.seek(start)
        data = stream.read(window)
        try:
            fields, end = _struct(data, 0, 0)
        except IndexError:
            if len(data) < window:
                break
            continue
        packed, unpacked = fields.get(_PACKED), fields.get(_UNPACKED)
        if not isinstance(packed, int) or not isinstance(unpacked, int) or packed < 0 or unpacked < 0:
            break
        kind = next((k for k in _ENCODING if k in fields), 0)
        inner = fields.get(kind)
        encoding = inner.get(_ENCODING[kind], -1) if isinstance(inner, dict) else -1
        return ParquetPage(packed, unpacked, encoding if isinstance(encoding, int) else -1), end
    raise BadHeader("a page has no header")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise BadHeader("a number has no end")


def _struct(data: bytes, at: int, depth: int) -> tuple[dict[int, Any], int]:
    if depth > _DEEPEST:
        raise BadHeader("a header is nested too deep")
    fields: dict[int, Any] = {}
    field = 0
    while True:
        head = data[at]
        at += 1
        kind = head & 0x0F
        if kind == _STOP:
            return fields, at
        if head >> 4:
            field += head >> 4
        else:
            zigzag, at = _varint(data, at)
            field = (zigzag >> 1) ^ -(zigzag & 1)
        fields[field], at = _value(data, at, kind, depth)


def _value(data: bytes, at: int, kind: int, depth: int) -> tuple[object, int]:
    if kind in (_TRUE, _FALSE):
        return kind == _TRUE, at
    if kind == _BYTE:
        return data[at], at + 1
    if kind <= _I64:
        zigzag, at = _varint(data, at)
        return (zigzag >> 1) ^ -(zigzag & 1), at
    if kind == _DOUBLE:
        return None, at + 8
    if kind == _BINARY:
        size, at = _varint(data, at)
        if at + size > len(data):
            raise IndexError
        return None, at + size
    if kind == _STRUCT:
        return _struct(data, at, depth + 1)
    if kind in (_LIST, _SET):
        return _items(data, at, depth + 1)
    raise BadHeader("a header holds what none holds")


def _items(data: bytes, at: int, depth: int) -> tuple[object, int]:
    head = data[at]
    at += 1
    size = head >> 4
    if size == 15:
        size, at = _varint(data, at)
    kind = head & 0x0F
    items = []
    for _ in range(min(size, len(data))):
        # In a list a truth value has a byte of its own.
        value, at = _value(data, at, _BYTE if kind in (_TRUE, _FALSE) else kind, depth)
        items.append(value)
    return items, at
