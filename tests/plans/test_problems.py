"""Every kind of finding the builder makes: its code, its sentence, and the words it stands on."""

# ruff: noqa: E501  a script reads best in one line
from __future__ import annotations

import pytest

from evalang.language.text import SourceText
from evalang.plans.build import build
from tests.plans.planning import TABLES, planned, told

CASES = [
    # values
    ("compare t vs n on a using 1cv", "EV006", "there is no cross-validation with 1 folds", "1cv"),
    ("compare t vs n on a using 0x10cv", "EV006", "0 repetitions make no scheme", "0x10cv"),
    ("compare t vs n on a using holdout 100%", "EV006", "holdout 100% is not a part of the data", "100%"),
    ("compare t vs n on a using holdout 0", "EV006", "holdout 0 is not a part of the data", "0"),
    ("compare t vs n on a using holdout 0 rows", "EV006", "holdout 0 rows is not a number of rows", "0 rows"),
    ("compare t vs n on a using 30 resamples of 3/2", "EV006", "a resample of 3/2 is not a part of the data", "3/2"),
    ("compare t vs n on a using 10cv, tune on 120%", "EV006", "tune on 120% is not a part of the data", "120%"),
    ("compare t vs n on a using 10cv, calibrate on 0", "EV006", "calibrate on 0 is not a part of the data", "0"),
    ("compare t vs n on a using 10cv at alpha 5", "EV006", "alpha 5 is not a level", "5"),
    ("compare t vs n on a using 10cv, seed 99999999999999999999", "EV006", "a seed cannot be 99999999999999999999", "99999999999999999999"),
    ("compare t vs n on r using 10cv, measuring rmse, rope 1%", "EV006", "1% has no meaning for rmse, which has a unit of its own", "1%"),
    ("compare t vs n on a using 10cv, rope 5 rows", "EV006", "5 rows is not a difference", "5 rows"),
    ("compare t vs t on a using 10cv", "EV006", "t is compared with itself", "t"),
    ("compare t vs n on a, a using 10cv", "EV006", "a is named twice", "a"),
    ("compare t vs n on a using 10cv, measuring lift(top = 2)", "EV006", "top of lift is a share of the rows above 0 and at most 1, not 2", "top = 2"),
    ("learner q is knn, tune n_neighbors in 9..1", "EV006", "9..1 has no values", "9..1"),
    ("learner q is knn, tune n_neighbors in {1, 2, 1}", "EV006", "n_neighbors names a value twice", "{1, 2, 1}"),
    ("learner q is svm, tune C in log(0, 1, 5)", "EV006", "log(0, 1, 5) has no values", "log(0, 1, 5)"),
    ("learner q is svm, tune C in 10^{0..999}", "EV006", "10^{0..999} leaves the range of numbers", "10^{0..999}"),
    ("learner q is svm, tune C in {1, 2}, C in {3}", "EV006", "C is tuned twice", "C in {3}"),
    ("learner q is knn, tune n_neighbors in {1, 2}, try 0", "EV006", "try cannot be 0", "0"),
    ("learner q is knn, train 0 times", "EV006", "train cannot be 0", "0"),
    ("claim t better than t on a", "EV006", "t is claimed against itself", "t"),
    ("claim t better than n on a measuring accuracy, error", "EV006", "a claim is about one metric", "measuring accuracy, error"),
    ('report to "paper.doc"', "EV006", '"paper.doc" does not say which format to write', '"paper.doc"'),
    ("simulate type-I of mcnemar with n 0, seed 1", "EV006", "n cannot be 0", "0"),
    ("simulate type-I of mcnemar with error 150%, seed 1", "EV006", "error cannot be 150%", "150%"),
    # names
    ("compare t vs n on a using 10cv, measuring acuracy", "EV002", 'there is no metric named "acuracy"', "acuracy"),
    ("compare t vs n on a using 10cv by corected-t", "EV002", 'there is no test named "corected-t"', "corected-t"),
    ("compare t vs n vs k on a using 10cv, control q", "EV002", 'there is no compared learner named "q"', "q"),
    ('compare t vs n on a using 10cv, expecting k better because "x"', "EV002", 'there is no compared learner named "k"', "k"),
    ("learner q is scale | suport-vector", "EV002", 'there is no learner named "suport-vector"', "suport-vector"),
    ("learner q is scal | knn", "EV002", 'there is no step named "scal"', "scal"),
    ('dataset q from builtin "irys"', "EV002", 'there is no built-in dataset named "irys"', '"irys"'),
    ("dataset q from synthetic gausians(n = 300)", "EV002", 'there is no generator named "gausians"', "gausians"),
    ('report nobody to "x.html"', "EV002", 'there is no comparison named "nobody"', "nobody"),
    ("simulate power of nobody with difference 1%, seed 1", "EV002", 'there is no comparison named "nobody"', "nobody"),
    ("claim t better than n on a, according to nobody", "EV002", 'there is no comparison named "nobody"', "according to nobody"),
    ("claim t better than nobody-else on a", "EV002", 'there is no learner named "nobody-else"', "nobody-else"),
    # parameters
    ("learner q is knn(n_neighbours = 3)", "EV005", 'knn has no parameter "n_neighbours"', "n_neighbours = 3"),
    ("learner q is knn, tune n_neighbours in {1, 2}", "EV005", 'knn has no parameter "n_neighbours"', "n_neighbours"),
    ("learner q is scale | knn, tune pca.n_components in {1, 2}", "EV005", 'scale | knn has no parameter "pca.n_components"', "pca.n_components"),
    ("compare t vs n on a using 10cv, measuring f-score(averag = 1)", "EV005", "f-score has no option averag", "averag = 1"),
    ("compare t vs n on a, b, c using 10cv by wilcoxon(zero = 1)", "EV005", "wilcoxon has no option zero", "zero = 1"),
    # clauses that do not go together
    ("compare t vs n on a", "EV007", "nothing says how the rows are split", "compare t vs n on a"),
    ("learner q is knn | svm", "EV007", "knn is a learner and can only stand at the end of the chain", "knn"),
    ("learner q is scale | pca", "EV007", "pca prepares data and learns nothing", "pca"),
    ("learner q is knn, try 5", "EV007", "try has nothing to try", "try 5"),
    ("compare t vs n on a using 10cv by friedman, 5x2cv-t", "EV007", "5x2cv-t is no post-hoc of friedman", "5x2cv-t"),
    ("compare t vs n on a using 10cv by wilson", "EV007", "wilson judges one learner, and this is a comparison", "wilson"),
    ("compare t vs n on a using 10cv by randomization", "EV007", "randomization judges one learner, and this is a comparison", "randomization"),
    ("estimate t on a using 10cv by mcnemar", "EV007", "mcnemar compares learners, and this is an estimate of one", "mcnemar"),
    ("compare t vs n vs k on a using 10cv, control t, all pairs", "EV007", "with a control not all pairs are compared", "all pairs"),
    ("compare t vs n on a using 10cv, tune using holdout 1/3", "EV007", "tuning by holdout 1/3 is not offered", "tune using holdout 1/3"),
    ("compare t vs n on a using 10cv, tune using 5cv, calibrate on tuning", "EV007", "there is no tuning part to calibrate on", "calibrate on tuning"),
    ("compare t vs n on a using 10cv, tune using 5cv, without retraining", "EV007", "tuning by cross-validation leaves no trained learner to keep", "without retraining"),
    ('dataset q from csv "q.csv", query "select 1"', "EV007", "csv data takes no query", 'query "select 1"'),
    ('dataset q from sql "sqlite:///q.db", target "y"', "EV007", "q says no query", "q"),
    ('results q from csv "q.csv", measuring accuracy, error', "EV006", "a results table holds one metric", "measuring accuracy, error"),
    ('results q from csv "q.csv", measuring error\ncompare t vs n on q using 10cv', "EV007", "q holds results that are already there", "using 10cv"),
    ('results q from csv "q.csv", measuring error\ncompare t vs n on q, tune on 20%', "EV007", "q holds results: nothing is trained", "tune on 20%"),
    ('results q from csv "q.csv", measuring error\ncompare t vs n on q, a', "EV007", "q is a table of its own and stands with other data", "q"),
    ('results q from csv "q.csv"\ncompare t vs n on q', "EV007", "q does not say which metric it holds, nor whether more of it is better", "q"),
    ("compare t vs n on a using 10cv, holm over everything\ncompare t vs n on b using 10cv, bh over everything", "EV007", "everything is already corrected by holm in compare-1", "bh over everything"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "message", "words"), CASES, ids=[c[0][:60] for c in CASES])
def test_one_finding_with_its_place(text: str, code: str, message: str, words: str) -> None:
    built = planned(TABLES + text)
    found = [f for f in told(built) if f[0] != "EV004"]
    assert found == [(code, message, words)]
    assert built.findings[0].help
    assert built.findings[0].level == "error"


def test_the_place_is_in_the_right_line_and_column() -> None:
    built = planned("learner q is scale\n  | knn(n_neighbours = 3)")
    assert built.sources["test.eval"].position(built.findings[0].span.start) == (2, 9)


def test_an_allowance_without_a_reason_allows_nothing() -> None:
    built = planned(TABLES + "compare t vs n on a using 10cv, allow EV501")
    assert [(f.code, f.message) for f in built.findings] == [("EV006", "allow EV501 gives no reason")]
    assert built.plan.comparisons[0].allow == ()


def test_one_run_tells_everything() -> None:
    built = planned(
        "learner x is kn\nlearner y is knn(p_ = 1)\ncompare x vs y on iris using 1cv, measuring nothing, at 7"
    )
    assert sorted(f.code for f in built.findings) == ["EV002", "EV002", "EV005", "EV006", "EV006"]


def test_a_broken_definition_is_told_once() -> None:
    source = SourceText("a.eval", "learner mine is decision-tree(((\ncompare mine vs naive-bayes on iris using 5x2cv\n")
    assert [f.code for f in build(source).findings] == ["EV001"]


def test_whole_groups_cannot_keep_classes_in_proportion() -> None:
    data = 'dataset d from csv "d.csv", target "y", groups "g"\n'
    text = data + "compare knn vs svm on d using grouped stratified bootstrap 50"
    found = build(SourceText("script.eval", text)).findings
    assert [(f.code, f.message) for f in found] == [
        ("EV007", "a bootstrap draws whole groups, which cannot keep the classes in proportion")
    ]
    assert not build(SourceText("script.eval", text.replace("stratified ", ""))).findings
    assert not build(SourceText("script.eval", text.replace("grouped ", ""))).findings
