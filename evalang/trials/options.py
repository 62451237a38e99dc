"""How a run is executed, as opposed to what it computes: nothing here changes a result."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ..plans.cost import TRIAL_SECONDS
from ..plans.model import Plan
from .learners import CodeFacts
from .own_code import NO_CODE, LocalCode

StartMethod = Literal["fork", "forkserver", "spawn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """`jobs` worker processes; 0 runs everything in this process, where nothing can be isolated or stopped.

    None: as many as there are cores to work on.
    """

    jobs: int | None = 1
    fresh: bool = False
    keep_failures: bool = False  # failed trials of an earlier run are not tried again
    folder: Path | None = None  # None: a temporary one, gone with the outcome
    within: Path | None = None  # came with the script: below it no link leads to the folder
    trial_seconds: float | None = None  # None: TRIAL_SECONDS
    trial_memory: int | None = None  # megabytes a trial may take beyond what its worker has
    trusted: frozenset[str] = frozenset()
    local: LocalCode = NO_CODE  # the trusted code that lies beside the script
    code: Mapping[str, CodeFacts] = field(default_factory=dict, repr=False)  # what a worker found of it, by step
    start_method: StartMethod | None = None  # of worker processes; None: fork, and forkserver for own code
    objects: Mapping[str, object] = field(default_factory=dict, repr=False)
    scheduler: str | None = None  # tcp://… of a dask scheduler
    verify: int = 0  # so many finished trials are run again, to find learners that ignore their seed
    pilot: float | None = None  # a few trials of each learner on each dataset, none started after so many seconds
    fail_on_warning: bool = False  # a warning of a learner is a failure of its trial
    failed_now: set[str] = field(default_factory=set, repr=False, compare=False)  # keys: `until settled` runs in parts
    run_id: str = field(default_factory=lambda: uuid.uuid4().hex, compare=False)  # see expand
    files: Mapping[str, str] = field(default_factory=dict, repr=False)  # script and plan, to lie in the run folder

    @property
    def limit(self) -> float:
        """The seconds after which a fit is ended."""
        return TRIAL_SECONDS if self.trial_seconds is None else self.trial_seconds

    @property
    def limit_text(self) -> str:
        """The time limit as text."""
        if self.trial_seconds is not None:
            return f"{self.trial_seconds:g} seconds"
        return f"{TRIAL_SECONDS / 3600:g} hours (--trial-seconds sets another limit)"

    @property
    def limits(self) -> str:
        """The limits as text, stored with the failures they cause."""
        seconds = "" if self.trial_seconds is None else f"{self.trial_seconds:g} s"
        memory = "" if self.trial_memory is None else f"{self.trial_memory} MB"
        return ", ".join(word for word in (seconds, memory) if word)


ONE_BY_ONE = "times are compared, so fits run one after another; --jobs overrides this"


def compares_times(plan: Plan) -> bool:
    """Return whether seconds are a metric: then fits that run side by side would disturb each other."""
    return any((card := m.card) is not None and card.needs == "time" for c in plan.comparisons for m in c.metrics)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is. `rate` is trials a second, `left` the seconds still to go (None while unknown)."""

    done: int
    total: int
    failed: int
    rate: float
    left: float | None
    at_least: bool = False  # a task of unknown length is under way
    reused: int = 0  # of those that are done: from an earlier run


Report = Callable[[Progress], None]
