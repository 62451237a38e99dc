"""Five tests, four error rates, 1,000 trials: against a loop over trials that calls SciPy, and growing linearly."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from evalang.plans.model import Simulation
from evalang.verdicts.simulation.type_one import type_one

from ..verdicts.simulation.plain_loop import TESTS, rejections

ERRORS = (0.1, 0.2, 0.3, 0.4)
LOOPED = 100  # trials of the loop; its time is in proportion


def simulation(trials: int) -> Simulation:
    settings = (("error", ERRORS), ("trials", (float(trials),)), ("seed", (1.0,)))
    return Simulation(name="simulate-1", kind="type-I", subjects=tuple(TESTS), settings=settings)


def seconds(work: Callable[[], object], times: int = 3) -> float:
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


@pytest.mark.benchmark
def test_twenty_times_faster_than_a_loop() -> None:
    list(type_one(simulation(10)))
    ours = seconds(lambda: list(type_one(simulation(1000))))
    loop = seconds(lambda: [list(rejections(error, LOOPED, seed=1)) for error in ERRORS], times=1) * 1000 / LOOPED
    print(f"figure 5 with 1,000 trials: {ours:.3f} s; a loop over trials: {loop:.1f} s; {loop / ours:.0f} times")
    assert loop / ours >= 20


@pytest.mark.benchmark
def test_time_grows_linearly() -> None:
    few, many = (seconds(lambda n=n: list(type_one(simulation(n)))) for n in (2_000, 16_000))  # type: ignore[misc]
    print(f"2,000 trials: {few:.3f} s; 16,000 trials: {many:.3f} s; {many / few:.1f} times for 8 times the work")
    assert many < 8 * few * 1.5
