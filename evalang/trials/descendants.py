"""Processes that a process started, and those that they started: also the ones that left its group to outlive it.

On Linux a worker adopts what its children leave behind, and the parent what a worker leaves behind when it dies, so
that a daemon of a learner's making is found below one of them. Below the parent there may be processes of the user's as
well, so a worker carries a mark that whatever it starts inherits; without the mark nothing is touched. Elsewhere the
process group is all there is.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from .lock import started

_ADOPTS = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)
_NAME = 15  # PR_SET_NAME of prctl(2)
_MARK = "EVALANG_WORKER_OF"
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


def mark(parent: int) -> None:
    """Sign this process as a worker of that one: a copy of it keeps the name, another program the environment."""
    os.environ[_MARK] = _sign(parent)
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_NAME, _sign(parent).encode(), 0, 0, 0)


def orphans() -> set[int]:
    """Children of this process that a worker of its own left behind."""
    sign = _sign(os.getpid())
    with _starting:
        return {pid for pid in children(os.getpid()) - _known if _signed(pid, sign)}


def _sign(parent: int) -> str:
    """Fits a process name, which has fifteen characters at most; no two processes since the machine began share it."""
    return "ev-" + hashlib.sha256(f"{parent} {started(parent)}".encode()).hexdigest()[:12]


def _signed(pid: int, sign: str) -> bool:
    with contextlib.suppress(OSError):
        if Path(f"/proc/{pid}/comm").read_bytes().strip() == sign.encode():
            return True
        return f"{_MARK}={sign}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return False
