# ruff: noqa: E501  a script reads best in one line
from __future__ import annotations

import pytest

from evalang.plans.model import Claim
from tests.plans.planning import clean, planned

EXPERIMENTS = """
suite both is a, b
compare t vs n on a using 10cv as first
compare t vs n vs k on both using 10cv, measuring accuracy, roc-area as second
compare t vs n vs k on both using 10cv, control k as third
estimate t on a using 10cv as alone
"""


def claim(text: str) -> Claim:
    (found,) = clean(EXPERIMENTS + text).plan.claims
    return found


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("claim t better than n on a", ("first", "second")),
        ("claim n better than t on a", ("first", "second")),
        ("claim t better than n on b", ("second",)),
        ("claim t better than n on both", ("second",)),
        ("claim t better than n on a, b", ("second",)),
        ("claim t better than n on c", ()),
        ("claim t better than k on a", ("second", "third")),
        ("claim t better than n on a measuring roc-area", ("second",)),
        ("claim t better than n on a measuring mcc", ()),
        ("claim t better than n on a, according to first", ("first",)),
        ("claim t better than n on new datasets", ("first", "second")),
        ("claim t better than five on a", ()),
    ],
)
def test_what_bears_on_a_claim(text: str, evidence: tuple[str, ...]) -> None:
    assert claim(text).evidence == evidence


def test_the_sentence_is_kept_without_its_comments_and_clauses() -> None:
    found = claim(
        'claim this classifier t   # he said\n no worse than n within 1% on each of a, b, overall because "x"'
    )
    assert found.text == "this classifier t no worse than n within 1% on each of a, b"
    assert (found.relation, found.within, found.each, found.overall) == ("no-worse", 0.01, True, True)
    assert claim("claim t same as n within 2% on both").text == "t same as n within 2% on both"
    assert claim("claim t better than n on new datasets").text == "t better than n on new datasets"


def test_a_suite_is_written_out() -> None:
    found = claim("claim t better than n on both")
    assert (found.datasets, found.suites) == (("a", "b"), ("both",))


def test_a_table_whose_columns_nobody_has_read_may_have_any_learner() -> None:
    text = 'results runs from csv "r.csv" as accuracy ~ learner | dataset\ncompare all on runs\nclaim x better than y on runs'
    built = planned(text)
    assert built.findings == ()
    assert built.plan.claims[0].evidence == ("compare-1",)


def test_a_claim_on_data_that_nobody_knows_is_kept() -> None:
    built = planned(
        "compare knn vs svm on iris using 10cv\nclaim knn better than svm on nowhere\nclaim knn better than svm on iris"
    )
    assert [c.name for c in built.plan.claims] == ["claim-1", "claim-2"]
