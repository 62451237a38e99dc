"""Every format from the same fixed results: snapshots, and hostile names in each."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt
from syrupy.assertion import SnapshotAssertion

from evalang.language.text import Finding
from evalang.plans.model import Plan
from evalang.reports import escape, html, latex, markdown, terminal
from evalang.reports import frames as csv_report
from evalang.reports import json as json_report
from evalang.reports.assemble import document
from evalang.reports.document import figures
from evalang.reports.figures.picture import svg_inline
from evalang.results.run_result import RunResult

from ..support import hostile
from ..support.html_page import Page
from ..support.results import league_with_metrics, many, pair, rich

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "schema" / "run.schema.json").read_text())
FIXED = {"pair": pair, "many": many}
FORMS: dict[str, Callable[[RunResult], str]] = {
    "text": lambda made: terminal.render(document(made), full=True),
    "markdown": lambda made: markdown.render(document(made)),
    "latex": lambda made: latex.render(document(made)),
    "html without pictures": lambda made: html.render(document(made), pictures=False),
    "json": json_report.render,
}


@pytest.mark.parametrize("name", FIXED)
@pytest.mark.parametrize("form", FORMS)
def test_a_report_is_as_before(form: str, name: str, snapshot: SnapshotAssertion) -> None:
    assert FORMS[form](FIXED[name]()) == snapshot


@pytest.mark.parametrize("made", [pair, many, rich, league_with_metrics])
def test_json_keeps_to_its_published_schema(made: type) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(json.loads(json_report.render(made())))


PLAIN = {tag for tag, _ in Page(html.render(document(rich()), pictures=False)).tags}


@pytest.mark.parametrize("name", hostile.HOSTILE)
def test_html_of_hostile_names_holds_no_tag_and_no_attribute_of_theirs_and_unique_ids(name: str) -> None:
    page = Page(html.render(document(hostile.result(name)), pictures=False))
    assert {tag for tag, _ in page.tags} <= PLAIN
    handlers = [a for _, attributes in page.tags for a in attributes if a.startswith("on") or a == "style"]
    assert handlers == []
    addresses = [v for _, attributes in page.tags for a, v in attributes.items() if a in ("href", "src")]
    assert all(v.startswith("#") for v in addresses)
    assert page.count("script") == 1
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+", i) for i in ids)


# One name with each of these, and the longest: what a picture does with a name hangs on its characters. In the suite
# one name has all but the dollar, which alone calls for a formula; the names one by one are slow.
_ODD = "<^\x1b\ufffe\ud800\u202e中"
_ONE_OF_EACH = [next(n for n in hostile.HOSTILE if c in n) for c in _ODD]
_QUICK = [f"a{_ODD}b", next(n for n in hostile.HOSTILE if "$" in n), max(hostile.HOSTILE, key=len)]
DRAWN = [*_QUICK, *(pytest.param(n, marks=pytest.mark.slow) for n in dict.fromkeys(_ONE_OF_EACH) if n not in _QUICK)]


@pytest.mark.parametrize("name", DRAWN)
def test_every_picture_of_hostile_names_is_sound_xml_with_title_and_description(name: str) -> None:
    one_of_each = {figure.kind: figure for figure in figures(document(hostile.result(name, whole=True)))}
    for figure in one_of_each.values():
        root = ElementTree.fromstring(svg_inline(figure))
        assert root[0].tag.endswith("title")
        assert root[0].text == escape.visible(figure.title)
        assert root[1].tag.endswith("desc")
        assert not [e for e in root.iter() if e.tag.endswith(("script", "style", "image", "metadata"))]
        assert not [a for e in root.iter() for a in e.attrib if a == "style" or a.startswith("on")]
    assert len(one_of_each) >= 8


@cache
def text_rows() -> int:
    plain = MarkdownIt("gfm-like", {"linkify": False}).parse(markdown.render(document(pair())))
    return sum(t.type == "tr_open" for t in plain)


@pytest.mark.parametrize("name", hostile.HOSTILE)
def test_markdown_of_hostile_names_makes_no_link_picture_or_html(name: str) -> None:
    text = markdown.render(document(hostile.result(name)))
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(text)
    inner = [t for token in tokens for t in (token, *(token.children or ()))]
    assert not [t for t in inner if t.type in ("link_open", "image", "html_inline")]
    blocks = {t.content.strip() for t in inner if t.type == "html_block"}
    assert all(re.fullmatch(r"</?details>(\n<summary>[^<]*</summary>)?", b) for b in blocks)
    assert sum(t.type == "tr_open" for t in inner) == text_rows()


@pytest.mark.parametrize("name", hostile.HOSTILE)
def test_hostile_names_steer_no_terminal_keep_the_schema_of_json_and_are_no_formula_in_csv(name: str) -> None:
    made = hostile.result(name)
    shown = terminal.render(document(made), full=True)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\ud800-\udfff]", shown)
    published = json_report.render(made)
    published.encode()
    Draft202012Validator(SCHEMA).validate(json.loads(published, parse_constant=pytest.fail))
    for text in csv_report.tables(made).values():
        rows = list(csv.reader(StringIO(text)))
        assert len({len(row) for row in rows}) == 1
        for row in rows[1:]:
            for cell in row:
                assert not cell.startswith(("=", "+", "@", "\t", "\r"))
                assert not cell.startswith("-") or float(cell) < 0


def test_a_page_asks_nobody_and_lets_only_its_own_script_act() -> None:
    text = html.render(document(rich()))
    page = Page(text)
    policy = next(a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text
    script, style = text.split("<script>")[1].split("</script>")[0], text.split("<style>")[1].split("</style>")[0]
    assert html.policy(style, script) == policy


def test_every_table_can_be_sorted_by_its_numbers() -> None:
    page = Page(html.render(document(rich()), pictures=False))
    assert all(len(row) == len(table.heads) for table in page.tables for row in table.rows)
    # A cell that does not start with its number carries it.
    cells = [c for t in page.tables for row in t.rows for c in row if c.text.startswith("<")]
    assert all(c.sort is not None for c in cells)


def test_only_one_comparison_is_reported_when_asked() -> None:
    text = terminal.render(document(rich(), subject="alone"), full=True)
    assert "`tree` has accuracy 0.750 (95% interval 0.712 to 0.788" in text
    assert "trees-or-bayes\n--" not in text
    assert json.loads(json_report.render(rich(), subject="alone"))["comparisons"] == []


def test_an_empty_run_is_a_report_too() -> None:
    empty = RunResult(plan=Plan(1, "empty.eval"))
    made = document(empty)
    assert "nothing was compared" in terminal.render(made)
    assert "nothing was compared" in html.render(made)
    Draft202012Validator(SCHEMA).validate(json.loads(json_report.render(empty)))


def test_what_stands_in_backticks_is_code_in_html() -> None:
    help_ = 'write `target "<b>"` there'
    found = Finding(code="EV120", name="column-undeclared", level="warning", message="`id` repeats.", help=help_)
    page = html.render(document(replace(pair(), findings=(found,))), pictures=False)
    listed = page[page.index('id="findings"') :]
    assert "<code>id</code> repeats. Help: write <code>target &#34;&lt;b&gt;&#34;</code> there" in listed
    assert "`" not in re.sub(r"(?s)<(pre|svg|script|style)\b.*?</\1>", "", html.render(document(rich())))


def test_a_long_table_in_latex_defines_its_label_once() -> None:
    """What stands before endhead is set again on every page."""
    text = latex.render(document(replace(pair(), passed=("EV101",) * 90)))
    for table in text.split(r"\begin{longtable}")[1:]:
        first, _, later = table.partition(r"\endfirsthead")
        assert first.count(r"\label{") == 1
        assert r"\label" not in later.partition(r"\endhead")[0]
    assert r"\endfirsthead" in text
