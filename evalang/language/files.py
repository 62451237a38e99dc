"""Files that are replaced whole or not at all, and files that may be none, read without following links or waiting."""

from __future__ import annotations

import errno
import os
import stat
import tempfile

from ..errors import RunError, ScriptError

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_PLAIN = _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def replace_file(path: str, content: bytes) -> None:
    """Write a file whole or not at all; a link stays a link, and the file keeps its rights."""
    try:
        _replace(os.path.realpath(path), content)
    except OSError as error:
        raise ScriptError(
            f"{path} cannot be written: {error.strerror}", hint="check the folder and its rights"
        ) from None


def _replace(target: str, content: bytes) -> None:
    """Write beside the file, flush to disk, then rename, so that a kill leaves the old file or the new one."""
    folder = os.path.dirname(target) or "."
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".evalang-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        old = os.path.isfile(target) and not os.path.islink(target)
        os.chmod(temporary, os.stat(target).st_mode & 0o777 if old else 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
    if os.name != "nt":  # the rename itself reaches the disk with the folder
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def open_plain(path: str | os.PathLike[str], flags: int = os.O_RDONLY) -> int:
    """Open a file; OSError for a link, and for a pipe or a device, which would be waited for."""
    handle = os.open(path, flags | _PLAIN, 0o644)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is not a file (a pipe or a device)", os.fspath(path))
    return handle


def read_plain(path: str | os.PathLike[str]) -> bytes:
    """Return all of such a file."""
    with os.fdopen(open_plain(path), "rb") as file:
        return file.read()


def replace_below(root: str, name: str, content: bytes) -> None:
    """Put a file at `name` below `root`, whole or not at all; a link in its place goes, one on the way is refused."""
    folder, _, file = name.rpartition("/")
    place = os.path.join(make_below(root, folder), file)
    try:
        _replace(place, content)
    except OSError as error:
        raise _unwritable(place, error) from None


def make_below(root: str, name: str) -> str:
    """Make the folder `name` below `root` and return its path; RunError when a part of it is a link or a file."""
    place = root
    try:
        os.makedirs(root or ".", exist_ok=True)
        for part in filter(None, name.split("/")):
            place = os.path.join(place, part)
            if os.path.islink(place) or getattr(os.path, "isjunction", lambda _: False)(place):
                hint = "it may lead anywhere; take the link away, or name the place with --out"
                raise RunError(f"{place} is a link", hint=hint)
            if os.path.lexists(place) and not os.path.isdir(place):
                raise RunError(f"{place} is a file, not a folder", hint="name another one with --out")
            os.makedirs(place, exist_ok=True)
    except OSError as error:
        raise _unwritable(place, error) from None
    return place


def _unwritable(path: str, error: OSError) -> RunError:
    reason = error.strerror or type(error).__name__
    return RunError(
        f"{path} cannot be written: {reason[:1].lower()}{reason[1:]}",
        hint="check its rights, or name another one with --out",
    )
