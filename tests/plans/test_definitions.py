"""Definitions and comparisons as records of the plan: each clause gives what it says, JSON both ways."""

# ruff: noqa: E501  a script reads best in one line
from __future__ import annotations

import re
from typing import Any

import pytest

from evalang.errors import ScriptError
from evalang.findings.engine import lint
from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.plans import model as m
from evalang.plans.build import build
from evalang.plans.description import describe, dumps, fingerprint, loads, meaning
from evalang.plans.opened_data import refuse_unbuilt
from tests.support.plans import the

D = 'dataset d from csv "d.csv", target "y"\n'
ON_D = D + "compare knn vs svm on d using {}, seed 1\n"
SECRET = "hunter2"


def planned(text: str) -> m.Plan:
    """The plan of a script that has no mistake, as it comes back from JSON."""
    built = build(SourceText("s.eval", text))
    assert not built.findings, built.findings
    back = loads(dumps(built.plan))
    assert back == built.plan
    return back


def fields(record: object, *names: str) -> tuple[Any, ...]:
    return tuple(getattr(record, name) for name in names)


def test_a_password_is_never_written_and_never_shown() -> None:
    text = f"""dataset d from sql "postgresql://me:{SECRET}@host/db", query "select 1", target "y"
    compare knn vs svm on d using 10cv"""
    plan = build(SourceText("s.eval", text)).plan
    assert SECRET in plan.datasets[0].source.address
    for shown in (dumps(plan), describe(plan), repr(plan), fingerprint(plan)):
        assert SECRET not in shown
    assert planned(text).datasets[0].source.address == ""


def test_every_clause_of_a_dataset_is_kept() -> None:
    text = """dataset d from csv "d.csv"(separator = ";", decimal = ","), target "t", positive "A", "B" against the rest,
      missing "?", -9, drop "id", "n", drop missing targets, groups "g", weights "w", folds "f",
      tested on csv "e.csv", as classification, where "age" > 18 and "sex" is not "f", drop repeated rows,
      join classes "a", "b" as "ab", join classes 1, 2 as 3, tuned on csv "v.csv", because "ours", allow EV101 because "why" """
    (d,) = planned(text).datasets
    assert d.source.options == (("separator", ";"), ("decimal", ","))
    assert fields(d, "target", "positive", "against_rest") == ("t", ("A", "B"), True)
    assert fields(d, "missing", "drop", "drop_missing_targets") == (("?", -9), ("id", "n"), True)
    assert fields(d, "groups", "weights", "folds", "task") == ("g", "w", "f", "classification")
    assert fields(d, "tested_on", "tuned_on") == (m.Source("csv", "e.csv"), m.Source("csv", "v.csv"))
    assert d.where == (m.Condition("age", ">", 18), m.Condition("sex", "is not", "f"))
    assert d.joined == (m.JoinedClasses(("a", "b"), "ab"), m.JoinedClasses((1, 2), 3))
    assert fields(d, "drop_repeated", "because", "allow") == (True, "ours", (m.Allowance("EV101", "why"),))


def test_generators_and_bundled_data_tell_their_rows() -> None:
    plan = planned(
        'dataset g from synthetic gaussians(n = 300)\ndataset i from builtin "iris"\ndataset w from openml 1596'
    )
    known = [fields(d, "name", "rows", "task") for d in plan.datasets]
    assert known == [("g", 300, "classification"), ("i", 150, "classification"), ("w", None, None)]


@pytest.mark.parametrize(
    ("clause", "field", "value"),
    [
        ('missing "NA"', "formula", ("accuracy", "learner", "dataset", "fold")),
        ("measuring error", "metric", "error"),
        ('folds in "split", seeds in "run"', "roles", (m.Role("split", "folds"), m.Role("run", "seeds"))),
        ('groups "passage"', "groups", "passage"),
        ("made using 20x5cv", "made", m.Scheme("repeated-cv", partitions=20, folds=5)),
        ("made using forward 8 splits, gap 7 rows", "made", m.Scheme("forward", folds=8, gap=7)),
        ("trained 20 times", "trainings", 20),
        ("tuned on 20%", "tuned", m.Tuning("part", m.Part(fraction=0.2))),
        ('copied from "Chen" for xgb, lgbm, copied from "us"', "copied", (m.Copied("Chen", ("xgb", "lgbm")), m.Copied("us"))),
        ("measuring bleu(better = higher)", "measured", m.Metric("bleu", better="higher")),
    ],
)  # fmt: skip
def test_results(clause: str, field: str, value: object) -> None:
    table = f'results r from csv "r.csv" as accuracy ~ learner | dataset / fold, {clause}\n'
    assert getattr(planned(table).results[0], field) == value


def test_predictions() -> None:
    text = 'predictions p from csv "p.csv", truth "y", learners in "a", "b", positive "yes", groups "g", missing "-" '
    (p,) = planned(text).predictions
    kept = fields(p, "truth", "learners_in", "positive", "groups", "missing")
    assert kept == ("y", ("a", "b"), ("yes",), "g", ("-",))


@pytest.mark.parametrize(
    ("clause", "field", "value"),
    [
        ("10cv, measuring bleu(better = lower), primary bleu", "primary", "bleu(better = lower)"),
        ("10cv, measuring accuracy(epochs = majority)", "metrics", (m.Metric("accuracy", epochs="majority"),)),
        ("10cv, measuring pass(k = 5)", "metrics", (m.Metric("pass", (("k", 5),), better="higher"),)),
        ("10cv, tune on 20%, threshold on tuning for f-score", "threshold", m.Thresholding("tuning", metric=m.Metric("f-score"))),
        ("10cv, measuring roc-area, recall, threshold on 20%", "threshold", m.Thresholding("part", m.Part(fraction=0.2), m.Metric("recall"))),
        ("10cv, measuring mcc, recall, primary mcc, threshold on 20%", "threshold", m.Thresholding("part", m.Part(fraction=0.2), m.Metric("mcc"))),
        ("10cv, stop early on 10%", "stop_early", m.Part(fraction=0.1)),
        ("100 partitions of 10cv, until settled within 5 looks", "until_settled", 5),
        ("guarded holdout 1/4 within 100 looks", "scheme", m.Scheme("guarded-holdout", part=m.Part(fraction=0.25), looks=100)),
        ("10cv, holm over everything so far", "correction", m.Correction("holm", ("everything",), so_far=True)),
    ],
)  # fmt: skip
def test_comparisons(clause: str, field: str, value: object) -> None:
    assert getattr(planned(ON_D.format(clause)).comparisons[0], field) == value


def test_learners() -> None:
    text = (
        'learner x is scale | neural-net(hidden_layer_sizes = [64, 32], activation = "relu", early_stopping = true), calibrate platt, train 3 times because "b"\n'
        'learner bare is "no_such_package.models:Net"(depth = 3), without preparation\n'
        'learner ablated is drop(columns = ["age"]) | random-forest, threshold 30%\n'
    )
    x, bare, ablated = planned(text).learners
    assert [(s.name, s.kind) for s in x.steps] == [("scale", "step"), ("neural-net", "learner")]
    assert dict(x.steps[1].parameters) == {"hidden_layer_sizes": (64, 32), "activation": "relu", "early_stopping": True}
    assert fields(x, "calibrate", "trainings", "because") == ("platt", 3, "b")
    assert (bare.without_preparation, bare.steps[0].kind) == (True, "code")
    assert (ablated.threshold, ablated.steps[0]) == (0.3, m.Step("drop", "step", (("columns", ("age",)),)))


def test_described() -> None:
    plan = planned(
        'dataset reviews described as 5000 rows, 2 classes, rarest 2%, groups "patient"\n'
        'learner net described as "ResNet-18", randomised, tuned with 50 tries, gives scores, trained 3 times\n'
        'learner old described as "net", tuned by hand, tuned for 90 minutes, pretrained on "ImageNet", stopped early on test\n'
        "compare net vs old on reviews using grouped 10cv, seed 1\n"
    )
    (reviews,) = plan.datasets
    assert fields(reviews, "rows", "classes", "rarest", "groups") == (5000, 2, 0.02, "patient")
    assert (reviews.source.kind, reviews.task) == ("described", "classification")
    net, old = plan.learners
    assert net.described == m.Description("ResNet-18", randomised=True, gives_scores=True, tries=50)
    assert fields(net, "candidates", "trainings", "steps") == (50, 3, (m.Step("ResNet-18", "described"),))
    by_hand = m.Description("net", by_hand=True, hours=1.5, pretrained_on="ImageNet", stopped_on_test=True)
    assert old.described == by_hand
    words = (
        "the rarest class with 2%",
        "randomised",
        "tuned with 50 settings",
        "tuned for 1.5 hours",
        "groups in patient",
    )
    assert [word for word in words if word not in describe(plan)] == []
    with pytest.raises(ScriptError, match="`reviews` is declared with `described as`"):
        refuse_unbuilt(plan)


def test_parameters_in_place_are_those_of_a_learner_statement() -> None:
    label = "random-forest(n_estimators = 30)"
    inline = planned(D + f"compare svm vs {label} on d using 10cv\nclaim svm better than {label} on d\n")
    named = planned(D + f"learner f is {label}\ncompare svm vs f on d using 10cv\n")
    assert inline.comparisons[0].learners == ("svm", label)
    assert the(inline.learner(label)).steps == the(named.learner("f")).steps
    assert inline.claims[0].evidence == ("compare-1",)


def test_a_folder_stands_for_its_files_and_counts_as_several_before_it_is_opened() -> None:
    text = (
        'suite archive from folder "sets/", target "class" because "all of them"\n'
        "compare knn vs svm on archive using 10cv, seed 1\nclaim knn better than svm on archive\n"
    )
    plan = planned(text)
    comparison = plan.comparisons[0]
    assert plan.suites[0].each == (m.Dataset("archive/*", m.Source("folder", "sets/"), target="class"),)
    assert plan.datasets == plan.suites[0].each
    assert fields(comparison, "datasets", "question", "fits") == (("archive/*",), 9, -1)
    assert [test.name for test in comparison.over] == ["wilcoxon"]
    assert fields(plan.claims[0], "datasets", "evidence") == (("archive/*",), ("compare-1",))
    assert {f.code for f in lint(build(SourceText("s.eval", text))).findings}.isdisjoint({"EV101", "EV111", "EV501"})
    assert "archive/* (all tables in sets/)" in describe(plan)
    assert "the number of tests is not known before `archive/*` is read" in describe(plan)


@pytest.mark.parametrize(
    ("what", "clause"),
    [
        ("measuring your own metric where learners are trained", "measuring bleu(better = higher)"),
        ("choosing by your own metric", "threshold on 20% for bleu(better = higher)"),
    ],
)
def test_run_refuses_what_is_not_built_before_it_opens_anything(what: str, clause: str) -> None:
    """There is no file d.csv: the refusal comes first, with its place."""
    with pytest.raises(ScriptError, match=re.escape(f"{what} is not supported yet")) as caught:
        run_script(SourceText("s.eval", ON_D.format(f"10cv, {clause}")), Request())
    assert the(caught.value.position).line == 2


def test_a_field_that_came_later_counts_only_where_it_is_used() -> None:
    """Frozen designs are recognised by the fingerprint."""
    script = D + "compare knn vs svm on d using forward 8 splits{}, seed 1\n"
    plain, new = planned(script.format("")), planned(script.format(", gap 7 rows"))
    assert fingerprint(plain) != fingerprint(new)
    assert [("gap" in str(meaning(plan.comparisons))) for plan in (plain, new)] == [False, True]
