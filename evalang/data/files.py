"""Files that a script names: opened inside its folder, unpacked within limits, and decoded as text."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ..language.files import decode
from .access import Access, OnRead, resolve
from .limits import FILE_BYTES, LINE_BYTES, RATIO, RATIO_AFTER, ROWS, UNPACKED_BYTES
from .quoting import error_about

_NOT_READ = (
    ".pkl", ".pickle", ".joblib", ".dill", ".cloudpickle", ".p", ".pck", ".sav", ".skops",
    ".npy", ".npz", ".h5", ".hdf5", ".hdf", ".xls", ".ods", ".xml", ".mat", ".rds",
)  # fmt: skip
# How a format begins, what it is called, and what to do.
_MAGIC: tuple[tuple[bytes, str, str], ...] = (
    (b"PAR1", "a Parquet file", "write `from parquet`"),
    (b"SQLite format 3\x00", "a SQLite database", "write `from sql`"),
    (b"ARROW1", "an Arrow file", "write `from feather`"),
    (b"PK\x03\x04", "a zip archive or a spreadsheet", "a workbook is read by `from excel`; unpack an archive"),
    *((bytes((0x80, n)), "a pickle", "save the data as CSV or Parquet; a pickle can run any code") for n in range(11)),
    *((start, "an HTML or XML document", "save it as CSV or Parquet") for start in (b"<?xml", b"<!DOCTYPE", b"<html")),
)
# How packed files begin, the ending each goes by, and what unpacks one.
_PACKED: tuple[tuple[bytes, str, Callable[[BinaryIO], Any]], ...] = (
    (b"\x1f\x8b", ".gz", lambda file: gzip.GzipFile(fileobj=file)),
    (b"BZh", ".bz2", bz2.BZ2File),
    (b"\xfd7zXZ\0", ".xz", lzma.LZMAFile),
)


@contextmanager
def open_file(locator: str, access: Access, *, expects: str = "") -> Iterator[BinaryIO]:
    """Give the file's bytes, unpacked when it is packed; `expects` is what a binary format is called in `_MAGIC`."""
    if re.sub(r"\.(gz|bz2|xz|zip)$", "", locator.lower()).endswith(_NOT_READ):
        raise error_about(locator, "is a file format that evalang does not read", "save it as CSV or Parquet")
    path = resolve(locator, access)
    with _open_regular(path, locator, access.on_read) as file:
        head = file.peek(512)[:512]
        packed = next((unpack for magic, _, unpack in _PACKED if head.startswith(magic)), None)
        if packed is not None:
            stream = io.BufferedReader(_Unpacked(packed, file, locator), buffer_size=1 << 16)
            check_head(stream.peek(512)[:512], locator, expects)
            yield stream
        else:
            ending = next((end for _, end, _ in _PACKED if locator.lower().endswith(end)), None)
            if ending is not None:
                raise error_about(locator, f"ends in {ending}, but is not compressed that way", "rename the file")
            check_head(head, locator, expects)
            yield file


def check_head(head: bytes, locator: str, expects: str = "") -> None:
    """Refuse every known format other than the expected one, whatever the file is called."""
    if head.startswith(tuple(magic for magic, _, _ in _PACKED)):
        raise error_about(locator, "is compressed twice", "decompress it once")
    for magic, what, hint in _MAGIC:
        if head.startswith(magic) and what != expects:
            raise error_about(locator, f"is {what}", hint)
    if not head:
        raise error_about(locator, "is empty", "check how the file was written")


def _open_regular(path: Path, locator: str, on_read: OnRead | None) -> io.BufferedReader:
    # O_NONBLOCK: a pipe without a writer would wait for ever. O_NOFOLLOW: the path is a real one, so a link is new.
    flags = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_BINARY", "O_NOFOLLOW"))
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise error_about(locator, "is a folder", "name the file in it")
        if not stat.S_ISREG(status.st_mode):
            raise error_about(locator, "is a device or a pipe, not a file", "name a file")
        if status.st_size > FILE_BYTES:
            what = f"is larger than {FILE_BYTES >> 30} GB"
            raise error_about(locator, what, "take a sample of its rows, and say so in `because`")
        return io.BufferedReader(_CountedFile(os.open(path, flags), locator, on_read))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise error_about(locator, f"cannot be opened: {reason}", "check its permissions") from error


class _CountedFile(io.FileIO):
    """A file that reports how many of its bytes were read."""

    def __init__(self, descriptor: int, locator: str, on_read: OnRead | None) -> None:
        super().__init__(descriptor, "rb")
        self._locator, self._on_read = locator, on_read
        self._size = os.fstat(descriptor).st_size

    def readinto(self, buffer: Any) -> int | None:
        count = super().readinto(buffer)
        if self._on_read is not None:
            self._on_read(self._locator, min(self.tell(), self._size - 1), self._size)
        return count

    def close(self) -> None:
        if self._on_read is not None and not self.closed:
            self._on_read(self._locator, self._size, self._size)
        super().close()


class _Unpacked(io.RawIOBase):
    """The content of a packed file, up to the limits of size and ratio."""

    def __init__(self, unpack: Callable[[BinaryIO], Any], packed: io.BufferedReader, locator: str) -> None:
        self._content = unpack(packed)
        self._packed = packed
        self._locator = locator
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            chunk = self._content.read(len(buffer))
        except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError) as error:
            raise error_about(self._locator, "is a damaged compressed file", "compress the original again") from error
        self._size += len(chunk)
        limit = ""
        if self._size > UNPACKED_BYTES:
            limit = f"{UNPACKED_BYTES >> 20} MB"
        elif self._size > RATIO_AFTER and self._size > RATIO * self._packed.tell():
            limit = f"{RATIO} times its size"
        if limit:
            what = f"unpacks to more than {limit}"
            raise error_about(self._locator, what, "if you trust the file, decompress it yourself")
        buffer[: len(chunk)] = chunk
        return len(chunk)


def read_limited(stream: BinaryIO, locator: str) -> bytes:
    """Return the whole content; refuse it as soon as a line, the number of lines or the size is beyond the limits."""
    parts: list[bytes] = []
    total = lines = run = 0
    while chunk := stream.read(1 << 20):
        total += len(chunk)
        parts.append(chunk)
        lines += chunk.count(b"\n")
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
        run = len(chunk) - 1 - end if end >= 0 else run + len(chunk)
        if total > FILE_BYTES:
            raise error_about(locator, f"is larger than {FILE_BYTES >> 30} GB", "take a sample of its rows")
        if run > LINE_BYTES:
            what = f"has a line of more than {LINE_BYTES >> 20} MB"
            raise error_about(locator, what, "check that it is a text file with line breaks")
        if lines > ROWS:
            raise error_about(locator, f"has more than {ROWS} lines", "take a sample of its rows")
    return b"".join(parts)


def to_utf8(content: bytes, encoding: str, locator: str) -> bytes:
    """Return the content as UTF-8 without a byte-order mark."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not encoding.startswith("utf-16"):
        raise error_about(locator, "is written in UTF-16", 'write (encoding = "utf-16") after the path')
    if not encoding.startswith("utf-16") and b"\0" in content:
        what = "is not text: it holds zero bytes"
        raise error_about(locator, what, "name a text file, or write another kind of source")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise error_about(
            locator,
            f"is not {encoding}: byte 0x{content[error.start]:02x} in line {line}",
            'write (encoding = "latin-1") after the path, or the encoding it has',
        ) from None
    if encoding in ("utf-8", "utf-8-sig"):
        return content.removeprefix(codecs.BOM_UTF8)
    return text.removeprefix("\ufeff").encode("utf-8")


def checked_encoding(name: str) -> str:
    """Return the usual name of an encoding of text; refuse any other."""
    try:
        "".encode(name)  # refuses the compressors and ciphers among Python's codecs
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        hint = 'the usual ones are "utf-8", "latin-1" and "utf-16"'
        raise error_about(name, "is not a known encoding", hint) from None


_MOST_QUOTED = 4 << 20  # bytes; what is quoted is read by people


def read_adjacent_file(document: str | os.PathLike[str], locator: str) -> str:
    """Return the text of a file in the document's folder or below it; nothing else can be quoted."""
    with open_file(locator, Access(root=Path(document).parent)) as file:
        data = file.read(_MOST_QUOTED + 1)
    if len(data) > _MOST_QUOTED:
        raise error_about(locator, f"is larger than {_MOST_QUOTED >> 20} MB", "include a smaller table made from it")
    return decode(data, locator, most=_MOST_QUOTED).text
