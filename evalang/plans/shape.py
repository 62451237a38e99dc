"""What the fields of a plan may hold, read from the annotations of its records: for the JSON Schema and for reading."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ..codec import field_names
from ..language.text import Span
from . import model

SECRET = frozenset({"address"})  # a database address may hold a password: never written
Check = Callable[[Any], bool]
PLAIN: Mapping[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}


class Value:
    """Stands for `Literals`, which names itself: a plain value, or a list of them."""


@lru_cache(maxsize=64)
def hints(kind: type) -> dict[str, Any]:
    """The annotations of a record's written fields, in order."""
    known = {**vars(model), **vars(sys.modules[kind.__module__]), "Any": Any, "ClassVar": ClassVar, "Span": Span}
    found = get_type_hints(kind, known, {"Literals": Value})
    return {name: found[name] for name in field_names(kind) if name not in SECRET}


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is what an annotation says; used on plans and results that come from a file.

    >>> fits((("C", 1),), tuple[tuple[str, int], ...]), fits("x", int | None), fits(True, float)
    (True, False, False)
    """
    return _check(hint)(value)


@lru_cache(maxsize=1024)
def _check(hint: Any) -> Check:
    """The question an annotation asks; made once, for a result may ask it ten million times."""
    origin, inside = get_origin(hint), get_args(hint)
    if hint is Value:
        return _plain_value
    if hint is Any or isinstance(hint, TypeVar):
        return _anything
    if hint is Span:
        return _span
    if origin in (Union, UnionType):
        return _either(tuple(_check(one) for one in inside))
    if origin is Literal:
        return _one_of(inside)
    if origin is tuple:
        return _items(inside)
    if isinstance(origin, type) and is_dataclass(origin):
        content = _check(inside[0])
        return lambda value: type(value) is origin and content(getattr(value, "value", None)) and _whole(value)
    if isinstance(hint, type) and is_dataclass(hint):
        return lambda value: type(value) is hint and _whole(value)
    return lambda value: type(value) is hint or (hint is float and type(value) is int)


def _anything(_value: Any) -> bool:
    return True


def _plain_value(value: Any) -> bool:
    return all(_plain_value(item) for item in value) if isinstance(value, tuple) else type(value) in PLAIN


def _span(value: Any) -> bool:
    return isinstance(value, Span) and isinstance(value.path, str) and type(value.start) is type(value.end) is int


def _either(checks: tuple[Check, ...]) -> Check:
    return lambda value: any(check(value) for check in checks)


def _one_of(words: tuple[Any, ...]) -> Check:
    return lambda value: any(value is one or (value == one and type(value) is type(one)) for one in words)


def _items(inside: tuple[Any, ...]) -> Check:
    if len(inside) == 2 and inside[1] is ...:
        each = _check(inside[0])
        return lambda value: isinstance(value, tuple) and all(map(each, value))
    checks = tuple(_check(one) for one in inside)
    return lambda value: (
        isinstance(value, tuple)
        and len(value) == len(checks)
        and all(check(item) for check, item in zip(checks, value, strict=True))
    )


def _whole(value: Any) -> bool:
    kind: Any = type(value)
    return all(check(getattr(value, name)) for name, check in _fields(kind))


@lru_cache(maxsize=256)
def _fields(kind: Any) -> tuple[tuple[str, Check], ...]:
    found = hints(kind)
    return tuple((name, _check(hint)) for name, hint in found.items())
