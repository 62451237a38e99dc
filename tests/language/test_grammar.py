"""The grammar: no conflicts, found where it should be, every rule with a script that has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.errors import InternalError
from evalang.language import parser
from evalang.language.grammar import build_parser, grammar_path

from .scripts import bare_parser, statements


def test_no_conflicts() -> None:
    """Lark settles a conflict of rules, or of two patterns that match the same text, silently unless it is strict."""
    build_parser(strict=True)
    build_parser(strict=True, start="start")


def test_every_rule_has_a_good_script(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = {str(rule.origin.name) for rule in bare_parser().rules if not rule.origin.name.startswith("_")}
    texts = statements()
    monkeypatch.setattr(parser, "parser", bare_parser)
    trees = [parser.read_statement("x", text, 0, len(text)) for text in texts]
    assert rules - {"statement"} == {str(node.data) for tree in trees for node in tree.iter_subtrees()}


def test_found_in_the_package_or_the_checkout(tmp_path: Path) -> None:
    wheel, checkout = tmp_path / "a" / "evalang.lark", tmp_path / "b" / "evalang.lark"
    for path in (checkout, wheel):
        path.parent.mkdir()
        path.write_text("start:")
        assert grammar_path((wheel, checkout)) == path
    assert grammar_path().is_file()
    with pytest.raises(InternalError, match=r"evalang\.lark is missing"):
        grammar_path((tmp_path / "x",))
