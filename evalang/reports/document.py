"""The document: what a report says, before any format. Built once, rendered many times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

Tone = Literal["plain", "lead", "warning", "note"]
Align = Literal["left", "right"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Sentences. `lead` is the one to read, `warning` the one not to miss; `label` ("It matters:") comes before.

    `see` is the key of what it speaks of: a page makes `see_words` a link to it, or the label where there are none.
    """

    text: str
    tone: Tone = "plain"
    label: str = ""
    see: str = ""
    see_words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCell:
    """What is shown, the number behind it (for sorting and reading back), and its marks."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture to be drawn from `data` (a record of `reports/figures`), and what it shows in words."""

    key: str
    kind: str
    title: str
    description: str
    data: Any
    see: str = ""  # the key of the table that has its numbers
    lead: bool = False  # shows the headline: on a phone it is drawn anew, narrower


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Text as it stands: a script, BibTeX."""

    text: str
    language: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class List:
    """Points, one sentence or two each."""

    items: tuple[str, ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What most readers skip: folded in HTML and Markdown, counted in a terminal."""

    summary: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading with what stands under it; `background` is left out of a terminal unless asked for."""

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


def walk(blocks: tuple[Block, ...]) -> list[Block]:
    """Every block in reading order, those inside sections and details too."""
    found: list[Block] = []
    for block in blocks:
        found.append(block)
        if isinstance(block, Section | Details):
            found.extend(walk(block.blocks))
    return found


def tables(document: Document) -> list[ReportTable]:
    """Every table of a document."""
    return [b for b in walk(document.blocks) if isinstance(b, ReportTable)]


def figures(document: Document) -> list[Figure]:
    """Every figure of a document."""
    return [b for b in walk(document.blocks) if isinstance(b, Figure)]


def reworded(blocks: tuple[Block, ...], change: Callable[[str], str]) -> tuple[Block, ...]:
    """The same blocks with every text changed; scripts and what figures are drawn from stay as they are."""
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
    """The same blocks, no two with one key: names that differ in case or script alone make the same key."""
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
