"""The file `evalang.ledger` beside the scripts: read whole, written at its end and nowhere else."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from ..errors import RunError, ScriptError
from .chain import tips
from .event import Event, line, parse, write

NAME = "evalang.ledger"
LARGEST = 256 * 2**20
_HERE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_CONFLICT = ("<<<<<<< ", "=======", ">>>>>>> ")
_HINT = "keep the lines of both sides and take the three marks away; evalang ledger check then knows a merge"


def read(folder: str) -> tuple[Event | str, ...]:
    """Every line, as an event or as what is wrong with it; () where there is no ledger."""
    path = os.path.join(folder, NAME)
    try:
        handle = os.open(path, os.O_RDONLY | _HERE)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise _unreadable(path, error) from None
    try:
        return _lines(_content(handle, path), path)
    except OSError as error:
        raise _unreadable(path, error) from None
    finally:
        os.close(handle)


def events(lines: Sequence[Event | str]) -> tuple[Event, ...]:
    """Those that could be read."""
    return tuple(one for one in lines if isinstance(one, Event))


def append(folder: str, said: Sequence[tuple[str, dict[str, Any]]]) -> tuple[Event, ...]:
    """Put (kind, facts) at the end, each line after the one before; the first of a ledger is opened for them."""
    path = os.path.join(folder, NAME)
    try:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | _HERE, 0o644)
    except OSError as error:
        raise _unwritable(path, error) from None
    try:
        with _alone(handle):
            return _put(handle, path, list(said))
    except OSError as error:
        raise _unwritable(path, error) from None
    finally:
        os.close(handle)


def _put(handle: int, path: str, said: list[tuple[str, dict[str, Any]]]) -> tuple[Event, ...]:
    content = _content(handle, path)
    there = events(_lines(content, path))
    before = tips(there)
    if not there:
        project = os.path.basename(os.path.dirname(os.path.abspath(path)))
        said = [("opened", {"project": project, "version": 1, "salt": secrets.token_hex(16)}), *said]
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    made: list[Event] = []
    for kind, facts in said:
        made.append(write(kind, at, facts, before))
        before = (made[-1].hash,)
    # A line that a kill cut short stays as it is and is told by check; the next one begins on a line of its own.
    start = b"" if not content or content.endswith(b"\n") else b"\n"
    _write_whole(handle, start + "".join(line(event) + "\n" for event in made).encode(), len(content))
    return tuple(made)


def _write_whole(handle: int, text: bytes, size: int) -> None:
    """All of it on the disk, or, where that fails, none."""
    try:
        left = memoryview(text)
        while left:
            left = left[os.write(handle, left) :]
        os.fsync(handle)
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(handle, size)  # what was there stays; only our own half line goes
        raise


def _content(handle: int, path: str) -> bytes:
    size = os.fstat(handle).st_size
    if size > LARGEST:
        raise ScriptError(f"{path} has {size:,} bytes", hint=f"a ledger has at most {LARGEST:,}")
    found = bytearray()
    while part := os.pread(handle, 2**20, len(found)) if hasattr(os, "pread") else os.read(handle, 2**20):
        found += part
    return bytes(found)


def _lines(content: bytes, path: str) -> tuple[Event | str, ...]:
    try:
        texts = content.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        texts = [one.decode("utf-8", "replace") for one in content.split(b"\n")]
    for number, text in enumerate(texts, start=1):
        if text.startswith(_CONFLICT):
            raise ScriptError(f"{path} has the marks of a conflict of git in line {number}", hint=_HINT)
    return tuple(parse(text) for text in texts if text.strip())


@contextlib.contextmanager
def _alone(handle: int) -> Iterator[None]:
    """Two runs at once write one after the other; the lock goes with the handle."""
    try:
        import fcntl
    except ImportError:  # a platform without it: O_APPEND alone keeps lines whole
        yield
        return
    fcntl.flock(handle, fcntl.LOCK_EX)
    yield


def _unreadable(path: str, error: OSError) -> ScriptError:
    why = "it is a link" if error.errno == errno.ELOOP else error.strerror
    return ScriptError(f"{path} cannot be read: {why}", hint="check the file and its rights")


def _unwritable(path: str, error: OSError) -> RunError:
    why = "it is a link" if error.errno == errno.ELOOP else error.strerror
    return RunError(f"{path} cannot be written: {why}", hint="make room or rights, or run with --no-ledger")
