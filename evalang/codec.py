"""What the frozen dataclasses of a plan or a result consist of: the order of their fields, and which of them count."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, NamedTuple


class Layout(NamedTuple):
    """The names of a dataclass's fields (keyword-only ones last), those that are compared, and the defaults."""

    names: tuple[str, ...]
    compared: tuple[str, ...]
    defaults: dict[str, Any]


def is_record(value: object) -> bool:
    """Return whether a value is an instance of a dataclass."""
    return is_dataclass(value) and not isinstance(value, type)


def field_names(kind: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields; keyword-only ones (a node's span) come last."""
    return _layout(kind).names


def compared_names(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields that take part in comparison."""
    return _layout(kind).compared


def default_values(kind: Any) -> dict[str, Any]:
    """Return the default of every field that has one."""
    return _layout(kind).defaults


@cache
def _layout(kind: Any) -> Layout:
    found = sorted(fields(kind), key=lambda f: bool(f.kw_only))
    return Layout(
        tuple(f.name for f in found),
        tuple(f.name for f in found if f.compare),
        {f.name: f.default for f in found if f.default is not MISSING},
    )
