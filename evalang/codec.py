"""Frozen dataclasses as JSON values and back, by their type hints, and the JSON Schema of what is written.

`to_json` writes a record as an object with the name of its class under `is`, a NamedTuple as an object of its fields, a
tuple as a list, and an infinite number as `{"infinite": 1}`. `from_json` reads that back and raises `WrongField` with
the path of the first value that does not fit. A field declared with `metadata=UNWRITTEN` is left out.

Many records of one kind can be written as a table, `{"table": kind, "columns": {field: column}}`, so that repeated
values are written once. A column is a list of values; `{"all": value}` where all are the same;
`{"of": values, "at": indices}` where few values are repeated; `{"some": [0, 1, ...], "of": table}` where some records
are None; `{"lengths": column, "by": {length: {"each": columns}}}` for short tuples; or a table.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

UNWRITTEN: Mapping[str, bool] = {"written": False}  # metadata of a field that is never part of the JSON
FEWEST_IN_TABLE = 20  # records; fewer are written one by one
LONGEST_KEY = 16  # longer tuples are the same only where they are one object, and are not split into columns
_INFINITE = "infinite"
_LARGEST_WHOLE = 10**308  # a larger integer is no float
_SCALARS: Mapping[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}
_EXACT = frozenset((str, int, bool, NoneType))  # written as they are
_NOUNS = {"string": "a string", "boolean": "true or false", "integer": "an integer", "number": "a number"}


class Range(NamedTuple):
    """The bounds of a number, both included: `Annotated[float, Range(0, 1)]`."""

    low: float
    high: float


class AnyLiteral:
    """Stands for the recursive alias `Literals` of a type hint: a scalar, or a tuple of such values."""


class WrongField(ValueError):
    """A JSON value that does not fit its field; `path` says where: `comparisons[0].alpha.value`."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.path = ""
        self.message = message

    def inside(self, key: str | int) -> WrongField:
        """Return this error with the name of the enclosing field, or the index of the list, before its path."""
        own = f"[{key}]" if isinstance(key, int) else key
        self.path = own + ("" if not self.path or self.path.startswith("[") else ".") + self.path
        return self

    def __str__(self) -> str:
        return f"{self.path} {self.message}".strip()


def field_names(kind: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields; keyword-only ones (a node's span) come last."""
    return tuple(f.name for f in _fields(kind))


def compared_names(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields that take part in comparison."""
    return tuple(f.name for f in _fields(kind) if f.compare)


def default_values(kind: Any) -> dict[str, Any]:
    """Return the default of every field that has one."""
    return {f.name: f.default for f in _fields(kind) if f.default is not MISSING}


@cache
def _written(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in _fields(kind) if f.metadata.get("written", True))


@cache
def _fields(kind: Any) -> tuple[Any, ...]:
    return tuple(sorted(fields(kind), key=lambda f: bool(f.kw_only)))


def is_record(value: object) -> bool:
    """Return whether a value is an instance of a dataclass."""
    return is_dataclass(value) and not isinstance(value, type)


def _is_dataclass(kind: Any) -> bool:  # unlike is_dataclass it narrows no type
    return is_dataclass(kind)


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text; raise ValueError if it is none, or holds NaN or Infinity."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no number")


# ---------------------------------------------------------------- writing


def to_json(value: Any, *, tagged: bool = True, tables: Collection[type] = frozenset()) -> Any:
    """Return a record, a tuple or a scalar as JSON values.

    `tagged=False` leaves out `is`; records of the kinds in `tables` are written as tables where there are many.
    """
    return _Writer(tagged, frozenset(tables)).value(value)


class _Writer:
    def __init__(self, tagged: bool, tables: frozenset[type]) -> None:
        self._tagged, self._tables = tagged, tables

    def value(self, value: Any) -> Any:
        kind: Any = type(value)
        if kind in _EXACT:
            return value
        if isinstance(value, float):
            return {_INFINITE: 1 if value > 0 else -1} if math.isinf(value) else value
        if kind is tuple or kind is list:
            return self._table(value) if self._fill_a_table(value) else self._list(value)
        if is_record(value):
            names, written = _written(kind), {"is": kind.__name__} if self._tagged else {}
        elif isinstance(value, tuple):
            names, written = kind._fields, {}
        else:
            return value
        for name in names:
            item = getattr(value, name)
            written[name] = item if type(item) in _EXACT else self.value(item)
        return written

    def _list(self, values: Sequence[Any]) -> list[Any]:
        """Return the values of a list; scalars all at once, and a tuple that is there again only once."""
        kinds = set(map(type, values))
        if kinds <= _EXACT or (kinds == {float} and not any(map(math.isinf, values))):
            return list(values)
        if kinds == {tuple}:
            written = {key: self.value(item) for key, item in {id(item): item for item in values}.items()}
            return [written[id(item)] for item in values]
        return [self.value(item) for item in values]

    def _fill_a_table(self, values: Sequence[Any]) -> bool:
        many = len(values) >= FEWEST_IN_TABLE and type(values[0]) in self._tables
        return many and len({type(v) for v in values}) == 1

    def _table(self, records: Sequence[Any]) -> dict[str, Any]:
        kind: Any = type(records[0])
        names = _written(kind)
        columns = {name: self._column([getattr(record, name) for record in records]) for name in names}
        if all(_length(column) is None for column in columns.values()):  # one column has to tell the length
            columns[names[-1]] = [self.value(getattr(record, names[-1])) for record in records]
        return {"table": kind.__name__, "columns": columns}

    def _column(self, values: list[Any]) -> Any:
        kinds = set(map(type, values))
        alike = len(kinds) == 1 and (kinds <= _EXACT or (kinds == {float} and 0.0 not in values))
        keys = values if alike else [_key(value) for value in values]
        distinct = dict(zip(keys, values, strict=True))
        if len(distinct) == 1:
            return {"all": self.value(values[0])}
        if len(distinct) <= len(values) // 4:
            index = {key: place for place, key in enumerate(distinct)}
            return {"of": [self.value(value) for value in distinct.values()], "at": [index[key] for key in keys]}
        if self._fill_a_table(values):
            return self._table(values)
        present = [value for value in values if value is not None]
        if len(present) < len(values) and self._fill_a_table(present):
            return {"some": [int(value is not None) for value in values], "of": self._table(present)}
        if len(values) >= FEWEST_IN_TABLE and all(type(value) is tuple for value in values):
            return self._tuples(values)
        return [self.value(value) for value in values]

    def _tuples(self, values: list[Any]) -> dict[str, Any]:
        """Return a column of tuples, each of their places as a column of its own, where a learner is repeated."""
        lengths = [len(value) for value in values]
        by: dict[str, Any] = {}
        for length in sorted(set(lengths)):
            alike = [value for value in values if len(value) == length]
            if length <= LONGEST_KEY:
                by[str(length)] = {"each": [self._column(list(place)) for place in zip(*alike, strict=True)]}
            else:
                by[str(length)] = [self.value(value) for value in alike]
        return {"lengths": self._column(lengths), "by": by}


def _key(value: Any) -> Any:
    """Return a key that is equal only for what is written alike: 1 and true differ, and so do 0.0 and -0.0."""
    kind = type(value)
    if kind in _EXACT or (kind is float and value):
        return kind, value
    if hasattr(kind, "__dataclass_fields__"):
        return id(value)
    if kind is tuple and (len(value) > LONGEST_KEY or any(hasattr(item, "__dataclass_fields__") for item in value)):
        return id(value)
    return repr(value)


def _length(column: Any) -> int | None:
    """Return how many values a column holds; None where it does not say."""
    if isinstance(column, list):
        return len(column)
    if not isinstance(column, dict):
        return None
    if isinstance(column.get("columns"), dict):
        lengths = (_length(inner) for inner in column["columns"].values())
        return next((length for length in lengths if length is not None), None)
    if "lengths" in column:
        return _length(column["lengths"])
    if "some" in column or "at" in column:
        return len(column["some"] if "some" in column else column["at"])
    return None


# ---------------------------------------------------------------- reading


def from_json(hint: Any, data: Any, most: int | None = None) -> Any:
    """Return the value of type `hint` that `to_json` wrote as `data`; raise WrongField where it does not fit.

    Data that stand for more than `most` values are refused: a short table can repeat much.
    """
    try:
        if most is not None and _expanded_size(data) > most:
            raise WrongField("stands for more values than a text of its length can hold")
        return _reader(hint)(data)
    except RecursionError:
        raise WrongField("is nested too deeply") from None


def _expanded_size(data: Any, length: int = 1) -> int:
    """Return how many values a JSON value stands for; `length` is that of the column that it describes."""
    if isinstance(data, list):
        return len(data) + sum(_expanded_size(item) for item in data if type(item) in (list, dict))
    if not isinstance(data, dict):
        return 1
    if isinstance(data.get("columns"), dict):
        rows = _length(data) or 0
        return sum(_expanded_size(column, rows) for column in data["columns"].values())
    if data.keys() == {"all"}:
        return length * _expanded_size(data["all"])
    if data.keys() == {"of", "at"} and isinstance(data["of"], list):
        return length * max(map(_expanded_size, data["of"]), default=0)
    return sum(map(_expanded_size, data.values()))


_Reader = Callable[[Any], Any]


@cache
def _reader(hint: Any) -> _Reader:
    """The function that reads a value of this type; made once for each type."""
    origin, inside = get_origin(hint), get_args(hint)
    if hint is Any:
        return lambda data: data
    if hint is AnyLiteral:
        return _read_literal
    if hint is float:
        return _read_number
    if hint in _SCALARS:
        return _exactly(hint)
    if origin is Annotated:
        return _within(_reader(inside[0]), inside[1])
    if origin in (Union, UnionType):
        return _either(inside)
    if origin is Literal:
        return _one_of(inside)
    if origin is tuple:
        return _list_of(inside[0]) if len(inside) == 2 and inside[1] is ... else _tuple_of(inside)
    return _object(hint)


def _wrong(expected: str, data: Any) -> WrongField:
    shown = "an object" if isinstance(data, dict) else "a list" if isinstance(data, list) else json.dumps(data)
    return WrongField(f"should be {expected}, not {shown if len(shown) <= 40 else shown[:37] + '...'}")


def _exactly(kind: type) -> _Reader:
    def read(data: Any) -> Any:
        if type(data) is not kind:
            raise _wrong(_NOUNS.get(_SCALARS[kind], "null"), data)
        return data

    return read


def _read_number(data: Any) -> Any:
    if type(data) is float or (type(data) is int and abs(data) < _LARGEST_WHOLE):
        return data
    if type(data) is dict and data.keys() == {_INFINITE} and data[_INFINITE] in (1, -1):
        return math.copysign(math.inf, data[_INFINITE])
    raise _wrong("a number", "so large" if type(data) is int else data)


def _read_literal(data: Any) -> Any:
    if isinstance(data, list):
        return tuple(_read_literal(item) for item in data)
    if type(data) not in _SCALARS:
        raise _wrong("a value of the language", data)
    return data


def _within(read: _Reader, bounds: Range) -> _Reader:
    def read_bounded(data: Any) -> Any:
        found = read(data)
        if not bounds.low <= found <= bounds.high:
            raise _wrong(f"between {bounds.low:g} and {bounds.high:g}", data)
        return found

    return read_bounded


def _one_of(words: tuple[Any, ...]) -> _Reader:
    def read(data: Any) -> Any:
        if not any(data == word and type(data) is type(word) for word in words):
            raise _wrong(f"one of {', '.join(map(str, words))}", data)
        return data

    return read


def _either(inside: tuple[Any, ...]) -> _Reader:
    scalars = frozenset(one for one in inside if one in _EXACT)
    readers = [_reader(one) for one in inside if one not in scalars]

    def read(data: Any) -> Any:
        if type(data) in scalars:
            return data
        errors = []
        for reader in readers:
            try:
                return reader(data)
            except WrongField as error:
                errors.append(error)
        raise errors[0] if len(errors) == 1 else _wrong(" or ".join(map(_name, inside)), data)

    return read


def _name(hint: Any) -> str:
    return _NOUNS.get(_SCALARS.get(hint, ""), "null" if hint is NoneType else getattr(hint, "__name__", str(hint)))


def _list_of(hint: Any) -> _Reader:
    each = _reader(hint)

    def read(data: Any) -> tuple[Any, ...]:
        if isinstance(data, dict) and "table" in data:
            return _read_table(hint, data)
        if not isinstance(data, list):
            raise _wrong("a list", data)
        return tuple(_read_all(each, data))

    return read


def _read_all(each: _Reader, data: list[Any]) -> list[Any]:
    found: list[Any] = []
    try:
        found.extend(each(item) for item in data)
    except WrongField as error:
        raise error.inside(len(found)) from None  # those before it are in the list
    return found


def _tuple_of(hints: tuple[Any, ...]) -> _Reader:
    readers = tuple(_reader(one) for one in hints)

    def read(data: Any) -> tuple[Any, ...]:
        if not isinstance(data, list) or len(data) != len(readers):
            raise _wrong(f"a list of {len(readers)}", data)
        found: list[Any] = []
        try:
            for reader, item in zip(readers, data, strict=True):
                found.append(reader(item))
        except WrongField as error:
            raise error.inside(len(found)) from None
        return tuple(found)

    return read


@cache
def field_hints(hint: Any) -> dict[str, Any]:
    """Return the types of a record's written fields, in order; it may be a NamedTuple, or generic in one type."""
    kind: Any = get_origin(hint) or hint
    content = get_args(hint)
    found = get_type_hints(kind, localns={"Literals": AnyLiteral}, include_extras=True)
    names = _written(kind) if _is_dataclass(kind) else kind._fields
    return {name: content[0] if isinstance(found[name], TypeVar) else found[name] for name in names}


def _object(hint: Any) -> _Reader:
    kind: Any = get_origin(hint) or hint
    readers: dict[str, _Reader] = {}  # filled at the first use, for a record may hold others of its kind

    def read(data: Any) -> Any:
        if not isinstance(data, dict) or data.get("is", kind.__name__) != kind.__name__:
            raise _wrong(f"a {kind.__name__}", data)
        if not readers:
            readers.update((name, _reader(one)) for name, one in field_hints(hint).items())
        given: dict[str, Any] = {}
        name = ""
        try:
            for name, item in data.items():
                if name in readers:
                    given[name] = readers[name](item)
                elif name != "is":
                    raise WrongField(f"is not a field of {kind.__name__}")
        except WrongField as error:
            raise error.inside(name) from None
        return _make(kind, given)

    return read


def _make(kind: Any, given: dict[str, Any]) -> Any:
    try:
        return kind(**given)
    except TypeError:
        import inspect

        needed = [name for name, one in inspect.signature(kind).parameters.items() if one.default is one.empty]
        raise WrongField("is missing").inside(next(name for name in needed if name not in given)) from None


def _read_table(hint: Any, data: Any) -> tuple[Any, ...]:
    try:
        length = _length(data)
        if length is not None:
            return tuple(_read_column(hint, data, length))
    except (KeyError, TypeError, AttributeError):
        pass
    raise WrongField("should be a table whose columns fit together")


def _read_column(hint: Any, data: Any, length: int) -> list[Any]:
    if isinstance(data, list):
        values = _read_all(_reader(hint), data)
    elif "columns" in data:
        values = _read_records(hint, data, length)
    elif "some" in data:
        present = iter(_read_column(hint, data["of"], sum(map(bool, data["some"]))))
        values = [next(present) if one else None for one in data["some"]]
    elif "lengths" in data:
        lengths = _read_column(int, data["lengths"], length)
        by = {k: iter(_read_tuples(hint, k, data["by"][str(k)], n)) for k, n in Counter(lengths).items()}
        values = [next(by[k]) for k in lengths]
    elif "at" in data:
        if any(type(place) is not int or not 0 <= place < len(data["of"]) for place in data["at"]):
            raise WrongField("refers to a value that its column does not have")
        of = [_reader(hint)(value) for value in data["of"]]
        values = [of[place] for place in data["at"]]
    else:
        values = [_reader(hint)(data["all"])] * length
    if len(values) != length:
        raise WrongField("has columns of different lengths")
    return values


def _choices(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _read_records(hint: Any, data: Any, length: int) -> list[Any]:
    kind = next((one for one in _choices(hint) if _is_dataclass(one) and one.__name__ == data["table"]), None)
    if kind is None:
        raise _wrong(_name(hint), data)
    hints, columns = field_hints(kind), []
    for name, column in data["columns"].items():
        if name not in hints:
            raise WrongField(f"is not a field of {kind.__name__}").inside(name)
        try:
            columns.append(_read_column(hints[name], column, length))
        except WrongField as error:
            raise error.inside(name) from None
    names = tuple(data["columns"])
    return [_make(kind, dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True)]


def _read_tuples(hint: Any, size: int, data: Any, length: int) -> list[Any]:
    if isinstance(data, list):
        return _read_column(hint, data, length)
    inside = next((get_args(one) for one in _choices(hint) if get_origin(one) is tuple), ())
    hints = [inside[0]] * size if inside[-1:] == (...,) else inside
    if len(hints) != size:
        raise WrongField(f"should be lists of {len(hints)}")
    each = [_read_column(one, column, length) for one, column in zip(hints, data["each"], strict=True)]
    return list(zip(*each, strict=True)) if each else [()] * length


# ---------------------------------------------------------------- JSON Schema


def json_schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of a type; the records it mentions are added to `definitions`."""
    if hint is AnyLiteral:
        scalars, more = {"type": list(_SCALARS.values())}, {"type": "array", "items": {"$ref": "#/$defs/Value"}}
        definitions["Value"] = {"description": "A value of the language, or a list of them.", "anyOf": [scalars, more]}
        return {"$ref": "#/$defs/Value"}
    if hint in _SCALARS:
        return {"type": _SCALARS[hint]}
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return json_schema(inside[0], definitions) | {"minimum": inside[1].low, "maximum": inside[1].high}
    if origin is Literal:
        return {"enum": list(inside)}
    if origin is tuple and inside[-1] is ...:
        return {"type": "array", "items": json_schema(inside[0], definitions)}
    if origin in (Union, UnionType, tuple):
        parts = [json_schema(one, definitions) for one in inside]
        if origin is tuple:
            return {"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}
        plain = [part["type"] for part in parts if set(part) == {"type"}]
        others = [part for part in parts if set(part) != {"type"}]
        return {"anyOf": [*others, *({"type": word} for word in plain)]} if others else {"type": plain}
    if origin is not None:  # a generic record is written out: its content differs from place to place
        return _object_schema(hint, definitions)
    if hint.__name__ not in definitions:
        definitions[hint.__name__] = {}  # keeps the place while its fields are visited
        definitions[hint.__name__] = _object_schema(hint, definitions)
    return {"$ref": f"#/$defs/{hint.__name__}"}


def _object_schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    kind: Any = get_origin(hint) or hint
    properties = {"is": {"const": kind.__name__}} if _is_dataclass(kind) else {}
    properties |= {name: json_schema(one, definitions) for name, one in field_hints(hint).items()}
    return {
        "description": (kind.__doc__ or "").strip().partition("\n")[0],
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
