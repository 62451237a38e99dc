"""A trial as a row of the store (JSON and plain arrays, no pickle) and back; rows that do not fit are errors."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RunError
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
    """Return the arrays of a heading, read-only; ValueError when heading and bytes do not fit."""
    found: dict[str, NDArray[Any]] = {}
    start = 0
    for name, kind, shape in heading:
        if not isinstance(name, str) or kind not in _DTYPES or len(shape) > 2 or any(type(n) is not int for n in shape):
            raise ValueError("a stored array has a heading that cannot be read")
        count = math.prod(shape)
        end = start + count * np.dtype(kind).itemsize
        if min(shape, default=0) < 0 or end > len(body):
            raise ValueError(f"the stored array {name} is shorter than its heading says")
        found[name] = np.frombuffer(body, dtype=kind, count=count, offset=start).reshape(shape)
        start = end
    if start != len(body):
        raise ValueError("a stored array is longer than its heading says")
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
        raise RunError(f"the stored trial {key[:12]} cannot be read: {type(error).__name__}") from None


def _trial(key: str, data: Any, body: bytes, times: Any) -> Trial:
    held = unpack(data["arrays"], body)
    partition, fold, training = map(_natural, data["at"])
    train_size, test_size = map(_natural, data["sizes"])
    answers = tuple(
        LearnerAnswer(
            metrics=tuple(map(str, metrics)),
            labels=held[f"labels{place}"],
            scores=held.get(f"scores{place}"),
            probabilities=bool(probabilities),
            chosen=_parameters(chosen),
            size=_optional(int, size),
            threshold=_optional(float, added[0]) if added else None,
            rounds=_optional(int, added[1]) if added else None,
            fit_seconds=float(times["fit_seconds"][place]),
            predict_seconds=float(times["predict_seconds"][place]),
        )
        for place, (metrics, probabilities, chosen, size, *added) in enumerate(data["answers"])
    )
    candidates = tuple(
        Candidate(
            parameters=_parameters(parameters),
            scores=tuple(_optional(float, score) for score in scores),
            failure=str(failure),
        )
        for parameters, scores, failure in data["candidates"]
    )
    failure = None
    if data["failure"] is not None:
        kind, error, message, trace, limits = map(str, data["failure"])
        place, traceback = map(str, times.get("failed_in", ("", "")))
        failure = Failure(
            kind=kind,  # type: ignore[arg-type]
            error=error,
            message=message,
            trace=trace,
            limits=limits,
            place=place,
            traceback=traceback,
        )
    return Trial(
        key=key,
        partition=partition,
        fold=fold,
        training=training,
        train_size=train_size,
        test_size=test_size,
        answers=answers,
        tuned_for=tuple(map(str, data["tuned_for"])),
        candidates=candidates,
        warnings=tuple((str(category), str(message), int(count)) for category, message, count in data["warnings"]),
        failure=failure,
        printed=str(times["printed"]),
        seconds=_optional(float, times.get("seconds")),  # not there in a store of an earlier evalang
        memory=_optional(int, times.get("memory")),
        imported=tuple((str(name), str(mark)) for name, mark in times.get("imported", ())),
    )


def _natural(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("not the number of a fold or of rows")
    return value


def _optional(kind: Any, value: Any) -> Any:
    return None if value is None else kind(value)


def _parameters(values: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((str(name), _frozen(value)) for name, value in values)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def to_json(value: object) -> str:
    """Return a value as compact JSON."""
    return json.dumps(value, allow_nan=False, separators=(",", ":"), ensure_ascii=True)
