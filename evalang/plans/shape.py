"""What the fields of a plan may hold, read from the annotations of its records: for the JSON Schema and for reading."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ..source.record import Record
from ..source.text import Span
from . import model

SECRET = frozenset({"address"})  # a database address may hold a password: never written
PLAIN: Mapping[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}


class Value:
    """Stands for `Literals`, which names itself: a plain value, or a list of them."""


@lru_cache(maxsize=64)
def hints(kind: type[Record]) -> dict[str, Any]:
    """The annotations of a record's written fields, in order."""
    known = {**vars(model), **vars(sys.modules[kind.__module__]), "Any": Any, "ClassVar": ClassVar, "Span": Span}
    found = get_type_hints(kind, known, {"Literals": Value})
    return {name: found[name] for name in kind._fields if name not in SECRET}


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is what an annotation says; used on plans that come from a file.

    >>> fits((("C", 1),), tuple[tuple[str, int], ...]), fits("x", int | None), fits(True, float)
    (True, False, False)
    """
    if hint is Value:
        return all(fits(item, Value) for item in value) if isinstance(value, tuple) else type(value) in PLAIN
    if isinstance(hint, TypeVar):
        return True
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(fits(value, one) for one in inside)
    if origin is Literal:
        return any(value is one or (value == one and type(value) is type(one)) for one in inside)
    if origin is tuple:
        return isinstance(value, tuple) and _items(value, inside)
    if isinstance(origin, type) and issubclass(origin, Record):
        return type(value) is origin and fits(getattr(value, "value", None), inside[0]) and _record(value)
    if hint is Span:
        return isinstance(value, Span) and isinstance(value.path, str) and type(value.start) is type(value.end) is int
    if isinstance(hint, type) and issubclass(hint, Record):
        return type(value) is hint and _record(value)
    if isinstance(hint, type) and hasattr(hint, "__dataclass_fields__"):
        kind: Any = hint
        return type(value) is hint and all(fits(getattr(value, n), one) for n, one in _annotations(kind).items())
    return hint is Any or type(value) is hint or (hint is float and type(value) is int)


@lru_cache(maxsize=64)
def _annotations(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _items(value: tuple[Any, ...], inside: tuple[Any, ...]) -> bool:
    if len(inside) == 2 and inside[1] is ...:
        return all(fits(item, inside[0]) for item in value)
    return len(value) == len(inside) and all(fits(item, one) for item, one in zip(value, inside, strict=True))


def _record(value: Record) -> bool:
    return all(fits(getattr(value, name), hint) for name, hint in hints(type(value)).items())
