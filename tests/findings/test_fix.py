"""Repairs: the finding is gone, comments stay, what is compared stays, the work does not multiply."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from evalang.findings.fix import apply, repair
from evalang.language.text import Edit, Finding, Fix, SourceText, Span
from evalang.plans.build import build
from evalang.plans.model import Plan

from .cases import Case, all_cases
from .scripts import PATH, codes, linted

WORST = """\
# a study with everything wrong
dataset genes from csv "genes.csv", target "t", prepared by scale, select(k = 10)   # all rows
dataset heart from csv "heart.csv", target "y", prepared by scale, select(k = 10)
learner tree is decision-tree, tune max_depth in {1, 2, 3}     # a tree
learner near is knn, tune n_neighbors in {1, 3, 5}

compare tree vs near on genes, heart   # the comparison
  using 30 resamples of 2/3,
  by resampled-t
  without retraining   # fast
"""


@cache
def _repairs(text: str) -> frozenset[str]:
    """The codes of the safe repairs that a script gets."""
    return frozenset(f.code for f in linted(text).findings if f.fix is not None and f.fix.safe)


def _comments(text: str) -> list[str]:
    return sorted(re.findall(r"#[^\n]*", re.sub(r'"[^"\n]*"', "", text)))


def _asked(plan: Plan) -> list[tuple[object, ...]]:
    return [(c.learners, c.datasets, c.metrics, c.estimate, c.this_classifier) for c in plan.comparisons]


@pytest.mark.parametrize("family", ["script", "datasets", "tuning", "partitions", "tests", "families", "metrics"])
def test_a_repaired_script(family: str) -> None:
    fixable = [case for case in all_cases(family) if _repairs(case.text)]
    assert fixable
    for case in fixable:
        _is_repaired(case)


def _is_repaired(case: Case) -> None:
    before = SourceText(PATH, case.text)
    promised = _repairs(case.text)
    text = repair(before)
    report = linted(text)
    assert not any(f.fix is not None and f.fix.safe for f in report.findings), "nothing safe is left to do"
    assert promised.isdisjoint(f.code for f in report.findings)
    assert {f.code for f in report.errors} <= {f.code for f in linted(case.text).errors}
    assert repair(SourceText(PATH, text)) == text
    if "EV008" not in promised:
        assert _comments(text) == _comments(case.text)
    old, new = build(before).plan, build(SourceText(PATH, text)).plan
    assert _asked(new) == _asked(old)
    for one, other in zip(old.comparisons, new.comparisons, strict=True):
        trials = (one.scheme.kind, one.scheme.trials) if one.scheme else None
        assert trials == ((other.scheme.kind, other.scheme.trials) if other.scheme else None)
        if "EV201" not in promised:  # a learner that is tuned has to be trained with every setting, wherever judged
            assert other.fits <= 2 * one.fits or one.fits < 0


def test_the_worst_design_is_repaired_as_far_as_nobody_has_to_be_asked() -> None:
    assert sorted(set(codes(linted(WORST)))) == ["EV201", "EV205", "EV310", "EV401"]
    text = repair(SourceText(PATH, WORST))
    assert not codes(linted(text))
    assert text.splitlines() == [
        "# a study with everything wrong",
        'dataset genes from csv "genes.csv", target "t"   # all rows',
        'dataset heart from csv "heart.csv", target "y"',
        "learner tree is scale | select(k = 10) | decision-tree, tune max_depth in {1, 2, 3}     # a tree",
        "learner near is scale | select(k = 10) | knn, tune n_neighbors in {1, 3, 5}",
        "",
        "compare tree vs near on genes, heart   # the comparison",
        "  using 30 resamples of 2/3,",
        "  by partition-t",
        "  tune on 20%",
        "  seed 1",
        "  holm over datasets   # fast",
    ]


@pytest.mark.parametrize("end", ["\n", "", "\r\n", "   # why\n", "\n\n# next\n"])
def test_a_clause_is_added_before_what_follows_the_statement(end: str) -> None:
    data = 'dataset d from csv "d.csv", target "y" because "r"\n'
    text = f"{data}compare decision-tree vs naive-bayes on d using 5x2cv{end}"
    fixed = repair(SourceText(PATH, text))
    assert fixed == text.replace("5x2cv", "5x2cv, seed 1")
    assert codes(linted(fixed)) == []


@pytest.mark.parametrize(
    ("clauses", "wanted"),
    [
        (', allow EV401 because "x", seed 1', ", seed 1"),
        (', seed 1, allow EV401 because "x"', ", seed 1"),
        (', seed 1 allow EV401 because "x"', ", seed 1"),
        ('\n  seed 1\n  allow EV401 because "x"\n', "\n  seed 1\n"),
        ('\n  seed 1,\n  allow EV401 because "x"   # old\n', "\n  seed 1   # old\n"),
        ('\n  seed 1, # kept\n  allow EV401 because "x"\n', "\n  seed 1 # kept\n"),
        ('\n  # kept\n  allow EV401 because "x", seed 1\n', "\n  # kept\n  seed 1\n"),
    ],
)
def test_a_clause_is_taken_out_without_a_trace(clauses: str, wanted: str) -> None:
    head = 'dataset d from csv "d.csv", target "y" because "r"\ncompare decision-tree vs naive-bayes on d using 5x2cv'
    fixed = repair(SourceText(PATH, head + clauses))
    assert codes(linted(fixed)) == []
    assert re.sub(r"[\s,]+", " ", fixed) == re.sub(r"[\s,]+", " ", head + wanted)


def test_of_two_repairs_that_meet_one_is_written() -> None:
    source = SourceText(PATH, "abcdef")

    def found(start: int, end: int, text: str, safe: bool = True) -> Finding:
        fix = Fix(title="", edits=(Edit(Span(PATH, start, end), text),), safe=safe)
        return Finding(code="EV000", name="x", level="note", message="", help="", fix=fix)

    assert apply(source, [found(1, 3, "X"), found(2, 4, "Y"), found(5, 6, "Z")]) == "aXdeZ"
    assert apply(source, [found(2, 2, "X"), found(2, 2, "Y")]) == "abXcdef"
    assert apply(source, [found(1, 3, "X", safe=False)]) == "abcdef"


def test_the_docs_list_the_safe_repairs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "howto" / "lint.md").read_text(encoding="utf-8")
    told = {code for line in text.split("\n") if line.startswith("| EV") for code in re.findall(r"EV\d{3}", line)}
    given = {code for case in all_cases() for code in _repairs(case.text)}
    assert given == told


def test_a_repair_in_another_file_is_left_to_that_file() -> None:
    fix = Fix(title="", edits=(Edit(Span("other.eval", 0, 1), "X"),))
    finding = Finding(code="EV000", name="x", level="note", message="", help="", fix=fix)
    assert apply(SourceText(PATH, "abc"), [finding]) == "abc"


def test_signs_are_written_only_where_the_datasets_are_known_to_be_enough() -> None:
    text = 'results t from csv "t.csv", datasets in "d", measuring rmse\ncompare a vs b on t by wilcoxon\n'
    assert repair(SourceText(PATH, text)) == text
