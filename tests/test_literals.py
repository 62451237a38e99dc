"""Sentences that are written over several lines of source: no two words run together."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import evalang

PACKAGE = Path(evalang.__file__).parent
_LITERAL = re.compile(r"""([rbfRBF]*)("{3}|'{3}|"|')(.*)\2""", re.S)
Token = tokenize.TokenInfo


def neighbours(text: str) -> Iterator[tuple[Token, Token]]:
    """String literals that Python joins into one."""
    tokens = [
        t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type not in (tokenize.NL, tokenize.COMMENT)
    ]
    return ((a, b) for a, b in pairwise(tokens) if a.type == b.type == tokenize.STRING)


def faults(text: str) -> list[str]:
    """What is wrong where two literals meet."""
    found = []
    for first, second in neighbours(text):
        before, after = (_LITERAL.fullmatch(token.string)[3] for token in (first, second))  # type: ignore[index]
        if re.search(r"\w$", before) and re.match(r"\w", after):
            found.append(f"line {first.start[0]}: {before[-20:]!r} and {after[:20]!r} run together")
        if before.endswith(" ") and after.startswith(" "):
            found.append(f"line {first.start[0]}: two spaces")
    return found


def test_sentences_are_whole() -> None:
    texts = {str(path.relative_to(PACKAGE)): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    several = {path: text for path, text in texts.items() if re.search(r"""["']\s+[rbfRBF]*["']""", text)}
    found = {path: faults(text) for path, text in several.items()}
    assert len(found) > 20
    assert not {path: wrong for path, wrong in found.items() if wrong}


def test_the_faults_are_found() -> None:
    assert faults('x = (\n    "the data"\n    "set"\n)\n')[0].endswith("run together")
    assert any("two spaces" in f for f in faults('x = (\n    "the data "\n    " set"\n)\n'))
