"""Effect sizes against R."""

from __future__ import annotations

import numpy as np
import pytest

from evalang.verdicts.arithmetic.differences import differences
from evalang.verdicts.arithmetic.signed_ranks import rank_biserial, superiority
from evalang.verdicts.arithmetic.tails import cohen_dz
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", cases("effect_size"))
def test_golden(case: Case) -> None:
    a, b = (np.array(case["inputs"][key], dtype=float) for key in ("a", "b"))
    d = differences(a, b)
    found = {"cohens_dz": cohen_dz(d).value, "rank_biserial_matched": rank_biserial(d).value}
    agrees(case, **{key: value for key, value in found.items() if key in case["expected"]})
    assert rank_biserial(differences(b, a)).value == -rank_biserial(d).value


def test_a_tie_is_half_a_win() -> None:
    assert superiority(3, 2, 5).value == 0.4
