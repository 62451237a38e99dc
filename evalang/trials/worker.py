"""A worker process: how it is started, what it does with tasks, and how it ends.

`fork` copies this process: it starts at once and shares its tables, but not its threads and GPU contexts, which do not
survive a copy. So code of the user's own runs in copies of Python's fork server (`forkserver`), a process without
threads that has the libraries loaded, or in a new interpreter (`spawn`).
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import faulthandler
import gc
import importlib
import mmap
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from multiprocessing import forkserver
from multiprocessing.connection import Connection, Pipe
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

from threadpoolctl import threadpool_limits

from ..errors import EvalangError, RunError
from .capture import ProcessOutput, ProcessState, resident
from .expand import UNKNOWN, Cell
from .identity import learner_identity
from .learners import Trust, own_class, package_behind
from .options import StartMethod
from .own_code import UnknownSource
from .task import TaskContext, run_task, with_effects

Pipes: TypeAlias = "Connection[Any, Any]"
MAX_GROWTH = 2**30  # bytes by which fits may let a worker grow before it is replaced
IDLE_SECONDS = 20.0  # without a task, after which a process of a dask worker ends
_PR_SET_PDEATHSIG = 1  # prctl(2)
_lock = threading.Lock()


class WorkerSettings(NamedTuple):
    """What a worker has to know besides its context."""

    seconds: float  # limits of one task
    megabytes: int | None = None
    remote: bool = False  # it may be on another machine than the run


class Starter:
    """Starts processes that share a context, which is packed once for those that are no copy of this process."""

    def __init__(self, context: TaskContext | bytes | None, method: StartMethod) -> None:
        self.context, self.method = context, method

    @cached_property
    def packed(self) -> bytes:
        """The context in bytes."""
        return self.context if isinstance(self.context, bytes) else pack_context(self.context)

    def start(self, function: Callable[..., object], *arguments: object) -> tuple[BaseProcess, Pipes]:
        """Call `function(pipe, context, *arguments)` in a new process; OSError where the machine allows none."""
        if not hasattr(os, "killpg"):
            raise OSError(errno.ENOSYS, "this platform has no process groups")
        ours, theirs = Pipe()
        try:
            with theirs, _undisturbed_start(self.method):
                context = self.context if self.method == "fork" else self.packed
                process: BaseProcess = multiprocessing.get_context(self.method).Process(  # type: ignore[attr-defined]
                    target=_enter, args=(function, theirs, context, arguments, dict(os.environ)), daemon=True
                )
                process.start()
        except BaseException:
            ours.close()
            raise
        return process, ours

    def call(self, function: Callable[..., object], *arguments: object) -> Any:
        """Return `function(context, *arguments)` of a process of its own, or raise its EvalangError."""
        process, pipe = self.start(_send_result, function, *arguments)
        try:
            answer = pipe.recv()
        except (EOFError, OSError):
            process.join(1.0)
            raise RunError(f"the process that imports the learners {cause(process.exitcode)}") from None
        finally:
            end(process)
            pipe.close()
        if isinstance(answer, EvalangError):
            raise answer
        return answer


@contextlib.contextmanager
def _undisturbed_start(method: StartMethod) -> Iterator[None]:
    """Let multiprocessing start a process in a dask worker, in a copied process, and without the user's script.

    A dask worker is a daemon, which it refuses; the script would be run once more in every worker.
    """
    config, main = multiprocessing.current_process()._config, sys.modules["__main__"]  # type: ignore[attr-defined]
    daemon = config.pop("daemon", None)
    with _lock, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of BLAS are known to sleep
        if method != "fork":
            sys.modules["__main__"] = ModuleType("__main__")
            forkserver.set_forkserver_preload([__name__, "sklearn.base"])
        try:
            if method == "forkserver":
                _ensure_own_server()
            yield
        finally:
            sys.modules["__main__"] = main
            config.update({} if daemon is None else {"daemon": daemon})


def _ensure_own_server() -> None:
    try:
        forkserver.ensure_running()
    except ChildProcessError:  # the server belongs to the process that this one is a copy of
        forkserver._forkserver._forkserver_pid = None  # type: ignore[attr-defined]
        forkserver.ensure_running()


def _enter(
    function: Callable[..., object],
    pipe: Pipes,
    context: TaskContext | bytes | None,
    arguments: tuple[object, ...],
    environment: dict[str, str],
) -> None:
    """Begin a process that leads a group of its own."""
    gc.freeze()  # objects of the parent refer to files that are closed here
    os.setsid()
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]  # a learner may start some
    if os.environ != environment:  # the fork server has that of its start
        os.environ.clear()
        os.environ.update(environment)
    importlib.invalidate_caches()
    unpacked = pickle.loads(context) if isinstance(context, bytes) else context  # noqa: S301 - from our parent
    function(pipe, unpacked, *arguments)


def _send_result(pipe: Pipes, context: TaskContext | None, function: Callable[..., object], *arguments: object) -> None:
    answer: object
    try:
        answer = function(context, *arguments)
    except EvalangError as error:
        error.__cause__ = error.__context__ = None  # of any class, which may not exist elsewhere
        answer = error.with_traceback(None)
    pipe.send(answer)


def end(process: BaseProcess) -> None:
    """Kill a process with its process group."""
    assert process.pid is not None
    for kill in (os.killpg, os.kill):  # also one that does not lead its group yet
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(process.pid, signal.SIGKILL)
    process.join(5.0)


def cause(code: int | None) -> str:
    """Return how a process ended, as the end of a sentence about its trial."""
    if code is None or code >= 0:
        return f"ended its process (exit code {code})"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    return f"was killed by {name}" + (", which is what running out of memory looks like" if name == "SIGKILL" else "")


def dumps(value: object) -> bytes:
    """Return a pickle that also holds classes written in a notebook."""
    try:
        import cloudpickle
    except ImportError:  # joblib before 1.6 has a copy of it
        from joblib.externals import cloudpickle
    packed: bytes = cloudpickle.dumps(value, protocol=5)
    return packed


def pack_context(context: TaskContext | None) -> bytes:
    """Return the context of a run for another process; unpacking it imports nothing of the user's."""
    if context is None:
        return dumps(None)
    steps = [step for cell in context.cells for step in cell.learner.steps]
    tables = {}
    for name, table in context.tables.items():
        trust = table.trust
        used = {step.name: dumps(trust.objects[step.name]) for step in steps if step.name in trust.objects}
        tables[name] = replace(table, trust=replace(trust, objects=used, code={}))
    return dumps(replace(context, tables=tables, partitions={}))


def serve(pipe: Pipes, context: TaskContext, settings: WorkerSettings) -> None:
    """Run tasks until the pipe closes."""
    seconds, memory, remote = settings
    if sys.platform == "linux":  # the kernel ends this process when its parent dies
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    _close_files_but(pipe.fileno())
    faulthandler.disable()  # the parent reports a crash in one sentence
    output = ProcessOutput()
    threadpool_limits(limits=1)
    # Libraries that are loaded later, and those that ask how many cores there are, take one as well.
    os.environ.update(OMP_NUM_THREADS="1", LOKY_MAX_CPU_COUNT="1")
    state, pid = ProcessState(), os.getpid()
    loaded, checked, most = frozenset(sys.modules), set[int](), 0
    with contextlib.suppress(EOFError, OSError):
        pipe.send(None)  # it is ready
        while True:
            if remote and not pipe.poll(IDLE_SECONDS):
                break  # its run may have been killed
            task = pipe.recv()
            started = time.monotonic()
            if sys.platform != "linux":
                signal.setitimer(signal.ITIMER_REAL, seconds + 5.0)  # should the parent have died meanwhile
            cell = context.cells[task.cell]
            trust = context.tables[cell.dataset].trust
            if task.cell not in checked and is_changed(cell, trust, remote=remote):
                name = cell.learner.name
                far = f"a worker of the cluster has different code of {name} from this machine"
                pipe.send(far if remote else f"the code of {name} was edited during the run")
                break
            with _limited_memory(memory):
                trials = run_task(task, context)
            if os.getpid() != pid:  # a copy that the learner made and let go on: only one of them answers
                os._exit(0)
            trials = with_effects(trials, task, context, output.take(), state, loaded)
            size = resident() or 0
            most = most if checked else size + MAX_GROWTH  # what the first fit loads is no growth
            checked.add(task.cell)
            pipe.send((trials, time.monotonic() - started, size > most))
    os.killpg(pid, signal.SIGKILL)  # also what the learners started


def is_changed(cell: Cell, trust: Trust, *, remote: bool) -> bool:
    """Return whether the code of a learner is another one here: its trials would be those of another learner."""
    kinds = {step.kind for step in cell.learner.steps}
    known = cell.identity.startswith(UNKNOWN) or "python" in kinds  # objects came with the context
    if known or not ("code" in kinds or any(package_behind(step) for step in cell.learner.steps)):
        return False
    try:
        for step in cell.learner.steps:
            if step.kind == "code":
                own_class(step.name, trust)
        return learner_identity(cell.learner, trust) != cell.identity
    except UnknownSource:
        return True
    except EvalangError:  # it cannot be imported: here the trial says so, and another machine lacks it
        return remote


def _close_files_but(pipe: int) -> None:
    """Close every file of the parent: its store, its terminal's input, the pipes of other workers."""
    os.closerange(3, pipe)
    os.closerange(pipe + 1, os.sysconf("SC_OPEN_MAX"))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)


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
