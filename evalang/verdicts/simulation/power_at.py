"""How often one design finds a difference of a given size."""

from __future__ import annotations

from functools import partial

import numpy as np

from ...catalogue.power import ASSUMED_DISAGREEMENT, ASSUMED_ERROR, ASSUMED_SPREAD
from . import pvalues
from .answers import Answers, answers, dealt, draw_data_sets, one_test_part, over_datasets, resampled
from .sampling import Floats
from .settings import Settings
from .simulated_design import Design
from .stream import blocks, stream

MOST_DRAWS = 2_000_000  # test sets held in memory at a time


def power_at(design: Design, difference: float, said: Settings, trials: int | None = None) -> int:
    """Trials, of so many, in which the test rejects; the first learner is the better one by `difference`.

    The streams of random numbers are the same for every difference, so that a power curve rises with it.
    """
    error = said.one("error", ASSUMED_ERROR)
    given = answers(error, difference, max(said.one("disagreement", ASSUMED_DISAGREEMENT), difference))
    rejected = 0
    size = max(1, MOST_DRAWS // (design.partitions * design.folds * design.datasets))
    for block, count in blocks(trials or said.trials, size):
        p = _pvalues(design, given, count, said, block)
        rejected += int(np.count_nonzero(p <= design.level))
    return rejected


def _pvalues(design: Design, given: Answers, trials: int, said: Settings, block: int) -> Floats:
    draw = partial(stream, said.seed, design.evidence, block)
    if design.evidence == "datasets":
        spread = float(np.hypot(said.one("spread", ASSUMED_SPREAD), np.sqrt(2.0) * said.shared))
        d = over_datasets(given, design.tested, design.datasets, spread, trials, draw("datasets"))
        return pvalues.pvalues(design.test, d, design.sides)
    found = draw_data_sets(given, design.rows, trials, draw("rows"))
    if design.evidence == "rows":
        counts = one_test_part(found, design.tested, said.shared, draw("test"))
        return pvalues.pvalues(design.test, counts, design.sides)
    if design.evidence == "resamples":
        folds = resampled(found, design.tested, design.partitions, said.shared, draw("test"))
    else:
        folds = dealt(found, design.partitions, design.folds, said.shared, draw("test"))
    return pvalues.pvalues(design.test, folds, design.sides)
