"""However a design is written, the rules say the same of it; every eighth script is tried."""

from __future__ import annotations

from collections import Counter

import pytest

from .cases import Case, all_cases
from .mutants import MUTATIONS, differences, mutants, plain

SHARE = 8
CASES = all_cases()


@pytest.mark.parametrize("case", CASES[::SHARE], ids=str)
def test_it_is_judged_the_same_however_it_is_written(case: Case) -> None:
    assert list(differences(case)) == []


def test_every_mutation_is_tried_on_bad_and_good_scripts() -> None:
    tried = Counter((one.name, case.bad) for case in CASES[::SHARE] for one, _ in mutants(plain(case)))
    assert all(tried[mutation.name, bad] for mutation in MUTATIONS for bad in (True, False)), tried
