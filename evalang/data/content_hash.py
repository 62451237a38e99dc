"""A hash of what was really read: equal for the same values whether they came from CSV, Parquet or a database."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from .columns import Column
from .table import Table

VERSION = b"evalang table 1"


def content_hash(table: Table, columns: Iterable[Column]) -> str:
    """sha256 over names, kinds and values of the features, the target and everything said about the rows."""
    digest = hashlib.sha256(VERSION)
    for column in columns:
        _put_texts(digest, "column", (column.name, column.kind, *column.categories))
        _put_array(digest, column.values)
    _put_texts(digest, "target", (table.target, table.task, table.positive or "", *table.classes))
    _put_array(digest, table.y)
    for role, values in (
        ("groups", table.groups),
        ("time", table.time),
        ("weights", table.weights),
        ("folds", table.folds),
    ):
        _put_texts(digest, role, table.fold_names if role == "folds" else ())
        if values is not None:
            _put_array(digest, values)
    _put_texts(digest, "test from", (str(table.test_from),))
    if table.tune_from is not None:
        _put_texts(digest, "tune from", (str(table.tune_from),))
    return digest.hexdigest()


def _put_texts(digest: Any, role: str, texts: tuple[str, ...]) -> None:
    for text in (role, str(len(texts)), *texts):
        encoded = text.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little"))
        digest.update(encoded)


def _put_array(digest: Any, values: np.ndarray[Any, Any]) -> None:
    if values.dtype.kind == "f":
        plain = values.astype("<f8")
        plain[np.isnan(plain)] = np.nan  # one bit pattern for every missing value
    else:
        plain = values.astype("<i8")
    digest.update(f"{plain.dtype.str}{plain.shape}".encode())
    digest.update(plain.tobytes())
