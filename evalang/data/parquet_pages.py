"""The pages of a Parquet file, by their own headers: what the footer says about sizes need not be true.

A header is a Thrift struct in the compact protocol, of which only the numbers that say how much is unpacked are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

MOST_PAGES = 1_000_000
_WINDOWS = (1 << 12, 1 << 16, 1 << 24)  # a header holds a few bytes, or the smallest and largest of long texts
_STOP, _TRUE, _FALSE, _BYTE, _I64, _DOUBLE, _BINARY, _STRUCT = 0, 1, 2, 3, 6, 7, 8, 12
_DEEPEST = 8
_UNPACKED, _PACKED, _DATA_V1, _DATA_V2 = 2, 3, 5, 8  # fields of PageHeader
_ENCODING = {_DATA_V1: 2, _DATA_V2: 4}  # where each kind of page says how its values are written
DELTA_BYTE_ARRAY = 7  # each text names how much of the one before it keeps: a few bits can stand for a megabyte


@dataclass(frozen=True, slots=True)
class Page:
    """One page: bytes as stored, bytes unpacked, and how its values are written (-1: a dictionary)."""

    packed: int
    unpacked: int
    encoding: int


class Damaged(ValueError):
    """A header that is none."""


def pages(stream: BinaryIO, metadata: Any) -> Iterator[Page]:
    """Every page of every column; Damaged when a header is none or there are too many."""
    count = 0
    for group in range(metadata.num_row_groups):
        for number in range(metadata.num_columns):
            chunk = metadata.row_group(group).column(number)
            start = chunk.data_page_offset
            if chunk.has_dictionary_page and 0 < chunk.dictionary_page_offset < start:
                start = chunk.dictionary_page_offset
            end = start + chunk.total_compressed_size
            while start < end:
                page, size = _page(stream, start)
                start += size + page.packed
                count += 1
                if count > MOST_PAGES:
                    raise Damaged("too many pages")
                yield page


def _page(stream: BinaryIO, start: int) -> tuple[Page, int]:
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
        return Page(packed, unpacked, encoding if isinstance(encoding, int) else -1), end
    raise Damaged("a page has no header")


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
            raise Damaged("a number has no end")


def _struct(data: bytes, at: int, depth: int) -> tuple[dict[int, object], int]:
    if depth > _DEEPEST:
        raise Damaged("a header is nested too deep")
    fields: dict[int, object] = {}
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
        return None, at + size
    if kind == _STRUCT:
        return _struct(data, at, depth + 1)
    raise Damaged("a header holds a list")  # no field of a page's header does
