"""The verdict stage: every test run, every family corrected, every claim answered."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeVar

import numpy as np

from ..catalogue.tests import find_test
from ..errors import EvalangError
from ..language.text import Finding, Subject, counted, listed
from ..plans.default_tests import question_on_one
from ..plans.model import Given, Plan
from ..results.records import (
    ClaimOutcome,
    Decision,
    Estimate,
    Interval,
    LearnerScore,
    Matters,
    OnThese,
    Ranking,
    Stopped,
    Verdict,
)
from ..scores.evidence import Evidence
from .apply import apply_pair
from .claims import answer_claims
from .correct import T_ON_UNITS, Corrected, corrected, with_max_t
from .decide import decide, decide_omnibus, is_beyond, matters, posterior_matters, select_effect_interval
from .estimates import estimates_of
from .given_evidence import counted_as_wrong
from .planned_tests import TestId, TestOutcome, pairs_of, run_post_hoc, run_tests
from .power import power_of
from .shapes import metric_card
from .tests.partition_tests import MORE_NEEDED

MOST_DESCRIBED = 10  # pairs; for more of them a leaderboard takes the place of sentences
V = TypeVar("V", Verdict, Estimate)


def with_conditions(judged: Sequence[V], findings: Sequence[Finding]) -> tuple[V, ...]:
    """Return the verdicts, each with the unmet conditions of its own test and the findings about it."""
    found = []
    for verdict in judged:
        unmet = list(verdict.test.unmet) if verdict.test is not None else []
        unmet += [f.message for f in findings if _concerns(f.subject, verdict)]
        found.append(replace(verdict, unmet=tuple(dict.fromkeys(unmet))) if unmet else verdict)
    return tuple(found)


def _concerns(subject: Subject, one: Verdict | Estimate) -> bool:
    """Return whether a finding is about a verdict: one about a learner is about every verdict on it, one about a pair
    only about that pair."""
    learners = {one.learner} if isinstance(one, Estimate) else set(one.learners)
    named = set(subject.learners)
    return (
        subject.comparison == one.comparison
        and (subject.dataset == one.dataset or (one.dataset is None and subject.dataset in one.datasets))
        and subject.metric in ("", one.metric)
        and (named == learners or (len(named) < 2 and named <= learners))
    )


MANY_PAIRS = 10_000  # ours: about two seconds of judging
Known = dict[tuple[Evidence, str, str | None, str], LearnerScore]  # by evidence, metric, dataset and learner


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The results of the verdict stage."""

    verdicts: tuple[Verdict, ...]
    estimates: tuple[Estimate, ...]
    claims: tuple[ClaimOutcome, ...]
    rankings: tuple[Ranking, ...]


def judge(plan: Plan, evidence: Mapping[str, Evidence], stops: Mapping[TestId, Stopped] | None = None) -> Judged:
    """Judge every comparison of the plan that has evidence; `stops` are verdicts reached before the end of a design.

    Where missing answers were left out, each verdict says whether it survives counting them as wrong.
    """
    judged = _judge(plan, evidence, stops)
    other = counted_as_wrong(evidence, plan)
    again: dict[tuple[object, ...], list[Verdict]] = {}
    for one in _judge(plan, {**evidence, **other}, stops).verdicts if other else ():
        again.setdefault(_subject(one), []).append(one)
    verdicts = []
    for one in judged.verdicts:  # other datasets may have verdicts where more scores count
        as_wrong = next(iter(again.get(_subject(one), ())), None)
        again[_subject(one)] = again.get(_subject(one), [])[1:]
        left_out = evidence[one.comparison].left_out(one)
        if left_out and one.test is not None:
            known = as_wrong if one.comparison in other else None
            said = f"{left_out}; {_survival(one, known)}"
            if known is not None and known.decision == one.decision:  # nothing that limits the verdict
                test = replace(one.test, notes=(*one.test.notes, f"{said}."))
            else:
                test = replace(one.test, unmet=(*one.test.unmet, said))
            one = replace(one, test=test)
        verdicts.append(one)
    return replace(judged, verdicts=tuple(verdicts))


def _subject(verdict: Verdict) -> tuple[object, ...]:
    return verdict.comparison, verdict.metric, verdict.dataset, verdict.learners, verdict.posthoc


def _survival(verdict: Verdict, as_wrong: Verdict | None) -> str:
    """Return in words whether a verdict is the same with missing answers counted as wrong."""
    if as_wrong is None:
        return f"they cannot count as wrong, because {verdict.metric} has no worst value"
    if as_wrong.decision == verdict.decision:
        return "counted as wrong, they give the same verdict"
    words = {"first-better": "{0} better", "second-better": "{1} better", "not-settled": "inconclusive"}
    now = words.get(as_wrong.decision, as_wrong.decision).format(*as_wrong.learners)
    return f"counted as wrong, they change the verdict to: {now}"


def _judge(plan: Plan, evidence: Mapping[str, Evidence], stops: Mapping[TestId, Stopped] | None) -> Judged:
    tested: list[TestOutcome] = []
    estimates: list[Estimate] = []
    for comparison in plan.comparisons:
        found = evidence.get(comparison.name)
        if found is None:
            continue
        if comparison.estimate:
            estimates += estimates_of(comparison, found, evidence)
        else:
            tested += run_tests(comparison, found)
    adjusted = corrected(plan, tested)
    if any(one.test is not None and one.test.name in T_ON_UNITS for one in tested):
        adjusted = with_max_t(tested, adjusted)
    tested = _recompute_post_hocs(tested, adjusted, evidence)
    ranked = [one for one in tested if one.dataset is None and (one.ranks or (one.result and one.result.ranks))]
    known: Known = {}  # scores of learners, so that they are computed once
    margins = {c.name for c in plan.comparisons if c.rope is not None}
    margins |= {name for claim in plan.claims if claim.relation != "better" for name in claim.evidence}

    def make_verdicts() -> Iterator[Verdict]:
        tested.reverse()
        adjusted.reverse()
        while tested:  # each is dropped when it is used: of many pairs they take as much memory as the verdicts
            one, found = tested.pop(), adjusted.pop()
            with_margin = one.comparison.name in margins
            verdict = _verdict(one, found, known, with_margin=with_margin)
            yield _stopped_early(verdict, stops or {})

    verdicts = _with_pair_counts(make_verdicts())
    claims = answer_claims(plan, verdicts)
    if claimed := _claimed_margins(plan, claims):
        verdicts = tuple(replace(v, rope=m, matters="too-small") if (m := claimed.get(id(v))) else v for v in verdicts)
        claims = answer_claims(plan, verdicts)
    rankings = _rankings(ranked, verdicts, evidence)
    return Judged(verdicts=verdicts, estimates=tuple(estimates), claims=claims, rankings=rankings)


def _claimed_margins(plan: Plan, claims: Sequence[ClaimOutcome]) -> dict[int, float]:
    """Return the margins of supported claims of equivalence, by the id of verdicts whose comparison sets none."""
    margins: dict[int, float] = {}
    for claim, outcome in zip(plan.claims, claims, strict=True):
        if claim.relation == "same" and claim.within is not None and outcome.status == "supported":
            for verdict in outcome.verdicts:
                if verdict.rope is None:
                    margins[id(verdict)] = min(margins.get(id(verdict), claim.within), claim.within)
    return margins


def slow_steps(plan: Plan, evidence: Mapping[str, Evidence]) -> Iterator[str]:
    """Yield notes on what takes long: a thousand learners are half a million pairs."""
    for comparison in plan.comparisons:
        found = evidence.get(comparison.name)
        pairs = len(pairs_of(comparison, found.learners)) * len(comparison.metrics) if found is not None else 0
        if found is not None and pairs >= MANY_PAIRS:
            yield f"{comparison.name}: testing {pairs:,} pairs of {len(found.learners):,} learners"


def _recompute_post_hocs(
    tested: Sequence[TestOutcome], adjusted: Sequence[Corrected], evidence: Mapping[str, Evidence]
) -> list[TestOutcome]:
    """Return the tests, with post-hocs computed again where they have only a share of the level of their family."""
    found: dict[tuple[str, str], dict[tuple[str, ...], TestOutcome]] = {}
    again = []
    for one, shared in zip(tested, adjusted, strict=True):
        comparison = one.comparison
        if one.self_adjusted and one.test is not None and shared.alpha not in (None, comparison.alpha.value):
            key = (comparison.name, one.metric.label)
            if key not in found:
                asked, whole = replace(comparison, alpha=Given(value=shared.alpha)), evidence[comparison.name]
                made = run_post_hoc(replace(one, comparison=asked, evidence=whole, learners=whole.learners))
                found[key] = {x.learners: replace(x, comparison=comparison) for x in made}
            one = found[key][one.learners]
        again.append(one)
    return again


def _with_pair_counts(verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """Return the verdicts, every omnibus with the number of significant pairs beside it."""
    found = tuple(verdicts)
    settled = Counter[tuple[object, ...]]()
    for v in found:
        if v.pair:
            settled[v.comparison, v.dataset, v.metric] += v.settled
    places = ((v.comparison, v.dataset, v.metric) for v in found)
    return tuple(
        v if v.pair else replace(v, settled_pairs=settled.get(place)) for v, place in zip(found, places, strict=True)
    )


def _verdict(one: TestOutcome, corrected: Corrected, known: Known, *, with_margin: bool) -> Verdict:
    comparison, evidence, result = one.comparison, one.evidence, one.result
    family, adjusted = corrected.family, corrected.pvalue
    alpha = family.alpha if family is not None else comparison.alpha.value
    sign = metric_card(one.metric).sign
    rope = comparison.rope.value if comparison.rope else None
    decision = decide_omnibus(adjusted, alpha) if one.omnibus else decide(result, adjusted, alpha, sign)
    if one.test is None:
        decision = "undecided"
    caveats = (*evidence.caveats(one.dataset), *_inflated_by_failures(one))
    if result is not None:
        notes = (*result.notes, *evidence.notes(one.dataset))
        result = replace(result, unmet=(*result.unmet, *caveats), notes=notes)
    interval = _interval(one, corrected)
    equivalence = _equivalence_interval(one, corrected) if with_margin else None
    if result is not None and result.test == "tost":
        if decision == "not-settled" and is_beyond(interval, rope or 0.0):
            decision = "not-equivalent"
    elif decision == "not-settled" and (corrected.closed or (interval is not None and interval.way)):
        shown = interval or (result.interval if result is not None else None)
        interval = _with_zero(shown) if shown is not None else None
    return Verdict(
        comparison=comparison.name,
        dataset=one.dataset,
        metric=one.metric.label,
        learners=one.learners,
        test=replace(result, interval_at=None) if result is not None else None,
        adjusted_p=adjusted,
        alpha=alpha,
        family=family.name if family is not None else "",
        decision=decision,
        matters=_matters(one, decision, interval, rope, equivalence),
        corrected_interval=interval,
        equivalence_interval=equivalence,
        correction="uncorrected" if family is None else family.method,
        family_size=corrected.size,
        family_missing=corrected.missing,
        family_blocks=corrected.blocks,
        question=question_on_one(comparison) if one.dataset is not None else comparison.question,
        posthoc=one.posthoc,
        rope=rope,
        scores=learner_scores(one, known),
        power=power_of(one, family) if decision == "not-settled" and not one.omnibus else None,
        undecided_because=one.problem,
        units=evidence.described(one.dataset),
        on_these=_difference_on_sample(one),
        datasets=evidence.datasets if one.dataset is None else (),
        rows=evidence.mean_rows(one.dataset),
    )


def _difference_on_sample(one: TestOutcome) -> OnThese | None:
    """Return the difference on these groups or datasets alone, beside a verdict about others like them."""
    result = one.result
    if result is not None and result.unit not in ("group", "dataset"):
        return None
    if result is None and (one.test is None or one.test.name not in ("cluster-permutation", "cluster-t")):
        return None  # only where the groups are too few for the test
    if one.omnibus or len(one.learners) != 2 or one.comparison.pairs > MOST_DESCRIBED:
        return None
    pair = (one.learners[0], one.learners[1])
    return one.evidence.on_these(one.dataset, one.metric, pair, 1.0 - one.comparison.alpha.value)


def _stopped_early(verdict: Verdict, stops: Mapping[TestId, Stopped]) -> Verdict:
    """Return the verdict of the full design where `until settled` ended before it: its p is unknown and left out."""
    test = verdict.test
    member = TestId(verdict.comparison, verdict.dataset, verdict.metric, verdict.learners, test.test if test else "")
    stop = stops.get(member)
    if stop is None or test is None:
        return verdict
    return replace(
        verdict,
        test=replace(test, pvalue=None, notes=tuple(n for n in test.notes if not n.endswith(MORE_NEEDED))),
        adjusted_p=None,
        decision=stop.decision,
        power=verdict.power if stop.decision == "not-settled" else None,
        stopped=stop,
    )


def _inflated_by_failures(one: TestOutcome) -> tuple[str, ...]:
    """Return a sentence where failed fits count as the worst score and the test rests on a variance of scores."""
    card = find_test(one.test.name) if one.test is not None else None
    if one.comparison.failures != "worst" or one.dataset is None or card is None or card.evidence == "outcomes":
        return ()
    failed = Counter(
        f.learner for f in one.evidence.failures if f.dataset == one.dataset and f.metric in (None, one.metric.label)
    )
    who = [f"{name} failed in {counted(failed[name], 'fit')}" for name in one.learners if failed[name]]
    if not who:
        return ()
    return (
        f"{listed(who)} on {one.dataset}, counted as the worst {one.metric.label}: this increases the variance, so "
        "the interval is wide and the test can miss a difference in the other fits",
    )


def _interval(one: TestOutcome, corrected: Corrected) -> Interval | None:
    """Return the interval of a corrected verdict: of the same test, at the level that holds for the whole family.

    That of tost comes at 1 - 2 alpha, so its interval at 1 - alpha is computed even where nothing is corrected.
    """
    alpha, tost = corrected.alpha, one.test is not None and one.test.name == "tost"
    if not tost and (alpha is None or (corrected.kind == "single" and alpha == one.comparison.alpha.value)):
        return None
    level = one.comparison.alpha.value if alpha is None else alpha
    return _interval_at(one, corrected, level / 2.0 if tost else level)


def _equivalence_interval(one: TestOutcome, corrected: Corrected) -> Interval | None:
    """Return the two-sided interval at 1 - 2 alpha; inside the margin it shows equivalence at alpha."""
    alpha, tost = corrected.alpha, one.test is not None and one.test.name == "tost"
    level = one.comparison.alpha.value if alpha is None else alpha
    if tost:
        return _interval_at(one, corrected, level)
    if one.result is not None and one.result.alternative != "two-sided":  # computed again on both sides
        one = replace(
            one,
            comparison=replace(one.comparison, expecting=None),
            result=replace(one.result, interval_at=None),
        )
    return _interval_at(one, corrected, 2.0 * level) if level < 0.5 else None


def _interval_at(one: TestOutcome, corrected: Corrected, alpha: float) -> Interval | None:
    if one.test is None or one.result is None or one.result.interval is None or one.self_adjusted:
        return None
    if one.result.interval_at is not None:
        found = one.result.interval_at(1.0 - alpha)
    else:
        asked = replace(one, comparison=replace(one.comparison, alpha=Given(value=alpha)))
        found = apply_pair(asked, one.test).interval
    together = corrected.size + corrected.blocks - 1  # a post-hoc that covers all its pairs counts as one test
    return found and replace(found, kind=corrected.kind, way=corrected.method, members=together)


def _with_zero(interval: Interval) -> Interval:
    """Return the interval extended to 0, where the corrected test is not significant, so that the two agree."""
    return replace(interval, low=min(interval.low, 0.0), high=max(interval.high, 0.0))


def _matters(
    one: TestOutcome,
    decision: Decision,
    interval: Interval | None,
    rope: float | None,
    equivalence: Interval | None,
) -> Matters:
    result = one.result
    if one.omnibus or result is None:
        return "no-rope"
    if result.posterior is not None:
        return posterior_matters(result.posterior, rope)
    bounds = (select_effect_interval(result, x) for x in (interval or result.interval, equivalence))
    return matters(decision, next(bounds), rope, next(bounds))


def learner_scores(one: TestOutcome, known: Known) -> tuple[LearnerScore, ...]:
    """Return mean and spread of each learner on the dataset of a verdict; with a missing score there is no mean.

    One learner of a thousand is in 999 pairs, so scores in `known` are not computed again.
    """
    label, evidence = one.metric.label, one.evidence
    keys = [(evidence, label, one.dataset, name) for name in one.learners]
    if all(key in known for key in keys):
        return tuple(known[key] for key in keys)
    try:
        values = evidence.dataset_scores(label) if one.dataset is None else evidence.fold_scores(one.dataset, label)
    except EvalangError:
        values = evidence.complete_scores(one.dataset, label) if one.dataset is not None else {}
    for key, name in zip(keys, one.learners, strict=True):
        own = values.get(name, np.empty(0))
        flat = [float(v) for v in own.ravel() if math.isfinite(v)]
        mean = math.fsum(flat) / len(flat) if flat else None
        spread = None
        if mean is not None and len(flat) > 1:
            spread = math.sqrt(math.fsum((v - mean) ** 2 for v in flat) / (len(flat) - 1))
        each = tuple(flat) if one.dataset is None and len(flat) == own.size else ()
        units = evidence.rows_of_one_score(one.dataset, name) if one.dataset is not None and flat else 0
        known[key] = LearnerScore(learner=name, mean=mean, spread=spread, n=units or len(flat), each=each)
    return tuple(known[key] for key in keys)


def _rankings(
    tested: Sequence[TestOutcome], verdicts: Sequence[Verdict], evidence: Mapping[str, Evidence]
) -> tuple[Ranking, ...]:
    """Return the mean ranks wherever a test over datasets of three or more learners gave them."""
    found: dict[tuple[str, str], Ranking] = {}
    pairs: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.dataset is None and verdict.pair:
            pairs.setdefault((verdict.comparison, verdict.metric), []).append(verdict)
    for one in tested:
        key = (one.comparison.name, one.metric.label)
        ranks = one.ranks or (one.result.ranks if one.result else ())
        whole = evidence[one.comparison.name]
        if len(ranks) != len(whole.learners):
            continue
        tested_pairs = pairs.get(key, [])
        if key in found and found[key].critical_difference is not None:
            continue
        found[key] = Ranking(
            comparison=key[0],
            metric=key[1],
            learners=whole.learners,
            ranks=ranks,
            n_datasets=len(whole.datasets),
            critical_difference=one.critical_difference,
            test=tested_pairs[0].test.test if tested_pairs and tested_pairs[0].test else "",
            joined=tuple((v.learners[0], v.learners[1]) for v in tested_pairs if not v.settled),
            untested=_untested(one, whole.learners),
        )
    return tuple(found.values())


def _untested(one: TestOutcome, learners: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the pairs that the design leaves out: with a control those of two others."""
    tested = {frozenset(pair) for pair in pairs_of(one.comparison, learners)}
    return tuple(pair for pair in combinations(learners, 2) if frozenset(pair) not in tested)
