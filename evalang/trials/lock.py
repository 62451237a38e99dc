"""One run at a time in a run folder; the lock of a dead process is taken over."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from ..errors import RunError
from .crashpoint import crashpoint
from .files import storage_error

_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_FAR = 2**30  # where Windows locks: what is locked there nobody can read, and the note is at the beginning


class FolderLock:
    """Holds `lock` in a run folder. The kernel frees it when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"
        self.taken_over = ""
        try:
            self._handle = os.open(self._path, _OPEN, 0o644)
        except OSError as error:
            raise storage_error(error, self._path) from None
        try:
            self._take()
        except BaseException:
            os.close(self._handle)
            raise

    def release(self) -> None:
        """Let the next run in."""
        if self._handle >= 0:
            os.ftruncate(self._handle, 0)
            os.close(self._handle)
            self._handle = -1

    def _take(self) -> None:
        try:
            _hold(self._handle)
        except OSError:
            raise self._refusal(self._holder()) from None
        holder = self._holder()
        if holder and holder.get("host") == socket.gethostname() and _alive(holder):
            # The same process, or a file system without locks: the note is all there is to go by.
            raise self._refusal(holder)
        if holder:
            self.taken_over = f"the lock of a run that ended early (process {holder.get('pid')}) was taken over"
        note = json.dumps({"pid": os.getpid(), "started": started(os.getpid()), "host": socket.gethostname()})
        os.ftruncate(self._handle, 0)
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.write(self._handle, note.encode())
        crashpoint("lock-taken")

    def _holder(self) -> dict[str, object]:
        os.lseek(self._handle, 0, os.SEEK_SET)
        try:
            found = json.loads(os.read(self._handle, 4096) or b"{}")
        except ValueError:  # a note cut short by a crash names nobody
            return {}
        return found if isinstance(found, dict) else {}

    def _refusal(self, holder: dict[str, object]) -> RunError:
        return RunError(
            f"another run (process {holder.get('pid', 'unknown')}) is at work in {self._path.parent}",
            hint="wait for it, or give this run a folder of its own with --out",
        )


def _hold(handle: int) -> None:
    """OSError when another process holds it; nothing where a platform has no locks."""
    with contextlib.suppress(ImportError):
        import fcntl

        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    with contextlib.suppress(ImportError):
        msvcrt: Any = import_module("msvcrt")
        os.lseek(handle, _FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)


def started(pid: int) -> str:
    """When a process began, as the kernel counts; with it a process number that is used again is told apart."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def _alive(holder: dict[str, object]) -> bool:
    pid = holder.get("pid")
    if not isinstance(pid, int) or pid < 1:
        return False
    if sys.platform == "win32":  # the lock has told, and asking with a signal would end the process there
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return not started(pid) or started(pid) == holder.get("started")
