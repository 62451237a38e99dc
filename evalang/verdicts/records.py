"""What evidence adds to the result of a run: scores of given tables, items, runs of seeds, and each partition alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from ..errors import EvalangError
from ..plans.model import Comparison
from ..results.records import ItemScores, PartitionResult, Runs, ScoreRow, Scores, TestResult
from ..results.run_result import RunResult
from .evidence import Evidence, Floats
from .given_evidence import ResultsEvidence
from .item_evidence import ItemEvidence
from .planned_tests import pairs_of
from .runs import runs_on_tasks
from .tests.partition_tests import five_by_two_t
from .tests.t_tests import kfold_t


def add_evidence_records(result: RunResult, evidence: Mapping[str, Evidence]) -> RunResult:
    """Return the result with what the evidence of its comparisons holds beside the verdicts."""
    rows: list[ScoreRow] = []
    items: list[ItemScores] = []
    runs: list[Runs] = []
    partitions: list[PartitionResult] = []
    for c in result.plan.comparisons:
        found = evidence.get(c.name)
        if found is None:
            continue
        if isinstance(found, ResultsEvidence):
            rows += [row for metric in c.metrics for row in _fold_rows(c.name, metric.label, found)]
            if tables := found.runs():
                runs += [runs_on_tasks(c, metric, tables) for metric in c.metrics]
        if isinstance(found, ItemEvidence):
            items += [_items(c, found, dataset) for dataset in found.datasets]
        partitions += _partitions(c, found)
    return replace(
        result,
        scores=Scores.of([*result.scores.rows(), *rows]) if rows else result.scores,
        items=tuple(one for one in items if one.means),
        runs=tuple(runs),
        partitions=tuple(partitions),
    )


def _fold_rows(name: str, metric: str, given: ResultsEvidence) -> Iterator[ScoreRow]:
    for dataset in given.datasets:
        for learner, scores in given.fold_scores(dataset, metric).items():
            for (partition, fold), score in np.ndenumerate(scores):
                value = float(score) if np.isfinite(score) else None
                yield ScoreRow(name, learner, dataset, partition, fold, 0, metric, value)


def _items(comparison: Comparison, given: ItemEvidence, dataset: str) -> ItemScores:
    items = given.items(dataset)
    samples = (given.samples(dataset, learner) for learner in given.learners)
    return ItemScores(
        comparison=comparison.name,
        dataset=dataset,
        learners=given.learners,
        items=items.names,
        scores=tuple(tuple(tuple(one[~np.isnan(one)].tolist()) for one in of_learner) for of_learner in samples),
        means=tuple((m.label, means) for m in comparison.metrics if (means := _means(given, dataset, m.label))),
        groups=() if items.groups is None else tuple(items.group_names[g] for g in items.groups),
        contents=items.contents,
    )


def _means(given: ItemEvidence, dataset: str, metric: str) -> tuple[float, ...]:
    """Return the mean of each learner; () where the samples do not give the metric, which the verdict explains."""
    try:
        values = given.row_values(dataset, metric)
    except EvalangError:
        return ()
    return tuple(float(values[name].mean()) for name in given.learners)


def _partitions(comparison: Comparison, evidence: Evidence) -> Iterator[PartitionResult]:
    """Yield the statistic and p of each partition alone, in the metric's own direction: bradford2001's spread."""
    if comparison.estimate or comparison.scheme is None or comparison.scheme.partitions < 2:
        return
    for metric in comparison.metrics:
        for dataset in evidence.datasets:
            for pair in pairs_of(comparison, evidence.learners):
                try:
                    scores = evidence.fold_scores(dataset, metric.label)
                except EvalangError:
                    continue
                for i, r in enumerate(_partition_tests(comparison, scores[pair[0]], scores[pair[1]])):
                    yield PartitionResult(
                        comparison=comparison.name,
                        dataset=dataset,
                        metric=metric.label,
                        learners=pair,
                        partition=i,
                        statistic=r.statistic if r else None,
                        pvalue=r.pvalue if r else None,
                        df=r.df[0] if r and r.df else None,
                    )


def _partition_tests(comparison: Comparison, one: Floats, two: Floats) -> list[TestResult | None]:
    """Return the test of each partition alone: the k-fold t of a Kcv, the 5x2cv t of five replications."""
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
    return found
