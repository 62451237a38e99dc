"""Scores that somebody already has, checked and in the shape that evidence is made from."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..data.profile_facts import TableFacts
from ..plans.levels import Level
from ..plans.model import Scheme

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Items:
    """The items of one dataset; `values` is [learner, item, epoch], NaN where an item has fewer samples."""

    names: tuple[str, ...]
    values: Floats
    groups: NDArray[np.intp] | None = None
    group_names: tuple[str, ...] = ()
    contents: tuple[str, ...] = ()  # the hash of each item's text, where the source holds all of them

    @property
    def epochs(self) -> tuple[int, int]:
        """The fewest and the most samples of an item."""
        counts = np.count_nonzero(~np.isnan(self.values), axis=2)
        return int(counts.min()), int(counts.max())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GivenResults:
    """A complete table of scores; `fold_scores[d]` is [learner, partition, fold] of dataset d, if there are folds."""

    name: str
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    metric: str
    higher_is_better: bool
    scores: Floats  # [dataset, learner]; with folds or items, their means
    fold_scores: tuple[Floats, ...] = ()
    items: tuple[Items, ...] = ()
    seeds: tuple[Floats, ...] = ()  # [learner, seed] of each dataset, where a seed is a whole run on one split
    levels: tuple[Level, ...] = ()
    made: Scheme | None = None
    facts: TableFacts = field(default_factory=lambda: TableFacts(name="", learners=(), datasets=()))
    row_hashes: NDArray[np.uint64] | None = None  # by which the ledger knows the table again

    @property
    def left_out(self) -> tuple[str, ...]:
        """Datasets (of items: items) without a score of every learner, under `complete cases`."""
        return self.facts.left_out

    def column(self, learner: str) -> Floats:
        """The scores of one learner over the datasets."""
        return np.asarray(self.scores[:, self.learners.index(learner)])
