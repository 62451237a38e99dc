"""The grammar: no conflicts, found where it should be, every rule with a script that has it and one that breaks it."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark, Tree

from evalang.errors import InternalError
from evalang.language.grammar import build_parser, grammar_path, grammar_text
from evalang.language.nodes import SetStatement, Unread
from evalang.language.parser import parse
from evalang.language.text import SourceText

from .scripts import bare_parser, statements

C = "compare a vs b on d "

# One broken form of each rule; the mistake is inside the construct the rule is named after.
BROKEN_RULES = {
    "according_to": "claim a better than b on d according trees",
    "all_pairs": C + "all pair",
    "allow": C + 'allow "EV401"',
    "alpha": "set alpha high",
    "amount": C + "rope 1 meter",
    "argument": "learner x is svm(C 1)",
    "as_format": 'report to "x" as word',
    "as_formula": 'results r from csv "r.csv" as 3',
    "as_name": C + "as 7",
    "as_task": 'dataset d from csv "d.csv" as clustering',
    "at": C + "at alpha",
    "bare_name": "simulate power of c with 3 n",
    "because": C + "because reasons",
    "bootstrap": C + "using bootstrap",
    "by": C + "by 3",
    "calibrate": "learner x is svm calibrate sigmoid",
    "calibrate_on": C + "calibrate on",
    "call": C + "measuring accuracy(",
    "claim": "claim a is better than b on d",
    "classes": "dataset d described as two classes",
    "column": 'results r from csv "r.csv" as acc ~ 3 | dataset',
    "compare": "compare a vs b",
    "complete_cases": C + "complete case",
    "condition": 'dataset d from csv "d.csv" where "age" over 18',
    "configured": "compare a vs knn(k 3) on d",
    "constant": "learner x is svm(shrinking = true false)",
    "control": C + "control 1",
    "copied_from": 'results r from csv "r.csv" copied from "x" for',
    "correct": C + "holm across datasets",
    "cv": C + "using 10cvs",
    "dataset": "dataset from csv",
    "datasets": C + ", , e",
    "datasets_in": 'results r from csv "r.csv" datasets in 3',
    "described_dataset": "dataset d described 5 rows",
    "described_learner": 'learner x described "net"',
    "drop": 'dataset d from csv "d.csv" drop 3',
    "drop_missing_targets": 'dataset d from csv "d.csv" drop missing target',
    "drop_repeated_rows": 'dataset d from csv "d.csv" drop repeated columns',
    "estimate": "estimate a vs b on d",
    "expecting": C + "expecting a",
    "failures": C + "failures count as best",
    "first_dataset": "claim a better than b on each datasets",
    "first_name": "compare this that vs b on d",
    "folds": 'dataset d from csv "d.csv" folds 5',
    "folds_in": 'results r from csv "r.csv" folds in 3',
    "formula": 'results r from csv "r.csv" as a ~ b',
    "forward": C + "using forward splits",
    "gap": C + "using forward 8 splits gap of 7",
    "given_folds": C + "using given fold",
    "given_test": C + "using given tests",
    "gives_scores": 'learner x described as "net" gives labels',
    "grid_log": "learner x is svm tune C in log(1, 2)",
    "grid_powers": "learner x is svm tune C in 10^{1}",
    "grid_range": "learner x is svm tune C in 1..",
    "grid_set": "learner x is svm tune C in {}",
    "groups": 'dataset d from csv "d.csv" groups 1',
    "guarded_holdout": C + "using guarded holdout 1/3",
    "holdout": C + "using holdout",
    "include": "include common.eval",
    "items_in": 'results r from csv "r.csv" items in 3',
    "join_classes": 'dataset d from csv "d.csv" join classes "a", "b"',
    "learner": "learner x is",
    "learners_in": 'predictions p from csv "p.csv" learners in 3',
    "leave_one_out": C + "using leave-one-in",
    "made_using": 'results r from csv "r.csv" made with 5cv',
    "measuring": C + "measuring",
    "missing": 'dataset d from csv "d.csv" missing',
    "name": "compare a vs 3 on d",
    "number": "learner x is svm tune C in one..3",
    "overall": "claim a better than b on d overall overall-not",
    "partitions": C + "using 5 partitions of 3x3cv",
    "positive": 'dataset d from csv "d.csv" positive',
    "predictions": "predictions p",
    "prepared_by": 'dataset d from csv "d.csv" prepared scale',
    "pretrained_on": 'learner x described as "net" pretrained on ImageNet',
    "primary": C + "primary 3",
    "query": 'dataset d from sql "x" query select',
    "randomised": 'learner x described as "net" random',
    "rarest": "dataset d described as rarest few",
    "repeated_cv": C + "using 5x2cvs",
    "repeats_in": 'results r from csv "r.csv" repeats in 3',
    "report": "report c",
    "halvings": C + "using 10 halvings of 10cv",
    "resamples": C + "using 30 resamples 2/3",
    "results": 'results r is csv "r.csv"',
    "rope": C + "rope small",
    "rows": "dataset d described as 5000 columns",
    "sampled_from": "suite s is a, b sampled from archive",
    "scheme": C + "using stratified",
    "seed": C + "seed lucky",
    "seed_between": "simulate power of c seed 1, 2",
    "seeds_in": 'results r from csv "r.csv" seeds in 3',
    "sequence": "learner x is svm(a = [1, 2)",
    "set": "set 3",
    "setting": "simulate power of c with n many",
    "share": "learner x is svm(a = 10 %)",
    "simulate": "simulate error of mcnemar",
    "so_far": C + "holm over everything so",
    "source": "dataset d from excel",
    "stop_early": C + "stop early at 10%",
    "stopped_early": 'learner x described as "net" stopped early',
    "series_in": 'dataset d from csv "d.csv" series in 3',
    "suite": "suite s is",
    "suite_from": "suite s from folder sets",
    "target": 'dataset d from csv "d.csv" target 3',
    "tested_on": 'dataset d from csv "d.csv" tested csv "e.csv"',
    "text": 'dataset d from csv "d.csv',
    "threshold": "learner x is svm threshold high",
    "threshold_on": C + "threshold on training",
    "time": 'dataset d from csv "d.csv" time 3',
    "train_times": "learner x is svm train 5",
    "trained_times": 'results r from csv "r.csv" trained 20',
    "trainings": C + "using 8 trainings 300",
    "truth": 'predictions p from csv "p.csv" truth 3',
    "try": "learner x is svm try some",
    "tune": "learner x is svm tune",
    "tune_on": C + "tune on much",
    "tune_using": C + "tune using",
    "tuned_by_hand": 'learner x described as "net" tuned by me',
    "tuned_for": 'learner x described as "net" tuned for 2 weeks',
    "tuned_on": 'results r from csv "r.csv" tuned on much',
    "tuned_on_source": 'dataset d from csv "d.csv" tuned on 20%',
    "tuned_parameter": "learner x is svm tune C {1}",
    "tuned_with": 'learner x described as "net" tuned with 50',
    "until_settled": C + "until settled within 5",
    "using": C + "using",
    "weights": 'dataset d from csv "d.csv" weights 3',
    "where": 'dataset d from csv "d.csv" where "age" > 18 and',
    "whole": "set seed 1.5",
    "with": "simulate power of c with",
    "within": "claim a better than b within on d",
    "without_preparation": "learner x is svm without preparing",
    "without_retraining": C + "without training",
}


@pytest.fixture(scope="module")
def lark() -> Lark:
    return bare_parser()


def rules(lark: Lark) -> set[str]:
    return {str(rule.origin.name) for rule in lark.rules if not rule.origin.name.startswith("_")} - {"statement"}


def test_no_conflicts() -> None:
    """Lark settles a conflict of rules, or of two patterns that match the same text, silently unless it is strict."""
    build_parser(strict=True)
    build_parser(strict=True, start="start")


def test_every_rule_has_a_good_script(lark: Lark) -> None:
    seen: set[str] = set()
    for text in statements():
        tree = lark.parse(text)
        assert isinstance(tree, Tree)
        seen |= {str(node.data) for node in tree.iter_subtrees()}
    assert rules(lark) - seen == set()


def test_every_rule_has_a_broken_script(lark: Lark) -> None:
    assert rules(lark) == set(BROKEN_RULES)


@pytest.mark.parametrize(("rule", "text"), BROKEN_RULES.items(), ids=BROKEN_RULES)
def test_broken_rule(rule: str, text: str) -> None:
    after = "\nset seed 1\n"
    script, findings = parse(SourceText("x", text + after))
    assert {f.code for f in findings} == {"EV001"}, findings
    assert all(0 <= f.span.start <= f.span.end <= len(text) for f in findings)
    *broken, last = script.statements
    assert isinstance(last, SetStatement)
    for statement in broken:  # what is left of it, with a sign of what is not, unless it could be mended
        assert any(isinstance(one, Unread) for one in statement.clauses) or findings[0].fix is not None, statement


def test_found_in_the_package_or_the_checkout(tmp_path: Path) -> None:
    wheel, checkout = tmp_path / "a" / "evalang.lark", tmp_path / "b" / "evalang.lark"
    for path in (checkout, wheel):
        path.parent.mkdir()
        path.write_text("start:")
        assert grammar_path((wheel, checkout)) == path
    assert grammar_path().is_file()


def test_missing_grammar_is_said(tmp_path: Path) -> None:
    with pytest.raises(InternalError, match=r"evalang\.lark is missing"):
        grammar_path((tmp_path / "x",))


def test_every_construct_has_an_example() -> None:
    """A reader of the grammar sees an example above each statement and clause."""
    lines = grammar_text().splitlines()
    starts = [i for i, line in enumerate(lines) if line[:1].isalpha() and line[:1].islower() and ":" in line]
    shown = [lines[i].split(":")[0] for i in starts if lines[i - 1].startswith("//")]
    assert len(shown) > 80
