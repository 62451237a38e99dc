"""Many records of one kind as columns: what they share is written once (half a million pairs repeat their datasets).

A column is a list of values; `{"all": value}` where every record has the same; `{"of": values, "at": places}` where few
values come back again and again; `{"some": [0, 1, ...], "of": table}` where some records have no record there;
`{"lengths": column, "by": {length: [column of the first, of the second, ...]}}` where the values are short tuples; or a
table itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

FEWEST = 20  # records; fewer are written one by one, as a reader would look for them
Out = Callable[[Any], Any]


class In(Protocol):
    """Reads one value, and counts what it comes to."""

    def __call__(self, value: Any) -> Any: ...

    def again(self, value: Any, times: int) -> Any:
        """The value, counted as often as it stands in the result: what is written once is looked at each time."""

    def count(self, more: int) -> None:
        """So many values more; ValueError where they are too many."""


LONGEST = 16  # of the tuples that are taken apart
_PLAIN = frozenset((str, int, bool, type(None)))


def table(records: Sequence[Any], written: Mapping[type, tuple[str, ...]], out: Out) -> dict[str, Any]:
    """The records, all of one kind, column by column."""
    kind = type(records[0])
    columns = {name: _column([getattr(one, name) for one in records], written, out) for name in written[kind]}
    if all(_length(column) is None for column in columns.values()):  # whoever reads it counts a column that is whole
        last = written[kind][-1]
        columns[last] = [out(getattr(one, last)) for one in records]
    return {"table": kind.__name__, "columns": columns}


def alike(values: Sequence[Any], written: Mapping[type, tuple[str, ...]]) -> bool:
    """Whether they are worth a table: many records of one kind."""
    return len(values) >= FEWEST and type(values[0]) in written and len({type(v) for v in values}) == 1


def _column(values: list[Any], written: Mapping[type, tuple[str, ...]], out: Out) -> Any:
    if alike(values, written):
        return table(values, written, out)
    there = [v for v in values if v is not None]
    if len(there) < len(values) and there and alike(there, written):
        return {"some": [int(v is not None) for v in values], "of": table(there, written, out)}
    first = _key(values[0])
    if all(_key(v) == first for v in values):
        return {"all": out(values[0])}
    if _apart(values):
        return _by_length(values, written, out)
    if not isinstance(values[0], tuple):
        keys = [_key(v) for v in values]
        found = dict(zip(keys, values, strict=True))
        if len(found) <= len(values) // 4:
            place = {key: i for i, key in enumerate(found)}
            return {"of": [out(v) for v in found.values()], "at": [place[key] for key in keys]}
    return [out(v) for v in values]


def _apart(values: list[Any]) -> bool:
    """Short tuples of a few lengths, of anything but numbers: those are as long apart as together."""
    if len(values) < FEWEST or any(type(v) is not tuple for v in values):
        return False
    lengths = {len(v) for v in values}
    inside = next(v for v in values if v) if lengths != {0} else (0.0,)
    return len(lengths) <= 4 and min(lengths - {0}, default=LONGEST + 1) <= LONGEST and type(inside[0]) is not float


def _by_length(values: list[Any], written: Mapping[type, tuple[str, ...]], out: Out) -> dict[str, Any]:
    by: dict[str, Any] = {}
    for length in sorted({len(v) for v in values}):
        mine = [v for v in values if len(v) == length]
        if length > LONGEST:
            by[str(length)] = [out(v) for v in mine]
        else:
            by[str(length)] = {"each": [_column([v[i] for v in mine], written, out) for i in range(length)]}
    return {"lengths": _column([len(v) for v in values], written, out), "by": by}


def _key(value: Any) -> Any:
    """Equal only for what is written alike: neither 1 and true are, nor 0.0 and -0.0."""
    kind = type(value)
    return (kind, value) if kind in _PLAIN or (kind is float and value) else repr(value)


def read(held: Mapping[str, Any], kinds: Mapping[str, type], in_: In) -> tuple[Any, ...]:
    """The records of a table; ValueError where its columns do not fit together."""
    length = _length(held)
    if length is None:
        raise ValueError("no column tells how many records there are")
    return tuple(_read(held, length, kinds, in_))


def _length(column: Any) -> int | None:
    if isinstance(column, list):
        return len(column)
    if "columns" in column:
        found = (_length(one) for one in column["columns"].values())
        return next((length for length in found if length is not None), None)
    if "lengths" in column:
        return _length(column["lengths"])
    if "some" in column or "at" in column:
        return len(column["some"] if "some" in column else column["at"])
    return None


def _read(column: Any, length: int, kinds: Mapping[str, type], in_: In) -> list[Any]:
    in_.count(length)
    if isinstance(column, list):
        values = [in_(value) for value in column]
    elif "columns" in column:
        kind, names = kinds[column["table"]], tuple(column["columns"])
        parts = [_read(one, length, kinds, in_) for one in column["columns"].values()]
        values = [kind(**dict(zip(names, row, strict=True))) for row in zip(*parts, strict=True)]
    elif "some" in column:
        present = iter(_read(column["of"], sum(map(bool, column["some"])), kinds, in_))
        values = [next(present) if one else None for one in column["some"]]
        if next(present, None) is not None:
            raise ValueError("more records than places")
    elif "lengths" in column:
        lengths = _read(column["lengths"], length, kinds, in_)
        parts_of = {k: iter(_tuples(column["by"][str(k)], count, kinds, in_)) for k, count in Counter(lengths).items()}
        values = [next(parts_of[k]) for k in lengths]
    elif "at" in column:
        often = Counter(column["at"])
        if any(type(place) is not int or not 0 <= place < len(column["of"]) for place in column["at"]):
            raise ValueError("a place beyond the values")
        of = [in_.again(value, often[place]) for place, value in enumerate(column["of"])]
        values = [of[place] for place in column["at"]]
    else:
        values = [in_.again(column["all"], length)] * length
    if len(values) != length:
        raise ValueError("columns of different lengths")
    return values


def _tuples(held: Any, length: int, kinds: Mapping[str, type], in_: In) -> list[tuple[Any, ...]]:
    if isinstance(held, list):
        return _read(held, length, kinds, in_)
    each = [_read(column, length, kinds, in_) for column in held["each"]]
    return list(zip(*each, strict=True)) if each else [()] * length
