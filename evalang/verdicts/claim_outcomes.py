"""Each claim of the script against the verdicts: supported, contradicted, or not settled, with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..plans.model import Claim, Comparison, Metric, Plan
from ..results.records import ClaimOutcome, Interval, Status, Verdict
from .apply import metric_card
from .decide import size_from

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
        told += f"; {_kind(interval)} of the difference over its datasets {_ends(interval)}" if interval else ""
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


def _within(claim: Claim, verdict: Verdict, comparison: Comparison) -> _Said:
    """`same as` and `no worse than`, read off the interval that stands beside the verdict and off nothing else: it is
    that of the verdict's own test, at the level of its family, so a claim can say no more than the report."""
    margin = claim.within if claim.within is not None else comparison.rope.value if comparison.rope else None
    place = f"{_where(verdict)}, {verdict.metric}"
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
    if not metric_card(metric).higher_is_better:
        low, high = -high, -low  # from here on: by how much the left one is better
    words = f"within {margin:g}" if claim.relation == "same" else f"no more than {margin:g} worse"
    told = f"{_kind(interval)} of {verdict.learners[0]} minus {verdict.learners[1]}: {_ends(interval)}"
    if low >= -margin and (high <= margin or claim.relation == "no-worse"):
        return _Said("supported", f"{claim.left} is {words} {place} ({told})")
    if high < -margin or (low > margin and claim.relation == "same"):
        return _Said("contradicted", f"the difference {place} lies beyond {margin:g} ({told})")
    return _Said("not settled", f"whether {claim.left} is {words} {place} is not settled ({told})")


def _kind(interval: Interval) -> str:
    level = f"{100 * interval.level:.4g}%"
    if interval.kind == "single":
        return f"{level} interval"
    word = "simultaneous" if interval.kind == "simultaneous" else "false-coverage"
    return f"{word} {level} interval{f' by {interval.way}' if interval.way else ''} over {interval.members} tests"


def _ends(interval: Interval) -> str:
    return f"{interval.low:.3g} to {interval.high:.3g}"
