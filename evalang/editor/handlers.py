"""The features of the language server: one function for each request of the protocol.

`on_document` gives a function the open document, `at_cursor` the script at the cursor; both run it in the server's
reading thread.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from ..findings.page import page as rule_page
from ..language.files import ENDINGS
from ..language.text import Span
from ..plans.description import describe
from . import protocol
from .completion import about, complete
from .edits import all_safe, format_range, format_typed, format_whole, repairs
from .hover import LINT, PLAN, REPORT, RUN, hints, hover, lenses, lint_summary, report_of
from .navigation import Mention, definition, folds, links, mention_at, references, symbols, unfit, written
from .protocol import KINDS
from .server import EvalangServer
from .workspace import OpenDocument, ScriptReading

server = EvalangServer()
EXPLAIN = "evalang.explain"
FIX_ALL = types.CodeActionKind.SourceFixAll
LEGEND = types.SemanticTokensLegend(list(KINDS), ["declaration"])
Handler = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in a script of an open document."""

    page: OpenDocument
    reading: ScriptReading
    offset: int

    @property
    def mention(self) -> Mention | None:
        """The name at the cursor."""
        return mention_at(self.reading, self.offset)

    def range_of(self, span: Span) -> types.Range:
        """Return the range of a span of the script."""
        return protocol.range_of(self.page, self.reading.script, span)


def on_document(method: str, options: Any = None) -> Callable[[Handler], Handler]:
    """Answer with `handler(page, params)` from the reading thread; None for a document that is not open."""

    def add(handler: Handler) -> Handler:
        async def answer(params: Any) -> Any:
            page = server.documents.pages.get(params.text_document.uri)
            return await server.read(page, lambda: handler(page, params)) if page is not None else None

        server.feature(method, options)(answer)
        return handler

    return add


def at_cursor(method: str, options: Any = None) -> Callable[[Handler], Handler]:
    """Answer with `handler(cursor, params)` from the reading thread; None outside of scripts."""

    def add(handler: Handler) -> Handler:
        def inside(page: OpenDocument, params: Any) -> Any:
            found = page.at(protocol.offset_of(page, params.position))
            return handler(Cursor(page, *found), params) if found else None

        on_document(method, options)(inside)
        return handler

    return add


# ---------------------------------------------------------------- documents and the cells of notebooks


@server.feature(types.INITIALIZE)
def initialize(params: types.InitializeParams) -> None:
    server.start_session(params)


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def open_document(params: types.DidOpenTextDocumentParams) -> None:
    server.open(params.text_document)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def change_document(params: types.DidChangeTextDocumentParams) -> None:
    server.change(params.text_document, tuple(params.content_changes))


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
def close_document(params: types.DidCloseTextDocumentParams) -> None:
    server.close(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_SAVE)
def save_document(params: types.DidSaveTextDocumentParams) -> None:
    server.lint_all()


@server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def change_files(params: types.DidChangeWatchedFilesParams) -> None:
    server.lint_all()


@server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
def open_notebook(params: types.DidOpenNotebookDocumentParams) -> None:
    for cell in params.cell_text_documents:
        server.open(cell)


@server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
def change_notebook(params: types.DidChangeNotebookDocumentParams) -> None:
    cells = params.change.cells
    structure = cells.structure if cells else None
    for cell in (structure.did_open or ()) if structure else ():
        server.open(cell)
    for gone in (structure.did_close or ()) if structure else ():
        server.close(gone.uri)
    for one in (cells.text_content or ()) if cells else ():
        server.change(one.document, tuple(one.changes))


@server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
def close_notebook(params: types.DidCloseNotebookDocumentParams) -> None:
    for cell in params.cell_text_documents:
        server.close(cell.uri)


# ---------------------------------------------------------------- what is shown at the cursor and beside the text


@at_cursor(types.TEXT_DOCUMENT_HOVER)
def show_hover(cursor: Cursor, params: types.HoverParams) -> types.Hover | None:
    found = hover(cursor.reading, cursor.offset)
    text = types.MarkupContent(types.MarkupKind.Markdown, found.text) if found else None
    return types.Hover(text, cursor.range_of(found.span)) if found and text else None


@on_document(types.TEXT_DOCUMENT_INLAY_HINT)
def show_hints(page: OpenDocument, params: types.InlayHintParams) -> list[types.InlayHint]:
    start, end = _offsets(page, params.range)
    found = ((r.script.outward(hint.offset), hint) for r in page.readings for hint in hints(r))
    return [
        types.InlayHint(types.Position(*page.lines.at(place)), hint.text, tooltip=hint.more, padding_left=True)
        for place, hint in found
        if start <= place <= end
    ]


@at_cursor(
    types.TEXT_DOCUMENT_COMPLETION,
    types.CompletionOptions(trigger_characters=[" ", '"', "(", "=", "|", "/"], resolve_provider=True),
)
def show_completions(cursor: Cursor, params: types.CompletionParams) -> types.CompletionList:
    found = complete(cursor.reading, cursor.offset, server.documents.root_of(cursor.reading.source.path))
    return protocol.completion_list(cursor.page, cursor.reading.script, found)


@server.feature(types.COMPLETION_ITEM_RESOLVE)
def describe_completion(item: types.CompletionItem) -> types.CompletionItem:
    text = about(item.label)
    item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text) if text else None
    return item


@on_document(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
def colour(page: OpenDocument, params: types.SemanticTokensParams) -> types.SemanticTokens:
    return types.SemanticTokens(protocol.token_numbers(page))


@on_document(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, LEGEND)
def colour_range(page: OpenDocument, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    start, end = _offsets(page, params.range)
    return types.SemanticTokens(protocol.token_numbers(page, lambda offset: start <= offset <= end))


# ---------------------------------------------------------------- names, across included files


def _everywhere(cursor: Cursor, found: Mention) -> Iterator[types.Location]:
    """Yield every place of a name: in the script, what it includes, and what includes it."""
    page, reading = cursor.page, cursor.reading
    if reading.script.quoted or not page.document.path.endswith(ENDINGS):
        places = (protocol.location(page, reading, span) for span in references(reading, found.text, found.space))
        yield from (place for place in places if place)
        return
    seen: set[tuple[str, int, int]] = set()
    for one in server.documents.including(reading):
        for place in protocol.locations(server.documents, one, references(one, found.text, found.space)):
            key = (place.uri, place.range.start.line, place.range.start.character)
            if key not in seen:
                seen.add(key)
                yield place


@at_cursor(types.TEXT_DOCUMENT_DEFINITION)
def find_definition(cursor: Cursor, params: types.DefinitionParams) -> types.Location | None:
    found = cursor.mention
    where = definition(cursor.reading, found.text, found.space) if found else None
    return protocol.location(cursor.page, cursor.reading, where.span) if where else None


@at_cursor(types.TEXT_DOCUMENT_REFERENCES)
def find_references(cursor: Cursor, params: types.ReferenceParams) -> list[types.Location] | None:
    found = cursor.mention
    return list(_everywhere(cursor, found)) if found else None


@at_cursor(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def highlight(cursor: Cursor, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    found = cursor.mention
    spans = references(cursor.reading, found.text, found.space) if found else ()
    return [types.DocumentHighlight(cursor.range_of(span)) for span in spans if cursor.reading.owns(span)]


def _renamable(cursor: Cursor) -> Mention | None:
    """Return the name at the cursor if the script defines it; names of the catalogue and of Python stay."""
    found = cursor.mention
    return found if found and definition(cursor.reading, found.text, found.space) else None


@at_cursor(types.TEXT_DOCUMENT_PREPARE_RENAME)
def prepare_rename(cursor: Cursor, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    found = _renamable(cursor)
    return types.PrepareRenamePlaceholder(cursor.range_of(found.span), found.text) if found else None


@at_cursor(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
def rename(cursor: Cursor, params: types.RenameParams) -> types.WorkspaceEdit | None:
    found = _renamable(cursor)
    if found is None:
        return None
    wrong = unfit(cursor.reading, found, params.new_name)
    new = written(params.new_name)
    if wrong or (cursor.reading.script.quoted and '"' in new):
        raise JsonRpcInvalidParams(wrong or "a name in quotes cannot stand in this string")
    changes: dict[str, list[types.TextEdit]] = {}
    for place in _everywhere(cursor, found):
        changes.setdefault(place.uri, []).append(types.TextEdit(place.range, new))
    return types.WorkspaceEdit(changes)


# ---------------------------------------------------------------- the shape of a script


@on_document(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def outline(page: OpenDocument, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    return [
        types.DocumentSymbol(
            name=one.name or one.kind,
            kind=protocol.symbol_kind(one.kind),
            range=protocol.range_of(page, reading.script, one.span),
            selection_range=protocol.range_of(page, reading.script, one.selection),
            detail=one.detail or one.kind,
        )
        for reading in page.readings
        for one in symbols(reading)
    ]


@server.feature(types.WORKSPACE_SYMBOL)
async def find_symbols(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    documents, wanted = server.documents, params.query.casefold()

    def search() -> list[types.WorkspaceSymbol]:
        found = []
        for reading in documents.workspace():
            for one in symbols(reading):
                if wanted in one.name.casefold():
                    where = next(protocol.locations(documents, reading, [one.selection]))
                    found.append(types.WorkspaceSymbol(where, one.name, protocol.symbol_kind(one.kind)))
        return found

    return await asyncio.get_running_loop().run_in_executor(server.reader, search)


@on_document(types.TEXT_DOCUMENT_FOLDING_RANGE)
def fold(page: OpenDocument, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    found = ((protocol.range_of(page, r.script, span), kind) for r in page.readings for span, kind in folds(r))
    return [types.FoldingRange(where.start.line, where.end.line, kind=kind) for where, kind in found]


@on_document(types.TEXT_DOCUMENT_DOCUMENT_LINK)
def link_files(page: OpenDocument, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    found = []
    for reading in page.readings:
        for span, target in links(reading):
            rule = protocol.link(target, server.pages)
            address = rule.href if rule else protocol.uri_of(target) if os.path.isabs(target) else None
            if address:
                found.append(types.DocumentLink(protocol.range_of(page, reading.script, span), target=address))
    return found


@on_document(types.TEXT_DOCUMENT_CODE_LENS)
def show_lenses(page: OpenDocument, params: types.CodeLensParams) -> list[types.CodeLens]:
    return [
        types.CodeLens(
            protocol.range_of(page, reading.script, span),
            types.Command(title=title, command=command, arguments=[page.document.uri]),
        )
        for reading in page.readings
        for span, title, command in lenses(reading)
    ]


# ---------------------------------------------------------------- edits: repairs and formatting


@on_document(
    types.TEXT_DOCUMENT_CODE_ACTION,
    types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL]),
)
def offer_repairs(page: OpenDocument, params: types.CodeActionParams) -> list[types.CodeAction]:
    start, end = _offsets(page, params.range)
    wanted = params.context.only
    found: list[types.CodeAction] = []

    def asked(kind: types.CodeActionKind) -> bool:
        return wanted is None or any(kind.value == w or kind.value.startswith(f"{w}.") for w in map(_word, wanted))

    def add(title: str, edits: list[types.TextEdit] | None, kind: types.CodeActionKind, **more: Any) -> None:
        if edits:
            edit = types.WorkspaceEdit({page.document.uri: edits})
            found.append(types.CodeAction(title, kind, edit=edit, **more))

    for reading in page.readings:
        inner = [reading.script.inward(place) for place in (start, end)]
        near = repairs(reading, inner[0], inner[1]) if None not in inner else ()  # type: ignore[arg-type]
        for one in near if asked(types.CodeActionKind.QuickFix) else ():
            edits = protocol.text_edits(page, reading.script, one.edits)
            shown = protocol.about(one.finding, params.context.diagnostics) if one.finding else None
            more = {"diagnostics": shown, "is_preferred": one.preferred or None}
            add(one.title, edits, types.CodeActionKind.QuickFix, **more)
        together = all_safe(reading) if asked(FIX_ALL) else None
        if together:
            add(together.title, protocol.text_edits(page, reading.script, together.edits), FIX_ALL)
    return found


def _formatted(page: OpenDocument, made: Callable[[ScriptReading], Iterable[Any]]) -> list[types.TextEdit]:
    """Return the edits of whole scripts only: a block or a string has the margins of what is around it."""
    bare = (r for r in page.readings if not r.script.quoted and r.script.end < 0)
    return [edit for r in bare for edit in protocol.text_edits(page, r.script, made(r)) or ()]


@on_document(types.TEXT_DOCUMENT_FORMATTING)
def format_document(page: OpenDocument, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    return _formatted(page, format_whole)


@on_document(types.TEXT_DOCUMENT_RANGE_FORMATTING)
def format_selection(page: OpenDocument, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
    start, end = _offsets(page, params.range)
    return _formatted(page, lambda reading: format_range(reading, start, end))


@on_document(
    types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, types.DocumentOnTypeFormattingOptions(first_trigger_character="\n")
)
def format_while_typing(page: OpenDocument, params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit]:
    offset = protocol.offset_of(page, params.position)
    return _formatted(page, lambda reading: format_typed(reading, offset))


def _offsets(page: OpenDocument, where: types.Range) -> tuple[int, int]:
    return protocol.offset_of(page, where.start), protocol.offset_of(page, where.end)


def _word(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


# ---------------------------------------------------------------- commands of the lenses; each returns what it shows


@server.command(LINT)
async def lint(uri: str) -> str:
    return await _show_reading(uri, lint_summary)


@server.command(PLAN)
async def plan(uri: str) -> str:
    return await _show_reading(uri, lambda reading: describe(reading.built.plan))


@server.command(EXPLAIN)
async def explain(code: str) -> str:
    return rule_page(code) or ""


@server.command(RUN)
async def run(uri: str) -> str:
    page = server.documents.pages.get(uri)
    if page is None or not os.path.isfile(page.document.path):
        return _show("save the script first")
    return _show(await _run_script(page.document.path))


@server.command(REPORT)
async def report(uri: str) -> str:
    page = server.documents.pages.get(uri)
    found = report_of(page.document.path) if page else ""
    if not found:
        return _show("there is no report yet: run the script first")
    address = protocol.uri_of(found)
    if not server.quiet:
        await server.window_show_document_async(types.ShowDocumentParams(address, external=True))
    return address


def _show(text: str) -> str:
    if not server.quiet:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
    return text


async def _show_reading(uri: str, text_of: Callable[[ScriptReading], str]) -> str:
    page = server.documents.pages.get(uri)
    if page is None:
        return _show("open the script first")
    return _show(await server.read(page, lambda: "\n".join(map(text_of, page.readings))))


async def _run_script(path: str) -> str:
    """Run a saved script as the command line does; its output goes to the log, its last line is the answer."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "evalang", "run", path, cwd=os.path.dirname(path),
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    out, _ = await process.communicate()
    text = out.decode("utf-8", "replace").strip()
    server.window_log_message(types.LogMessageParams(types.MessageType.Info, text))
    ended = "done" if process.returncode == 0 else f"exit code {process.returncode}"
    last = text.splitlines()[-1] if text else ""
    return f"evalang run {os.path.basename(path)}: {ended}. {last}"
