"""Carries out commands: what the lenses do: lint, plan, run and open the report."""

from __future__ import annotations

import asyncio
import os
import sys

from lsprotocol import types

from ..findings.page import page as rule_page
from ..plans.describe import describe
from . import lenses, protocol
from .desk import Page
from .language_server import EvalangServer

EXPLAIN = "evalang.explain"


def register(server: EvalangServer) -> None:
    """Each takes the address of a document and returns what it has to say, which is shown where the editor does not."""

    def said(text: str) -> str:
        if not server.quiet:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
        return text

    async def read(uri: str, of: str) -> str:
        page = server.desk.pages.get(uri)
        if page is None:
            return said("open the script first")
        made = {lenses.LINT: _counted, lenses.PLAN: _planned}[of]
        return said(await server.read(page, lambda: made(page)))

    @server.command(lenses.LINT)
    async def lint(uri: str) -> str:
        return await read(uri, lenses.LINT)

    @server.command(lenses.PLAN)
    async def plan(uri: str) -> str:
        return await read(uri, lenses.PLAN)

    @server.command(EXPLAIN)
    def explain(code: str) -> str:
        return rule_page(code) or ""

    @server.command(lenses.RUN)
    async def run(uri: str) -> str:
        page = server.desk.pages.get(uri)
        if page is None or not os.path.isfile(page.document.path):
            return said("save the script first")
        return said(await _run(server, page.document.path))

    @server.command(lenses.REPORT)
    async def report(uri: str) -> str:
        page = server.desk.pages.get(uri)
        found = lenses.report_of(page.document.path) if page else ""
        if not found:
            return said("there is no report yet: run the script first")
        address = protocol.uri_of(found)
        if not server.quiet:
            await server.window_show_document_async(types.ShowDocumentParams(address, external=True))
        return address


def _counted(page: Page) -> str:
    return "\n".join(lenses.counted(reading) for reading in page.readings)


def _planned(page: Page) -> str:
    return "\n".join(describe(reading.built.plan) for reading in page.readings)


async def _run(server: EvalangServer, path: str) -> str:
    """Run a saved script as the command line does; its output goes to the log, its last line is the answer."""
    program = [sys.executable, "-m", "evalang", "run", path]
    folder = os.path.dirname(path)
    process = await asyncio.create_subprocess_exec(
        *program, cwd=folder, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    out, _ = await process.communicate()
    text = out.decode("utf-8", "replace").strip()
    server.window_log_message(types.LogMessageParams(types.MessageType.Info, text))
    ended = "done" if process.returncode == 0 else f"exit code {process.returncode}"
    last = text.splitlines()[-1] if text else ""
    return f"evalang run {os.path.basename(path)}: {ended}. {last}"
