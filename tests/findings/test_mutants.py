"""However a design is written, the rules say the same of it; every fifth script is tried."""

from __future__ import annotations

from collections import Counter

import pytest

from .cases import FAMILIES, SCRIPTS, Case, cases
from .mutants import MUTATIONS, codes, differences, mutants, plain

SHARE = 5
CASES = tuple(case for family in FAMILIES for path in sorted((SCRIPTS / family).glob("*.eval")) for case in cases(path))


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
