"""Known defects of other packages, each with the right answer from ours (the list of docs/peers.md)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evalang.catalogue.tests import find_test
from evalang.verdicts.correct import METHODS, adjust
from evalang.verdicts.tests.rank_tests import critical_difference, friedman
from tests.peers.lines import LINES, NOT_HERE, Line, answer
from tests.peers.make_table import PAGE


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.number}-{line.package}")
def test_ours_is_right(line: Line) -> None:
    got = answer(line.ours)
    assert line.is_right(got), got


def test_every_number_of_the_list_is_accounted_for() -> None:
    assert {line.number for line in LINES} | set(NOT_HERE) == set(range(1, 41))


def test_the_page_lists_every_case() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for line in LINES:
        assert f"| {line.number} | {line.situation.replace('|', chr(92) + '|')} |" in page


def test_13_the_uncorrected_resampled_t_points_to_the_corrected_one() -> None:
    """mlxtend #376: offered without a warning."""
    card = find_test("resampled-t")
    assert card.instead == "Use corrected-t."
    assert card.questions == ()


@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize("p", [0.0, 1e-300, 1.0])
def test_40_all_or_none_significant(method: str, p: float) -> None:
    """goatools #281: Holm crashed when all or none are significant."""
    adjusted = adjust([p] * 5, method)
    assert len(set(adjusted)) == 1
    assert adjusted[0] <= 1.0


def test_39_critical_difference_has_its_square_root_of_two() -> None:
    """denovo_benchmarks #84; Demsar 2006 table 5: q = 2.569 for four learners at .05."""
    assert critical_difference(4, 14) == pytest.approx(2.569 * math.sqrt(4 * 5 / (6 * 14)), rel=2e-4)


def test_31_ties_of_many_learners_in_whole_numbers() -> None:
    """One learner of 3,000 ahead on all four datasets, the others tied."""
    scores = np.full((4, 3000), 0.5)
    scores[:, 0] = 0.9
    result = friedman(scores)
    # The tied ranks are one group of k - 1: all datasets agree, so W = 1 and chi-squared = N (k - 1).
    assert result.effect.value == pytest.approx(1.0, rel=1e-12)
    assert result.statistic == pytest.approx(4 * 2999, rel=1e-12)
