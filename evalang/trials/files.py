"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from pathlib import Path

from ..errors import RunError
from .crashpoint import crashpoint

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_whole(path: Path, content: bytes | str) -> None:
    """Write beside, make lasting, rename: a reader finds the old file or the new one, never half of it."""
    data = content.encode() if isinstance(content, str) else content
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        crashpoint("file-begun")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        crashpoint("file-written")
        os.replace(temporary, path)
        sync_folder(path.parent)
        crashpoint("file-renamed")
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise storage_error(error, path) from None


def sync_folder(folder: Path) -> None:
    """Make names in a folder lasting (a rename may be lost in a power cut without it)."""
    if not hasattr(os, "O_DIRECTORY"):  # Windows opens no folders
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def storage_error(error: OSError, path: Path) -> RunError:
    """What went wrong with a file, in words that say what to do."""
    if error.errno in _FULL:
        return disk_full(path)
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return RunError(f"{path} cannot be written", hint="give the run a folder it may write to with --out")
    return RunError(f"{path} cannot be written: {error.strerror or error}", hint="look at the disk, then run again")


def disk_full(path: Path) -> RunError:
    """The disk is full; everything committed before is safe."""
    return RunError(
        f"the disk is full: {path} cannot be written",
        hint="every finished trial is kept; free some space and run again to go on from there",
    )
