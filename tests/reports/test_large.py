"""A thousand learners still make a report that a browser opens and a reader can read."""

from __future__ import annotations

import pytest

from evalang.reports import html, markdown, terminal
from evalang.reports.assemble import document
from evalang.reports.document import Document
from evalang.reports.view import views
from evalang.results.run_result import RunResult

from ..support.html_page import Page
from ..support.results import large, pair, rich


@pytest.fixture(scope="module")
def thousand() -> RunResult:
    """Against a control: 999 pairs over five datasets, all ranked."""
    return large(1000, 5, 1, pairs_on_datasets=False, control=True)


@pytest.fixture(scope="module")
def made(thousand: RunResult) -> Document:
    return document(thousand)


def test_the_page_is_small_and_its_top_comes_before_the_whole(made: Document) -> None:
    text = html.render(made)
    assert len(text.encode()) < 5_000_000
    page = Page(text)
    ranks = [t for t in page.tables if t.caption.startswith("Mean ranks")]
    assert [len(t.rows) for t in ranks] == [20, 1000]
    assert text.index("<details>") < text.index("Mean ranks in accuracy: all 1,000 rows")


def test_the_terminal_and_markdown_stay_readable(made: Document) -> None:
    text = terminal.render(made)
    assert len(text.splitlines()) < 120
    assert max(len(line) for line in text.splitlines()) <= 100
    assert len(markdown.render(made)) < 2_000_000


def test_the_end_of_a_run_is_never_wider_than_the_terminal_nor_longer_than_a_screen(made: Document) -> None:
    for one in (made, document(large(10, 20, 9)), document(pair()), document(rich())):
        for width in (40, 80, 100):
            lines = terminal.render_summary(one, width).splitlines()
            assert len(lines) <= 22
            assert max(map(len, lines)) <= width


def test_more_pairs_than_a_table_holds_are_counted() -> None:
    whole = large(33, 2, 1)  # 528 pairs on each of two datasets
    page = Page(html.render(document(whole), pictures=False))
    tables = [t for t in page.tables if t.caption.startswith("Verdicts in accuracy on each dataset")]
    assert max(len(t.rows) for t in tables) == 1000
    assert views(whole)[0].name == "big"
