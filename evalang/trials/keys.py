"""Fingerprints of what a trial depends on, and random streams taken from them.

Every random number comes from a key (data, learner, scheme, partition, fold), never from the order of the work, so
that another learner, another number of workers or a resumed run changes no other trial.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from ..source.record import Record

_SEED_BOUND = 2**31 - 1  # scikit-learn's estimators take seeds below 2**32; some libraries want a signed 32-bit one


def plain(value: object) -> Any:
    """A plan's record as JSON values; what takes no part in comparison (places, reasons) is left out.

    >>> from evalang.plans.model import Part
    >>> plain(Part(fraction=0.2))
    {'': 'Part', 'fraction': 0.2, 'rows': None}
    """
    if isinstance(value, Record):
        named: dict[str, Any] = {"": type(value).__name__}
        named.update((name, plain(getattr(value, name))) for name in value._compared)
        return named
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if value is None or isinstance(value, str | bool | int | float):
        # True == 1 == 1.0 in Python, yet a learner may treat them differently.
        return [type(value).__name__, repr(value)] if isinstance(value, float | bool) else value
    raise TypeError(f"{type(value).__name__} has no fingerprint")


def digest(*parts: object) -> str:
    """A stable name for a sequence of values: the same in every process, on every machine.

    >>> digest("iris", 10) == digest("iris", 10), digest("iris", 10) == digest("iris", "10")
    (True, False)
    """
    text = json.dumps([plain(part) for part in parts], sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def stream(root: int, *parts: object) -> np.random.Generator:
    """A random stream that belongs to a key and to nothing else."""
    return np.random.Generator(np.random.PCG64(_sequence(root, parts)))


def seed(root: int, *parts: object) -> int:
    """A whole number for an estimator's `random_state`, by key."""
    return int(digest(root, *parts), 16) % _SEED_BOUND


def _sequence(root: int, parts: tuple[object, ...]) -> np.random.SeedSequence:
    words = bytes.fromhex(digest(*parts))[:16]
    spawn = tuple(int.from_bytes(words[i : i + 4], "big") for i in range(0, 16, 4))
    # A negative seed is a legal thing to write; entropy is not.
    return np.random.SeedSequence(abs(root) * 2 + (root < 0), spawn_key=spawn)
