"""The bibliography: every key that a card, a rule or a docstring cites. They are in references.json."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Reference:
    """A line of the bibliography."""

    key: str
    authors: str
    year: int
    title: str
    where: str
    kind: Literal["article", "inproceedings", "book", "misc"] = "article"
    doi: str = ""


REFERENCES: tuple[Reference, ...] = tuple(
    Reference(**entry) for entry in json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
)

_BY_KEY = {reference.key: reference for reference in REFERENCES}


def find_reference(key: str) -> Reference | None:
    """Return the entry of this key, or None.

    >>> find_reference("dietterich1998").year
    1998
    """
    return _BY_KEY.get(key)


def citation(reference: Reference) -> str:
    """Return one line for a list of references.

    >>> citation(find_reference("salzberg1997"))[:62]
    'Salzberg, S. L. (1997): "On comparing classifiers: pitfalls to'
    """
    doi = f", doi:{reference.doi}" if reference.doi else ""
    return f'{reference.authors} ({reference.year}): "{reference.title}", {reference.where}{doi}'
