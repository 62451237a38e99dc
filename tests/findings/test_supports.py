"""What a design could say if all goes well."""

from __future__ import annotations

import pytest

from evalang.findings.supports import could_not_say, could_say
from evalang.plans.build import build
from evalang.source.text import Source

DATA = (
    'dataset d from csv "d.csv", target "y" because "r"\n'
    'dataset e from csv "e.csv", target "y" because "r"\n'
    'results old from csv "old.csv", datasets in "d", measuring accuracy\n'
)


def _said(statement: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    plan = build(Source("s.eval", DATA + statement)).plan
    return could_say(plan, plan.comparisons[0]), could_not_say(plan, plan.comparisons[0])


def test_one_dataset() -> None:
    yes, no = _said("compare decision-tree vs naive-bayes on d using 5x2cv, seed 1")
    assert yes == (
        "On d, decision-tree is better than naive-bayes (or the reverse) by accuracy, when trained on half of the "
        "rows, at level 0.05.",
    )
    assert any("same" in sentence for sentence in no)
    assert any("other than d" in sentence for sentence in no)


def test_a_side_and_a_correction() -> None:
    yes, _ = _said(
        "compare decision-tree vs naive-bayes on d, e using 10x10cv, "
        'expecting naive-bayes better because "r", holm over datasets, seed 1'
    )
    assert yes[0].startswith("On each of d and e by itself, naive-bayes is better than decision-tree by accuracy")
    assert yes[0].endswith("at level 0.05 after holm over datasets.")


def test_a_table() -> None:
    yes, _ = _said("compare a vs b on old by wilcoxon")
    assert yes == ("Over the datasets of old, a is better than b (or the reverse) by accuracy (wilcoxon).",)


def test_a_sample_of_a_population() -> None:
    suite = 'suite drawn is d, e, sampled from "the archive" because "r"\n'
    plan = build(Source("s.eval", DATA + suite + "compare a1 vs b1 on drawn using 10x10cv, by wilcoxon, seed 1")).plan
    assert plan.comparisons == ()
    yes, no = _said(suite + "compare decision-tree vs naive-bayes on drawn using 10x10cv, by wilcoxon, seed 1")
    assert "the archive" in yes[0]
    assert not any("other than" in sentence for sentence in no)


def test_equivalence() -> None:
    yes, no = _said("compare decision-tree vs naive-bayes on d using 10x10cv, by tost, rope 2%, seed 1")
    assert any("the same within 0.02" in sentence for sentence in yes)
    assert not any("no significant difference is not equality" in sentence for sentence in no)


def test_one_training() -> None:
    _, no = _said("compare decision-tree vs naive-bayes on d using holdout 1/3, seed 1")
    assert any("trained once" in sentence for sentence in no)
    yes, no = _said("compare this classifier decision-tree vs naive-bayes on d using holdout 1/3, seed 1")
    assert "as trained here" in yes[0]
    assert not any("trained once" in sentence for sentence in no)


def test_an_estimate() -> None:
    yes, no = _said("estimate decision-tree on d using 10cv, seed 1")
    assert yes == ("The accuracy of decision-tree as a learner on d lies between two bounds, with a certainty of 95%.",)
    assert no == ("That another learner is better or worse: nothing is compared.",)


@pytest.mark.parametrize(
    "statement",
    [
        "compare decision-tree vs naive-bayes on d using leave-one-out",
        "compare all on old by friedman, nemenyi",
        "compare decision-tree vs naive-bayes vs knn on d using 10x10cv, control knn, holm over learners, seed 1",
        "compare decision-tree vs naive-bayes on d using 8 trainings of 60, seed 1",
    ],
)
def test_there_is_always_a_sentence(statement: str) -> None:
    yes, no = _said(statement)
    assert yes
    assert all(sentence.endswith((".", ")")) for sentence in (*yes, *no))
