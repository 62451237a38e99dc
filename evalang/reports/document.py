"""The tree of a report, before any format: sections, paragraphs, tables, figures. Built once, rendered many times."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from math import isfinite
from typing import Any, Literal, NamedTuple

Tone = Literal["plain", "lead", "warning", "note"]
Align = Literal["left", "right"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Sentences under a label. `lead` is the main answer, `warning` must not be missed.

    `see` is the key of its subject: a page links `see_words` to it, or the label where there are none.
    """

    text: str
    tone: Tone = "plain"
    label: str = ""
    see: str = ""
    see_words: str = ""


class TableCell(NamedTuple):
    """The shown text, the number behind it (for sorting and reading back), and its marks.

    A tuple, because a report may have a hundred thousand.
    """

    text: str
    value: float | None = None
    best: bool = False
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnHead:
    """The head of a column. Where there is no room, those with the largest `spare` are left out first, 0 never."""

    title: str
    align: Align = "left"
    spare: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTable:
    """Rows of cells under a title; `key` names its file and anchor; notes explain the marks."""

    key: str
    title: str
    columns: tuple[ColumnHead, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    notes: tuple[str, ...] = ()
    see: str = ""  # the key of the picture that shows it
    foot: int = 0  # rows at the end that stay where a long table is cut
    names: tuple[tuple[str, ...], ...] = ()  # learners, then datasets: a terminal without room numbers long ones


def first_rows(table: ReportTable, most: int) -> ReportTable:
    """Return a table of at most that many rows, the foot among them."""
    if len(table.rows) <= most:
        return table
    return replace(table, rows=(*table.rows[: max(most - table.foot, 1)], *table.rows[len(table.rows) - table.foot :]))


def text(shown: str) -> TableCell:
    """Return a cell of words."""
    return TableCell(text=shown)


def number(shown: str, value: float | None) -> TableCell:
    """Return a cell of a number; the open end of an interval has no value to sort by."""
    return TableCell(text=shown, value=value if value is None or isfinite(value) else None)


Column = tuple[ColumnHead, Sequence[TableCell]]


def words_column(title: str, words: Iterable[str], spare: int = 0) -> Column:
    """Return a column of words."""
    return ColumnHead(title=title, spare=spare), [text(word) for word in words]


def numbers_column(title: str, cells: Iterable[TableCell], spare: int = 0) -> Column:
    """Return a column of numbers, aligned to the right."""
    return ColumnHead(title=title, align="right", spare=spare), list(cells)


def by_columns(key: str, title: str, columns: Iterable[Column | None], notes: Iterable[str] = ()) -> ReportTable:
    """Return a table made of its columns; those that are None are left out."""
    given = [column for column in columns if column is not None]
    rows = tuple(zip(*(cells for _, cells in given), strict=True))
    return ReportTable(key=key, title=title, columns=tuple(head for head, _ in given), rows=rows, notes=tuple(notes))


def words_table(
    key: str, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], notes: Iterable[str] = ()
) -> ReportTable:
    """Return a table of words made of its rows."""
    columns = zip(heads, zip(*rows, strict=True), strict=True)
    return by_columns(key, title, [words_column(head, words) for head, words in columns], notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture to be drawn from `data` (a record of `reports/figures`), and its content in words."""

    key: str
    kind: str
    title: str
    description: str
    data: Any
    see: str = ""  # the key of the table that has its numbers
    lead: bool = False  # shows the headline: pages hold a second, narrower one for phones


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Literal text: a script, BibTeX."""

    text: str
    language: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class List:
    """Items, one or two sentences each."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """Details that most readers skip: folded in HTML and Markdown, left out of a terminal unless asked for."""

    summary: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading with its blocks; `background` is left out of a terminal unless asked for."""

    key: str
    title: str
    blocks: tuple[Block, ...]
    background: bool = False


Block = Paragraph | ReportTable | Figure | Code | List | Details | Section


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A whole report."""

    title: str
    subtitle: str
    blocks: tuple[Block, ...]


LONGEST_KEY = 80


def key(*words: str) -> str:
    """Return a name for a file and an anchor; a long one is cut and ends in a hash of the whole.

    >>> key("trees-or-bayes", "f-score(average = \\"macro\\")")
    'trees-or-bayes-f-score-average-macro'
    >>> key("x" * 100, "roc") == key("x" * 100, "wins")
    False
    """
    plain = re.sub(r"[^a-z0-9]+", "-", "-".join(words).lower()).strip("-")
    if len(plain) > LONGEST_KEY:
        plain = f"{plain[: LONGEST_KEY - 9]}-{sha256(plain.encode()).hexdigest()[:8]}"
    return plain or "table"


def walk(blocks: tuple[Block, ...]) -> list[Block]:
    """Return every block in reading order, those inside sections and details too."""
    found: list[Block] = []
    for block in blocks:
        found.append(block)
        if isinstance(block, Section | Details):
            found.extend(walk(block.blocks))
    return found


def tables(document: Document) -> list[ReportTable]:
    """Return every table of a document."""
    return [b for b in walk(document.blocks) if isinstance(b, ReportTable)]


def figures(document: Document) -> list[Figure]:
    """Return every figure of a document."""
    return [b for b in walk(document.blocks) if isinstance(b, Figure)]


def reworded(blocks: tuple[Block, ...], change: Callable[[str], str]) -> tuple[Block, ...]:
    """Return the same blocks with every text changed, except scripts and the data of figures."""
    made: list[Block] = []
    for block in blocks:
        changes: dict[str, Any] = {
            name: change(getattr(block, name))
            for name in ("text", "title", "summary", "description")
            if hasattr(block, name) and not isinstance(block, Code)
        }
        if isinstance(block, ReportTable):
            changes["columns"] = tuple(replace(c, title=change(c.title)) for c in block.columns)
            changes["notes"] = tuple(map(change, block.notes))
        elif isinstance(block, List):
            changes["items"] = tuple(map(change, block.items))
        elif isinstance(block, Section | Details):
            changes["blocks"] = reworded(block.blocks, change)
        made.append(replace(block, **changes) if changes else block)
    return tuple(made)


def with_own_keys(blocks: tuple[Block, ...], taken: set[str] | None = None) -> tuple[Block, ...]:
    """Return the blocks with unique keys: names that differ only in case or script would share one."""
    seen = set() if taken is None else taken
    made: list[Block] = []
    for block in blocks:
        changes: dict[str, Any] = {}
        if isinstance(block, Section | ReportTable | Figure):
            changes["key"] = _own(block.key, seen)
        if isinstance(block, Section | Details):
            changes["blocks"] = with_own_keys(block.blocks, seen)
        made.append(replace(block, **changes) if changes else block)
    return tuple(made)


def _own(key: str, seen: set[str]) -> str:
    found, count = key, 1
    while found in seen:
        count += 1
        found = f"{key}-{count}"
    seen.add(found)
    return found
