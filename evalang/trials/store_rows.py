"""A trial as a row of the store and back, without pickle, and the tables that hold it, which a stranger may have
written.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
import struct
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RunError
from ..language.held import not_alone, open_plain
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
        "answers": [[list(g.metrics), g.probabilities, g.chosen, g.size, *_later(g)] for g in trial.answers],
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
        "seconds": trial.seconds,
        "memory": trial.memory,
    }
    return trial.key, _dumps(result), body, _dumps(volatile)


def _later(given: LearnerAnswer) -> list[float | int | None]:
    """What was chosen beside the settings; nothing where nothing was, so that earlier trials keep their bytes."""
    beside: list[float | int | None] = [given.threshold, given.rounds]
    return beside if beside != [None, None] else []


def from_row(key: str, result: str, arrays: bytes, volatile: str) -> Trial:
    """The trial of a row. The store is read as if a stranger had written it: what does not fit is a RunError."""
    try:
        data, times = json.loads(result), json.loads(volatile)
        held = unpack(data["arrays"], arrays)
        partition, fold, training = map(_whole, data["at"])
        train_size, test_size = map(_whole, data["sizes"])
        answers = tuple(
            LearnerAnswer(
                metrics=tuple(str(m) for m in metrics),
                labels=held[f"labels{place}"],
                scores=held.get(f"scores{place}"),
                probabilities=bool(probabilities),
                chosen=_parameters(chosen),
                size=None if size is None else int(size),
                threshold=float(more[0]) if more and more[0] is not None else None,
                rounds=int(more[1]) if more and more[1] is not None else None,
                fit_seconds=float(times["fit_seconds"][place]),
                predict_seconds=float(times["predict_seconds"][place]),
            )
            for place, (metrics, probabilities, chosen, size, *more) in enumerate(data["answers"])
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
            seconds=_known(times.get("seconds"), float),  # not there in a store of an earlier evalang
            memory=_known(times.get("memory"), int),
        )
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise RunError(f"the stored trial {key[:12]} cannot be read: {type(error).__name__}") from None


def checksum(*values: str | bytes) -> int:
    """A check on the bytes of a row; SQLite itself does not notice a flipped bit in a value."""
    total = 0
    for value in values:
        total = zlib.crc32(value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass"), total)
    return total


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("no number of a fold or of rows")
    return value


def _known(value: Any, kind: Callable[[Any], Any]) -> Any:
    return None if value is None else kind(value)


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
_FRAMES = 256  # read at a time
_LARGEST_PAGE = 65536
_BEGIN = 64 << 20  # bytes of zeros at the beginning of what holds nothing
_MAGIC = 0x377F0682  # its last bit tells the order of bytes in checksums


def lost_commits(path: Path) -> int:
    """Finished commits behind the first damage of a log; 0 for a whole one, an empty one and none.

    Frame by frame: a log may be of any size, and somebody else may have made it.
    """
    try:
        with FileIO(open_plain(path)) as file:
            return _lost(file, os.fstat(file.fileno()).st_size)
    except OSError:
        return 0


def _lost(file: FileIO, length: int) -> int:
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return 0
    magic, _, page, _, salt1, salt2, sum1, sum2 = _HEADER.unpack(header)
    order = ">" if magic & 1 else "<"
    size = _FRAME.size + page
    whole = magic & ~1 == _MAGIC and 512 <= page <= _LARGEST_PAGE and _sums(header[:24], order, (0, 0)) == (sum1, sum2)
    if not whole:  # nothing of it is read; commits are counted by any frame that looks like the end of one
        begin = header + file.read(_BEGIN)
        return max(1, length // (_FRAME.size + 4096)) if begin.strip(b"\0") else 0
    sums = (sum1, sum2)
    for start in range(_HEADER.size, length - size + 1, size):
        frame = file.read(size)
        one, two, *found = _FRAME.unpack_from(frame)[2:]
        sums = _sums(frame[_FRAME.size :], order, _sums(frame[:8], order, sums))
        if (one, two) != (salt1, salt2) or tuple(found) != sums:
            file.seek(start)
            # Either salt will do, and the first counts whatever it says of itself: damage may be just there.
            return max(_commits(file, size, (salt1, salt2)), int(one == salt1 or two == salt2))
    return 0


def _commits(file: FileIO, size: int, salts: tuple[int, int]) -> int:
    """Frames from here on that ended a commit of this log, whose salts those of an earlier log do not share."""
    found = 0
    while block := file.read(size * _FRAMES):
        frames = np.frombuffer(block, dtype=np.uint8, count=len(block) // size * size).reshape(-1, size)
        _, commits, ones, twos, *_ = frames[:, : _FRAME.size].copy().view(">u4").T
        found += int(np.count_nonzero((commits != 0) & ((ones == salts[0]) | (twos == salts[1]))))
    return found


def _sums(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    """SQLite adds a pair of words (x, y) by a = a + x + b, b = b + y + a; so many pairs on, by Fibonacci's numbers."""
    words = np.frombuffer(data, dtype=f"{order}u4").astype(np.uint32)
    numbers = _fibonacci(len(words) + 2)
    x, y, one, two = words[::2], words[1::2], *map(np.uint32, sums)
    # The last pair counts F(1) x + F(0) y for the first sum, F(2) x + F(1) y for the second; each before it, two more.
    first = (numbers[1:-1:2][::-1] * x + numbers[:-2:2][::-1] * y).sum(dtype=np.uint32)
    second = (numbers[2::2][::-1] * x + numbers[1:-1:2][::-1] * y).sum(dtype=np.uint32)
    with np.errstate(over="ignore"):
        first += numbers[-3] * one + numbers[-2] * two
        second += numbers[-2] * one + numbers[-1] * two
    return int(first), int(second)


@lru_cache(maxsize=8)
def _fibonacci(count: int) -> NDArray[np.uint32]:
    """The first so many, from F(0) = 0 on, modulo 2^32."""
    found = [0, 1]
    while len(found) < count:
        found.append((found[-1] + found[-2]) & 0xFFFFFFFF)
    return np.array(found[:count], dtype=np.uint32)


VERSION = 1
BESIDE = ("-wal", "-shm", "-journal")
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
    # SQLite would wait for somebody to write into a pipe, and writes beside a file also while it only reads it.
    for place in (path, *(path.with_name(path.name + end) for end in BESIDE)):
        problem = not_alone(place)
        if problem and not (place == path and path.is_file() and not write):  # a second name of what is only read
            raise RunError(f"{place} {problem}", hint="delete it, or give this run a folder of its own with --out")
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
    """Raise Damaged when any row is not what was written. A key that changed would not even be found any more.

    Nor is one that stands where it does not belong: a page in the place of another has whole rows, some of them twice.
    """
    changed = 0
    try:
        for name in TABLES:
            last = ""
            for row in connection.execute(f"SELECT * FROM {name}"):
                if sound(row) and last < row[0]:
                    last = row[0]
                else:
                    changed += 1
    except sqlite3.DatabaseError as error:
        raise Damaged(str(error)) from None
    if changed:
        raise Damaged(f"{changed} {'rows have' if changed > 1 else 'row has'} changed on disk")


def sound(row: tuple[object, ...]) -> bool:
    """Whether a row is of the right types and its last value is the checksum of the others."""
    *values, total = row
    return all(isinstance(value, str | bytes) for value in values) and total == checksum(*values)  # type: ignore[arg-type]
