"""The families, their sizes and levels, against numbers computed by hand."""

# ruff: noqa: E501  a script reads best in one line
from __future__ import annotations

import pytest

from evalang.plans.model import Family
from tests.support.plans import clean

MANY = "".join(f'dataset d{i} from csv "d{i}.csv", target "y"\n' for i in range(10))
TEN = ", ".join(f"d{i}" for i in range(10))


def families(text: str) -> dict[str, Family]:
    return {f.name: f for f in clean(MANY + text).plan.families}


@pytest.mark.parametrize(
    ("text", "size", "count", "level"),
    [
        # one test: nothing to correct
        ("compare t vs n on a using 5x2cv", 1, 1, 0.05),
        # 3 datasets
        ("compare t vs n on a, b, c using 5x2cv", 3, 1, 0.05 / 3),  # holm by default
        ("compare t vs n on a, b, c using 5x2cv, uncorrected", 1, 3, 0.05),
        ("compare t vs n on a, b, c using 5x2cv, holm over datasets", 3, 1, 0.05 / 3),
        ("compare t vs n on a, b, c using 5x2cv, sidak over datasets", 3, 1, 1 - 0.95 ** (1 / 3)),
        ("compare t vs n on a, b, c using 5x2cv, hochberg over datasets", 3, 1, 0.05),
        ("compare t vs n on a, b, c using 5x2cv, yekutieli over datasets", 3, 1, 0.05 / (1 + 1 / 2 + 1 / 3)),
        ("compare t vs n on a, b, c using 5x2cv, bonferroni over datasets at alpha 0.01", 3, 1, 0.01 / 3),
        # 3 pairs x 3 datasets x 2 metrics = 18
        ("compare t vs n vs k on a, b, c using 5x2cv, measuring accuracy, mcc", 18, 1, 0.05 / 18),
        ("compare t vs n vs k on a, b, c using 5x2cv, measuring accuracy, mcc, primary mcc", 9, 1, 0.05 / 9),
        ("compare t vs n vs k on a, b, c using 5x2cv, measuring accuracy, mcc, holm over datasets", 3, 6, 0.05 / 3),
        ("compare t vs n vs k on a, b, c using 5x2cv, measuring accuracy, mcc, holm over metrics", 2, 9, 0.05 / 2),
        ("compare t vs n vs k on a, b, c using 5x2cv, measuring accuracy, mcc, holm over datasets, metrics", 6, 3, 0.05 / 6),
        ("compare t vs n vs k on a, b, c using 5x2cv, measuring accuracy, mcc, holm over datasets, learners, metrics", 18, 1, 0.05 / 18),
        # a control: 2 pairs instead of 3
        ("compare t vs n vs k on a, b, c using 5x2cv, control t, holm over datasets, learners", 6, 1, 0.05 / 6),
        # two forms of one metric are two tests
        ('compare t vs n on a using 5x2cv, measuring f-score, f-score(average = "macro"), holm over metrics', 2, 1, 0.05 / 2),
        # an omnibus is a gate and no member of the family of its pairs
        ("compare t vs n vs k on a using holdout 1/3, holm over learners", 3, 1, 0.05 / 3),
        ("compare t vs n vs k on a, b, c using holdout 1/3, by cochran-q, holm over datasets", 3, 1, 0.05 / 3),
        # accuracy has an omnibus and roc-area has none: 3 + 3
        ("compare t vs n vs k on a using holdout 1/3, measuring accuracy, roc-area, holm over learners, metrics", 6, 1, 0.05 / 6),
    ],
)  # fmt: skip
def test_on_each_dataset(text: str, size: int, count: int, level: float) -> None:
    (found,) = families(text).values()
    assert (found.scope, found.size, found.count) == ("dataset", size, count)
    assert found.first_level == pytest.approx(level, rel=1e-12)


def test_pairs_over_datasets_are_corrected_by_holm_by_default() -> None:
    over = families(f"compare t vs n vs k on {TEN} using 5x2cv, bonferroni over datasets as x")["x over datasets"]
    assert (over.method, over.over, over.size, over.count) == ("holm", ("learners",), 3, 1)
    assert over.first_level == pytest.approx(0.05 / 3)
    assert over.reason
    over = families(f"compare t vs n vs k on {TEN} using 5x2cv, bonferroni over learners as x")["x over datasets"]
    assert (over.method, over.size) == ("bonferroni", 3)


def test_a_self_adjusting_post_hoc_is_not_corrected_again() -> None:
    (found,) = families(f"compare t vs n vs k on {TEN} using 5x2cv by friedman, nemenyi").values()
    assert (found.scope, found.method, found.size, found.first_level) == ("over-datasets", "nemenyi", 3, 0.05)
    (alone,) = families(f"compare t vs n vs k on {TEN} using 5x2cv by nemenyi").values()
    assert (alone.size, alone.first_level) == (3, 0.05)


def test_everything_is_one_family() -> None:
    text = f"""
    compare t vs n on a, b using 5x2cv, holm over everything as one
    compare t vs n vs k on {TEN} using 10cv, holm over everything, at alpha 0.01 as two
    compare t vs n on c using 10cv as apart
    """
    found = families(text)
    # one: 2 tests; two: 3 pairs x 10 datasets + 3 pairs over datasets = 33; the omnibus is their gate
    assert found["everything"].comparisons == ("one", "two")
    assert found["everything"].size == 35
    assert found["everything"].factors == (("one", 2), ("two", 33))
    assert found["everything"].alpha == 0.01
    assert found["everything"].first_level == pytest.approx(0.01 / 35)
    assert set(found) == {"everything", "apart"}


@pytest.mark.parametrize(
    "text",
    [
        "estimate t on a using 10cv",
        "compare t vs n on a using leave-one-out",
        "compare t vs n on a using 10cv, rope 1 point, by bayes-correlated-t",
    ],
)
def test_where_there_is_no_p_value_there_is_no_family(text: str) -> None:
    assert families(text) == {}


WHOLE = "compare t vs n vs k on a, b using 5x2cv, measuring accuracy, mcc"
SPLIT = {
    "by metric": ["compare t vs n vs k on a, b using 5x2cv, measuring accuracy", "compare t vs n vs k on a, b using 5x2cv, measuring mcc"],
    "by learner": [f"compare {pair} on a, b using 5x2cv, measuring accuracy, mcc" for pair in ("t vs n", "t vs k", "n vs k")],
    "by dataset": [f"compare t vs n vs k on {name} using 5x2cv, measuring accuracy, mcc" for name in ("a", "a2")],
}  # fmt: skip


@pytest.mark.parametrize("how", SPLIT)
def test_a_split_comparison_is_one_family_of_the_same_size(how: str) -> None:
    subgroup = 'dataset a2 from csv "a.csv", target "y", where "age" < 30\n'
    (whole,) = families(WHOLE).values()
    (split,) = families(subgroup + "\n".join(SPLIT[how])).values()
    assert (split.method, split.size, split.count) == (whole.method, whole.size, whole.count) == ("holm", 12, 1)
    assert split.first_level == whole.first_level


def test_statements_without_a_common_learner_or_dataset_are_apart() -> None:
    text = "compare t vs n on a using 5x2cv\ncompare k vs majority on a using 5x2cv\ncompare t vs n on b using 5x2cv"
    assert [f.method for f in families(text).values()] == ["uncorrected"] * 3


def test_a_written_correction_wins_and_leaves_the_default_family() -> None:
    text = "compare t vs n on a, b using 5x2cv, bonferroni over datasets as one\ncompare t vs k on a using 5x2cv as two"
    assert {name: (f.method, f.size) for name, f in families(text).items()} == {
        "one": ("bonferroni", 2),
        "two": ("uncorrected", 1),
    }


def test_a_described_design_gets_no_correction_by_default() -> None:
    text = "dataset far described as 900 rows, 2 classes\ncompare t vs n vs k on far using 5x2cv"
    (found,) = families(text).values()
    assert (found.method, found.size, found.count) == ("uncorrected", 1, 3)


def test_only_the_primary_metric_and_those_of_claims_are_tested() -> None:
    text = "compare t vs n on a using 5x2cv, measuring accuracy, mcc, f-score, primary mcc{}\n"
    assert clean(text.format("")).plan.comparisons[0].verdicts_on == ("mcc",)
    claimed = clean(text.format("") + "claim t better than n on a measuring f-score").plan.comparisons[0]
    assert claimed.verdicts_on == ("mcc", "f-score")
    assert clean(text.format(", holm over metrics")).plan.comparisons[0].verdicts_on == ()
