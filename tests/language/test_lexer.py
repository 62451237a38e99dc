"""Our lexer gives the same tokens as Lark's contextual lexer."""

from __future__ import annotations

import pytest
from lark import Lark

from evalang.language.lexer import CLAUSE_WORDS, Lexer
from evalang.language.parser import Automaton

from .larks import contextual
from .scripts import statements


def ours(text: str) -> list[tuple[str, int, int]]:
    automaton = Automaton()
    found = []
    for token in Lexer("x", text).tokens(automaton.choices):
        automaton.feed(token)
        found.append((token.type, token.span.start, token.span.end))
    return found


@pytest.fixture(scope="module")
def lark() -> Lark:
    return contextual()


@pytest.mark.parametrize("text", statements())
def test_same_tokens_as_lark(lark: Lark, text: str) -> None:
    theirs = [(str(t.type), t.start_pos, t.end_pos) for t in lark.parse_interactive(text).iter_parse()]
    assert ours(text) == theirs


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("suite s is a, # one\n # two, three\n b", ["_COMMA"]),
        ('suite s is a, # one\n # two\n because "x"', ["CLAUSE_COMMA"]),
        ("suite s is a, time-b, control.c", ["_COMMA", "_COMMA"]),
        ("learner x is knn(p = 1, weights = 2)", ["_COMMA"]),
        ("learner x is knn, tune k in 1..2, weights in {1}, try 3", ["CLAUSE_COMMA", "_COMMA", "CLAUSE_COMMA"]),
        (
            "learner x is knn, tune k in 1..2, weights # why\n in # so\n log(1, 2, 3)",
            ["CLAUSE_COMMA", "_COMMA", "_COMMA", "_COMMA"],
        ),
        ("compare a vs in on d, control in, as in", ["CLAUSE_COMMA", "CLAUSE_COMMA"]),
        ("compare a vs b on d, all # of them\n pairs", ["CLAUSE_COMMA"]),
        ("compare a vs b on d, all-pairs", ["_COMMA"]),
        ("compare a vs b on d, e, all pairs", ["_COMMA", "CLAUSE_COMMA"]),
        ("compare a vs b on d, holm over datasets, learners, all pairs", ["CLAUSE_COMMA", "_COMMA", "CLAUSE_COMMA"]),
        ('results r from csv "r", datasets in "d", learners in "a", "b"', ["CLAUSE_COMMA", "CLAUSE_COMMA", "_COMMA"]),
    ],
)
def test_commas(lark: Lark, text: str, types: list[str]) -> None:
    theirs = [str(t.type) for t in lark.parse_interactive(text).iter_parse()]
    assert [kind for kind in theirs if kind.endswith("COMMA")] == types
    assert [kind for kind, _, _ in ours(text) if kind.endswith("COMMA")] == types


def test_clause_words_come_from_the_grammar() -> None:
    assert {"because", "using", "within", "yekutieli"} <= CLAUSE_WORDS
    assert all(word.isalpha() for word in CLAUSE_WORDS)


@pytest.mark.parametrize(
    ("text", "kind"),
    [("5x2cv", "FIVE_BY_TWO"), ("10x10cv", "RXKCV"), ("15x2cv", "RXKCV"), ("10cv", "CV"), ("1/3", None)],
)
def test_schemes(text: str, kind: str | None) -> None:
    if kind is None:
        assert ours(f"compare a vs b on d using holdout {text}")[-1][0] == "FRACTION"
    else:
        assert ours(f"compare a vs b on d using {text}")[-1][0] == kind
