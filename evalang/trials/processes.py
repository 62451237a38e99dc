"""The processes of a run: spoken to without waiting, and found and ended with all that they started."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import pickle
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from .files import started

_ADOPTS = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)
_UNLIMITED = 2**62  # microseconds
_SIGNS = 2**48  # at most
_NESTED = 16  # runs of which each was started by a learner of the one before
_known: set[int] = set()  # workers of this process, whichever pool they belong to
_starting = threading.Lock()
_adopting = 0  # pools that want it


@contextlib.contextmanager
def starting() -> Iterator[Callable[[int], None]]:
    """While a worker is started nobody takes it for an orphan; call with its number as soon as it has one."""
    with _starting:
        yield _known.add


def forget(pid: int) -> None:
    """A worker that has ended."""
    _known.discard(pid)


def adopt(more: int = 1) -> None:
    """From now on orphans below this process become its children; with -1, not any more if nobody else wants it."""
    global _adopting
    _adopting += more
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_ADOPTS, int(_adopting > 0), 0, 0, 0)


def children(pid: int) -> set[int]:
    """The children of all its threads."""
    found: set[int] = set()
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found.update(map(int, file.read().split()))
    return found


def descendants(pid: int) -> set[int]:
    """Everything below a process."""
    found: set[int] = set()
    todo = children(pid)
    while todo:
        found |= todo
        todo = {below for one in todo for below in children(one)} - found
    return found


def end_all(pids: set[int], seconds: float = 1.0) -> None:
    """Kill processes, and reap those that are our own."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + seconds
    while pids and time.monotonic() < until:
        for pid in tuple(pids):
            with contextlib.suppress(ChildProcessError):
                if os.waitpid(pid, os.WNOHANG) == (0, 0):
                    continue
            pids = pids - {pid}
        time.sleep(0.001)


def end_found(find: Callable[[], set[int]], seconds: float = 1.0) -> set[int]:
    """End what is found until nothing more is: the end of one brings those below it to light, or it made another."""
    ended: set[int] = set()
    until = time.monotonic() + seconds
    while (found := find() - ended) and time.monotonic() < until:
        end_all(found)
        ended |= found
    return ended


def mark(parent: int) -> None:
    """Sign this process, and whatever it will ever start, as a worker's of that one.

    The sign is a limit that only realtime processes meet, and after an age: the kernel hands it on to every copy and
    every other program, whatever becomes of names and environments, and nobody but root can raise it again.
    """
    if sys.platform == "linux":
        import resource  # not there on every platform

        limit = _limit(os.getpid())
        with contextlib.suppress(OSError, ValueError, ZeroDivisionError):
            resource.setrlimit(resource.RLIMIT_RTTIME, (limit - _sign(parent, started(parent), limit),) * 2)


def orphans() -> set[int]:
    """Children of this process that a worker of its own left behind."""
    mine = _limit(os.getpid())
    with _starting:
        return {pid for pid in children(os.getpid()) - _known if 0 < mine - _limit(pid) <= _NESTED * _signs(mine)}


def left_behind(parent: int, began: str) -> set[int]:
    """What the workers of a process that is gone have left on this machine; `began` as `started` says it."""
    mine = _limit(os.getpid())
    wanted = mine - _sign(parent, began, mine) if _signs(mine) == _SIGNS else -1  # of few signs two may be the same
    with contextlib.suppress(OSError):
        return {int(name) for name in os.listdir("/proc") if name.isdigit() and _limit(int(name)) == wanted}
    return set()


def _sign(parent: int, began: str, limit: int) -> int:
    """Below a limit that nobody lowered before, no two processes since the machine began share it."""
    return 1 + int(hashlib.sha256(f"{parent} {began!a}".encode()).hexdigest()[:12], 16) % _signs(limit)


def _signs(limit: int) -> int:
    """How many there are: so few that a limit of somebody else's is taken for none of them."""
    return min(_SIGNS, limit // 64)


def _limit(pid: int) -> int:
    """The hard limit of a process on its realtime work, in microseconds; 0 where nobody tells."""
    with contextlib.suppress(OSError, IndexError), open(f"/proc/{pid}/limits", "rb") as file:
        found = file.read().partition(b"Max realtime timeout")[2].split()[1]
        return int(found) if found.isdigit() else _UNLIMITED
    return 0


_SIGNED = b"evalang\0"  # begins every message: what a learner writes into the socket is told from half of one
_HEADER = struct.Struct(f"!{len(_SIGNED)}sQ")
LONGEST = 2**32  # bytes; what announces more is no message of ours
_PIECE = 2**18
_TURN = 256  # pieces read at one time, so that a talkative worker cannot keep the others waiting


class Channel:
    """The parent's end. `gone` says why nothing more will come through it, "" while something may."""

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self.gone = ""
        self._end = end
        self._coming, self._going = bytearray(), bytearray()

    @property
    def pending(self) -> bool:
        """Whether something is still to be written."""
        return bool(self._going) and not self.gone

    def fileno(self) -> int:
        """For a selector."""
        return self._end.fileno()

    def put(self, message: bytes) -> None:
        """Send a message, now or as soon as there is room."""
        self._going += _HEADER.pack(_SIGNED, len(message)) + message
        self.flush()

    def flush(self) -> None:
        """Write as much as the socket takes without waiting."""
        try:
            while self._going and not self.gone:
                del self._going[: self._end.send(self._going[:_PIECE])]
        except BlockingIOError:
            return
        except OSError:  # whatever the other end still said is to be read first: reading finds out that it is gone
            self._going.clear()

    def take(self) -> list[Any]:
        """The messages that have come in whole, without waiting for the rest of any."""
        self._read()
        found: list[Any] = []
        while self._coming:
            if not _SIGNED.startswith(self._coming[: len(_SIGNED)]):
                self.gone = "sent through the pipe of its process what is no answer"
                break
            if len(self._coming) < _HEADER.size:
                break
            _, length = _HEADER.unpack_from(self._coming)
            if length > LONGEST:
                self.gone = f"announced a message of {length} bytes"
                break
            end = _HEADER.size + length
            if len(self._coming) < end:
                break
            body = bytes(self._coming[_HEADER.size : end])
            del self._coming[:end]
            try:
                found.append(pickle.loads(body))  # noqa: S301 - our own worker's words, or a trusted learner's
            except Exception as error:
                self.gone = f"sent what cannot be read ({type(error).__name__})"
                break
        return found

    def close(self) -> None:
        self._end.close()

    def _read(self) -> None:
        try:
            for _ in range(_TURN):
                piece = self._end.recv(_PIECE)
                if not piece:
                    self.gone = self.gone or "closed its pipe"
                    return
                self._coming += piece
        except BlockingIOError:
            return
        except OSError:
            self.gone = self.gone or "closed its pipe"


def send(end: socket.socket, message: object) -> None:
    """The worker's way: it may wait, as the parent always reads."""
    send_packed(end, pickle.dumps(message, protocol=5))


def send_packed(end: socket.socket, body: bytes) -> None:
    """The same for a message that is packed already."""
    end.sendall(_HEADER.pack(_SIGNED, len(body)))
    end.sendall(body)


def receive(end: socket.socket) -> Any:
    """The next message for a worker; EOFError when the parent is gone."""
    _, length = _HEADER.unpack(exactly(end, _HEADER.size))
    return pickle.loads(exactly(end, length))  # noqa: S301 - from the process that started this one


def exactly(end: socket.socket, count: int) -> bytes:
    """So many bytes; EOFError when there are fewer."""
    found = bytearray()
    while len(found) < count:
        piece = end.recv(min(_PIECE, count - len(found)))
        if not piece:
            raise EOFError
        found += piece
    return bytes(found)
