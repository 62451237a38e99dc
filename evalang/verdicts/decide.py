"""From a p-value after correction to a decision, and from decisions to the answers to claims; the only place that says
which learner is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..plans.model import Claim, Comparison, Metric, Plan
from ..results import numbers
from ..results.records import (
    ClaimOutcome,
    Decision,
    Interval,
    Matters,
    Posterior,
    Status,
    TestResult,
    Verdict,
)

ROUNDING = 1e-12  # 1 - 0.95 is a little more than 0.05
MEAN_RANKS = "difference of mean ranks"  # the effect of nemenyi and bonferroni-dunn
SURE = 0.95  # posterior probability at which a Bayesian verdict is given (benavoli2017)


def decide(result: TestResult | None, adjusted_p: float | None, alpha: float, sign: int) -> Decision:
    """The decision for a pair; `sign` is +1 when higher scores are better."""
    if result is None:
        return "undecided"
    if result.posterior is not None:
        return _posterior(result, sign)
    if adjusted_p is None:
        return "undecided"
    if adjusted_p > alpha or contradicts_itself(result) or sides_differ(result) or ranks_differ(result, sign):
        return "not-settled"
    if result.test == "tost":
        return "equivalent"
    if result.test == "sign" and not result.difference and result.wins != result.losses:
        return "first-better" if result.wins > result.losses else "second-better"  # the median may be a tie
    direction = (result.difference or 0.0) * sign
    if direction > 0:
        return "first-better"
    return "second-better" if direction < 0 else "differ"


def contradicts_itself(result: TestResult) -> bool:
    """5x2cv-t rests on its first difference: when that and the mean of all ten point to different sides, nothing is
    settled, whatever its p."""
    first = dict(result.details).get("first_difference")
    return first is not None and first * (result.difference or 0.0) < 0


def ranks_differ(result: TestResult, sign: int) -> bool:
    """Whether a test of mean ranks puts the one first whose mean score is the worse one: then neither is called better.
    The first of the pair has the better ranks where their difference is below 0."""
    if result.effect is None or result.effect.name != MEAN_RANKS:
        return False
    return result.effect.value * (result.difference or 0.0) * sign > 0.0


def sides_differ(result: TestResult) -> bool:
    """Whether p rejects no difference at the level of the test's own interval and that interval contains 0, or the
    other way round. An end at 0 is on neither side."""
    interval = result.interval
    if interval is None or result.pvalue is None or result.test == "tost":
        return False
    rejects = result.pvalue <= 1.0 - interval.level + ROUNDING
    return interval.low < 0.0 < interval.high if rejects else interval.low > 0.0 or interval.high < 0.0


def _posterior(result: TestResult, sign: int) -> Decision:
    found = result.posterior
    assert found is not None
    first, second = (found.p_right, found.p_left) if sign > 0 else (found.p_left, found.p_right)
    if first >= SURE:
        return "first-better"
    if second >= SURE:
        return "second-better"
    return "equivalent" if found.p_rope >= SURE else "not-settled"


def decide_omnibus(adjusted_p: float | None, alpha: float) -> Decision:
    """The decision for a test of all learners: it is a member of its family as any other."""
    if adjusted_p is None:
        return "undecided"
    return "differ" if adjusted_p <= alpha else "not-settled"


def matters(decision: Decision, interval: Interval | None, rope: float | None) -> Matters:
    """Where the interval beside the verdict lies against the region that does not matter: only what is settled
    matters."""
    if rope is None:
        return "no-rope"
    if interval is None:
        return "cannot-tell"
    if -rope <= interval.low and interval.high <= rope:
        return "too-small"
    beyond = interval.low > rope or interval.high < -rope
    return "matters" if beyond and decision in ("first-better", "second-better") else "cannot-tell"


def posterior_matters(posterior: Posterior, rope: float | None) -> Matters:
    """What a posterior says of the region that does not matter."""
    if rope is None:
        return "no-rope"
    if max(posterior.p_left, posterior.p_right) >= SURE:
        return "matters"
    return "too-small" if posterior.p_rope >= SURE else "cannot-tell"


def size_from(result: TestResult, interval: Interval | None) -> Interval | None:
    """The interval from which something may be said of the size: that of 5x2cv-t rests on its first fold alone."""
    return None if "first_difference" in dict(result.details) else interval


_ONE_TRAINING = "one training set bears on trained classifiers, not on learners"


@dataclass(frozen=True, slots=True)
class _Said:
    status: Status
    reason: str


def judge_claims(plan: Plan, verdicts: Sequence[Verdict]) -> tuple[ClaimOutcome, ...]:
    """The outcome of every claim."""
    comparisons = {c.name: c for c in plan.comparisons}
    by_comparison: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        by_comparison.setdefault(verdict.comparison, []).append(verdict)
    populations = {s.name: s.sampled_from for s in plan.suites if s.sampled_from}
    return tuple(
        _on_new_datasets(claim, comparisons, by_comparison, populations)
        if claim.new_datasets
        else _judge(claim, comparisons, by_comparison)
        for claim in plan.claims
    )


def _judge(
    claim: Claim,
    comparisons: dict[str, Comparison],
    by_comparison: dict[str, list[Verdict]],
) -> ClaimOutcome:
    used: list[Verdict] = []
    said: list[_Said] = []
    for name in claim.evidence:
        comparison = comparisons[name]
        chosen = _bearing(claim, comparison, by_comparison.get(name, []))
        used += chosen
        judged = _better if claim.relation == "better" else _within
        said += [judged(claim, v, comparison) for v in chosen]
    if not said:
        once = any(d is not None and d.one_training for d in (comparisons[n].division for n in claim.evidence))
        reason = _ONE_TRAINING if once and not claim.this_classifier else "no test of this script bears on it"
        return ClaimOutcome(claim=claim.name, status="not settled", reason=reason)
    against = [s for s in said if s.status == "contradicted"]
    if against:
        return ClaimOutcome(claim=claim.name, status="contradicted", reason=against[0].reason, verdicts=tuple(used))
    open_ones = [s for s in said if s.status == "not settled"]
    if open_ones:
        more = f", and {len(open_ones) - 1} more like it" if len(open_ones) > 1 else ""
        return ClaimOutcome(
            claim=claim.name, status="not settled", reason=open_ones[0].reason + more, verdicts=tuple(used)
        )
    reason = said[0].reason if len(said) == 1 else f"all {len(said)} tests that bear on it say so"
    return ClaimOutcome(claim=claim.name, status="supported", reason=reason, verdicts=tuple(used))


def _on_new_datasets(
    claim: Claim,
    comparisons: dict[str, Comparison],
    by_comparison: dict[str, list[Verdict]],
    populations: dict[str, str],
) -> ClaimOutcome:
    """By the test over datasets, with its interval; a dataset without a score stays in the denominator."""
    chosen = [
        (v, comparisons[n]) for n in claim.evidence for v in _bearing(claim, comparisons[n], by_comparison.get(n, []))
    ]
    judged = _better if claim.relation == "better" else _within
    used = tuple(v for v, _ in chosen)
    for verdict, comparison in chosen:
        missing = len(comparison.datasets) - len(verdict.datasets)
        one = judged(claim, verdict, comparison)
        if missing and one.status == "supported":
            why = f"{missing} of the {len(comparison.datasets)} datasets drawn have no score, and they count"
            return ClaimOutcome(claim=claim.name, status="not settled", reason=why, verdicts=used)
        interval = size_from(verdict.test, verdict.interval) if verdict.test is not None else None
        if one.status == "supported" and interval is None:
            why = "the test over datasets gives no interval of the difference between datasets"
            return ClaimOutcome(claim=claim.name, status="not settled", reason=why, verdicts=used)
        drawn = next((populations[name] for name in comparison.suites if name in populations), "")
        told = f"; the population is {drawn}" if drawn else ""
        shown = f"{numbers.interval_word(interval)} of the difference over its datasets" if interval else ""
        told += f"; {shown} {numbers.interval(interval, verdict.metric)}" if interval else ""
        if one.status != "supported" or verdict is chosen[-1][0]:
            return ClaimOutcome(claim=claim.name, status=one.status, reason=one.reason + told, verdicts=used)
    reason = "no test over datasets bears on it: add by wilcoxon"
    return ClaimOutcome(claim=claim.name, status="not settled", reason=reason)


def _bearing(claim: Claim, comparison: Comparison, verdicts: list[Verdict]) -> list[Verdict]:
    """Those of the primary metric where the claim names none. On a suite the test over datasets if the comparison names
    one, else every dataset, unless the claim says so."""
    pair = {claim.left, claim.right}
    label = claim.metric.label if claim.metric else comparison.primary
    mine = [
        v
        for v in verdicts
        if set(v.learners) == pair and (label is None or v.metric == label or v.metric.partition("(")[0] == label)
    ]
    over = [v for v in mine if v.dataset is None]
    each = [v for v in mine if v.dataset is not None and (not claim.datasets or v.dataset in claim.datasets)]
    if comparison.division is not None and comparison.division.one_training and not claim.this_classifier:
        each = []  # one training set says nothing of the learners, however clear it is
    whole = set(claim.datasets) == set(comparison.datasets) or claim.new_datasets
    named = any(t.origin == "written" for t in comparison.over)
    if comparison.data == "results" and not over and not claim.overall and not claim.new_datasets:
        return [v for v in mine if v.dataset is not None]  # items, or the folds of each dataset of the table
    if comparison.data == "results" or claim.overall or claim.new_datasets:
        return over
    if over and named and whole and not claim.each:
        return over
    return each


def _where(verdict: Verdict) -> str:
    place = f"on {verdict.dataset}" if verdict.dataset is not None else "over the datasets"
    return f"{place} in {numbers.spoken(verdict.metric)}"


def _better(claim: Claim, verdict: Verdict, comparison: Comparison) -> _Said:
    place = _where(verdict)
    if verdict.decision in ("first-better", "second-better"):
        winner = verdict.learners[0] if verdict.decision == "first-better" else verdict.learners[1]
        if winner == claim.left:
            return _Said("supported", f"{winner} is better {place} ({_proof(verdict)})")
        return _Said("contradicted", f"{winner} is better {place} ({_proof(verdict)})")
    if verdict.test is None:
        return _Said("not settled", f"{place}: {verdict.undecided_because or 'there is no test'}")
    if verdict.decision == "equivalent":
        return _Said("contradicted", f"the two are equivalent {place}")
    return _Said("not settled", f"which is better {place} is not settled ({_proof(verdict)}, {_asked(verdict)})")


def _proof(verdict: Verdict) -> str:
    """The p of the verdict, or the larger of the two probabilities that one learner is better by more than the rope."""
    found = verdict.test.posterior if verdict.test is not None else None
    if found is not None:
        return f"probability {numbers.probability(max(found.p_left, found.p_right))}"
    return numbers.p_of(verdict) or "no p"


def _asked(verdict: Verdict) -> str:
    by_posterior = verdict.test is not None and verdict.test.posterior is not None
    return f"{SURE:g} would settle it" if by_posterior else f"level {numbers.alpha_text(verdict.alpha)}"


def _within(claim: Claim, verdict: Verdict, comparison: Comparison) -> _Said:
    """`same as` and `no worse than`, read off the interval that stands beside the verdict and off nothing else: it is
    that of the verdict's own test, at the level of its family, so a claim can say no more than the report."""
    margin = claim.within if claim.within is not None else comparison.rope.value if comparison.rope else None
    place = _where(verdict)
    if margin is None or margin <= 0:
        return _Said("not settled", "no margin says how close is close enough: add within 1%")
    if verdict.test is None or verdict.decision == "undecided":
        return _Said("not settled", f"{place}: {verdict.undecided_because or 'there is no test'}")
    interval = size_from(verdict.test, verdict.interval)
    if interval is None:
        return _Said("not settled", f"{verdict.test.test} gives no interval that bounds the difference {place}")
    low, high = interval.low, interval.high
    if verdict.learners[0] != claim.left:
        low, high = -high, -low
    metric = next((m for m in comparison.metrics if m.label == verdict.metric), Metric(name=verdict.metric))
    if metric.card is not None and not metric.card.higher_is_better:
        low, high = -high, -low  # from here on: by how much the left one is better
    shown = numbers.score(margin, verdict.metric)
    words = f"within {shown} of {claim.right}" if claim.relation == "same" else f"no more than {shown} worse"
    ends = numbers.interval(interval, verdict.metric)
    told = f"{numbers.interval_word(interval)} of {verdict.learners[0]} minus {verdict.learners[1]} {ends}"
    if low >= -margin and (high <= margin or claim.relation == "no-worse"):
        return _Said("supported", f"{claim.left} is {words} {place} ({told})")
    if high < -margin or (low > margin and claim.relation == "same"):
        return _Said("contradicted", f"the difference {place} lies beyond {shown} ({told})")
    return _Said("not settled", f"whether {claim.left} is {words} {place} is not settled ({told})")
