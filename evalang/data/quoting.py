"""Names and values from data files, quoted for a message: short, and safe for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import DataError

_LONGEST = 40


def quoted(value: object) -> str:
    """Return the value in single quotes, cut; control and invisible characters are written as escapes.

    >>> print(quoted("a\\x1b[2Jb"))
    'a\\x1b[2Jb'
    """
    text = str(value)
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text[:_LONGEST])
    return f"'{plain}…'" if len(text) > _LONGEST else f"'{plain}'"


def quoted_list(values: Iterable[object], most: int = 8) -> str:
    """Return the first values, quoted and separated by commas."""
    names = [quoted(value) for value in values]
    first = ", ".join(names[:most])
    return f"{first} and {len(names) - most} more" if len(names) > most else first


def error_about(name: object, what: str, hint: str) -> DataError:
    """Return the error that says what is wrong with a file, a column or another thing by its name."""
    return DataError(f"{quoted(name)} {what}", hint=hint)
