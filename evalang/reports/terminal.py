"""The document as plain text; in a terminal with colour, where rich is imported only then."""

from __future__ import annotations

import re
import shutil
import textwrap
import unicodedata
from collections.abc import Mapping
from typing import TextIO

from ..language.text import wants_colour
from .document import (
    Block,
    Code,
    Details,
    Document,
    Figure,
    List,
    Paragraph,
    ReportTable,
    Section,
    first_rows,
    walk,
)
from .escape import lines, visible

WIDTH = 100
MOST_ROWS = 40  # of one table in a terminal; ours: about a screen
WIDEST_CELL = 40
LONGEST_NAME = 12  # of a learner or dataset in a table without room; a longer one is numbered
_SPREAD = re.compile(r" ± [\d.e-]+")
BRIEF = 22  # lines at the end of a run; with where the page is they make fewer than 25
BRIEF_WORDS = 12  # of them for sentences


def render(document: Document, width: int = WIDTH, full: bool = False, whole: bool = False) -> str:
    """Return plain text; `full` adds methods, checklist and script, `whole` gives tables the width they need."""
    parts = [visible(document.title), "=" * _width(visible(document.title)), _wrap(document.subtitle, width)]
    parts += [text for block in document.blocks if (text := _block(block, width, None if whole else width, 0, full))]
    return "\n\n".join(p for p in _joined(parts) if p) + "\n"


def render_table(table: ReportTable, width: int = WIDTH) -> str:
    """Return one table as plain text."""
    return _table(table, width, full=True)


def _joined(parts: list[str]) -> list[str]:
    return ["\n".join(parts[:2]), *parts[2:]]


def _block(block: Block, width: int, room: int | None, depth: int, full: bool) -> str:
    if isinstance(block, Paragraph):
        return _paragraph(block, width)
    if isinstance(block, ReportTable):
        return _table(block, room, full)
    if isinstance(block, List):
        return "\n".join(_wrap(item, width, "- ") for item in block.items)
    if isinstance(block, Code):
        return textwrap.indent(lines(block.text).rstrip(), "    ") if full else ""
    if isinstance(block, Details):
        return "\n\n".join(_block(b, width, room, depth, full) for b in block.blocks) if full else ""
    if isinstance(block, Figure):
        return ""  # a picture's numbers stand in the tables
    if block.background and not full:
        return ""
    title = visible(block.title)
    inner = [text for b in block.blocks if (text := _block(b, width, room, depth + 1, full))]
    head = f"{title}\n{('-' if depth == 0 else '.') * _width(title)}"
    return "\n\n".join([head, *inner]) if inner else ""


def _paragraph(block: Paragraph, width: int) -> str:
    label = f"{block.label}: " if block.label else ""
    mark = "! " if block.tone == "warning" else ""
    return _wrap(f"{label}{block.text}", width, mark)


def _wrap(text: str, width: int, mark: str = "") -> str:
    kwargs = {"initial_indent": mark, "subsequent_indent": " " * len(mark)}
    return textwrap.fill(visible(text), width, break_on_hyphens=False, **kwargs)  # type: ignore[arg-type]


def _width(text: str) -> int:
    """Return the columns in a terminal: East Asian wide characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def _table(table: ReportTable, width: int | None, full: bool, most: int = MOST_ROWS) -> str:
    """Return a table of at most `width`, or as wide as it is.

    What gives way, in this order: spreads and columns to spare (with `full` neither), long names, which get a number
    and a key, and in the end the columns that follow stand below.
    """
    shown = table.rows if full else first_rows(table, most).rows
    heads = [visible(c.title) for c in table.columns]
    cells = [[f"{visible(c.text)}{'*' * c.best}{c.mark}" for c in row] for row in shown]
    kept, spreads = list(range(len(heads))), False
    marks: dict[str, str] = {}

    def too_wide() -> bool:
        sizes = _sizes(heads, cells)
        return width is not None and sum(sizes[i] + 2 for i in kept) - 2 > width

    if too_wide() and not full:
        spreads, cells = True, [[_SPREAD.sub("", c) for c in row] for row in cells]
    while too_wide() and not full and any(table.columns[i].spare for i in kept):
        kept.remove(max(kept, key=lambda i: (table.columns[i].spare, i)))
    for names in table.names:
        if too_wide():
            marks |= _marks(names, [text for row in (heads, *cells) for text in row], len(marks))
            heads, cells = [_keyed(h, marks) for h in heads], [[_keyed(c, marks) for c in row] for row in cells]
    if width is not None:
        cells = [
            [_cut(c) if cell.value is None else c for c, cell in zip(*row, strict=True)]
            for row in zip(cells, shown, strict=True)
        ]
    sizes, wrapped = _sizes(heads, cells), [[head] for head in heads]
    if too_wide():
        least = [max([*map(_width, head.split()), *(_width(row[i]) for row in cells)]) for i, head in enumerate(heads)]
        wrapped = [textwrap.wrap(head, least[i], break_on_hyphens=False) or [""] for i, head in enumerate(heads)]
        sizes = least
    tall = max(map(len, wrapped), default=1)
    top = [[([""] * (tall - len(head)) + head)[line] for head in wrapped] for line in range(tall)]
    out = [_wrap(table.title, width or WIDTH)]
    for place, columns in enumerate(_bands(kept, sizes, width)):
        out += [""] * bool(place)
        for row in (*top, ["-" * size for size in sizes], *cells):
            line = "  ".join(_pad(row[i], sizes[i], table.columns[i].align == "right") for i in columns).rstrip()
            out.append(line if width is None else _clipped(line, width))
    if len(shown) < len(table.rows):
        out.append(f"... {len(table.rows) - len(shown):,} more rows")
    best = any(c.best for row in shown for i, c in enumerate(row) if i in kept)
    left = [visible(c.title) for i, c in enumerate(table.columns) if i not in kept]
    gone = (*(f"{title[0].upper()}{title[1:]}:" for title in left if title), *(["±"] if spreads else []))
    notes = [n.replace("Bold:", "*:") for n in table.notes if best or not n.startswith("Bold:")]
    notes = [n for n in notes if not n.startswith(gone)]
    notes += [f"Not shown for lack of room: {', '.join(left)}."] if left else []
    out += [_wrap(f"{mark} {name}", width or WIDTH, "  ") for name, mark in marks.items()]
    notes = [_keyed(note, marks) for note in notes]
    return "\n".join([*out, *([_wrap(" ".join(notes), width or WIDTH, "  ")] if notes else [])])


def _cut(text: str) -> str:
    return text if len(text) <= WIDEST_CELL else text[: WIDEST_CELL - 1] + "…"


def _sizes(heads: list[str], cells: list[list[str]]) -> list[int]:
    return [max(_width(row[i]) for row in (heads, *cells)) for i in range(len(heads))]


def _marks(names: tuple[str, ...], texts: list[str], taken: int) -> dict[str, str]:
    """Return a number for each long name in these texts."""
    shown = dict.fromkeys(map(visible, names))
    long = [n for n in shown if _width(n) > LONGEST_NAME and any(n in text for text in texts)]
    return {name: f"[{i}]" for i, name in enumerate(long, taken + 1)}


def _keyed(text: str, marks: Mapping[str, str]) -> str:
    """Return the text with numbers in place of names; a name may be part of a longer one."""
    for name in sorted(marks, key=len, reverse=True):
        text = text.replace(f"`{name}`", marks[name]).replace(name, marks[name])
    return text


def _bands(kept: list[int], sizes: list[int], width: int | None) -> list[list[int]]:
    """Return the columns side by side, in as many bands as needed, each with the first column."""
    bands: list[list[int]] = [kept[:1]]
    for i in kept[1:]:
        if width is not None and len(bands[-1]) > 1 and sum(sizes[k] + 2 for k in (*bands[-1], i)) - 2 > width:
            bands.append(kept[:1])
        bands[-1].append(i)
    return bands


def _clipped(line: str, width: int) -> str:
    if _width(line) <= width:
        return line
    while _width(line) >= width:
        line = line[:-1]
    return line + "…"


def render_summary(document: Document, width: int = WIDTH, whole: bool = False) -> str:
    """Return the end of a run: the answer and its table, in a few lines."""
    answer = next((b for b in document.blocks if isinstance(b, Section)), None)
    paragraphs = [_paragraph(b, width) for b in answer.blocks if isinstance(b, Paragraph)] if answer is not None else []
    lines_of = [line for text in paragraphs for line in text.split("\n")]
    if len(lines_of) > BRIEF_WORDS:
        lines_of = [*lines_of[: BRIEF_WORDS - 1], "... more with --full, or in the report"]
    table = next((b for b in walk(document.blocks) if isinstance(b, ReportTable)), None)
    if table is None:
        return "\n".join(lines_of) + "\n"
    room = BRIEF - len(lines_of) - 1
    shown: list[str] = []
    for most in range(min(len(table.rows), room), 0, -1):
        shown = _table(table, None if whole else width, full=False, most=most).split("\n")
        if len(shown) <= room:
            break
    return "\n".join([*lines_of, "", *shown[:room]]) + "\n"


def _pad(text: str, width: int, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space


def show(document: Document, stream: TextIO, full: bool = False, short: bool = False) -> None:
    """Write the document to a stream: as wide as the terminal, with colour where that is wanted."""
    whole = not stream.isatty()
    width = WIDTH if whole else min(shutil.get_terminal_size((WIDTH, 24)).columns, 120)
    text = render_summary(document, width, whole) if short else render(document, width, full, whole)
    if not wants_colour(stream):
        stream.write(text)
        return
    from rich.console import Console
    from rich.text import Text

    shown = Text(text)
    shown.highlight_regex(r"(?m)^.*\n[-=.]{3,}$", "bold")
    for words, colour in VERDICT_WORDS.items():
        shown.highlight_regex(words, colour)
    Console(file=stream, width=width, soft_wrap=True, highlight=False).print(shown, end="")


# Only verdicts are coloured: the outcome of a claim, and the last column of a table.
_COLUMN = r"(?:(?<=\S  )|(?<=   ))"
VERDICT_WORDS = {
    r"(?m)(?<=^Claim )supported(?=:)|" + _COLUMN + r"\S+ better$": "green",
    r"(?m)(?<=^! Claim )contradicted(?=:)": "red",
    r"(?m)(?<=^! Claim )inconclusive(?=:)|" + _COLUMN + r"(inconclusive|no verdict)$": "yellow",
}
