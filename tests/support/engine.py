"""Small tables and plans for the tests of the engine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from evalang.data.table import Table
from evalang.plans.model import Comparison, Given, Learner, Literals, Metric, Part, Plan, Scheme, Step
from evalang.scores.metrics import score_candidate
from evalang.trials.folder import Outcome
from evalang.trials.options import Report, RunOptions
from evalang.trials.run import run
from evalang.trials.store import Store
from evalang.trials.trial import Trial

TRUSTED = frozenset({"tests.support"})
TENFOLD = Scheme(kind="cv", folds=10)
FIVEFOLD = Scheme(kind="cv", folds=5)
THIRD = Scheme(kind="holdout", part=Part(fraction=1 / 3))


def table(rows: int = 60, classes: int = 2, name: str = "made", seed: int = 0, **more: Any) -> Table:
    """A table whose first column is the number of the row; `classes = 0` gives a target of numbers."""
    rng = np.random.default_rng(seed)
    columns = {"row": np.arange(rows, dtype=float), "x": rng.normal(size=rows), "z": rng.normal(size=rows)}
    if classes:
        y = rng.permutation(np.arange(rows) % classes)
        columns["x"] = columns["x"] + y
    else:
        y = columns["x"] + rng.normal(size=rows)
    given: dict[str, Any] = {
        "name": name,
        "X": pd.DataFrame(columns),
        "y": y,
        "target": "y",
        "task": "classification" if classes else "regression",
        "task_reason": "made",
        "classes": tuple(f"c{i}" for i in range(classes)),
        "kinds": ("numeric",) * 3,
        "content_hash": f"{name}-{rows}-{classes}-{seed}",
    }
    return Table(**(given | more))


def catalogue(name: str, *steps: str, **parameters: Literals) -> Learner:
    """A learner of the catalogue."""
    before = tuple(Step(name=step, kind="step") for step in steps[:-1])
    last = Step(name=steps[-1] if steps else name, kind="learner", parameters=tuple(parameters.items()))
    return Learner(name=name, steps=(*before, last))


def own(name: str, cls: str, **parameters: Literals) -> Learner:
    """A learner of tests/faults/estimators.py."""
    target = f"tests.support.estimators:{cls}"
    return Learner(name=name, steps=(Step(name=target, kind="code", parameters=tuple(parameters.items())),))


def comparison(
    name: str, learners: Sequence[Learner], tables: Sequence[Table], scheme: Scheme, **more: Any
) -> Comparison:
    """A comparison of all learners on all tables."""
    task = tables[0].task
    given: dict[str, Any] = {
        "name": name,
        "learners": tuple(x.name for x in learners),
        "data": "datasets",
        "datasets": tuple(t.name for t in tables),
        "alpha": Given(0.05),
        "question": 8,
        "pairs": 1,
        "fits": 0,
        "scheme": scheme,
        "metrics": (Metric(name="accuracy" if task == "classification" else "rmse"),),
        "seed": Given(20),
    }
    return Comparison(**(given | more))


def plan(comparisons: Sequence[Comparison], learners: Sequence[Learner]) -> Plan:
    """A plan of these comparisons."""
    return Plan(version=1, script="made.eval", learners=tuple(learners), comparisons=tuple(comparisons))


def carry_out(
    learners: Sequence[Learner],
    tables: Sequence[Table],
    scheme: Scheme,
    options: RunOptions,
    progress: Report | None = None,
    **more: Any,
) -> tuple[Comparison, Outcome]:
    """Run one comparison."""
    one = comparison("c", learners, tables, scheme, **more)
    outcome = run(plan([one], learners), {t.name: t for t in tables}, options, score_candidate, progress)
    return one, outcome


def options(folder: Path, jobs: int = 1, **more: Any) -> RunOptions:
    """Options that trust the estimators of the tests."""
    return RunOptions(jobs=jobs, folder=folder, trusted=TRUSTED, **more)


def trials_of(folder: Path) -> list[Trial]:
    """Every stored trial, in order of partition, fold and training."""
    store = Store(folder, write=False)
    try:
        return sorted(store.trials(store.done()), key=lambda t: (t.partition, t.fold, t.training))
    finally:
        store.close()


def stored(folder: Path) -> dict[str, tuple[str, bytes]]:
    """Everything a store holds that may not differ between two runs of the same plan."""
    store = Store(folder, write=False)
    try:
        return {
            f"{name} {key}": (result, arrays)
            for name in ("trials", "splits", "datasets")
            for key, result, arrays in store.rows(name)
        }
    finally:
        store.close()
