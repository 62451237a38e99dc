"""The page in a real browser, where there is one: its policy lets its own script act, and the console stays empty."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from evalang.reports import html
from evalang.reports.assemble import document

from . import hostile
from .judgements import rich

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
    "--dump-dom",
)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no browser here: install chromium to open the page for real")


def opened(text: str, folder: Path) -> tuple[str, list[str]]:
    page = folder / "page.html"
    page.write_text(text)
    command = [str(CHROMIUM), *FLAGS, f"--user-data-dir={folder}/profile", page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=90)
    return done.stdout, re.findall(r"CONSOLE.*", done.stderr)


def test_a_page_with_every_picture_opens_without_a_word_on_the_console(tmp_path: Path) -> None:
    dom, said = opened(html.render(document(rich())), tmp_path)
    assert said == []
    assert dom.count("<svg") == html.render(document(rich())).count("<svg")


def test_the_policy_refuses_what_is_not_ours(tmp_path: Path) -> None:
    """The same page with a line of somebody else's: nothing happens but a refusal on the console."""
    text = html.render(document(rich()), pictures=False)
    evil = "<script>document.title='evil'</script><p style='color:red' onclick='x()'>x</p>"
    dom, said = opened(text.replace("</main>", evil + "</main>"), tmp_path)
    assert "<title>evil" not in dom
    assert any("Content Security Policy" in line for line in said)


@pytest.mark.parametrize("name", [n for n in hostile.HOSTILE if "alert" in n])
def test_hostile_names_do_nothing(tmp_path: Path, name: str) -> None:
    dom, said = opened(html.render(document(hostile.judgement(name))), tmp_path)
    assert said == []
    assert dom.count("<script") == 1
