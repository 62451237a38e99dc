"""A trial: one learner trained once on one fold of one dataset with one seed, and everything it said."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..plans.model import Literals, Metric
from .keys import digest

Values = NDArray[Any]
Numbers = NDArray[np.float64]
Parameters = tuple[tuple[str, Literals], ...]

FailureKind = Literal["exception", "memory", "timeout", "signal", "exit", "contract", "import", "warning"]

# What two runs of the same plan may differ in; everything else is the same to the byte.
VOLATILE = ("fit_seconds", "predict_seconds", "printed", "finished", "environment", "folder")


# Which rule deals the rows. A trial of another rule has another name, so that the two never meet in one table.
# 1: by content, names included (0.1). 2: by the number of rows, classes and groups by first appearance, and the seed.
DEALING = 2


def cell_digest(data: str, learner: str, split: str, inner: str, seed: int) -> str:
    """The name of all trials of one learner on one dataset under one scheme, the same in every process.

    `data` is the content hash of what was really read; `learner` the fingerprint of steps, parameters, values tried and
    the versions or source behind them; `split` that of the division; `inner` that of tuning and calibration.
    """
    return digest("cell", DEALING, data, learner, split, inner, seed)


def trial_digest(cell: str, partition: int, fold: int, training: int) -> str:
    """The name of one of a cell's trials."""
    return hashlib.sha256(f"{cell} {partition} {fold} {training}".encode()).hexdigest()[:40]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a trial has no answer. `trace` is a hash of where it happened, the same wherever it ran."""

    kind: FailureKind
    error: str
    message: str
    trace: str = ""
    limits: str = ""  # the time and memory limit in force, where they are the cause


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predicted:
    """Truth and predictions of the same rows, for choosing among candidates."""

    truth: Values
    labels: Values
    scores: Numbers | None
    probabilities: bool
    classes: tuple[str, ...]
    positive: int | None
    weights: Numbers | None


Judge = Callable[[Metric, Predicted], float]  # a function of the scores layer, handed down


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Given:
    """What one trained learner says for the test rows; `metrics` are those it was tuned for, () means all."""

    metrics: tuple[str, ...]
    labels: Values  # codes of the classes, or numbers
    scores: Numbers | None  # [n] the score of the second class, or [n, classes]
    probabilities: bool
    chosen: Parameters
    size: int | None
    fit_seconds: float
    predict_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A setting tried in tuning with its score for each metric; None where it failed."""

    parameters: Parameters
    scores: tuple[float | None, ...]
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trial:
    """One trial, finished or failed. Its test rows belong to the fold and are kept once for all learners."""

    key: str
    partition: int
    fold: int
    training: int
    train_size: int
    test_size: int
    answers: tuple[Given, ...] = ()
    tuned_for: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    warnings: tuple[tuple[str, str, int], ...] = ()  # category, message, how often
    failure: Failure | None = None
    printed: str = ""

    def answer(self, metric: str) -> Given | None:
        """The answer of the winner for a metric, by its label; the first if nobody was tuned for it."""
        for given in self.answers:
            if not given.metrics or metric in given.metrics:
                return given
        return self.answers[0] if self.answers else None
