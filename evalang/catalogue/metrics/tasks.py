"""What a target can be."""

from __future__ import annotations

from typing import Literal

Tasks = tuple[Literal["two-class", "many-class", "regression"], ...]

TWO: Tasks = ("two-class",)
MANY: Tasks = ("many-class",)
CLASSES: Tasks = ("two-class", "many-class")
NUMBERS: Tasks = ("regression",)
ALL: Tasks = ("two-class", "many-class", "regression")
