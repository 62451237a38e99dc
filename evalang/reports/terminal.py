"""The document as plain text; in a terminal with colour, where rich is imported only then."""

from __future__ import annotations

import os
import re
import shutil
import textwrap
import unicodedata
from collections.abc import Mapping
from typing import TextIO

from .document import (
    Block,
    Code,
    ColumnHead,
    Details,
    Document,
    Figure,
    List,
    Paragraph,
    ReportTable,
    Section,
    TableCell,
    walk,
)
from .escape import lines, terminal

WIDTH = 100
MOST_ROWS = 40  # of one table in a terminal; ours: about a screen
WIDEST_CELL = 40
NARROWEST = 12  # columns that a name is left with
OUTCOME = frozenset({"difference", "p", "adjusted p", "verdict"})
_SPREAD = re.compile(r" ± [\d.e-]+")
BRIEF = 22  # lines at the end of a run; with where the page is they make fewer than 25
BRIEF_WORDS = 12  # of them for sentences


def render(document: Document, width: int = WIDTH, full: bool = False) -> str:
    """Return plain text; `full` adds methods, checklist and script."""
    parts = [terminal(document.title), "=" * _width(terminal(document.title)), _wrap(document.subtitle, width)]
    parts += [text for block in document.blocks if (text := _block(block, width, 0, full))]
    return "\n\n".join(p for p in _joined(parts) if p) + "\n"


def _joined(parts: list[str]) -> list[str]:
    return ["\n".join(parts[:2]), *parts[2:]]


def _block(block: Block, width: int, depth: int, full: bool) -> str:
    if isinstance(block, Paragraph):
        return _paragraph(block, width)
    if isinstance(block, ReportTable):
        return _table(block, width, full)
    if isinstance(block, List):
        return "\n".join(
            _wrap(item, width, f"{i}. " if block.ordered else "- ") for i, item in enumerate(block.items, 1)
        )
    if isinstance(block, Code):
        return textwrap.indent(lines(block.text).rstrip(), "    ") if full else ""
    if isinstance(block, Details):
        return "\n\n".join(_block(b, width, depth, full) for b in block.blocks) if full else ""
    if isinstance(block, Figure):
        return ""  # a picture's numbers stand in the tables
    if block.background and not full:
        return ""
    title = terminal(block.title)
    inner = [text for b in block.blocks if (text := _block(b, width, depth + 1, full))]
    head = f"{title}\n{('-' if depth == 0 else '.') * _width(title)}"
    return "\n\n".join([head, *inner]) if inner else ""


def _paragraph(block: Paragraph, width: int) -> str:
    label = f"{block.label}: " if block.label else ""
    mark = "! " if block.tone == "warning" else ""
    return _wrap(f"{label}{block.text}", width, mark)


def _wrap(text: str, width: int, mark: str = "") -> str:
    kwargs = {"initial_indent": mark, "subsequent_indent": " " * len(mark)}
    return textwrap.fill(terminal(text), width, break_on_hyphens=False, **kwargs)  # type: ignore[arg-type]


def _width(text: str) -> int:
    """Return the columns in a terminal: East Asian wide characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def _cell(cell: TableCell) -> str:
    shown = terminal(cell.text)
    if len(shown) > WIDEST_CELL and cell.value is None:
        # A sentence says most at its beginning, a name or a verdict at both ends.
        shown = shown[: WIDEST_CELL - 1] + "…" if shown.count(" ") > 2 else _middle(shown, WIDEST_CELL)
    return f"{shown}{'*' if cell.best else ''}{cell.mark}"


def _table(table: ReportTable, width: int, full: bool, most: int = MOST_ROWS) -> str:
    """Return a table of at most `width`: what does not fit is left out, or with `full` stands below."""
    shown = table.rows if full else table.rows[:most]
    cells = [[_cell(c) for c in row] for row in shown]
    heads = [_middle(terminal(c.title), WIDEST_CELL) for c in table.columns]
    sizes = _sizes(heads, cells)
    spreads = not full and sum(sizes) + 2 * len(sizes) - 2 > width
    if spreads:  # what is spared first
        cells = [[_SPREAD.sub("", c) for c in row] for row in cells]
        sizes = _sizes(heads, cells)
    parts = _bands(sizes, width) if full else [_fitting(table.columns, sizes, width)]
    lost = [c for i, c in enumerate(table.columns) if not any(i in part for part in parts)]
    if any(c.title in OUTCOME or not c.spare for c in lost):  # names give way before what was found does
        sizes = _narrower(table.columns, cells, sizes, width)
        parts = [_fitting(table.columns, sizes, width)]
        heads, *cells = [[_middle(c, sizes[i]) for i, c in enumerate(row)] for row in (heads, *cells)]
    out = [_wrap(table.title, width)]
    for columns in parts:
        rows = [heads, ["-" * sizes[i] for i in range(len(sizes))], *cells]
        for row in rows:
            line = "  ".join(_pad(row[i], sizes[i], table.columns[i].align == "right") for i in columns).rstrip()
            out.append(_clipped(line, width))
    if len(shown) < len(table.rows):
        out.append(f"... {len(table.rows) - len(shown):,} more rows")
    seen = {i for part in parts for i in part}
    best = any(c.best for row in shown for i, c in enumerate(row) if i in seen)
    notes = [n.replace("Bold:", "*:") for n in table.notes if best or not n.startswith("Bold:")]
    left = [terminal(c.title) for i, c in enumerate(table.columns) if not any(i in part for part in parts)]
    prefixes = tuple(
        f"{title[0].upper()}{title[1:]}:" for title in left if title
    )  # what explains a column goes with it
    notes = [n for n in notes if not (spreads and n.startswith("±")) and not n.startswith(prefixes)]
    notes += [f"No room for: {', '.join(left)}."] if left else []
    return "\n".join([*out, *([_wrap(" ".join(notes), width, "  ")] if notes else [])])


def _sizes(heads: list[str], cells: list[list[str]]) -> list[int]:
    return [max(_width(row[i]) for row in (heads, *cells)) for i in range(len(heads))]


def _narrower(columns: tuple[ColumnHead, ...], cells: list[list[str]], sizes: list[int], width: int) -> list[int]:
    """Return smaller sizes: heads of numbers as narrow as the numbers, then words, the widest first."""
    made = list(sizes)
    words = [i for i, column in enumerate(columns) if column.align == "left" and column.spare == 0]
    for i, column in enumerate(columns):
        if column.align == "right":
            made[i] = min(made[i], max(NARROWEST, *(_width(row[i]) for row in cells)))
    kept = [i for i, column in enumerate(columns) if column.spare == 0]
    while (over := sum(made[i] + 2 for i in kept) - 2 - width) > 0:
        wide = max(words, key=lambda i: made[i], default=None)
        if wide is None or made[wide] <= NARROWEST:
            break
        made[wide] = max(NARROWEST, made[wide] - over)
    return made


def _middle(text: str, width: int) -> str:
    """Cut a name in the middle: related names often differ at their ends."""
    if _width(text) <= width:
        return text
    start, end = text[: (width - 1) // 2], text[-(width // 2) :]
    shown = f"{start}…{end}"
    return shown if _width(shown) <= width else _clipped(text, width)


def _fitting(columns: tuple[ColumnHead, ...], sizes: list[int], width: int) -> list[int]:
    """Return the columns that fit side by side; those with the largest `spare` go first, then those on the right."""
    kept = list(range(len(columns)))
    while sum(sizes[i] + 2 for i in kept) - 2 > width and len(kept) > 2:
        kept.remove(max(kept[1:], key=lambda i: (columns[i].spare, i)))
    return kept


def _bands(sizes: list[int], width: int) -> list[list[int]]:
    """Return all columns in as many bands as needed, each with the first column."""
    bands: list[list[int]] = [[0]]
    for i in range(1, len(sizes)):
        if len(bands[-1]) > 1 and sum(sizes[k] + 2 for k in (*bands[-1], i)) - 2 > width:
            bands.append([0])
        bands[-1].append(i)
    return bands


def _clipped(line: str, width: int) -> str:
    if _width(line) <= width:
        return line
    while _width(line) >= width:
        line = line[:-1]
    return line + "…"


def render_summary(document: Document, width: int = WIDTH) -> str:
    """Return the end of a run: the answer and its table, in a few lines."""
    answer = next((b for b in document.blocks if isinstance(b, Section)), None)
    paragraphs = [_paragraph(b, width) for b in answer.blocks if isinstance(b, Paragraph)] if answer is not None else []
    lines_of = [line for text in paragraphs for line in text.split("\n")]
    if len(lines_of) > BRIEF_WORDS:
        lines_of = [*lines_of[: BRIEF_WORDS - 1], "... more with --full, or in the report"]
    tables = [b for b in walk(document.blocks) if isinstance(b, ReportTable)]
    if not tables:
        return "\n".join(lines_of) + "\n"
    room = BRIEF - len(lines_of) - 1
    most = min(len(tables[0].rows), room)
    shown = _table(tables[0], width, full=False, most=most)
    while len(shown.split("\n")) > room and most > 1:
        most -= 1
        shown = _table(tables[0], width, full=False, most=most)
    return "\n".join([*lines_of, "", *shown.split("\n")[:room]]) + "\n"


def _pad(text: str, width: int, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space


def wants_colour(stream: TextIO, environ: Mapping[str, str] | None = None) -> bool:
    """Return whether the stream is a terminal and NO_COLOR is not set."""
    found = os.environ if environ is None else environ
    return (
        bool(getattr(stream, "isatty", lambda: False)()) and not found.get("NO_COLOR") and found.get("TERM") != "dumb"
    )


def show(document: Document, stream: TextIO, full: bool = False, short: bool = False) -> None:
    """Write the document to a stream: as wide as the terminal, with colour where that is wanted."""
    width = min(shutil.get_terminal_size((WIDTH, 24)).columns, 120) if stream.isatty() else WIDTH
    text = render_summary(document, width) if short else render(document, width, full)
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
