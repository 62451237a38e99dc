"""What all readers share: the frame or the long table they return, names of columns, the options of a source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd

from ..errors import DataError
from ..language.text import nearest
from ..plans.model import Source
from .quoting import quoted, quoted_list
from .table import Task


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Raw:
    """A frame as read, before its columns get roles and types; column names are texts and unique.

    `nominal` are columns that the source itself declares as categories (ARFF, pandas category), whatever their values
    look like; `target` is the column that the source itself declares as target, `task` likewise.
    """

    frame: pd.DataFrame
    source: str  # for messages: kind and name, never a password
    nominal: frozenset[str] = frozenset()
    target: str | None = None
    task: Task | None = None
    splits: Any = None  # (training rows, test rows) of every fold, as passed in Python
    folds: str | None = None  # the column that holds folds as the source declares them (a task of OpenML)
    ignored: tuple[str, ...] = ()  # columns the source itself says are no features (OpenML's row id)
    notes: tuple[str, ...] = ()  # what was read otherwise than it is written


def checked_names(names: Iterable[object], where: str, advice: str = "") -> list[str]:
    """Return the names as text; an empty, overlong or repeated one is an error."""
    found = [str(n).strip() for n in names]
    seen: dict[str, int] = {}
    for place, name in enumerate(found, start=1):
        if not name:
            raise DataError(f"column {place} of {quoted(where)} has no name", hint=advice or "give every column a name")
        if name in seen:
            what = f"columns {seen[name]} and {place} of {quoted(where)} are both named {quoted(name)}"
            raise DataError(what, hint=advice or "rename one of them")
        seen[name] = place
    return found


def without_row_numbers(frame: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return the frame without its first column where that counts the rows, else with the name `index` for it."""
    first = frame.iloc[:, 0]
    row_numbers = [list(range(start, start + len(first))) for start in (0, 1)]
    if first.tolist() in row_numbers and frame.shape[1] > 1:
        return frame.iloc[:, 1:], "its column without a name counts the rows and is left out"
    return frame.rename(columns={frame.columns[0]: "index"}), "its column without a name is called index"


def find_column(name: str, columns: Sequence[str], where: str, role: str) -> str:
    """Return the column of that name; an unknown one is an error that offers the nearest."""
    if name in columns:
        return name
    near = nearest(name, columns)
    hint = f"did you mean {quoted(near)}?" if near else f"its columns are {quoted_list(columns)}"
    raise DataError(f"{where} has no column {quoted(name)}{f' for `{role}`' if role else ''}", hint=hint)


def checked_options(source: Source, known: Mapping[str, type]) -> dict[str, Any]:
    """Return the options as a dict; an unknown name or a value of the wrong kind is an error."""
    found: dict[str, Any] = {}
    for name, value in source.options:
        if name not in known:
            near = nearest(name, known)
            others = f"its options are {', '.join(known)}" if known else "it has no options"
            hint = f"did you mean {near}?" if near else others
            raise DataError(f"{source.kind} has no option {quoted(name)}", hint=hint)
        if name in found:
            raise DataError(f"the option {name} of {source.kind} is given twice", hint="keep one of the two")
        wanted = known[name]
        if wanted is tuple:
            value = (value,) if isinstance(value, str) else value
            if not isinstance(value, tuple) or not all(isinstance(v, str) for v in value):
                what = f"the option {name} of {source.kind} takes names in quotes"
                raise DataError(what, hint=f'write {name} = ["a", "b"]')
        elif not isinstance(value, wanted):
            kind = {str: "text in quotes", bool: "true or false", int: "a whole number"}.get(wanted, wanted.__name__)
            raise DataError(f"the option {name} of {source.kind} takes {kind}", hint="see `evalang explain dataset`")
        found[name] = value
    return found


def choose(asked: object, known: Iterable[str], where: str, word: str) -> str:
    """Return the name that an option asks for, or the only one there is; DataError where the user has to choose."""
    names = list(known)
    if asked is None and len(names) == 1:
        return names[0]
    if isinstance(asked, str) and asked in names:
        return asked
    if asked is None:
        what = f"has several {word}s: {quoted_list(names)}" if names else f"has no {word}"
        raise DataError(f"{where} {what}", hint=f'choose one: ({word} = "{names[0] if names else "…"}")')
    near = nearest(str(asked), names)
    hint = f"did you mean {near}?" if near else f"it has {quoted_list(names)}"
    raise DataError(f"{where} has no {word} {quoted(asked)}", hint=hint)


def categorical_option(options: Mapping[str, Any], columns: Sequence[str], where: str) -> frozenset[str]:
    """Return the columns that the option `categorical` of a source names; an unknown one is an error."""
    return frozenset(find_column(name, columns, where, "categorical") for name in options.get("categorical", ()))


Standing = Literal["score", "learner", "dataset", "fold", "repeat", "seed", "item", "epoch", "group"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """A file that was read: its path below the script's folder, its SHA-256, and what wrote it in which version."""

    path: str
    sha256: str
    tool: str
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LongTable:
    """One row a score. `columns`: the column of `frame` for each thing it stands for; score and learner always are.

    >>> frame = pd.DataFrame({"model": ["a", "b"], "item": ["q1", "q1"], "score": [1.0, 0.0]})
    >>> LongTable(frame=frame, columns={"score": "score", "learner": "model", "item": "item"}).columns["item"]
    'item'
    """

    frame: pd.DataFrame
    columns: dict[Standing, str]
    metric: str | None = None  # the tool's own name of it
    higher_is_better: bool | None = None  # None: the tool does not say, and the script has to
    origins: tuple[Origin, ...] = ()
    contents: Mapping[tuple[str, str], str] = field(default_factory=dict)  # hash of an item's text by (dataset, item)
    spreads: int = 0  # cells that were a mean with a spread
    left_out: tuple[str, ...] = ()  # what is not in the frame, or not as the file has it, and why
    differing: tuple[str, ...] = ()  # what differs between the files beside the learner: prompt, version, limit
