"""Finds the text that a request is about, and answers it in the reading thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from . import protocol
from .desk import Page
from .language_server import EvalangServer
from .reading import ScriptReading

T = TypeVar("T")


async def on(server: EvalangServer, document: Any, work: Callable[[Page], T]) -> T | None:
    """The answer for a document that is open; None for any other."""
    page = server.page(document)
    return await server.read(page, lambda: work(page)) if page is not None else None


async def at(server: EvalangServer, params: Any, work: Callable[[Page, ScriptReading, int], T | None]) -> T | None:
    """The answer for the script at a position; None outside of scripts."""

    def here(page: Page) -> T | None:
        found = page.at(protocol.offset_of(page, params.position))
        return work(page, *found) if found else None

    return await on(server, params.text_document, here)
