"""Answers with edits: repairs and formatting."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lsprotocol import types

from . import protocol
from .ask import on
from .desk import Page
from .formatting import format_range, format_typed, format_whole
from .language_server import EvalangServer
from .reading import ScriptReading
from .repairs import all_safe, repairs

FIX_ALL = types.CodeActionKind.SourceFixAll


def register(server: EvalangServer) -> None:
    """Code actions and formatting."""

    def edited(page: Page, title: str, edits: list[types.TextEdit], kind: Any, **more: Any) -> types.CodeAction:
        return types.CodeAction(title, kind, edit=types.WorkspaceEdit({page.document.uri: edits}), **more)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL]),
    )
    async def repaired(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        wanted = params.context.only

        def asked(kind: types.CodeActionKind) -> bool:
            return wanted is None or any(kind.value == w or kind.value.startswith(f"{w}.") for w in map(_word, wanted))

        def work(page: Page) -> list[types.CodeAction]:
            start, end = (protocol.offset_of(page, p) for p in (params.range.start, params.range.end))
            found: list[types.CodeAction] = []
            for reading in page.readings:
                inner = [reading.script.inward(place) for place in (start, end)]
                near = repairs(reading, inner[0], inner[1]) if None not in inner else ()  # type: ignore[arg-type]
                for one in near if asked(types.CodeActionKind.QuickFix) else ():
                    edits = protocol.text_edits(page, reading.script, one.edits)
                    shown = protocol.about(one.finding, params.context.diagnostics) if one.finding else None
                    more = {"diagnostics": shown, "is_preferred": one.preferred or None}
                    if edits:
                        found.append(edited(page, one.title, edits, types.CodeActionKind.QuickFix, **more))
                together = all_safe(reading) if asked(FIX_ALL) else None
                edits = protocol.text_edits(page, reading.script, together.edits) if together else None
                if together and edits:
                    found.append(edited(page, together.title, edits, FIX_ALL))
            return found

        return await on(server, params.text_document, work)

    def formatted(page: Page, made: Iterable[tuple[ScriptReading, Any]]) -> list[types.TextEdit]:
        found = (protocol.text_edits(page, reading.script, edits) for reading, edits in made)
        return [edit for edits in found if edits for edit in edits]

    def bare(page: Page) -> list[ScriptReading]:
        """Only whole scripts are laid out anew: a block or a string has the margins of what is around it."""
        return [r for r in page.readings if not r.script.quoted and r.script.end < 0]

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def laid_out(params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        return await on(
            server, params.text_document, lambda page: formatted(page, ((r, format_whole(r)) for r in bare(page)))
        )

    @server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    async def range_laid_out(params: types.DocumentRangeFormattingParams) -> list[types.TextEdit] | None:
        def work(page: Page) -> list[types.TextEdit]:
            start, end = (protocol.offset_of(page, p) for p in (params.range.start, params.range.end))
            return formatted(page, ((r, format_range(r, start, end)) for r in bare(page)))

        return await on(server, params.text_document, work)

    @server.feature(
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, types.DocumentOnTypeFormattingOptions(first_trigger_character="\n")
    )
    async def typed(params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit] | None:
        def work(page: Page) -> list[types.TextEdit]:
            offset = protocol.offset_of(page, params.position)
            return formatted(page, ((r, format_typed(r, offset)) for r in bare(page)))

        return await on(server, params.text_document, work)


def _word(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind
