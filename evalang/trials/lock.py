"""One run at a time in a run folder; the lock of a dead process is taken over."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from pathlib import Path

from ..errors import RunError
from .crashpoint import crashpoint
from .files import storage_error


class FolderLock:
    """Holds `lock` in a run folder. The kernel frees it when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"
        self.taken_over = ""
        try:
            self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
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
            fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
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
        os.pwrite(self._handle, note.encode(), 0)
        crashpoint("lock-taken")

    def _holder(self) -> dict[str, object]:
        try:
            found = json.loads(os.pread(self._handle, 4096, 0) or b"{}")
        except ValueError:  # a note cut short by a crash names nobody
            return {}
        return found if isinstance(found, dict) else {}

    def _refusal(self, holder: dict[str, object]) -> RunError:
        return RunError(
            f"another run (process {holder.get('pid', 'unknown')}) is at work in {self._path.parent}",
            hint="wait for it, or give this run a folder of its own with --out",
        )


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
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return not started(pid) or started(pid) == holder.get("started")
