"""Corrections against R's p.adjust and their definitions, and the contracts every one of them keeps."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalang.catalogue.corrections import CORRECTIONS, find_correction
from evalang.errors import TestError
from evalang.verdicts.correct import METHODS, adjust
from tests.golden.load import Case, cases

NAMES = {
    "bonferroni": "bonferroni", "holm": "holm", "hochberg": "hochberg", "hommel": "hommel", "bh": "bh",
    "by": "yekutieli", "sidak": "sidak",
}  # fmt: skip
PVALUES = st.lists(
    st.one_of(st.sampled_from([0.0, 0.01, 0.04, 0.05, 0.5, 1.0]), st.floats(0.0, 1.0)), min_size=1, max_size=12
)


@pytest.mark.parametrize("case", cases("p_adjust"))
def test_golden(case: Case) -> None:
    missing = [isinstance(p, float) and math.isnan(p) for p in case["inputs"]["p"]]
    given_p = [None if gone else p for p, gone in zip(case["inputs"]["p"], missing, strict=True)]
    for r_name, ours in NAMES.items():
        if r_name in case["expected"]:
            adjusted = adjust(given_p, ours)
            assert [p is None for p in adjusted] == missing
            expected = [p for p, gone in zip(case["expected"][r_name], missing, strict=True) if not gone]
            assert [p for p in adjusted if p is not None] == pytest.approx(expected, rel=case["rtol"], abs=case["atol"])


def test_sidak_keeps_tiny_pvalues() -> None:
    assert adjust([1e-305, 1e-20, 0.9], "sidak") == pytest.approx((3e-305, 3e-20, 0.999), rel=1e-12, abs=0)


def test_a_missing_pvalue_is_not_a_test() -> None:
    """statsmodels counts it: [.03, nan, .06]; R drops it."""
    assert adjust([0.01, None, 0.03], "holm") == (0.02, None, 0.03)
    assert adjust([None, None], "hommel") == (None, None)
    assert adjust([], "bh") == ()


@settings(deadline=None)
@given(PVALUES, st.sampled_from(sorted(METHODS)))
def test_contracts(pvalues: list[float], method: str) -> None:
    adjusted = adjust(pvalues, method)
    assert all(raw <= p <= 1.0 for raw, p in zip(pvalues, adjusted, strict=True))
    for (raw, p), (other, q) in itertools.combinations(zip(pvalues, adjusted, strict=True), 2):
        assert (raw <= other and p <= q) or (raw >= other and p >= q)
    order = list(range(len(pvalues)))[::-1]
    assert adjust([pvalues[i] for i in order], method) == tuple(adjusted[i] for i in order)


def by_definition(pvalues: list[float], method: str) -> list[float]:
    """Each adjusted p from its definition over all ordered p-values, in plain loops."""
    m, ordered = len(pvalues), sorted(pvalues)
    harmonic = sum(1 / i for i in range(1, m + 1))
    up = {
        "hochberg": lambda rank, p: (m - rank + 1) * p,
        "bh": lambda rank, p: m * p / rank,
        "yekutieli": lambda rank, p: harmonic * m * p / rank,
    }
    found = []
    for own in pvalues:
        if method == "bonferroni":
            value = m * own
        elif method == "holm":
            value = max((m - i) * p for i, p in enumerate(ordered) if p <= own)
        else:
            value = min(up[method](i + 1, p) for i, p in enumerate(ordered) if p >= own)
        found.append(min(1.0, value))
    return found


@settings(deadline=None, max_examples=60)
@given(PVALUES, st.sampled_from(["bonferroni", "holm", "hochberg", "bh", "yekutieli"]), st.integers(0, 4))
def test_every_p_is_what_its_definition_says_and_a_planned_test_counts(
    pvalues: list[float], method: str, lost: int
) -> None:
    expected = by_definition(pvalues + [1.0] * lost, method)[: len(pvalues)]
    assert adjust(pvalues, method, planned=len(pvalues) + lost) == pytest.approx(expected, rel=1e-9, abs=1e-15)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=6), st.floats(0.001, 0.2))
def test_hommel_is_the_closed_simes_test(pvalues: list[float], alpha: float) -> None:
    """Rejected exactly when every subset that holds the hypothesis is rejected by Simes' inequality."""
    m = len(pvalues)
    for i, p in enumerate(adjust(pvalues, "hommel")):
        if abs(p - alpha) < 1e-9:
            continue
        subsets = (s for size in range(1, m + 1) for s in itertools.combinations(range(m), size) if i in s)
        rejected = all(
            any(x <= (rank + 1) * alpha / len(s) for rank, x in enumerate(sorted(pvalues[j] for j in s)))
            for s in subsets
        )
        assert (p <= alpha) == rejected


@pytest.mark.parametrize("entry", CORRECTIONS, ids=lambda e: e.name)
@pytest.mark.parametrize("m", [1, 2, 7, 40])
def test_first_level_is_where_equal_pvalues_turn(entry, m: int) -> None:
    """At the card's level the smallest of m equal p-values is rejected at 0.05, just above it is not."""
    level = entry.first_level(0.05, m)
    assert adjust([level * (1 - 1e-9)] * m, entry.name)[0] <= 0.05
    assert adjust([level * (1 + 1e-9)] * m, entry.name)[0] > 0.05


@pytest.mark.parametrize("entry", CORRECTIONS, ids=lambda e: e.name)
@pytest.mark.parametrize("m", [1, 2, 7, 40])
def test_alone_level_is_where_a_single_small_pvalue_turns(entry, m: int) -> None:
    level = entry.alone_level(0.05, m)
    assert adjust([level, *[1.0] * (m - 1)], entry.name)[0] == pytest.approx(0.05, rel=1e-9)


def test_every_card_has_a_method_and_every_method_a_card() -> None:
    assert [entry.name for entry in CORRECTIONS] == list(METHODS)
    assert find_correction("holm").stepwise
    assert find_correction("tukey") is None


@pytest.mark.parametrize(("pvalues", "words"), [([0.5, math.nan], "p-value 2 is nan"), ([1.5], "not from 0 to 1")])
def test_bad_pvalues_are_named(pvalues: list[float], words: str) -> None:
    with pytest.raises(TestError, match=words):
        adjust(pvalues, "holm")


def test_unknown_correction_names_the_choices() -> None:
    with pytest.raises(TestError, match="tukey") as found:
        adjust([0.1], "tukey")
    assert "holm" in found.value.hint
