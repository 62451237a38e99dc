"""The files of a log: those behind a locator, their SHA-256, and the JSON in them, in pieces where they are large."""

from __future__ import annotations

import fnmatch
import hashlib
import json
import os
import re
from collections.abc import Collection, Container, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from ...errors import DataError
from ..access import Access, resolve
from ..files import open_file
from ..limits import FILE_BYTES, LINE_BYTES, LOG_FILES, VALUE_BYTES
from ..quoting import error_about, quoted
from ..raw import Origin

_BLOCK = 1 << 18
_WILDCARDS = "*?["
_BRACES = re.compile(r"([^{}]*)\{([^{}]+)\}([^{}]*)")  # logs/{a,b}.eval, as a shell writes several names


def find_files(locator: str, access: Access, *patterns: str) -> tuple[str, ...]:
    """Return the file itself, or the files of a folder that match a pattern, in the order of their names.

    Links that lead out of the folder are refused when the file is opened, like any other path of a script.
    """
    path = _find(locator, access)
    several = None if path else _BRACES.fullmatch(locator)
    if several:
        parts = [f"{several[1]}{part.strip()}{several[3]}" for part in several[2].split(",")]
        return tuple(dict.fromkeys(name for part in parts for name in find_files(part, access, *patterns)))
    folder, _, last = locator.rstrip("/").rpartition("/")
    deep = path is not None or not any(sign in last for sign in _WILDCARDS)
    if deep:
        if path is None and any(sign in folder for sign in _WILDCARDS):
            hint = "only the name of the file may have `*`"
            raise error_about(locator, "has a pattern in the name of a folder", hint)
        if not (path or resolve(locator, access)).is_dir():
            return (locator,)
        folder = locator.rstrip("/")
    else:
        folder, patterns = folder or ".", (last,)
    names = _below(resolve(folder, access), patterns, deep)
    if not names:
        raise error_about(folder, f"holds no file {' or '.join(patterns)}", "check the name of the folder")
    return tuple(name if folder == "." else f"{folder}/{name}" for name in names)


def _below(folder: Path, patterns: tuple[str, ...], deep: bool) -> list[str]:
    found: list[str] = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if deep and not f.startswith("."))
        inside = os.path.relpath(place, folder)
        for name in files:
            if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
                found.append(name if inside == "." else f"{Path(inside).as_posix()}/{name}")
            if len(found) > LOG_FILES:
                raise error_about(folder.name, f"holds more than {LOG_FILES} logs", "name a part of them")
    return sorted(found)


def _find(locator: str, access: Access) -> Path | None:
    try:
        return resolve(locator, access)
    except DataError:
        return None


def file_name(locator: str) -> str:
    """Return the last part of a locator."""
    return locator.rpartition("/")[2]


def sibling(locator: str, name: str) -> str:
    """Return the locator of another file in the same folder."""
    folder, slash, _ = locator.rpartition("/")
    return f"{folder}{slash}{name}"


def exists(locator: str, access: Access) -> bool:
    """Return whether there is such a file inside the folders a script may read."""
    path = _find(locator, access)
    return path is not None and path.is_file()


def origin_of(locator: str, access: Access, tool: str, version: str = "", *, expects: str = "") -> Origin:
    """Return where a score comes from: the file, the SHA-256 of its (unpacked) content, and what wrote it."""
    with open_file(locator, replace(access, on_read=None), expects=expects) as stream:
        return Origin(path=locator, sha256=_digest(stream), tool=tool, version=version)


def _digest(stream: BinaryIO) -> str:
    digest = hashlib.sha256()
    while block := stream.read(_BLOCK):
        digest.update(block)
    return digest.hexdigest()


class UnreadableLog(DataError):
    """A log that is damaged or holds no scores: a folder of logs is read without it."""


def is_folder(locator: str, access: Access) -> bool:
    """Return whether a locator names a folder or a pattern, and so no single file."""
    path = _find(locator, access)
    return any(sign in locator for sign in _WILDCARDS) if path is None else path.is_dir()


def as_dict(value: object) -> dict[str, Any]:
    """Return the value, or an empty dict when it is no JSON object."""
    return value if isinstance(value, dict) else {}


def as_dicts(value: object) -> list[dict[str, Any]]:
    """Return the objects in a JSON array; none when it is no array."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def parse_json(data: bytes | str, what: str) -> Any:
    """Return the value of a JSON text, NaN included; DataError when it is none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else quoted(error)
        raise UnreadableLog(f"{what} is not JSON: {reason}", hint="check how the file was written") from None


def checked_object(value: Any, what: str) -> dict[str, Any]:
    """Return the value; DataError when it is no JSON object."""
    if not isinstance(value, dict):
        raise UnreadableLog(f"{what} holds no JSON object", hint="check how the file was written")
    return value


def parse_object(data: bytes | str, what: str) -> dict[str, Any]:
    """Return the object of a JSON text."""
    return checked_object(parse_json(data, what), what)


def read_object(locator: str, access: Access, *, too_large: str = "is it a log?") -> dict[str, Any]:
    """Return the object in a JSON file that is read as a whole; `too_large` is the hint for one that is too large."""
    with open_file(locator, access) as stream:
        data = stream.read(VALUE_BYTES + 1)
    if len(data) > VALUE_BYTES:
        raise error_about(locator, f"is larger than {VALUE_BYTES >> 20} MB", too_large)
    return parse_object(data, quoted(locator))


def read_lines(stream: BinaryIO, where: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield number and object of every line that is not blank (JSON Lines)."""
    number = 0
    while line := stream.readline(LINE_BYTES + 1):
        number += 1
        what = f"line {number} of {quoted(where)}"
        if len(line) > LINE_BYTES:
            raise DataError(
                f"{what} is longer than {LINE_BYTES >> 20} MB",
                hint="check that the file is JSON Lines: one object in each line",
            )
        if line.strip():
            yield number, parse_object(line, what)


def read_items(stream: BinaryIO, where: str, key: str = "") -> Iterator[Any]:
    """Yield the elements of the array under a key of the document; of the document itself without a key."""
    head = stream.read(VALUE_BYTES + 1)
    if len(head) <= VALUE_BYTES:
        whole = parse_json(head, quoted(where))
        found = checked_object(whole, quoted(where)).get(key) if key else whole
        yield from found if isinstance(found, list) else ()
        return
    ijson = _ijson(where)
    blocks = ijson.from_iter(iter(_Blocks(head, stream, where, most=FILE_BYTES)))
    try:
        yield from ijson.items(blocks, f"{key}.item" if key else "item", use_float=True)
    except (ijson.JSONError, UnicodeDecodeError) as error:
        raise _broken(where, error) from None


def read_members(
    stream: BinaryIO, where: str, wanted: Container[str], *, before: str = "", needed: Collection[str] = ()
) -> dict[str, Any]:
    """Return the wanted members of an object.

    A large file is read up to the key `before`, once the needed members have been found.
    """
    head = stream.read(VALUE_BYTES + 1)
    if len(head) <= VALUE_BYTES:
        return {key: value for key, value in parse_object(head, quoted(where)).items() if key in wanted}
    ijson = _ijson(where)
    blocks = _Blocks(head, stream, where, most=VALUE_BYTES)
    found: dict[str, Any] = {}
    depth, builder, name = 0, None, ""
    try:
        for event, value in ijson.basic_parse(ijson.from_iter(iter(blocks)), use_float=True):
            if depth == 1 and event == "map_key":
                if value == before and found.keys() >= set(needed):
                    break
                name, builder = value, ijson.ObjectBuilder() if value in wanted else None
                continue
            depth -= event.startswith("end_")
            if depth and builder is not None:
                builder.event(event, value)
            depth += event.startswith("start_")
            if depth <= 1 or builder is None:
                blocks.pending = 0
            if depth == 1 and builder is not None:
                found[name] = builder.value
    except (ijson.JSONError, UnicodeDecodeError) as error:
        raise _broken(where, error) from None
    return found


class _Blocks:
    """The blocks of a large JSON file; a value that is too large for memory is refused."""

    def __init__(self, head: bytes, stream: BinaryIO, where: str, *, most: int) -> None:
        self._head, self._stream, self._where, self._most = head, stream, where, most
        self.pending = 0  # bytes of the value that is being read

    def __iter__(self) -> Iterator[bytes]:
        head = (self._head[start : start + _BLOCK] for start in range(0, len(self._head), _BLOCK))
        for block in chain(head, iter(lambda: self._stream.read(_BLOCK), b"")):
            self.pending += len(block)
            if self.pending > self._most:
                what = f"holds a value of more than {self._most >> 20} million characters"
                raise error_about(self._where, what, "write the log without that value")
            yield block


def _ijson(where: str) -> Any:
    try:
        import ijson
    except ImportError:
        what = f"has more than {VALUE_BYTES >> 20} MB, which needs ijson"
        raise error_about(where, what, 'install "evalang[logs]"') from None
    return ijson


def _broken(where: str, error: Exception) -> DataError:
    # ijson reads strict JSON only: no NaN, no half of a surrogate pair, no integer of more than 64 bits
    hint = f"check what wrote the file; NaN is read in files of up to {VALUE_BYTES >> 20} MB"
    return error_about(where, f"is not JSON: {quoted(error)}", hint)
