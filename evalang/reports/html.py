"""The document as one self-contained HTML file (styles, pictures and one constant script), and for notebooks."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

from ..results.run_result import RunResult
from . import assemble, escape
from .document import Block, ColumnHead, Document, Figure, Paragraph, ReportTable, Section, TableCell, tables
from .escape import lines, visible

_HERE = Path(__file__).parent
_NUMBER = re.compile(r"\s*[-+]?\d")


def render(document: Document, pictures: bool = True) -> str:
    """Return the whole page."""
    from markupsafe import Markup

    style = (_HERE / "page.css").read_text("utf-8").strip()
    script = (_HERE / "page.js").read_text("utf-8").strip()
    page = _environment(pictures).get_template("page.html.jinja")
    page_text: str = page.render(
        document=document, style=Markup(style), script=Markup(script), policy=policy(style, script)
    )
    return page_text


def policy(style: str, script: str) -> str:
    """Return a policy under which nothing is loaded, and only this script and these styles are allowed."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def fragment(blocks: tuple[Block, ...], pictures: bool = True) -> str:
    """Return some blocks alone, for a notebook or a documentation page: no script, no styles of its own."""
    module: Any = _environment(pictures).get_template("page.html.jinja").make_module({"document": _EMPTY, "style": ""})
    return "".join(module.block(b, 3) for b in blocks)


_EMPTY = Document(title="", subtitle="", blocks=())


def _environment(pictures: bool) -> Any:
    from jinja2 import Environment, FileSystemLoader
    from markupsafe import Markup

    from .figures.picture import svg_inline, svg_narrow

    def picture(figure: Figure) -> Markup:
        return Markup(svg_inline(figure) if pictures else "")

    def narrow(figure: Figure) -> Markup:
        return Markup(svg_narrow(figure) if pictures else "")

    def code(text: str) -> Markup:
        return Markup.escape(lines(text))  # line ends stay, so it is escaped here

    def prose(text: str) -> Markup:
        return Markup(_with_code(str(Markup.escape(visible(text)))))

    def finalize(value: object) -> object:
        # Everything the template prints passes here: what is not markup of ours loses its hidden characters,
        # and Jinja escapes it afterwards.
        return value if isinstance(value, Markup) else visible(str(value))

    made = Environment(loader=FileSystemLoader(_HERE), autoescape=True, finalize=finalize, trim_blocks=False)
    made.globals.update(kind_of=lambda b: type(b).__name__, picture=picture, narrow=narrow)
    made.globals.update(code=code, prose=prose, rows=_rows, kind=_kind)
    return made


def _with_code(escaped: str) -> str:
    """Return escaped text with what stands in backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped) if "`" in escaped else escaped


def _kind(column: ColumnHead) -> str:
    return f"{'n' if column.align == 'right' else ''}{' s' if column.spare > 1 else ''}".strip()


def _rows(table: ReportTable) -> Any:
    """Return the rows of a table, escaped: a hundred thousand cells are too many for macros."""
    from markupsafe import Markup

    kinds = [_kind(column) for column in table.columns]
    return Markup("\n".join("<tr>" + "".join(map(_cell, row, kinds, range(len(row)))) for row in table.rows))


def _cell(cell: TableCell, kind: str, place: int) -> str:
    # The number to sort by, where the shown text does not start with it ("< 1e-16", "Cohen's dz 0.4").
    by_text = cell.value is None or _NUMBER.match(cell.text)
    value = "" if by_text else f' data-v="{cell.value:.6g}"'
    words = _with_code(escape.html(cell.text))
    if place == 0:
        return f'<th scope="row"{value}><bdi>{words}</bdi>'
    kind = f"{kind} b".strip() if cell.best else kind
    shape = f' class="{kind}"' if kind else ""
    mark = f"<sup>{escape.html(cell.mark)}</sup>" if cell.mark else ""
    return f"<td{shape}{value}>{words}{mark}"


def notebook_report(result: RunResult, subject: str | None = None) -> str:
    """Return the report for a notebook: without methods, checklist and script, and without buttons."""
    blocks = assemble.document(result, subject).blocks
    return _styled(fragment(tuple(b for b in blocks if not (isinstance(b, Section) and b.background))))


def notebook_summary(result: RunResult) -> str:
    """Return the answer, its picture and its table for a notebook."""
    shown = assemble.document(result, background=False)
    answer = shown.blocks[0]
    assert isinstance(answer, Section)
    words: tuple[Block, ...] = tuple(b for b in answer.blocks if isinstance(b, Paragraph | Figure))
    return _styled(fragment((*words, *tables(shown)[:1])))


def _styled(inner: str) -> str:
    style = (_HERE / "notebook.css").read_text("utf-8").strip()
    return f'<div class="evalang"><style>{style}</style>{inner}</div>'
