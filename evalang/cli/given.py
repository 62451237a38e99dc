"""What `evalang test` is given: counts, lists of numbers, or columns of a file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ScriptError, TestError
from ..language.text import for_terminal

Column = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GivenNumbers:
    """Counts, or named columns (numbers, or labels where a truth is named) with the column of partitions."""

    counts: tuple[int, ...] = ()
    columns: dict[str, Column]
    truth: Column | None = None
    partition: Column | None = None
    file: str = ""
    rows: Column | None = None  # what the ledger knows the rows of the file again by


def number(word: str) -> float | None:
    """A finite number, or None."""
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def given(arguments: tuple[str, ...], truth: str | None, partition: str | None) -> GivenNumbers:
    """Read the arguments: all whole numbers are counts, words with commas are lists, else the first names a file."""
    numbers = [number(a) for a in arguments]
    if None not in numbers and all(n == int(n) and n >= 0 for n in numbers if n is not None):
        return GivenNumbers(counts=tuple(int(n) for n in numbers if n is not None), columns={})
    lists = [_list(a) for a in arguments]
    if None not in lists:
        return GivenNumbers(columns={f"list {i + 1}": np.array(x) for i, x in enumerate(lists)})
    wrong = next((a for a, x in zip(arguments, lists, strict=True) if x is None and "," in a), None)
    if wrong is not None:
        odd = next(part for part in wrong.split(",") if number(part) is None)
        raise ScriptError(
            f"{for_terminal(odd) or 'nothing'} is no number in {for_terminal(wrong)[:60]}", hint="write 0.9,0.8"
        )
    from .given_file import columns_of  # pandas: counts and lists do not wait for it

    return columns_of(arguments[0], arguments[1:], truth, partition)


def _list(word: str) -> list[float] | None:
    values = [number(part) for part in word.split(",")]
    return None if None in values else [v for v in values if v is not None]


def folded(values: Column, partition: Column | None, five_by_two: bool) -> Column:
    """[partition, fold]: by a column that names the partitions, else five by two for 5x2cv, else one partition."""
    if partition is None:
        return values.reshape(5, 2) if five_by_two and len(values) == 10 else values[None, :]
    groups = [values[partition == p] for p in dict.fromkeys(partition.tolist())]
    if len({len(g) for g in groups}) > 1:
        raise TestError("the partitions differ in their number of rows", hint="every partition needs the same number")
    return np.array(groups)
