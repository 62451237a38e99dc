"""A value from somebody's data inside a sentence: short, and with nothing that a terminal would obey."""

from __future__ import annotations

_LONGEST = 40


def shown(value: object) -> str:
    """The value in single quotes, cut, control and invisible characters written as escapes.

    >>> print(shown("a\\x1b[2Jb"))
    'a\\x1b[2Jb'
    """
    text = value if isinstance(value, str) else str(value)
    cut = text[:_LONGEST]
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cut)
    return f"'{plain}…'" if len(text) > _LONGEST else f"'{plain}'"


def shown_list(values: object, most: int = 8) -> str:
    """A few of the values, separated by commas."""
    names = [str(v) for v in values]  # type: ignore[attr-defined]
    first = ", ".join(shown(n) for n in names[:most])
    return f"{first} and {len(names) - most} more" if len(names) > most else first
