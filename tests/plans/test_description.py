# ruff: noqa: E501  a script reads best in one line
from __future__ import annotations

from pathlib import Path

import pytest

from evalang.plans.description import describe, split_rows
from tests.support.plans import clean, only, planned, the


def test_it_tells_what_people_ask() -> None:
    text = describe(
        planned(
            """set seed 20
            learner tree is decision-tree(criterion = "entropy"), tune max_depth in {4, 8, 16}
            compare tree vs naive-bayes on breast-cancer, digits using 5x2cv, tune on 20%, bonferroni over datasets
            claim tree better than naive-bayes on digits"""
        ).plan
    )
    for words in (
        "question       which learner is better over several datasets",
        'tree = decision-tree(criterion = "entropy"), 3 settings of max_depth',
        "breast-cancer: 285 to train, of which 57 for tuning, 284 to test",  # 569 = 284 + 285; 20% of 285
        "corrected-t  (by default: ",
        "2 tests on single datasets (1 pair x 2 datasets x 1 metric), bonferroni; the smallest p must be at most 0.025",
        "alpha 0.05  (by default: the usual level)",
        "20  (by set)",
        "100 (5 on each of 20 folds; 40 fits, because tuning and training count as one fit)",  # (3 candidates + the winner) + 1, on 2 x 10 folds
        "claim-1: tree better than naive-bayes on digits (tested by compare-1)",
        "At most 40 fits with 100 trainings in total. A fit is stopped after 6 hours. Nothing was run.",
    ):
        assert words in text


def test_what_only_the_data_can_tell() -> None:
    text = describe(clean("compare t vs n on a using leave-one-out").plan)
    assert "the number of folds is not known before the data are read" in text
    assert "The number of fits is not known before the data are read." in text
    assert split_rows(only("compare t vs n on a using given folds"), 100) is None


def test_every_kind_of_statement_is_described() -> None:
    text = describe(
        clean(
            """results s from csv "s.csv", measuring error
            compare all on s
            estimate this classifier t on a using holdout 1/3
            compare tuned vs t on r using 10cv, rope 0.5, calibrate on tuning, tune on 100 rows
            simulate type-I of mcnemar with n 300, seed 1
            report to "x.html" """
        ).plan
    )
    for words in (
        "all learners of the table",
        "estimate this classifier t",
        "0.5: smaller differences do not matter in practice",
        "on the tuning part",
        "type-I of mcnemar with n 300, alpha 0.05, seed 1",
        "report: everything to x.html",
        "rmse",
    ):
        assert words in text


def test_a_post_hoc_that_corrects_its_own_pairs_is_a_set_of_its_own() -> None:
    table, duel = 'results s from csv "s.csv", measuring error\n', "compare a vs b on s by wilcoxon\n"
    text = describe(clean(f"{table}compare a vs b vs c on s by friedman, nemenyi\n{duel}").plan)
    own = "nemenyi corrects its own 3 pairs, holm corrects the other 1 test; each of these 2 sets has the level 0.025"
    assert own in text
    unread = describe(clean(f"{table}compare all on s by friedman, nemenyi\n{duel}").plan)
    assert "the tests of `compare-1` are added when the data are read" in unread


@pytest.mark.parametrize("rows", [101, 150])
@pytest.mark.parametrize(
    "scheme",
    ["10cv", "holdout 1/3", "holdout 37 rows", "30 resamples of 2/3", "3 trainings of 20", "leave-one-out"],
)
def test_the_rows_it_tells_are_those_of_the_run(scheme: str, rows: int) -> None:
    from evalang.data.access import Access
    from evalang.data.load import load
    from evalang.trials.splits import Cuts, Partition

    text = f'dataset d from synthetic gaussians(n = {rows}, seed = 3), because "x"\ncompare knn vs svm on d using {scheme}, tune on 20%, calibrate on 10%, threshold on 8%, stop early on 5%'
    built = planned(text)
    (comparison,) = built.plan.comparisons
    told = the(split_rows(comparison, rows))
    table = load(built.plan.datasets[0], access=Access(root=Path(".")))
    asked = the(comparison.calibration).part, the(comparison.threshold).part, comparison.stop_early
    fold = Partition(the(comparison.scheme), table, 1, 0).fold(0, Cuts(the(comparison.tuning).value, *asked))
    real = {name: len(part) for name, part in fold.inner.items()}
    real |= {"train": len(fold.train) + sum(real.values()), "test": len(fold.test)}
    assert set(told) == set(real)
    # folds differ by a row when they do not divide evenly
    assert max(abs(told[name] - real[name]) for name in real) <= 1, (told, real)
