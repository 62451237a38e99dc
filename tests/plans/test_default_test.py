"""The table "which test when `by` is absent", line by line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.plans.planning import clean, only

PREDICTIONS = 'predictions p from csv "p.csv", truth "y", learners in "u", "v"\n'
MANY = "".join(f'dataset d{i} from csv "d{i}.csv", target "y"\n' for i in range(12))
SIX, TWELVE = ", ".join(f"d{i}" for i in range(6)), ", ".join(f"d{i}" for i in range(12))


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        # two learners, one test set
        ("compare t vs n on a using holdout 1/3", ["mcnemar-midp"]),
        ("compare t vs n on a using given test", ["mcnemar-midp"]),
        ("learner w is decision-tree, train 5 times\ncompare w vs n on a using holdout 1/3", ["retrained-t"]),
        ("learner w is decision-tree, train 5 times\nestimate w on a using holdout 1/3", ["retrained-interval"]),
        (PREDICTIONS + "compare u vs v on p", ["mcnemar-midp"]),
        ("compare t vs n on a using holdout 1/3, measuring error", ["mcnemar-midp"]),
        ("compare t vs n on r using holdout 1/3, measuring rmse", ["row-t"]),
        ("compare t vs n on r using holdout 1/3, measuring mae", ["row-t"]),
        ("compare t vs n on a using holdout 1/3, measuring brier", ["row-t"]),
        ("compare t vs n on a using holdout 1/3, measuring cross-entropy", ["row-t"]),
        ("compare t vs n on a using holdout 1/3, measuring roc-area", ["delong"]),
        ("compare t vs n on a using holdout 1/3, measuring f-score", ["bootstrap"]),
        ("compare t vs n on a using holdout 1/3, measuring mcc", ["bootstrap"]),
        # folds
        ("compare t vs n on a using 5x2cv", ["corrected-t"]),
        ("compare t vs n on a using 5x2cv, measuring roc-area", ["corrected-t"]),
        ("compare t vs n on a using 10cv", ["corrected-t"]),
        ("compare t vs n on a using 10x10cv", ["partition-t"]),
        ("compare t vs n on a using 10x2cv", ["corrected-t"]),
        ("compare t vs n on a using 55 partitions of 10cv", ["partition-t"]),
        ("compare t vs n on a using 30 resamples of 2/3", ["partition-t"]),
        ("compare t vs n on a using given folds", ["corrected-t"]),
        ("compare t vs n on a using 10 partitions of 5x2cv", ["corrected-t"]),
        ("compare t vs n on a using 8 trainings of 300", ["quasi-f"]),
        # no test, only the difference
        ("compare t vs n on a using 8 trainings of 300, measuring roc-area", ["quasi-f"]),
        ("compare t vs n on a using bootstrap 200", ["corrected-t"]),
        ("compare t vs n on a using forward 8 splits", ["forward-t"]),
        ("compare t vs n on a using leave-one-out", []),
        # three learners
        ("compare t vs n vs k on a using holdout 1/3", ["cochran-q", "mcnemar-midp"]),
        ("compare t vs n vs k on a using 10cv", ["corrected-t"]),
        ("compare t vs n vs k on a using holdout 1/3, measuring roc-area", ["delong"]),
        # estimates
        ("estimate t on a using holdout 1/3", ["wilson"]),
        ("estimate t on a using holdout 1/3, measuring roc-area", ["bootstrap"]),
        ("estimate t on a using 10cv", ["corrected-interval"]),
        ("estimate t on a using 8 trainings of 300", ["training-interval"]),
        ("estimate t on a using holdout 1/3, by bootstrap", ["bootstrap"]),
        ("estimate t on a using holdout 1/3, by clopper-pearson", ["clopper-pearson"]),
    ],
)
def test_on_each_dataset(text: str, tests: list[str]) -> None:
    found = only(text)
    assert [t.name for t in found.tests] == tests
    assert found.over == ()
    if not tests:
        assert found.over_note
    for test in found.tests:
        if " by " not in text:
            assert test.origin == "default"
            assert test.reason


def test_the_page_of_schemes_names_them() -> None:
    page = (Path(__file__).parents[2] / "docs" / "language" / "schemes.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `([^`]+)` \| .* \| ([\w-]+)[^|]*\|$", page)
    assert len(rows) > 10
    said = {form: [] if test == "none" else [test] for form, test in rows}
    assert {form: [t.name for t in only(f"compare t vs n on a using {form}").tests] for form in said} == said


@pytest.mark.parametrize(
    ("text", "over"),
    [
        (f"compare t vs n on {TWELVE} using 10cv", [("wilcoxon", ())]),
        (f"compare t vs n on {SIX} using 10cv", [("wilcoxon", ())]),
        (f"compare t vs n on {TWELVE} using 10cv, measuring rmse", [("sign", ())]),
        (f"compare t vs n on {TWELVE} using 10cv, measuring fit-time", [("sign", ())]),
        (
            f"compare t vs n on {TWELVE} using 10cv, measuring accuracy, fit-time",
            [("wilcoxon", ("accuracy",)), ("sign", ("fit-time",))],
        ),
        (f"compare t vs n vs k on {TWELVE} using 10cv", [("iman-davenport", ()), ("wilcoxon", ())]),
        (f"compare t vs n vs k on {TWELVE} using 10cv, measuring rmse", [("iman-davenport", ()), ("sign", ())]),
    ],
)
def test_over_datasets(text: str, over: list[tuple[str, tuple[str, ...]]]) -> None:
    found = only(MANY + text)
    assert [t.name for t in found.tests] == ["corrected-t"]
    assert [(t.name, t.metrics) for t in found.over] == over


def test_a_test_over_datasets_that_could_never_reject_is_left_out_and_says_why() -> None:
    # Five datasets: the smallest two-sided p of the signed-rank test is 2 / 2^5 = 0.0625.
    found = only(MANY + "compare t vs n on d0, d1, d2, d3, d4 using 10cv")
    assert found.over == ()
    assert (
        found.over_note
        == "no test over datasets: with 5 datasets wilcoxon cannot give a p below 0.0625, and 0.05 is needed"
    )
    # Three learners on six: 2 / 2^6 = 0.03125 against 0.05 / 4, the omnibus being one of them; with a control 0.05 / 3.
    assert "0.0125 is needed" in only(MANY + f"compare t vs n vs k on {SIX} using 10cv").over_note
    assert "0.0167 is needed" in only(MANY + f"compare t vs n vs k on {SIX} using 10cv, control t").over_note


def test_mixed_metrics_on_one_test_set_get_a_test_each() -> None:
    found = only("compare t vs n on a using holdout 1/3, measuring accuracy, error, roc-area, brier, f-score")
    assert [(t.name, t.metrics) for t in found.tests] == [
        ("mcnemar-midp", ("accuracy", "error")),
        ("delong", ("roc-area",)),
        ("row-t", ("brier",)),
        ("bootstrap", ("f-score",)),
    ]


def test_named_tests_go_where_they_belong() -> None:
    found = only(MANY + f"compare t vs n vs k on {TWELVE} using 10cv by friedman, nemenyi")
    assert ([t.name for t in found.tests], [t.name for t in found.over]) == ([], ["friedman", "nemenyi"])
    found = only(MANY + f"compare t vs n on {TWELVE} using 10cv by averaged-t")
    assert ([t.name for t in found.tests], [t.name for t in found.over]) == (["averaged-t"], [])
    assert found.tests[0].origin == "written"
    found = only("compare t vs n on a using 10cv, rope 1 point, by tost")
    assert [t.name for t in found.tests] == ["tost"]
    built = clean('results s from csv "s.csv", datasets in "d", measuring accuracy\ncompare t vs n on s by permutation')
    assert [t.name for t in built.plan.comparisons[0].over] == ["permutation"]
