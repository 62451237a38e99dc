"""Which rows of a dataset are read, and under which classes."""

from __future__ import annotations

from typing import Literal

from .planned import Planned

Literals = str | int | float | bool | None | tuple["Literals", ...]


class Condition(Planned):
    """`"age" > 18`, one of the conditions that all rows meet."""

    column: str
    relation: Literal["is", "is not", "<", "<=", ">", ">="]
    value: Literals


class JoinedClasses(Planned):
    """`join classes "a", "b" as "ab"`"""

    classes: tuple[Literals, ...]
    name: Literals
