"""The store of finished trials: SQLite in the run folder, written by one process, whole at every commit.

WAL with `synchronous = NORMAL`: a commit survives the death of the process. A power cut may cost the last commits,
whose fits are run again; the store stays whole. A row is JSON and plain arrays, no pickle.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
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


def checksum(*values: object) -> int:
    """Return a checksum of a row; SQLite itself does not notice a flipped bit in a value."""
    total = 0
    for value in values:
        total = zlib.crc32(value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass"), total)
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
        "failure": failure and [failure.kind, failure.error, failure.message, "", failure.limits],
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
        kind, error, message, _, limits = data["failure"]
        place, lines = times.get("failed_in", ("", ""))
        failure = Failure(kind=kind, error=error, message=message, limits=limits, place=place, traceback=lines)
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
VERSION = 1
APPLICATION = 0x45564C31  # "EVL1"
_CELLS = "key TEXT PRIMARY KEY, result TEXT NOT NULL, arrays BLOB NOT NULL"
TABLES = {
    "trials": f"{_CELLS}, volatile TEXT NOT NULL, failure TEXT NOT NULL, sum INTEGER NOT NULL",
    "splits": f"{_CELLS}, sum INTEGER NOT NULL",
    "datasets": f"{_CELLS}, sum INTEGER NOT NULL",
}
_SCHEMA = {name: f"CREATE TABLE {name} ({columns}) WITHOUT ROWID" for name, columns in TABLES.items()}
_ENDINGS = ("", "-wal", "-shm", "-journal")  # of the files of one store

Fact = tuple[str, str, dict[str, Any], dict[str, NDArray[Any]]]  # table, key, JSON, arrays


class Store:
    """Finished trials by key.

    A store that lasts no longer than its process (`durable=False`) does without the log and never waits for the disk.
    """

    def __init__(self, folder: Path, *, fresh: bool = False, write: bool = True, durable: bool = True) -> None:
        self.path = folder / NAME
        self._keeps_log = write and durable
        if not write and not self.path.exists():
            raise _no_fits(self.path)
        for file in (self.path.with_name(NAME + ending) for ending in _ENDINGS):
            if os.path.lexists(file) and (file.is_symlink() or not file.is_file()):
                hint = "delete it, or give this run a folder of its own with --out"
                raise RunError(
                    f"{file} is a link, a folder, a pipe or a device, and a store has to be a file", hint=hint
                )
            if fresh:
                file.unlink(missing_ok=True)
        try:
            address = self.path.absolute().as_uri() + ("?mode=rwc" if write else "?mode=ro")
            self._connection = sqlite3.connect(address, uri=True, isolation_level=None)
            self._open(write, durable)
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the second where a message quotes what is damaged
            raise _storage_error(error, self.path) from None

    def done(self) -> dict[str, str]:
        """Return every stored trial's key, with the failure (kind and limits) or "" of each."""
        return dict(self._execute("SELECT key, failure FROM trials"))

    def has(self, table: str, key: str) -> bool:
        """Return whether a trial, a split or a dataset is stored."""
        return bool(self._execute(f"SELECT 1 FROM {table} WHERE key = ?", key))

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
        for key in keys:
            for row in self._row("trials", key):
                yield from_row(*row[:4])

    def fact(self, table: str, key: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]] | None:
        """Return a split or a dataset as it was stored; None if it is not there."""
        for _, result, arrays, _ in self._row(table, key):
            data = json.loads(result)
            return data, unpack(data["arrays"], arrays)
        return None

    def rows(self, table: str) -> Iterator[tuple[str, str, bytes]]:
        """Yield key, JSON and arrays of every row in order of keys: equal in two runs of one plan, to the byte."""
        yield from self._execute(f"SELECT key, result, arrays FROM {table} ORDER BY key")

    def dataset_hashes(self) -> dict[str, set[str]]:
        """Return the content hashes that stored datasets of each name have had."""
        found: dict[str, set[str]] = {}
        for (key,) in self._execute("SELECT key FROM datasets"):
            for _, result, *_ in self._row("datasets", key):
                found.setdefault(json.loads(result)["name"], set()).add(key)
        return found

    def close(self) -> None:
        """Copy the log into the file and close it: one file is left, to be copied or read from any folder."""
        if self._keeps_log:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()

    def _open(self, write: bool, durable: bool) -> None:
        """Make the tables of a new file; refuse one that is no store, or that a newer evalang wrote."""
        execute = self._connection.execute
        execute("PRAGMA trusted_schema = OFF")
        if not durable:
            execute("PRAGMA synchronous = OFF")
            execute("PRAGMA journal_mode = MEMORY")
        schema = dict(execute("SELECT name, sql FROM sqlite_master"))
        if not schema:  # a run has just made the file
            if not write:
                raise _no_fits(self.path)
            tables = "; ".join(_SCHEMA.values())
            self._connection.executescript(
                f"BEGIN; {tables}; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; COMMIT"
            )
        elif execute("PRAGMA user_version").fetchone()[0] > VERSION:
            raise RunError(
                f"{self.path} was written by a newer evalang",
                hint="use that version, or give this run another folder with --out",
            )
        elif schema != _SCHEMA:
            raise _damaged(self.path, "its tables are not those of a store")
        if self._keeps_log:
            execute("PRAGMA journal_mode = WAL")
            execute("PRAGMA synchronous = NORMAL")

    def _insert(self, table: str, *values: str | bytes) -> None:
        places = ", ".join("?" * (len(values) + 1))
        self._execute(f"INSERT OR REPLACE INTO {table} VALUES ({places})", *values, checksum(*values))

    def _row(self, table: str, key: str) -> list[Any]:
        """Return the row of a key, or nothing; RunError where it is not as it was written."""
        found = self._execute(f"SELECT * FROM {table} WHERE key = ?", key)
        if any(row[-1] != checksum(*row[:-1]) for row in found):
            raise _damaged(self.path, f"the row {key[:12]} has changed on disk")
        return found

    def _execute(self, statement: str, *values: object) -> list[Any]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the second where a message quotes what is damaged
            raise _storage_error(error, self.path) from None


def failure_text(trial: Trial) -> str:
    """Return kind and limits of a failure; "" for a trial with an answer."""
    return "" if trial.failure is None else f"{trial.failure.kind} {trial.failure.limits}".strip()


def _no_fits(path: Path) -> RunError:
    return RunError(f"{path.parent} has no finished fits", hint="run the script first")


def _damaged(path: Path, reason: str) -> RunError:
    return RunError(f"{path} is damaged: {reason}", hint="run again with --fresh to fit everything again")


def _storage_error(error: Exception, path: Path) -> RunError:
    message = str(error)
    if "full" in message:
        return disk_full(path)
    if "readonly" in message or "unable to open" in message:
        return read_only(path)
    if "malformed" in message or "not a database" in message or "decode" in message:
        return _damaged(path, message)
    return RunError(f"the store {path} failed: {message}", hint="check the disk, then run again")
