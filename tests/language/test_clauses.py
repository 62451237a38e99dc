"""The table of clauses: every row fits the grammar, and tells the comma that ends a list from the one inside it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from evalang.language import grammar, parser
from evalang.language.format import format_script
from evalang.language.grammar import RESERVED, words
from evalang.language.nodes import ROWS, STATEMENT_WORDS, ClauseRow
from evalang.language.parser import parse
from evalang.language.text import SourceText

from .scripts import tree


@pytest.mark.parametrize("clause", ROWS.values(), ids=lambda clause: clause.rule)
def test_a_row_begins_as_its_rule_does(clause: ClauseRow) -> None:
    rule = re.search(rf"(?m)^{clause.rule}: (.*)$", grammar.grammar_text())
    assert rule is not None
    begins = tuple(f'"{form.split()[0]}"' for form in clause.begins.split(" | ") if form and form[0] != "0")
    assert not begins or rule[1].lstrip("(").startswith((*begins, "_method"))
    assert all(re.search(rf"(?m)^{statement}: ", grammar.grammar_text()) for statement in clause.statements.split())


def test_every_statement_begins_with_its_word() -> None:
    rules = re.search(r"(?s)\?statement: (.*?)\n\n", grammar.grammar_text())
    assert rules is not None
    begins = [re.search(rf'(?m)^{rule}: "(\w+)"', grammar.grammar_text()) for rule in re.findall(r"\w+", rules[1])]
    assert list(dict.fromkeys(one[1] for one in begins if one)) == list(STATEMENT_WORDS)
    assert set(STATEMENT_WORDS) < RESERVED


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ('suite s is a, # one\n # two\n because "x"', [True]),
        ("suite s is a, time-b, control.c", [False, False]),
        ("learner x is knn, tune k in 1..2, weights in {1}, try 3", [True, False, True]),
        ("learner x is knn, tune k in 1..2, weights # why\n in # so\n log(1, 2, 3)", [True, False, False, False]),
        ("compare a vs in on d, control in, as in", [True, True]),
        ("compare a vs b on d, e, all pairs", [False, True]),
        ("compare a vs b on d, holm over datasets, learners, all pairs", [True, False, True]),
        ('results r from csv "r", datasets in "d", learners in "a", "b"', [True, True, False]),
        ("compare a vs b on d, gap, until, primary, where", [False, False, False, False]),
        ("compare a vs b on d, gap 7 rows, until settled within 2 looks, primary f1", [True, True, True]),
        ("dataset d described as 500 rows, 2 classes", [True]),
    ],
)
def test_which_comma_ends_a_list(text: str, ending: list[bool]) -> None:
    assert [word.parting for word in words(text, 0, len(text)) if word.text == ","] == ending
    tree(text)


@pytest.mark.parametrize("clause", ["using 10cv", "by mcnemar, sign", 'because "x"'])
@pytest.mark.parametrize("head", ["compare a vs b", "compare all", "estimate this classifier a"])
def test_a_clause_may_stand_before_the_datasets(head: str, clause: str) -> None:
    usual = f"{head} on d, e {clause}, measuring recall"
    for text in (f"{head} {clause} on d, e, measuring recall", f"{head}, {clause}, measuring recall, on d, e"):
        assert tree(text) == tree(usual)
        assert format_script(SourceText("x", text)) == usual + "\n"


def test_datasets_that_are_missing_are_missed_before_the_clauses() -> None:
    _, (finding,) = parse(SourceText("x", "compare a vs b using 10cv, seed 1"))
    assert (finding.span.start, finding.message) == (15, "`using` does not fit here: expected `on` or `vs`")


Cached = Callable[[Path], Path]
build_once = cache(grammar.build_parser)  # it takes a second


@pytest.fixture
def cached(monkeypatch: pytest.MonkeyPatch) -> Cached:
    """Reads a script as a new process of a user with this cache folder does; returns where the parser is saved."""
    monkeypatch.setattr(grammar, "build_parser", build_once)

    def read(folder: Path) -> Path:
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
        monkeypatch.setattr(parser, "parser", cache(grammar.parser.__wrapped__))
        script, _ = parse(SourceText("x", "set seed 1"))
        assert len(script.statements) == 1
        return folder / "evalang" / "parser"

    return read


def test_the_parser_is_saved_for_the_user_alone(cached: Cached, tmp_path: Path) -> None:
    place = cached(tmp_path)
    (saved,) = place.iterdir()
    assert saved.name == grammar.saved_name()
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    saved.write_bytes(b"what another version left")
    cached(tmp_path)
    assert saved.stat().st_size > 1000


def test_a_folder_that_others_can_write_to_is_not_used(cached: Cached, tmp_path: Path) -> None:
    place = tmp_path / "evalang" / "parser"
    place.mkdir(parents=True)
    place.chmod(0o777)
    (place / grammar.saved_name()).write_bytes(b"never loaded")
    cached(tmp_path)
    assert (place / grammar.saved_name()).read_bytes() == b"never loaded"
    cached(Path(os.devnull))  # no folder can be made there


def test_threads_read_each_their_own_script() -> None:
    def read(number: int) -> set[str]:
        script, _ = parse(SourceText(f"{number}.eval", "compare a vs b on d using 10cv\n" * 20))
        return {statement.span.path for statement in script.statements}

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(read, range(40))) == [{f"{number}.eval"} for number in range(40)]
