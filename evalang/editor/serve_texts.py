"""Takes the texts of the editor: documents and the cells of notebooks."""

from __future__ import annotations

from lsprotocol import types

from .language_server import EvalangServer


def register(server: EvalangServer) -> None:
    """Opening, changing, saving and closing."""

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.begin(params)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.put(params.text_document)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.change(params.text_document, tuple(params.content_changes))

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.take(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.judge_all()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(params: types.DidChangeWatchedFilesParams) -> None:
        server.judge_all()

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def notebook_opened(params: types.DidOpenNotebookDocumentParams) -> None:
        for cell in params.cell_text_documents:
            server.put(cell)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def notebook_changed(params: types.DidChangeNotebookDocumentParams) -> None:
        cells = params.change.cells
        structure = cells.structure if cells else None
        for cell in (structure.did_open or ()) if structure else ():
            server.put(cell)
        for gone in (structure.did_close or ()) if structure else ():
            server.take(gone.uri)
        for one in (cells.text_content or ()) if cells else ():
            server.change(one.document, tuple(one.changes))

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def notebook_closed(params: types.DidCloseNotebookDocumentParams) -> None:
        for cell in params.cell_text_documents:
            server.take(cell.uri)
