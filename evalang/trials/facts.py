"""What trials refer to, stored once for all of them: the target of each dataset and the rows of each fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.table import Table
from .cell import Cell
from .expand import Layout, keys, split_key
from .fit import Workshop
from .folds import Fold
from .store import Store, as_rows
from .trial import DEALING, Trial

Fact = tuple[str, str, dict[str, Any], dict[str, NDArray[Any]]]


class Facts:
    """Knows which datasets and folds the store already has."""

    def __init__(self, layout: Layout, tables: Mapping[str, Table], store: Store, shop: Workshop) -> None:
        self._layout, self._tables, self._store, self._shop = layout, tables, store, shop
        self._known: set[str] = set()

    def changed(self) -> list[str]:
        """A sentence for each dataset that is not what it was, or was divided by another rule than today's."""
        names = self._store.names()
        found = []
        for name in sorted({cell.dataset for cell in self._layout.cells}):
            if name in names and self._tables[name].content_hash not in names[name]:
                found.append(f"{name} is not what it was when its stored trials ran; they are run again")
            elif name in names and self._otherwise_dealt(self._tables[name].content_hash):
                found.append(
                    f"the stored trials of {name} are from an evalang that divided rows by another rule; they are run "
                    "again, and the old ones stay in the store"
                )
        return found

    def _otherwise_dealt(self, data: str) -> bool:
        stored = self._store.fact("datasets", data)
        return stored is not None and stored[0].get("dealing") != DEALING

    def mend(self) -> None:
        """Write again what stored trials refer to, after a damaged store lost some of it."""
        for number, cell in enumerate(self._layout.cells):
            for trial in self._store.trials(key for *_, key in keys(cell)):
                facts = self.needed([(number, trial)])
                if facts:
                    self._store.commit((), facts)

    def needed(self, trials: Iterable[tuple[int, Trial]]) -> list[Fact]:
        """What has to be stored together with these trials. A fold that cannot be made has no rows to store."""
        found: dict[str, Fact] = {}
        for place, trial in trials:
            cell = self._layout.cells[place]
            table = self._tables[cell.dataset]
            key = split_key(cell, trial.partition, trial.fold)
            if table.content_hash not in self._known:
                self._known.add(table.content_hash)
                found[table.content_hash] = dataset_fact(table)
            if not trial.test_size or key in self._known:
                continue
            self._known.add(key)
            if not self._store.has("splits", key):
                partition = self._shop.partition(cell, trial.partition)
                fold = partition.fold(trial.fold, cell.recipe.tuning, cell.recipe.calibration)
                found[key] = split_fact(key, fold, table, cell)
        return list(found.values())


def dataset_fact(table: Table) -> Fact:
    """The target and what judging needs to know about it."""
    about = {
        "name": table.name,
        "task": table.task,
        "target": table.target,
        "classes": list(table.classes),
        "positive": table.positive_code,
        "rows": table.rows,
        "dealing": DEALING,
        "source": table.source,
    }
    arrays = {"y": np.asarray(table.y, dtype=np.float64 if table.task == "regression" else np.int64)}
    if table.weights is not None:
        arrays["weights"] = np.asarray(table.weights, dtype=np.float64)
    if table.groups is not None:
        arrays["groups"] = np.asarray(table.groups, dtype=np.int64)
    if table.time is not None:
        arrays["time"] = np.asarray(table.time)
    return "datasets", table.content_hash, about, arrays


def split_fact(key: str, fold: Fold, table: Table, cell: Cell) -> Fact:
    """The rows of a fold; the training rows only where they are not simply all the others."""
    arrays = {"test": as_rows(fold.test)}
    for name, rows in (("tuning", fold.tuning), ("calibration", fold.calibration)):
        if rows is not None:
            arrays[name] = as_rows(rows)
    used = sum(len(rows) for rows in arrays.values())
    rest = len(fold.train) + used == table.rows and len(np.unique(fold.train)) == len(fold.train)
    if not rest:
        arrays["train"] = as_rows(fold.train)
    about = {
        "dataset": table.content_hash,
        "scheme": cell.scheme.text or cell.scheme.kind,
        "partition": fold.partition,
        "fold": fold.fold,
        "rest": rest,
    }
    return "splits", key, about, arrays
