"""More runs of single cells, added to the counts that the study has: for what lies near the limit.

Only the folds that the scheme itself makes are trained, so that thousands of runs take minutes. Every batch is added as
it is done.
"""

from __future__ import annotations

from pathlib import Path

from evalang.catalogue.schemes import find_scheme

from .candidates import CANDIDATES
from .defaults import FORMS as MEASURED
from .measure import BATCH, effects
from .nulls import SIZE, Cell, differences
from .outcome import ALPHA, counted, kept, share, write_tables

# The scheme, the folds that are enough for it, and the longer ones whose place they take.
FORMS = {
    "5x2cv": ("5x2cv", "50x2cv"),
    "5cv": ("5cv", "5x5cv"),
    "10cv": ("10cv", "10x10cv"),
    "5x5cv": ("5x5cv", "5x5cv"),
    "10x10cv": ("10x10cv", "10x10cv"),
    "30 resamples of 2/3": ("30 resamples", "30 resamples"),
    "bootstrap 30": ("bootstrap 30", "bootstrap 30"),
}
NEAR = 0.045
LATER = 1000  # batches from here on are no batches of the whole study


DEFAULTS = [(forms, card.test) for kind, forms in MEASURED.items() if (card := find_scheme(kind)) is not None]


def add(form: str, learner: str, n: int, null: str, runs: int, folder: Path) -> None:
    """Until the cell has so many runs under this scheme."""
    folds, longer = FORMS[form]
    cell = Cell(learner, n, null, SIZE[longer] if null == "crossing" else 0.0)
    while True:
        made = {line[:5]: line for line in kept()}
        own = [c for c in CANDIDATES if c.form == form and (form, c.test, learner, n, null) in made]
        have = min((made[form, c.test, learner, n, null][5] for c in own), default=runs)
        if have >= runs:
            return
        scores = {longer: differences(cell, effects(cell, folder), LATER + have // BATCH, BATCH, (folds,))[folds]}
        for candidate in own:
            key = (form, candidate.test, learner, n, null)
            rejections = int((candidate.p(scores) <= ALPHA).sum())
            made[key] = (*key, *counted(made[key][6] + rejections, made[key][5] + BATCH))
        write_tables(list(made.values()))


def near(form: str, runs: int, folder: Path) -> None:
    """More runs of every null under this scheme in which a default test came near the limit."""
    tests = {test for forms, test in DEFAULTS if form in forms}
    for line in kept():
        if line[0] == form and line[1] in tests and line[4] in ("symmetric", "crossing") and share(line) > NEAR:
            add(form, line[2], line[3], line[4], runs, folder)
