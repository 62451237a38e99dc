"""The result in a notebook: HTML with pictures, Markdown and plain text for front ends that show no HTML."""

from __future__ import annotations

from ..results.run_result import RunResult
from .build import document
from .document import Block, Document, Section


def html(result: RunResult, subject: str | None = None) -> str:
    """A fragment without script or styles of its own: the notebook's theme holds."""
    from .html import fragment

    shown = document(result, subject)
    return f'<div class="evalang">{fragment(_foreground(shown))}</div>'


def _foreground(shown: Document) -> tuple[Block, ...]:
    return tuple(b for b in shown.blocks if not (isinstance(b, Section) and b.background))
