"""The document as Markdown that GitHub shows well."""

from __future__ import annotations

from collections.abc import Mapping

from .document import Block, Code, Details, Document, Figure, List, Paragraph, ReportTable, Section, TableCell
from .escape import fence, markdown, markdown_line, markdown_prose

MOST_ROWS = 2000


def render(document: Document, pictures: Mapping[str, str] | None = None, level: int = 1) -> str:
    """Return Markdown; `pictures` maps a figure's key to the path of its file, figures without one are left out."""
    parts = [f"{'#' * level} {markdown(document.title)}", markdown_line(document.subtitle)]
    parts += [_block(block, level + 1, pictures or {}) for block in document.blocks]
    return "\n\n".join(p for p in parts if p) + "\n"


def fragment(blocks: tuple[Block, ...], level: int = 3, pictures: Mapping[str, str] | None = None) -> str:
    """Return some blocks alone, for a place inside another document."""
    return "\n\n".join(p for b in blocks if (p := _block(b, level, pictures or {}))) + "\n"


def _block(block: Block, level: int, pictures: Mapping[str, str]) -> str:
    if isinstance(block, Paragraph):
        return _paragraph(block)
    if isinstance(block, ReportTable):
        return _table(block)
    if isinstance(block, List):
        return "\n".join(f"- {markdown_line(item)}" for item in block.items)
    if isinstance(block, Code):
        return fence(block.text, block.language)
    if isinstance(block, Figure):
        path = pictures.get(block.key)
        return f"![{markdown(block.description.replace('`', ''))}]({path})\n\n*{markdown(block.title)}*" if path else ""
    inner = "\n\n".join(p for b in block.blocks if (p := _block(b, level + 1, pictures)))
    if isinstance(block, Section) and not block.background:
        return f"{'#' * min(level, 6)} {markdown(block.title)}\n\n{inner}"
    title = block.summary if isinstance(block, Details) else block.title
    return f"<details>\n<summary>{markdown(title)}</summary>\n\n{inner}\n\n</details>"


def _paragraph(block: Paragraph) -> str:
    label = f"**{markdown(block.label)}:** " if block.label else ""
    text = markdown_prose(block.text) if label else markdown_line(block.text)
    return f"> {label}{text}" if block.tone == "warning" else f"{label}{text}"


def _table(table: ReportTable) -> str:
    heads = " | ".join(markdown(c.title) or " " for c in table.columns)
    rule = " | ".join("---:" if c.align == "right" else "---" for c in table.columns)
    rows = [f"| {' | '.join(_cell(c) for c in row)} |" for row in table.rows[:MOST_ROWS]]
    notes = list(table.notes)
    if len(table.rows) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS:,} of {len(table.rows):,} rows.")
    grid = "\n".join([f"| {heads} |", f"| {rule} |", *rows])
    after = "\n\n" + " ".join(markdown_line(n) for n in notes) if notes else ""
    return f"**{markdown(table.title)}**\n\n{grid}{after}"


def _cell(cell: TableCell) -> str:
    shown = markdown(cell.text)
    return f"{f'**{shown}**' if cell.best and shown else shown}{cell.mark}"
