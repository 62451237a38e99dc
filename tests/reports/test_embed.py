"""A document filled again and again: the same text, nothing of the author's touched."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evalang.errors import ScriptError
from evalang.language.text import Span
from evalang.reports.embed import BEGIN, END, quoted, render
from evalang.results.run_result import RunResult

from ..support.results import pair, rich

PAPER = """\
# A paper

Some words with `code`, ``a `tick` `` and `eval: trees-or-bayes.heart.accuracy.p` inside.

```eval
learner tree is decision-tree
```

```python
print("`eval: not.touched`")
```

```eval
compare tree vs naive-bayes on heart using 10cv as trees-or-bayes
claim naive-bayes better than tree on heart
```

The difference is `eval: trees-or-bayes.heart.accuracy.difference` (`eval: claim-1.status`).
"""
BLOCK = "```eval\ncompare a\n```\n"


def runner(result: RunResult | None = None, seen: list[str] | None = None) -> Callable[[str], RunResult]:
    """Stand in for the front end: put the comparison where the script has it, and run nothing."""
    base = result or pair()

    def run(script: str) -> RunResult:
        if seen is not None:
            seen.append(script)
        place = Span("paper.md", script.index("compare"), script.index("compare") + 7)
        said = script.find("claim")
        first, *rest = base.plan.comparisons
        claims = tuple(replace(c, span=Span("paper.md", said, said + 5)) for c in base.plan.claims)
        plan = replace(base.plan, comparisons=(replace(first, span=place), *rest), claims=claims)
        return replace(base, plan=plan, sources=(("paper.md", script),))

    return run


def test_values_and_verdicts_are_filled_in() -> None:
    done = render(PAPER, runner())
    assert "<!-- eval: trees-or-bayes.heart.accuracy.p -->0.002<!-- /eval -->" in done
    difference = "<!-- eval: trees-or-bayes.heart.accuracy.difference -->-0.080 (tree minus naive-bayes)<!-- /eval -->"
    assert f"is {difference} (" in done
    assert "<!-- eval: claim-1.status -->supported<!-- /eval -->" in done
    after = done.split("naive-bayes better than tree on heart\n```\n")[1]
    assert after.startswith(f"\n{BEGIN}\n")
    assert after.split("\n\n")[1].startswith("`naive-bayes` is better than `tree` in accuracy on 1 of 3 datasets")
    assert "`naive-bayes` is better than `tree` on `heart`: accuracy higher by 0.080" in after
    assert "**Claim supported:**" in after.split(END)[0]
    assert done.count(BEGIN) == 1  # only the block that compares has output
    assert 'print("`eval: not.touched`")' in done
    assert "``a `tick` ``" in done


def test_blocks_and_values_may_be_written_as_quarto_writes_them() -> None:
    quarto = PAPER.replace("```eval", "```{eval}").replace("`eval: trees", "`{eval} trees")
    filled = render(quarto, runner())
    assert filled.replace("```{eval}", "```eval") == render(PAPER, runner())


def test_scripts_keep_the_lines_of_the_document() -> None:
    seen: list[str] = []
    render(PAPER, runner(seen=seen))
    (script,) = seen
    assert script.split("\n")[5] == PAPER.split("\n")[5] == "learner tree is decision-tree"
    assert "A paper" not in script


def test_blocks_that_stand_alone_are_scripts_of_their_own() -> None:
    seen: list[str] = []
    render("```eval alone\ncompare a\n```\n\n```eval alone\ncompare b\n```\n", runner(seen=seen))
    assert [script.strip() for script in seen] == ["compare a", "compare b"]


def test_the_picture_of_the_answer_stands_below_it_with_caption_and_description() -> None:
    drawn: dict[str, str] = {}

    def draw(key: str, svg: str) -> str:
        drawn[key] = svg
        return f"paper-figures/{key}.svg"

    once = render(PAPER, runner(), draw=draw)
    (key,) = drawn
    picture = re.search(rf"!\[([^\]]+)\]\(paper-figures/{key}\.svg\)\n\n\*(.+)\*\n", once)
    assert picture is not None
    assert "95% interval" in picture[1]
    assert picture[2] == "naive-bayes minus tree in accuracy and brier"
    assert once.index("better than `tree` in accuracy") < picture.start() < once.index("| heart |")
    assert ET.fromstring(drawn[key]).tag == "{http://www.w3.org/2000/svg}svg"
    assert render(once, runner(), draw=draw) == once
    assert "![" not in render(PAPER, runner())


@pytest.mark.parametrize("asked", ["words", "tables", "figures", "words tables", "tables figures", "quiet"])
def test_each_kind_is_shown_when_it_is_asked_for(asked: str) -> None:
    done = render(f"```eval {asked}\ncompare a\n```\n", runner(), draw=lambda key, svg: f"{key}.svg")
    seen = {"words": "is better than" in done, "tables": "| heart |" in done, "figures": "![" in done}
    assert {kind for kind, there in seen.items() if there} == set(asked.split()) - {"quiet"}
    assert (BEGIN in done) == (asked != "quiet")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (f"{BLOCK}\n`eval: trees-or-bays.p`\n", 5, "did you mean trees-or-bayes"),
        (f"{BLOCK}\n`eval: trees-or-bayes.p`\n", 5, "6 verdicts"),
        (f"{BLOCK}\n`eval: trees-or-bayes.heart.nothing`\n", 5, "names no value"),
        ("no block\n`eval: trees-or-bayes.p`\n", 2, "no eval block"),
        ("```eval loudly\ncompare a\n```\n", 1, "loudly is not an option"),
        (f"{BLOCK}{BEGIN}\nhalf\n", 4, "no end marker"),
        (f"words\n{BEGIN}\nx\n{END}\n", 2, "not follow an eval block"),
        ("a\n\n`eval: paper.csv: none: t`\n", 3, "0 rows none"),
        ("as `eval: table paper.csv` shows\n", 1, "inside a line of text"),
        ("- `eval: table paper.csv`\n", 1, "inside a line of text"),
        ("`eval: table paper.csv`.\n", 1, "inside a line of text"),
    ],
)
def test_mistakes_name_the_line_and_what_to_do(text: str, line: int, says: str) -> None:
    with pytest.raises(ScriptError, match=says) as caught:
        render(text, runner(), lies)
    assert caught.value.position is not None
    assert caught.value.position.line == line


@given(st.text(st.sampled_from("`~ \n#-eval:abc<>!*|\\"), max_size=120))
def test_a_document_without_eval_stays_as_it_is(text: str) -> None:
    if "eval" not in text and BEGIN not in text:
        assert render(text, runner()) == text


@given(
    st.lists(st.sampled_from(["", "words", "- item", "    code", "```python\nx\n```", "> quote", "`tick"]), max_size=6)
)
def test_rendering_is_idempotent_whatever_stands_around(parts: list[str]) -> None:
    text = "\n".join([*parts, "", BLOCK.rstrip("\n"), *parts, "`eval: claim-1.status`", *parts])
    once = render(text, runner())
    assert render(once, runner()) == once
    without = once.split(BEGIN)[0] + once.split(END)[1] if BEGIN in once else once
    assert all(part in without for part in parts)


@pytest.mark.parametrize("page", [PAPER, "One.\n\n`eval: table paper.csv`\n\nTwo.\n"])
def test_line_ends_of_windows_stay(page: str) -> None:
    done = render(page.replace("\n", "\r\n"), runner(), lies)
    assert done.count("\n") == done.count("\r\n") > page.count("\n")
    assert render(done, runner(), lies) == done


def test_estimates_are_values_too() -> None:
    text = "```eval quiet\ncompare a\n```\n`eval: alone.score` in `eval: alone.interval`\n"
    assert "-->0.750<!-- /eval --> in <!-- eval: alone.interval -->0.712 to 0.788<" in render(text, runner(rich()))


@pytest.mark.parametrize("before", ["", "  ", "- ", "> ", "12. ", "* > "])
def test_a_value_at_the_start_of_a_line_stays_text(before: str) -> None:
    """CommonMark takes a line that begins with a comment for HTML: it would end the paragraph and show `*` as it is."""
    page = PAPER + f"\n{before}`eval: trees-or-bayes.heart.accuracy.p` and *more*\n"
    done = render(page, runner())
    assert render(done, runner()) == done
    assert "0.002<!-- /eval --> and <em>more</em>" in MarkdownIt().render(done)


def test_a_stop_typed_behind_a_sentence_is_the_only_one() -> None:
    name = "`eval: trees-or-bayes.heart.accuracy.sentence`"
    block = BLOCK.replace("eval", "eval quiet")
    alone, stopped, followed = (
        render(f"{block}\nFound: {name}{end}\n", runner()).splitlines()[-1] for end in ("", ".", ", we think.")
    )
    assert alone.endswith(".<!-- /eval -->")
    assert stopped == f"{alone.removesuffix('.<!-- /eval -->')}<!-- /eval -->."
    assert followed == stopped.removesuffix(".") + ", we think."


# Cells and tables of files beside the document

TABLE = "what,t,interval\nfigure 15.2,0.32,\nfigure 15.6: dropped,2.41,0.071 to 6.929\n"


def lies(name: str) -> str:
    return {"paper.csv": TABLE, "empty.csv": "a,b\n", "torn.csv": "a,b\n1\n", "twice.csv": "a,b\nx,1\nx,2\n"}[name]


def test_a_file_is_quoted_as_it_is_written() -> None:
    assert quoted("paper.csv: figure 15.6: dropped: interval", lies) == "0.071 to 6.929"
    assert quoted("trees-or-bayes.p", lies) is None
    page = "The paper has t = `eval: paper.csv: figure 15.2: t`.\n\n`eval: table paper.csv`\n\nMore.\n"
    once = render(page, runner(), lies)
    assert "t = <!-- eval: paper.csv: figure 15.2: t -->0.32<!-- /eval -->." in once
    assert "\n| what | t | interval |\n| --- | ---: | --- |\n| figure 15.2 | 0.32 |   |\n" in once
    assert render(once, runner(), lies) == once
    with pytest.raises(ScriptError, match="is not in a folder"):
        quoted("table paper.csv", None)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("paper.csv: figure 15.3: t", "0 rows figure 15.3"),
        ("paper.csv: figure 15.2: tt", "0 columns tt"),
        ("twice.csv: x: b", "2 rows x"),
        ("empty.csv: x: b", "no rows"),
        ("paper.csv: figure 15.2: interval", "row figure 15.2 and column interval of paper.csv is empty"),
        ("paper.csv: figure 15.2", "names a file, but no cell or table in it"),
        ("paper.csv", "names a file, but no cell or table in it"),
        ("table torn.csv", "Row 2 of torn.csv has 1 cells"),
    ],
)
def test_a_cell_that_is_not_there_is_refused(address: str, message: str) -> None:
    with pytest.raises(ScriptError, match=message):
        quoted(address, lies)


@given(st.lists(st.lists(st.text(max_size=8), min_size=3, max_size=3), min_size=1, max_size=4))
def test_no_cell_breaks_the_table(rows: list[list[str]]) -> None:
    text = io.StringIO()
    csv.writer(text).writerows([["a", "b", "c"], *rows])
    grid = quoted("table any.csv", lambda name: text.getvalue())
    assert grid is not None
    assert all(line.replace("\\|", "").count("|") == 4 for line in grid.split("\n") if line)
    assert not {"<!--", "-->"} & set(re.findall("<!--|-->", grid))
