"""Every good script can be coloured, and nothing of it is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygments")

from pygments.token import Comment, Error, Keyword, Name, Number, String

from evalang.editor.pygments_lexer import EvalangLexer

from ..language.scripts import GOOD


@pytest.mark.parametrize("path", GOOD, ids=lambda p: p.stem)
def test_good_scripts(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tokens = list(EvalangLexer(stripnl=False).get_tokens(text))
    assert "".join(value for _, value in tokens) == text
    marks = [value for kind, value in tokens if kind is Error and value.isascii()]
    assert not marks


def test_kinds() -> None:
    text = 'compare a vs on-x on "d e" using 5x2cv, tune on 20% # why\n'
    found = {value: kind for kind, value in EvalangLexer().get_tokens(text)}
    assert found["compare"] is Keyword.Declaration
    assert found["vs"] is Keyword
    assert found["a"] is Name
    assert found["on-x"] is Name
    assert found['"d e"'] is String.Double
    assert found["5x2cv"] is Name.Builtin
    assert found["20%"] is Number
    assert found["# why"] is Comment.Single
