"""`simulate type-I of TESTS`: how often tests call two learners of equal error rate different (Dietterich 1998)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from ...plans.model import Simulation
from ...results.records import SimulationOutcome
from . import pvalues
from .designs import DATASETS, ERROR, FOLDS, RESAMPLES, ROWS, Settings, outcome
from .draws import (
    Floats,
    World,
    blocks,
    classify_folds,
    classify_holdout,
    classify_resamples,
    dietterich,
    draw_kinds,
    stream,
)

_TIMES = {"resampled-t": RESAMPLES, "corrected-t": RESAMPLES, "kfold-t": FOLDS, "averaged-t": FOLDS}


def type_one(simulation: Simulation) -> Iterator[SimulationOutcome]:
    """Yield one outcome for each test, number of rows, error rate and (where it plays a part) number of resamples."""
    settings = Settings(dict(simulation.settings))
    for test in simulation.subjects:
        for rows in settings.values("n", ROWS):
            for times in _times(test, settings):
                for error in settings.values("error", ERROR):
                    yield _cell(simulation, settings, test, int(rows), error, times)


def _cell(
    simulation: Simulation, settings: Settings, test: str, rows: int, error: float, times: int | None
) -> SimulationOutcome:
    world, rejected = dietterich(error), 0
    for block, trials in blocks(settings.trials):
        draw = partial(stream, settings.seed, rows, error, settings.shared, block)
        kinds = draw_kinds(world, rows, trials, draw("rows"))
        p = _pvalues(test, world, kinds, rows, times, settings, draw)
        rejected += int(np.count_nonzero(p <= settings.alpha))
    cell: list[tuple[str, float]] = [("n", float(rows)), ("error", error)]
    if times is not None:
        cell.append((_word(test), float(times)))
    if settings.shared:
        cell.append(("shared", settings.shared))
    if settings.alpha != 0.05:
        cell.append(("alpha", settings.alpha))
    return outcome(simulation.name, "type-I", test, tuple(cell), rejected, settings.trials)


def _pvalues(
    test: str,
    world: World,
    kinds: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    rows: int,
    times: int | None,
    settings: Settings,
    draw: Callable[..., np.random.Generator],
) -> Floats:
    """Return p of each trial; tests of the same kind of evidence see the very same test sets."""
    third = round(rows / 3)
    if test in pvalues.OUTCOMES:
        return pvalues.pvalues(test, classify_holdout(world, kinds, rows, third, settings.shared, draw("holdout")))
    if test in pvalues.DATASETS:
        several = np.column_stack(
            [_one_dataset(world, rows, kinds.size, settings, draw("dataset", i)) for i in range(times or 1)]
        )
        return pvalues.pvalues(test, several)
    if test in ("resampled-t", "corrected-t"):
        return pvalues.pvalues(
            test,
            classify_resamples(
                world, kinds, rows, third, times or RESAMPLES, settings.shared, draw("resamples", times or 0)
            ),
        )
    if test.startswith("5x2cv"):
        return pvalues.pvalues(test, classify_folds(world, kinds, rows, 5, 2, settings.shared, draw("5x2cv"), beta=0.0))
    partitions, folds = (1, times or FOLDS) if test == "kfold-t" else (times or FOLDS, FOLDS)
    key = ("folds", partitions, folds)
    return pvalues.pvalues(test, classify_folds(world, kinds, rows, partitions, folds, settings.shared, draw(*key)))


def _one_dataset(world: World, rows: int, trials: int, settings: Settings, rng: np.random.Generator) -> Floats:
    """Return differences of accuracy on a third of a data set of its own."""
    kinds = draw_kinds(world, rows, trials, rng)
    found = classify_holdout(world, kinds, rows, round(rows / 3), settings.shared, rng)
    return np.asarray((found.second_only - found.first_only) / found.rows)


def _times(test: str, settings: Settings) -> tuple[int | None, ...]:
    """Return the numbers of resamples (folds, partitions, datasets) to vary; (None,) where nothing is varied."""
    if test in pvalues.DATASETS:
        return tuple(int(v) for v in settings.values("datasets", DATASETS))
    if test not in _TIMES:
        return (None,)
    return tuple(int(v) for v in settings.values("resamples", _TIMES[test]))


def _word(test: str) -> str:
    if test in pvalues.DATASETS:
        return "datasets"
    return {"kfold-t": "folds", "averaged-t": "partitions"}.get(test, "resamples")
