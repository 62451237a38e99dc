"""A trial as a row of the store and back, without pickle, and the tables that hold it, which a stranger may have
written.
"""

from __future__ import annotations

import json
import math
import sqlite3
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RunError
from .trial import Candidate, Failure, LearnerAnswer, Trial

_KNOWN = frozenset({"|u1", "<u2", "<u4", "<i4", "<i8", "<f8", "|b1"})
Heading = list[list[Any]]


def pack(arrays: Mapping[str, NDArray[Any]]) -> tuple[Heading, bytes]:
    """Heading and bytes of named arrays.

    >>> heading, body = pack({"labels": np.array([1, 0], dtype=np.uint8)})
    >>> heading, unpack(heading, body)["labels"].tolist()
    ([['labels', '|u1', [2]]], [1, 0])
    """
    heading: Heading = []
    parts: list[bytes] = []
    for name, values in arrays.items():
        plain = np.ascontiguousarray(values)
        plain = plain.astype(plain.dtype.newbyteorder("<"), copy=False)
        if plain.dtype.str not in _KNOWN:
            raise TypeError(f"{name} of type {plain.dtype} cannot be stored")
        heading.append([name, plain.dtype.str, list(plain.shape)])
        parts.append(plain.tobytes())
    return heading, b"".join(parts)


def unpack(heading: Any, body: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of a heading, read-only; anything that does not fit is an error, never a guess."""
    found: dict[str, NDArray[Any]] = {}
    start = 0
    if not isinstance(heading, list):
        raise RunError("a stored array has no heading")
    for entry in heading:
        name, kind, shape = entry if isinstance(entry, list) and len(entry) == 3 else ("", "", [])
        if not isinstance(name, str) or not isinstance(kind, str) or kind not in _KNOWN or not _is_shape(shape):
            raise RunError("a stored array has a heading that cannot be read")
        count = math.prod(shape)
        end = start + count * np.dtype(kind).itemsize
        if end > len(body):
            raise RunError(f"the stored array {name} is shorter than its heading says")
        found[name] = np.frombuffer(body, dtype=kind, count=count, offset=start).reshape(shape)
        start = end
    if start != len(body):
        raise RunError("a stored array is longer than its heading says")
    return found


def small(codes: NDArray[Any], classes: int) -> NDArray[Any]:
    """Class codes in as few bytes as they need."""
    return codes.astype(np.uint8 if classes <= 256 else np.uint32)


def _is_shape(shape: object) -> bool:
    return isinstance(shape, list) and len(shape) <= 2 and all(type(n) is int and 0 <= n < 2**40 for n in shape)


def to_row(trial: Trial) -> tuple[str, str, bytes, str]:
    """(result, arrays, and what may differ between two runs): digest of the key, JSON, bytes, JSON."""
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
        "answers": [[list(g.metrics), g.probabilities, g.chosen, g.size] for g in trial.answers],
        "tuned_for": trial.tuned_for,
        "candidates": [[c.parameters, c.scores, c.failure] for c in trial.candidates],
        "warnings": trial.warnings,
        "failure": failure and [failure.kind, failure.error, failure.message, failure.trace, failure.limits],
        "arrays": heading,
    }
    volatile = {
        "fit_seconds": [g.fit_seconds for g in trial.answers],
        "predict_seconds": [g.predict_seconds for g in trial.answers],
        "printed": trial.printed,
    }
    return trial.key, _dumps(result), body, _dumps(volatile)


def from_row(key: str, result: str, arrays: bytes, volatile: str) -> Trial:
    """The trial of a row. The store is read as if a stranger had written it: what does not fit is a RunError."""
    try:
        data, times = json.loads(result), json.loads(volatile)
        held = unpack(data["arrays"], arrays)
        partition, fold, training = (int(n) for n in data["at"])
        train_size, test_size = (int(n) for n in data["sizes"])
        answers = tuple(
            LearnerAnswer(
                metrics=tuple(str(m) for m in metrics),
                labels=held[f"labels{place}"],
                scores=held.get(f"scores{place}"),
                probabilities=bool(probabilities),
                chosen=_parameters(chosen),
                size=None if size is None else int(size),
                fit_seconds=float(times["fit_seconds"][place]),
                predict_seconds=float(times["predict_seconds"][place]),
            )
            for place, (metrics, probabilities, chosen, size) in enumerate(data["answers"])
        )
        candidates = tuple(
            Candidate(
                parameters=_parameters(parameters),
                scores=tuple(None if s is None else float(s) for s in scores),
                failure=str(failure),
            )
            for parameters, scores, failure in data["candidates"]
        )
        failed = data["failure"]
        return Trial(
            key=key,
            partition=partition,
            fold=fold,
            training=training,
            train_size=train_size,
            test_size=test_size,
            answers=answers,
            tuned_for=tuple(str(m) for m in data["tuned_for"]),
            candidates=candidates,
            warnings=tuple((str(a), str(b), int(c)) for a, b, c in data["warnings"]),
            failure=None if failed is None else _failure(failed),
            printed=str(times["printed"]),
        )
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise RunError(f"the stored trial {key[:12]} cannot be read: {type(error).__name__}") from None


def checksum(*values: str | bytes) -> int:
    """A check on the bytes of a row; SQLite itself does not notice a flipped bit in a value."""
    total = 0
    for value in values:
        total = zlib.crc32(value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass"), total)
    return total


def _failure(values: list[Any]) -> Failure:
    kind, error, message, trace, limits = (str(value) for value in values)
    return Failure(kind=kind, error=error, message=message, trace=trace, limits=limits)  # type: ignore[arg-type]


def _parameters(values: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((str(name), _frozen(value)) for name, value in values)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def _dumps(value: object) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"), ensure_ascii=True)


_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGIC = 0x377F0682  # its last bit tells the order of bytes in checksums


def lost_commits(path: Path) -> int:
    """Finished commits behind the first damage of a log; 0 for a whole one, an empty one and none."""
    try:
        data = path.read_bytes()
    except OSError:
        return 0
    if len(data) < _HEADER.size:
        return 0
    magic, _, page, _, salt1, salt2, sum1, sum2 = _HEADER.unpack_from(data)
    order = ">" if magic & 1 else "<"
    size = _FRAME.size + page
    whole = magic & ~1 == _MAGIC and page >= 512 and _sums(data[:24], order, (0, 0)) == (sum1, sum2)
    if not whole:  # nothing of it is read; commits are counted by any frame that looks like the end of one
        return max(1, len(data) // (_FRAME.size + 4096)) if any(data) else 0
    sums, lost, broken = (sum1, sum2), 0, False
    for start in range(_HEADER.size, len(data) - size + 1, size):
        _, commit, one, two, *found = _FRAME.unpack_from(data, start)
        if not broken:
            sums = _sums(data[start : start + 8], order, sums)
            sums = _sums(data[start + _FRAME.size : start + size], order, sums)
            broken = (one, two) != (salt1, salt2) or tuple(found) != sums
        if broken:
            lost += bool(commit) and (one, two) == (salt1, salt2)
    return lost


def _sums(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    one, two = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


VERSION = 1
APPLICATION = 0x45564C31  # "EVL1"
TABLES = {
    "trials": "key TEXT PRIMARY KEY, result TEXT NOT NULL, arrays BLOB NOT NULL, volatile TEXT NOT NULL, "
    "failure TEXT NOT NULL, sum INTEGER NOT NULL",
    "splits": "key TEXT PRIMARY KEY, result TEXT NOT NULL, arrays BLOB NOT NULL, sum INTEGER NOT NULL",
    "datasets": "key TEXT PRIMARY KEY, result TEXT NOT NULL, arrays BLOB NOT NULL, sum INTEGER NOT NULL",
}


class Damaged(Exception):
    """The file is no store of ours, or not a whole one."""


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """A connection that trusts nothing in the file: no functions in its schema, no extensions, no foreign tables."""
    if path.is_symlink():
        raise RunError(f"{path} is a link", hint="a store has to be a file of its own")
    address = path.absolute().as_uri() + ("?mode=rwc" if write else "?mode=ro")
    connection = sqlite3.connect(address, uri=True, isolation_level=None, cached_statements=64)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def make(connection: sqlite3.Connection) -> None:
    """Empty tables, lasting at every commit."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    for name, columns in TABLES.items():
        connection.execute(f"CREATE TABLE {name} ({columns}) WITHOUT ROWID")
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Raise Damaged for a file that cannot be used, RunError for one of a newer evalang."""
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        found = {
            (kind, name): sql for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master")
        }
    except sqlite3.DatabaseError as error:
        raise Damaged(str(error)) from None
    if application == APPLICATION and version > VERSION:
        raise RunError(
            f"{path} was written by a newer evalang (store version {version}, this one knows {VERSION})",
            hint="use that version, or give this run another folder with --out",
        )
    wanted = {("table", name): f"CREATE TABLE {name} ({columns}) WITHOUT ROWID" for name, columns in TABLES.items()}
    if application != APPLICATION or version != VERSION or found != wanted:
        # A view or a trigger that we never made has no business here.
        raise Damaged("its tables are not those of a store")
    try:
        answer = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise Damaged(str(error)) from None
    if answer != "ok":
        raise Damaged(str(answer))


def check_rows(connection: sqlite3.Connection) -> None:
    """Raise Damaged when any row is not what was written. A key that changed would not even be found any more."""
    changed = 0
    try:
        for name in TABLES:
            changed += sum(1 for row in connection.execute(f"SELECT * FROM {name}") if not sound(row))
    except sqlite3.DatabaseError as error:
        raise Damaged(str(error)) from None
    if changed:
        raise Damaged(f"{changed} {'rows have' if changed > 1 else 'row has'} changed on disk")


def sound(row: tuple[object, ...]) -> bool:
    """Whether a row is of the right types and its last value is the checksum of the others."""
    *values, total = row
    return all(isinstance(value, str | bytes) for value in values) and total == checksum(*values)  # type: ignore[arg-type]
