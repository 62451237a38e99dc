"""What was added to the language, as records of the plan: each sentence gives the record it says, JSON both ways."""

# ruff: noqa: E501  a script reads best in one line
from __future__ import annotations

import re
from pathlib import Path

import jsonschema
import pytest

from evalang.codec import to_json
from evalang.errors import ScriptError
from evalang.findings.engine import lint
from evalang.language.clauses import STATEMENT_WORDS
from evalang.language.parser import parse
from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.plans import model as m
from evalang.plans.build import build
from evalang.plans.canonical import dumps, fingerprint, loads, plan_schema
from evalang.plans.description import describe
from evalang.plans.opened_data import NOT_BUILT, refuse_unbuilt

LANGUAGE = Path(__file__).resolve().parents[3] / "shared" / "design" / "LANGUAGE.md"
D = 'dataset d from csv "d.csv", target "y"\n'
ON_D = D + "compare knn vs svm on d using {}, seed 1\n"
TABLE = 'results r from csv "r.csv" as accuracy ~ learner | dataset / fold, {}\ncompare a vs b on r\n'


def planned(text: str) -> m.Plan:
    """The plan of a script that has no mistake, as it comes back from JSON that fits the schema."""
    built = build(SourceText("s.eval", text))
    assert not built.findings, built.findings
    back = loads(dumps(built.plan))
    assert back == built.plan
    jsonschema.validate({"fingerprint": fingerprint(back), "plan": to_json(back)}, plan_schema())
    return back


def test_every_example_of_the_design_is_read() -> None:
    if not LANGUAGE.is_file():
        pytest.skip("the design paper is not beside the project")
    page = LANGUAGE.read_text(encoding="utf-8").split("## What the plan knows")[0]
    text = "\n".join(line[4:] for line in page.splitlines() if line.startswith("    "))
    script, findings = parse(SourceText("design.eval", text))
    assert not findings, findings
    begun = re.findall(rf"^({'|'.join(STATEMENT_WORDS)}) ", text, re.MULTILINE)
    assert len(script.statements) == len(begun) >= 80


@pytest.mark.parametrize(
    ("said", "field", "value"),
    [
        ('folds in "split", seeds in "run"', "roles", (m.Role("split", "folds"), m.Role("run", "seeds"))),
        ('repeats in "Run", items in "q"', "roles", (m.Role("Run", "repeats"), m.Role("q", "items"))),
        ('groups "passage"', "groups", "passage"),
        ("made using 20x5cv", "made", m.Scheme("repeated-cv", partitions=20, folds=5)),
        ("made using forward 8 splits, gap 7 rows", "made", m.Scheme("forward", folds=8, gap=7)),
        ("made using forward 8 trainings of 90 rows", "made", m.Scheme("forward", folds=8, rows=90)),
        ("trained 20 times", "trainings", 20),
        ("tuned on 20%", "tuned", m.Tuning("part", m.Part(fraction=0.2))),
        ("tuned on test", "tuned", m.Tuning("test")),
        (
            'copied from "Chen, table 3" for xgb, lgbm, copied from "us"',
            "copied",
            (m.Copied("Chen, table 3", ("xgb", "lgbm")), m.Copied("us")),
        ),
        ("measuring bleu(better = higher)", "measured", m.Metric("bleu", better="higher")),
    ],
)
def test_results(said: str, field: str, value: object) -> None:
    table = TABLE.format(said).splitlines()[0] + "\n"  # not compared: some say too little for that
    assert getattr(planned(table).results[0], field) == value


@pytest.mark.parametrize(
    ("said", "field", "value"),
    [
        ("10cv, measuring roc-area, f-score, primary roc-area", "primary", "roc-area"),
        ("10cv, measuring bleu(better = lower), primary bleu", "primary", "bleu(better = lower)"),
        ("10cv, measuring accuracy(epochs = majority)", "metrics", (m.Metric("accuracy", epochs="majority"),)),
        ("10cv, measuring pass(k = 5)", "metrics", (m.Metric("pass", (("k", 5),), better="higher"),)),
        ("10cv, tune on 20%, threshold on tuning for f-score", "threshold", m.Thresholding("tuning", metric=m.Metric("f-score"))),
        ("10cv, threshold on 100 rows", "threshold", m.Thresholding("part", m.Part(rows=100), m.Metric("accuracy"))),
        ("10cv, measuring roc-area, recall, threshold on 20%", "threshold", m.Thresholding("part", m.Part(fraction=0.2), m.Metric("recall"))),
        ("10cv, measuring mcc, recall, primary mcc, threshold on 20%", "threshold", m.Thresholding("part", m.Part(fraction=0.2), m.Metric("mcc"))),
        ("10cv, stop early on 10%", "stop_early", m.Part(fraction=0.1)),
        ("100 partitions of 10cv, until settled within 5 looks", "until_settled", 5),
        ("guarded holdout 1/4 within 100 looks", "scheme", m.Scheme("guarded-holdout", part=m.Part(fraction=0.25), looks=100)),
        ("10cv, holm over everything so far", "correction", m.Correction("holm", ("everything",), so_far=True)),
    ],
)  # fmt: skip
def test_comparisons(said: str, field: str, value: object) -> None:
    assert getattr(planned(ON_D.format(said)).comparisons[0], field) == value


def test_rows_that_are_read() -> None:
    found = planned(
        'dataset d from csv "d.csv", target "y", where "age" > 18 and "sex" is not "f", drop repeated rows, '
        'join classes "a", "b" as "ab", join classes 1, 2 as 3, tuned on csv "v.csv"\n'
    ).datasets[0]
    assert found.where == (m.Condition("age", ">", 18), m.Condition("sex", "is not", "f"))
    assert found.drop_repeated
    assert found.joined == (m.JoinedClasses(("a", "b"), "ab"), m.JoinedClasses((1, 2), 3))
    assert found.tuned_on == m.Source("csv", "v.csv")


def test_described() -> None:
    plan = planned(
        'dataset reviews described as 5000 rows, 2 classes, rarest 2%, groups "patient"\n'
        'learner net described as "ResNet-18", randomised, tuned with 50 tries, gives scores, trained 3 times\n'
        'learner old described as "net", tuned by hand, tuned for 90 minutes, pretrained on "ImageNet", stopped early on test\n'
        "compare net vs old on reviews using grouped 10cv, seed 1\n"
    )
    (reviews,) = plan.datasets
    assert (reviews.source.kind, reviews.rows, reviews.classes, reviews.rarest) == ("described", 5000, 2, 0.02)
    assert (reviews.groups, reviews.task) == ("patient", "classification")
    net, old = plan.learners
    assert net.described == m.Description("ResNet-18", randomised=True, gives_scores=True, tries=50)
    assert (net.candidates, net.trainings, net.steps) == (50, 3, (m.Step("ResNet-18", "described"),))
    assert old.described == m.Description(
        "net", by_hand=True, hours=1.5, pretrained_on="ImageNet", stopped_on_test=True
    )
    shown = describe(plan)
    for phrase in (
        "the rarest with 2%",
        "randomised",
        "tuned with 50 tries",
        "tuned for 1.5 hours",
        "groups in patient",
    ):
        assert phrase in shown


def test_learners() -> None:
    plan = planned(
        'learner bare is "mine:Net", without preparation\n'
        'learner ablated is drop(columns = ["age"]) | random-forest, threshold 30%\n'
    )
    bare, ablated = plan.learners
    assert bare.without_preparation
    assert ablated.threshold == 0.3
    assert ablated.steps[0] == m.Step("drop", "step", (("columns", ("age",)),))


def test_parameters_in_place_are_those_of_a_learner_statement() -> None:
    inline = planned(
        D
        + "compare svm vs random-forest(n_estimators = 30) on d using 10cv\nclaim svm better than random-forest(n_estimators=30) on d\n"
    )
    named = planned(D + "learner f is random-forest(n_estimators = 30)\ncompare svm vs f on d using 10cv\n")
    label = "random-forest(n_estimators = 30)"
    assert inline.comparisons[0].learners == ("svm", label)
    found, written = inline.learner(label), named.learner("f")
    assert found is not None
    assert written is not None
    assert found.steps == written.steps
    assert inline.claims[0].evidence == ("compare-1",)


def test_a_folder_stands_for_its_files() -> None:
    plan = planned(
        'suite archive from folder "sets/", target "class"\ncompare knn vs svm on archive using 10cv, seed 1\n'
    )
    assert plan.suites[0].each == (m.Dataset("archive/*", m.Source("folder", "sets/"), target="class"),)
    assert plan.comparisons[0].datasets == ("archive/*",)
    assert plan.datasets == plan.suites[0].each


def test_a_folder_counts_as_several_before_it_is_opened() -> None:
    text = (
        'suite archive from folder "sets/", target "class" because "all of them"\n'
        "compare knn vs svm on archive using 10cv, seed 1\nclaim knn better than svm on archive\n"
    )
    plan = planned(text)
    comparison = plan.comparisons[0]
    assert (comparison.question, comparison.fits) == (9, -1)
    assert [test.name for test in comparison.over] == ["wilcoxon"]
    assert plan.claims[0].datasets == ("archive/*",)
    assert plan.claims[0].evidence == ("compare-1",)
    assert {f.code for f in lint(build(SourceText("s.eval", text))).findings}.isdisjoint({"EV101", "EV111", "EV501"})
    words = describe(plan)
    assert "archive/* (every table in sets/)" in words
    assert "cannot be counted yet: archive/* is read when the script is run" in words


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ('dataset d from parket "d.parquet", target "y"', "EV002", 'did you mean "parquet"'),
        ('dataset d from inspect "logs/", target "y"', "EV007", "which is no dataset"),
        ('dataset d from openml "iris"', "EV006", "after openml stands a number"),
        ('results r from csv "r.csv", gap 7 rows', "EV007", "what the gap stands in"),
        (ON_D.format("10cv, gap 7 rows"), "EV007", "only a forward scheme has a gap"),
        (ON_D.format("10cv, measuring accuracy, primary roc-area"), "EV007", "roc-area is not measured"),
        (ON_D.format("10cv, measuring accuracy(better = lower)"), "EV007", "is known"),
        (ON_D.format("10cv, measuring accuracy(epochs = best)"), "EV006", "mean or majority"),
        (ON_D.format("10cv, measuring pass(n = 5)"), "EV006", "pass(k = 5)"),
        (ON_D.format("10cv, measuring blue"), "EV002", "bleu(better = higher)"),
        (ON_D.format("guarded holdout 1/3 within 0 looks"), "EV006", "looks are none"),
        (TABLE.format("measuring accuracy") .replace("on r", "on r, stop early on 10%"), "EV007", "nothing is trained"),
        ("dataset d described as 9 rows, 4 classes, rarest 40%", "EV006", "so large a share"),
        ("dataset d described as rarest 40 rows", "EV006", "by its share"),
        ("learner x is svm, threshold 30", "EV006", "is no threshold"),
        (ON_D.format("10cv, threshold on tuning for f-score"), "EV007", "there is no tuning part to choose the threshold on"),
        (ON_D.format("10cv, threshold on 20% for roc-area"), "EV007", "is the same at every threshold"),
        (ON_D.format("10cv, threshold on 20% for rmse"), "EV007", "not measured on the classes that are said"),
        (ON_D.format("10cv, tune on 20% for fit-time"), "EV007", "fit-time varies from run to run"),
        (ON_D.format("10cv, tune using 3cv for size"), "EV007", "size varies from run to run"),
        (ON_D.format("10cv, measuring recall, mcc, threshold on 20%"), "EV007", "recall and mcc could choose it"),
        (ON_D.format("10cv, measuring roc-area, threshold on 20%"), "EV007", "no metric of classes is measured"),
        (ON_D.format("10cv, tune on 40%, threshold on 40%, stop early on 20%"), "EV006", "write tune on 20%, threshold on 20%, stop early on 10%"),
        ("learner c is svm, calibrate platt\n" + D + "compare c vs knn on d using 10cv, tune on 20%, calibrate on 20%, threshold on tuning", "EV007", "before the scores are calibrated"),
        ("learner x is scale | svm, without preparation", "EV007", "scale prepares the data"),
        ("learner x is drop | svm", "EV006", "names the columns"),
        (D + "compare svm vs knn(nearest = 3) on d using 10cv", "EV005", "knn has no parameter"),
        (D + "compare svm vs knnn(k = 3) on d using 10cv", "EV002", 'did you mean "knn"'),
        (D + "learner f is knn\ncompare svm vs f(k = 3) on d using 10cv", "EV006", "takes no parameters here"),
    ],
)  # fmt: skip
def test_what_cannot_be_planned_is_said(text: str, code: str, says: str) -> None:
    found = build(SourceText("s.eval", text + "\n")).findings
    assert code in [f.code for f in found], found
    assert any(says in f"{f.message} {f.help}" for f in found), found


# One script for each line of the list; whoever builds a line takes it and its script away.
UNBUILT = {
    "measuring a metric of one's own where learners are trained": ON_D.format("10cv, measuring bleu(better = higher)"),
    "choosing by a metric of one's own": ON_D.format("10cv, threshold on 20% for bleu(better = higher)"),
}


def test_every_line_of_the_list_has_its_script() -> None:
    assert set(UNBUILT) == set(NOT_BUILT)


@pytest.mark.parametrize(("what", "text"), UNBUILT.items(), ids=UNBUILT)
def test_not_built_yet(what: str, text: str) -> None:
    with pytest.raises(ScriptError, match=re.escape(f"{what} is not built yet")) as caught:
        refuse_unbuilt(planned(text))
    assert caught.value.span.end > caught.value.span.start


def test_run_refuses_before_it_opens_anything() -> None:
    """There is no file d.csv: the refusal comes first, with its place."""
    with pytest.raises(
        ScriptError, match="measuring a metric of one's own where learners are trained is not built yet"
    ) as caught:
        run_script(
            SourceText(
                "s.eval",
                D.replace('"y"', '"y", time "day"')
                + "compare knn vs svm on d using forward 8 splits, measuring bleu(better = higher), seed 1\n",
            ),
            Request(),
        )
    assert caught.value.position is not None
    assert caught.value.position.line == 2


def test_what_is_only_described_is_never_run() -> None:
    plan = planned("dataset d described as 500 rows, 2 classes\ncompare knn vs svm on d using 10cv, seed 1\n")
    with pytest.raises(ScriptError, match="d is only described"):
        refuse_unbuilt(plan)


def test_what_says_nothing_new_keeps_its_fingerprint() -> None:
    """Trials are stored under it; a field that came later counts only when it is said."""
    plain, gap = (planned(D + f"compare knn vs svm on d using forward 8 splits{x}\n") for x in ("", ", gap 7 rows"))
    assert fingerprint(plain) != fingerprint(gap)
    assert "gap" not in str(to_meaning(plain.comparisons[0]))


def test_series_go_through_every_form_of_the_plan() -> None:
    """A plan without them is the plan that it was; without a time that they run in there are none."""
    text = D.replace('"y"', '"y", time "day", series in "shop"')
    script = text + "compare knn vs svm on d using forward 8 splits, gap 7 rows, seed 1\n"
    plan = planned(script)
    assert plan.datasets[0].series == "shop"
    assert "series in shop" in describe(plan)
    bare = planned(script.replace(', series in "shop"', ""))
    assert fingerprint(bare) != fingerprint(plan)
    assert "series" not in str(to_meaning(bare.datasets[0]))
    described = planned('dataset d described as 500 rows, time "day", series in "shop"\n')
    assert described.datasets[0].series == "shop"
    (found,) = build(SourceText("s.eval", D.replace('"y"', '"y", series in "shop"'))).findings
    assert (found.code, found.message) == ("EV007", "d has series and no time that they run in")


def to_meaning(record: m.Dataset | m.Comparison) -> object:
    from evalang.plans.canonical import meaning

    return meaning(record)
