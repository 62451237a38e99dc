"""Cells and tables of files beside a document."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalang.errors import ScriptError
from evalang.reports.embed import quoted, render
from evalang.results.run_result import RunResult

PAPER = "what,t,interval\nfigure 15.2,0.32,\nfigure 15.6: dropped,2.41,0.071 to 6.929\n"


def lies(name: str) -> str:
    return {"paper.csv": PAPER, "empty.csv": "a,b\n", "torn.csv": "a,b\n1\n", "twice.csv": "a,b\nx,1\nx,2\n"}[name]


def never(script: str) -> RunResult:
    raise AssertionError("a document without eval blocks runs nothing")


def test_a_cell_as_it_is_written() -> None:
    assert quoted("paper.csv: figure 15.2: t", lies) == "0.32"
    assert quoted("paper.csv: figure 15.6: dropped: interval", lies) == "0.071 to 6.929"
    assert quoted("trees-or-bayes.p", lies) is None


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("paper.csv: figure 15.3: t", "0 rows figure 15.3"),
        ("paper.csv: figure 15.2: tt", "0 columns tt"),
        ("twice.csv: x: b", "2 rows x"),
        ("empty.csv: x: b", "no rows"),
        ("paper.csv: figure 15.2: interval", "nothing under interval in the row figure 15.2"),
        ("paper.csv: figure 15.2", "names a file, and not what of it"),
        ("paper.csv", "names a file, and not what of it"),
        ("table torn.csv", "Row 2 of torn.csv has 1 cells"),
    ],
)
def test_what_is_not_there_is_said(address: str, message: str) -> None:
    with pytest.raises(ScriptError, match=message):
        quoted(address, lies)


def test_a_document_that_lies_nowhere_quotes_nothing() -> None:
    with pytest.raises(ScriptError, match="lies in no folder"):
        quoted("table paper.csv", None)


def test_a_document_is_filled_again_and_again() -> None:
    page = "The paper has t = `eval: paper.csv: figure 15.2: t`.\n\n`eval: table paper.csv`\n\nMore.\n"
    once = render(page, never, lies)
    assert "t = <!-- eval: paper.csv: figure 15.2: t -->0.32<!-- /eval -->." in once
    assert "\n| what | t | interval |\n| --- | ---: | --- |\n| figure 15.2 | 0.32 |   |\n" in once
    assert render(once, never, lies) == once
    with pytest.raises(ScriptError) as found:
        render("a\n\n`eval: paper.csv: none: t`\n", never, lies)
    assert found.value.position is not None
    assert found.value.position.line == 3


@given(st.lists(st.lists(st.text(max_size=8), min_size=3, max_size=3), min_size=1, max_size=4))
def test_no_cell_breaks_the_table(rows: list[list[str]]) -> None:
    text = io.StringIO()
    csv.writer(text).writerows([["a", "b", "c"], *rows])
    grid = quoted("table any.csv", lambda name: text.getvalue())
    assert grid is not None
    lines = [line for line in grid.split("\n") if line]
    assert all(line.replace("\\|", "").count("|") == 4 for line in lines)
    assert "<!--" not in grid
    assert "-->" not in grid


def test_line_ends_stay_those_of_the_document() -> None:
    page = "One.\r\n\r\n`eval: table paper.csv`\r\n\r\nTwo.\r\n"
    done = render(page, never, lies)
    assert done.count("\n") == done.count("\r\n") > page.count("\r\n")
    assert render(done, never, lies) == done


@pytest.mark.parametrize(
    "line", ["as `eval: table paper.csv` shows", "- `eval: table paper.csv`", "`eval: table paper.csv`."]
)
def test_a_table_needs_a_line_of_its_own(line: str) -> None:
    with pytest.raises(ScriptError, match="inside a line"):
        render(f"{line}\n", never, lies)
