"""Columns that are not what they were read as: numbers kept as text, and groups and dates that nobody declared."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from .columns import Array, looks_numeric
from .facts import NumbersAsText
from .table import Table

MOSTLY = 0.5  # ours: a text column most of whose cells are numbers was meant as numbers
FEWEST_NUMBERS = 10  # ours: with fewer different numbers they may well be codes of categories
FEWEST_GROUPS = 5  # ours: fewer repeated values are a category
FEWEST_DATES = 5
_WORDS_SHOWN = 3
_WHO = (
    "patient|subject|person|participant|user|customer|client|speaker|author|writer|household|animal|donor|respondent|"
    "student|account|device|session|group|cluster|case"
)
_GROUP = re.compile(rf"(?:{_WHO})(?:[ _.-]?(?:id|no|nr|num|number|name|key|code))?|.*[ _.-]id", re.IGNORECASE)
_GROUP_CAMEL = re.compile(r".*[a-z](?:Id|ID)")
_DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T].*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}(?:[ T].*)?")


def numbers_as_text(table: Table) -> tuple[NumbersAsText, ...]:
    """Text columns in which more cells are numbers than not; with nine of ten the data is refused when it is read."""
    found = []
    for name in table.categorical:
        if name in table.named:
            continue
        column = table.X[name].cat
        counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.categories))
        cells = [(str(word), int(count)) for word, count in zip(column.categories, counts, strict=True) if count]
        numbers = [(word, count) for word, count in cells if looks_numeric(word)]
        total, read = sum(count for _, count in cells), sum(count for _, count in numbers)
        if len(numbers) >= FEWEST_NUMBERS and read > MOSTLY * total and not _dates(column.categories):
            words = sorted(set(cells) - set(numbers), key=lambda cell: (-cell[1], cell[0]))[:_WORDS_SHOWN]
            found.append(NumbersAsText(column=name, numbers=read, cells=total, words=tuple(words)))
    return tuple(found)


def group_like(table: Table, codes: dict[str, tuple[Array, int]]) -> tuple[tuple[str, int], ...]:
    """Columns named like whoever a row is about, whose values come back again and again."""
    if table.groups is not None:
        return ()
    named = [name for name in codes if _GROUP.fullmatch(name) or _GROUP_CAMEL.fullmatch(name)]
    return tuple((n, codes[n][1]) for n in named if codes[n][1] >= FEWEST_GROUPS and 2 * codes[n][1] <= table.rows)


def date_columns(table: Table) -> tuple[str, ...]:
    """Columns of dates, unless the script says which of them is the time."""
    if table.time is not None:
        return ()
    return (*table.dates, *(name for name in table.categorical if _dates(table.X[name].cat.categories)))


def _dates(words: pd.Index) -> bool:
    return len(words) >= FEWEST_DATES and all(_DATE.fullmatch(str(word)) for word in words)
