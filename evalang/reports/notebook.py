"""The judgement in a notebook: HTML with pictures, Markdown and plain text for front ends that show no HTML."""

from __future__ import annotations

from ..results.run_result import RunResult
from . import markdown, terminal
from .build import document
from .document import Block, Document, Section


def html(judgement: RunResult, subject: str | None = None) -> str:
    """A fragment without script or styles of its own: the notebook's theme holds."""
    from .html import fragment

    shown = document(judgement, subject)
    return f'<div class="evalang">{fragment(_foreground(shown))}</div>'


def bundle(judgement: RunResult, subject: str | None = None) -> dict[str, str]:
    """What `_repr_mimebundle_` returns: the richest that a front end knows is shown."""
    shown = document(judgement, subject)
    return {
        "text/html": html(judgement, subject),
        "text/markdown": markdown.render(shown),
        "text/plain": terminal.render(shown),
    }


def _foreground(shown: Document) -> tuple[Block, ...]:
    return tuple(b for b in shown.blocks if not (isinstance(b, Section) and b.background))
