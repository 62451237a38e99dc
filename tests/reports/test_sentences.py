"""Verdicts in words: their order, their direction, and what they never say."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

import pytest

from evalang.reports.sentences import say_estimate, short, words
from evalang.results import numbers
from evalang.results.records import Decision, Estimate, Posterior, Power

from ..support.results import many, pair, pair_verdict, result


def test_the_answer_comes_before_its_conditions() -> None:
    unmet = ("The folds are too small",)
    verdict = pair_verdict("iris", "accuracy", 0.3, 0.6, unmet=unmet, rope=0.01, matters="cannot-tell")
    said = words(verdict)
    assert said.text() == " ".join(said)
    assert said.text().startswith("No significant difference between tree and naive-bayes on iris")
    assert all(said)


def test_the_better_learner_is_named_for_metrics_of_both_directions() -> None:
    up = pair_verdict("heart", "accuracy", 0.001, 0.002)
    down = pair_verdict("heart", "brier", 0.001, 0.002)
    assert "naive-bayes is better than tree on heart: accuracy higher by 0.080" in words(up).found
    assert "naive-bayes is better than tree on heart: brier lower by 0.080" in words(down).found
    assert short(up) == short(down) == "naive-bayes better"
    for metric in ("accuracy", "brier"):
        assert "naive-bayes is ahead by 0.015" in words(pair_verdict("diabetes", metric, 0.3, 0.6)).found


@pytest.mark.parametrize("decision", [d for d in get_args(Decision) if "equivalent" not in d])
@pytest.mark.parametrize("verdicts", [pair().verdicts, many().verdicts])
def test_no_sentence_calls_learners_the_same(decision: Decision, verdicts: tuple) -> None:
    for verdict in verdicts:
        text = words(replace(verdict, decision=decision)).text()
        assert not re.search(r"\bthe same\b|\bno difference (between|exists)|\bidentical\b|\bequivalent\b", text)
        assert not re.search(r"(?<!not differ )(?<!No )(?<!pair differs )significant", text)


def test_not_settled_always_says_that_absence_was_not_shown() -> None:
    verdict = pair_verdict("diabetes", "accuracy", 0.3, 0.6)
    assert "does not mean that there is no difference" in words(verdict).power
    powered = replace(verdict, power=Power(difference=0.01, power=0.18))
    assert "has power 0.180 for a difference of 0.010" in words(powered).power


@pytest.mark.parametrize(
    ("matters", "says"),
    [
        ("matters", "beyond the equivalence margin of 0.010"),
        ("too-small", "inside the equivalence margin of 0.010"),
        ("cannot-tell", "reaches across the equivalence margin of 0.010"),
        ("no-rope", "The comparison has no equivalence margin"),
    ],
)
def test_whether_it_matters(matters: str, says: str) -> None:
    rope = None if matters == "no-rope" else 0.01
    verdict = pair_verdict("heart", "accuracy", 0.001, 0.002, matters=matters, rope=rope)
    assert says in words(verdict).matters


def test_undecided_says_why_and_allows_nothing() -> None:
    because = "fold 3 of tree failed."
    said = words(
        pair_verdict("heart", "accuracy", 0.5, 0.5, test=None, decision="undecided", undecided_because=because)
    )
    assert "There is no verdict on tree and naive-bayes on heart in accuracy: fold 3 of tree failed;" in said.found
    assert said.scope == said.matters == ""


def test_adjusted_p_and_family_stand_in_the_sentence() -> None:
    found = words(pair_verdict("heart", "accuracy", 0.0004, 0.0024)).found
    assert "adjusted p = 0.002 by holm over a family of 6 tests" in found
    loose = words(pair_verdict("heart", "accuracy", 0.0004, 0.0004, correction="uncorrected")).found
    assert "not corrected, though 6 tests were made" in loose


def test_a_posterior_names_the_better_learner_in_both_directions() -> None:
    posterior = Posterior(p_left=0.96, p_rope=0.03, p_right=0.01, rope=0.01)
    bayes = result("bayes-correlated-t", -0.02, None, posterior=posterior)
    up = words(pair_verdict("heart", "accuracy", 0.5, 0.5, test=bayes, adjusted_p=None)).found
    down = words(pair_verdict("heart", "brier", 0.5, 0.5, test=bayes, adjusted_p=None)).found
    assert "probability 0.960 that naive-bayes is better by more than 0.010, 0.010 that tree is" in up
    assert "probability 0.960 that tree is better by more than 0.010, 0.010 that naive-bayes is" in down
    assert numbers.probability(0.0) == "< 0.001"  # of so many draws none; that is not never
    assert numbers.power(0.0) == "0"
    assert "outside the families of p-values" in up


def test_five_by_two_says_around_what_its_interval_lies() -> None:
    test = result("5x2cv-t", 0.016, 0.9, details=(("first_difference", -0.02),))
    assert "around the first difference, -0.020" in words(pair_verdict("heart", "accuracy", 0.9, 0.9, test=test)).found


def test_an_estimate_without_a_score_gives_its_reason() -> None:
    estimate = Estimate(
        comparison="e", learner="tree", dataset="heart", metric="accuracy", score=None, interval=None, method=""
    )
    assert say_estimate(estimate, full=True) == "tree has no accuracy on heart: a fit failed."
