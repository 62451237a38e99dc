"""The names of columns: text, present, different from each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..errors import DataError
from ..language.nearest import nearest
from .limits import NAME_CHARACTERS
from .shown import shown, shown_list


def checked_names(names: Iterable[object], where: str, advice: str = "") -> list[str]:
    """The names as text; an empty, overlong or repeated one is an error."""
    found = [str(n).strip() for n in names]
    seen: dict[str, int] = {}
    for place, name in enumerate(found, start=1):
        if not name:
            raise DataError(f"column {place} of {shown(where)} has no name", hint=advice or "give every column a name")
        if len(name) > NAME_CHARACTERS:
            raise DataError(f"column {place} of {shown(where)} has a name of {len(name)} characters", hint=advice)
        if name in seen:
            raise DataError(
                f"columns {seen[name]} and {place} of {shown(where)} are both named {shown(name)}",
                hint=advice or "rename one of them",
            )
        seen[name] = place
    return found


def find_column(name: str, columns: Sequence[str], where: str, role: str) -> str:
    """The column of that name; an unknown one is an error that offers the nearest."""
    if name in columns:
        return name
    near = nearest(name, columns)
    hint = f"did you mean {shown(near)}?" if near else f"its columns are {shown_list(columns)}"
    raise DataError(f"{where} has no column {shown(name)} for `{role}`", hint=hint)


def told_categories(options: Mapping[str, object], columns: Sequence[str], where: str) -> frozenset[str]:
    """The columns that the option `categorical` of a source names; an unknown one is an error."""
    told = options.get("categorical", ())
    assert isinstance(told, tuple)
    return frozenset(find_column(name, columns, where, "categorical") for name in told)
