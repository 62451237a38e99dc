"""Start processes: a copy of this one (fork), a copy of a clean one (forkserver), or a new interpreter (spawn).

A copy of this process starts at once and shares its tables, but not its threads and GPU contexts, which do not survive
a copy. So code of the user's own runs in copies of a fork server: a process without threads that has the tables and
the libraries, and has never imported anything of the user's.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import importlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection, Pipe
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from ..errors import RunError

if TYPE_CHECKING:
    from .task import TaskContext

StartMethod = Literal["fork", "forkserver", "spawn"]
Pipes: TypeAlias = "Connection[Any, Any]"
_SPAWNED = "import sys; sys.path[:] = {}; from evalang.trials.processes import spawned; spawned({}, {}, {}, {!r})"


class Process(Protocol):
    """A child process: of this one, of the fork server, or a `subprocess.Popen`."""

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


def fork(child: Callable[[], object]) -> Process:
    """Call a function in a copy of this process, which ends with it."""
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
        child()
    finally:
        os._exit(70)


def spawn(pipe: Pipes, packed: bytes, entry: str) -> subprocess.Popen[bytes]:
    """Call `entry(pipe, unpacked, parent)` in a new interpreter, which reads `packed` from a file without a name."""
    if not hasattr(os, "killpg"):
        raise OSError(errno.ENOSYS, "this platform has no process groups")
    with tempfile.TemporaryFile() as file:
        file.write(packed)
        file.seek(0)
        numbers = (pipe.fileno(), file.fileno())
        code = _SPAWNED.format(sys.path, *numbers, os.getpid(), entry)
        return subprocess.Popen(
            [sys.executable, "-c", code], pass_fds=numbers, stdin=subprocess.DEVNULL, start_new_session=True
        )


def spawned(pipe: int, file: int, parent: int, entry: str) -> None:
    """Run a spawned process."""
    with open(file, "rb") as stream:
        unpacked = pickle.load(stream)  # noqa: S301 - written by the process that started this one
    resolve_name(entry)(Connection(pipe), unpacked, parent)


def dumps(value: object) -> bytes:
    """Return a pickle that also holds classes written in a notebook."""
    try:
        import cloudpickle
    except ImportError:  # joblib before 1.6 has a copy of it
        from joblib.externals import cloudpickle
    packed: bytes = cloudpickle.dumps(value, protocol=5)
    return packed


class PackedObjects(Mapping[str, Any]):
    """Objects given from Python, unpacked by the worker that asks for one: unpacking imports the user's code."""

    def __init__(self, objects: Mapping[str, Any]) -> None:
        self._packed: dict[str, Any] = {name: dumps(value) for name, value in objects.items()}

    def __getitem__(self, name: str) -> Any:
        if isinstance(self._packed[name], bytes):
            self._packed[name] = pickle.loads(self._packed[name])  # noqa: S301 - packed by the run's process
        return self._packed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def pack_context(context: TaskContext) -> bytes:
    """Return the context of a run for another process; unpacking it imports nothing of the user's."""
    steps = [step for cell in context.cells for step in cell.learner.steps]
    tables = {}
    for name, table in context.tables.items():
        trust = table.trust
        used = {step.name: trust.objects[step.name] for step in steps if step.name in trust.objects}
        tables[name] = replace(table, trust=replace(trust, objects=PackedObjects(used), code={}))
    return dumps(replace(context, tables=tables, partitions={}))


class Starter:
    """Starts processes that share a context. An entry point is called with (pipe, context, argument, parent)."""

    def __init__(self, context: TaskContext | bytes | None, method: StartMethod) -> None:
        self.method = method
        self._context = None if isinstance(context, bytes) else context
        self._packed = context if isinstance(context, bytes) else b""
        self._token = ""  # under which the fork server knows the context

    @property
    def context(self) -> TaskContext | None:
        """The context, unpacked where it came in bytes."""
        if self._context is None and self._packed:
            self._context = pickle.loads(self._packed)  # noqa: S301 - packed by us
        return self._context

    @property
    def packed(self) -> bytes:
        """The context in bytes, packed once."""
        if not self._packed:
            self._packed = dumps(None) if self._context is None else pack_context(self._context)
        return self._packed

    def start(self, entry: str, argument: object) -> tuple[Process, Pipes]:
        """Start a process; OSError where the machine allows none."""
        ours, theirs = Pipe()
        with theirs:
            try:
                return self._start(theirs, entry, argument), ours
            except BaseException:
                ours.close()
                raise

    def call(self, entry: str, argument: object = None) -> Any:
        """Return what a function sends from a process of its own, or raise the exception that it sends."""
        process, pipe = self.start(entry, argument)
        try:
            answer = pipe.recv()
        except (EOFError, OSError):
            raise RunError(f"the process that imports the learners {cause(exit_code(process, 1.0))}") from None
        finally:
            end(process)
            pipe.close()
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def close(self) -> None:
        """Let the fork server forget the context."""
        if self._token:
            with contextlib.suppress(OSError):
                fork_server().forget(self._token)
            self._token = ""

    def _start(self, pipe: Pipes, entry: str, argument: object) -> Process:
        if self.method == "fork":
            return fork(partial(resolve_name(entry), pipe, self.context, argument, os.getpid()))
        if self.method == "spawn":
            return spawn(pipe, dumps((entry, self.packed, argument)), f"{__name__}:spawned_call")
        server = fork_server()
        if not self._token or not server.knows(self._token):
            self._token = uuid.uuid4().hex
            server.load(self._token, self.packed)
        return server.fork(pipe, entry, self._token, argument)


def spawned_call(pipe: Pipes, unpacked: tuple[str, bytes, object], parent: int) -> None:
    """Call the entry point of a spawned process."""
    entry, packed, argument = unpacked
    resolve_name(entry)(pipe, pickle.loads(packed), argument, parent)  # noqa: S301 - packed by us


class ForkServer:
    """A clean process that forks others on request, and ends when its pipe closes."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._lock = threading.Lock()
        self._known: set[str] = set()
        self._pipe, theirs = Pipe()
        with theirs:
            self._process = spawn(theirs, dumps(None), f"{__name__}:serve_forks")

    @property
    def alive(self) -> bool:
        """Whether this process started it and it still runs."""
        return self.owner == os.getpid() and self._process.poll() is None

    def knows(self, token: str) -> bool:
        """Return whether a context was loaded and not forgotten."""
        return token in self._known

    def load(self, token: str, packed: bytes) -> None:
        """Keep a context for the processes to come."""
        self._ask("load", token, send=lambda: self._pipe.send_bytes(packed))
        self._known.add(token)

    def forget(self, token: str) -> None:
        """Free the memory of a context."""
        self._known.discard(token)
        self._ask("forget", token)

    def fork(self, pipe: Pipes, entry: str, token: str, argument: object) -> Process:
        """Call an entry point in a new process, with the environment, path and folder that this process has now."""
        from multiprocessing.reduction import send_handle

        now = (dict(os.environ), sys.path[:], os.getcwd())
        hand_over = partial(send_handle, self._pipe, pipe.fileno(), self._process.pid)
        return _Served(self, self._ask("fork", entry, token, dumps(argument), now, send=hand_over))

    def poll(self, pid: int) -> int | None:
        """Return the exit code of one of its processes; they end with the server."""
        try:
            found: int | None = self._ask("poll", pid)
        except OSError:
            return 255
        return found

    def close(self) -> None:
        """End the server and everything that it started."""
        if self.owner == os.getpid():
            self._pipe.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(5.0)

    def _ask(self, *request: object, send: Callable[[], object] | None = None) -> Any:
        with self._lock:
            try:
                self._pipe.send(request)
                if send is not None:
                    send()
                answer = self._pipe.recv()
            except BaseException as error:  # whoever asked next would get this answer
                self._process.kill()
                if isinstance(error, EOFError | OSError):
                    raise OSError(errno.EPIPE, "the process that starts workers was ended") from None
                raise
        if isinstance(answer, OSError):
            raise answer
        return answer


class _Served:
    """A child of the fork server."""

    def __init__(self, server: ForkServer, pid: int) -> None:
        self.pid, self._server = pid, server
        self._exit_code: int | None = None

    def poll(self) -> int | None:
        if self._exit_code is None:
            self._exit_code = self._server.poll(self.pid)
        return self._exit_code


_server: ForkServer | None = None


def fork_server() -> ForkServer:
    """Return the fork server of this process, started when it is first needed."""
    global _server
    if _server is None or not _server.alive:
        _server = ForkServer()
        atexit.register(_server.close)
    return _server


def serve_forks(pipe: Pipes, _: None, parent: int) -> None:
    """Answer requests until the pipe closes, then end all processes that were started."""
    from . import worker  # noqa: F401 - numpy, pandas and scikit-learn, for all processes to share
    from .task import import_learners

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    contexts: dict[str, Any] = {}
    children: dict[int, Process] = {}
    with contextlib.suppress(EOFError, OSError):
        while True:
            answer: object = None
            match pipe.recv():
                case ("load", token):
                    try:
                        contexts[token] = pickle.loads(pipe.recv_bytes())  # noqa: S301 - from our parent
                        if contexts[token] is not None:
                            import_learners(contexts[token])
                    except Exception as error:
                        answer = OSError(errno.EINVAL, f"the tables cannot be read: {type(error).__name__}: {error}")
                case ("forget", token):
                    contexts.pop(token, None)
                    gc.collect()
                case ("poll", pid):
                    child = children.get(pid)
                    answer = 255 if child is None else child.poll()
                    if answer is not None:
                        children.pop(pid, None)
                case ("fork", entry, token, argument, now):
                    answer = _fork_for(pipe, children, partial(_run_entry, entry, contexts.get(token), argument, now))
            pipe.send(answer)
    for child in children.values():
        end(child)


def _fork_for(pipe: Pipes, children: dict[int, Process], entry: Callable[..., object]) -> int | OSError:
    from multiprocessing.reduction import recv_handle

    handle = recv_handle(pipe)
    try:
        child = fork(partial(entry, handle, os.getpid()))
    except OSError as error:
        return error
    finally:
        os.close(handle)
    children[child.pid] = child
    return child.pid


def _run_entry(
    entry: str, context: object, argument: bytes, now: tuple[dict[str, str], list[str], str], handle: int, server: int
) -> None:
    os.setsid()
    environment, path, folder = now
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:] = path
    with contextlib.suppress(OSError):
        os.chdir(folder)
    importlib.invalidate_caches()
    resolve_name(entry)(Connection(handle), context, pickle.loads(argument), server)  # noqa: S301 - from our parent


def end(process: Process) -> None:
    """Kill a process with its process group."""
    for kill in (os.killpg, os.kill):  # also one that does not lead its group yet
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(process.pid, signal.SIGKILL)
    exit_code(process, 5.0)


def exit_code(process: Process, seconds: float) -> int | None:
    """Return the exit code of a process, after waiting at most so long for its end."""
    until = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < until:
        time.sleep(0.001)
    return process.poll()


def cause(code: int | None) -> str:
    """Return how a process ended, as the end of a sentence about its trial."""
    if code is None or code >= 0:
        return f"ended its process (exit code {code})"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    return f"was killed by {name}" + (", which is what running out of memory looks like" if name == "SIGKILL" else "")
