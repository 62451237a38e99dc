"""Starting a worker process: forked, which gives it the data for nothing, or launched anew where that is not safe."""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import signal
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from .fit import Workshop, load
from .processes import descendants, forget, starting
from .worker import work

LAUNCHED = "import sys; sys.path[:] = {path!r}; from {entry} as live; live({end}, {parent})"


class Process(Protocol):
    """A child process."""

    pid: int

    def poll(self) -> int | None:
        """Its exit code, negative for a signal; None while it lives."""

    def join(self, seconds: float) -> None:
        """Wait for its end, so long at most."""


@dataclass(frozen=True, slots=True)
class Started:
    """A process, the parent's end of its socket, and what has to be sent first."""

    process: Process
    end: socket.socket
    first: bytes = b""


Start = Callable[[Any, "int | None"], Started]


def start(shop: Workshop, memory: int | None) -> Started:
    """The better way here: forking is only safe on Linux. OSError where no worker can be started."""
    return fork(shop, memory) if sys.platform == "linux" and hasattr(os, "fork") else launch(shop, memory)


def fork(shop: Workshop, memory: int | None) -> Started:
    """A copy of this process, with the tables it has already."""
    load(shop)
    ours, theirs = socket.socketpair()
    parent = os.getpid()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()
    try:
        with warnings.catch_warnings(), starting() as began:
            warnings.simplefilter("ignore", DeprecationWarning)  # threads of BLAS are known to sleep
            pid = os.fork()
            began(pid)
    except BaseException:
        ours.close()
        theirs.close()
        raise
    if pid:
        theirs.close()
        return Started(Forked(pid), ours)
    try:
        # What the parent forgot holds numbers of files that are others here: it is the parent's to collect.
        gc.freeze()
        work(theirs, shop, memory, parent)
    finally:
        os._exit(70)


def launch(shop: Workshop, memory: int | None) -> Started:
    """A new interpreter that gets its workshop through the socket."""
    return launch_packed(pack(shop, memory))


def pack(shop: Workshop, memory: int | None) -> bytes:
    """What a launched worker is told first."""
    try:
        from cloudpickle import dumps  # comes with dask; it also takes classes that somebody wrote in a notebook
    except ImportError:
        from pickle import dumps
    packed: bytes = dumps((shop, memory), protocol=5)
    return packed


def launch_packed(packed: bytes, entry: str = "evalang.trials.worker import launched") -> Started:
    """The same for a workshop that is packed already, and for whoever else gets one."""
    if not hasattr(os, "killpg"):
        raise OSError(errno.ENOSYS, "this platform has no process groups")
    ours, theirs = socket.socketpair()
    code = LAUNCHED.format(path=sys.path, entry=entry, end=theirs.fileno(), parent=os.getpid())
    try:
        end, null = theirs.fileno(), subprocess.DEVNULL
        with starting() as began:
            process = subprocess.Popen(
                [sys.executable, "-c", code], pass_fds=(end,), stdin=null, start_new_session=True
            )
            began(process.pid)
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    return Started(_Launched(process), ours, packed)


class Forked:
    """A child of this process by its number."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def poll(self) -> int | None:
        if self._code is None:
            try:
                found, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # somebody else has taken note of its end
                self._code = 255
            else:
                self._code = os.waitstatus_to_exitcode(status) if found else None
            if self._code is not None:
                forget(self.pid)
        return self._code

    def join(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while self.poll() is None and time.monotonic() < until:
            time.sleep(0.002)


class _Launched:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.pid = process.pid
        self._process = process

    def poll(self) -> int | None:
        code = self._process.poll()
        if code is not None:
            forget(self.pid)
        return code

    def join(self, seconds: float) -> None:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return


def signal_group(process: Process, number: int) -> None:
    """To the whole group that a worker leads, and to the worker itself should it not have got that far."""
    below = descendants(process.pid) if process.poll() is None else set()
    for send in (os.killpg, os.kill):
        if send is os.kill and process.poll() is not None:
            break
        with contextlib.suppress(ProcessLookupError, PermissionError):
            send(process.pid, number)
    for pid in below:  # also those that left the group
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def cause(code: int | None) -> str:
    """How a process ended, as the end of a sentence about its trial."""
    if code is None or code >= 0:
        return f"ended its process (exit code {code})"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    return f"was killed by {name}" + (", which is what running out of memory looks like" if name == "SIGKILL" else "")
