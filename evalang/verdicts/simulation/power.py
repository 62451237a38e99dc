"""`simulate power of COMPARISON`: the power curve of the design as written, and what it would take to find more."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from ...catalogue.distributions import normal_quantile
from ...catalogue.power import ASSUMED_DISAGREEMENT, ASSUMED_ERROR, ASSUMED_SPREAD, WANTED
from ...plans.model import Plan, Simulation
from ...plans.simulation import DIFFERENCES, MOST_DIFFERENCE
from ...results.records import SimulationOutcome
from . import pvalues
from .designs import NOTHING_OPENED, Design, Settings, Units, designs, outcome
from .draws import (
    Answers,
    Floats,
    Ints,
    answer_shares,
    blocks,
    draw_data_sets,
    draw_dataset_differences,
    draw_folds,
    draw_resamples,
    draw_test_part,
    stream,
)

MOST_DRAWS = 2_000_000  # test sets held in memory at a time
SEARCH_TRIALS = 300  # for each step that brackets a number; it is then read off a curve
CURVE_TRIALS = 2_000  # for each point of that curve; with nine of them a difference is good to about 1%
CURVE_POINTS = 9
NEAR = 0.25  # probits: how far from the target the curve is read; further away it is no straight line
STEPS = 4  # halvings that bracket a difference
MOST_ROWS = 1_000_000
MOST_DATASETS = 1_000
MOST_PARTITIONS = 100
SEARCHED = 3  # datasets whose smallest difference is searched: those with the fewest, the middling and the most rows


def power_at(design: Design, difference: float, settings: Settings, trials: int | None = None) -> int:
    """Return in how many trials the test rejects; the first learner is the better one by `difference`.

    The streams of random numbers are the same for every difference, so that a power curve rises with it.
    """
    error = settings.one("error", ASSUMED_ERROR)
    given = answer_shares(error, difference, max(settings.one("disagreement", ASSUMED_DISAGREEMENT), difference))
    rejected = 0
    size = max(1, MOST_DRAWS // (design.partitions * design.folds * design.datasets))
    for block, count in blocks(trials or settings.trials, size):
        p = _pvalues(design, given, count, settings, block)
        rejected += int(np.count_nonzero(p <= design.level))
    return rejected


def _pvalues(design: Design, given: Answers, trials: int, settings: Settings, block: int) -> Floats:
    draw = partial(stream, settings.seed, design.evidence, block)
    if design.evidence == "datasets":
        spread = float(np.hypot(settings.one("spread", ASSUMED_SPREAD), np.sqrt(2.0) * settings.shared))
        d = draw_dataset_differences(given, design.tested, design.datasets, spread, trials, draw("datasets"))
        return pvalues.pvalues(design.test, d, design.sides)
    found = draw_data_sets(given, design.rows, trials, draw("rows"))
    if design.evidence == "rows":
        counts = draw_test_part(found, design.tested, settings.shared, draw("test"))
        return pvalues.pvalues(design.test, counts, design.sides)
    if design.evidence == "resamples":
        folds = draw_resamples(found, design.tested, design.partitions, settings.shared, draw("test"))
    else:
        folds = draw_folds(found, design.partitions, design.folds, settings.shared, draw("test"))
    return pvalues.pvalues(design.test, folds, design.sides)


def power_curve(plan: Plan, simulation: Simulation, units: Units = NOTHING_OPENED) -> Iterator[SimulationOutcome]:
    """Yield outcomes with these settings, whose words the report understands:

    `difference` and `rows` or `datasets`: a point of the curve. `target`: the smallest difference found that often.
    `instead-of`: the rows, partitions, resamples or datasets that it would take, in place of so many; where even the
    most tried is not enough, its rate stays below four fifths.
    """
    settings = Settings(dict(simulation.settings))
    for name in simulation.subjects:
        found = designs(plan, simulation, name, settings, units)
        searched = _searched(found)
        for design in found:
            yield from _curve(simulation, design, settings)
            if design in searched:
                yield from _smallest(simulation, design, settings)
        for design in _first_of_each_test(searched):
            yield from _needed(simulation, design, settings)


def _curve(simulation: Simulation, design: Design, settings: Settings) -> Iterator[SimulationOutcome]:
    for difference in settings.values("difference", *DIFFERENCES):
        yield _outcome(simulation, design, difference, settings)


def _outcome(
    simulation: Simulation, design: Design, difference: float, settings: Settings, *more: tuple[str, float]
) -> SimulationOutcome:
    if design.evidence == "datasets":
        size: tuple[tuple[str, float], ...] = (("datasets", float(design.datasets)),)
        if design.rows_stated:
            size = (*size, ("rows", float(design.rows)))
    else:
        size = (("rows", float(design.rows)),)
    cell = (("difference", difference), *size, ("alpha", design.level), *more)
    return outcome(
        simulation.name, "power", design.subject, cell, power_at(design, difference, settings), settings.trials
    )


def _searched(found: tuple[Design, ...]) -> tuple[Design, ...]:
    """Return for each test the datasets with the fewest, the median and the most rows, and all stated rows."""
    kept: list[Design] = []
    for test in dict.fromkeys((d.test, d.evidence) for d in found):
        ordered = sorted((d for d in found if (d.test, d.evidence) == test), key=lambda d: (d.rows, d.datasets))
        stated = all(d.dataset is None for d in ordered)
        kept += ordered if stated or len(ordered) <= SEARCHED else [ordered[i] for i in (0, len(ordered) // 2, -1)]
    return tuple(kept)


def _first_of_each_test(found: tuple[Design, ...]) -> tuple[Design, ...]:
    """Return the dataset with the fewest rows: how many it would take is the same for all."""
    return tuple({(d.test, d.evidence): d for d in reversed(found)}.values())


def _share(design: Design, difference: float, settings: Settings) -> float:
    trials = min(SEARCH_TRIALS, settings.trials)
    return power_at(design, difference, settings, trials) / trials


def _smallest(simulation: Simulation, design: Design, settings: Settings) -> Iterator[SimulationOutcome]:
    """Yield the differences found half and four fifths of the time."""
    error, disagreement = settings.one("error", ASSUMED_ERROR), settings.one("disagreement", ASSUMED_DISAGREEMENT)
    bottom = max(0.0, disagreement - 2.0 * error)  # between the two, learners can err and disagree like this
    top = min(MOST_DIFFERENCE, 0.99 - error, 2.0 - 2.0 * error - disagreement)
    for target in (0.5, WANTED) if bottom < top else ():
        if _share(design, top, settings) < target:
            continue
        low, high = bottom, top
        for _ in range(STEPS):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if _share(design, middle, settings) >= target else (middle, high)
        width = high - low
        found = _crossing(
            (max(bottom, low - width), min(top, high + width)),
            (bottom, top),
            lambda sizes: sizes[sizes > 0.0],
            lambda d, other: _rejected(design, d, other),
            settings,
            target,
        )
        if found is None:
            yield _outcome(simulation, design, high, settings, ("target", target))
            continue
        size, ends = min(max(found[0], bottom), top), (("low", max(found[1], bottom)), ("high", min(found[2], top)))
        yield _outcome(simulation, design, size, settings, ("target", target), *ends)


def _rejected(design: Design, difference: float, settings: Settings) -> int:
    return power_at(design, difference, settings, settings.trials)


def _crossing(
    searched: tuple[float, float],
    limits: tuple[float, float],
    possible: Callable[[Floats], Floats],
    rejected: Callable[[float, Settings], int],
    settings: Settings,
    target: float,
) -> tuple[float, float, float] | None:
    """Return where a smooth rising power curve reaches the target, with its 95% interval.

    The curve is read over the range `searched` to find where it crosses, then again near that point only: a power curve
    is bent, and a line over the whole range would cross a few per cent too early. `limits` are the sizes that may be
    tried, and `possible` turns sizes into those that exist. None where the curve does not rise or has no three sizes.
    """
    trials = max(settings.trials, min(CURVE_TRIALS, 7 * settings.trials))
    wanted = normal_quantile(target)
    low, high = searched
    crossing = None
    for step, many in enumerate((min(SEARCH_TRIALS, trials), trials, trials)):
        tried = possible(np.linspace(low, high, CURVE_POINTS))
        if tried.size < 3:
            break
        worlds = [_world(settings, many, step, point) for point in range(len(tried))]
        counts = [rejected(size, world) for size, world in zip(tried, worlds, strict=True)]
        start, slope, spread = _line(tried, np.array(counts), many)
        if slope <= 0.0:
            return None
        found = (wanted - start) / slope
        half = 1.96 * float(np.sqrt(np.array([1.0, found]) @ spread @ np.array([1.0, found])) / slope)
        crossing = found, found - half, found + half
        middle = min(max(found, limits[0]), limits[1])
        low, high = max(limits[0], middle - NEAR / slope), min(limits[1], middle + NEAR / slope)
    return crossing


def _world(settings: Settings, trials: int, *key: int) -> Settings:
    """Return the settings with draws of their own, which no other seed of the statement shares."""
    seed = int(np.random.SeedSequence((settings.seed, *key)).generate_state(1)[0])
    return Settings(given={**settings.given, "seed": (seed,), "trials": (trials,)})


def _line(tried: Floats, counts: Ints, trials: int) -> tuple[float, float, Floats]:
    """Return start, slope and covariance of the line through the probits of the power, by weighted least squares."""
    shares = (counts + 0.5) / (trials + 1.0)
    heights = np.array([normal_quantile(float(share)) for share in shares])
    densities = np.exp(-(heights**2) / 2.0) / np.sqrt(2.0 * np.pi)
    weights = trials * densities**2 / (shares * (1.0 - shares))  # one over the variance of a probit
    columns = np.column_stack([np.ones_like(tried), tried])
    spread = np.linalg.pinv(columns.T @ (weights[:, None] * columns))
    start, slope = spread @ (columns.T @ (weights * heights))
    return float(start), float(slope), spread


def _needed(simulation: Simulation, design: Design, settings: Settings) -> Iterator[SimulationOutcome]:
    """Yield the rows, partitions or datasets for 80% power, for each difference that is found less often."""
    for difference in settings.values("difference", *DIFFERENCES):
        if _share(design, difference, settings) >= WANTED:
            continue
        for word, now, most, grown in _ways(design):
            low, high = _bracket(lambda n, g=grown, d=difference: _share(g(n), d, settings) >= WANTED, now, most)  # type: ignore[misc]
            more: tuple[tuple[str, float], ...] = (("instead-of", float(now)),)
            needed, found = high, None
            if high - low >= 2:
                found = _crossing(
                    (max(now, 2, 0.85 * low) ** 0.5, min(1.15 * high, most) ** 0.5),
                    (max(now, 2) ** 0.5, most**0.5),
                    lambda roots: np.unique((roots**2).round()) ** 0.5,
                    lambda root, other, g=grown, d=difference: _rejected(g(round(root**2)), d, other),  # type: ignore[misc]
                    settings,
                    WANTED,
                )
            if found is not None and found[0] <= most**0.5:
                needed, least, largest = (math.ceil(max(root, now**0.5, 1.0) ** 2) for root in found)
                needed = max(needed, 2)
                more = (*more, ("low", float(least)), ("high", float(min(largest, most))))
            if word in ("partitions", "resamples"):
                more = ((word, float(needed)), *more)
            yield _outcome(simulation, grown(needed), difference, settings, *more)


def _ways(design: Design) -> Iterator[tuple[str, int, int, Callable[[int], Design]]]:
    if design.evidence == "datasets":
        yield "datasets", design.datasets, MOST_DATASETS, lambda n: replace(design, datasets=n)
        return
    yield (
        "rows",
        design.rows,
        MOST_ROWS,
        lambda n: replace(design, rows=n, tested=max(1, n * design.tested // design.rows)),
    )
    if design.evidence == "resamples" or (design.evidence == "folds" and design.test in ("corrected-t", "averaged-t")):
        step = 5 if design.folds == 2 and design.partitions % 5 == 0 else 1

        def grown(n: int) -> Design:
            return replace(design, partitions=n * step)

        word = "resamples" if design.evidence == "resamples" else "partitions"
        yield word, max(1, design.partitions // step), MOST_PARTITIONS, grown


def _bracket(enough: Callable[[int], bool], now: int, most: int) -> tuple[int, int]:
    """Return two numbers between which the smallest that is enough lies; `most` twice when none is."""
    low, high = now, now
    while not enough(high):
        if high >= most:
            return most, most
        low, high = high, min(2 * high, most)
    return low, high
