"""The store of finished trials: SQLite in the run folder, written by one process, whole at every commit.

WAL with `synchronous = FULL`: a commit that was acknowledged survives the death of the process and of the machine.
Results that arrive together are committed together, which keeps one fsync from limiting quick trials.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RunError
from . import store_rows
from .files import crashpoint, disk_full, sync_folder
from .store_rows import checksum, from_row, lost_commits, pack, to_row, unpack
from .trial import Trial

NAME = "trials.sqlite"
FOLD = 1.0  # seconds after which the log is folded into the file
_ROW = tuple[str, str, bytes, str]


class Store:
    """Finished trials by key. `notes` says what had to be done to open it.

    `expected` is how many trials it had when the run before was killed, as the lock of the folder says: a log that was
    cut short where a commit ends is whole to SQLite, and to whoever looks at nothing else.
    """

    def __init__(self, folder: Path, *, fresh: bool = False, write: bool = True, expected: int = 0) -> None:
        self.path = folder / NAME
        self._write = write
        self.notes: list[str] = []
        self.healed = False  # rows were lost: what the others refer to has to be written again
        if write and fresh:
            _remove(self.path)
        self._folded = time.monotonic()
        lost = lost_commits(self.path.with_name(f"{NAME}-wal")) if write else 0
        try:
            self._connection = self._open(write)
            self.count = int(self._connection.execute("SELECT COUNT(*) FROM trials").fetchone()[0]) if write else 0
            self._place = _place(self.path)
        except sqlite3.Error as error:
            raise _problem(error, self.path) from None
        missing = 0 if fresh else expected - self.count
        if lost or missing > 0:
            self.healed = True
            self.notes.append(_lost(lost, missing))

    def done(self) -> dict[str, str]:
        """Every stored trial's key, with the failure (kind and limits) or "" of each."""
        rows = self._execute("SELECT key, failure FROM trials")
        return {str(key): str(failure) for key, failure in rows}

    def has(self, table: str, key: str) -> bool:
        """Whether a trial, a split or a dataset is there already."""
        return self._execute(f"SELECT 1 FROM {_name(table)} WHERE key = ?", (key,)).fetchone() is not None

    def commit(
        self, trials: Iterable[Trial], facts: Iterable[tuple[str, str, dict[str, Any], dict[str, NDArray[Any]]]] = ()
    ) -> None:
        """Make trials lasting, together with the (table, key, JSON, arrays) they refer to; all of it or nothing."""
        crashpoint("commit-begun")
        self._still_there()
        new = 0
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for table, key, result, arrays in facts:
                self._put_fact(table, key, result, arrays)
            for trial in trials:
                new += not self.has("trials", trial.key)
                self._put(to_row(trial), failure_words(trial))
                crashpoint("row-written")
            crashpoint("commit-ready")
            self._connection.execute("COMMIT")
        except BaseException as error:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise _problem(error, self.path) from None
            raise
        self.count += new
        crashpoint("commit-done")
        if time.monotonic() - self._folded > FOLD:  # so that little stands in the log alone
            self._folded = time.monotonic()
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def trials(self, keys: Iterable[str]) -> Iterator[Trial]:
        """The stored trials of these keys, in their order; a damaged row is left out."""
        for key in keys:
            row = self._execute(
                "SELECT key, result, arrays, volatile, failure, sum FROM trials WHERE key = ?", (key,)
            ).fetchone()
            if row is not None and store_rows.sound(row):
                yield from_row(*row[:4])

    def fact(self, table: str, key: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]] | None:
        """A split or a dataset as it was stored."""
        row = self._execute(f"SELECT key, result, arrays, sum FROM {_name(table)} WHERE key = ?", (key,)).fetchone()
        if row is None or not store_rows.sound(row):
            return None
        try:
            data = json.loads(row[1])
            arrays = unpack(data["arrays"], row[2])
            classes = data["classes"] if table == "datasets" else []
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        # Its checksum may be right all the same: whoever writes a row can write that too.
        whole = isinstance(data, dict) and isinstance(classes, list) and all(isinstance(one, str) for one in classes)
        return (data, arrays) if whole and ("y" if table == "datasets" else "test") in arrays else None

    def rows(self, table: str) -> Iterator[tuple[str, str, bytes]]:
        """Key, JSON and arrays of every row in order of keys: what two runs of one plan have in common, to the byte."""
        yield from self._execute(f"SELECT key, result, arrays FROM {_name(table)} ORDER BY key")

    def names(self) -> dict[str, set[str]]:
        """The contents that stored datasets of each name have had."""
        found: dict[str, set[str]] = {}
        for key, result in self._execute("SELECT key, result FROM datasets"):
            with contextlib.suppress(ValueError, TypeError, KeyError):
                found.setdefault(str(json.loads(result)["name"]), set()).add(key)
        return found

    def close(self) -> None:
        """Fold the log into the file and let go of it: one file is left, to be copied or read from any folder."""
        crashpoint("store-closing")
        if self._write:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()
        crashpoint("store-closed")

    def _still_there(self) -> None:
        """Somebody may have deleted the run folder: what is written to a file without a name is lost."""
        if _place(self.path) != self._place:
            raise RunError(
                f"{self.path} was deleted or replaced while the run was going on",
                hint="what it held is lost; run again to start anew",
            )

    def _open(self, write: bool) -> sqlite3.Connection:
        if not self.path.exists():
            if not write:
                raise RunError(f"{self.path.parent} holds no finished trials", hint="run the script first")
            return self._make()
        connection = store_rows.connect(self.path, write=write)
        try:
            store_rows.check(connection, self.path)
            if write:
                store_rows.check_rows(connection)
        except store_rows.Damaged as damage:
            connection.close()
            if not write:
                raise RunError(f"{self.path} is damaged: {damage}", hint="run the script again to repair it") from None
            return self._repair(str(damage))
        except RunError:
            connection.close()
            raise
        return _lasting(connection) if write else connection

    def _make(self) -> sqlite3.Connection:
        # Made beside and renamed, so that a crash never leaves a store without its tables.
        temporary = self.path.with_name(f".{NAME}.new")
        _remove(temporary)
        connection = store_rows.connect(temporary, write=True)
        store_rows.make(connection)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        _remove(self.path)  # a log that is left of another store would be read into this one
        os.replace(temporary, self.path)
        sync_folder(self.path.parent)
        crashpoint("store-made")
        return _lasting(store_rows.connect(self.path, write=True))

    def _repair(self, damage: str) -> sqlite3.Connection:
        """Put the damaged file aside and keep every row of it that is whole."""
        number = 1
        while (aside := self.path.with_name(f"{NAME}.damaged-{number}")).exists():
            number += 1
        for ending in store_rows.BESIDE:
            if (extra := self.path.with_name(NAME + ending)).exists():
                os.replace(extra, aside.with_name(aside.name + ending))
        os.replace(self.path, aside)
        connection = self._make()
        self._connection = connection
        connection.execute("BEGIN IMMEDIATE")
        for row, failure in _salvage(aside):
            self._put(row, failure)
        connection.execute("COMMIT")
        kept = connection.execute("SELECT COUNT(*) FROM trials").fetchone()[0]
        self.healed = True
        self.notes.append(
            f"the store was damaged ({damage}); it is kept as {aside.name}, {kept} whole trials were taken over"
        )
        return connection

    def _put(self, row: _ROW, failure: str) -> None:
        key, result, arrays, volatile = row
        self._connection.execute(
            "INSERT OR REPLACE INTO trials VALUES (?, ?, ?, ?, ?, ?)",
            (key, result, arrays, volatile, failure, checksum(key, result, arrays, volatile, failure)),
        )

    def _put_fact(self, table: str, key: str, result: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        heading, body = pack(arrays)
        text = json.dumps({**result, "arrays": heading}, allow_nan=False, separators=(",", ":"))
        self._connection.execute(
            f"INSERT OR REPLACE INTO {_name(table)} VALUES (?, ?, ?, ?)", (key, text, body, checksum(key, text, body))
        )

    def _execute(self, statement: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        try:
            return self._connection.execute(statement, values)
        except sqlite3.Error as error:
            raise _problem(error, self.path) from None


def _lost(commits: int, trials: int) -> str:
    """What is said of a store that has less than it had: the number of trials where it is known."""
    if trials > 0:
        why = "the log of the store was damaged" if commits else "the store is not what it was"
        return f"{why}: {trials} finished {'trial is' if trials == 1 else 'trials are'} lost and run again"
    return f"the log of the store was damaged: up to {commits} commits of finished trials are lost and run again"


def _place(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def failure_words(trial: Trial) -> str:
    """Kind and limits of a failure for the list of what is done; "" for a trial with an answer."""
    return "" if trial.failure is None else f"{trial.failure.kind} {trial.failure.limits}".strip()


def _lasting(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _salvage(path: Path) -> Iterator[tuple[_ROW, str]]:
    """Whole rows of a damaged store, as far as it can be read."""
    try:
        connection = store_rows.connect(path, write=False)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        kinds = {row[0] for row in connection.execute("SELECT type FROM sqlite_master WHERE name = 'trials'")}
        if version != store_rows.VERSION or kinds != {"table"}:
            return
        for row in connection.execute("SELECT key, result, arrays, volatile, failure, sum FROM trials"):
            if store_rows.sound(row):
                yield row[:4], row[4]
    except (sqlite3.Error, RunError):
        return


def _name(table: str) -> str:
    if table not in store_rows.TABLES:
        raise RunError(f"a store has no {table}")
    return table


def _remove(path: Path) -> None:
    for ending in ("", *store_rows.BESIDE):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _problem(error: sqlite3.Error, path: Path) -> RunError:
    words = str(error)
    if "full" in words:
        return disk_full(path)
    if "readonly" in words or "unable to open" in words:
        return RunError(f"{path} cannot be written", hint="give the run a folder it may write to with --out")
    return RunError(f"the store {path} failed: {words}", hint="look at the disk, then run again")


def as_rows(rows: NDArray[np.int64]) -> NDArray[Any]:
    """Row numbers in as few bytes as they need."""
    return rows.astype(np.int32 if not len(rows) or int(rows.max()) < 2**31 else np.int64)
