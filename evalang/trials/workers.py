"""Local worker processes under one single-threaded parent.

Each worker has a pipe of its own and leads a process group of its own. A worker that dies takes one trial with it and
no other; its group is swept, another takes its place. Written here and not taken from Pebble, which waits for ever
for a learner that calls `os._exit(0)`, gives up when an idle worker dies, and measures time limits by the wall clock.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from .cell import Task
from .executor import Finished
from .fit import Workshop
from .options import RunOptions
from .trial import Failure, FailureKind
from .worker import work

AHEAD = 0.1  # seconds of work a worker has at hand, so that it never waits for the parent to commit
LEAST_AHEAD, MOST_AHEAD = 2, 64  # tasks
GRACE = 5.0  # seconds between SIGTERM and SIGKILL


@dataclass(slots=True, kw_only=True, eq=False)
class _Worker:
    process: BaseProcess
    pipe: Connection
    tasks: deque[Task] = field(default_factory=deque)
    begun: float = 0.0  # when the first of its tasks began, by a clock that never jumps
    pace: float = AHEAD  # seconds that its tasks took of late

    def late(self, limit: float) -> bool:
        return time.monotonic() - self.begun > limit

    def room(self) -> int:
        return min(MOST_AHEAD, max(LEAST_AHEAD, int(AHEAD / self.pace))) - len(self.tasks)

    def finish(self) -> Task:
        now = time.monotonic()
        self.pace = max(1e-4, 0.7 * self.pace + 0.3 * (now - self.begun))
        self.begun = now
        return self.tasks.popleft()


class Local:
    """`jobs` processes on this machine."""

    def __init__(self, shop: Workshop, options: RunOptions) -> None:
        self.notes: list[str] = []
        self._shop = shop
        self._options = options
        self._context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self._workers: list[_Worker] = []
        self._ending: list[tuple[BaseProcess, float]] = []
        self._returned: list[Finished] = []
        self._wanted = max(1, options.jobs)
        self._fill()

    @property
    def standing(self) -> int:
        """Workers alive."""
        return len(self._workers)

    def room(self) -> int:
        return sum(max(0, worker.room()) for worker in self._workers)

    def busy(self) -> int:
        return sum(len(worker.tasks) for worker in self._workers) + len(self._returned)

    def submit(self, task: Task) -> None:
        worker = min(self._workers, key=lambda one: len(one.tasks) * one.pace)
        if not worker.tasks:
            worker.begun = time.monotonic()
        worker.tasks.append(task)
        with contextlib.suppress(OSError):  # a dead worker is noticed, and its tasks go on, in `wait`
            worker.pipe.send(task)

    def wait(self, seconds: float) -> list[Finished]:
        self._sweep()
        if self._workers and not self._returned:
            limit = self._options.trial_seconds
            if limit is not None:
                seconds = min(
                    [seconds, *(max(0.0, w.begun + limit - time.monotonic()) for w in self._workers if w.tasks)]
                )
            wait([*(w.pipe for w in self._workers), *(w.process.sentinel for w in self._workers)], seconds)
        finished, self._returned = self._returned, []
        for worker in tuple(self._workers):
            finished += self._collect(worker)
        return finished

    def close(self) -> None:
        for worker in self._workers:
            _signal(worker.process, signal.SIGKILL)
        for process, _ in self._ending:
            _signal(process, signal.SIGKILL)
        for process in [*(w.process for w in self._workers), *(p for p, _ in self._ending)]:
            process.join(GRACE)
        for worker in self._workers:
            worker.pipe.close()
        self._workers, self._ending = [], []

    def _collect(self, worker: _Worker) -> list[Finished]:
        """Results of one worker; then whether it died or took too long."""
        finished: list[Finished] = []
        gone = False
        try:
            while worker.pipe.poll():
                trials = worker.pipe.recv()
                finished.append(Finished(task=worker.finish(), trials=trials))
        except (EOFError, OSError, pickle.UnpicklingError, IndexError):
            gone = True
        if gone or not worker.process.is_alive():
            finished += self._bury(worker)
        elif (limit := self._options.trial_seconds) is not None and worker.tasks and worker.late(limit):
            finished += self._stop(worker, limit)
        return finished

    def _bury(self, worker: _Worker) -> list[Finished]:
        _signal(worker.process, signal.SIGKILL)  # what it started dies with it
        worker.process.join(GRACE)
        code = worker.process.exitcode
        return self._replace(worker, Failure(kind=_kind(code), error="WorkerDied", message=_cause(code)))

    def _stop(self, worker: _Worker, limit: float) -> list[Finished]:
        _signal(worker.process, signal.SIGTERM)
        self._ending.append((worker.process, time.monotonic() + GRACE))
        words = f"took longer than {limit:g} seconds"
        return self._replace(
            worker, Failure(kind="timeout", error="Timeout", message=words, limits=self._options.limits)
        )

    def _replace(self, worker: _Worker, failure: Failure) -> list[Finished]:
        """The first of its tasks was under way and is to blame; the others never began and go to somebody else."""
        self._workers.remove(worker)
        worker.pipe.close()
        self._fill()
        finished = [Finished(task=worker.tasks.popleft(), crash=failure)] if worker.tasks else []
        for task in worker.tasks:
            if self._workers:
                self.submit(task)
            else:
                self._returned.append(Finished(task=task, crash=failure))
        return finished

    def _fill(self) -> None:
        while len(self._workers) < self._wanted:
            try:
                self._workers.append(self._start())
            except OSError as error:
                if self._workers:
                    self._wanted = len(self._workers)
                reason = error.strerror or error
                self.notes.append(f"{len(self._workers)} of {self._options.jobs} workers could be started: {reason}")
                return

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        inherited = [ours, *(worker.pipe for worker in self._workers)] if sys.platform == "linux" else []
        arguments = (theirs, inherited, self._shop, self._options.trial_memory, os.getpid())
        process = self._context.Process(target=work, args=arguments, name="evalang-worker")
        try:
            process.start()
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        return _Worker(process=process, pipe=ours)

    def _sweep(self) -> None:
        """Those told to stop are gone after a grace, whatever they do with signals."""
        now = time.monotonic()
        for process, until in tuple(self._ending):
            if not process.is_alive() or now > until:
                _signal(process, signal.SIGKILL)
                process.join(GRACE)
                self._ending.remove((process, until))


def _signal(process: BaseProcess, number: int) -> None:
    """To the whole group that a worker leads, and to the worker itself should it not have got that far."""
    if process.pid is None:
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
    if process.exitcode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process.pid, number)


def _kind(code: int | None) -> FailureKind:
    return "signal" if code is not None and code < 0 else "exit"


def _cause(code: int | None) -> str:
    if code is None or code >= 0:
        return f"ended its process (exit code {code})"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    return f"was killed by {name}" + (", which is what running out of memory looks like" if name == "SIGKILL" else "")
