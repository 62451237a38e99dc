"""The language server: `evalang server` talks to an editor over standard input and output.

The event loop applies edits in order; scripts are read in one other thread, so that a cancelled request that has not
started never starts, nor one for a text that has changed.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from .. import __version__
from . import protocol
from .embedded import DocumentText
from .workspace import Lines, OpenDocument, OpenDocuments

T = TypeVar("T")
MODIFIED = -32801  # the protocol's ContentModified
CELLS = [types.NotebookCellLanguage(language) for language in ("evalang", "python", "markdown")]
NOTEBOOKS = types.NotebookDocumentSyncOptions([types.NotebookDocumentFilterWithCells(cells=CELLS)])


class EvalangServer(LanguageServer):
    """The server with its documents. `pages` is the address of a rule's page, with `{page}` or `{code}` in it."""

    def __init__(self) -> None:
        super().__init__("evalang", __version__, notebook_document_sync=NOTEBOOKS)
        # In a checkout the pages of the rules are files; an installed package has none beside it.
        rules = Path(__file__).resolve().parents[2] / "docs" / "rules"
        self.pages = rules.as_uri() + "/{page}.md" if rules.is_dir() else ""
        self.documents = OpenDocuments()
        self.quiet = False  # the editor shows what a command returns by itself
        self.reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="evalang-reader")
        self.waiting: dict[str, asyncio.Task[None]] = {}

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error, so that it does not interrupt writing; a text that has changed is no error."""
        if not (isinstance(error, JsonRpcException) and error.code == MODIFIED):
            self._log(error)

    def _log(self, error: Exception) -> None:
        words = f"evalang: {type(error).__name__}: {error}"[:500]
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, words))

    # ------------------------------------------------------------ texts

    def start_session(self, params: types.InitializeParams) -> None:
        """Set the folders of the workspace, and how the editor counts characters."""
        folders = [folder.uri for folder in params.workspace_folders or ()]
        if not folders and params.root_uri:
            folders = [params.root_uri]
        units: Any = self.workspace.position_encoding or "utf-16"
        # pygls would keep a copy of each text; it takes U+2028 and form feeds for ends of lines, which editors do not.
        self.workspace.update_text_document = lambda *_: None  # type: ignore[method-assign]
        roots = [path for path in map(to_fs_path, folders) if path]
        self.documents = OpenDocuments(getattr(units, "value", units), roots)
        options = params.initialization_options
        given = options if isinstance(options, dict) else {}
        pages = given.get("pages")
        self.pages = pages if isinstance(pages, str) else self.pages
        self.quiet = given.get("shows") is True

    def open(self, item: types.TextDocumentItem) -> None:
        """Take over a document that was opened."""
        self._open(item.uri, item.language_id, item.version, item.text)

    def _open(self, uri: str, language: str, version: int | None, text: str) -> None:
        page = self.documents.open(DocumentText(uri, to_fs_path(uri) or "", text, language, version))
        self.lint(page)
        for other in tuple(self.documents.dependents(page.document.path)) if page.document.path else ():
            self.lint(self.documents.open(other.document))

    def change(self, identifier: types.VersionedTextDocumentIdentifier, changes: list[Any] | tuple[Any, ...]) -> None:
        """Apply what was typed."""
        page = self.documents.pages.get(identifier.uri)
        if page is None:
            return
        document = page.document
        text, lines = document.text, page.lines
        for number, change in enumerate(changes):
            where = getattr(change, "range", None)
            if where is None:
                text = change.text
            else:
                lines = lines if not number else Lines(text, self.documents.units)
                start = lines.offset(where.start.line, where.start.character)
                end = lines.offset(where.end.line, where.end.character)
                text = text[:start] + change.text + text[max(start, end) :]
        self._open(document.uri, document.language, identifier.version, text)

    def close(self, uri: str) -> None:
        """Forget a document that was closed, with its findings."""
        self.documents.close(uri)
        waiting = self.waiting.pop(uri, None)
        if waiting:
            waiting.cancel()
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def lint_all(self) -> None:
        """Lint every open script again: files on the disk have changed, which they may include."""
        for page in tuple(self.documents.pages.values()):
            self.lint(self.documents.open(page.document))

    # ------------------------------------------------------------ reading

    def lint(self, page: OpenDocument) -> None:
        """Lint a text at once; what waits for an older text of the document no longer does."""
        uri = page.document.uri
        before = self.waiting.pop(uri, None)
        if before:
            before.cancel()
        self.waiting[uri] = asyncio.ensure_future(self._lint(page))

    async def _lint(self, page: OpenDocument) -> None:
        try:
            found = await self.read(page, lambda: protocol.diagnostics(page, self.pages))
        except (asyncio.CancelledError, JsonRpcException):
            return
        except Exception as error:  # internal error: the editor continues without findings, and the log has the reason
            self._log(error)
            return
        if not page.outdated:
            about = types.PublishDiagnosticsParams(page.document.uri, found, page.document.version)
            self.text_document_publish_diagnostics(about)

    async def read(self, page: OpenDocument, work: Callable[[], T]) -> T:
        """Do something with a text in the reading thread; ContentModified when it is no longer the text."""

        def guarded() -> T:
            if page.outdated:
                raise JsonRpcException("the text has changed", code=MODIFIED)
            return work()

        return await asyncio.get_running_loop().run_in_executor(self.reader, guarded)


def serve(pages: str = "") -> None:
    """Talk to an editor over standard input and output until it ends the session."""
    from .handlers import server

    server.pages = pages or server.pages
    # What anything prints by mistake must not stand between two messages.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out, redirect_stdout(sys.stderr), suppress(ValueError):
        server.start_io(sys.stdin.buffer, out)
