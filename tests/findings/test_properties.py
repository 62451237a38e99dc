"""Lint on any script hypothesis can build: it never raises, no rule crashes, every finding stands in the text."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalang.data.profile_facts import Profile
from evalang.findings.engine import lint
from evalang.findings.fix import repair
from evalang.findings.lint_report import LintReport
from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.plans.model import Plan
from evalang.results.run_result import RunResult

from .cases import all_cases
from .made_run import Fact, made_run

NAMES = ("d", "e", "f", "s", "t", "r", "p", "iris", "diabetes", "tree", "near", "sure", "majority", "naive-bayes", "x")
SCHEMES = (
    "holdout 1/3", "10cv", "10x10cv", "5x2cv", "55 partitions of 10cv", "10 partitions of 5x2cv", "30 resamples of 2/3",
    "8 trainings of 300", "leave-one-out", "bootstrap 50", "forward 8 splits", "given folds", "given test",
    "grouped 10cv", "unstratified 3x2cv", "0cv", "holdout 500 rows",
)  # fmt: skip
TESTS = (
    "mcnemar", "mcnemar-exact", "binomial", "proportions", "cochran-q", "resampled-t", "kfold-t", "5x2cv-t", "5x2cv-f",
    "corrected-t", "averaged-t", "paired-t", "wilcoxon", "sign", "friedman", "friedman, nemenyi", "anova", "quasi-f",
    "permutation", "randomization", "bootstrap", "delong", "row-t", "tost", "bayes-correlated-t", "wilson", "nothing",
)  # fmt: skip
METRICS = ("accuracy", "error", "roc-area", "brier", "lift", "f-score", "rmse", "r2", "fit-time", "cal", "nonsense")
CLAUSES = (
    "tune on 20%", "tune on 500 rows", "tune using 5cv", "tune on test", "calibrate on 20%", "calibrate on tuning",
    "without retraining", "holm over datasets", "bonferroni over learners, metrics", "bh over everything",
    "uncorrected",
    "at alpha 0.1", "at 1%", "seed 7", "rope 1%", "rope 0.5", "control tree", "all pairs", "expecting tree better",
    'expecting tree better because "r"', "failures count as worst", "complete cases", 'because "r"',
    'allow EV501 because "r"', 'allow EV999 because "r"', "allow EV101", "as named", "tune on 400%", "at alpha 7",
)  # fmt: skip
DEFINITIONS = (
    'dataset d from csv "d.csv", target "y" because "r"',
    'dataset d from csv "d.csv", target "y", groups "g"',
    'dataset e from csv "e.csv", target "y", time "t" as regression',
    'dataset e from builtin "wine", positive "class_0" against the rest',
    'dataset f from csv "f.csv", tested on csv "g.csv", folds "k", target "y", prepared by scale, pca',
    'dataset f from synthetic gaussians(n = 300, share = 0.05) because "r"',
    'suite s is d, e, iris because "r"',
    'suite t is d, sampled from "a population"',
    "learner tree is decision-tree(max_depth = 3), tune ccp_alpha in {0.1, 0.2}",
    "learner near is scale | knn, tune n_neighbors in 1..30, try 5, train 3 times",
    "learner sure is svm, calibrate isotonic",
    'learner x is "team:X"',
    'results r from csv "r.csv", datasets in "d", measuring rmse',
    'results r from csv "r.csv" as accuracy ~ learner | dataset / fold',
    'predictions p from csv "p.csv", truth "y", learners in "a", "b", groups "g"',
    "set seed 3", "set alpha 0.2", "set tune on 10%", "set rope 2%", 'set allow EV310 because "r"',
    "simulate type-I of mcnemar with n 300, error 10%, trials 100", "simulate power of compare-1 with difference 1%",
    'report to "out.html"',
)  # fmt: skip

_some = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4)
_clauses = st.lists(st.sampled_from(CLAUSES), max_size=5)


@st.composite
def _judged(draw: st.DrawFn) -> str:
    word = draw(st.sampled_from(("compare ", "compare this classifier ", "estimate ", "compare all")))
    learners = "" if word == "compare all" else " vs ".join(draw(_some))
    parts = [f"{word}{learners} on {', '.join(draw(_some))}"]
    if draw(st.booleans()) or draw(st.booleans()):
        parts.append(f"using {draw(st.sampled_from(SCHEMES))}")
    if draw(st.booleans()):
        parts.append(f"by {draw(st.sampled_from(TESTS))}")
    if draw(st.booleans()):
        parts.append("measuring " + ", ".join(draw(st.lists(st.sampled_from(METRICS), min_size=1, max_size=3))))
    return draw(st.sampled_from((", ", " ", "\n  ", ",\n  "))).join(parts + draw(_clauses))


@st.composite
def _claimed(draw: st.DrawFn) -> str:
    relation = draw(st.sampled_from(("better than", "no worse than", "same as")))
    within = draw(st.sampled_from(("", " within 1%", " within 0.5")))
    where = draw(st.sampled_from(("on new datasets", "on each of d, e", "on s", "on d", "on r", "on s overall")))
    classifier = draw(st.sampled_from(("", "this classifier ")))
    left, right = draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))
    return f"claim {classifier}{left} {relation} {right}{within} {where}"


_scripts = st.lists(st.one_of(st.sampled_from(DEFINITIONS), _judged(), _claimed()), min_size=1, max_size=14).map(
    lambda lines: "\n".join(lines) + "\n"
)
_corpus = [case.text for case in all_cases()]


def _sound(report: LintReport, text: str) -> None:
    assert not report.crashed, [f.message for f in report.findings if f.code == "EV901"]
    for finding in (*report.findings, *(a.finding for a in report.allowed)):
        assert finding.message
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
        for edit in finding.fix.edits if finding.fix else ():
            assert 0 <= edit.span.start <= edit.span.end <= len(text)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_scripts)
def test_any_script(text: str) -> None:
    built = build(SourceText("s.eval", text))
    _sound(lint(built), text)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_scripts)
def test_any_repair_ends_and_is_stable(text: str) -> None:
    fixed = repair(SourceText("s.eval", text))
    assert repair(SourceText("s.eval", fixed)) == fixed


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(_corpus), st.data())
def test_any_damaged_script(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, max(len(text) - 1, 0)))
        cut = data.draw(st.integers(0, 12))
        text = text[:at] + data.draw(st.text(max_size=3)) + text[at + cut :]
    _sound(lint(build(SourceText("s.eval", text))), text)


_number = st.floats(-5, 5, allow_nan=False)
_counts = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 50)), max_size=3, unique_by=lambda c: c[0])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_scripts, st.data())
def test_any_facts(text: str, data: st.DataObject) -> None:
    built = build(SourceText("s.eval", text))
    profiles = {
        dataset.name: Profile(
            name=dataset.name,
            rows=data.draw(st.integers(0, 200)),
            features=3,
            task=data.draw(st.sampled_from(("classification", "regression"))),
            classes=tuple(data.draw(_counts)),
            duplicate_rows=data.draw(st.integers(0, 3)),
            test_rows=data.draw(st.sampled_from((None, 0, 10))),
            test_classes=tuple(data.draw(_counts)),
        )
        for dataset in built.plan.datasets
    }
    _sound(lint(built, profiles=profiles, run=_run(built.plan, data)), text)


def _run(plan: Plan, data: st.DataObject) -> RunResult:
    """A run with any numbers for every comparison."""

    def any_of(*values: Any) -> Any:
        return data.draw(st.sampled_from(values))

    facts: list[Fact] = [("claimed", {"claim": c.name, "status": "not settled", "reason": "r"}) for c in plan.claims]
    for comparison in plan.comparisons:
        first, second = (*comparison.learners, "a", "b")[:2]
        floats = data.draw(st.lists(_number, max_size=6))
        folds, dataset = tuple((x, -x) for x in floats), comparison.datasets[0]
        same = {"comparison": comparison.name, "metric": "accuracy", "first": first, "second": second}
        same |= {"dataset": dataset, "learner": first, "parameter": "ccp_alpha", "picks": floats[:2]}
        same |= {"training_rows": any_of(None, 10.0, 100.0), "discordant": any_of(None, (0, 0), (3, 1))}
        same |= {"scores": any_of((), (folds, folds))}
        judged = {"test": "mcnemar", "dataset": any_of(None, dataset), "difference": data.draw(_number), "p": 0.5}
        judged |= {"adjusted_p": any_of(None, 0.0, 1.0), "alpha": 0.05, "approximate": True}
        over = {"test": "paired-t", "differences": [("d", x) for x in floats]}
        facts += [("pair", same), ("judgement", same | judged), ("over", same | over), ("chosen", same)]
    return made_run(plan, facts)
