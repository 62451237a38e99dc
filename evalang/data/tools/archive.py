"""Zip files: checked by their table of contents, then read member by member and never unpacked to disk."""

from __future__ import annotations

import importlib
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from ...errors import DataError
from ..limits import FILE_BYTES, LOG_BYTES, LOG_MEMBERS, RATIO, RATIO_AFTER
from ..quoting import error_about, quoted
from .log_files import UnreadableLog

ZIP = "a zip archive or a spreadsheet"  # its name in files.py
_ZSTD = 93  # APPNOTE 6.3.7, 4.4.5
_KNOWN = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, _ZSTD}
_ENCRYPTED = 0x1
_WINDOW = 1 << 27  # bytes; what zstd allows by default
_LOCAL_HEADER = struct.Struct("<4s22xHH")


class Archive:
    """Members by name; only their names and sizes are in memory."""

    def __init__(self, stream: BinaryIO, where: str) -> None:
        self._stream = stream
        self._where = where
        try:
            self._zip = zipfile.ZipFile(stream)
            members = self._zip.infolist()
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error) as error:
            raise self._damaged(error) from None
        self._check(members)
        self.names = tuple(member.filename for member in members)

    def __contains__(self, name: str) -> bool:
        return name in self._zip.NameToInfo

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """Give the bytes of a member, as many as the table of contents says."""
        member = self._zip.getinfo(name)
        try:
            if member.compress_type == _ZSTD:
                yield self._zstd(member)
            else:
                with self._zip.open(member) as stream:
                    yield stream  # type: ignore[misc]
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as error:
            raise self._damaged(error) from None

    def read(self, name: str, most: int) -> bytes:
        """Return a whole member of at most so many bytes."""
        with self.open(name) as stream:
            data = stream.read(most + 1)
        if len(data) > most:
            raise self._too_large(name, most)
        return data

    def _check(self, members: list[zipfile.ZipInfo]) -> None:
        if len(members) > LOG_MEMBERS:
            what = f"holds {len(members)} files, more than {LOG_MEMBERS}"
            raise error_about(self._where, what, "check that it is a log")
        for member in members:
            if member.flag_bits & _ENCRYPTED:
                raise error_about(self._where, "is encrypted", "save the log without encryption")
            if member.compress_type not in _KNOWN:
                what = f"in {quoted(self._where)} is packed by method {member.compress_type}"
                raise error_about(member.filename, what, "pack it by deflate or zstd")
        unpacked = sum(member.file_size for member in members)
        packed = sum(member.compress_size for member in members)
        if unpacked > LOG_BYTES:
            raise error_about(self._where, f"unpacks to more than {LOG_BYTES >> 30} GB", "read a part of it")
        self._stream.seek(0, 2)
        # Members may overlap, and then share what is packed: the file's own size counts too.
        if unpacked > RATIO_AFTER and unpacked > RATIO * max(min(packed, self._stream.tell()), 1):
            raise error_about(self._where, f"unpacks to more than {RATIO} times its size", "do not trust this file")

    def _zstd(self, member: zipfile.ZipInfo) -> BinaryIO:
        """Open a member with the package zstandard; zipfile reads this method from Python 3.14 on."""
        try:
            zstandard = importlib.import_module("zstandard")
        except ImportError:
            what = "is packed with zstd, which this Python does not read"
            raise error_about(self._where, what, 'install "evalang[logs]"') from None
        if member.file_size > FILE_BYTES:  # it is unpacked as a whole
            raise self._too_large(member.filename, FILE_BYTES)
        self._stream.seek(member.header_offset)
        header = self._stream.read(_LOCAL_HEADER.size)
        mark, name, extra = _LOCAL_HEADER.unpack(header) if len(header) == _LOCAL_HEADER.size else (b"", 0, 0)
        if mark != b"PK\x03\x04":
            raise zipfile.BadZipFile("a member is not where the table of contents says")
        self._stream.seek(member.header_offset + _LOCAL_HEADER.size + name + extra)
        packed = self._stream.read(member.compress_size)
        unpacked = zstandard.ZstdDecompressor(max_window_size=_WINDOW).stream_reader(packed)
        try:
            content = unpacked.read(member.file_size + 1)
        except zstandard.ZstdError as error:
            raise zipfile.BadZipFile(str(error)) from None
        if len(content) != member.file_size:
            raise zipfile.BadZipFile("the size of a member differs from the table of contents")
        return io.BytesIO(content)

    def _too_large(self, name: str, most: int) -> DataError:
        return error_about(name, f"in {quoted(self._where)} is larger than {most >> 20} MB", "check that it is a log")

    def _damaged(self, error: Exception) -> DataError:
        return UnreadableLog(
            f"{quoted(self._where)} is a damaged zip file: {quoted(error)}", hint="copy the file again"
        )
