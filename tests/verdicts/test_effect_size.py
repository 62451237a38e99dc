"""Effect sizes against R's effectsize and hand-made cases."""

from __future__ import annotations

import pytest

from evalang.verdicts.arithmetic.effect_sizes import effect_sizes
from tests.golden.load import Case, agrees, cases

NAMES = {
    "cohens_dz": "Cohen's dz",
    "cohens_dav": "Cohen's dav",
    "cohens_d_pooled": "Cohen's d (pooled)",
    "hedges_g_pooled": "Hedges' g (pooled)",
    "cliffs_delta": "Cliff's delta",
    "vargha_delaney_a12": "Vargha-Delaney A12",
    "rank_biserial_matched": "matched-pairs rank biserial",
}


@pytest.mark.parametrize("case", cases("effect_size"))
def test_golden(case: Case) -> None:
    found = {effect.name: effect.value for effect in effect_sizes(case["inputs"]["a"], case["inputs"]["b"])}
    agrees(case, **{key: found[name] for key, name in NAMES.items() if key in case["expected"]})


def test_swapping_mirrors() -> None:
    a, b = [3.0, 5.0, 4.0, 8.0], [2.0, 6.0, 1.0, 3.0]
    forward = {e.name: e.value for e in effect_sizes(a, b)}
    for effect in effect_sizes(b, a):
        mirrored = 1 - effect.value if effect.name == "Vargha-Delaney A12" else -effect.value
        assert mirrored == pytest.approx(forward[effect.name])


def test_a_constant_difference_has_no_dz() -> None:
    names = [effect.name for effect in effect_sizes([2.0, 3.0, 4.0], [1.0, 2.0, 3.0])]
    assert "Cohen's dz" not in names
    assert "Cliff's delta" in names
