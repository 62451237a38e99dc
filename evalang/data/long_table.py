"""Scores that another tool wrote, as a long table whose columns say what they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import pandas as pd

Standing = Literal["score", "learner", "dataset", "fold", "repeat", "seed", "item", "epoch", "group"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """A file that was read: its path below the script's folder, its SHA-256, and what wrote it in which version."""

    path: str
    sha256: str
    tool: str
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LongTable:
    """One row a score. `columns`: the column of `frame` for each thing it stands for; score and learner always are.

    >>> frame = pd.DataFrame({"model": ["a", "b"], "item": ["q1", "q1"], "score": [1.0, 0.0]})
    >>> LongTable(frame=frame, columns={"score": "score", "learner": "model", "item": "item"}).columns["item"]
    'item'
    """

    frame: pd.DataFrame
    columns: dict[Standing, str]
    metric: str | None = None  # the tool's own name of it
    higher_is_better: bool | None = None  # None: the tool does not say, and the script has to
    origins: tuple[Origin, ...] = ()
    contents: Mapping[tuple[str, str], str] = field(default_factory=dict)  # hash of an item's text by (dataset, item)
    spreads: int = 0  # cells that were a mean with a spread
    left_out: tuple[str, ...] = ()  # what is not in the frame, or not as the file has it, and why
    differing: tuple[str, ...] = ()  # what differs between the files beside the learner: prompt, version, limit
