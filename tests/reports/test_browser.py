"""The page in a real browser, where there is one: what its script does, its policy, and what axe-core says of it.

A probe is a script of the test's own: the page's policy is widened for it by its hash, as nobody else could.
"""

from __future__ import annotations

import csv
import json
import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import pytest

from evalang.reports import html
from evalang.reports.assemble import document
from evalang.reports.document import figures, tables
from evalang.results.run_result import RunResult

from ..support import hostile
from ..support.browser import CHROMIUM, Browser
from ..support.results import bayes, large, league_with_metrics, many, pair, rich

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no browser here: install chromium to open the page for real")
PAGES = {
    "pair": pair,
    "many": many,
    "rich": rich,
    "bayes": bayes,
    "metrics": league_with_metrics,
    "control": lambda: large(6, 4, 2, control=True),
    "many datasets": lambda: large(10, 60, 1, pairs_on_datasets=False),
    "many learners": lambda: large(40, 20, 1, pairs_on_datasets=False),
}


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all of them: starting it takes longer than what is looked at."""
    found = Browser(tmp_path_factory.mktemp("profile"))
    yield found
    found.close()


@pytest.fixture
def browser(started: Browser) -> Browser:
    started.plain()
    return started


@cache
def rendered(made: Callable[[], RunResult]) -> str:
    """The page of a result, drawn once."""
    return html.render(document(made()))


def opened(browser: Browser, text: str, folder: Path) -> tuple[str, list[str]]:
    """The page as it stands when all is loaded and everything due at once was done, and what the console heard."""
    page = folder / "page.html"
    page.write_text(text)
    browser.open(page.as_uri())
    browser.until(f"location.href === {json.dumps(page.as_uri())} && document.readyState === 'complete'")
    dom = browser.do("new Promise((done) => setTimeout(() => done(document.documentElement.outerHTML), 100))")
    return dom, browser.heard


def test_a_page_with_every_picture_opens_without_a_word_on_the_console(browser: Browser, tmp_path: Path) -> None:
    dom, said = opened(browser, rendered(rich), tmp_path)
    assert said == []
    assert dom.count("<svg") == rendered(rich).count("<svg")


def test_the_policy_refuses_what_is_not_ours(browser: Browser, tmp_path: Path) -> None:
    """The same page with a line of somebody else's: nothing happens but a refusal on the console."""
    text = html.render(document(rich()), pictures=False)
    evil = "<script>document.title='evil'</script><p style='color:red' onclick='x()'>x</p>"
    dom, said = opened(browser, text.replace("</main>", evil + "</main>"), tmp_path)
    assert "<title>evil" not in dom
    assert any("Content Security Policy" in line for line in said)


@pytest.mark.parametrize("name", [n for n in hostile.HOSTILE if "alert" in n])
def test_hostile_names_do_nothing(browser: Browser, tmp_path: Path, name: str) -> None:
    dom, said = opened(browser, html.render(document(hostile.result(name))), tmp_path)
    assert said == []
    assert dom.count("<script") == 1


def probed(browser: Browser, text: str, code: str, folder: Path) -> dict[str, Any]:
    """What `code` says of the page, as JSON in the title; it runs after the page's own script."""
    script = f"(async () => {{ {code} }})().then((said) => {{ document.title = JSON.stringify(said); }})"
    allowed = text.replace("script-src ", f"script-src {escape(repr(html._hash(script)))} ", 1)
    assert allowed != text
    _, said = opened(browser, allowed.replace("</body>", f"<script>{script}</script></body>"), folder)
    found: dict[str, Any] = json.loads(browser.until("document.title.startsWith('{') && document.title", patience=20))
    assert said == []
    return found


def test_the_filter_leaves_the_rows_with_every_word_and_counts_them(browser: Browser, tmp_path: Path) -> None:
    code = """
      const words = document.querySelector(".filter input[type=search]");
      const box = document.querySelector(".filter input[type=checkbox]");
      const rows = Array.from(document.querySelectorAll("main tbody tr"));
      const shown = () => rows.filter((row) => !row.hidden);
      words.value = "Heart brier"; words.dispatchEvent(new Event("input"));
      const both = shown().every((row) => {
        const all = (row.closest("table").textContent).toLowerCase();
        return all.includes("heart") && all.includes("brier");
      });
      const some = shown().length, said = document.querySelector(".filter output").textContent;
      words.value = ""; words.dispatchEvent(new Event("input"));
      const all = shown().length;
      box.checked = true; box.dispatchEvent(new Event("change"));
      const open = shown().filter((row) => /not settled/.test(row.textContent)).length;
      return { both, some, said, all, rows: rows.length, settled: shown().length, open };
    """
    found = probed(browser, html.render(document(pair()), pictures=False), code, tmp_path)
    assert found["both"]
    assert 0 < found["some"] < found["rows"]
    assert found["said"] == f"{found['some']} of {found['rows']} rows"
    assert found["all"] == found["rows"]
    assert found["open"] == 0 < found["settled"] < found["rows"]


def test_a_column_sorts_by_its_numbers_up_and_down(browser: Browser, tmp_path: Path) -> None:
    code = """
      const table = document.querySelector("main table");
      const place = Array.from(table.tHead.rows[0].cells).findIndex((c) => c.textContent === "difference");
      const button = table.tHead.rows[0].cells[place].querySelector("button");
      const read = () => Array.from(table.tBodies[0].rows, (row) => parseFloat(row.cells[place].textContent));
      button.click(); const up = read();
      button.click(); const down = read();
      return { up, down, aria: table.tHead.rows[0].cells[place].getAttribute("aria-sort") };
    """
    found = probed(browser, html.render(document(pair()), pictures=False), code, tmp_path)
    assert len(found["up"]) == 3
    assert found["up"] == sorted(found["up"])
    assert found["down"] == found["up"][::-1]
    assert found["aria"] == "descending"


def test_downloads_are_the_table_and_the_picture_without_a_request(browser: Browser, tmp_path: Path) -> None:
    code = """
      const kept = [];
      URL.createObjectURL = (blob) => { kept.push(blob); return "#"; };
      HTMLAnchorElement.prototype.click = function () { kept.push(this.download); };
      document.querySelector("caption .tool").click();
      document.querySelector("figcaption .tool").click();
      return { csv: await kept[0].text(), csvName: kept[1], svg: await kept[2].text(), svgName: kept[3] };
    """
    shown = document(pair())
    found = probed(browser, rendered(pair), code, tmp_path)
    first = tables(shown)[0]
    read = list(csv.reader(found["csv"].splitlines()))
    assert read[0] == [column.title for column in first.columns]
    assert [row[0] for row in read[1:]] == [row[0].text for row in first.rows]
    assert found["csvName"] == f"{first.key}.csv"
    assert found["svgName"] == f"{figures(shown)[0].key}.svg"
    assert ET.fromstring(found["svg"]).tag == "{http://www.w3.org/2000/svg}svg"
    assert "currentColor" not in found["svg"]


def test_pointing_at_a_mark_and_reaching_it_by_keyboard_show_its_values(browser: Browser, tmp_path: Path) -> None:
    code = """
      const mark = document.querySelector("svg [tabindex]"), tip = document.querySelector(".tip");
      const before = tip.hidden;
      mark.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
      const pointed = tip.textContent, shown = !tip.hidden;
      document.body.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
      const gone = tip.hidden;
      mark.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
      return { before, pointed, shown, gone, focused: !tip.hidden };
    """
    found = probed(browser, rendered(pair), code, tmp_path)
    assert [found[when] for when in ("before", "shown", "gone", "focused")] == [True] * 4
    assert "naive-bayes" in found["pointed"]
    assert found["pointed"].endswith("heart, +0.080, 0.060 to 0.100, p = 0.002")


def test_table_and_picture_link_to_each_other_and_every_link_leads_somewhere(browser: Browser, tmp_path: Path) -> None:
    code = """
      const links = Array.from(document.querySelectorAll("a[href]"), (a) => a.getAttribute("href"));
      const ids = Array.from(document.querySelectorAll("[id]"), (e) => e.id);
      const figure = document.querySelector("figure"), back = figure.querySelector("figcaption a").getAttribute("href");
      const table = document.querySelector(back);
      const there = table.closest("div").nextElementSibling.querySelector("a").getAttribute("href");
      return { links, twice: ids.filter((id, i) => ids.indexOf(id) !== i), there, figure: figure.id,
               lost: links.filter((l) => !l.startsWith("#") || !document.getElementById(l.slice(1))) };
    """
    found = probed(browser, rendered(rich), code, tmp_path)
    assert found["there"] == f"#{found['figure']}"
    assert found["lost"] == []
    assert found["twice"] == []
    assert len(found["links"]) > 5


def quick(*names: str) -> list[Any]:
    """Return all pages; those that are not named are marked as slow, since each takes seconds."""
    return [pytest.param(name, marks=() if name in names else pytest.mark.slow) for name in PAGES]


def printed_pages(browser: Browser, text: str, folder: Path) -> int:
    """How many pages the browser prints of it; the objects of a PDF by Chromium's Skia are plain text."""
    opened(browser, text, folder)
    return len(re.findall(rb"/Type\s*/Page\b", browser.printed()))


@pytest.mark.parametrize("name", quick("pair", "many learners"))
def test_a_page_prints_two_pages_per_comparison_with_its_appendix_folded(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    comparisons = len(PAGES[name]().plan.comparisons)
    most = 2 * comparisons + (name == "many learners")  # a leaderboard of 40 has a page of its own
    assert 1 <= printed_pages(browser, rendered(PAGES[name]), tmp_path) <= most


def test_methods_checklist_and_script_are_folded_by_themselves(browser: Browser, tmp_path: Path) -> None:
    code = """
      const of = (key) => document.getElementById(key).closest("details");
      const seen = (key) => document.getElementById(key).checkVisibility({ contentVisibilityAuto: true });
      const rows = Array.from(document.querySelectorAll("#checklist tbody tr")), before = rows[0].checkVisibility();
      const folded = ["methods", "checks", "script"].map((key) => !of(key).open && seen(key));
      of("checks").open = true;
      return { folded, before, after: rows[0].checkVisibility(), rows: rows.length };
    """
    found = probed(browser, rendered(pair), code, tmp_path)
    assert found == {"folded": [True] * 3, "before": False, "after": True, "rows": 5}


def test_a_notebook_page_styles_itself_and_nothing_else(browser: Browser, tmp_path: Path) -> None:
    inside = f"{html.notebook_report(pair())}{html.notebook_summary(pair())}"
    _, said = opened(browser, f"<!DOCTYPE html><title>notebook</title><body>{inside}</body>", tmp_path)
    assert said == []
    rules = browser.do("[...document.styleSheets].flatMap((s) => [...s.cssRules]).map((r) => r.selectorText || '')")
    assert rules
    assert all(part.strip().startswith(".evalang") for rule in rules if rule for part in rule.split(","))
    look = "(([where, what]) => getComputedStyle(document.querySelector(`.evalang ${where}`))[what])"
    looks = (("td.n", "textAlign", "right"), ("tbody th", "textAlign", "left"), (".lead", "fontWeight", "600"))
    for where, what, value in looks:
        assert browser.do(f"{look}({json.dumps([where, what])})") == value, where
    counts = "['svg', 'table', 'button'].map((tag) => document.querySelectorAll(`.evalang ${tag}`).length)"
    pictures, tables_, buttons = browser.do(counts)
    assert pictures >= 2 <= tables_
    assert buttons == 0  # there is no script that they could call


AXE = Path(os.environ.get("EVALANG_NODE_MODULES", "none")) / "axe-core" / "axe.min.js"
SCREENS = {(width, height, dark) for width, height in ((1280, 900), (390, 800)) for dark in (False, True)}


@pytest.mark.skipif(not AXE.is_file(), reason="npm install axe-core, and EVALANG_NODE_MODULES says where")
@pytest.mark.parametrize("name", quick("rich", "metrics"))
def test_axe_finds_no_violation_on_any_screen(browser: Browser, tmp_path: Path, name: str) -> None:
    """axe needs more than the policy allows, so it is judged without one; every fold is open."""
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", rendered(PAGES[name]))
    place = tmp_path / "page.html"
    place.write_text(text.replace("<details>", "<details open>"))
    ask = """axe.run(document, { resultTypes: ["violations"] }).then((r) =>
      r.violations.map((v) => [v.id, v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120))]))"""
    browser.open(place.as_uri())
    browser.until("!!document.querySelector('footer')")
    browser.do(AXE.read_text() + ";0")
    for screen in SCREENS:
        width, height, dark = screen
        browser.screen(width, height, dark)
        browser.do("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert browser.do("[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]") == [width, dark]
        assert browser.do(ask) == [], screen
        wide = "[...document.querySelectorAll('figure')].map((f) => f.scrollWidth - f.clientWidth)"
        assert not any(browser.do(wide)), screen  # no picture needs scrolling, folded away or not
        assert browser.do("document.documentElement.scrollWidth - innerWidth") <= 0, screen
