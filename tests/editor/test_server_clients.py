"""The server before the clients that editors are: pytest-lsp says what each of them can do and checks every message."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from evalang.language.format import format_script
from evalang.language.text import SourceText

pytest_lsp = pytest.importorskip("pytest_lsp", reason="talking as an editor needs pytest-lsp: pip install pytest-lsp")
types = pytest.importorskip("lsprotocol.types", reason="the language server needs lsprotocol")

LanguageClient = pytest_lsp.LanguageClient
ROOT = Path(__file__).resolve().parents[2]
CLIENTS = ("visual-studio-code", "neovim@v0.7.0", "neovim", "emacs")
# A rich client and an old one; the others are slow.
PARAMS = [pytest.param(c, marks=() if c in CLIENTS[:2] else pytest.mark.slow) for c in CLIENTS]
SERVER = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
          "from evalang.cli.main import run; raise SystemExit(run(['server']))"]  # fmt: skip
TEXT = """include "common.eval"
compare mine vs knn on iris, wine
  using 5x2cv
  as duel
claim mine better than knn on iris
"""
COMMON = "learner mine is decision-tree\n"


@pytest_lsp.fixture(params=PARAMS, config=pytest_lsp.ClientServerConfig(server_command=SERVER))
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    (tmp_path / "common.eval").write_text(COMMON)
    (tmp_path / "study.eval").write_text(TEXT)
    capabilities = pytest_lsp.client_capabilities(request.param)
    lsp_client.root = tmp_path
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities, root_uri=tmp_path.as_uri()))
    yield
    await lsp_client.shutdown_session()


def place(text: str, word: str) -> types.Position:
    before = text[: text.index(word)]
    return types.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)


def written(text: str, edits: Any) -> str:
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:i])) for i in range(len(lines) + 1)]
    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        start, end = (starts[p.line] + p.character for p in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text


@pytest.mark.asyncio
async def test_a_session(client: Any) -> None:
    """Open, look, repair, rename, format: what a person does, in every client."""
    uri = (client.root / "study.eval").as_uri()
    identifier = types.TextDocumentIdentifier(uri)
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "evalang", 1, TEXT)))
    await client.wait_for_notification("textDocument/publishDiagnostics")
    found = {one.code: one for one in client.diagnostics[uri]}
    assert {"EV310", "EV501"} <= set(found)
    assert found["EV501"].code_description.href.endswith("EV501-uncorrected.md")

    shown = await client.text_document_hover_async(types.HoverParams(identifier, place(TEXT, "mine vs")))
    assert "learner mine is decision-tree" in shown.contents.value

    offered = await client.text_document_completion_async(types.CompletionParams(identifier, place(TEXT, "knn on")))
    assert {"mine", "naive-bayes"} <= {item.label for item in offered.items}

    hints = await client.text_document_inlay_hint_async(
        types.InlayHintParams(identifier, types.Range(types.Position(0, 0), types.Position(9, 0)))
    )
    assert {"question 9", "40 fits", "by corrected-t"} <= {hint.label for hint in hints}

    where = await client.text_document_definition_async(types.DefinitionParams(identifier, place(TEXT, "mine vs")))
    assert where.uri == (client.root / "common.eval").as_uri()

    actions = await client.text_document_code_action_async(
        types.CodeActionParams(identifier, found["EV501"].range, types.CodeActionContext([found["EV501"]]))
    )
    repair = next(a for a in actions if a.is_preferred and a.diagnostics)
    assert "holm over datasets" in written(TEXT, repair.edit.changes[uri])
    everything = next(a for a in actions if a.kind == types.CodeActionKind.SourceFixAll)
    mended = written(TEXT, everything.edit.changes[uri])
    change = types.TextDocumentContentChangeWholeDocument(mended)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(2, uri), [change])
    )
    await client.wait_for_notification("textDocument/publishDiagnostics")
    assert not {"EV310", "EV501"} & {one.code for one in client.diagnostics[uri]}

    renamed = await client.text_document_rename_async(types.RenameParams(identifier, place(mended, "mine vs"), "ours"))
    common = (client.root / "common.eval").as_uri()
    assert written(COMMON, renamed.changes[common]) == "learner ours is decision-tree\n"
    assert written(mended, renamed.changes[uri]).count("ours") == 2

    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(identifier))
    assert "duel" in [symbol.name for symbol in symbols]
    everywhere = await client.workspace_symbol_async(types.WorkspaceSymbolParams("min"))
    assert {(one.name, one.location.uri) for one in everywhere} >= {("mine", common)}
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(identifier))
    assert [lens.command.command for lens in lenses][:2] == ["evalang.lint", "evalang.plan"]
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(identifier))
    assert len(tokens.data) % 5 == 0
    links = await client.text_document_document_link_async(types.DocumentLinkParams(identifier))
    assert links[0].target == common
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(identifier, types.FormattingOptions(2, True))
    )
    assert written(mended, edits) == format_script(SourceText("study.eval", mended))
