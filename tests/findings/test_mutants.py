"""However a design is written, the rules say the same of it.

The suite takes every fifth script, each time another fifth of a rule's; `python -m tests.findings.test_mutants` takes
all of them and writes docs/confusion/mutants.md.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from .cases import FAMILIES, SCRIPTS, Case, cases
from .mutants import MUTATIONS, codes, differences, mutants, plain

PAGE = Path(__file__).parents[2] / "docs" / "confusion" / "mutants.md"
SHARE = 5
CASES = tuple(case for family in FAMILIES for path in sorted((SCRIPTS / family).glob("*.eval")) for case in cases(path))
_HEAD = """\
# Designs written otherwise

<!-- Made by `python -m tests.findings.test_mutants`. Do not edit. -->

Every small script of every rule, the bad ones and the near misses on which it stays silent, is written otherwise, and
the rules have to say of it what they said before: the same codes, as often. {scripts} scripts of {rules} rules give
{mutants} mutants; {wrong} of them are judged otherwise.

| mutation | mutants of bad scripts | of good ones | judged otherwise |
|---|---|---|---|
"""


@pytest.mark.parametrize("case", CASES[::SHARE], ids=str)
def test_it_is_judged_the_same_however_it_is_written(case: Case) -> None:
    assert list(differences(case)) == []


def test_every_mutation_is_tried_on_bad_and_good_scripts() -> None:
    tried = Counter((one.name, case.bad) for case in CASES[::SHARE] for one, _ in mutants(plain(case)))
    assert all(tried[mutation.name, bad] for mutation in MUTATIONS for bad in (True, False)), tried


def test_a_mutant_that_says_less_is_noticed() -> None:
    """The measure itself: without its fault a bad script is another one."""
    (bad, *_) = (case for case in CASES if case.rule == "best-of-seeds" and case.bad)
    base = plain(bad)
    assert codes(base) != codes(plain(Case(**{**vars(bad), "text": bad.text.replace("seed 2", "seed 1")})))


def page() -> str:
    """The page, from all scripts."""
    tried: Counter[tuple[str, bool]] = Counter()
    wrong: Counter[str] = Counter()
    for case in CASES:
        tried.update((one.name, case.bad) for one, _ in mutants(plain(case)))
        wrong.update(name for name, _, _ in differences(case))
    names = dict.fromkeys(name for name, _ in tried)
    rows = [f"| {name} | {tried[name, True]} | {tried[name, False]} | {wrong[name]} |" for name in names]
    counts = {"scripts": len(CASES), "rules": len({case.rule for case in CASES})}
    head = _HEAD.format(**counts, mutants=f"{tried.total():,}", wrong=wrong.total())
    return head + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
