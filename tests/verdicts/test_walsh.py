"""Walsh averages by counting equal those by listing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalang.verdicts.arithmetic import signed_ranks as signed_rank


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=20), st.data())
def test_counting_equals_listing(values: list[int], data: st.DataObject) -> None:
    ordered = np.sort(np.array(values, dtype=float))
    pairs = sorted((ordered[i] + ordered[j]) / 2 for i in range(len(values)) for j in range(i, len(values)))
    rank = data.draw(st.integers(1, len(pairs)))
    assert signed_rank.walsh_averages(ordered, (rank,)) == (pairs[rank - 1],)
    assert signed_rank._by_counting(ordered, rank) == pytest.approx(pairs[rank - 1], abs=1e-12)


def test_pseudo_median_of_an_even_number_of_pairs() -> None:
    assert signed_rank.pseudo_median(np.array([0.0, 1.0, 5.0])) == 1.75
