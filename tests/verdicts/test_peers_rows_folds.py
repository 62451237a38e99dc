"""What other packages got wrong on rows and folds, held as tests of our own answer.

The numbers are the lines of section 5 of the reliability design (peers' defects). Not here: 12 (names of variables),
18-20 and 22-29 (corrections and tests over datasets, in their own files), 31-38 and 40 (post-hocs, plots, reports).
"""

from __future__ import annotations

import numpy as np
import pytest

from evalang.catalogue.tests import find_test
from evalang.errors import TestError
from evalang.verdicts.tests.cochran_q import cochran_q
from evalang.verdicts.tests.five_by_two import five_by_two_f, five_by_two_t
from evalang.verdicts.tests.kfold_t import kfold_t
from evalang.verdicts.tests.mcnemar import mcnemar, mcnemar_counts
from evalang.verdicts.tests.permutation import permutation
from evalang.verdicts.tests.row_t import row_t

SAME = np.array([1, 0, 1, 1, 0, 1, 1, 1], dtype=bool)


def test_line_1_permutation_counts_ties() -> None:
    """mlxtend #718, #838: arrangements as large as the observed one count. d = 1, 1: two of four sums reach |2|."""
    assert permutation([1, 1], [0, 0]).pvalue == 0.5


def test_line_2_cells_are_not_swapped() -> None:
    """mlxtend #664, #988: the first learner right and the second wrong is a win of the first."""
    found = mcnemar([1, 1, 1, 0], [0, 0, 1, 1])
    assert dict(found.details) == {"n01": 1.0, "n10": 2.0}
    assert (found.wins, found.losses) == (2, 1)


def test_line_3_exact_is_exact() -> None:
    """mlxtend #989: exact=True returned chi-squared."""
    found = mcnemar_counts(4, 6, form="mcnemar-exact")
    assert found.pvalue == pytest.approx(0.75390625, rel=1e-14)
    assert found.statistic_name != "chi-squared"


@pytest.mark.parametrize("k", [0, 1, 2, 3, 10, 50])
def test_lines_4_and_26_no_p_above_one(k: int) -> None:
    """mlxtend #851; scipy #26028, #26030: doubling a tail may not pass 1."""
    for form in ("mcnemar", "mcnemar-exact", "mcnemar-midp"):
        p = mcnemar_counts(k, k, form=form).pvalue
        assert p is not None
        assert p <= 1.0
    assert mcnemar_counts(k, k, form="mcnemar-exact").pvalue == 1.0


def test_line_5_exact_with_millions_of_rows() -> None:
    """mlxtend #306: no overflow, agrees with R's pbinom."""
    assert mcnemar_counts(1_000_000, 1_003_000, form="mcnemar-exact").pvalue == pytest.approx(
        0.0340883650794394, rel=1e-6
    )


@pytest.mark.parametrize("correction", [True, False])
def test_lines_6_and_14_no_disagreement_is_p_one(correction: bool) -> None:
    """mlxtend and statsmodels: b = c = 0 gives infinity and p = 0."""
    found = mcnemar_counts(0, 0, correction=correction, exact_below=0)
    assert (found.statistic, found.pvalue) == (0.0, 1.0)
    assert found.notes


@pytest.mark.parametrize("k", [1, 3, 6])
def test_lines_7_and_15_correction_is_dropped_when_the_counts_are_equal(k: int) -> None:
    """mlxtend: b = c = 1 gives .5 and .48; statsmodels: b = c = 3 gives .167 and .68. R: 0 and 1."""
    found = mcnemar_counts(k, k, exact_below=0)
    assert (found.statistic, found.pvalue) == (0.0, 1.0)


def test_lines_8_to_10_equal_learners_on_folds() -> None:
    """mlxtend: nan for 5x2cv t and k-fold t, ZeroDivisionError for the F test."""
    halves, folds = np.full((5, 2), 0.75), np.linspace(0.7, 0.9, 10)
    for found in (five_by_two_t(halves, halves), five_by_two_f(halves, halves), kfold_t(folds, folds)):
        assert (found.statistic, found.pvalue, found.difference) == (0.0, 1.0, 0.0)
        assert found.notes


def test_lines_11_and_21_cochran_with_nothing_to_compare() -> None:
    """mlxtend and statsmodels: nan for identical learners and for all right."""
    for table in (np.stack([SAME] * 3, axis=1), np.ones((9, 3), dtype=bool), np.zeros((9, 3), dtype=bool)):
        found = cochran_q(table)
        assert (found.statistic, found.pvalue) == (0.0, 1.0)
        assert found.notes


def test_line_13_the_uncorrected_resampled_t_points_to_the_corrected_one() -> None:
    """mlxtend #376: offered without a word."""
    card = find_test("resampled-t")
    assert card is not None
    assert card.instead == "corrected-t"
    assert not card.tolerates_overlap
    assert card.questions == ()


def test_line_16_exact_p_against_r() -> None:
    """statsmodels #950. R: binom.test(1, 8)$p.value = 0.0703125."""
    assert mcnemar_counts(1, 7, form="mcnemar-exact").pvalue == pytest.approx(0.0703125, rel=1e-14)


def test_line_17_a_third_outcome_is_refused() -> None:
    """statsmodels #9485: a 3 x 3 table was cut to 2 x 2 without a word."""
    with pytest.raises(TestError, match="first has 2 at unit 3"):
        mcnemar([0, 1, 2], [0, 1, 1])


def test_line_30_no_variance() -> None:
    """scipy ttest_rel: nan for zero differences; infinity and p = 0 for a constant one."""
    assert row_t([0.5, 0.6, 0.7], [0.5, 0.6, 0.7]).pvalue == 1.0
    with pytest.raises(TestError, match="no variance") as caught:
        row_t([0.6, 0.7, 0.8], [0.5, 0.6, 0.7])
    assert "sign test" in caught.value.hint
    for test in (five_by_two_f, five_by_two_t):  # folds share their rows: no test on signs is offered for them (EV304)
        with pytest.raises(TestError, match="no variance") as caught:
            test(np.full((5, 2), 0.6), np.full((5, 2), 0.5))
        assert "sign" not in caught.value.hint


def test_line_39_missing_scores_never_become_a_result() -> None:
    """baycomp, autorank: NaN in, NaN (or a rejection) out."""
    with pytest.raises(TestError, match="missing score at unit 1"):
        kfold_t([float("nan"), 0.5, 0.6], [0.4, 0.5, 0.7])
