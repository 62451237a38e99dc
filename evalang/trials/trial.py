"""A trial: one learner trained once on one fold of one dataset with one seed, and its predictions; keys and seeds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..codec import compared_names, is_record
from ..plans.model import Literals, Metric

_SEED_BOUND = 2**31 - 1  # scikit-learn's estimators take seeds below 2**32; some libraries want a signed 32-bit one


def plain(value: object) -> Any:
    """Return a plan's record as JSON values, without the fields that are not compared (spans, reasons).

    >>> from evalang.plans.model import Part
    >>> plain(Part(fraction=0.2))
    {'': 'Part', 'fraction': ['float', '0.2'], 'rows': None}
    """
    if value is None or type(value) in (str, int):  # most values
        return value
    if is_record(value):
        named: dict[str, Any] = {"": type(value).__name__}
        named.update((name, plain(getattr(value, name))) for name in compared_names(type(value)))
        return named
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, str | bool | int | float):
        # True == 1 == 1.0 in Python, yet a learner may treat them differently.
        return [type(value).__name__, repr(value)] if isinstance(value, float | bool) else value
    raise TypeError(f"{type(value).__name__} has no fingerprint")


def digest(*parts: object) -> str:
    """Return a hash of values that is equal in every process and on every machine.

    >>> digest("iris", 10) == digest("iris", 10), digest("iris", 10) == digest("iris", "10")
    (True, False)
    """
    text = json.dumps([plain(part) for part in parts], sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def stream(root: int, *parts: object) -> np.random.Generator:
    """Return a random stream that depends on the seed and the key alone."""
    return np.random.Generator(np.random.PCG64(_sequence(root, parts)))


def seed(root: int, *parts: object) -> int:
    """Return an estimator's `random_state`, which depends on the seed and the key alone."""
    return int(digest(root, *parts), 16) % _SEED_BOUND


def _sequence(root: int, parts: tuple[object, ...]) -> np.random.SeedSequence:
    words = bytes.fromhex(digest(*parts))[:16]
    spawn = tuple(int.from_bytes(words[i : i + 4], "big") for i in range(0, 16, 4))
    # A negative seed is a legal thing to write; entropy is not.
    return np.random.SeedSequence(abs(root) * 2 + (root < 0), spawn_key=spawn)


Values = NDArray[Any]
Numbers = NDArray[np.float64]
Parameters = tuple[tuple[str, Literals], ...]

FailureKind = Literal["exception", "memory", "timeout", "signal", "exit", "contract", "import", "warning"]


# Which rule divides the rows. Trials of another rule have other keys, so that the two never meet in one table.
# 1: by content, names included (0.1). 2: by the number of rows, classes and groups by first appearance, and the seed.
DEALING = 2


def cell_digest(data: str, learner: str, split: str, inner: str, seed: int) -> str:
    """Return the key of all trials of one learner on one dataset under one scheme.

    `data` is the content hash of what was really read; `learner` the fingerprint of steps, parameters, values tried and
    the versions or source behind them; `split` that of the division; `inner` that of tuning and calibration.
    """
    return digest("cell", DEALING, data, learner, split, inner, seed)


def trial_digest(cell: str, partition: int, fold: int, training: int) -> str:
    """Return the key of one of a cell's trials."""
    return hashlib.sha256(f"{cell} {partition} {fold} {training}".encode()).hexdigest()[:40]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a trial has no answer."""

    kind: FailureKind
    error: str
    message: str
    limits: str = ""  # the time and memory limit in force, where they are the cause
    place: str = ""  # file and line of the last frame in the user's own code
    traceback: str = ""  # as Python prints it, with the paths of the machine it ran on


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


Scorer = Callable[[Metric, Predicted], float]  # `score_candidate` of the scores layer


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnerAnswer:
    """What one trained learner predicts for the test rows; `metrics` are those it was tuned for, () means all."""

    metrics: tuple[str, ...]
    labels: Values  # codes of the classes, or numbers
    scores: Numbers | None  # [n] the score of the second class, or [n, classes]
    probabilities: bool
    chosen: Parameters
    size: int | None
    threshold: float | None = None  # from which score on the second class is predicted, where that was chosen
    rounds: int | None = None  # after which training ended, where it was to end early
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
    answers: tuple[LearnerAnswer, ...] = ()
    tuned_for: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    warnings: tuple[tuple[str, str, int], ...] = ()  # category, message, how often
    failure: Failure | None = None
    printed: str = ""
    seconds: float | None = None  # its share of its task: tuning, training, calibrating, predicting
    imported: tuple[tuple[str, str], ...] = ()  # modules and packages behind own code; see identity.imported_code
    memory: int | None = None  # bytes by which its process grew at most while it ran; None where it is unknown

    def answer(self, metric: str) -> LearnerAnswer | None:
        """Return the answer of the winner for a metric, by its label; the first if none was tuned for it."""
        for given in self.answers:
            if not given.metrics or metric in given.metrics:
                return given
        return self.answers[0] if self.answers else None
