"""What a run leaves behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .expand import Layout
from .trial import Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedTrial:
    """A trial without an answer, by the names the script uses."""

    learner: str
    dataset: str
    partition: int
    fold: int
    training: int
    failure: Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsteady:
    """A trial that gave another answer when it was run a second time."""

    learner: str
    dataset: str
    partition: int
    fold: int
    training: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The trials of a plan, in a store; how many were run now, how many were there, what failed, what to know."""

    folder: Path
    layout: Layout
    total: int
    ran: int
    reused: int
    failed: tuple[FailedTrial, ...]
    notes: tuple[str, ...]
    interrupted: bool
    seconds: float
    environment: Mapping[str, Any]
    verified: int = 0  # trials run a second time (`RunOptions.verify`)
    unsteady: tuple[Unsteady, ...] = ()  # those of them that came out differently
    keeper: object = None  # holds a temporary folder

    @property
    def complete(self) -> bool:
        """Whether every trial of the plan is there, failed or not."""
        return self.ran + self.reused == self.total

    @property
    def resume(self) -> str:
        """What to tell somebody whose run was stopped."""
        missing = self.total - self.ran - self.reused
        return f"{missing} of {self.total} trials are still to do; run the same command again to go on from here"
