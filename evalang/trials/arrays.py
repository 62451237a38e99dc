"""Arrays as bytes and back, without pickle: a list of (name, type, shape) and the raw values after one another."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RunError

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
