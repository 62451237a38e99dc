"""The document as plain text; in a terminal with colour, where rich is imported only then."""

from __future__ import annotations

import os
import shutil
import textwrap
import unicodedata
from collections.abc import Mapping
from typing import TextIO

from .document import Block, Cell, Code, Details, Document, Figure, List, Paragraph, Table
from .escape import lines, terminal

WIDTH = 100
MOST_ROWS = 40  # of one table in a terminal; ours: about a screen
WIDEST_CELL = 40


def render(document: Document, width: int = WIDTH, full: bool = False) -> str:
    """Plain text. `full` adds methods, checklist and script."""
    parts = [terminal(document.title), "=" * _width(terminal(document.title)), terminal(document.subtitle)]
    parts += [text for block in document.blocks if (text := _block(block, width, 0, full))]
    return "\n\n".join(p for p in _joined(parts) if p) + "\n"


def _joined(parts: list[str]) -> list[str]:
    return ["\n".join(parts[:2]), *parts[2:]]


def _block(block: Block, width: int, depth: int, full: bool) -> str:
    if isinstance(block, Paragraph):
        return _paragraph(block, width)
    if isinstance(block, Table):
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
    return textwrap.fill(terminal(text), width, break_long_words=False, break_on_hyphens=False, **kwargs)  # type: ignore[arg-type]


def _width(text: str) -> int:
    """Columns in a terminal: East Asian wide characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def _cell(cell: Cell) -> str:
    shown = terminal(cell.text)
    if len(shown) > WIDEST_CELL and cell.value is None:
        shown = shown[: WIDEST_CELL - 1] + "…"
    return f"{shown}{'*' if cell.best else ''}{cell.mark}"


def _table(table: Table, width: int, full: bool) -> str:
    shown = table.rows if full else table.rows[:MOST_ROWS]
    heads = [terminal(c.title)[:WIDEST_CELL] for c in table.columns]
    cells = [[_cell(c) for c in row] for row in shown]
    widths = [max(_width(r[i]) for r in (heads, *cells)) for i in range(len(heads))]
    right = [c.align == "right" for c in table.columns]
    out = [
        terminal(table.title),
        "  ".join(_pad(h, w, r) for h, w, r in zip(heads, widths, right, strict=True)).rstrip(),
    ]
    out.append("  ".join("-" * w for w in widths))
    out += ["  ".join(_pad(c, w, r) for c, w, r in zip(row, widths, right, strict=True)).rstrip() for row in cells]
    if len(shown) < len(table.rows):
        out.append(f"... {len(table.rows) - len(shown):,} more rows")
    best = any(c.best for row in shown for c in row)
    notes = [n.replace("Bold:", "*:") for n in table.notes] if best else list(table.notes)
    return "\n".join([*out, *(_wrap(n, width, "  ") for n in notes)])


def _pad(text: str, width: int, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space


def wants_colour(stream: TextIO, environ: Mapping[str, str] | None = None) -> bool:
    """A terminal, and nobody set NO_COLOR."""
    found = os.environ if environ is None else environ
    return (
        bool(getattr(stream, "isatty", lambda: False)()) and not found.get("NO_COLOR") and found.get("TERM") != "dumb"
    )


def show(document: Document, stream: TextIO, full: bool = False) -> None:
    """Writes the document to a stream: as wide as the terminal, coloured where that is wanted."""
    width = min(shutil.get_terminal_size((WIDTH, 24)).columns, 120) if stream.isatty() else WIDTH
    text = render(document, width, full)
    if not wants_colour(stream):
        stream.write(text)
        return
    from rich.console import Console
    from rich.text import Text

    shown = Text(text)
    shown.highlight_regex(r"(?m)^.*\n[-=.]{3,}$", "bold")
    shown.highlight_regex(r"(?m)^! .*(\n  .*)*", "yellow")
    shown.highlight_regex(r"(?m)^Found: .*(\n.+)*", "bold")
    shown.highlight_regex(r"\bsupported\b|\S+ better\b", "green")
    shown.highlight_regex(r"\bcontradicted\b", "red")
    shown.highlight_regex(r"\bnot settled\b|\bundecided\b", "yellow")
    Console(file=stream, width=width, soft_wrap=True, highlight=False).print(shown, end="")
