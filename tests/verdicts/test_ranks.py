"""Ranks: average ranks of real ties, whatever the last bit says."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from evalang.verdicts.arithmetic import ranks
from evalang.verdicts.arithmetic.ranks import doubled_ranks

TABLES = hnp.arrays(np.int64, st.tuples(st.integers(1, 6), st.integers(1, 9)), elements=st.integers(-4, 4))


@given(TABLES, st.booleans())
def test_twice_the_average_ranks_of_scipy(table: np.ndarray, descending: bool) -> None:
    found, ties = doubled_ranks(table.astype(float), descending=descending)
    assert (found == 2 * stats.rankdata(-table if descending else table, axis=1)).all()
    counts = [int(c) for row in table for c in np.unique(row, return_counts=True)[1]]
    assert ties == sum(c**3 - c for c in counts)


def test_last_bits_are_ties() -> None:
    found, ties = doubled_ranks(np.array([[0.1 + 0.2, 0.3, 0.7 - 0.4]]))
    assert found.tolist() == [[4, 4, 4]]
    assert ties == 24


def test_blocks_change_nothing(monkeypatch) -> None:
    table = np.random.default_rng(0).integers(0, 9, (50, 7)).astype(float)
    whole = doubled_ranks(table)
    monkeypatch.setattr(ranks, "BLOCK", 20)
    again = doubled_ranks(table)
    assert (again[0] == whole[0]).all()
    assert again[1] == whole[1]
