"""The bibliography: every key that a card, a rule or a docstring cites. They are in references.json."""

from __future__ import annotations

import json
from pathlib import Path

from .entry import Reference

REFERENCES: tuple[Reference, ...] = tuple(
    Reference(**entry) for entry in json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
)

_BY_KEY = {reference.key: reference for reference in REFERENCES}


def find_reference(key: str) -> Reference | None:
    """The entry of this key, or None.

    >>> find_reference("dietterich1998").year
    1998
    """
    return _BY_KEY.get(key)
