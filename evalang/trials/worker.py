"""The life of a worker process: take a task, run it, send the trials back, and die when the parent dies."""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import os
import resource
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection

from threadpoolctl import threadpool_limits

from .capture import Printed
from .fit import Workshop, run_task

_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


def work(pipe: Connection, inherited: Sequence[Connection], shop: Workshop, memory: int | None, parent: int) -> None:
    """Run tasks until the pipe closes. The process leads a group of its own, so that its children end with it."""
    os.setsid()
    _end_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    for other in inherited:  # with these open, a worker would outlive the parent waiting for a sibling
        other.close()
    faulthandler.disable()  # a crash is told by the parent, in one sentence
    printed = Printed()
    threadpool_limits(limits=1)
    with contextlib.suppress(EOFError, OSError):
        while (task := pipe.recv()) is not None:
            _limit(memory)
            trials = run_task(task, shop)
            text = printed.take()
            pipe.send(tuple(replace(t, printed=text) for t in trials) if text else trials)
    os._exit(0)


def _end_with(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it died before the line above
        os._exit(0)


def _limit(memory: int | None) -> None:
    """So many megabytes beyond what the process has now."""
    if memory is None or sys.platform != "linux":
        return
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (now + memory * 2**20, hard))
