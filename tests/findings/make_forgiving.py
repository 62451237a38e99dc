"""Writes docs/confusion/forgiving.md, what faults hide and what spellings give: python -m tests.findings.make_forgiving

What was hidden before is kept in docs/confusion/hidden_before.csv, measured on the code before the rules were touched.
"""

from __future__ import annotations

import csv
from pathlib import Path

from evalang.findings.fix import repair
from evalang.language.text import SourceText

from .advice import DESIGNS
from .scripts import PATH, linted
from .test_hidden import BASE, FAULTS, RICH, Fault
from .test_spellings import ACCEPTED, ANSWERED, EXPLAINED, REPAIRED, SENTENCE

FOLDER = Path(__file__).parents[2] / "docs" / "confusion"
PAGE = FOLDER / "forgiving.md"
BEFORE = FOLDER / "hidden_before.csv"
_HIDDEN = """\
# Faults, spellings and advice

<!-- Made by tests/findings/make_forgiving.py. Do not edit. -->

## What a fault hides

One design with {base} findings, and one fault after the other put into it (`tests/findings/test_hidden.py`). Before, a
script that could not be planned was not judged at all. What is still hidden is about the very thing that is gone.

| fault | hid before | hides now |
|---|---|---|
"""
_SPELLINGS = """
## Spellings that people bring along

{accepted} are accepted as they are, {repaired} are repaired by `--fix`, {answered} are answered with what to write.
What `--fix` repairs is judged as what it means before that too, by every rule (`tests/findings/test_spellings.py`), and
`plan` shows the plan that is meant; `run` starts nothing and says that `evalang lint --fix` repairs it; after the
repair it runs. What is only answered is never rewritten, and does not run (`tests/cli/test_spellings.py` takes each
through all four commands). The sentence they stand in is `{sentence}`.

| written | gives |
|---|---|
"""
_EXPLAINED = """
## Words that `evalang explain` finds

"""
_ADVICE = """
## Advice, followed to the letter

Every help and every repair is applied as written to every bad script of every rule, and to a grid of {designs} designs
(schemes by tests, metrics, kinds of data, tables, claims and estimates): the finding has to go, and no other error or
warning may come. Every way of a help ("..., or ...") is taken. `python -m tests.findings.test_advice`
takes the whole grid. What only the author can do, such as finding more datasets, is left to the author.
"""


def page() -> str:
    """The page."""
    with BEFORE.open(encoding="utf-8", newline="") as file:
        before = {row["fault"]: row["hidden"].split() for row in csv.DictReader(file)}
    hidden = [f"| {fault.title} | {_shown(before[fault.title])} | {_shown(_hidden(fault))} |" for fault in FAULTS]
    head = _HIDDEN.format(base=len(BASE))
    count = {"accepted": len(ACCEPTED), "repaired": len(REPAIRED), "answered": len(ANSWERED)}
    spellings = _SPELLINGS.format(**count, sentence=SENTENCE.splitlines()[-1])
    return "\n".join(
        [
            head + "\n".join(hidden),
            spellings + "\n".join(_written()),
            _EXPLAINED + ", ".join(f"`{word}`" for word in EXPLAINED) + ".",
            _ADVICE.format(designs=len(DESIGNS)),
        ]
    )


def _hidden(fault: Fault) -> list[str]:
    text = RICH.replace(fault.words, fault.instead, 1)
    return sorted(BASE - {f.code for f in linted(text).findings if f.level != "note"})


def _shown(codes: list[str]) -> str:
    return f"all {len(codes)}" if len(codes) > 10 else ", ".join(codes) or "nothing"


def _written() -> list[str]:
    rows = [f"| {_code(_apart(text, SENTENCE)[0])} | accepted |" for text in ACCEPTED]
    for text in REPAIRED:
        written, new = _apart(text, repair(SourceText(PATH, text), select=("EV0",)))
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
