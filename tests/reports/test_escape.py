"""One escaper per sink, tried with hostile names."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evalang.reports import escape

from ..support.hostile import HOSTILE

texts = st.text(st.characters(exclude_categories=()), max_size=40)


@given(texts)
def test_visible_text_has_no_control_or_direction_character(text: str) -> None:
    shown = escape.visible(text)
    assert not re.search(
        "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]", shown
    )
    shown.encode()


@given(st.text(st.characters(codec="ascii", categories=("L", "N", "P", "S", "Zs"))))
def test_plain_text_stays(text: str) -> None:
    assert escape.visible(text) == text


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("name", HOSTILE)
def test_html_makes_no_tag_and_loses_nothing(name: str) -> None:
    parser = _Tags()
    parser.feed(f'<p title="{escape.html(name)}">{escape.html(name)}</p>')
    assert parser.tags == ["p"]
    assert parser.text == escape.visible(name)


@pytest.mark.parametrize("name", HOSTILE)
def test_markdown_shows_the_name_and_nothing_else(name: str) -> None:
    reader = MarkdownIt("gfm-like", {"linkify": False, "html": True}).enable("table")
    made = reader.render(f"| a |\n| --- |\n| {escape.markdown(name)} |\n\n{escape.markdown_line(name)}\n")
    parser = _Tags()
    parser.feed(made)
    assert set(parser.tags) <= {"table", "thead", "tbody", "tr", "th", "td", "p", "code"}
    # A line shows the name as it is, but for spaces at its ends and a break that no renderer keeps.
    assert escape.visible(name).strip() in parser.text


@pytest.mark.parametrize("name", HOSTILE)
def test_latex_holds_no_command_of_the_users(name: str) -> None:
    shown = escape.latex(name)
    ours = (  # every command that escape.latex writes
        r"\\beyondlatin\{[^\\{}$&#_%^~]*\}\{[0-9A-F]+\}\{(?:\\texttt\{U\+[0-9A-F]+\})+\}"
        r"|\\text(?:backslash|asciicircum|asciitilde|less|greater|bar|quotedbl|asciigrave)\{\}|\\[{}$&#_%]"
        r"|\\dots\{\}|\\d?dag\{\}|\\P\{\}|\$\\(?:pm|times|le|ge)\$|\$-\$|\\texttt\{U\+[0-9A-F]+\}|\{[\[\]*]?\}"
        r"|\\allowbreak(?![a-z])"
    )
    rest = re.sub(ours, "", shown)
    assert not re.search(r"[\\{}$&#_%^~]", rest)


@given(texts)
def test_latex_of_anything_is_characters_pdflatex_knows(text: str) -> None:
    """Others stand only where pdflatex never looks: in the first argument of the command for them."""
    shown = re.sub(r"\\beyondlatin\{[^{}]*\}", "", escape.latex(text))
    assert all(c.isascii() or 0xC0 <= ord(c) <= 0xFF for c in shown)


@given(texts)
def test_a_fence_closes_where_it_should(text: str) -> None:
    tokens = MarkdownIt().parse(escape.fence(text, "eval") + "\n\nafter\n")
    assert tokens[0].type == "fence"
    assert tokens[-2].content == "after"
