"""The playground in a real browser: it types, sees the finding, presses the repair, shares the link, works offline."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalang.editor import playground
from evalang.findings.engine import lint
from evalang.language.text import SourceText
from evalang.plans.build import build
from tests.support.browser import CHROMIUM, Browser, Site
from tests.support.node import ROOT, modules

EXAMPLES = sorted((ROOT / "docs" / "playground" / "examples").glob("*.eval"))
SCRIPT = "compare decision-tree vs naive-bayes on iris, wine using 10cv, by kfold-t, uncorrected\n"
CODES = "[...document.querySelectorAll('#findings .code')].map((one) => one.textContent.split(' ')[0])"
EMPTY = """<!doctype html><title>empty</title><script type="module">
import { loadPyodide } from "./pyodide/pyodide.mjs";
await loadPyodide({ indexURL: new URL("./pyodide/", location.href).href });
window.took = performance.now();
</script>"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if CHROMIUM is None:
        pytest.skip("no browser here: install chromium to open the playground for real")
    found = modules("pyodide", "codemirror", "esbuild", "@codemirror/lint", "@lezer/highlight")
    folder = tmp_path_factory.mktemp("site")
    program = [sys.executable, str(ROOT / "docs" / "playground" / "build.py"), str(folder / "playground"), str(found)]
    subprocess.run(program, check=True, capture_output=True, timeout=300)
    (folder / "playground" / "empty.html").write_text(EMPTY)
    served = Site(folder)
    yield served
    served.close()


@pytest.fixture(scope="module")
def visited(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser that has opened the page once: each start of Python in it takes many seconds."""
    found = Browser(tmp_path_factory.mktemp("profile"))
    opened(found, site, SCRIPT)
    yield found
    found.close()


def opened(browser: Browser, site: Site, script: str) -> None:
    """The page with this script; where it is open already, it stays."""
    address = f"{site.address}/playground/index.html#script={urllib.parse.quote(script)}"
    if browser.do("location.href") != address:
        browser.open("about:blank")
        browser.open(address)
    browser.until("document.querySelectorAll('#plan table, #findings li').length > 0")


def test_a_visit(visited: Browser, site: Site) -> None:
    browser = visited
    opened(browser, site, SCRIPT)
    report = lint(build(SourceText("script.eval", SCRIPT)))
    assert sorted(browser.do(CODES)) == sorted(one.code for one in report.findings)
    assert browser.until("document.querySelectorAll('.cm-lint-marker-warning').length > 0")
    assert "by kfold-t" not in browser.do("[...document.querySelectorAll('.hint')].map((h) => h.textContent)")

    # types
    end = "playground.view.state.doc.length - 1"
    browser.do(f"playground.view.focus(); playground.view.dispatch({{selection: {{anchor: {end}}}}})")
    browser.type(", seed 1")
    browser.until(f"!{CODES}.includes('EV310')")

    # sees the finding and presses the repair
    with_501 = "[...document.querySelectorAll('#findings li')].find((li) => li.textContent.includes('EV501'))"
    repair = f"{with_501}.querySelector('.fix')"
    browser.do(f"{repair}.click()")
    browser.until(f"!{CODES}.includes('EV501')")
    assert "holm over datasets" in browser.do("playground.view.state.doc.toString()")

    # the plan is a table, the page of a rule opens, the review is Markdown
    assert "fits" in browser.do("[...document.querySelectorAll('#plan th')].map((one) => one.textContent)")
    browser.do("document.querySelector('#findings .code').click()")
    assert browser.until("document.getElementById('page').open && document.querySelector('#page h2').textContent")
    browser.do("document.getElementById('page').close()")
    assert browser.do("playground.review()").startswith("### Remarks on the evaluation")

    # shares the link, which opens the same script
    browser.do("document.getElementById('share').click()")
    text = browser.do("playground.view.state.doc.toString()")
    address = browser.until("location.hash.includes('holm') && location.href")
    browser.open("about:blank")
    browser.open(address)
    browser.until("window.playground && playground.view.state.doc.toString()")
    assert browser.do("playground.view.state.doc.toString()") == text

    assert browser.said == []
    outside = [one for one in browser.requested if not one.startswith((site.address, "data:", "about:", "blob:"))]
    assert outside == []


@pytest.mark.benchmark
def test_the_first_finding_comes_soon_after_python(site: Site, tmp_path: Path) -> None:
    """At most twice what an empty Pyodide page takes to start, each in a browser that has seen neither."""
    took = []
    times = {"index": "performance.getEntriesByName('first-finding')[0]?.startTime", "empty": "window.took"}
    for name, wanted in times.items():
        browser = Browser(tmp_path / name)
        browser.open(f"{site.address}/playground/{name}.html")
        took.append(browser.until(wanted))
        browser.close()
    first, empty = took
    print(f"empty page {empty:.0f} ms, first finding {first:.0f} ms: {first / empty:.2f} times")
    assert first <= 2 * empty


def test_it_opens_without_a_network(visited: Browser, site: Site) -> None:
    visited.until("navigator.serviceWorker.controller !== null")
    site.close()  # whatever is asked of it now is never answered
    try:
        opened(visited, site, SCRIPT.replace("iris", "digits"))
        assert "EV501" in visited.do(CODES)
    finally:
        site.start()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_examples_are_designs_that_can_be_read(path: Path) -> None:
    answer = json.loads(playground.judge(path.read_text(encoding="utf-8")))
    assert "EV001" not in [one["code"] for one in answer["findings"]]
    assert answer["plan"] or "simulate" in path.read_text()


def test_offsets_are_those_of_javascript() -> None:
    text = '# 😀\nlearner "😀" is knn\ncompare "😀" vs nobody on iris using 10cv\n'
    unknown = next(one for one in json.loads(playground.judge(text))["findings"] if one["code"] == "EV002")
    in_javascript = text.encode("utf-16-le")
    assert in_javascript[2 * unknown["from"] : 2 * unknown["to"]].decode("utf-16-le") == "nobody"
    at = len(text[: text.index("nobody")].encode("utf-16-le")) // 2
    assert json.loads(playground.completions(text, at))["from"] == at
    assert "no such" not in playground.hovered(text, at)


def test_formatting_and_pages() -> None:
    assert playground.formatted("learner  a is knn") == "learner a is knn\n"
    assert playground.formatted("learner a usng") == "learner a usng"
    assert playground.explained("EV501").startswith("# EV501")
