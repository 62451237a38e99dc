"""A learner that remembers the rows it was shown proves that no part is used twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evalang.plans.model import Calibration, Given, Grid, Metric, Part, Scheme, Tuning
from evalang.scores.score_table import ScoreTable
from evalang.trials.splits import Cuts, folds

from ..support.engine import carry_out, options, own, table
from .test_folds import SCHEMES, full_table

GRID = (Grid(parameter="strength", size=3, values=(1, 2, 3), form="1..3"),)
PART = Tuning(where="part", part=Part(fraction=0.2))
INNER = Tuning(where="cv", folds=3)
CALIBRATE = Calibration(where="part", part=Part(fraction=0.2))


SERIES = Scheme("forward", folds=3, rows=40, gap=2)


@pytest.mark.parametrize(
    "scheme",
    [SERIES, *(s for s in SCHEMES if s.kind != "leave-one-out")],
    ids=lambda s: f"{s.kind}-{s.part and s.part.rows}-{s.gap}",
)
@pytest.mark.parametrize("tuning", [None, PART, INNER], ids=["untuned", "part", "cv"])
def test_no_row_is_shown_and_then_asked_for(scheme: Scheme, tuning: Tuning | None, tmp_path: Path) -> None:
    learner = replace(own("trap", "MemoriserOfClasses"), grids=GRID if tuning else (), candidates=3, calibrate="platt")
    more = {"tuning": Given(tuning)} if tuning else {}
    series = {"time": np.repeat(np.arange(60.0), 4), "series": np.tile(np.arange(4), 60)}
    made = table(240, 2, **series) if scheme is SERIES else full_table(96, 2, 4)
    _, outcome = carry_out([learner], [made], scheme, options(tmp_path, 0), calibration=CALIBRATE, **more)
    assert outcome.complete
    assert outcome.failed == ()


def test_the_trap_closes_on_a_leak(tmp_path: Path) -> None:
    """The trap itself is tested with a table whose rows are all the same row."""
    made = full_table(40, 2, 4)
    twins = made.X.assign(row=1.0)
    leaky = type(made)(**{n: getattr(made, n) for n in made.__slots__} | {"X": twins, "content_hash": "twins"})
    _, outcome = carry_out([own("trap", "Memoriser")], [leaky], Scheme(kind="cv", folds=2), options(tmp_path, 0))
    assert {f.failure.error for f in outcome.failed} == {"Leak"}


@pytest.mark.parametrize(
    ("more", "parts"),
    [
        ({}, "train tuning calibration"),
        ({"tuning": Given(PART)}, "train tuning calibration"),
        ({"tuning": Given(PART), "without_retraining": True}, "train calibration"),
        ({"tuning": Given(PART), "calibration": CALIBRATE}, "train tuning"),
        ({"calibration": CALIBRATE}, "train tuning"),
        ({"tuning": Given(PART), "calibration": Calibration(where="tuning")}, "train"),
        ({"tuning": Given(INNER), "calibration": CALIBRATE}, "train tuning"),
    ],
)
@pytest.mark.parametrize("tuned", [False, True])
def test_the_winner_is_trained_on_the_rows_the_script_says(
    more: dict[str, object], parts: str, tuned: bool, tmp_path: Path
) -> None:
    """The memoriser answers with the number of its training rows."""
    scheme, made = Scheme(kind="cv", folds=4), full_table(100, 0, 4)
    tuned = tuned and "tuning" in more
    learner = replace(own("trap", "Memoriser"), grids=GRID if tuned else (), candidates=3 if tuned else 1)
    comparison, outcome = carry_out([learner], [made], scheme, options(tmp_path, 0), metrics=(Metric("mae"),), **more)
    assert outcome.failed == ()
    tuning = comparison.tuning.value if comparison.tuning else None
    each = folds(scheme, made, 20, Cuts(tuning, comparison.calibration.part if comparison.calibration else None))
    expected = []
    for fold in each:
        sizes = {
            name: len(rows) for name in ("train", "tuning", "calibration") if (rows := getattr(fold, name)) is not None
        }
        expected.append(sum(sizes.get(name, 0) for name in parts.split()))
    answers = ScoreTable(comparison, outcome).answers("made", "mae")["trap"]
    rows = np.argsort(np.concatenate([f.test for f in each]), kind="stable")
    wanted = np.concatenate([np.full(len(f.test), float(n)) for f, n in zip(each, expected, strict=True)])[rows]
    assert (answers.labels == wanted).all()
