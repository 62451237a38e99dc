"""The answer to every claim of a script, read off the verdicts that bear on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..plans.model import Claim, Comparison, Metric, Plan
from ..results import numbers
from ..results.records import (
    ClaimOutcome,
    Status,
    Verdict,
)
from .decide import DECISIVE_PROBABILITY, select_effect_interval

_ONE_TRAINING = "one training set is evidence about trained classifiers, not about learners"


@dataclass(frozen=True, slots=True)
class _Answer:
    status: Status
    reason: str


def answer_claims(plan: Plan, verdicts: Sequence[Verdict]) -> tuple[ClaimOutcome, ...]:
    """Return the outcome of every claim."""
    comparisons = {c.name: c for c in plan.comparisons}
    by_comparison: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        by_comparison.setdefault(verdict.comparison, []).append(verdict)
    populations = {s.name: s.sampled_from for s in plan.suites if s.sampled_from}
    return tuple(_outcome(claim, comparisons, by_comparison, populations) for claim in plan.claims)


def _outcome(
    claim: Claim,
    comparisons: dict[str, Comparison],
    by_comparison: dict[str, list[Verdict]],
    populations: dict[str, str],
) -> ClaimOutcome:
    """Return the outcome of a claim: contradicted if any of its verdicts contradicts it, supported if all support it.

    Each verdict is at the corrected level of its family. The order of the statements does not matter.
    """
    used: list[Verdict] = []
    answers: list[_Answer] = []
    for name in claim.evidence:
        comparison = comparisons[name]
        for verdict in _bearing(claim, comparison, by_comparison.get(name, [])):
            answer = _better(claim, verdict) if claim.relation == "better" else _within(claim, verdict, comparison)
            used.append(verdict)
            answers.append(_of_population(answer, verdict, comparison, populations) if claim.new_datasets else answer)
    status: Status = "not settled"
    if not answers:
        reason = _without_evidence(claim, [comparisons[name] for name in claim.evidence])
    elif against := [a for a in answers if a.status == "contradicted"]:
        status, reason = "contradicted", against[0].reason
    elif undecided := [a for a in answers if a.status == "not settled"]:
        reason = undecided[0].reason + (f", and {len(undecided) - 1} more like it" if len(undecided) > 1 else "")
    else:
        status = "supported"
        reason = answers[0].reason if len(answers) == 1 else f"all {len(answers)} tests agree"
    return ClaimOutcome(claim=claim.name, status=status, reason=reason, verdicts=tuple(used))


def _without_evidence(claim: Claim, comparisons: Sequence[Comparison]) -> str:
    """Return why no verdict bears on a claim."""
    if claim.new_datasets:
        return "it needs a test over datasets: add `by wilcoxon`"
    once = any(c.scheme_card is not None and c.scheme_card.one_training for c in comparisons)
    return _ONE_TRAINING if once and not claim.this_classifier else "no test of this script applies to it"


def _of_population(answer: _Answer, verdict: Verdict, comparison: Comparison, populations: dict[str, str]) -> _Answer:
    """Return the answer for the population the datasets were drawn from.

    A dataset without a score still counts, so then nothing is supported; nor is it without an interval.
    """
    missing = len(comparison.datasets) - len(verdict.datasets)
    if missing and answer.status == "supported":
        why = f"{missing} of the {len(comparison.datasets)} datasets drawn have no score, but the claim is about all"
        return _Answer("not settled", why)
    interval = select_effect_interval(verdict.test, verdict.interval) if verdict.test is not None else None
    if interval is None and answer.status == "supported":
        return _Answer("not settled", "the test over datasets gives no interval of the difference between datasets")
    reason = answer.reason
    if drawn := next((populations[name] for name in comparison.suites if name in populations), ""):
        reason += f"; the population is {drawn}"
    if interval is not None:
        shown = f"{numbers.interval_word(interval)} of the mean difference in this population"
        reason += f"; {shown} {numbers.interval(interval, verdict.metric)}"
    return _Answer(answer.status, reason)


def _bearing(claim: Claim, comparison: Comparison, verdicts: list[Verdict]) -> list[Verdict]:
    """Return the verdicts that a claim rests on: those of its metric, or of the primary metric where it names none.

    On a suite they are those over datasets if the comparison names such a test, else those on every dataset, unless
    the claim says which.
    """
    pair = {claim.left, claim.right}
    label = claim.metric.label if claim.metric else comparison.primary
    mine = [
        v
        for v in verdicts
        if set(v.learners) == pair and (label is None or v.metric == label or v.metric.partition("(")[0] == label)
    ]
    over = [v for v in mine if v.dataset is None]
    each = [v for v in mine if v.dataset is not None and (not claim.datasets or v.dataset in claim.datasets)]
    if comparison.scheme_card is not None and comparison.scheme_card.one_training and not claim.this_classifier:
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
    place = f"on {numbers.name(verdict.dataset)}" if verdict.dataset is not None else "over the datasets"
    return f"{place} in {numbers.spoken(verdict.metric)}"


def _better(claim: Claim, verdict: Verdict) -> _Answer:
    place = _where(verdict)
    if verdict.decision in ("first-better", "second-better"):
        winner = verdict.learners[0] if verdict.decision == "first-better" else verdict.learners[1]
        status: Status = "supported" if winner == claim.left else "contradicted"
        return _Answer(status, f"{numbers.name(winner)} is better {place} ({_proof(verdict)})")
    if verdict.test is None:
        return _Answer("not settled", f"{place}: {verdict.undecided_because or 'there is no test'}")
    if verdict.decision == "equivalent":
        return _Answer("contradicted", f"the two are equivalent {place}")
    return _Answer("not settled", f"no significant difference {place} ({_proof(verdict)}, {_asked(verdict)})")


def _proof(verdict: Verdict) -> str:
    """Return the p of the verdict, or the larger posterior probability of a difference beyond the rope."""
    found = verdict.test.posterior if verdict.test is not None else None
    if found is not None:
        return f"probability {numbers.probability(max(found.p_left, found.p_right))}"
    return numbers.p_of(verdict) or "no p"


def _asked(verdict: Verdict) -> str:
    by_posterior = verdict.test is not None and verdict.test.posterior is not None
    return f"a verdict needs {DECISIVE_PROBABILITY:g}" if by_posterior else f"level {numbers.alpha_text(verdict.alpha)}"


def _within(claim: Claim, verdict: Verdict, comparison: Comparison) -> _Answer:
    """Answer `same as` and `no worse than` from the two intervals of the verdict, with and without `by tost`.

    Supported if the interval at 1 - 2 alpha lies inside the margin (for `no worse than` its lower end alone),
    contradicted if the interval at 1 - alpha lies outside. Both are at the level of the family.
    """
    margin = claim.within if claim.within is not None else comparison.rope.value if comparison.rope else None
    place = _where(verdict)
    if margin is None or margin <= 0:
        return _Answer("not settled", "no equivalence margin is given: add `within 1%`")
    if verdict.test is None or verdict.decision == "undecided":
        return _Answer("not settled", f"{place}: {verdict.undecided_because or 'there is no test'}")
    interval = select_effect_interval(verdict.test, verdict.interval)
    if interval is None:
        return _Answer("not settled", f"{verdict.test.test} gives no interval that bounds the difference {place}")
    narrow = verdict.equivalence_interval or interval
    metric = next((m for m in comparison.metrics if m.label == verdict.metric), Metric(name=verdict.metric))
    lower_is_better = metric.card is not None and not metric.card.higher_is_better
    if (verdict.learners[0] != claim.left) != lower_is_better:  # from here on: by how much the left one is better
        wide, inner = numbers.turned(interval), numbers.turned(narrow)
    else:
        wide, inner = interval, narrow
    shown = numbers.score(margin, verdict.metric)
    left = numbers.name(claim.left)
    words = (
        f"within {shown} of {numbers.name(claim.right)}" if claim.relation == "same" else f"no more than {shown} worse"
    )
    of = "of " + " minus ".join(map(numbers.name, verdict.learners))
    inside = f"{numbers.interval_level(narrow)} {of} {numbers.interval(narrow, verdict.metric)}"
    outside = f"{numbers.interval_level(interval)} {of} {numbers.interval(interval, verdict.metric)}"
    if inner.low >= -margin and (inner.high <= margin or claim.relation == "no-worse"):
        return _Answer("supported", f"{left} is {words} {place} ({inside})")
    if wide.high < -margin or (wide.low > margin and claim.relation == "same"):
        return _Answer("contradicted", f"the difference {place} lies beyond {shown} ({outside})")
    return _Answer("not settled", f"whether {left} is {words} {place} is inconclusive ({inside})")
