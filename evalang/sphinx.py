"""The Sphinx directive `.. evalang::` (in MyST a fence of `{evalang}`): a script, run, with its verdicts below it.

.. evalang::
   :figures: forest

   compare decision-tree vs naive-bayes on iris using 5x2cv, seed 1
"""

from __future__ import annotations

from html import escape
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives

from .editor.pygments_lexer import EvalangLexer
from .errors import EvalangError
from .reports.assemble import document
from .reports.document import Block, Code, Details, Figure, List, Paragraph, ReportTable, Section, TableCell, walk
from .reports.escape import lines, visible
from .results.run_result import RunResult


def setup(app: Any) -> dict[str, Any]:
    """Register the directive, for `extensions = ["evalang.sphinx"]`."""
    app.add_config_value("evalang_jobs", None, "env")
    app.add_directive("evalang", EvalangDirective)
    for name in ("evalang", "eval"):
        app.add_lexer(name, EvalangLexer)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


class EvalangDirective(Directive):  # type: ignore[misc]
    """Run the script in its body; relative paths are relative to the page."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "hide-script": directives.flag,
        "tables": directives.flag,
        "words": directives.flag,
        "figures": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Return the nodes that replace the directive."""
        script = "\n".join(self.content) + "\n"
        made: list[nodes.Node] = []
        if "hide-script" not in self.options:
            shown = nodes.literal_block(script, lines(script))
            shown["language"] = "evalang"
            made.append(shown)
        try:
            result = self._run_script(script)
        except EvalangError as problem:
            messages = [str(problem), *(f"{f.code} {f.message}" for f in problem.findings)]
            reporter = self.state_machine.reporter
            return [*made, reporter.warning(visible("; ".join(messages)), line=self.lineno)]
        return [*made, *_nodes(_selected(result, self.options))]

    def _run_script(self, script: str) -> RunResult:
        from . import api

        settings: Any = self.state.document.settings
        jobs = getattr(getattr(settings, "env", None), "config", None)
        return api.run(script, jobs=getattr(jobs, "evalang_jobs", None)).run


def _selected(result: RunResult, options: dict[str, Any]) -> list[Block]:
    """Return the answer with its figure, then the tables; `figures` names other figures, `none` leaves all out."""
    kinds = set((options.get("figures") or "").split())
    both = ("tables" in options) == ("words" in options)
    found: list[Block] = []
    for section in document(result, background=False).blocks:
        if not isinstance(section, Section) or section.key == "findings":
            continue
        for block in section.blocks:
            if isinstance(block, Figure):
                found += [block] if not kinds and both else []
            elif both or isinstance(block, ReportTable) == ("tables" in options):
                found += [] if isinstance(block, Details) else [block]
        found += [b for b in walk(section.blocks) if isinstance(b, Figure) and b.kind in kinds]
    return found


def _nodes(blocks: list[Block] | tuple[Block, ...]) -> list[nodes.Node]:
    return [node for block in blocks for node in _node(block)]


def _node(block: Block) -> list[nodes.Node]:
    if isinstance(block, Paragraph):
        return [_paragraph(block)]
    if isinstance(block, ReportTable):
        return [_table(block), *(nodes.paragraph("", visible(note)) for note in block.notes)]
    if isinstance(block, List):
        items = [nodes.list_item("", nodes.paragraph("", visible(item))) for item in block.items]
        return [nodes.bullet_list("", *items)]
    if isinstance(block, Code):
        return [nodes.literal_block(block.text, lines(block.text))]
    if isinstance(block, Figure):
        from .reports.figures.picture import svg_inline

        caption = f"<strong>{escape(visible(block.title))}.</strong> {escape(visible(block.description))}"
        drawn = f"<figure>{svg_inline(block)}<figcaption>{caption}</figcaption></figure>"
        return [nodes.raw("", drawn, format="html")]
    inner = _nodes(block.blocks)
    title = block.summary if isinstance(block, Details) else block.title
    return [nodes.rubric("", visible(title)), *inner]


def _paragraph(block: Paragraph) -> nodes.Node:
    label = [nodes.strong("", f"{block.label}: ")] if block.label else []
    text = nodes.paragraph("", "", *label, nodes.Text(visible(block.text)))
    return nodes.warning("", text) if block.tone == "warning" else text


def _table(table: ReportTable) -> nodes.Node:
    group = nodes.tgroup(cols=len(table.columns))
    group += [nodes.colspec(colwidth=1) for _ in table.columns]
    head = nodes.row("", *(_entry(nodes.Text(visible(c.title))) for c in table.columns))
    group += nodes.thead("", head)
    group += nodes.tbody("", *(nodes.row("", *(_entry(_cell(c)) for c in row)) for row in table.rows))
    return nodes.table("", nodes.title("", visible(table.title)), group)


def _entry(inner: nodes.Node) -> nodes.Node:
    return nodes.entry("", nodes.paragraph("", "", inner))


def _cell(cell: TableCell) -> nodes.Node:
    shown = visible(cell.text) + cell.mark
    return nodes.strong("", shown) if cell.best else nodes.Text(shown)
