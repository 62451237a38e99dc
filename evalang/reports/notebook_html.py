"""What shows itself in a notebook: HTML with pictures and a style of its own that touches nothing else."""

from __future__ import annotations

from html import escape
from pathlib import Path

from ..results.run_result import RunResult
from .assemble import document
from .document import Block, Document, Figure, Paragraph, ReportTable, Section, walk


def html(result: RunResult, subject: str | None = None) -> str:
    """The report without methods, checklist and script; no script, so nothing that looks like a button."""
    from .html import fragment

    return _styled(fragment(_foreground(document(result, subject))))


def short(result: RunResult) -> str:
    """The answer, its picture and its table."""
    from .html import fragment

    shown = document(result, background=False)
    answer = shown.blocks[0]
    assert isinstance(answer, Section)
    words: tuple[Block, ...] = tuple(b for b in answer.blocks if isinstance(b, Paragraph | Figure))
    table = next((b for b in walk(shown.blocks) if isinstance(b, ReportTable)), None)
    return _styled(fragment((*words, *([table] if table is not None else []))))


def text(shown: str) -> str:
    """Text of the command line, as it stands there."""
    return _styled(f"<pre>{escape(shown)}</pre>")


def _styled(inner: str) -> str:
    style = (Path(__file__).parent / "notebook.css").read_text("utf-8").strip()
    return f'<div class="evalang"><style>{style}</style>{inner}</div>'


def _foreground(shown: Document) -> tuple[Block, ...]:
    return tuple(b for b in shown.blocks if not (isinstance(b, Section) and b.background))
