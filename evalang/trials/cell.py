"""A cell of an experiment: one learner on one dataset under one scheme, all its trials."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from ..catalogue.metrics import find_metric
from ..errors import EvalangError, RunError
from ..plans.model import Calibration, Comparison, Learner, Metric, Scheme, Tuning
from ..source.span import NOWHERE
from .keys import digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What is done with a training part, reduced to what makes a difference for this learner."""

    tuning: Tuning | None  # None when nothing is tuned and the tuning part makes no difference
    calibration: Calibration | None
    retrain: bool  # the winner is trained again on training and tuning part together
    tunes: bool

    @property
    def tuning_on_test(self) -> bool:
        """The candidates were trained on the whole training part already (and judged where nobody should: EV208)."""
        return self.tuning is not None and self.tuning.where == "test"

    @property
    def fingerprint(self) -> str:
        """Equal for recipes that train on the same rows in the same way; what it is tuned for comes separately."""
        tuning = self.tuning
        where = (tuning.where, tuning.part, tuning.folds) if tuning is not None else None
        calibration = (self.calibration.where, self.calibration.part) if self.calibration is not None else None
        return digest("inner", where, calibration, self.retrain or tuning is None, self.tunes)

    @property
    def rows_fingerprint(self) -> str:
        """Equal for recipes that cut the training part in the same way."""
        tuning: object = self.tuning.part if self.tuning is not None and self.tuning.where == "part" else None
        tuning = "given" if self.tuning is not None and self.tuning.where == "given" else tuning
        calibration = self.calibration.part if self.calibration is not None else None
        return digest("parts", tuning, calibration)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """All trials of one learner on one dataset under one scheme; `digest` begins the key of each."""

    digest: str
    learner: Learner
    identity: str  # the learner's fingerprint
    written: str  # the same without versions and source: the learner's own seeds belong to it
    dataset: str
    data: str  # content hash of the dataset
    rows: str  # fingerprint of its rows and target without features and names
    scheme: Scheme
    split: str
    seed: int
    recipe: Recipe
    metrics: tuple[Metric, ...]  # what the learner is tuned for, () when it is not
    general: bool  # one winner for all metrics (`tune on 20% for accuracy`)
    partitions: int
    folds: int
    trainings: int
    sized: bool  # how large the trained learner is has to be measured


@dataclass(frozen=True, slots=True)
class Task:
    """One unit of work: some trainings of one fold of one cell. Small, as it travels to a worker."""

    cell: int
    partition: int
    fold: int
    trainings: tuple[int, ...]
    keys: tuple[str, ...]


@contextlib.contextmanager
def at(scheme: Scheme) -> Iterator[None]:
    """What is said of a scheme that the data do not allow points at the scheme in the script."""
    try:
        yield
    except EvalangError as error:
        if error.span == NOWHERE:
            error.span = scheme.span
        raise


def recipe(comparison: Comparison, learner: Learner) -> Recipe:
    """How a comparison treats the training part for one of its learners."""
    tuning = comparison.tuning.value if comparison.tuning is not None else None
    calibration = comparison.calibration
    tunes = bool(learner.grids)
    retrain = comparison.retrains
    if tunes and tuning is None:
        raise RunError(
            f"{learner.name} names values to tune, and {comparison.name} does not say on what",
            hint="add `tune on 20%` or `tune using 5cv` to the comparison",
            span=comparison.span,
        )
    if learner.calibrate != "none" and calibration is None:
        raise RunError(
            f"{learner.name} is to be calibrated, and {comparison.name} does not say on what",
            hint="add `calibrate on 20%` or `calibrate on tuning` to the comparison",
            span=comparison.span,
        )
    if (
        calibration is not None
        and calibration.where == "tuning"
        and (tuning is None or tuning.where not in ("part", "given"))
    ):
        raise RunError(
            f"{comparison.name} calibrates on a tuning part that it does not have",
            hint="add `tune on 20%`, or calibrate on a part of its own",
            span=comparison.span,
        )
    if tunes and not retrain and tuning is not None and tuning.where == "cv":
        raise RunError(
            f"{comparison.name} tunes by cross-validation, which leaves no trained learner to keep",
            hint="drop `without retraining`, or write `tune on 20%`",
            span=comparison.span,
        )
    if not tunes and (retrain or tuning is None or tuning.where not in ("part", "given")):
        tuning = None  # the part would be put back before training
    return Recipe(tuning=tuning, calibration=calibration, retrain=retrain, tunes=tunes)


def tuned_for(comparison: Comparison, task: str) -> tuple[tuple[Metric, ...], bool]:
    """(metrics that choose a winner, whether one winner serves all). Times and sizes choose none: they vary."""
    tuning = comparison.tuning.value if comparison.tuning is not None else None
    if tuning is not None and tuning.metric is not None:
        return (tuning.metric,), True
    steady = tuple(m for m in comparison.metrics if _needs(m) not in ("time", "size"))
    if steady:
        return steady, False
    return (Metric("accuracy" if task == "classification" else "rmse"),), True


def measures_size(comparison: Comparison) -> bool:
    """Whether the size of what was learned is asked for; measuring it costs time, so only then."""
    return any(_needs(m) == "size" for m in comparison.metrics)


def _needs(metric: Metric) -> str:
    entry = find_metric(metric.name)
    return entry.needs if entry is not None else ""
