"""A plan and its tables become cells (one learner on one dataset under one scheme) and, one after the other, tasks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ..catalogue.metrics import find_metric
from ..data.table import Table
from ..errors import EvalangError, RunError
from ..language.text import NOWHERE
from ..plans.model import Calibration, Comparison, Learner, Metric, Part, Plan, Scheme, Thresholding, Tuning
from ..plans.preparation import Stops, stops_early
from .identity import learner_identity, written_identity
from .learners import NO_TRUST, Trust, needs_clean_process
from .own_code import UnknownSource
from .splits import Cuts, Fold, Rows, rows_fingerprint, shape, split_fingerprint
from .trial import cell_digest, digest, trial_digest

UNKNOWN = "unknown"  # begins the identity of a learner whose source cannot be known


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a comparison uses the training rows of a fold for one learner; what makes no difference to it is left out."""

    tuning: Tuning | None  # None when nothing is tuned and the tuning part makes no difference
    calibration: Calibration | None
    retrain: bool  # the winner is trained again on training and tuning part together
    tunes: bool  # the learner has values to tune
    threshold: Thresholding | None = None
    stopping: Part | None = None
    stops: Stops | None = None  # how the learner's training ends early, None where it does not

    @property
    def cuts(self) -> Cuts:
        """What is cut from each training part."""
        calibration = self.calibration.part if self.calibration is not None else None
        threshold = self.threshold.part if self.threshold is not None else None
        return Cuts(self.tuning, calibration, threshold, self.stopping, self.stops == "on the part")

    def stopping_rows(self, fold: Fold) -> Rows | Part | None:
        """Return what ends training early: rows of the fold, or how many the learner holds out itself."""
        return self.stopping if self.stops == "by itself" else fold.stopping

    @property
    def threshold_before_training(self) -> bool:
        """Whether the threshold is chosen by learners trained for that alone, before the one that is tested."""
        return self.threshold is not None and self.threshold.where == "tuning" and self.retrain

    @property
    def tuning_on_test(self) -> bool:
        """Whether the candidates were trained on the whole training part and scored on the test part (EV208)."""
        return self.tuning is not None and self.tuning.where == "test"

    @property
    def fingerprint(self) -> str:
        """Equal for recipes that train on the same rows in the same way; what it is tuned for comes separately."""
        tuning = self.tuning
        where = (tuning.where, tuning.part, tuning.folds) if tuning is not None else None
        calibration = (self.calibration.where, self.calibration.part) if self.calibration is not None else None
        return digest("inner", where, calibration, self.retrain or tuning is None, self.tunes, *self._later_parts)

    @property
    def _later_parts(self) -> list[object]:
        """What later versions added, only if it is used, so that other trials keep their keys."""
        chosen, stopping = self.threshold, self.stopping
        added: list[object] = []
        added += [("threshold", chosen.where, chosen.part, chosen.metric)] if chosen is not None else []
        return added + ([("stopping", stopping, self.stops)] if stopping is not None else [])

    @property
    def rows_fingerprint(self) -> str:
        """Equal for recipes that cut the training part in the same way."""
        tuning: object = self.tuning.part if self.tuning is not None and self.tuning.where == "part" else None
        tuning = "given" if self.tuning is not None and self.tuning.where == "given" else tuning
        calibration = self.calibration.part if self.calibration is not None else None
        cuts = self.cuts
        threshold = [("threshold", cuts.threshold)] if cuts.threshold is not None else []
        stopping = [("stopping", cuts.stopping, cuts.uses_stopping)] if cuts.stopping is not None else []
        return digest("parts", tuning, calibration, *threshold, *stopping)


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
    cuts: str  # fingerprint of the parts that are cut from each training part
    metrics: tuple[Metric, ...]  # what the learner is tuned for, () when it is not
    general: bool  # one winner for all metrics (`tune on 20% for accuracy`)
    partitions: int
    folds: int
    trainings: int
    own_code: bool  # the learner is the user's own code, so its worker runs no other learner
    sized: bool  # the size of the trained learner is measured


@dataclass(frozen=True, slots=True)
class Task:
    """One unit of work: some trainings of one fold of one cell. Small, as it travels to a worker."""

    cell: int
    partition: int
    fold: int
    trainings: tuple[int, ...]
    keys: tuple[str, ...]
    own_code: str = ""  # identity of a learner of the user's own code: its worker serves no other


@contextlib.contextmanager
def at_scheme(scheme: Scheme) -> Iterator[None]:
    """Let errors about a scheme that the data do not allow point at the scheme in the script."""
    try:
        yield
    except EvalangError as error:
        if error.span == NOWHERE:
            error.span = scheme.span
        raise


def make_recipe(comparison: Comparison, learner: Learner) -> Recipe:
    """Return how a comparison treats the training part for one of its learners."""
    tuning = comparison.tuning.value if comparison.tuning is not None else None
    calibration = comparison.calibration
    tunes = bool(learner.grids)
    retrain = comparison.retrains
    inside = tuning is not None and tuning.where in ("part", "given")
    if tunes and tuning is None:
        message = (
            f"learner `{learner.name}` has values to tune, but comparison `{comparison.name}` sets no rows aside for "
            "tuning"
        )
        raise _error(comparison, message, "add `tune on 20%` or `tune using 5cv` to the comparison")
    if learner.calibrate != "none" and calibration is None:
        message = (
            f"learner `{learner.name}` is calibrated, but comparison `{comparison.name}` sets no rows aside for "
            "calibration"
        )
        raise _error(comparison, message, "add `calibrate on 20%` or `calibrate on tuning` to the comparison")
    if calibration is not None and calibration.where == "tuning" and not inside:
        message = f"comparison `{comparison.name}` calibrates on the tuning part, but has no tuning part"
        raise _error(comparison, message, "add `tune on 20%`, or write `calibrate on 20%`")
    if tunes and not retrain and tuning is not None and tuning.where == "cv":
        message = (
            f"comparison `{comparison.name}` tunes by cross-validation, so there is no single trained learner to keep"
        )
        raise _error(comparison, message, "leave out `without retraining`, or write `tune on 20%`")
    threshold = comparison.threshold
    if learner.threshold is not None and threshold is not None and threshold.part is None:
        threshold = None  # it has its own; a part that the others leave out is left out by it too
    needs_tuning = tunes or (threshold is not None and threshold.where == "tuning")
    if not needs_tuning and (retrain or not inside):
        tuning = None  # the part would be put back before training
    found = Recipe(tuning=tuning, calibration=calibration, retrain=retrain, tunes=tunes, threshold=threshold)
    stops = stops_early(learner) if comparison.stop_early is not None else None
    # A learner without early stopping trains on this part too; it is cut only if another part depends on it.
    cut = stops is not None or any(found.cuts.sizes(10**6)[1:])
    return replace(found, stopping=comparison.stop_early if cut else None, stops=stops)


def _error(comparison: Comparison, message: str, hint: str) -> RunError:
    return RunError(message, hint=hint, span=comparison.span)


def tuned_for(comparison: Comparison, task: str) -> tuple[tuple[Metric, ...], bool]:
    """Return the metrics that choose a winner, and whether one winner serves all; times and sizes choose none."""
    tuning = comparison.tuning.value if comparison.tuning is not None else None
    if tuning is not None and tuning.metric is not None:
        return (tuning.metric,), True
    steady = tuple(m for m in comparison.metrics if _needs(m) not in ("time", "size"))
    if steady:
        return steady, False
    return (Metric("accuracy" if task == "classification" else "rmse"),), True


def _needs(metric: Metric) -> str:
    entry = find_metric(metric.name)
    return entry.needs if entry is not None else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The cells of a plan, and which of them each comparison looks at."""

    cells: tuple[Cell, ...]
    places: Mapping[tuple[str, str, str], int]  # (comparison, dataset, learner) -> place in cells
    trainings: tuple[tuple[str, int], ...]  # of each learner; cells that several share have the most of any
    notes: tuple[str, ...] = ()  # learners whose stored trials cannot be used

    @property
    def trials(self) -> int:
        """Trials in all."""
        return sum(c.partitions * c.folds * c.trainings for c in self.cells)

    def cell(self, comparison: str, dataset: str, learner: str) -> Cell:
        """The cell behind one entry of a comparison's table."""
        return self.cells[self.places[comparison, dataset, learner]]


def expand(plan: Plan, tables: Mapping[str, Table], trust: Trust = NO_TRUST, run_id: str = "") -> Layout:
    """Return the cells of all statements; equal ones are merged, with the largest counts of any.

    `run_id` takes the place of a source that cannot be known: such trials belong to this run alone.
    """
    learners = {learner.name: learner for learner in plan.learners}
    identities: dict[str, tuple[str, str]] = {}
    notes: list[str] = []
    rows: dict[str, str] = {}
    merged: dict[str, Cell] = {}
    wanted: dict[tuple[str, str, str], str] = {}
    for comparison in plan.comparisons:
        if comparison.data != "datasets" or comparison.scheme is None:
            continue
        for dataset in comparison.datasets:
            if dataset not in tables:
                raise _error(comparison, f"the data of dataset `{dataset}` is not loaded", "load it before running")
            if dataset not in rows:
                rows[dataset] = rows_fingerprint(tables[dataset])
            for name in comparison.learners:
                learner = learners[name]
                if name not in identities:
                    try:
                        identity = learner_identity(learner, trust)
                    except UnknownSource as reason:
                        identity = f"{UNKNOWN} {name} {run_id}"
                        notes.append(f"{reason}, so every run fits {name} again")
                    identities[name] = identity, written_identity(learner, trust)
                cell = _cell(comparison, tables[dataset], learner, identities[name], rows[dataset], trust)
                wanted[comparison.name, dataset, name] = cell.digest
                merged[cell.digest] = _merge(merged[cell.digest], cell) if cell.digest in merged else cell
    place = {key: number for number, key in enumerate(merged)}
    cells = tuple(_with_final_digest(cell) for cell in merged.values())
    trainings = tuple((name, learners[name].trainings) for name in identities)
    places = {where: place[key] for where, key in wanted.items()}
    return Layout(cells=cells, places=places, trainings=trainings, notes=tuple(notes))


def tasks(layout: Layout) -> Iterator[Task]:
    """Yield every task, partition by partition, so that learners on the same folds follow one another."""
    most = max((cell.partitions for cell in layout.cells), default=0)
    for partition in range(most):
        for number, cell in enumerate(layout.cells):
            if partition < cell.partitions:
                for fold in range(cell.folds):
                    yield from _of_fold(number, cell, partition, fold)


def keys(cell: Cell) -> Iterator[tuple[int, int, int, str]]:
    """Yield (partition, fold, training, key) of every trial of a cell."""
    for partition in range(cell.partitions):
        for fold in range(cell.folds):
            for training in range(cell.trainings):
                yield partition, fold, training, trial_digest(cell.digest, partition, fold, training)


def split_key(cell: Cell, partition: int, fold: int) -> str:
    """Return the key under which the rows of a fold are stored, once for all learners."""
    return digest("split", cell.data, cell.split, cell.cuts, cell.seed, partition, fold)


def _of_fold(number: int, cell: Cell, partition: int, fold: int) -> Iterator[Task]:
    each = [(training,) for training in range(cell.trainings)]
    # Tuning is done once for all trainings of a fold, so they are one task; without it each can go its own way.
    together = cell.recipe.tunes or cell.recipe.threshold_before_training
    for trainings in [tuple(range(cell.trainings))] if together else each:
        names = tuple(trial_digest(cell.digest, partition, fold, training) for training in trainings)
        yield Task(number, partition, fold, trainings, names, cell.identity if cell.own_code else "")


def _cell(
    comparison: Comparison, table: Table, learner: Learner, identities: tuple[str, str], rows: str, trust: Trust
) -> Cell:
    scheme = comparison.scheme
    assert scheme is not None
    recipe = make_recipe(comparison, learner)
    metrics, general = tuned_for(comparison, table.task) if recipe.tunes else ((), True)
    with at_scheme(scheme):
        partitions, folds = shape(scheme, table)
        split = split_fingerprint(scheme, table)
    seed = comparison.seed.value if comparison.seed is not None else 0
    # Metrics that each choose a winner of their own are gathered over the statements; one `for METRIC` is not.
    inner = digest(recipe.fingerprint, general, [m.label for m in metrics] if general else [])
    return Cell(
        digest=cell_digest(table.content_hash, identities[0], split, inner, seed),
        learner=learner,
        identity=identities[0],
        written=identities[1],
        dataset=table.name,
        data=table.content_hash,
        rows=rows,
        scheme=scheme,
        split=split,
        seed=seed,
        recipe=recipe,
        cuts=recipe.rows_fingerprint,
        metrics=metrics,
        general=general,
        partitions=partitions,
        folds=folds,
        trainings=learner.trainings,
        own_code=needs_clean_process(learner, trust),
        sized=any(_needs(m) == "size" for m in comparison.metrics),  # measuring it costs time
    )


def _merge(one: Cell, other: Cell) -> Cell:
    """Return one cell for the trials of two statements: with the larger counts, and the metrics of both."""
    larger = max(one, other, key=lambda cell: cell.partitions)
    return replace(
        one,
        scheme=larger.scheme,
        partitions=larger.partitions,
        folds=max(one.folds, other.folds),
        trainings=max(one.trainings, other.trainings),
        metrics=tuple({m.label: m for m in (*one.metrics, *other.metrics)}.values()),
        sized=one.sized or other.sized,
    )


def _with_final_digest(cell: Cell) -> Cell:
    """Return the cell with its final digest, which covers the metrics of tuning and whether sizes are measured."""
    metrics = cell.metrics if cell.general else tuple(sorted(cell.metrics, key=lambda m: m.label))
    more = [*([] if cell.general else [m.label for m in metrics]), *(["size"] if cell.sized else [])]
    return replace(cell, metrics=metrics, digest=digest(cell.digest, more)) if more else cell
