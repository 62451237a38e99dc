"""How many rows and datasets there are, where only opened data can tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """Rows of opened datasets by their names; rows of predictions and datasets of results by comparison."""

    rows: Mapping[str, int] = field(default_factory=dict)
    predicted: Mapping[str, int] = field(default_factory=dict)
    datasets: Mapping[str, int] = field(default_factory=dict)


NOTHING_OPENED = Units()
