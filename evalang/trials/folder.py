"""The run folder: everything needed to repeat a run and to judge it, held by one run at a time, and what a run leaves
behind.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.table import Table
from ..errors import RunError
from ..language.held import make_below, read_plain
from .expand import Cell, Layout, keys, split_key
from .files import FolderLock, LockNote, crashpoint, storage_error, write_whole
from .fit import Workshop
from .folds import Fold
from .identity import drift, environment
from .options import RunOptions
from .pace import Pace
from .processes import end_found, left_behind
from .store import Store, as_rows
from .trial import DEALING, Failure, Trial

CELLS = "cells.json"  # which trials of the store are whose


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedTrial:
    """A trial without an answer, by the names the script uses."""

    learner: str
    dataset: str
    partition: int
    fold: int
    training: int
    failure: Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsteady:
    """A trial that gave another answer when it was run a second time."""

    learner: str
    dataset: str
    partition: int
    fold: int
    training: int


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
    seconds: float
    environment: Mapping[str, Any]
    verified: int = 0  # trials run a second time (`RunOptions.verify`)
    unsteady: tuple[Unsteady, ...] = ()  # those of them that came out differently
    keeper: object = None  # holds a temporary folder
    pace: Pace | None = None  # how long its trials took

    @property
    def complete(self) -> bool:
        """Whether every trial of the plan is there, failed or not."""
        return self.ran + self.reused == self.total

    @property
    def resume(self) -> str:
        """What to tell somebody whose run was stopped."""
        missing = self.total - self.ran - self.reused
        return f"{missing} of {self.total} trials are still to do; run the same command again to go on from here"


Fact = tuple[str, str, dict[str, Any], dict[str, NDArray[Any]]]


class StoredFacts:
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
                fold = partition.fold(trial.fold, cell.recipe.cuts)
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
    arrays |= {name: as_rows(rows) for name, rows in fold.inner.items()}
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


ENVIRONMENT = "environment.json"


class RunFolder:
    """A folder with its lock taken and its store open; `notes` is what the reader should know about it."""

    def __init__(self, options: RunOptions) -> None:
        self.notes: list[str] = []
        self.path = _made(options.folder, options.within)
        if options.folder is None:
            # The trials of a run without a folder live as long as somebody can ask for them.
            self.keeper = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
        self._lock = FolderLock(self.path)
        try:
            if self._lock.before.pid:
                self.notes.append(_taken_over(self._lock.before))
            if options.fresh:
                self._lock.note(0)
            self.store = Store(self.path, fresh=options.fresh, expected=self._lock.before.trials)
            self._lock.note(self.store.count)
            self.notes += self.store.notes
            self._write_facts(options)
        except BaseException:
            self._lock.release()
            raise

    def commit(self, trials: list[Trial], facts: Iterable[Fact]) -> None:
        """Make trials lasting, with what they refer to, and hold the folder also when somebody deletes its lock."""
        if self._lock.keep():
            self.notes.append("the lock of the run folder was deleted while the run was going on, and made again")
        self.store.commit(trials, facts)
        with contextlib.suppress(OSError):  # a number that is too low misleads nobody
            self._lock.note(self.store.count)

    def close(self) -> None:
        """Close the store and let the next run in."""
        self.store.close()
        self._lock.release()

    def _write_facts(self, options: RunOptions) -> None:
        for name, text in options.files.items():
            if not name or Path(name).name != name or name.startswith("."):
                raise RunError(f"{name!r} is no name for a file of a run folder")
            write_whole(self.path / name, text)
        now = self.environment = environment()
        before = _read(self.path / ENVIRONMENT)
        if before and not options.fresh:
            self.notes += drift(before, now)
        write_whole(self.path / ENVIRONMENT, json.dumps(now, indent=2, sort_keys=True) + "\n")


def _taken_over(before: LockNote) -> str:
    """What is left of a run that was killed goes: its workers ended with it, and what they had started may not have."""
    left = end_found(partial(left_behind, before.pid, before.started)) if before.here and before.started else ()
    more = f", and what its learners had started was ended (processes: {len(left)})" if left else ""
    return f"the lock of a run that ended early (process {before.pid}) was taken over{more}"


def _made(folder: Path | None, within: Path | None) -> Path:
    """The folder, there and writable: found out before any learner is trained."""
    if folder is None:
        return Path(tempfile.mkdtemp(prefix="evalang-"))
    try:
        if within is not None:
            make_below(str(within), folder.relative_to(within).as_posix())
        folder.mkdir(parents=True, exist_ok=True)
        crashpoint("folder-made")
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"0")
    except FileExistsError:
        raise RunError(f"{folder} is a file, not a folder", hint="name another one with --out") from None
    except OSError as error:
        raise storage_error(error, folder) from None
    return folder


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(read_plain(path))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def keep_cells(layout: Layout, folder: Path) -> None:
    """Write down which trials of the store belong to which learner, dataset and comparison."""
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
                "split": ["split", cell.data, cell.split, cell.recipe.rows_fingerprint, cell.seed],
                "partitions": cell.partitions,
                "folds": cell.folds,
                "trainings": next(n for x, n in layout.trainings if x == learner),
            }
        )
    write_whole(folder / CELLS, json.dumps({"version": 1, "cells": found}, indent=1, ensure_ascii=False) + "\n")
