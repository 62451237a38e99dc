"""Whatever the scores, the sentences of a report claim no more than the corrected p and the interval show."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalang.reports.sentences import allowed, short, winner, words
from evalang.results.records import Verdict
from evalang.verdicts.correct import adjust, interval_level
from evalang.verdicts.judge import judge

from ..support.evidence import MadeEvidence, planned, random_folds

SETS = tuple(f"d{i}" for i in range(5))
TABLES = "\n".join(f'dataset {name} from csv "{name}.csv", target "y"' for name in SETS)
STUDY = """
learner first is decision-tree
learner second is naive-bayes
compare first vs second on {sets} using 10cv, by corrected-t, {correction}, measuring {metric}, rope {rope}%
"""
METHODS = ("bonferroni", "sidak", "holm", "hochberg", "hommel", "bh", "yekutieli")


def verdicts_of(seed: int, gap: float, method: str, metric: str = "accuracy", rope: int = 2) -> tuple[Verdict, ...]:
    text = STUDY.format(sets=", ".join(SETS), correction=f"{method} over datasets", metric=metric, rope=rope)
    folds = random_folds(seed, SETS, (metric,), {"first": gap, "second": 0.0})
    return judge(planned(TABLES + text), {"compare-1": MadeEvidence(folds)}).verdicts


def plain_interval(seed: int, gap: float, dataset: str, alpha: float) -> tuple[float, float]:
    """Nadeau and Bengio's interval, computed directly: 10 folds, 90 training rows and 10 test rows each."""
    scores = random_folds(seed, SETS, ("accuracy",), {"first": gap, "second": 0.0})[dataset]["accuracy"]
    d = (scores["first"] - scores["second"]).ravel()
    half = stats.t.ppf(1 - alpha / 2, 9) * math.sqrt((1 / 10 + 10 / 90) * np.var(d, ddof=1))
    return d.mean() - half, d.mean() + half


@pytest.mark.parametrize("method", METHODS)
def test_the_interval_beside_a_corrected_verdict_holds_for_the_family(method: str) -> None:
    seed, gap = 1, 0.045
    found = verdicts_of(seed, gap, method)
    selected = sum(v.settled for v in found)
    assert 0 < selected < len(found)  # both kinds are there
    for verdict in found:
        alpha, kind = 0.05 / 5, "simultaneous"
        if method == "sidak":
            alpha = 1 - 0.95 ** (1 / 5)
        if method in ("bh", "yekutieli") and verdict.settled:
            alpha, kind = selected * 0.05 / 5, "false-coverage"
        if method == "yekutieli":
            alpha /= 1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5
        assert (verdict.interval.kind, verdict.interval.members) == (kind, 5)
        assert verdict.interval.level == pytest.approx(1 - alpha)
        expected = plain_interval(seed, gap, str(verdict.dataset), alpha)
        assert (verdict.interval.low, verdict.interval.high) == pytest.approx(expected)
        assert f"{kind} interval" in words(verdict).found


@given(st.integers(2, 40), st.integers(0, 10**6), st.sampled_from(METHODS))
def test_an_inconclusive_verdict_has_0_in_its_interval(size: int, seed: int, method: str) -> None:
    """A test whose interval is its own inverse excludes 0 where p is at or below one minus the interval's level."""
    raw = np.random.default_rng(seed).random(size) ** 4
    adjusted = adjust(list(raw), method)
    selected = sum(p is not None and p <= 0.05 for p in adjusted)
    for p, after in zip(raw, adjusted, strict=True):
        if after > 0.05:
            assert p > interval_level(method, 0.05, size, after, selected)[1]


def test_the_only_test_of_a_family_keeps_its_own_interval() -> None:
    assert interval_level("holm", 0.05, 1, 0.01, 1) == ("single", 0.05)


@given(
    seed=st.integers(0, 10**6),
    gap=st.floats(-0.05, 0.05),
    method=st.sampled_from(METHODS),
    metric=st.sampled_from(("accuracy", "error")),
    rope=st.integers(1, 4),
)
@settings(max_examples=40, deadline=None)
def test_no_sentence_says_more_than_its_numbers(seed: int, gap: float, method: str, metric: str, rope: int) -> None:
    for verdict in verdicts_of(seed, gap, method, metric, rope):
        said, interval = words(verdict), verdict.interval
        assert interval.low <= verdict.difference <= interval.high
        assert not re.search(r"(t\(\d+\) =|dz) -", said.found)  # on the side of the learner that is ahead
        better = "better" in short(verdict)
        assert better == (verdict.adjusted_p <= 0.05)
        if better:
            means = {s.learner: s.mean or 0.0 for s in verdict.scores}
            winner = (max if metric == "accuracy" else min)(means, key=lambda name: means[name])
            assert short(verdict) == f"{winner} better"
            assert said.found.startswith(f"`{winner}` is better than ")
        margin = rope / 100
        beyond, narrow = interval.low > margin or interval.high < -margin, verdict.equivalence_interval
        inside = -margin <= narrow.low and narrow.high <= margin
        if "size is uncertain" not in said.matters:
            assert ("The difference matters in practice" in said.matters) == (better and beyond and not inside)
            assert ("too small to matter" in said.matters) == inside
            assert ("matters in practice is inconclusive" in said.matters) == (not inside and not (better and beyond))
        if better and interval.low < 0 < interval.high:
            assert "The direction is significant, but the size is uncertain" in said.matters
        assert ("contains 0" in said.matters) == (better and interval.low < 0 < interval.high)


BETTER = re.compile(r"\b(better|worse|higher|lower|beats|wins|significant\w*|prove\w*|equivalent|same)\b")


@given(seed=st.integers(0, 10**6), gap=st.floats(-0.05, 0.05), method=st.sampled_from(METHODS))
@settings(max_examples=25, deadline=None)
def test_what_can_be_claimed_follows_from_the_verdict(seed: int, gap: float, method: str) -> None:
    for verdict in verdicts_of(seed, gap, method):
        said = words(verdict)
        settled = verdict.adjusted_p <= 0.05
        equivalent = verdict.answer == "equivalent"  # nothing significant, and the interval inside the margin
        open_ = not settled and not equivalent
        holds, not_of = said.scope.split("The verdict says nothing about ")
        assert "trained on about 90 rows" in holds
        assert str(verdict.dataset) in holds
        # Only the sentence `found` names a winner.
        assert not any(name in said.scope for name in verdict.learners)
        assert not BETTER.search(said.scope)
        assert "classifier" in not_of  # 10cv asks about learners
        # `found` says significant or not, never both; a difference that was not found is not called absent.
        assert ("No significant difference" in said.found) == open_
        assert (" are equivalent within " in said.found) == equivalent
        assert ("does not mean that there is no difference" in said.text()) == open_
        assert not (settled and "No significant difference" in said.text())
        # The claim is answered or inconclusive, never both, and names the winner of the verdict.
        claim, not_claimed = allowed([verdict])
        assert (f"`{winner(verdict)}` is better than " in claim) == settled
        assert ("no significant difference was found" in claim) == open_
        assert (" are equivalent within " in claim) == equivalent
        assert not_claimed == f"Any statement about {not_of}"


def test_a_step_of_holm_may_settle_the_direction_alone() -> None:
    """The last steps of Holm compare p with alpha, but the interval stays at the level alpha / 5."""
    stepped = [v for seed in range(12) for v in verdicts_of(seed, 0.045, "holm") if v.direction_only]
    assert stepped
    for verdict in stepped:
        assert verdict.adjusted_p <= 0.05
        assert verdict.matters == "cannot-tell"
