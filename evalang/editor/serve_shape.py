"""Answers about the shape of a script: symbols, folding, links, lenses."""

from __future__ import annotations

import asyncio

from lsprotocol import types

from . import protocol
from .ask import on
from .desk import Page
from .language_server import EvalangServer
from .lenses import lenses
from .outline import folds, links, symbols


def register(server: EvalangServer) -> None:
    """What an editor shows beside the text."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def outlined(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        def work(page: Page) -> list[types.DocumentSymbol]:
            return [protocol.document_symbol(page, r.script, one) for r in page.readings for one in symbols(r)]

        return await on(server, params.text_document, work)

    @server.feature(types.WORKSPACE_SYMBOL)
    async def searched(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        desk, wanted = server.desk, params.query.casefold()

        def work() -> list[types.WorkspaceSymbol]:
            found = []
            for reading in desk.workspace():
                for one in symbols(reading):
                    if wanted in one.name.casefold():
                        where = next(protocol.locations(desk, reading, [one.selection]))
                        found.append(types.WorkspaceSymbol(where, one.name, protocol.symbol_kind(one.kind)))
            return found

        return await asyncio.get_running_loop().run_in_executor(server.reader, work)

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folded(params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        def work(page: Page) -> list[types.FoldingRange]:
            found = ((protocol.range_of(page, r.script, span), kind) for r in page.readings for span, kind in folds(r))
            return [types.FoldingRange(where.start.line, where.end.line, kind=kind) for where, kind in found]

        return await on(server, params.text_document, work)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def linked(params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
        def work(page: Page) -> list[types.DocumentLink]:
            found = []
            for reading in page.readings:
                for one in links(reading):
                    rule = protocol.link(one.code, server.pages) if one.code else None
                    target = protocol.uri_of(one.path) if one.path else rule.href if rule else None
                    if target:
                        where = protocol.range_of(page, reading.script, one.span)
                        found.append(types.DocumentLink(where, target=target))
            return found

        return await on(server, params.text_document, work)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def lensed(params: types.CodeLensParams) -> list[types.CodeLens] | None:
        def work(page: Page) -> list[types.CodeLens]:
            return [
                types.CodeLens(
                    protocol.range_of(page, reading.script, one.span),
                    types.Command(title=one.title, command=one.command, arguments=[page.document.uri]),
                )
                for reading in page.readings
                for one in lenses(reading)
            ]

        return await on(server, params.text_document, work)
