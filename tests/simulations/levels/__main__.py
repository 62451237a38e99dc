"""How often tests are wrong: measure, cell by cell, and write the tables of the study.

    python -m tests.simulations.levels measure FOLDER            tests on folds
    python -m tests.simulations.levels unfolded FOLDER [RUNS]    tests on time, groups, trainings, rows and datasets
    python -m tests.simulations.levels one-training [RUNS]       McNemar on one holdout, taken for the learners
    python -m tests.simulations.levels write FOLDER              the study's tables and picture from what FOLDER holds

What is there is not made again: each can be stopped and started, and `measure` run several times at once.
"""

from __future__ import annotations

import sys
from pathlib import Path

from . import one_training, unfolded
from .measure import measure
from .outcome import OUTCOME, write

match sys.argv[1:]:
    case ["measure", folder]:
        measure(Path(folder))
    case ["write", folder]:
        write(Path(folder))
    case ["unfolded", folder, *runs]:
        unfolded.measure(Path(folder), int(*runs) if runs else 2000)
    case ["one-training", *runs]:
        one_training.measure(OUTCOME / "one-training.csv", int(*runs) if runs else 1000)
    case _:
        sys.exit(__doc__)
