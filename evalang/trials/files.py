"""Files that are there whole or not at all, and a run folder that one run holds at a time."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ..errors import RunError
from ..language.files import open_plain


def write_whole(path: Path, content: bytes | str | Iterator[str], *, durable: bool = True) -> None:
    """Write a temporary file and rename it: a reader finds the old file or the new one, also after a power cut."""
    pieces = [content] if isinstance(content, bytes | str) else content
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.writelines(one if isinstance(one, bytes) else one.encode() for one in pieces)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
        if durable and hasattr(os, "O_DIRECTORY"):  # the new name too; Windows opens no folders
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise storage_error(error, path) from None


def storage_error(error: OSError, path: Path) -> RunError:
    """Return what went wrong with a file, and what to do."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return disk_full(path)
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return read_only(path)
    return RunError(f"{path} cannot be written: {error.strerror or error}", hint="check the disk, then run again")


def disk_full(path: Path) -> RunError:
    """Return the error of a full disk; everything committed before is safe."""
    return RunError(
        f"the disk is full: {path} cannot be written",
        hint="finished fits are kept; free some space and run again to continue",
    )


def read_only(path: Path) -> RunError:
    """Return the error of a folder that may not be written."""
    return RunError(f"{path} cannot be written", hint="choose a writable folder with --out")


class FolderLock:
    """Holds `lock` in a run folder. The kernel frees it when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        path = folder / "lock"
        try:
            self._handle = open_plain(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0))
            pid = _read_pid(self._handle)
            if not _lock(self._handle):
                os.close(self._handle)
                raise RunError(
                    f"another run (process {pid or 'unknown'}) is using the folder {folder}",
                    hint="wait for the other run, or give this run a different folder with --out",
                )
            self.ended_early = pid  # process of a run that was killed, 0 for none
            os.ftruncate(self._handle, 0)
            os.lseek(self._handle, 0, os.SEEK_SET)
            os.write(self._handle, json.dumps({"pid": os.getpid()}).encode())
        except OSError as error:
            raise storage_error(error, path) from None

    def release(self) -> None:
        """Let the next run in."""
        if self._handle >= 0:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, 0)
            os.close(self._handle)
            self._handle = -1


def _read_pid(handle: int) -> int:
    """Return the process that a lock file names; 0 for none, or for a note cut short by a crash."""
    with contextlib.suppress(ValueError, RecursionError, TypeError, KeyError):
        os.lseek(handle, 0, os.SEEK_SET)
        found = json.loads(os.read(handle, 4096) or b"{}")["pid"]
        return found if type(found) is int and found > 0 else 0
    return 0


def _lock(handle: int) -> bool:
    """Return whether the file is now locked by this process, or the platform has no locks."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError as error:
        return error.errno in (errno.ENOLCK, errno.EOPNOTSUPP)  # a file system without locks
