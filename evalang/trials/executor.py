"""What a run asks of whatever executes its tasks, and the simplest executor: this very process."""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import dataclass, replace
from typing import Protocol

from threadpoolctl import threadpool_limits

from .capture import MAX_PRINTED, captured_output, clean
from .expand import Task
from .identity import imported_code
from .process_state import ProcessState
from .task import TaskContext, run_task
from .trial import Failure, Trial


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A finished task: its trials, or why the process that worked on it ended."""

    task: Task
    trials: tuple[Trial, ...] = ()
    crash: Failure | None = None
    seconds: float = 0.0  # that the worker took; unknown after a crash


class Executor(Protocol):
    """Executes tasks in any order: `InProcessExecutor`, `WorkerPool`, `DaskExecutor`."""

    kernels: dict[str, str]  # linear algebra of remote workers, where it is another one

    @property
    def notes(self) -> list[str]:
        """What the reader of the report has to know."""

    @property
    def concurrency(self) -> int:
        """How many tasks are executed at the same time."""

    def capacity(self) -> int:
        """Return how many more tasks it should be given now."""

    def submit(self, task: Task) -> None:
        """Accept a task."""

    def poll(self, seconds: float) -> list[Finished]:
        """Return the tasks that have finished, after waiting at most so long for the first."""

    def pending(self) -> int:
        """Return the number of tasks submitted and not yet returned."""

    def cancel(self) -> None:
        """End all workers now; unfinished tasks are lost."""


class InProcessExecutor:
    """Executes one task at a time in this process: no isolation, no limits, nothing to start."""

    concurrency = 1

    def __init__(self, context: TaskContext) -> None:
        self.notes: list[str] = []
        self.kernels: dict[str, str] = {}
        self._context = context
        self._tasks: deque[Task] = deque()
        self._threads = threadpool_limits(limits=1)
        self._state = ProcessState()
        self._loaded = frozenset(sys.modules)

    def capacity(self) -> int:
        return 1 - len(self._tasks)

    def submit(self, task: Task) -> None:
        self._tasks.append(task)

    def poll(self, seconds: float) -> list[Finished]:
        if not self._tasks:
            return []
        task = self._tasks.popleft()
        with captured_output() as printed:
            trials = run_task(task, self._context)
        self._state.restore(own_code=bool(task.own_code))
        cell = self._context.cells[task.cell]
        trust = self._context.tables[cell.dataset].trust
        imported = imported_code(cell.learner, trust, self._loaded) if task.own_code else ()
        text = clean(printed.getvalue(), MAX_PRINTED)
        return [Finished(task=task, trials=tuple(replace(t, printed=text, imported=imported) for t in trials))]

    def pending(self) -> int:
        return len(self._tasks)

    def cancel(self) -> None:
        self._tasks.clear()
        self._threads.restore_original_limits()
