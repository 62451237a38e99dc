"""The store of finished trials: SQLite in the run folder, written by one process, whole at every commit.

WAL with `synchronous = NORMAL`: a commit survives the death of the process. A power cut may cost the last commits,
whose fits are run again; the store stays whole. A row is JSON and plain arrays, no pickle.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RunError
from .files import disk_full, read_only
from .trial import Candidate, Failure, LearnerAnswer, Trial

_DTYPES = frozenset({"|u1", "<u2", "<u4", "<i4", "<i8", "<f8", "|b1"})
Heading = list[list[Any]]


def pack(arrays: Mapping[str, NDArray[Any]]) -> tuple[Heading, bytes]:
    """Return heading and bytes of named arrays.

    >>> heading, body = pack({"labels": np.array([1, 0], dtype=np.uint8)})
    >>> heading, unpack(heading, body)["labels"].tolist()
    ([['labels', '|u1', [2]]], [1, 0])
    """
    heading: Heading = []
    parts: list[bytes] = []
    for name, values in arrays.items():
        plain = np.ascontiguousarray(values)
        plain = plain.astype(plain.dtype.newbyteorder("<"), copy=False)
        if plain.dtype.str not in _DTYPES:
            raise TypeError(f"{name} of type {plain.dtype} cannot be stored")
        heading.append([name, plain.dtype.str, list(plain.shape)])
        parts.append(plain.tobytes())
    return heading, b"".join(parts)


def unpack(heading: Any, body: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays of a heading, read-only; ValueError when the bytes are too few."""
    found: dict[str, NDArray[Any]] = {}
    start = 0
    for name, kind, shape in heading:
        if kind not in _DTYPES:
            raise ValueError("a stored array has a heading that cannot be read")
        count = math.prod(shape)
        found[name] = np.frombuffer(body, dtype=kind, count=count, offset=start).reshape(shape)
        start += found[name].nbytes
    return found


def row_numbers(rows: NDArray[np.int64]) -> NDArray[Any]:
    """Return row numbers in as few bytes as they need."""
    return rows.astype(np.int32 if not len(rows) or int(rows.max()) < 2**31 else np.int64)


def checksum(*values: str | bytes) -> int:
    """Return a checksum of a row; SQLite itself does not notice a flipped bit in a value."""
    total = 0
    for value in values:
        total = zlib.crc32(value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass"), total)
    return total


def to_row(trial: Trial) -> tuple[str, str, bytes, str]:
    """Return the key, the result and its arrays, and what may differ between two runs."""
    arrays: dict[str, Any] = {}
    for place, given in enumerate(trial.answers):
        arrays[f"labels{place}"] = given.labels
        if given.scores is not None:
            arrays[f"scores{place}"] = given.scores
    heading, body = pack(arrays)
    failure = trial.failure
    result = {
        "at": [trial.partition, trial.fold, trial.training],
        "sizes": [trial.train_size, trial.test_size],
        "answers": [[list(g.metrics), g.probabilities, g.chosen, g.size, *_later(g)] for g in trial.answers],
        "tuned_for": trial.tuned_for,
        "candidates": [[c.parameters, c.scores, c.failure] for c in trial.candidates],
        "warnings": trial.warnings,
        "failure": failure and [failure.kind, failure.error, failure.message, failure.trace, failure.limits],
        "arrays": heading,
    }
    volatile: dict[str, Any] = {
        "fit_seconds": [g.fit_seconds for g in trial.answers],
        "predict_seconds": [g.predict_seconds for g in trial.answers],
        "printed": trial.printed,
        "seconds": trial.seconds,
        "memory": trial.memory,
    }
    if failure is not None and failure.traceback:
        volatile["failed_in"] = [failure.place, failure.traceback]
    if trial.imported:
        volatile["imported"] = trial.imported
    return trial.key, to_json(result), body, to_json(volatile)


def _later(given: LearnerAnswer) -> list[float | int | None]:
    """What later versions added; nothing where it is not used, so that other trials keep their bytes."""
    added: list[float | int | None] = [given.threshold, given.rounds]
    return added if added != [None, None] else []


def from_row(key: str, result: str, arrays: bytes, volatile: str) -> Trial:
    """Return the trial of a row; RunError for a row that does not fit."""
    try:
        return _trial(key, json.loads(result), arrays, json.loads(volatile))
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise RunError(f"the stored fit {key[:12]} cannot be read: {type(error).__name__}") from None


def _trial(key: str, data: Any, body: bytes, times: Any) -> Trial:
    held = unpack(data["arrays"], body)
    answers = tuple(
        LearnerAnswer(
            metrics=tuple(metrics),
            labels=held[f"labels{place}"],
            scores=held.get(f"scores{place}"),
            probabilities=probabilities,
            chosen=_parameters(chosen),
            size=size,
            threshold=added[0] if added else None,
            rounds=added[1] if added else None,
            fit_seconds=times["fit_seconds"][place],
            predict_seconds=times["predict_seconds"][place],
        )
        for place, (metrics, probabilities, chosen, size, *added) in enumerate(data["answers"])
    )
    failure = None
    if data["failure"] is not None:
        names = ("kind", "error", "message", "trace", "limits", "place", "traceback")
        values = (*data["failure"], *times.get("failed_in", ("", "")))
        failure = Failure(**dict(zip(names, values, strict=True)))
    partition, fold, training = data["at"]
    train_size, test_size = data["sizes"]
    return Trial(
        key=key,
        partition=partition,
        fold=fold,
        training=training,
        train_size=train_size,
        test_size=test_size,
        answers=answers,
        tuned_for=tuple(data["tuned_for"]),
        candidates=tuple(
            Candidate(parameters=_parameters(parameters), scores=tuple(scores), failure=failed)
            for parameters, scores, failed in data["candidates"]
        ),
        warnings=_frozen(data["warnings"]),
        failure=failure,
        printed=times["printed"],
        seconds=times.get("seconds"),  # not there in a store of an earlier evalang
        memory=times.get("memory"),
        imported=_frozen(times.get("imported", [])),
    )


def _parameters(values: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((str(name), _frozen(value)) for name, value in values)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def to_json(value: object) -> str:
    """Return a value as compact JSON."""
    return json.dumps(value, allow_nan=False, separators=(",", ":"), ensure_ascii=True)


NAME = "trials.sqlite"
DAMAGED = "trials.sqlite.damaged"
VERSION = 1
APPLICATION = 0x45564C31  # "EVL1"
TABLES = {
    "trials": "key TEXT PRIMARY KEY, result TEXT NOT NULL, arrays BLOB NOT NULL, volatile TEXT NOT NULL, "
    "failure TEXT NOT NULL, sum INTEGER NOT NULL",
    "splits": "key TEXT PRIMARY KEY, result TEXT NOT NULL, arrays BLOB NOT NULL, sum INTEGER NOT NULL",
    "datasets": "key TEXT PRIMARY KEY, result TEXT NOT NULL, arrays BLOB NOT NULL, sum INTEGER NOT NULL",
}
_SCHEMA = {name: f"CREATE TABLE {name} ({columns}) WITHOUT ROWID" for name, columns in TABLES.items()}
_ENDINGS = ("", "-wal", "-shm", "-journal")  # of the files of one store

Fact = tuple[str, str, dict[str, Any], dict[str, NDArray[Any]]]  # table, key, JSON, arrays


class _Damaged(Exception):
    """The file is no store of ours, or not a whole one."""


class Store:
    """Finished trials by key. `notes` reports what had to be done to open it.

    A store that lasts no longer than its process (`durable=False`) does without the log and never waits for the disk.
    """

    def __init__(self, folder: Path, *, fresh: bool = False, write: bool = True, durable: bool = True) -> None:
        self.path = folder / NAME
        self.notes: list[str] = []
        self._write, self._durable = write, durable
        if not write and not self.path.exists():
            raise _no_fits(self.path)
        if fresh:
            for file in _files(self.path):
                file.unlink()
        for file in _files(self.path) if write else ():
            if file.stat().st_nlink > 1:  # a folder copied with hard links does not write into the original
                shutil.copyfile(file, file.with_suffix(".own"))
                os.replace(file.with_suffix(".own"), file)
        try:
            self._connection = self._open()
        except sqlite3.Error as error:
            raise _storage_error(error, self.path) from None

    def done(self) -> dict[str, str]:
        """Return every stored trial's key, with the failure (kind and limits) or "" of each."""
        return dict(self._execute("SELECT key, failure FROM trials"))

    def has(self, table: str, key: str) -> bool:
        """Return whether a trial, a split or a dataset is stored."""
        return self._execute(f"SELECT 1 FROM {table} WHERE key = ?", (key,)).fetchone() is not None

    def commit(self, trials: Iterable[Trial], facts: Iterable[Fact] = ()) -> None:
        """Store trials together with the facts they refer to; all of it or nothing."""
        if not self.path.exists():  # what is written to a deleted file is lost
            raise RunError(f"{self.path} was deleted while the run was going on", hint="run again")
        self._execute("BEGIN IMMEDIATE")
        try:
            for table, key, result, arrays in facts:
                heading, body = pack(arrays)
                self._insert(table, key, to_json({**result, "arrays": heading}), body)
            for trial in trials:
                self._insert("trials", *to_row(trial), failure_text(trial))
            self._execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    def trials(self, keys: Iterable[str]) -> Iterator[Trial]:
        """Yield the stored trials of these keys, in their order."""
        statement = "SELECT key, result, arrays, volatile, failure, sum FROM trials WHERE key = ?"
        for row in self._rows(statement, keys):
            yield from_row(*row[:4])

    def fact(self, table: str, key: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]] | None:
        """Return a split or a dataset as it was stored; None if it is not there."""
        for _, result, arrays, _ in self._rows(f"SELECT * FROM {table} WHERE key = ?", (key,)):
            data = json.loads(result)
            return data, unpack(data["arrays"], arrays)
        return None

    def _rows(self, statement: str, keys: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of these keys; SQLite itself does not notice a flipped bit in a value."""
        for key in keys:
            row = self._execute(statement, (key,)).fetchone()
            if row is not None and row[-1] != checksum(*row[:-1]):
                raise RunError(
                    f"{self.path} is damaged: the row {key[:12]} has changed on disk", hint="run again with --fresh"
                )
            if row is not None:
                yield row

    def rows(self, table: str) -> Iterator[tuple[str, str, bytes]]:
        """Yield key, JSON and arrays of every row in order of keys: equal in two runs of one plan, to the byte."""
        yield from self._execute(f"SELECT key, result, arrays FROM {table} ORDER BY key")

    def dataset_hashes(self) -> dict[str, set[str]]:
        """Return the content hashes that stored datasets of each name have had."""
        found: dict[str, set[str]] = {}
        for key, result in self._execute("SELECT key, result FROM datasets"):
            found.setdefault(json.loads(result)["name"], set()).add(key)
        return found

    def close(self) -> None:
        """Copy the log into the file and close it: one file is left, to be copied or read from any folder."""
        if self._write and self._durable:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()

    def _open(self) -> sqlite3.Connection:
        connection = _connect(self.path, write=self._write)
        try:
            if not self._durable:
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute("PRAGMA journal_mode = MEMORY")
            if not connection.execute("PRAGMA schema_version").fetchone()[0]:  # a run has just made the file
                if not self._write:
                    raise _no_fits(self.path)
                _create_tables(connection)
            _check(connection, self.path)
        except RunError:
            connection.close()
            raise
        except (_Damaged, sqlite3.DatabaseError) as damage:
            connection.close()
            if not self._write:
                raise RunError(f"{self.path} is damaged: {damage}", hint="run the script again to repair it") from None
            for file in _files(self.path):
                os.replace(file, file.with_name(file.name.replace(NAME, DAMAGED)))
            self.notes.append(f"the store was damaged ({damage}); it is kept as {DAMAGED}")
            return self._open()
        if self._write and self._durable:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    def _insert(self, table: str, *values: str | bytes) -> None:
        places = ", ".join("?" * (len(values) + 1))
        self._execute(f"INSERT OR REPLACE INTO {table} VALUES ({places})", (*values, checksum(*values)))

    def _execute(self, statement: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        try:
            return self._connection.execute(statement, values)
        except sqlite3.Error as error:
            raise _storage_error(error, self.path) from None


def failure_text(trial: Trial) -> str:
    """Return kind and limits of a failure; "" for a trial with an answer."""
    return "" if trial.failure is None else f"{trial.failure.kind} {trial.failure.limits}".strip()


def _files(path: Path) -> list[Path]:
    """Return the files of a store that exist; a link, a pipe or a device is refused."""
    found = [file for ending in _ENDINGS if os.path.lexists(file := path.with_name(path.name + ending))]
    for file in found:
        if file.is_symlink() or not file.is_file():
            hint = "delete it, or give this run a folder of its own with --out"
            raise RunError(f"{file} is a link, a pipe or a device, and a store has to be a file", hint=hint)
    return found


def _connect(path: Path, *, write: bool) -> sqlite3.Connection:
    _files(path)
    address = path.absolute().as_uri() + ("?mode=rwc" if write else "?mode=ro")
    connection = sqlite3.connect(address, uri=True, isolation_level=None, cached_statements=64)
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _create_tables(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in _SCHEMA.values():
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Raise _Damaged for a file that is no store, RunError for one of a newer evalang."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    schema = dict(connection.execute("SELECT name, sql FROM sqlite_master").fetchall())
    if application == APPLICATION and version > VERSION:
        raise RunError(
            f"{path} was written by a newer evalang (store version {version}, this one knows {VERSION})",
            hint="use that version, or give this run another folder with --out",
        )
    if application != APPLICATION or version != VERSION or schema != _SCHEMA:
        raise _Damaged("its tables are not those of a store")
    answer = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if answer != "ok":
        raise _Damaged(str(answer))


def _no_fits(path: Path) -> RunError:
    return RunError(f"{path.parent} has no finished fits", hint="run the script first")


def _storage_error(error: sqlite3.Error, path: Path) -> RunError:
    message = str(error)
    if "full" in message:
        return disk_full(path)
    if "readonly" in message or "unable to open" in message:
        return read_only(path)
    return RunError(f"the store {path} failed: {message}", hint="check the disk, then run again")
