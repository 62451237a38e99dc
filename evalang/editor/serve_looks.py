"""Answers what to show: hover, hints, completion, colours."""

from __future__ import annotations

from lsprotocol import types

from . import protocol
from .ask import at, on
from .completion import about, complete
from .desk import Page
from .hints import hints
from .hover import hover
from .language_server import EvalangServer
from .reading import ScriptReading
from .tokens import KINDS


def register(server: EvalangServer) -> None:
    """What an editor asks while one reads and writes."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(params: types.HoverParams) -> types.Hover | None:
        def work(page: Page, reading: ScriptReading, offset: int) -> types.Hover | None:
            found = hover(reading, offset)
            if found is None:
                return None
            shown = types.MarkupContent(types.MarkupKind.Markdown, found.text)
            return types.Hover(shown, protocol.range_of(page, reading.script, found.span))

        return await at(server, params, work)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def hinted(params: types.InlayHintParams) -> list[types.InlayHint] | None:
        def work(page: Page) -> list[types.InlayHint]:
            start, end = (protocol.offset_of(page, p) for p in (params.range.start, params.range.end))
            found = ((r.script.outward(hint.offset), hint) for r in page.readings for hint in hints(r))
            return [
                types.InlayHint(
                    position=types.Position(*page.lines.at(place)),
                    label=hint.text,
                    tooltip=hint.more,
                    padding_left=True,
                )
                for place, hint in found
                if start <= place <= end
            ]

        return await on(server, params.text_document, work)

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=[" ", '"', "(", "=", "|", "/"], resolve_provider=True),
    )
    async def completed(params: types.CompletionParams) -> types.CompletionList | None:
        def work(page: Page, reading: ScriptReading, offset: int) -> types.CompletionList:
            found = complete(reading, offset, server.desk.root_of(reading.source.path))
            return protocol.completion_list(page, reading.script, found)

        return await at(server, params, work)

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolved(item: types.CompletionItem) -> types.CompletionItem:
        text = about(item.label)
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text) if text else None
        return item

    legend = types.SemanticTokensLegend(list(KINDS), ["declaration"])

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    async def coloured(params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        return await on(server, params.text_document, lambda page: types.SemanticTokens(protocol.token_numbers(page)))

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, legend)
    async def coloured_range(params: types.SemanticTokensRangeParams) -> types.SemanticTokens | None:
        def work(page: Page) -> types.SemanticTokens:
            start, end = (protocol.offset_of(page, p) for p in (params.range.start, params.range.end))
            return types.SemanticTokens(protocol.token_numbers(page, lambda offset: start <= offset <= end))

        return await on(server, params.text_document, work)
