"""The finished run as plain numbers for the run-stage rules, and what each partition alone would have said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..errors import EvalangError
from ..findings.run_facts import Chosen, ClaimRun, Judgement, OverRun, PairRun, RunFacts
from ..plans.model import Comparison, Metric, Plan
from .apply import metric_card
from .evidence import Evidence, Floats
from .judge import Judged
from .result import TestResult
from .tested import pairs_of
from .tests.five_by_two import five_by_two_t
from .tests.kfold_t import kfold_t
from .verdict import Candidate, PartitionResult, Verdict


def run_facts(
    plan: Plan, judged: Judged, evidence: Mapping[str, Evidence], candidates: Sequence[Candidate]
) -> RunFacts:
    """Everything the run-stage rules read, turned so that above zero always means the first learner is better."""
    pairs: list[PairRun] = []
    errors = {(v.comparison, v.dataset, v.metric, v.learners): v for v in judged.verdicts if v.dataset and v.pair}
    for comparison in plan.comparisons:
        found = evidence.get(comparison.name)
        if found is None or comparison.estimate or comparison.data == "results":
            continue
        for metric in comparison.metrics:
            for dataset in found.datasets:
                for pair in pairs_of(comparison, found.learners):
                    verdict = errors.get((comparison.name, dataset, metric.label, pair))
                    one = _pair(comparison, found, metric, dataset, pair, verdict)
                    pairs += [one] if one is not None else []
    metrics = {m.label: m for c in plan.comparisons for m in c.metrics}
    return RunFacts(
        pairs=tuple(pairs),
        judgements=tuple(j for v in judged.verdicts if (j := _judgement(v, metrics)) is not None),
        over=tuple(o for v in judged.verdicts if (o := _over(v, metrics, evidence)) is not None),
        chosen=_chosen(plan, candidates),
        claims=tuple(ClaimRun(claim=c.claim, status=c.status, reason=c.reason) for c in judged.claims),
    )


def _folds(evidence: Evidence, dataset: str, metric: Metric, pair: tuple[str, str]) -> tuple[Floats, Floats] | None:
    try:
        scores = evidence.fold_scores(dataset, metric.label)
    except EvalangError:
        return None
    return scores[pair[0]], scores[pair[1]]


def _pair(
    comparison: Comparison,
    evidence: Evidence,
    metric: Metric,
    dataset: str,
    pair: tuple[str, str],
    verdict: Verdict | None,
) -> PairRun | None:
    found = _folds(evidence, dataset, metric, pair)
    if found is None:
        return None
    one, two = found
    sign = metric_card(metric).sign
    d = sign * (one - two)
    values, df = partition_values(comparison, sign * one, sign * two)
    result = verdict.test if verdict else None
    return PairRun(
        comparison=comparison.name,
        dataset=dataset,
        metric=metric.label,
        first=pair[0],
        second=pair[1],
        difference=float(d.mean()),
        fold_differences=_nested(d) if d.size > 1 else (),
        discordant=_discordant(result),
        partition_t=tuple(r.statistic for r in values if r is not None and r.statistic is not None)
        if len(values) > 1
        else (),
        partition_df=df,
        scores=(_nested(one), _nested(two)),
        training_rows=evidence.sizes(dataset)[0],
        standard_error=dict(result.details).get("standard_error") if result else None,
    )


def _nested(values: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(v) for v in row) for row in values)


def _discordant(result: TestResult | None) -> tuple[int, int] | None:
    if result is None or "n01" not in dict(result.details):
        return None
    return result.wins, result.losses


def partition_values(comparison: Comparison, one: Floats, two: Floats) -> tuple[list[TestResult | None], float | None]:
    """The test of each partition alone: the k-fold t of a Kcv, the 5x2cv t of five replications."""
    scheme = comparison.scheme
    nested = scheme.nested if scheme else None
    parts: list[tuple[Floats, Floats]] = []
    if nested:
        parts = list(zip(one.reshape(-1, *nested), two.reshape(-1, *nested), strict=True))
    elif scheme and scheme.card.dealt and not scheme.card.five_by_two and one.shape[1] > 1:
        parts = [(one[i : i + 1], two[i : i + 1]) for i in range(one.shape[0])]
    found: list[TestResult | None] = []
    for a, b in parts:
        try:
            found.append(five_by_two_t(a, b) if nested else kfold_t(a, b))
        except EvalangError:
            found.append(None)
    df = float(nested[0] if nested else one.shape[1] - 1)
    return found, df if parts else None


def partition_results(plan: Plan, evidence: Mapping[str, Evidence]) -> tuple[PartitionResult, ...]:
    """Bradford and Brodley's spread: the statistic and p of each partition alone, in the metric's own direction."""
    found = []
    for comparison in plan.comparisons:
        here = evidence.get(comparison.name)
        if here is None or comparison.estimate or comparison.scheme is None or comparison.scheme.partitions < 2:
            continue
        for metric in comparison.metrics:
            for dataset in here.datasets:
                for pair in pairs_of(comparison, here.learners):
                    both = _folds(here, dataset, metric, pair)
                    values = partition_values(comparison, *both)[0] if both else []
                    found += [
                        PartitionResult(
                            comparison=comparison.name,
                            dataset=dataset,
                            metric=metric.label,
                            learners=pair,
                            partition=i,
                            statistic=r.statistic if r else None,
                            pvalue=r.pvalue if r else None,
                        )
                        for i, r in enumerate(values)
                    ]
    return tuple(found)


def _judgement(verdict: Verdict, metrics: Mapping[str, Metric]) -> Judgement | None:
    result = verdict.test
    if result is None or not verdict.pair or verdict.difference is None:
        return None
    sign = metric_card(metrics[verdict.metric]).sign
    interval = result.interval
    ends = sorted((sign * interval.low, sign * interval.high)) if interval else [None, None]
    return Judgement(
        comparison=verdict.comparison,
        metric=verdict.metric,
        first=verdict.learners[0],
        second=verdict.learners[1],
        test=result.test,
        dataset=verdict.dataset,
        difference=sign * verdict.difference,
        p=result.pvalue,
        adjusted_p=verdict.adjusted_p,
        alpha=verdict.alpha,
        low=ends[0],
        high=ends[1],
        approximate="exact" not in result.method,
        units=result.n_units,
    )


def _over(verdict: Verdict, metrics: Mapping[str, Metric], evidence: Mapping[str, Evidence]) -> OverRun | None:
    if verdict.dataset is not None or not verdict.pair or verdict.test is None:
        return None
    here = evidence[verdict.comparison]
    sign = metric_card(metrics[verdict.metric]).sign
    scores = here.dataset_scores(verdict.metric)
    d = sign * (np.asarray(scores[verdict.learners[0]]) - np.asarray(scores[verdict.learners[1]]))
    return OverRun(
        comparison=verdict.comparison,
        metric=verdict.metric,
        first=verdict.learners[0],
        second=verdict.learners[1],
        test=verdict.test.test,
        differences=tuple((name, float(v)) for name, v in zip(here.datasets, d, strict=True)),
    )


def _chosen(plan: Plan, candidates: Sequence[Candidate]) -> tuple[Chosen, ...]:
    """What tuning chose of each numeric parameter with three values or more."""
    grids = {(x.name, g.parameter): g for x in plan.learners for g in x.grids}
    picks: dict[tuple[str, str, str, str], list[float]] = {}
    for one in candidates:
        if one.chosen:
            for parameter, value in one.setting:
                if isinstance(value, int | float) and not isinstance(value, bool):
                    picks.setdefault((one.comparison, one.dataset, one.learner, parameter), []).append(float(value))
    found = []
    for (comparison, dataset, learner, parameter), values in picks.items():
        grid = grids.get((learner, parameter))
        tried = (
            tuple(float(v) for v in grid.values if isinstance(v, int | float) and not isinstance(v, bool))
            if grid
            else ()
        )
        if len(tried) > 2:
            found.append(
                Chosen(
                    comparison=comparison,
                    dataset=dataset,
                    learner=learner,
                    parameter=parameter,
                    values=tuple(sorted(tried)),
                    picks=tuple(values),
                )
            )
    return tuple(found)
