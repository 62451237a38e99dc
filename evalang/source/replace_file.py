"""A file is replaced whole or not at all."""

from __future__ import annotations

import os
import tempfile

from ..errors import ScriptError


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
