"""Sentences that are written over several lines of source: no two words run together, none is torn for nothing."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import evalang

PACKAGE = Path(evalang.__file__).parent
LONGEST = 120
_LITERAL = re.compile(r"""([rbfRBF]*)("{3}|'{3}|"|')(.*)\2""", re.S)
Token = tokenize.TokenInfo


def neighbours(text: str) -> Iterator[tuple[Token, Token]]:
    """String literals that Python joins into one."""
    tokens = [
        t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type not in (tokenize.NL, tokenize.COMMENT)
    ]
    return ((a, b) for a, b in pairwise(tokens) if a.type == b.type == tokenize.STRING)


def parts(token: Token) -> tuple[str, str]:
    """Prefix and content."""
    found = _LITERAL.fullmatch(token.string)
    assert found is not None, token.string
    return found[1].lower(), found[3]


def faults(text: str) -> list[str]:
    """What is wrong where two literals meet."""
    found = []
    lines = text.split("\n")
    for first, second in neighbours(text):
        (one, before), (two, after) = parts(first), parts(second)
        at = f"line {first.start[0]}"
        if re.search(r"\w$", before) and re.match(r"\w", after):
            found.append(f"{at}: {before[-20:]!r} and {after[:20]!r} run together")
        if before.endswith(" ") and after.startswith(" "):
            found.append(f"{at}: two spaces")
        alone = (
            not lines[first.start[0] - 1][first.end[1] :].strip()
            and not lines[second.start[0] - 1][: second.start[1]].strip()
        )
        rest = len(lines[second.start[0] - 1]) - second.end[1]
        joined = first.end[1] + len(after) + rest + (two == "f" and one == "")
        plain = one == two or not re.search(r"[{}]", before if one == "" else after)
        same = first.string[-1] == second.string[-1] and "r" not in one + two
        if alone and same and plain and second.start[0] == first.end[0] + 1 and joined <= LONGEST:
            found.append(f"{at}: the next line fits behind {before[-20:]!r}")
    return found


def test_sentences_are_whole() -> None:
    found = {str(p.relative_to(PACKAGE)): faults(p.read_text(encoding="utf-8")) for p in PACKAGE.rglob("*.py")}
    assert len(found) > 100
    assert not {path: wrong for path, wrong in found.items() if wrong}


def test_the_faults_are_found() -> None:
    assert faults('x = (\n    "the data"\n    "set"\n)\n')[0].endswith("run together")
    assert any("two spaces" in f for f in faults('x = (\n    "the data "\n    " set"\n)\n'))
    assert any("fits behind" in f for f in faults('x = (\n    f"{a} folds "\n    "have none "\n    "of it"\n)\n'))
