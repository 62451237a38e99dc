"""Names: what a script defines, what the catalogue knows, what Python passes; and what bears on a claim."""

# ruff: noqa: E501  a script reads best in one line
from __future__ import annotations

from dataclasses import replace

import pytest

from evalang.plans.model import Claim
from evalang.plans.names import PassedValue
from tests.support.plans import TABLES, clean, planned, the


def test_definitions_may_stand_below_their_use_and_unused_ones_are_marked() -> None:
    built = planned(f"compare t vs n on s, c using 10cv\nsuite s is a, b\n{TABLES}")
    assert built.findings == ()
    plan = built.plan
    assert (plan.comparisons[0].datasets, plan.comparisons[0].suites) == (("a", "b", "c"), ("s",))
    assert {d.name for d in plan.datasets if d.used} == {"a", "b", "c"}
    assert {x.name for x in plan.learners if x.used} == {"t", "n"}


def test_bundled_data_and_catalogue_learners_need_no_statement() -> None:
    plan = planned("compare decision-tree vs sklearn.svm.SVC on iris using 10cv").plan
    assert [(d.name, d.rows, d.classes, d.bundled) for d in plan.datasets] == [("iris", 150, 3, True)]
    kinds = [(x.name, x.steps[0].kind, x.implicit) for x in plan.learners]
    assert kinds == [("decision-tree", "learner", True), ("sklearn.svm.SVC", "estimator", True)]
    own = planned('dataset iris from csv "my.csv", target "y"\ncompare knn vs svm on iris using 10cv').plan
    assert [(d.source.kind, d.bundled) for d in own.datasets] == [("csv", False)]


def test_values_from_python_fill_what_the_script_leaves_open() -> None:
    passed = (
        PassedValue(name="tree", kind="learner", target="some.Tree"),
        PassedValue(name="x", kind="dataset", rows=100),
        PassedValue(name="y", kind="dataset", rows=200),
        PassedValue(name="D", kind="suite", members=("x", "y")),
    )
    text = "suite mine is x\nlearner chain is scale | tree, tune max_depth in {2, 4}\ncompare tree vs chain on D, mine using 10cv, tune on 20%"
    built = planned(text, *passed)
    assert built.findings == ()
    assert built.plan.comparisons[0].datasets == ("x", "y")
    steps = [[(s.kind, s.target) for s in the(built.plan.learner(name)).steps] for name in ("tree", "chain")]
    assert steps == [[("python", "some.Tree")], [("step", ""), ("python", "some.Tree")]]
    own = planned("learner tree is knn\ncompare tree vs svm on iris using 10cv", passed[0])
    assert the(own.plan.learner("tree")).steps[0].name == "knn"  # what the script defines goes first


@pytest.mark.parametrize("count", [0, 1])
def test_compare_all_needs_two_learners(count: int) -> None:
    built = planned("learner one is knn\n" * count + "compare all on iris using 10cv")
    assert [f.code for f in built.findings] == ["EV007"]
    assert "`compare all` finds " in built.findings[0].message


def test_compare_all_takes_every_learner_of_the_script_or_of_the_table() -> None:
    built = planned("learner x is knn\nlearner y is svm\nlearner z is decision-tree\ncompare all on iris using 10cv")
    assert (built.plan.comparisons[0].learners, built.plan.comparisons[0].pairs) == (("x", "y", "z"), 3)
    table = 'predictions p from csv "p.csv", truth "y", learners in "one", "two", "three"\n'
    assert planned(table + "compare all on p").plan.comparisons[0].learners == ("one", "two", "three")


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
        ("claim t better than n on both", ("second",)),
        ("claim t better than k on a", ("second", "third")),
        ("claim t better than n on a measuring roc-area", ("second",)),
        ("claim t better than n on a measuring mcc", ()),
        ("claim t better than n on a, according to first", ("first",)),
        ("claim t better than n on new datasets", ("first", "second")),
    ],
)
def test_what_bears_on_a_claim(text: str, evidence: tuple[str, ...]) -> None:
    assert claim(text).evidence == evidence


RUNS = 'results runs from csv "r.csv" as accuracy ~ learner | dataset\ncompare all on runs'


@pytest.mark.parametrize(
    ("comparisons", "head", "datasets", "clauses"),
    [
        ("compare t vs n on a, b using 10cv", "t better than n", "a, b", ""),
        ("compare t vs n on c, both using 10cv", "t same as n within 2%", "c, both", "overall"),
        ("compare t vs n on a using 5cv\ncompare t vs n on a, b using 5cv", "t better than n", "a, b", ""),
        ("compare t vs n on a using 5cv\ncompare t vs k on b using 5cv", "k better than t", "b", ""),
        (
            "compare t vs n on a using 5cv\ncompare t vs n on b using 5cv, measuring mcc",
            "t better than n",
            "b",
            "measuring mcc",
        ),
        ("compare t vs n on a using 5cv\ncompare t vs n on b as y", "t better than n", "b", "according to y"),
        (RUNS, "rf better than x", "runs", ""),
    ],
)
def test_a_claim_without_datasets_is_about_those_compared(
    comparisons: str, head: str, datasets: str, clauses: str
) -> None:
    before = f"suite both is a, b\n{comparisons}\nclaim {head}"
    short, written = (clean(f"{before}{place} {clauses}").plan.claims for place in ("", f" on {datasets}"))
    assert short[0].evidence
    assert [replace(one, span=short[0].span) for one in written] == list(short)
    assert short[0].text == written[0].text


def test_the_sentence_of_a_claim_is_kept_without_its_comments_and_clauses() -> None:
    found = claim(
        'claim this classifier t   # he said\n no worse than n within 1% on each of a, b, overall because "x"'
    )
    assert found.text == "this classifier t no worse than n within 1% on each of a, b"
    assert (found.relation, found.within, found.each, found.overall) == ("no-worse", 0.01, True, True)
    both = claim("claim t same as n within 2% on both")
    assert (both.text, both.datasets, both.suites) == ("t equivalent to n within 2% on both", ("a", "b"), ("both",))
    assert claim("claim t better than n on new datasets").text == "t better than n on new datasets"
