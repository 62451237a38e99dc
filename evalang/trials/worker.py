"""The life of a worker process: take a task, run it, send the trials back, and die when the parent dies."""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from threadpoolctl import threadpool_limits

from ..plans.model import Learner
from .capture import Printed
from .fit import Workshop, load, run_task
from .identity import learner_identity
from .processes import adopt, descendants, end_found, mark, receive, send
from .resolve import package_behind
from .traces import Traces, address_space
from .trial import Trial

_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """The first word of a worker: what goes wrong before it is no learner's fault. `unlike`: why it can do no work."""

    unlike: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAnswer:
    """The trials of a task, how long it took, and why the worker can do no other after it ("" when it can)."""

    trials: tuple[Trial, ...]
    seconds: float
    spent: str = ""


def launched(end: int, parent: int) -> None:
    """A worker that was started anew: its workshop comes through the socket."""
    pipe = socket.socket(fileno=end)
    shop, memory = receive(pipe)
    load(shop)
    work(pipe, shop, memory, parent, unlike(shop))


def work(pipe: socket.socket, shop: Workshop, memory: int | None, parent: int, unlike: str = "") -> None:
    """Run tasks until the pipe closes. The process leads a group of its own, so that its children end with it."""
    if os.getpgrp() != os.getpid():
        os.setsid()
    end_with(parent)
    mark(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    _close_all_but(pipe.fileno())
    pipe.setblocking(True)
    faulthandler.disable()  # a crash is told by the parent, in one sentence
    printed = Printed()
    threadpool_limits(limits=1)
    # Libraries that are loaded later, and those that ask how many cores there are, take one as well.
    os.environ.update(OMP_NUM_THREADS="1", LOKY_MAX_CPU_COUNT="1")
    adopt()
    traces = Traces(memory)
    itself = os.getpid()
    with contextlib.suppress(EOFError, OSError):
        send(pipe, Ready(unlike=unlike))
        while True:
            task = receive(pipe)
            begun = time.monotonic()
            with _limited(memory):
                trials = run_task(task, shop)
            if os.getpid() != itself:  # a copy that the learner made and let go on: one of them answers
                os._exit(0)
            text = printed.take()
            if text:
                trials = tuple(replace(t, printed=text) for t in trials)
            spent = traces.restore(own=_is_own(shop.cells[task.cell].learner))
            send(pipe, TaskAnswer(trials=trials, seconds=time.monotonic() - begun, spent=spent))
            if spent:
                break
    end_found(partial(descendants, os.getpid()))
    os._exit(0)


def unlike(shop: Workshop) -> str:
    """Whose code is another here than where the run began, or is missing: its trials would be those of another."""
    for cell in shop.cells:
        steps = cell.learner.steps
        told = any(step.kind == "code" or package_behind(step) for step in steps)
        told = told and all(step.kind != "python" for step in steps)  # handed over from Python: came with the workshop
        if told and learner_identity(cell.learner, shop.benches[cell.dataset].trust) != cell.identity:
            return f"a worker of the cluster has not the code of {cell.learner.name} that this machine has"
    return ""


def _is_own(learner: Learner) -> bool:
    """Whether code that is not in the catalogue was at work."""
    return any(step.kind in ("code", "python") or package_behind(step) for step in learner.steps)


def end_with(parent: int) -> None:
    """From now on this process ends when its parent does."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it died before the line above
        os._exit(0)


def _close_all_but(pipe: int) -> None:
    """Nothing of the parent's is within a learner's reach: not its store, not its terminal's input, no other pipe."""
    with contextlib.suppress(OSError):
        os.close(0)  # makes room: there may be none left to list them with
    folder = "/proc/self/fd" if sys.platform == "linux" else "/dev/fd"
    try:
        for number in [int(name) for name in os.listdir(folder)]:
            if number > 2 and number != pipe:
                with contextlib.suppress(OSError):
                    os.close(number)
    except OSError:  # nobody mounted it: every number that could be open, then
        os.closerange(3, pipe)
        os.closerange(pipe + 1, os.sysconf("SC_OPEN_MAX"))
    os.open(os.devnull, os.O_RDONLY)  # takes the place of the input


@contextlib.contextmanager
def _limited(memory: int | None) -> Iterator[None]:
    """So many megabytes beyond what the process has now, which is little more than it had at first (traces.py)."""
    if memory is None or sys.platform != "linux":
        yield
        return
    import resource  # not there on every platform

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = sys.maxsize if hard == resource.RLIM_INFINITY else hard  # what was forbidden before is no learner's failure
    resource.setrlimit(resource.RLIMIT_AS, (min(address_space() + memory * 2**20, most), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))  # sending the answer is not the learner's expense
