"""Files that are replaced whole or not at all, also below a folder that is held open, so that no link leads anywhere
else; and files of others, read without waiting for what is none.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import RunError, ScriptError

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def replace_file(path: str, content: bytes) -> None:
    """Write beside the file, flush to disk, then rename: a kill leaves the old file or the new one, never half."""
    target = os.path.realpath(path)  # a link stays a link
    folder = os.path.dirname(target)
    try:
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".evalang-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(temporary, os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o666 & ~_umask())
            os.replace(temporary, target)
        except BaseException:
            if os.path.exists(temporary):
                os.unlink(temporary)
            raise
        _sync(folder)
    except OSError as error:
        raise ScriptError(
            f"{path} cannot be written: {error.strerror}", hint="check the folder and its rights"
        ) from None


def open_plain(path: str | os.PathLike[str], flags: int = os.O_RDONLY) -> int:
    """A file that somebody else may have put there; OSError for a link, and for a pipe or a device, which would be
    waited for.
    """
    handle = os.open(path, flags | _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0), 0o644)
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is not a file (a pipe or a device)", os.fspath(path))
    return handle


def read_plain(path: str | os.PathLike[str]) -> bytes:
    """All of such a file."""
    with os.fdopen(open_plain(path), "rb") as file:
        return file.read()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync(folder: str) -> None:
    """The rename itself reaches the disk with the folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# Windows has neither; there every part of the path is looked at before it is used.
_RELATIVE = os.open in os.supports_dir_fd and os.mkdir in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_AWAY = "it may lead anywhere; take the link away, or name the place with --out"


def replace_below(root: str, name: str, content: bytes) -> None:
    """Put a file at `name` below `root`, whole or not at all; a link in its place goes, one before it is refused."""
    *folders, file = name.split("/")
    with _held(root, folders) as (place, handle):
        temporary = f".evalang-{secrets.token_hex(8)}"
        path, end = (
            (temporary, file) if handle is not None else (os.path.join(place, temporary), os.path.join(place, file))
        )
        try:
            stream = os.fdopen(os.open(path, _NEW | getattr(os, "O_NOFOLLOW", 0), 0o666, dir_fd=handle), "wb")
            try:
                with stream:
                    stream.write(content)
                    stream.flush()
                    os.fsync(stream.fileno())
                os.replace(path, end, src_dir_fd=handle, dst_dir_fd=handle)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(path, dir_fd=handle)
                raise
            if handle is not None:
                os.fsync(handle)
        except OSError as error:
            raise _unwritable(os.path.join(place, file), error) from None


def make_below(root: str, name: str) -> None:
    """Make the folder `name` below `root`; RunError when a part of it is a link or a file."""
    with _held(root, name.split("/")):
        pass


@contextmanager
def _held(root: str, folders: list[str]) -> Iterator[tuple[str, int | None]]:
    """The folder's path, and its handle where the platform can work with one; missing folders are made."""
    place = root
    handle: int | None = None
    try:
        os.makedirs(root or ".", exist_ok=True)
        handle = os.open(root or ".", _FOLDER) if _RELATIVE else None
        for part in folders:
            place = os.path.join(place, part)
            handle = _step(place, part, handle)
    except OSError as error:
        _close(handle)
        raise _unwritable(place, error) from None
    except BaseException:
        _close(handle)
        raise
    try:
        yield place, handle
    finally:
        _close(handle)


def _step(place: str, part: str, handle: int | None) -> int | None:
    """One folder further; the one before is let go."""
    path = part if handle is not None else place
    with contextlib.suppress(FileExistsError):
        os.mkdir(path, dir_fd=handle)
    found = os.stat(path, dir_fd=handle, follow_symlinks=False)
    if stat.S_ISLNK(found.st_mode) or getattr(os.path, "isjunction", lambda _: False)(place):
        raise RunError(f"{place} is a link", hint=_AWAY)
    if not stat.S_ISDIR(found.st_mode):
        raise RunError(f"{place} is a file, not a folder", hint="name another one with --out")
    if handle is None:
        return None
    further = os.open(part, _FOLDER | os.O_NOFOLLOW, dir_fd=handle)  # a link put there meanwhile fails here
    os.close(handle)
    return further


def _close(handle: int | None) -> None:
    if handle is not None:
        with contextlib.suppress(OSError):
            os.close(handle)


def _unwritable(path: str, error: OSError) -> RunError:
    reason = error.strerror or type(error).__name__
    return RunError(
        f"{path} cannot be written: {reason[:1].lower()}{reason[1:]}",
        hint="check its rights, or name another one with --out",
    )
