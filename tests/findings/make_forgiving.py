"""Writes docs/confusion/forgiving.md, what becomes of frequent spellings: python -m tests.findings.make_forgiving"""

from __future__ import annotations

from pathlib import Path

from evalang.findings.fix import repair
from evalang.language.text import SourceText

from .scripts import PATH, linted
from .test_spellings import ACCEPTED, ANSWERED, EXPLAINED, REPAIRED, SENTENCE, spelling

PAGE = Path(__file__).parents[2] / "docs" / "confusion" / "forgiving.md"
_SPELLINGS = """\
# Spellings from other tools

<!-- Made by tests/findings/make_forgiving.py. Do not edit. -->

**Summary.** This page lists frequent spellings from other tools and papers. evalang accepts {accepted} of them.
`evalang lint --fix` repairs {repaired} others, which `run` rejects until you repair them. For the last {answered} the
error message says what to write. Each spelling replaces a part of the script `{sentence}`.

| you write | evalang |
|---|---|
"""
_EXPLAINED = """
## Words that `evalang explain` finds

"""


def page() -> str:
    """The page."""
    count = {"accepted": len(ACCEPTED), "repaired": len(REPAIRED), "answered": len(ANSWERED)}
    spellings = _SPELLINGS.format(**count, sentence=SENTENCE.splitlines()[-1])
    explained = ", ".join(f"`{word}`" for word in EXPLAINED)
    return spellings + "\n".join(_written()) + f"\n{_EXPLAINED}{explained}.\n"


def _written() -> list[str]:
    rows = [f"| {_code(_apart(text, SENTENCE)[0])} | accepted |" for text in ACCEPTED]
    for text in REPAIRED:
        written, new = _apart(text, repair(SourceText(PATH, text), spelling))
        rows.append(f"| {_code(written)} | `--fix` writes {_code(new)} |")
    for text in ANSWERED:
        (help,) = [f.help for f in linted(text).findings if f.code in ("EV001", "EV002", "EV005", "EV006", "EV007")]
        rows.append(f"| {_code(_apart(text, SENTENCE)[0])} | {help.replace('|', chr(92) + '|')} |")
    return rows


def _code(text: str) -> str:
    return "`` " + text.replace("|", "\\|") + " ``"


def _apart(text: str, other: str) -> tuple[str, str]:
    """Where two texts differ: the words of the first and those of the second, with the words around them."""
    one, two = text.replace("\n", " ⏎ ").split(), other.replace("\n", " ⏎ ").split()
    start = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    left = min(len(one), len(two)) - start
    ends = zip(one[::-1][:left], two[::-1][:left], strict=True)
    end = next((i for i, (a, b) in enumerate(ends) if a != b), left)
    begin = max(0, start - 1 - (start == len(two)))
    return _cut(one[begin : len(one) - end + 1]), _cut(two[begin : len(two) - end + 1])


def _cut(words: list[str]) -> str:
    return " ".join(words).strip(", ⏎").replace(" ⏎ ", "; ")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
