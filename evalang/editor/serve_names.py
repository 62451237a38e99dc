"""Answers about names: definition, references, highlights, rename."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from ..language.decode import ENDINGS
from . import protocol
from .ask import at
from .desk import Page
from .language_server import EvalangServer
from .occurrences import Mention, definition, mention_at, references, unfit, written
from .reading import ScriptReading


def register(server: EvalangServer) -> None:
    """Across included files."""

    def everywhere(page: Page, reading: ScriptReading, found: Mention) -> Iterator[types.Location]:
        """Every place of a name: in the script, what it includes, and what includes it."""
        if reading.script.quoted or not page.document.path.endswith(ENDINGS):
            for span in references(reading, found.text, found.space):
                place = protocol.location(page, reading, span)
                if place:
                    yield place
            return
        seen: set[tuple[str, int, int]] = set()
        for one in server.desk.including(reading):
            for place in protocol.locations(server.desk, one, references(one, found.text, found.space)):
                key = (place.uri, place.range.start.line, place.range.start.character)
                if key not in seen:
                    seen.add(key)
                    yield place

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def defined(params: types.DefinitionParams) -> types.Location | None:
        def work(page: Page, reading: ScriptReading, offset: int) -> types.Location | None:
            found = mention_at(reading, offset)
            where = definition(reading, found.text, found.space) if found else None
            return protocol.location(page, reading, where.span) if where else None

        return await at(server, params, work)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def referred(params: types.ReferenceParams) -> list[types.Location] | None:
        def work(page: Page, reading: ScriptReading, offset: int) -> list[types.Location] | None:
            found = mention_at(reading, offset)
            return list(everywhere(page, reading, found)) if found else None

        return await at(server, params, work)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlighted(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
        def work(page: Page, reading: ScriptReading, offset: int) -> list[types.DocumentHighlight] | None:
            found = mention_at(reading, offset)
            own = [s for s in references(reading, found.text, found.space) if reading.owns(s)] if found else []
            return [types.DocumentHighlight(protocol.range_of(page, reading.script, span)) for span in own]

        return await at(server, params, work)

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepared(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        def work(page: Page, reading: ScriptReading, offset: int) -> types.PrepareRenamePlaceholder | None:
            found = mention_at(reading, offset)
            if found is None or definition(reading, found.text, found.space) is None:
                return None  # a name of the catalogue or of Python belongs to others
            return types.PrepareRenamePlaceholder(protocol.range_of(page, reading.script, found.span), found.text)

        return await at(server, params, work)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def renamed(params: types.RenameParams) -> types.WorkspaceEdit | None:
        def work(page: Page, reading: ScriptReading, offset: int) -> types.WorkspaceEdit | None:
            found = mention_at(reading, offset)
            if found is None or definition(reading, found.text, found.space) is None:
                return None
            wrong = unfit(reading, found, params.new_name)
            new = written(params.new_name)
            if wrong or (reading.script.quoted and '"' in new):
                raise JsonRpcInvalidParams(wrong or "a name in quotes cannot stand in this string")
            changes: dict[str, list[types.TextEdit]] = {}
            for place in everywhere(page, reading, found):
                changes.setdefault(place.uri, []).append(types.TextEdit(place.range, new))
            return types.WorkspaceEdit(changes)

        return await at(server, params, work)
