"""A document filled again and again: the same text, nothing of the author's touched."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from dataclasses import replace as replace_record

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalang.errors import ScriptError
from evalang.language.text import Span
from evalang.reports.embed import BEGIN, END, render
from evalang.results.run_result import RunResult

from .judgements import pair, rich

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


def runner(judgement: RunResult | None = None) -> Callable[[str], RunResult]:
    """Stands in for the front end: puts the comparison where the script has it, and judges nothing."""
    base = judgement or pair()

    def run(script: str) -> RunResult:
        place = Span("paper.md", script.index("compare"), script.index("compare") + 7)
        said = script.find("claim")
        first, *rest = base.plan.comparisons
        claims = tuple(replace_record(c, span=Span("paper.md", said, said + 5)) for c in base.plan.claims)
        plan = replace_record(base.plan, comparisons=(replace_record(first, span=place), *rest), claims=claims)
        return replace(base, plan=plan, sources=(("paper.md", script),))

    return run


def test_values_and_verdicts_are_filled_in() -> None:
    done = render(PAPER, runner())
    assert "<!-- eval: trees-or-bayes.heart.accuracy.p -->0.002<!-- /eval -->" in done
    assert "is <!-- eval: trees-or-bayes.heart.accuracy.difference -->-0.080<!-- /eval --> (" in done
    assert "<!-- eval: claim-1.status -->supported<!-- /eval -->" in done
    after = done.split("naive-bayes better than tree on heart\n```\n")[1]
    assert after.startswith(f"\n{BEGIN}\n")
    assert after.split("\n\n")[1].startswith("naive-bayes is better than tree in accuracy on 1 of 3 datasets")
    assert "On heart, naive-bayes has higher accuracy than tree by 0.080" in after
    assert "**Claim supported:**" in after.split(END)[0]


def test_only_the_block_that_compares_gets_output() -> None:
    assert render(PAPER, runner()).count(BEGIN) == 1


def test_rendering_twice_changes_nothing_more() -> None:
    once = render(PAPER, runner())
    assert render(once, runner()) == once


def test_a_new_result_replaces_the_old_one() -> None:
    once = render(PAPER, runner())
    base = pair()
    moved = replace(base, verdicts=(replace(base.verdicts[0], adjusted_p=0.031), *base.verdicts[1:]))
    again = render(once, runner(moved))
    assert "-->0.031<!-- /eval -->" in again
    assert again.count(BEGIN) == again.count(END) == 1


def test_code_of_other_languages_and_longer_ticks_stay() -> None:
    done = render(PAPER, runner())
    assert 'print("`eval: not.touched`")' in done
    assert "``a `tick` ``" in done


def test_scripts_keep_the_lines_of_the_document() -> None:
    seen = []

    def run(script: str) -> RunResult:
        seen.append(script)
        return runner()(script)

    render(PAPER, run)
    (script,) = seen
    assert script.split("\n")[5] == "learner tree is decision-tree"
    assert PAPER.split("\n")[5] == "learner tree is decision-tree"
    assert "A paper" not in script


def test_blocks_that_stand_alone_are_scripts_of_their_own() -> None:
    seen = []

    def run(script: str) -> RunResult:
        seen.append(script.strip())
        return runner()(script)

    render("```eval alone\ncompare a\n```\n\n```eval alone\ncompare b\n```\n", run)
    assert seen == ["compare a", "compare b"]


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
    assert once.index("better than tree in accuracy") < picture.start() < once.index("| heart |")
    assert ET.fromstring(drawn[key]).tag == "{http://www.w3.org/2000/svg}svg"
    assert render(once, runner(), draw=draw) == once
    assert "![" not in render(PAPER, runner())


@pytest.mark.parametrize("asked", ["words", "tables", "figures", "words tables", "tables figures"])
def test_each_kind_is_shown_when_it_is_asked_for(asked: str) -> None:
    done = render(f"```eval {asked}\ncompare a\n```\n", runner(), draw=lambda key, svg: f"{key}.svg")
    seen = {"words": "is better than" in done, "tables": "| heart |" in done, "figures": "![" in done}
    assert {kind for kind, there in seen.items() if there} == set(asked.split())


def test_words_and_tables_can_be_asked_for_alone() -> None:
    tables = render("```eval tables\ncompare a\n```\n", runner())
    assert "is better than" not in tables
    assert "| heart |" in tables
    words = render("```eval words\ncompare a\n```\n", runner())
    assert "is better than" in words
    assert "| heart |" not in words
    assert BEGIN not in render("```eval quiet\ncompare a\n```\n", runner())


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("```eval\ncompare a\n```\n\n`eval: trees-or-bays.p`\n", 5, "did you mean trees-or-bayes"),
        ("```eval\ncompare a\n```\n\n`eval: trees-or-bayes.p`\n", 5, "6 verdicts"),
        ("```eval\ncompare a\n```\n\n`eval: trees-or-bayes.heart.nothing`\n", 5, "names no value"),
        ("no block\n`eval: trees-or-bayes.p`\n", 2, "no eval block"),
        ("```eval loudly\ncompare a\n```\n", 1, "knows no loudly"),
        (f"```eval\ncompare a\n```\n{BEGIN}\nhalf\n", 4, "no end marker"),
        (f"words\n{BEGIN}\nx\n{END}\n", 2, "behind no eval block"),
    ],
)
def test_mistakes_name_the_line_and_what_to_do(text: str, line: int, says: str) -> None:
    with pytest.raises(ScriptError) as caught:
        render(text, runner())
    assert says in str(caught.value)
    assert caught.value.position is not None
    assert caught.value.position.line == line


@given(st.text(st.sampled_from("`~ \n#-eval:abc<>!*|\\"), max_size=120))
def test_a_document_without_eval_stays_as_it_is(text: str) -> None:
    if "eval" in text or BEGIN in text:
        return
    assert render(text, runner()) == text


@given(
    st.lists(st.sampled_from(["", "words", "- item", "    code", "```python\nx\n```", "> quote", "`tick"]), max_size=6)
)
def test_rendering_is_idempotent_whatever_stands_around(parts: list[str]) -> None:
    text = "\n".join([*parts, "", "```eval\ncompare a\n```", *parts, "`eval: claim-1.status`", *parts])
    once = render(text, runner())
    assert render(once, runner()) == once
    without = once.split(BEGIN)[0] + once.split(END)[1] if BEGIN in once else once
    for part in parts:
        assert part in without


def test_line_ends_of_windows_stay() -> None:
    text = PAPER.replace("\n", "\r\n")
    done = render(text, runner())
    assert "```eval\r\n" in done
    assert render(done, runner()) == done


def test_estimates_are_values_too() -> None:
    text = "```eval quiet\ncompare a\n```\n`eval: alone.score` in `eval: alone.interval`\n"
    assert "-->0.750<!-- /eval --> in <!-- eval: alone.interval -->0.712 to 0.788<" in render(text, runner(rich()))


@pytest.mark.parametrize("before", ["", "  ", "- ", "> ", "12. ", "* > "])
def test_a_value_at_the_start_of_a_line_stays_text(before: str) -> None:
    """CommonMark takes a line that begins with a comment for HTML: it would end the paragraph and show `*` as it is."""
    pytest.importorskip("markdown_it", reason="a Markdown reader is needed; install evalang[docs]")
    from markdown_it import MarkdownIt

    page = PAPER + f"\n{before}`eval: trees-or-bayes.heart.accuracy.p` and *more*\n"
    done = render(page, runner())
    assert render(done, runner()) == done
    shown = MarkdownIt().render(done)
    assert "0.002<!-- /eval --> and <em>more</em>" in shown
    # Inside a sentence nothing is put before it.
    assert "is <!-- eval: trees-or-bayes.heart.accuracy.difference -->" in done


def test_a_stop_typed_behind_a_sentence_is_the_only_one() -> None:
    block = "```eval quiet\ncompare tree vs naive-bayes on heart using 10cv as trees-or-bayes\n```\n"
    name = "`eval: trees-or-bayes.heart.accuracy.sentence`"
    alone, stopped, followed = (
        render(f"{block}\nFound: {name}{end}\n", runner()).splitlines()[-1] for end in ("", ".", ", we think.")
    )
    assert alone.endswith(".<!-- /eval -->")
    assert stopped == f"{alone.removesuffix('.<!-- /eval -->')}<!-- /eval -->."
    assert followed == stopped.removesuffix(".") + ", we think."
