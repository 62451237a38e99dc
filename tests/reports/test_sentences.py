"""Verdicts in words: their order, their direction, and what they never say."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

import pytest

from evalang.reports.sentences import allowed, asks_in_points, say_estimate, words
from evalang.results import numbers
from evalang.results.records import Decision, Effect, Estimate, LearnerScore, Posterior

from ..support.results import many, pair, pair_verdict, result


@pytest.mark.parametrize("decision", [d for d in get_args(Decision) if "equivalent" not in d])
@pytest.mark.parametrize("verdicts", [pair().verdicts, many().verdicts])
def test_no_sentence_calls_learners_the_same(decision: Decision, verdicts: tuple) -> None:
    for verdict in verdicts:
        text = words(replace(verdict, decision=decision)).text()
        assert not re.search(r"\bthe same\b|\bno difference (between|exists)|\bidentical\b|\bequivalent\b", text)
        assert not re.search(r"(?<!not differ )(?<!No )(?<!pair differs )significant", text)


def test_undecided_says_why_and_allows_nothing() -> None:
    because = "fold 3 of tree failed."
    none = {"test": None, "decision": "undecided", "undecided_because": because}
    said = words(pair_verdict("heart", "accuracy", 0.5, 0.5, **none))
    assert "There is no verdict on `tree` and `naive-bayes` on `heart` in accuracy: fold 3 of tree" in said.found
    assert said.scope == said.matters == ""


def test_a_posterior_names_the_better_learner_in_both_directions() -> None:
    posterior = Posterior(p_left=0.96, p_rope=0.03, p_right=0.01, rope=0.01)
    bayes = result("bayes-correlated-t", -0.02, None, posterior=posterior)
    up = words(pair_verdict("heart", "accuracy", 0.5, 0.5, test=bayes, adjusted_p=None)).found
    down = words(pair_verdict("heart", "brier", 0.5, 0.5, test=bayes, adjusted_p=None)).found
    assert "0.960 that `naive-bayes` is better by more than 0.010, 0.010 that `tree` is" in up
    assert "0.960 that `tree` is better by more than 0.010, 0.010 that `naive-bayes` is" in down
    assert numbers.probability(0.0) == "< 0.001"  # of so many draws none; that is not never
    assert numbers.power(0.0) == "0"
    assert "Posterior probabilities are not p-values" in up
    unclear = pair_verdict("heart", "accuracy", 0.5, 0.5, test=bayes, adjusted_p=None, decision="not-settled")
    claim, _ = allowed([unclear])
    assert "neither of `tree` and `naive-bayes` is clearly better" in claim
    assert "significant" not in claim
    matters = words(replace(unclear, matters="matters", rope=0.01)).matters
    assert matters.endswith("the probability that it is larger than 0.010 is 0.960 (needed: 0.95).")


def test_five_by_two_says_around_what_its_interval_lies() -> None:
    test = result("5x2cv-t", 0.016, 0.9, details=(("first_difference", -0.02),))
    found = words(pair_verdict("heart", "accuracy", 0.9, 0.9, test=test)).found
    assert "Its centre is the first of the ten differences, -0.020" in found


def test_a_test_of_mean_ranks_says_which_ranks_it_compared() -> None:
    """Ten wins of ten are not significant by nemenyi where the mean ranks are only one apart."""
    found = {verdict.learners: words(verdict).found for verdict in many().verdicts}
    near, far = found["tree", "majority"], found["forest", "majority"]
    assert "wins 10 and loses 0 of 10 datasets (nemenyi compares mean ranks, here 3.00 of `tree` and 4.00 of" in near
    assert "(nemenyi, adjusted p = 0.003)" in far
    assert "z of mean ranks (1 is best) of `forest` minus `majority` = -4.68" in far


def test_an_estimate_without_a_score_gives_its_reason() -> None:
    estimate = Estimate(
        comparison="e", learner="tree", dataset="heart", metric="accuracy", score=None, interval=None, method=""
    )
    assert say_estimate(estimate, full=True) == "`tree` has no accuracy on `heart`: a fit failed."


@pytest.mark.parametrize("metric", ["accuracy", "brier"])
@pytest.mark.parametrize(
    ("name", "value", "effect", "says"),
    [
        ("t", 2.5, ("Cohen's dz", 0.8), "t(9) = 2.50. ... Cohen's dz = 0.80"),
        ("W+", 3.0, ("rank biserial", 0.6), "W+ of {pair}(9) = 3.00. ... rank biserial = 0.60"),
        ("wins", 1.5, ("probability of superiority", 0.2), "wins(9) = 7.50. ... probability of superiority = 0.80"),
        ("disagreements the first gets right", 1.0, None, "disagreements `tree` gets right(9) = 1.00. ... "),
    ],
)
def test_statistic_and_effect_are_on_the_side_of_the_learner_that_is_ahead(
    metric: str, name: str, value: float, effect: tuple[str, float] | None, says: str
) -> None:
    """naive-bayes is ahead: in accuracy the record subtracts it, wins are those of the tree in both metrics."""
    sign = -1 if metric == "accuracy" else 1
    signed = sign if name in ("t", "W+") else 1
    test = result(
        "made",
        0.08 * sign,
        0.001,
        statistic=value * (sign if name == "t" else 1),
        statistic_name=name,
        effect=None if effect is None else Effect(name=effect[0], value=effect[1] * signed),
    )
    found = words(pair_verdict("heart", metric, 0.001, 0.002, test=test)).found
    for part in says.format(pair="`tree` minus `naive-bayes`").split("... "):
        assert part in found


@pytest.mark.parametrize(
    ("metric", "mean", "asked"), [("return", 250.0, False), ("return", 0.4, True), ("rmse", 0.4, False)]
)
def test_five_points_are_asked_about_only_where_scores_are_shares(metric: str, mean: float, asked: bool) -> None:
    scores = tuple(LearnerScore(learner=name, mean=mean) for name in ("a", "b"))
    verdict = replace(pair_verdict("heart", "accuracy", 0.2, 0.2), metric=metric, scores=scores, rope=None)
    assert asks_in_points(verdict) is asked


def test_where_claims_are_counted_the_clearest_pairs_are_named() -> None:
    verdicts = [
        replace(pair_verdict("heart", "accuracy", 0.001, 0.01 * i), learners=(f"a{i}", f"b{i}")) for i in range(9)
    ]
    won = [replace(v, decision="first-better") for v in verdicts]
    said = allowed(won)[0]
    assert "The clearest results: `a0` is better than `b0` on `heart`, `a1` is better" in said
