"""kfold-t against R."""

from __future__ import annotations

import pytest

from evalang.errors import TestError
from evalang.verdicts.tests.t_tests import kfold_t
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", cases("kfold_cv_t"))
def test_agrees_with_r(case: Case) -> None:
    found = kfold_t(case["inputs"]["errors_a"], case["inputs"]["errors_b"])
    agrees(case, statistic=found.statistic, df=found.df[0], p_two_sided=found.pvalue)


def test_several_partitions_are_noted() -> None:
    found = kfold_t([[0.8, 0.7], [0.6, 0.9]], [[0.7, 0.7], [0.5, 0.6]])
    assert found.n_units == 4
    assert "2 partitions test every row 2 times" in found.notes[0]


def test_one_fold_is_refused() -> None:
    with pytest.raises(TestError, match="kfold-t needs at least 2 folds, and there is 1"):
        kfold_t([0.5], [0.4])
