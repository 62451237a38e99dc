"""t tests on datasets, rows, folds and partitions: intervals, notes, and refusals that say why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evalang.errors import TestError
from evalang.verdicts.arithmetic.tails import Sided, t_pvalue
from evalang.verdicts.tests.partition_tests import averaged_t, enough_partitions, five_by_two_f, five_by_two_t
from evalang.verdicts.tests.t_tests import corrected_t, kfold_t, paired_t, row_t, tost

from ..support.tables import run_on

ZEROS = np.zeros((5, 2))


def test_difference_is_the_mean_and_signs_are_noted() -> None:
    d = np.full((5, 2), -0.02)
    d[0, 0], d[1, 1] = 0.01, -0.05
    found = five_by_two_t(d, ZEROS)
    assert found.difference == pytest.approx(d.mean())
    assert dict(found.details)["first_difference"] == 0.01
    assert "signs differ" in found.notes[0]


def test_enough_on_both_sides() -> None:
    """A clear 'no difference' is settled too, which the printed one-sided rule never says."""
    clear_no = enough_partitions([0.1, -0.1, 0.05, -0.05, 0.0], df=9)
    clear_yes = enough_partitions([8.0, 8.1, 7.9, 8.05, 7.95], df=9)
    unclear = enough_partitions([1.0, 4.0, 0.5, 3.8, 2.0], df=9)
    assert clear_no.enough
    assert clear_yes.enough
    assert not unclear.enough
    assert clear_no.statistic < 0


def test_partitions_of_five_by_two() -> None:
    rng = np.random.default_rng(0)
    d = rng.normal(0.01, 0.02, (7, 5, 2))
    found = averaged_t(d, np.zeros_like(d))
    ts = [five_by_two_t(part, np.zeros((5, 2))).statistic for part in d]
    assert found.statistic == pytest.approx(np.mean(np.array(ts, dtype=float)), rel=1e-12)
    assert found.df == (5.0,)
    assert found.n_units == 7
    assert found.pvalue == pytest.approx(t_pvalue(found.statistic or 0.0, 5), rel=1e-12)


def test_no_worse_is_one_side() -> None:
    d, zeros = [0.01, -0.004, 0.02, 0.03, -0.01], [0.0] * 5
    both = dict(tost(d, zeros, margin=0.02).details)
    assert tost(d, zeros, margin=0.02, asked=Sided("greater")).pvalue == both["p_lower"]
    assert tost(d, zeros, margin=0.02, asked=Sided("less")).pvalue == both["p_upper"]


def test_takes_the_standard_error_of_the_scheme() -> None:
    rng = np.random.default_rng(3)
    flat, halves, parts = rng.normal(0.01, 0.02, 10), rng.normal(0.01, 0.02, (5, 2)), rng.normal(0.01, 0.02, (4, 10))
    zero = np.zeros(10)

    corrected = corrected_t(flat - 0.05, zero, train_size=9, test_size=1, asked=Sided("less")).pvalue
    assert tost(flat, zero, margin=0.05, base="corrected-t", train_size=9, test_size=1, asked=Sided("less")).pvalue == (
        pytest.approx(corrected, rel=1e-9)
    )
    five = five_by_two_t(halves - 0.05, np.zeros((5, 2)), asked=Sided("less")).pvalue
    found = tost(halves, np.zeros((5, 2)), margin=0.05, base="5x2cv-t", asked=Sided("less"))
    assert found.pvalue == pytest.approx(five)
    averaged = averaged_t(parts - 0.05, np.zeros((4, 10)), asked=Sided("less")).pvalue
    assert tost(parts, np.zeros((4, 10)), margin=0.05, base="averaged-t", asked=Sided("less")).pvalue == (
        pytest.approx(averaged, rel=1e-9)
    )
    naive = tost(flat, zero, margin=0.05).pvalue
    wide = tost(flat, zero, margin=0.05, base="corrected-t", train_size=9, test_size=1).pvalue
    assert wide > naive
    assert t_pvalue(0.0, 3) == 1.0


def test_notes() -> None:
    again = kfold_t([[0.8, 0.7], [0.6, 0.9]], [[0.7, 0.7], [0.5, 0.6]])
    assert again.n_units == 4
    assert "2 splits test every row 2 times" in again.notes[0]
    one = averaged_t([[0.1, 0.2, 0.4]], [[0.0, 0.0, 0.0]])
    assert one.n_units == 1
    assert "only one random split" in one.notes[0]
    # t of the rows: 7, 0.58, and 0 where nothing differs; 4.303 is critical on 2 degrees of freedom
    some = averaged_t([[0.2, 0.2, 0.3], [0.1, -0.1, 0.1], [0.0, 0.0, 0.0]], np.zeros((3, 3)))
    assert some.notes[:2] == (
        "1 random split without any difference was counted as t = 0.",
        "1 of 3 random splits, each tested alone and without correction, have p <= 0.05.",
    )
    assert "could still change the result" in some.notes[2]


FLAT = np.zeros((3, 4))
ONE_CONSTANT = np.array([[0.1, 0, 0, 0], [0.5] * 4, [0] * 4])


@pytest.mark.parametrize(
    ("call", "words", "hint"),
    [
        (lambda: paired_t([0.1, 0.2, 0.3, 0.4], [0.0, 0.1, 0.2, 0.3]), "variance is 0", "p = 0.125"),
        (lambda: row_t([0.1, 0.2, 0.3, 0.4], [0.0, 0.1, 0.2, 0.3]), "variance is 0", "p = 0.125"),
        # folds share their rows: no test on signs is offered for them (EV302, EV304)
        (lambda: corrected_t([0.51] * 10, [0.5] * 10, train_size=9, test_size=1), r"0\.01 on every fold", "no test"),
        (lambda: five_by_two_f(np.full((5, 2), 0.6), np.full((5, 2), 0.5)), "variance is 0", "no test"),
        (lambda: five_by_two_t([0.1] * 10, [0.0] * 10), "5 random splits of 2 folds, but the scores are 1 x 10", ""),
        (lambda: corrected_t([0.1, 0.2], [0.0, 0.0]), "sizes of the training and the test sets", ""),
        (lambda: corrected_t([0.1, 0.2], [0.0, 0.0], train_size=0, test_size=3), "cannot be", ""),
        (lambda: averaged_t(ONE_CONSTANT, FLAT), "random split 2", ""),
        (lambda: averaged_t(np.zeros((3, 4, 2)), np.zeros((3, 4, 2))), "5 x 2 folds, but there are 4 x 2", ""),
        (lambda: tost([1, 2], [1, 3], margin=0), "margin above 0", ""),
        (lambda: tost([1, 2], [1, 3], margin=1, base="kfold-t"), "standard error of 'kfold-t'", ""),
    ],
)
def test_refusals_say_why(call: Any, words: str, hint: str) -> None:
    with pytest.raises(TestError, match=words) as raised:
        call()
    assert hint in raised.value.hint


@pytest.mark.parametrize("blocks", ["dataset / fold", "fold"])
def test_tost_on_a_table_of_folds_is_that_of_fitted_folds(blocks: str, tmp_path: Path) -> None:
    """One dataset, 10 folds: the corrected variance 1/10 + 1/9, as where the folds are fitted."""
    d = np.random.default_rng(5).normal(0.001, 0.006, 10)
    lines = [f"one,{i},a,{0.7 + x!r}\none,{i},b,0.7" for i, x in enumerate(d.tolist())]
    read = f'results t from csv "t.csv" as score ~ learner | {blocks}, measuring accuracy, made using 10cv\n'
    table = "\n".join(["dataset,fold,learner,score", *lines])
    (verdict,) = run_on(tmp_path, read + "compare a vs b on t by tost, margin 1 point\n", t=table).verdicts
    fitted = tost(d, np.zeros(10), margin=0.01, base="corrected-t", train_size=9, test_size=1)
    t = (abs(d.mean()) - 0.01) / (d.std(ddof=1) * (1 / 10 + 1 / 9) ** 0.5)
    assert verdict.test is not None
    assert verdict.test.pvalue == pytest.approx(fitted.pvalue)
    assert verdict.test.pvalue == pytest.approx(stats.t.cdf(t, 9))
