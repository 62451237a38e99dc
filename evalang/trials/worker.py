"""The life of a worker process, from the first task to the end of its pipe or its parent."""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import mmap
import os
import pickle
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from threadpoolctl import threadpool_limits

from ..errors import EvalangError
from .capture import ProcessOutput, ProcessState
from .expand import UNKNOWN, Cell, Task
from .identity import imported_code, learner_identity
from .learners import Trust, own_class, package_behind
from .own_code import UnknownSource
from .task import TaskContext, run_task

MAX_GROWTH = 2**30  # bytes by which fits may let a worker grow before it is replaced
_PR_SET_PDEATHSIG = 1  # prctl(2)


class WorkerSettings(NamedTuple):
    """What a worker has to know besides its context."""

    seconds: float | None = None  # limits of one task
    megabytes: int | None = None
    remote: bool = False  # it may be on another machine than the run


def serve(pipe: Connection[Any, Any], context: TaskContext, settings: WorkerSettings, parent: int) -> None:
    """Run tasks until the pipe closes, in a process that leads a group of its own and ends with its parent."""
    seconds, memory, remote = settings
    if os.getpgrp() != os.getpid():
        os.setsid()
    end_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    _close_files_but(pipe.fileno())
    faulthandler.disable()  # the parent reports a crash in one sentence
    output = ProcessOutput()
    threadpool_limits(limits=1)
    # Libraries that are loaded later, and those that ask how many cores there are, take one as well.
    os.environ.update(OMP_NUM_THREADS="1", LOKY_MAX_CPU_COUNT="1")
    state, pid, most = ProcessState(), os.getpid(), address_space() + MAX_GROWTH
    loaded, checked = frozenset(sys.modules), set[int]()
    with contextlib.suppress(EOFError, OSError):
        pipe.send("")
        while True:
            task = Task(*pickle.loads(pipe.recv_bytes()))  # noqa: S301 - from the process that started this one
            started = time.monotonic()
            if seconds is not None and sys.platform != "linux":
                signal.setitimer(signal.ITIMER_REAL, seconds + 5.0)  # should the parent have died meanwhile
            cell = context.cells[task.cell]
            trust = context.tables[cell.dataset].trust
            if task.cell not in checked and is_changed(cell, trust, remote=remote):
                pipe.send(cell.learner.name)
                break
            with _limited_memory(memory):
                trials = run_task(task, context)
            if os.getpid() != pid:  # a copy that the learner made and let go on: only one of them answers
                os._exit(0)
            printed = output.take()
            if printed:
                trials = tuple(replace(trial, printed=printed) for trial in trials)
            state.restore(own_code=bool(task.own_code))
            if task.own_code:
                if task.cell not in checked:  # the libraries that it imports first are no growth
                    most = max(most, address_space() + MAX_GROWTH)
                imported = imported_code(cell.learner, trust, loaded)
                trials = tuple(replace(trial, imported=imported) for trial in trials)
            checked.add(task.cell)
            pipe.send((trials, time.monotonic() - started, address_space() > most))
    os.killpg(pid, signal.SIGKILL)  # also what the learners started


def is_changed(cell: Cell, trust: Trust, *, remote: bool) -> bool:
    """Return whether the code of a learner is another one here: its trials would be those of another learner."""
    steps = cell.learner.steps
    if cell.identity.startswith(UNKNOWN) or any(step.kind == "python" for step in steps):
        return False  # objects came with the context
    if not any(step.kind == "code" or package_behind(step) for step in steps):
        return False
    try:
        for step in steps:
            if step.kind == "code":
                own_class(step.name, trust)
        return learner_identity(cell.learner, trust) != cell.identity
    except UnknownSource:
        return True
    except EvalangError:  # it cannot be imported: here the trial says so, and another machine lacks it
        return remote


def end_with_parent(parent: int) -> None:
    """Let the kernel end this process when its parent dies."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it died before the line above
        os._exit(0)


def _close_files_but(pipe: int) -> None:
    """Close every file of the parent: its store, its terminal's input, the pipes of other workers."""
    with contextlib.suppress(OSError):
        os.close(0)  # before the others are listed, which takes a file too
    # Not a range up to SC_OPEN_MAX: containers allow a billion files, and older C libraries close them one by one.
    numbers = map(int, os.listdir("/dev/fd")) if os.path.isdir("/dev/fd") else range(3, 4096)
    for number in numbers:
        if number > 2 and number != pipe:
            with contextlib.suppress(OSError):
                os.close(number)
    os.open(os.devnull, os.O_RDONLY)  # takes the place of the input


@contextlib.contextmanager
def _limited_memory(megabytes: int | None) -> Iterator[None]:
    """Allow so many megabytes beyond what the process has now."""
    if megabytes is None or sys.platform != "linux":
        yield
        return
    import resource  # not there on every platform

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = sys.maxsize if hard == resource.RLIM_INFINITY else hard
    resource.setrlimit(resource.RLIMIT_AS, (min(address_space() + megabytes * 2**20, most), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))  # sending the answer is not the learner's expense


def address_space() -> int:
    """Return the size of this process's address space in bytes; 0 where it is unknown."""
    with contextlib.suppress(OSError), open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[0]) * mmap.PAGESIZE
    return 0
