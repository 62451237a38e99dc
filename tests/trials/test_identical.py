"""The same plan gives the same bytes: for any number of workers, order of the work, hash seed and kind of cluster."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

import pytest

from evalang.plans.model import Calibration, Given, Grid, Learner, Metric, Part, Scheme, Tuning
from evalang.trials import run
from evalang.trials.expand import Layout, Task, tasks
from evalang.trials.options import Report, RunOptions

from ..support.engine import carry_out, catalogue, options, own, stored, table
from .test_folds import full_table

GROUPED = Scheme(kind="repeated-cv", partitions=2, folds=3, grouped=True)


def learners() -> list[Learner]:
    """One of every kind: random, tuned, calibrated, trained several times, failing."""
    grid = (Grid(parameter="C", size=3, values=(0.1, 1, 10), form="{0.1, 1, 10}"),)
    forest = catalogue("forest", "random-forest", n_estimators=5)
    return [
        replace(catalogue("svm", "scale", "svm"), grids=grid, candidates=3, calibrate="platt"),
        replace(forest, trainings=2),
        catalogue("net", "scale", "logistic-regression"),
        own("bad", "Raises", without=7),
        own("draws", "GlobalDraws"),
    ]


def whole(folder: Path, how: RunOptions, progress: Report | None = None) -> dict[str, tuple[str, bytes]]:
    """What a run of everything at once leaves in its store."""
    _, outcome = carry_out(
        learners(),
        [full_table(72, 2, 1), table(50, 3, name="more", groups=full_table(50, 3, 2).groups)],
        GROUPED,
        changed(how, folder=folder),
        progress=progress,
        metrics=(Metric("accuracy"), Metric("roc-area")),
        tuning=Given(Tuning(where="part", part=Part(fraction=0.25))),
        calibration=Calibration(where="part", part=Part(fraction=0.25)),
    )
    assert outcome.complete
    assert {f.learner for f in outcome.failed} == {"bad"}, [
        (f.learner, f.failure.kind, f.failure.message) for f in outcome.failed
    ][:6]
    return stored(folder)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, bytes]]:
    """The run in this process, in order."""
    return whole(tmp_path_factory.mktemp("one"), options(Path(), 0))


@pytest.mark.parametrize("jobs", [1, 2, pytest.param(4, marks=pytest.mark.slow)])
def test_any_number_of_workers(jobs: int, expected: dict[str, tuple[str, bytes]], tmp_path: Path) -> None:
    assert whole(tmp_path, options(tmp_path, jobs)) == expected


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_any_order(
    seed: int, expected: dict[str, tuple[str, bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shuffled(layout: Layout) -> Iterator[Task]:
        every = list(tasks(layout))
        random.Random(seed).shuffle(every)
        return iter(every)

    monkeypatch.setattr(run, "tasks", shuffled)
    assert whole(tmp_path, options(tmp_path, 2)) == expected


@pytest.mark.parametrize("hash_seed", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_any_hash_seed(hash_seed: str, expected: dict[str, tuple[str, bytes]], tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from tests.trials.test_identical import whole; "
        f"from tests.support.engine import options; whole(Path({str(tmp_path)!r}), options(Path(), 1))"
    )
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, cwd=Path(__file__).parents[2])
    assert stored(tmp_path) == expected


@pytest.mark.parametrize(
    ("name", "partitions", "more", "ran"),
    [
        ("another name", 1, {}, 0),
        ("a", 4, {}, 9),
        ("a", 1, {"seed": Given(21)}, 3),
        ("a", 1, {"metrics": (Metric("brier"),)}, 0),
    ],
    ids=["name", "partitions", "seed", "metric"],
)
def test_what_changes_is_run_and_nothing_else(
    name: str, partitions: int, more: dict[str, Any], ran: int, tmp_path: Path
) -> None:
    """A learner under another name is the same learner, a further metric needs no fit."""
    cv, repeated = Scheme(kind="cv", folds=3), Scheme(kind="repeated-cv", partitions=partitions, folds=3)
    carry_out([catalogue("a", "naive-bayes")], [table()], cv, options(tmp_path, 0))
    scheme = repeated if partitions > 1 else cv
    _, outcome = carry_out([catalogue(name, "naive-bayes")], [table()], scheme, options(tmp_path, 0), **more)
    assert (outcome.ran, outcome.reused) == (ran, 3 * partitions - ran)


def test_other_learners_change_nothing(tmp_path: Path) -> None:
    """Adding a learner leaves every trial of the others as it is."""
    scheme = Scheme(kind="cv", folds=3)
    one = [catalogue("forest", "random-forest", n_estimators=3)]
    carry_out(one, [table()], scheme, options(tmp_path / "one", 0))
    carry_out([catalogue("majority"), *one], [table()], scheme, options(tmp_path / "two", 0))
    alone, together = stored(tmp_path / "one"), stored(tmp_path / "two")
    assert alone.items() <= together.items()
