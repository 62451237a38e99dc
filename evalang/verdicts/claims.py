"""Each claim of the script against the verdicts: supported, contradicted, or not settled, with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..errors import EvalangError
from ..plans.model import Claim, Comparison, Metric, Plan
from ..results.test_result import Alternative
from ..results.verdict import ClaimOutcome, Status, Verdict
from .apply import equivalence, metric_card
from .evidence import Evidence


@dataclass(frozen=True, slots=True)
class _Said:
    status: Status
    reason: str


def judge_claims(plan: Plan, verdicts: Sequence[Verdict], evidence: Mapping[str, Evidence]) -> tuple[ClaimOutcome, ...]:
    """The outcome of every claim."""
    comparisons = {c.name: c for c in plan.comparisons}
    by_comparison: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        by_comparison.setdefault(verdict.comparison, []).append(verdict)
    return tuple(_judge(claim, comparisons, by_comparison, evidence) for claim in plan.claims)


def _judge(
    claim: Claim,
    comparisons: dict[str, Comparison],
    by_comparison: dict[str, list[Verdict]],
    evidence: Mapping[str, Evidence],
) -> ClaimOutcome:
    used: list[Verdict] = []
    said: list[_Said] = []
    for name in claim.evidence:
        comparison = comparisons[name]
        chosen = _bearing(claim, comparison, by_comparison.get(name, []))
        used += chosen
        if claim.relation == "better":
            said += [_better(claim, v, comparison) for v in chosen]
        elif name in evidence:
            said += [_within(claim, v, comparison, evidence[name]) for v in chosen]
    if not said:
        return ClaimOutcome(claim=claim.name, status="not settled", reason="no test of this script bears on it")
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


def _bearing(claim: Claim, comparison: Comparison, verdicts: list[Verdict]) -> list[Verdict]:
    """On a suite the test over datasets if the comparison names one, else every dataset, unless the claim says so."""
    pair = {claim.left, claim.right}
    label = claim.metric.label if claim.metric else None
    mine = [
        v
        for v in verdicts
        if set(v.learners) == pair and (label is None or v.metric == label or v.metric.partition("(")[0] == label)
    ]
    over = [v for v in mine if v.dataset is None]
    each = [v for v in mine if v.dataset is not None and (not claim.datasets or v.dataset in claim.datasets)]
    whole = set(claim.datasets) == set(comparison.datasets) or claim.new_datasets
    named = any(t.origin == "written" for t in comparison.over)
    if comparison.data == "results" or claim.overall or claim.new_datasets:
        return over
    if over and named and whole and not claim.each:
        return over
    return each


def _where(verdict: Verdict) -> str:
    return f"on {verdict.dataset}" if verdict.dataset is not None else "over the datasets"


def _better(claim: Claim, verdict: Verdict, comparison: Comparison) -> _Said:
    place = f"{_where(verdict)}, {verdict.metric}"
    if verdict.decision in ("first-better", "second-better"):
        winner = verdict.learners[0] if verdict.decision == "first-better" else verdict.learners[1]
        if winner == claim.left:
            return _Said("supported", f"{winner} is better {place} (adjusted p {_p(verdict)})")
        return _Said("contradicted", f"{winner} is better {place} (adjusted p {_p(verdict)})")
    if verdict.test is None:
        return _Said("not settled", f"{place}: {verdict.undecided_because or 'there is no test'}")
    if verdict.decision == "equivalent":
        return _Said("contradicted", f"the two are equivalent {place}")
    return _Said(
        "not settled", f"the difference {place} is not settled (adjusted p {_p(verdict)}, alpha {verdict.alpha:g})"
    )


def _p(verdict: Verdict) -> str:
    if verdict.adjusted_p is None:
        return "none"
    return f"{verdict.adjusted_p:.3g}"


def _within(claim: Claim, verdict: Verdict, comparison: Comparison, evidence: Evidence) -> _Said:
    """`same as` and `no worse than`: equivalence within the margin, from the scheme's own standard error.

    All places have to hold at once, so no correction is needed on top (an intersection of tests).
    """
    metric = next((m for m in comparison.metrics if m.label == verdict.metric), Metric(name=verdict.metric))
    margin = claim.within if claim.within is not None else comparison.rope.value if comparison.rope else None
    place = f"{_where(verdict)}, {verdict.metric}"
    if margin is None or margin <= 0:
        return _Said("not settled", "no margin says how close is close enough: add within 1%")
    sides: Alternative = "two-sided"
    if claim.relation == "no-worse":
        sides = "greater" if metric_card(metric).higher_is_better else "less"
    try:
        found = equivalence(
            comparison, evidence, metric, (claim.left, claim.right), verdict.dataset, margin=margin, alternative=sides
        )
    except EvalangError as error:
        return _Said("not settled", str(error))
    alpha = comparison.alpha.value
    words = f"within {margin:g}" if claim.relation == "same" else f"no more than {margin:g} worse"
    if found.pvalue is not None and found.pvalue <= alpha:
        return _Said("supported", f"{claim.left} is {words} {place} (tost p {found.pvalue:.3g})")
    interval = found.interval
    if interval is not None:
        better = metric_card(metric).higher_is_better
        outside = interval.low > margin or interval.high < -margin
        worse = interval.high < -margin if better else interval.low > margin
        if (claim.relation == "same" and outside) or (claim.relation == "no-worse" and worse):
            return _Said(
                "contradicted",
                f"the difference {place} lies beyond {margin:g} ({interval.low:.3g} to {interval.high:.3g})",
            )
    return _Said("not settled", f"whether the difference {place} is {words} is not settled (tost p {found.pvalue:.3g})")
