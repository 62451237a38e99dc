"""A worker process: how it is started, and its life, from the first task to the end of its pipe or its parent."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import faulthandler
import gc
import mmap
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing.connection import Connection
from pkgutil import resolve_name
from typing import Any, Protocol

from threadpoolctl import threadpool_limits

from .capture import ProcessOutput
from .expand import UNKNOWN, Task
from .identity import learner_identity
from .learners import package_behind
from .process_state import ProcessState
from .reached_code import UnknownSource
from .task import TaskContext, import_learners, run_task

MAX_GROWTH = 2**30  # bytes by which fits may let a worker grow before it is replaced
SPAWNED = "import sys; sys.path[:] = {}; from evalang.trials.worker import spawned; spawned({}, {}, {}, {!r})"
_PR_SET_PDEATHSIG = 1  # prctl(2)
Limits = tuple[float | None, int | None]  # seconds and megabytes of one task


class Process(Protocol):
    """A child process: a forked one or a `subprocess.Popen`."""

    pid: int

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal; None while it is alive."""


class Forked:
    """A forked child of this process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._exit_code: int | None = None

    def poll(self) -> int | None:
        if self._exit_code is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # something else in this process has waited for it
                self._exit_code = 255
            else:
                self._exit_code = os.waitstatus_to_exitcode(status) if pid else None
        return self._exit_code


def fork(pipe: Connection[Any, Any], context: TaskContext, limits: Limits) -> Process:
    """Start a copy of this process, which has the tables already."""
    parent = os.getpid()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of BLAS are known to sleep
        pid = os.fork()
    if pid:
        return Forked(pid)
    try:
        gc.freeze()  # objects of the parent refer to files that are closed here
        serve(pipe, context, limits, parent)
    finally:
        os._exit(70)


def pack_context(context: TaskContext) -> bytes:
    """Return what a spawned worker loads before its first task."""
    try:
        from cloudpickle import dumps  # comes with dask; it also takes classes written in a notebook
    except ImportError:
        from pickle import dumps
    packed: bytes = dumps(context, protocol=5)
    return packed


def spawn(
    pipe: Connection[Any, Any], packed: bytes, entry: str = "evalang.trials.worker:serve_spawned"
) -> subprocess.Popen[bytes]:
    """Start a new interpreter, which reads its context from a file without a name."""
    if not hasattr(os, "killpg"):
        raise OSError(errno.ENOSYS, "this platform has no process groups")
    with tempfile.TemporaryFile() as file:
        file.write(packed)
        file.seek(0)
        numbers = (pipe.fileno(), file.fileno())
        code = SPAWNED.format(sys.path, *numbers, os.getpid(), entry)
        return subprocess.Popen(
            [sys.executable, "-c", code], pass_fds=numbers, stdin=subprocess.DEVNULL, start_new_session=True
        )


def spawned(pipe: int, file: int, parent: int, entry: str) -> None:
    """Run a spawned process: load its context, then call its entry point."""
    with open(file, "rb") as stream:
        context = pickle.load(stream)  # noqa: S301 - written by the process that started this one
    import_learners(context)
    resolve_name(entry)(Connection(pipe), context, changed_code(context), parent)


def serve_spawned(pipe: Connection[Any, Any], context: TaskContext, mismatch: str, parent: int) -> None:
    """Run tasks as a forked worker does; its limits come first."""
    serve(pipe, context, pipe.recv(), parent, mismatch)


def changed_code(context: TaskContext) -> str:
    """Return whose code is different or missing here, as a sentence; its trials would be those of another learner."""
    for cell in context.cells:
        steps = cell.learner.steps
        compared = any(step.kind == "code" or package_behind(step) for step in steps)
        compared = compared and all(step.kind != "python" for step in steps)  # objects came with the context
        compared = compared and not cell.identity.startswith(UNKNOWN)
        try:
            known = not compared or learner_identity(cell.learner, context.tables[cell.dataset].trust) == cell.identity
        except UnknownSource:
            known = False
        if not known:
            return f"a worker of the cluster has not the code of {cell.learner.name} that this machine has"
    return ""


def serve(pipe: Connection[Any, Any], context: TaskContext, limits: Limits, parent: int, mismatch: str = "") -> None:
    """Run tasks until the pipe closes, in a process that leads a group of its own and ends with its parent."""
    seconds, memory = limits
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
    with contextlib.suppress(EOFError, OSError):
        pipe.send(mismatch)
        while True:
            task = Task(*pickle.loads(pipe.recv_bytes()))  # noqa: S301 - from the process that started this one
            started = time.monotonic()
            if seconds is not None and sys.platform != "linux":
                signal.setitimer(signal.ITIMER_REAL, seconds + 5.0)  # should the parent have died meanwhile
            with _limited_memory(memory):
                trials = run_task(task, context)
            if os.getpid() != pid:  # a copy that the learner made and let go on: only one of them answers
                os._exit(0)
            printed = output.take()
            if printed:
                trials = tuple(replace(trial, printed=printed) for trial in trials)
            state.restore(own_code=bool(task.own_code))
            pipe.send((trials, time.monotonic() - started, address_space() > most))
    os.killpg(pid, signal.SIGKILL)  # also what the learners started


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
