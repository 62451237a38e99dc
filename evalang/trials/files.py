"""Files that are there whole or not at all, and a folder that one run holds at a time."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import socket
import sys
import tempfile
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ..errors import RunError
from ..language.held import open_plain

# Every place where something is about to be, or has just been, made lasting.
POINTS = (
    "folder-made",
    "lock-taken",
    "file-begun",
    "file-written",
    "file-renamed",
    "store-made",
    "commit-begun",
    "row-written",
    "commit-ready",
    "commit-done",
    "store-closing",
    "store-closed",
)

_visits: dict[str, int] = {}


def crashpoint(name: str) -> None:
    """Nothing, unless this is the visit at which a test wants the process dead."""
    wanted = os.environ.get("EVALANG_FAULT")
    if not wanted:
        return
    point, _, number = wanted.partition(":")
    if point != name:
        return
    _visits[name] = _visits.get(name, 0) + 1
    if _visits[name] == int(number or "1"):
        os.kill(os.getpid(), signal.SIGKILL)


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


_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_NOTE = 512  # bytes of every note, so that none has to be cut before it is written over
_FAR = 2**30  # where Windows locks: what is locked there nobody can read, and the note is at the beginning


@dataclass(frozen=True, slots=True, kw_only=True)
class LockNote:
    """Who holds a run folder, or held it until it was killed; somebody else may have written it."""

    pid: int = 0
    started: str = ""  # when that process began, as the kernel counts
    host: str = ""
    trials: int = 0  # that its store has made lasting
    inode: int = 0  # of the file it was written into: in another it is a copy, and speaks of another folder

    @property
    def here(self) -> bool:
        """Whether it speaks of a process of this machine."""
        return self.pid > 0 and self.host == socket.gethostname()


class FolderLock:
    """Holds `lock` in a run folder. The kernel frees it when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"
        self.before = LockNote()  # of a run that ended early
        self._handle = self._open()

    def note(self, trials: int) -> None:
        """Write down who holds it, and how many trials its store has made lasting."""
        pid, inode = os.getpid(), os.fstat(self._handle).st_ino
        note = LockNote(pid=pid, started=started(pid), host=socket.gethostname(), trials=trials, inode=inode)
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.write(self._handle, json.dumps(asdict(note)).encode().ljust(_NOTE))  # of one length: nothing is cut first
        os.ftruncate(self._handle, _NOTE)  # what somebody else wrote beyond it would make it unreadable

    def keep(self) -> bool:
        """Take it anew if somebody deleted the file, so that no second run gets in; whether that was so."""
        try:
            if os.path.samestat(os.stat(self._path, follow_symlinks=False), os.fstat(self._handle)):
                return False
        except FileNotFoundError:
            if not self._path.parent.is_dir():
                raise RunError(
                    f"{self._path.parent} was deleted or replaced while the run was going on",
                    hint="run again: what was finished and stood in that folder is lost with it",
                ) from None
        except OSError as error:
            raise storage_error(error, self._path) from None
        os.close(self._handle)
        self._handle = -1
        self._handle = self._open()
        return True

    def release(self) -> None:
        """Let the next run in."""
        if self._handle >= 0:
            os.ftruncate(self._handle, 0)
            os.close(self._handle)
            self._handle = -1

    def _open(self) -> int:
        try:
            handle = open_plain(self._path, _OPEN)
        except OSError as error:
            raise storage_error(error, self._path) from None
        self._handle = handle
        try:
            self._take(handle)
        except BaseException as error:
            os.close(handle)
            self._handle = -1
            if isinstance(error, OSError):
                raise storage_error(error, self._path) from None
            raise
        return handle

    def _take(self, handle: int) -> None:
        try:
            _hold(handle)
        except OSError:
            raise self._refusal(_noted(handle)) from None
        self.before = _noted(handle)
        if self.before.inode not in (0, os.fstat(handle).st_ino):
            self.before = LockNote(trials=self.before.trials)  # whoever held the other folder does not hold this one
        if self.before.here and _alive(self.before):
            # The same process, or a file system without locks: the note is all there is to go by.
            raise self._refusal(self.before)
        self.note(self.before.trials)
        crashpoint("lock-taken")

    def _refusal(self, holder: LockNote) -> RunError:
        return RunError(
            f"another run (process {holder.pid or 'unknown'}) is at work in {self._path.parent}",
            hint="wait for it, or give this run a folder of its own with --out",
        )


def _noted(handle: int) -> LockNote:
    os.lseek(handle, 0, os.SEEK_SET)
    try:
        found = json.loads(os.read(handle, 4096) or b"{}")
    except (ValueError, RecursionError):  # a note cut short by a crash, or no note at all, names nobody
        return LockNote()
    known = {name: found[name] for name in LockNote.__slots__ if name in found} if isinstance(found, dict) else {}
    fits = all(type(value) is (str if name in ("started", "host") else int) for name, value in known.items())
    return LockNote(**known) if fits else LockNote()


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
    return _facts(pid)[19]


def _facts(pid: int) -> list[str]:
    """What the kernel tells of a process after its name (proc(5), stat), its state first; empty where it tells none."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    return [""] * 20


def _alive(holder: LockNote) -> bool:
    if sys.platform == "win32":  # the lock has told, and asking with a signal would end the process there
        return False
    try:
        os.kill(holder.pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    state, *_, began = _facts(holder.pid)[:20]
    return not state or (began == holder.started and state not in "ZX")  # one that has ended waits for its parent
