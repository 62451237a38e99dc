"""The files behind a locator: a file, every log of a folder, `samples_*.jsonl`, `{a,b}.eval`."""

from __future__ import annotations

import fnmatch
import hashlib
import io
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from ...errors import DataError
from ..access import Access
from ..limits import LOG_FILES
from ..opened import opened
from ..paths import resolve
from ..shown import shown

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
            raise DataError(f"{shown(locator)} has a pattern in the name of a folder", hint=hint)
        if not resolve(locator, access).is_dir():
            return (locator,)
        place, wanted, deep = locator.rstrip("/"), patterns, True
    names = _below(resolve(place, access), wanted, deep)
    if not names:
        raise DataError(f"{shown(place)} holds no file {' or '.join(wanted)}", hint="check the name of the folder")
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
                raise DataError(f"{shown(folder.name)} holds more than {LOG_FILES} logs", hint="name some of them")
    return sorted(found)
