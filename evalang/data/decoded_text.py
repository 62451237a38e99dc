"""Text from a stream of bytes: whole, within the limits, and in a known encoding."""

from __future__ import annotations

import codecs
from typing import BinaryIO

from ..errors import DataError
from .limits import FILE_BYTES, LINE_BYTES, ROWS
from .shown import shown

# Text encodings only: Python's list also holds compressors, ciphers and escapes.
# fmt: off
_ENCODINGS = (
    "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "ascii", "latin-1", "iso8859-1", "iso8859-2",
    "iso8859-3", "iso8859-4", "iso8859-5", "iso8859-7", "iso8859-9", "iso8859-13", "iso8859-15", "cp437", "cp850",
    "cp852", "cp866", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258",
    "koi8-r", "koi8-u", "mac-roman", "gbk", "gb2312", "gb18030", "big5", "shift_jis", "euc_jp", "euc_kr",
)
# fmt: on
_PIECE = 1 << 20
_KNOWN = frozenset(codecs.lookup(e).name for e in _ENCODINGS)


def collect(stream: BinaryIO, locator: str) -> bytes:
    """The whole content, refused as soon as a line, the number of lines or the size is beyond the limits."""
    parts: list[bytes] = []
    total = lines = run = 0
    while chunk := stream.read(1 << 20):
        total += len(chunk)
        parts.append(chunk)
        lines += chunk.count(b"\n")
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
        run = len(chunk) - 1 - end if end >= 0 else run + len(chunk)
        if total > FILE_BYTES:
            raise DataError(f"{shown(locator)} is larger than {FILE_BYTES >> 30} GB", hint="take a sample of its rows")
        if run > LINE_BYTES:
            raise DataError(
                f"{shown(locator)} has a line of more than {LINE_BYTES >> 20} MB", hint="is it a text file?"
            )
        if lines > ROWS:
            raise DataError(f"{shown(locator)} has more than {ROWS} lines", hint="take a sample of its rows")
    return b"".join(parts)


def decoded(content: bytes, encoding: str, locator: str) -> bytes:
    """The content as UTF-8 without a byte-order mark."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not encoding.startswith("utf-16"):
        raise DataError(f"{shown(locator)} is written in UTF-16", hint='write (encoding = "utf-16") after the path')
    if not encoding.startswith("utf-16") and b"\0" in content:
        raise DataError(f"{shown(locator)} is binary: it holds zero bytes", hint="is it a text file?")
    try:
        if encoding in ("utf-8", "utf-8-sig"):
            _check_utf8(content)
            return content.removeprefix(codecs.BOM_UTF8)
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{shown(locator)} is not {encoding}: byte 0x{content[error.start]:02x} in line {line}",
            hint='write (encoding = "latin-1") after the path, or the encoding it has',
        ) from None
    return text.removeprefix("\ufeff").encode("utf-8")


def _check_utf8(content: bytes) -> None:
    """Raise UnicodeDecodeError as decoding would, without a second copy of the whole."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(content), _PIECE):
            decoder.decode(content[start : start + _PIECE], final=start + _PIECE >= len(content))
    except UnicodeDecodeError:
        content.decode("utf-8")  # for the place in the whole


def checked_encoding(name: str) -> str:
    """The usual name of an encoding of text."""
    try:
        found = codecs.lookup(name).name if len(name) < 40 and name.isascii() and "\0" not in name else ""
    except LookupError:
        found = ""
    if found not in _KNOWN:
        raise DataError(
            f"{shown(name)} is no known encoding", hint='the usual ones are "utf-8", "latin-1" and "utf-16"'
        )
    return found
