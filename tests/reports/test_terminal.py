"""Plain text everywhere, colour only where it is wanted."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from io import StringIO

import pytest

from evalang.plans.model import Claim
from evalang.reports.assemble import document
from evalang.reports.document import tables
from evalang.reports.terminal import _table, render, render_summary, show
from evalang.results.run_result import RunResult

from ..support.hostile import renamed
from ..support.results import large, many, pair


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def coloured(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    return Terminal()


def test_a_terminal_gets_colour_and_the_same_words(coloured: Terminal) -> None:
    show(document(pair()), coloured)
    assert "\x1b[" in coloured.getvalue()
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured.getvalue())
    assert plain.split() == render(document(pair())).split()


def test_columns_line_up_with_wide_letters() -> None:
    text = render(document(renamed(pair(), {"heart": "中文", "naive-bayes": "naïf"})))
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("naïf and tree in accuracy"))
    # 中文 is two letters in four columns: two fewer characters than its column is wide in cells.
    assert lines[at + 3].startswith("中文      ")
    assert lines[at + 4].startswith("diabetes  ")


def test_colour_stands_on_the_words_of_a_verdict_alone(coloured: Terminal) -> None:
    """`forest better` in a claim that is not settled is no verdict."""
    base = pair()
    claim = replace(base.claims[0], status="not settled", reason="naive-bayes better is not shown")
    show(document(replace(base, claims=(claim,))), coloured, short=True)
    words = re.findall(r"\x1b\[[0-9;]*3[123]m(.*?)\x1b\[0m", coloured.getvalue())
    assert words == ["inconclusive", "naive-bayes better", "inconclusive", "inconclusive"]


def test_a_margin_of_a_claim_is_a_margin() -> None:
    base = many()
    missing = "no equivalence margin"
    assert missing in render(document(base))
    evidence = tuple(c.name for c in base.plan.comparisons)
    claim = Claim("claim-1", "svm", "same", "forest", within=0.02, datasets=(), evidence=evidence)
    assert missing not in render(document(replace(base, plan=replace(base.plan, claims=(claim,)))))


def test_matplotlib_is_not_imported_for_text() -> None:
    code = (
        "import sys; from tests.support.results import rich; from evalang.reports.assemble import document;"
        "from evalang.reports import terminal, markdown, json, latex;"
        "d = document(rich()); terminal.render(d); markdown.render(d); latex.render(d); json.render(rich());"
        "print([m for m in ('matplotlib', 'rich', 'jinja2', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("made", [pair, many], ids=["two learners", "several"])
def test_long_names_leave_room_for_the_difference_and_p(made: Callable[[], RunResult], width: int) -> None:
    """Names of models are long, alike at their beginning, and of no use where they push the numbers out."""
    base = made()
    names = {n: f"organisation/some-model-with-a-long-name-{n}" for c in base.plan.comparisons for n in c.learners}
    text = render(document(renamed(base, names)), width)
    assert max(len(line) for line in text.splitlines()) <= width
    if made is pair:
        shown = " ".join(text.split())
        assert "[2] better" in shown
        assert f"[1] {names['tree']} [2] {names['naive-bayes']}" in shown
        for value in ("0.830", "0.750", "+0.080", "0.060 to 0.100"):  # means and interval are there in any width
            assert value in shown


def test_a_pipe_gets_every_column_with_whole_names() -> None:
    """Only a terminal has a width: the spreads and all names are there, however long the line."""
    base = pair()
    names = {n: f"organisation/some-model-with-a-long-name-{n}" for n in base.plan.comparisons[0].learners}
    out = StringIO()
    show(document(renamed(base, names)), out, short=True)
    table = next(line for line in out.getvalue().splitlines() if line.startswith("heart"))
    assert re.split(r" {2,}", table) == [
        *("heart", "0.830 ± 0.037*", "0.750 ± 0.048", "+0.080", "0.060 to 0.100", "0.002"),
        f"{names['naive-bayes']} better",
    ]


@pytest.mark.parametrize("width", [80, 100])
def test_three_learners_have_mean_rank_difference_interval_and_p(width: int) -> None:
    text = render_summary(document(many()), width)
    rows = [re.split(r" {2,}", line) for line in text.splitlines() if re.match(r"(forest|svm|tree) +0", line)]
    ranks = [["1.30"], ["1.70"], ["3.00"]] if width == 100 else [[], [], []]  # mean ranks, where there is room
    assert [row[:-4] for row in rows[1:]] == [["svm", "0.828", *ranks[1], "1-3"], ["tree", "0.772", *ranks[2], "2-4"]]
    assert rows[0] == ["forest", "0.832", *ranks[0], "1-2"]
    assert rows[2][-4:] == ["-0.060", "-0.080 to -0.040", "0.003", "worse"]


def test_a_long_table_keeps_its_row_of_means() -> None:
    made = next(t for t in tables(document(large(3, 30, 1, pairs_on_datasets=False))) if t.title.startswith("Mean acc"))
    shown = _table(made, 100, full=False, most=10).splitlines()
    assert len(made.rows) == 32
    assert [line.split("  ")[0] for line in shown if line.startswith("mean")] == ["mean", "mean rank"]
    assert "... 22 more rows" in shown
