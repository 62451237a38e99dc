"""A notebook in a real JupyterLab, driven by a headless browser: what shows itself does, and nothing else moves.

    pip install jupyterlab ipykernel
    EVALANG_JUPYTER=path/to/jupyter-lab pytest -n0 -m slow tests/reports/test_jupyterlab.py

EVALANG_SHOTS names a folder for pictures of every cell, light and dark.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..editor.browser import CHROMIUM, Browser

JUPYTER = os.environ.get("EVALANG_JUPYTER") or shutil.which("jupyter-lab")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(JUPYTER is None, reason="pip install jupyterlab, or EVALANG_JUPYTER says where jupyter-lab is"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here"),
]

LEAGUE = "dataset,forest,svm,tree\n" + "".join(
    f"set-{i},{0.9 - i / 100},{0.88 - i / 90},{0.8 - i / 70}\n" for i in range(10)
)
CELLS = {
    "start": "import evalang as ev\n%load_ext evalang",
    "lint": 'ev.lint("compare decision-tree vs naive-bayes on iris using 10cv, by paired-t\\n")',
    "plan": 'ev.plan("compare decision-tree vs naive-bayes on iris using 10cv, by kfold-t\\n")',
    "compare": 'found = ev.compare("decision-tree vs naive-bayes on iris using 5x2cv", ledger=False, progress=True)',
    "result": "found",
    "summary": "found.summary()",
    "figure": 'found.figure("forest")',
    "refused": 'ev.compare("decision-tree vs naive-bayes on iris using 10cv, by paired-t", ledger=False)',
    "magic": "%%evalang league --no-ledger\n"
    'results scores from csv "league.csv", datasets in "dataset", measuring accuracy\n'
    "compare all on scores by friedman, nemenyi\n",
}


def notebook() -> str:
    """The cells as a notebook of version 4.5."""
    cells = [
        {"cell_type": "code", "id": name, "metadata": {}, "execution_count": None, "outputs": [], "source": text}
        for name, text in CELLS.items()
    ]
    about = {"kernelspec": {"name": "here", "display_name": "here", "language": "python"}}
    return json.dumps({"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab whose kernel is the interpreter of the tests."""
    place = tmp_path_factory.mktemp("lab")
    (place / "shown.ipynb").write_text(notebook())
    (place / "league.csv").write_text(LEAGUE)
    kernel = place / "data" / "kernels" / "here"
    kernel.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernel / "kernel.json").write_text(json.dumps({"argv": command, "display_name": "here", "language": "python"}))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    root = Path(__file__).resolve().parents[2]
    env = {
        **os.environ,
        "JUPYTER_PATH": str(place / "data"),
        "JUPYTER_CONFIG_DIR": str(place / "config"),
        "JUPYTER_RUNTIME_DIR": str(place / "run"),
        "PYTHONPATH": str(root),
    }
    flags = ("--no-browser", "--allow-root", "--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True")
    with (place / "log").open("w") as log:
        server = subprocess.Popen(
            [str(JUPYTER), *flags, f"--port={port}", f"--ServerApp.root_dir={place}"],
            env=env, stdout=log, stderr=log,
        )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + 120
        while True:
            try:
                urllib.request.urlopen(f"{address}/api", timeout=5).close()
                break
            except OSError:
                assert server.poll() is None, (place / "log").read_text()[-2000:]
                assert time.monotonic() < end, (place / "log").read_text()[-2000:]
                time.sleep(0.5)
        yield address
    finally:
        server.terminate()
        server.wait(30)


@pytest.fixture(scope="module")
def page(lab: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The notebook after all of its cells were run."""
    browser = Browser(tmp_path_factory.mktemp("profile"))
    try:
        size = {"width": 1200, "height": 7000, "deviceScaleFactor": 1, "mobile": False}
        browser.send("Emulation.setDeviceMetricsOverride", size)  # so high that every cell is drawn
        browser.open(f"{lab}/lab/tree/shown.ipynb")
        browser.until("window.jupyterapp && document.querySelectorAll('.jp-CodeCell').length > 8", patience=180)
        browser.until("jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'", patience=120)
        # Run each by itself: a cell that fails stops those after it, and one of ours has to fail.
        count = len(CELLS)
        for place in range(count):
            browser.do(
                f"(() => {{ const n = jupyterapp.shell.currentWidget.content; n.activeCellIndex = {place}; "
                "jupyterapp.commands.execute('notebook:run-cell'); })()"
            )
            browser.until(
                f"jupyterapp.shell.currentWidget.content.widgets[{place}].model.executionCount > {place} && "
                "jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'",
                patience=180,
            )
        if shots := os.environ.get("EVALANG_SHOTS"):
            for dark in (False, True):
                theme = "JupyterLab Dark" if dark else "JupyterLab Light"
                browser.do(f"jupyterapp.commands.execute('apputils:change-theme', {{theme: '{theme}'}})")
                time.sleep(3)
                browser.screenshot(Path(shots) / f"lab-{'dark' if dark else 'light'}.png", 1200, 7000, dark)
        yield browser
    finally:
        browser.close()


def output(page: Browser, name: str, what: str) -> object:
    """A property of the output of a cell."""
    place = list(CELLS).index(name)
    return page.do(f"(() => {{ const cell = document.querySelectorAll('.jp-CodeCell')[{place}]; return {what} }})()")


TEXT = "cell.querySelector('.jp-OutputArea').innerText"


def test_findings_and_plan_show_themselves(page: Browser) -> None:
    assert "EV" in str(output(page, "lint", TEXT))
    assert output(page, "lint", "getComputedStyle(cell.querySelector('.evalang pre')).wordBreak") == "normal"
    assert "object at 0x" not in str(output(page, "lint", TEXT))
    assert "decision-tree" in str(output(page, "plan", TEXT))
    assert output(page, "plan", "cell.querySelectorAll('.evalang pre').length") == 1


def test_a_run_moves_one_bar_to_its_end(page: Browser) -> None:
    assert output(page, "compare", "cell.querySelectorAll('progress').length") == 1
    assert output(page, "compare", "cell.querySelector('progress').position") == 1


def test_a_result_shows_answer_picture_and_table_without_dead_buttons(page: Browser) -> None:
    for name in ("result", "summary", "magic"):
        assert output(page, name, "cell.querySelectorAll('.evalang .lead').length"), name
        assert output(page, name, "cell.querySelectorAll('.evalang svg').length"), name
        assert output(page, name, "cell.querySelectorAll('.evalang table').length"), name
        assert output(page, name, "cell.querySelectorAll('.evalang button').length") == 0, name
    style = "getComputedStyle(cell.querySelector('.evalang td.n')).textAlign"
    assert output(page, "summary", style) == "right"
    names = "getComputedStyle(cell.querySelector('.evalang tbody th')).textAlign"
    assert output(page, "summary", names) == "left"
    assert output(page, "summary", "getComputedStyle(cell.querySelector('.evalang .lead')).fontWeight") == "600"


def test_nothing_is_wider_than_the_cell(page: Browser) -> None:
    for name in ("result", "summary", "magic"):
        wide = "(a => a.scrollWidth - a.clientWidth)(cell.querySelector('.jp-OutputArea-output'))"
        assert output(page, name, wide) == 0, name


def test_a_figure_is_one_picture(page: Browser) -> None:
    assert output(page, "figure", "cell.querySelectorAll('.jp-OutputArea img').length") == 1


def test_a_refusal_is_sentences_and_no_traceback(page: Browser) -> None:
    said = str(output(page, "refused", TEXT))
    assert "EV" in said
    assert "Traceback" not in said
    assert ".py" not in said


def test_the_style_of_the_notebook_is_left_alone(page: Browser) -> None:
    """No rule of ours reaches beyond what we show."""
    rules = page.do(
        "[...document.querySelectorAll('.jp-OutputArea style')].flatMap(s => [...s.sheet.cssRules])"
        ".map(r => r.selectorText).filter(Boolean)"
    )
    assert rules
    assert all(part.strip().startswith(".evalang") for rule in rules for part in rule.split(","))
