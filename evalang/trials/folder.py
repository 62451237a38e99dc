"""The run folder: what is needed to repeat a run and to score it, used by one run at a time; the outcome of a run."""

from __future__ import annotations

import json
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..data.table import Table
from ..errors import RunError
from ..language.files import make_below, read_plain
from .expand import Cell, Layout, split_key
from .files import FolderLock, storage_error, write_whole
from .identity import drift, environment
from .options import RunOptions
from .pace import TimeEstimator
from .splits import Fold
from .store import Fact, Store, row_numbers
from .task import TaskContext
from .trial import DEALING, Failure, Trial

CELLS = "cells.json"  # which trials of the store belong to which learner


@dataclass(frozen=True, slots=True)
class FailedTrial:
    """A trial without an answer, by the names the script uses."""

    learner: str
    dataset: str
    partition: int
    fold: int
    training: int
    failure: Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The trials of a plan, in a store; how many were run now, how many were there, what failed, what to know."""

    folder: Path
    layout: Layout
    total: int
    ran: int
    reused: int
    failed: tuple[FailedTrial, ...]
    notes: tuple[str, ...]
    interrupted: bool
    temporary_folder: object = None  # keeps a temporary folder from being removed
    pace: TimeEstimator | None = None  # how long its trials took
    differing: int = 0  # tasks that `--verify` repeated with another outcome
    kernels: tuple[tuple[str, str], ...] = ()  # remote workers with another linear algebra

    @property
    def complete(self) -> bool:
        """Whether every trial of the plan is there, failed or not."""
        return self.ran + self.reused == self.total

    @property
    def resume(self) -> str:
        """The hint after a run that was stopped."""
        missing = self.total - self.ran - self.reused
        return f"{missing} of {self.total} fits are still to do; run the same command again to continue"


class StoredFacts:
    """The datasets and folds that stored trials refer to; knows which of them the store already has."""

    def __init__(self, layout: Layout, tables: Mapping[str, Table], store: Store, context: TaskContext) -> None:
        self._layout, self._tables, self._store, self._context = layout, tables, store, context
        self._known: set[str] = set()

    def changed(self) -> list[str]:
        """Return a sentence for each dataset that changed, or was divided by another rule than today's."""
        names = self._store.dataset_hashes()
        found = []
        for name in sorted({cell.dataset for cell in self._layout.cells}):
            if name in names and self._tables[name].content_hash not in names[name]:
                found.append(f"{name} has changed since its stored fits; they are run again")
            elif name in names and self._divided_otherwise(self._tables[name].content_hash):
                found.append(
                    f"the stored fits of {name} are from an evalang version that split rows differently; they are "
                    "run again, and the old ones stay in the store"
                )
        return found

    def _divided_otherwise(self, data: str) -> bool:
        stored = self._store.fact("datasets", data)
        return stored is not None and stored[0].get("dealing") != DEALING

    def needed(self, trials: Iterable[tuple[int, Trial]]) -> list[Fact]:
        """Return what has to be stored together with these trials; a fold that cannot be made has no rows."""
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
                partition = self._context.partition(cell, trial.partition)
                fold = partition.fold(trial.fold, cell.recipe.cuts)
                found[key] = split_fact(key, fold, table, cell)
        return list(found.values())


def dataset_fact(table: Table) -> Fact:
    """Return the target and what scoring needs to know about it."""
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
    """Return the rows of a fold; the training rows only where they are not simply all the others."""
    arrays = {"test": row_numbers(fold.test)}
    arrays |= {name: row_numbers(rows) for name, rows in fold.inner.items()}
    used = sum(len(rows) for rows in arrays.values())
    rest = len(fold.train) + used == table.rows and len(np.unique(fold.train)) == len(fold.train)
    if not rest:
        arrays["train"] = row_numbers(fold.train)
    about = {
        "dataset": table.content_hash,
        "scheme": cell.scheme.text or cell.scheme.kind,
        "partition": fold.partition,
        "fold": fold.fold,
        "rest": rest,
    }
    return "splits", key, about, arrays


ENVIRONMENT = "environment.json"
MAX_ENVIRONMENTS = 20  # kept of earlier runs


class RunFolder:
    """A folder with its lock taken and its store open; `notes` are for the reader of the report.

    Without a folder of the options it is a temporary one, which lives as long as the outcome of the run.
    """

    def __init__(self, options: RunOptions) -> None:
        self.notes: list[str] = []
        self.changes: tuple[str, ...] = ()  # of the environments of earlier trials, for --verify to name
        self._lock: FolderLock | None = None
        if options.folder is None:
            self.path = Path(tempfile.mkdtemp(prefix="evalang-"))
            self.temporary_folder = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
            self.store = Store(self.path, durable=False)
            return
        self.path = options.folder
        _make(self.path, options.within)
        self._lock = FolderLock(self.path)
        try:
            if self._lock.ended_early:
                pid = self._lock.ended_early
                self.notes.append(f"the lock of a run that ended early (process {pid}) was taken over")
            self.store = Store(self.path, fresh=options.fresh)
            self._write_facts(options)
        except BaseException:
            self._lock.release()
            raise

    def close(self) -> None:
        """Close the store and let the next run in."""
        self.store.close()
        if self._lock is not None:
            self._lock.release()

    def _write_facts(self, options: RunOptions) -> None:
        for name, text in options.files.items():
            write_whole(self.path / name, text)
        now = environment()
        before = {} if options.fresh else _read(self.path / ENVIRONMENT)
        self.notes += [f"since the earlier fits {change}" for change in drift(before, now)]
        earlier = [one for one in before.pop("earlier", ()) if isinstance(one, dict)] if before else []
        earlier += [before] if before and before != now else []
        self.changes = tuple(dict.fromkeys(change for one in earlier for change in drift(one, now)))
        kept = now | ({"earlier": earlier[-MAX_ENVIRONMENTS:]} if earlier else {})
        write_whole(self.path / ENVIRONMENT, json.dumps(kept, indent=2, sort_keys=True) + "\n")


def _make(folder: Path, within: Path | None) -> None:
    """Make the folder and find out whether it can be written, before any learner is trained."""
    try:
        if within is not None:
            make_below(str(within), folder.relative_to(within).as_posix())
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"0")
    except FileExistsError:
        raise RunError(f"{folder} is a file, not a folder", hint="choose a different folder with --out") from None
    except OSError as error:
        raise storage_error(error, folder) from None


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(read_plain(path))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def keep_cells(layout: Layout, folder: Path, *, durable: bool = True) -> None:
    """Write which trials of the store belong to which learner, dataset and comparison."""
    found = []
    for (comparison, dataset, learner), place in layout.places.items():
        cell = layout.cells[place]
        found.append(
            {
                "comparison": comparison,
                "dataset": dataset,
                "learner": learner,
                "digest": cell.digest,
                "data": cell.data,
                "split": ["split", cell.data, cell.split, cell.cuts, cell.seed],
                "partitions": cell.partitions,
                "folds": cell.folds,
                "trainings": dict(layout.trainings)[learner],
            }
        )
    text = json.dumps({"version": 1, "cells": found}, indent=1, ensure_ascii=False) + "\n"
    write_whole(folder / CELLS, text, durable=durable)
