"""What the schedule asks of those who do the work, and the simplest of them: this very process."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import Protocol

from threadpoolctl import threadpool_limits

from .capture import quiet
from .expand import Task
from .fit import Workshop, run_task
from .trial import Failure, Trial


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A task that came back: with its trials, or with what ended the process that worked on it."""

    task: Task
    trials: tuple[Trial, ...] = ()
    crash: Failure | None = None
    seconds: float = 0.0  # that the worker took; not known of a crash


class Executor(Protocol):
    """Takes tasks, gives them back finished, in any order."""

    notes: list[str]

    def room(self) -> int:
        """How many more tasks it wants now."""

    def submit(self, task: Task) -> None:
        """Take a task."""

    def wait(self, seconds: float) -> list[Finished]:
        """What is finished, after so many seconds at most."""

    def busy(self) -> int:
        """Tasks taken and not given back."""

    def hands(self) -> int:
        """Tasks it works on at the same time."""

    def close(self) -> None:
        """End all workers now; what they were doing is lost."""


class Here:
    """Work in this process, one task at a time: no isolation, no limits, nothing to start."""

    def __init__(self, shop: Workshop) -> None:
        self.notes: list[str] = []
        self._shop = shop
        self._tasks: deque[Task] = deque()
        self._limits = threadpool_limits(limits=1)

    def room(self) -> int:
        return 1 - len(self._tasks)

    def submit(self, task: Task) -> None:
        self._tasks.append(task)

    def wait(self, seconds: float) -> list[Finished]:
        if not self._tasks:
            return []
        task = self._tasks.popleft()
        with quiet() as printed:
            trials = run_task(task, self._shop)
        return [Finished(task=task, trials=tuple(replace(t, printed=printed.text()) for t in trials))]

    def busy(self) -> int:
        return len(self._tasks)

    def hands(self) -> int:
        return 1

    def close(self) -> None:
        self._tasks.clear()
        self._limits.restore_original_limits()
