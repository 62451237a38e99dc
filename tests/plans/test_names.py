# ruff: noqa: E501  a script reads best in one line
from __future__ import annotations

import pytest

from evalang.plans.names import PassedValue
from tests.plans.planning import TABLES, planned, told


def test_unknown_dataset_offers_the_nearest() -> None:
    built = planned("compare decision-tree vs knn on irs using 10cv")
    assert told(built) == [("EV002", 'there is no dataset named "irs"', "irs")]
    assert built.findings[0].help == 'did you mean "iris"?'


def test_unknown_learner_offers_the_nearest_of_script_and_catalogue() -> None:
    built = planned("learner mine is knn\ncompare mne vs decision-tre on iris using 10cv")
    assert told(built) == [
        ("EV002", 'there is no learner named "mne"', "mne"),
        ("EV002", 'there is no learner named "decision-tre"', "decision-tre"),
    ]
    assert [f.help for f in built.findings] == ['did you mean "mine"?', 'did you mean "decision-tree"?']


def test_all_unknown_names_of_a_statement_are_told_at_once() -> None:
    built = planned("compare xxxxx vs yyyyy on zzzzz using 10cv")
    assert [words for _, _, words in told(built)] == ["zzzzz", "xxxxx", "yyyyy"]
    assert [(c.learners, c.datasets) for c in built.plan.comparisons] == [(("xxxxx", "yyyyy"), ("zzzzz",))]


def test_a_learner_is_no_dataset_and_the_other_way_round() -> None:
    built = planned(TABLES + "compare t vs n on k using 10cv\ncompare a vs n on b using 10cv")
    assert [(m, w) for _, m, w in told(built)] == [
        ("k is a learner, not a dataset", "k"),
        ("a is a dataset, not a learner", "a"),
    ]


def test_a_second_definition_is_ev003_at_its_name() -> None:
    built = planned('dataset d from csv "1.csv", target "y"\nlearner d is knn\ndataset d from csv "2.csv", target "y"')
    assert told(built) == [
        ("EV003", '"d" is already defined as a dataset', "d"),
        ("EV003", '"d" is already defined above', "d"),
    ]
    positions = [built.sources["test.eval"].position(f.span.start) for f in built.findings]
    assert positions == [(2, 9), (3, 9)]


def test_a_comparison_named_twice_is_ev003() -> None:
    built = planned(TABLES + "compare t vs n on a using 10cv as x\ncompare t vs n on b using 10cv as x")
    assert told(built) == [("EV003", '"x" is already defined as the name of a comparison', "as x")]


def test_definitions_may_stand_below_their_use() -> None:
    built = planned(
        'compare t vs n on s using 10cv\nsuite s is d\nlearner t is knn\nlearner n is knn(n_neighbors = 1)\ndataset d from csv "d.csv", target "y"'
    )
    assert built.findings == ()
    assert built.plan.comparisons[0].datasets == ("d",)


def test_bundled_data_and_catalogue_learners_need_no_statement() -> None:
    plan = planned("compare decision-tree vs sklearn.svm.SVC on iris using 10cv").plan
    assert [(d.name, d.rows, d.classes, d.bundled) for d in plan.datasets] == [("iris", 150, 3, True)]
    assert [(x.name, x.steps[0].kind, x.implicit) for x in plan.learners] == [
        ("decision-tree", "learner", True),
        ("sklearn.svm.SVC", "estimator", True),
    ]


def test_a_script_may_redefine_a_bundled_name() -> None:
    plan = planned('dataset iris from csv "my.csv", target "y"\ncompare knn vs svm on iris using 10cv').plan
    assert [(d.source.kind, d.bundled) for d in plan.datasets] == [("csv", False)]


def test_unused_definitions_are_marked() -> None:
    plan = planned(TABLES + "compare t vs n on a using 10cv").plan
    assert {d.name for d in plan.datasets if d.used} == {"a"}
    assert {x.name for x in plan.learners if x.used} == {"t", "n"}


def test_a_suite_is_written_out_and_each_dataset_counts_once() -> None:
    plan = planned(TABLES + "suite s is a, b\ncompare t vs n on s, c using 10cv").plan
    assert plan.comparisons[0].datasets == ("a", "b", "c")
    assert plan.comparisons[0].suites == ("s",)


def test_suites_hold_datasets_each_once() -> None:
    built = planned(TABLES + "suite s is a, a, q\nsuite u is s")
    assert told(built) == [
        ("EV006", "a is named twice", "a"),
        ("EV002", 'there is no dataset named "q"', "q"),
        ("EV006", "s is not a dataset", "s"),
    ]


def test_names_from_python_fill_what_the_script_leaves_open() -> None:
    handed = (
        PassedValue(name="tree", kind="learner", target="sklearn.tree.DecisionTreeClassifier"),
        PassedValue(name="x", kind="dataset", rows=100),
        PassedValue(name="y", kind="dataset", rows=200),
        PassedValue(name="D", kind="suite", members=("x", "y")),
    )
    built = planned("suite mine is x\ncompare tree vs naive-bayes on D, mine using 10cv", *handed)
    assert built.findings == ()
    assert built.plan.comparisons[0].datasets == ("x", "y")
    (tree,) = (x for x in built.plan.learners if x.name == "tree")
    assert (tree.steps[0].kind, tree.steps[0].target) == ("python", "sklearn.tree.DecisionTreeClassifier")


def test_what_the_script_defines_goes_before_what_python_hands_over() -> None:
    built = planned(
        "learner tree is knn\ncompare tree vs svm on iris using 10cv", PassedValue(name="tree", kind="learner")
    )
    assert built.findings == ()
    assert built.plan.learner("tree").steps[0].name == "knn"  # type: ignore[union-attr]


def test_an_estimator_from_python_may_stand_in_a_chain() -> None:
    text = "learner mine is scale | tree, tune max_depth in {2, 4}\ncompare mine vs knn on iris using 10cv, tune on 20%"
    built = planned(text, PassedValue(name="tree", kind="learner", target="some.Tree"))
    assert built.findings == ()
    (mine,) = (x for x in built.plan.learners if x.name == "mine")
    assert [(s.name, s.kind, s.target) for s in mine.steps] == [("scale", "step", ""), ("tree", "python", "some.Tree")]


@pytest.mark.parametrize("count", [0, 1])
def test_compare_all_needs_two_learners(count: int) -> None:
    built = planned("learner one is knn\n" * count + "compare all on iris using 10cv")
    assert [f.code for f in built.findings] == ["EV007"]
    assert "`compare all` finds " in built.findings[0].message


def test_compare_all_takes_every_learner_of_the_script() -> None:
    built = planned("learner x is knn\nlearner y is svm\nlearner z is decision-tree\ncompare all on iris using 10cv")
    assert built.plan.comparisons[0].learners == ("x", "y", "z")
    assert built.plan.comparisons[0].pairs == 3


def test_learners_of_a_table_are_its_columns() -> None:
    table = 'predictions p from csv "p.csv", truth "y", learners in "one", "two", "three"\n'
    assert planned(table + "compare all on p").plan.comparisons[0].learners == ("one", "two", "three")
    built = planned(table + "compare one vs tow on p")
    assert told(built) == [("EV002", 'there is no learner of p named "tow"', "tow")]
    assert built.findings[0].help == 'did you mean "two"?'
