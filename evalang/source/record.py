"""Frozen, slotted records whose classes cost next to nothing to define.

`dataclasses` writes and compiles six methods for every class: 65 ms for the hundred records on the lint path, more
than all of click. A record shares its methods with every other one; type checkers read it as a frozen dataclass.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar, dataclass_transform

R = TypeVar("R", bound="Record")


def silent(*, default: Any = ..., kw_only: bool = False) -> Any:
    """A field that takes no part in comparison and hashing; `...` means it must be given."""
    return _Silent(default)


class _Silent:
    __slots__ = ("default",)

    def __init__(self, default: Any) -> None:
        self.default = default


def _first(self: Record, *args: Any, **given: Any) -> None:
    """Writes the `__init__` of a class when its first record is made: a process uses few of all classes."""
    kind = type(self)
    kind.__init__ = _init(kind)  # type: ignore[method-assign]
    kind.__init__(self, *args, **given)


def _init(kind: type[Record]) -> Any:
    own, defaults = kind._own, kind._defaults
    inherited = kind._fields[len(own) :]
    names = [*own, "*", *inherited] if inherited else own
    taken = ", ".join(["self", *(f"{name}=_default_{name}" if name in defaults else name for name in names)])
    put = "; ".join(f"_put_{name}(self, {name})" for name in kind._fields)
    space = {f"_put_{name}": getattr(kind, name).__set__ for name in kind._fields}
    space.update({f"_default_{name}": value for name, value in defaults.items()})
    exec(f"def __init__({taken}): {put or 'pass'}", space)  # noqa: S102 - of names that stand in a class body
    space["__init__"].__qualname__ = f"{kind.__name__}.__init__"
    return space["__init__"]


@dataclass_transform(frozen_default=True, eq_default=True, field_specifiers=(silent,))
class _RecordType(type):
    """Turns annotations into slots and defaults."""

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> _RecordType:
        own = [n for n in space.get("__annotations__", ()) if not n.startswith("_")]
        fields: list[str] = []
        defaults: dict[str, Any] = {}
        hidden: set[str] = set()
        for base in bases:
            fields += [n for n in getattr(base, "_fields", ()) if n not in fields]
            defaults.update(getattr(base, "_defaults", ()))
            hidden.update(getattr(base, "_silent", ()))
        inherited = tuple(fields)
        for n in own:
            value = space.pop(n, ...)
            if isinstance(value, _Silent):
                hidden.add(n)
                value = value.default
            if value is not ...:
                defaults[n] = value
        # What a base declares (a node's span) comes last and by keyword, so that the record's own fields read first.
        space["_fields"] = (*own, *(n for n in inherited if n not in own))
        space["_own"] = tuple(own)
        space["_defaults"] = defaults
        space["_silent"] = frozenset(hidden)
        space["_compared"] = tuple(n for n in space["_fields"] if n not in hidden)
        space.setdefault("__init__", _first)
        space["__slots__"] = tuple(n for n in own if n not in inherited)
        return super().__new__(mcs, name, bases, space)


class Record(metaclass=_RecordType):
    """A frozen value with named fields.

    >>> class Point(Record):
    ...     x: int
    ...     y: int = 0
    >>> Point(1)
    Point(x=1, y=0)
    >>> Point(1) == Point(x=1, y=0)
    True
    """

    _fields: ClassVar[tuple[str, ...]]
    _own: ClassVar[tuple[str, ...]]
    _defaults: ClassVar[dict[str, Any]]
    _silent: ClassVar[frozenset[str]]
    _compared: ClassVar[tuple[str, ...]]

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, n) == getattr(other, n) for n in self._compared)

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, n) for n in self._compared)))

    def __repr__(self) -> str:
        shown = ", ".join(f"{n}={getattr(self, n)!r}" for n in self._compared)
        return f"{type(self).__name__}({shown})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), tuple(getattr(self, n) for n in self._fields))


def _rebuild(kind: type[R], values: tuple[Any, ...]) -> R:
    return kind(**dict(zip(kind._fields, values, strict=True)))


def replace(record: R, **changes: Any) -> R:
    """The same record with some fields changed."""
    values = {n: getattr(record, n) for n in record._fields}
    values.update(changes)
    return type(record)(**values)


def fields(record: Record | type[Record]) -> tuple[str, ...]:
    """Names of the fields, in order."""
    return record._fields
