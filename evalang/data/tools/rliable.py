"""Scores of reinforcement learning as rliable takes them: algorithm -> runs by tasks.

Either lists, `{"DQN": [[run 1 of every task], [run 2], …]}`, or tasks by name, `{"DQN": {"Pong": [run 1, run 2, …]}}`.
Runs of two algorithms are not paired by their number: a run is a seed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pandas as pd

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..quoting import error_about, quoted
from ..raw import LongTable, checked_options
from .log_files import origin_of, read_object

_HINT = 'runs by tasks: {"DQN": [[1.0, 2.0], [1.5, 2.5]]}, or tasks by name: {"DQN": {"Pong": [1.0, 1.5]}}'
Row = tuple[str, str, str, float]


def read_rliable(source: Source, access: Access) -> LongTable:
    """Return the normalised scores in a JSON file."""
    checked_options(source, {})
    name = source.locator
    scores = read_object(name, access, too_large="leave out checkpoints")
    rows = [row for algorithm, found in scores.items() for row in _rows(algorithm, found, name)]
    tasks = {algorithm: len({row[1] for row in rows if row[0] == algorithm}) for algorithm in scores}
    if len(set(tasks.values())) > 1 and any(isinstance(found, list) for found in scores.values()):
        counts = ", ".join(f"{quoted(a)} has {n}" for a, n in list(tasks.items())[:4])
        raise DataError(f"the algorithms of {quoted(name)} differ in their number of tasks ({counts})", hint=_HINT)
    return LongTable(
        frame=pd.DataFrame(rows, columns=["algorithm", "task", "run", "score"]),
        columns={"score": "score", "learner": "algorithm", "dataset": "task", "seed": "run"},
        origins=(origin_of(name, access, "rliable"),),
    )


def _rows(algorithm: str, found: Any, name: str) -> Iterator[Row]:
    if isinstance(found, dict):
        for task, runs in found.items():
            if not isinstance(runs, list):
                raise error_about(algorithm, f"on {quoted(task)} in {quoted(name)} is not a list", _HINT)
            for run, value in enumerate(runs, start=1):
                yield algorithm, str(task), str(run), _number(value, f"{algorithm} on {task}", name)
        return
    if not isinstance(found, list) or not all(isinstance(run, list) for run in found):
        raise DataError(f"the scores of {quoted(algorithm)} in {quoted(name)} are no runs by tasks", hint=_HINT)
    if len({len(run) for run in found}) > 1:
        raise DataError(f"the runs of {quoted(algorithm)} in {quoted(name)} differ in length", hint=_HINT)
    for run, tasks in enumerate(found, start=1):
        for task, value in enumerate(tasks, start=1):
            yield algorithm, f"task {task}", str(run), _number(value, f"{algorithm} on task {task}", name)


def _number(value: Any, what: str, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        kind = "of several checkpoints" if isinstance(value, list) else f"is {quoted(value)}"
        raise DataError(f"the score of {quoted(what)} in {quoted(name)} {kind}", hint="one number a run and task")
    return float(value)
