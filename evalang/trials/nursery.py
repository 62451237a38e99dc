"""Workers on a machine of a cluster after the first: copies of one process that has everything loaded.

A dask worker has threads, so it may not fork, and a new interpreter takes seconds: too long for a learner that ends its
process in every trial. The nursery has no threads. It forks a process that forks the worker and ends, so the worker
becomes a child of the dask worker, which has adopted all below it, and is waited for there as any other.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import struct
import sys
import time
from typing import NoReturn

from .fit import load
from .processes import exactly, receive, send_packed, starting
from .starting import Forked, Process, Started, launch_packed, signal_group
from .worker import end_with, unlike, work

PATIENCE = 60.0  # seconds for it to load everything, and for a copy
_NUMBER = struct.Struct("!q")
_DONE = b"."


class Nursery:
    """The dask worker's side: `start` as often as a worker is wanted."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._first = True
        self._process: Process | None = None
        self._end: socket.socket | None = None

    def start(self) -> Started:
        """The first is launched: most runs never need another. OSError where no worker can be started."""
        if self._first or sys.platform != "linux":
            self._first = False
            return launch_packed(self._packed)
        try:
            return self._copy(self._end or self._open())
        except (OSError, EOFError):
            self.close()
            return launch_packed(self._packed)

    def close(self) -> None:
        if self._end is not None:
            self._end.close()
        if self._process is not None:
            signal_group(self._process, signal.SIGKILL)
            self._process.join(1.0)
        self._end = self._process = None

    def _open(self) -> socket.socket:
        started = launch_packed(self._packed, f"{__name__} import nurse")
        self._process, self._end = started.process, started.end
        self._end.settimeout(PATIENCE)
        send_packed(self._end, started.first)
        exactly(self._end, len(_DONE))
        return self._end

    def _copy(self, end: socket.socket) -> Started:
        ours, theirs = socket.socketpair()
        try:
            with starting() as began:
                socket.send_fds(end, [_DONE], [theirs.fileno()])
                pid = _NUMBER.unpack(exactly(end, _NUMBER.size))[0]
                began(pid)
                exactly(end, len(_DONE))  # whoever forked it has ended
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)  # OSError unless it is ours by now
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        return Started(Forked(pid), ours)


def nurse(end: int, parent: int) -> NoReturn:
    """The nursery's side: a worker for every socket that comes, until nobody is there to send one."""
    end_with(parent)
    pipe = socket.socket(fileno=end)
    shop, memory = receive(pipe)
    load(shop)
    problem = unlike(shop)
    gc.freeze()
    pipe.sendall(_DONE)
    while True:
        _, numbers, *_ = socket.recv_fds(pipe, len(_DONE), 1)
        if not numbers:
            os._exit(0)
        between = os.fork()
        if not between:
            try:
                between = os.getpid()
                pid = os.fork()
                if pid:
                    pipe.sendall(_NUMBER.pack(pid))
                else:
                    while os.getppid() == between:
                        time.sleep(0.001)
                    work(socket.socket(fileno=numbers[0]), shop, memory, parent, problem)
            finally:
                os._exit(0)
        os.close(numbers[0])
        os.waitpid(between, 0)
        pipe.sendall(_DONE)
