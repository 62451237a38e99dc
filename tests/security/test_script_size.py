"""Scripts that are small enough to be read, and written to take all the time and memory there is."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from evalang.errors import ScriptError
from evalang.findings.embedded import extract
from evalang.findings.engine import lint
from evalang.language.decode import LARGEST, read_script
from evalang.language.format import format_script
from evalang.language.parser import MOST_MISTAKES, parse
from evalang.language.text import SourceText
from evalang.plans.build import build

SECONDS = 5.0  # of this process alone; in the time before, each took more
SIZE = LARGEST // 8


def _filled(line: str) -> str:
    """The line, numbered, up to the size."""
    return "".join(line.replace("#", str(i)) for i in range(SIZE // (len(line) + 5)))


def test_a_script_of_mistakes_is_read_up_to_the_thousandth() -> None:
    begun = time.process_time()
    _, findings = parse(SourceText("x.eval", _filled("compar svm vs knn\n")))
    assert time.process_time() - begun < SECONDS
    assert len(findings) == MOST_MISTAKES + 1
    assert "reading stops here" in findings[-1].message


def test_a_mistake_in_every_second_statement_stops_too() -> None:
    _, findings = parse(SourceText("x.eval", _filled("dataset d# from csv\ncompare a vs b on c\n")))
    assert len(findings) == MOST_MISTAKES + 1


@pytest.mark.parametrize(
    "text",
    [
        "compare " + " vs ".join(f"l{i}" for i in range(SIZE // 12)) + " on iris using 10cv\n",
        _filled('dataset dd# from csv "a.csv"\nlearner ll# is svn\n'),
        _filled('dataset dd# from csv "a.csv"\ncompare lx# vs knn on ddx# using 10cv\n'),
    ],
    ids=["learners nobody defined", "stages nobody knows", "datasets nobody defined"],
)
def test_unknown_names_are_not_compared_with_all_others(text: str) -> None:
    begun = time.process_time()
    lint(build(SourceText("x.eval", text)))
    assert time.process_time() - begun < SECONDS


def test_a_long_list_is_laid_out_in_one_go() -> None:
    """Looking ahead from each member copied all that came after it."""
    text = "compare " + " vs ".join(f"l{i}" for i in range(40_000)) + " on iris using 10cv\n"
    begun = time.process_time()
    laid_out = format_script(SourceText("x.eval", text))
    assert time.process_time() - begun < SECONDS
    assert laid_out.split() == text.split()


def test_includes_have_the_room_of_one_script(tmp_path: Path) -> None:
    lines = "# " + "x" * 400_000 + "\n"
    for i in range(3):
        (tmp_path / f"{i}.eval").write_text(lines)
    script = tmp_path / "a.eval"
    script.write_text("".join(f'include "{i}.eval"\n' for i in range(3)))
    found = [f.message for f in build(read_script(script)).findings]
    assert any("what it includes" in message for message in found)


def test_blocks_of_a_document_do_not_grow_as_a_square() -> None:
    text = ("text " * 200 + "\n```eval\n```\n") * 400  # 400 KB, and 80 MB of scripts with the blanks before them
    with pytest.raises(ScriptError, match="too many eval blocks"):
        list(extract(SourceText("x.md", text)))


def test_a_block_is_no_larger_than_a_script() -> None:
    with pytest.raises(ScriptError, match=r"an eval block of x\.md has"):
        list(extract(SourceText("x.md", "```eval\n" + "# " * LARGEST)))
