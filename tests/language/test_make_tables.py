"""tables.json is what make_tables writes for the grammar as it stands, and our walk through it is Lark's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Tree
from lark import Token as lark_token

from evalang.language import lexer, parser
from evalang.language.build_nodes import NodePart
from evalang.language.grammar import grammar_path
from evalang.language.lexer import TABLES, Lexer, Token
from evalang.language.make_tables import build
from evalang.language.make_tables import tables as written
from evalang.language.parser import Automaton
from evalang.language.text import Span

from .larks import contextual
from .scripts import statements


def test_tables_match_the_grammar() -> None:
    assert Path(TABLES).read_text(encoding="utf-8") == written(build()), "run: python docs/make_all.py"


def test_an_edited_grammar_is_made_into_tables_at_once(tmp_path: Path) -> None:
    """Tables of the grammar as it is are taken as they were saved; of another, and only then, Lark makes new ones."""
    edited = tmp_path / "evalang.lark"
    edited.write_bytes(grammar_path().read_bytes())
    old = tmp_path / "tables.json"
    old.write_text(Path(TABLES).read_text("utf-8").replace('"vs"', '"against-all"'), encoding="utf-8")
    assert "against-all" in lexer._read(str(old), str(edited))["words"]
    edited.write_bytes(edited.read_bytes() + b"\n")
    assert lexer._read(str(old), str(edited)) == json.loads(Path(TABLES).read_text("utf-8"))
    assert "against-all" in lexer._read(str(old), str(tmp_path / "none.lark"))["words"]


def test_same_tables_whatever_the_hash_seed() -> None:
    code = "import sys, evalang.language.make_tables as m; sys.stdout.buffer.write(m.tables(m.build()).encode())"
    seeds = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    ]
    assert seeds[0] == seeds[1] == Path(TABLES).read_bytes()


@pytest.fixture(scope="module")
def lark() -> Lark:
    return contextual()


@pytest.mark.parametrize("text", statements())
def test_what_may_follow_is_what_lark_says(lark: Lark, text: str) -> None:
    """After every token, our walk through the tables takes the tokens that Lark's own takes."""
    automaton = Automaton()
    theirs: Any = lark.parse_interactive()
    assert automaton.accepts() == theirs.accepts()
    for token in Lexer("x", text).tokens(automaton.choices):
        automaton.feed(token)
        theirs.feed_token(lark_token(token.type, token.text))
        assert automaton.accepts() == theirs.accepts()


def test_the_walk_makes_the_tree_that_lark_makes(lark: Lark, monkeypatch: pytest.MonkeyPatch) -> None:
    built = {rule: partial(_bare, rule) for rule in parser._BUILD}
    monkeypatch.setattr(parser, "_BUILD", built)
    monkeypatch.setattr(parser, "_rules", [None] * len(parser._rules))
    for text in statements():
        ours = parser.read_statement("x", text, 0, len(text))
        tree = lark.parse(text)
        assert isinstance(tree, Tree)
        assert ours.value == _shape(tree)
        assert text[ours.span.start : ours.span.end].split() == text[: ours.span.end].split()


def _bare(rule: str, span: Span, children: list[Any]) -> NodePart:
    """A node that keeps what it is made of, so that nothing hides in what the builders make of it."""
    return NodePart(span, (rule, [c.text if isinstance(c, Token) else c.value for c in children]))


def _shape(tree: Any) -> Any:
    if not isinstance(tree, Tree):
        return str(tree)
    kept = [c for c in tree.children if isinstance(c, Tree) or c.type[0] != "_"] or tree.children
    return str(tree.data), [_shape(c) for c in kept]


def test_reserved_words() -> None:
    """The statement words and the twelve others that are never names."""
    assert {
        "dataset",
        "suite",
        "learner",
        "results",
        "predictions",
        "compare",
        "estimate",
        "claim",
        "simulate",
        "report",
        "set",
        "include",
        "vs",
        "on",
        "using",
        "by",
        "because",
        "from",
        "is",
        "over",
        "at",
        "measuring",
    } == lexer.RESERVED
