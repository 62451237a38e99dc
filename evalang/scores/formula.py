"""An R formula that says which column of a long table is what: `score ~ learner | dataset / fold`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..data.quoting import quoted as shown
from ..data.quoting import quoted_list as shown_list
from ..errors import DataError
from ..language.nearest import nearest

_WORD = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^~|/"]*[^~|/"\s]))\s*')
FORM = "score ~ learner | dataset, with / for what is nested: score ~ learner | dataset / fold"


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """Response by treatment within blocks; blocks after the first are nested in the one before."""

    response: str
    treatment: str
    blocks: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        return (self.response, self.treatment, *self.blocks)

    def __str__(self) -> str:
        return f"{self.response} ~ {self.treatment} | {' / '.join(self.blocks)}"


def read_formula(text: str) -> Formula:
    """The formula of a text.

    >>> read_formula("accuracy ~ learner | dataset / fold").blocks
    ('dataset', 'fold')
    """
    words: list[str] = []
    place = 0
    for mark in ("~", "|", "/"):
        while match := _WORD.match(text, place):
            words.append(match.group(2) or (match.group(1) or "").replace('""', '"'))
            place = match.end()
            if not text.startswith(mark, place):
                break
            place += 1
            if mark != "/":
                break
    if place < len(text) or len(words) < 3 or text.rstrip().endswith(("~", "|", "/")):
        raise DataError(f"{shown(text)} is no formula{_what_is_missing(text)}", hint=f"write {FORM}")
    return formula_of(words)


def formula_of(words: Sequence[str]) -> Formula:
    """The formula of its words in order: response, treatment, block, nested blocks."""
    names = tuple(word.strip() for word in words)
    if len(names) < 3 or not all(names):
        raise DataError("a formula needs a response, a treatment and a block", hint=f"write {FORM}")
    repeated = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if repeated is not None:
        raise DataError(f"the formula names {shown(repeated)} twice", hint=f"write {FORM}")
    return Formula(response=names[0], treatment=names[1], blocks=names[2:])


def check_formula(formula: Formula, columns: Sequence[str], where: str) -> None:
    """Refuse a formula that does not fit the columns, with every word that has none and the nearest that there is."""
    strange = [word for word in formula.words if word not in columns]
    if not strange:
        return
    near = {word: nearest(word, columns) for word in strange}
    words = " and ".join(shown(word) for word in strange)
    said = "; ".join(f"{shown(word)} may be {shown(found)}" for word, found in near.items() if found)
    raise DataError(
        f"the formula `{formula}` names {words}, and {where} has no such column" + ("s" if len(strange) > 1 else ""),
        hint=f"{said + '; ' if said else ''}its columns are {shown_list(columns)}",
    )


def _what_is_missing(text: str) -> str:
    if "~" not in text:
        return ": it has no ~ between score and learner"
    if "|" not in text:
        return ": it has no | before the datasets"
    return ": a name is missing, or a sign is in the wrong place"
