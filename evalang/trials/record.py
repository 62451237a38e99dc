"""A trial as a row of the store and back: JSON for what is small, raw arrays for the rest, times apart."""

from __future__ import annotations

import json
import zlib
from typing import Any

from ..errors import RunError
from .arrays import pack, unpack
from .trial import Candidate, Failure, Given, Trial


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
            Given(
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
