"""What evidence adds to the result of a run: scores of given tables, items, runs of seeds, and each partition alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from ..errors import EvalangError
from ..plans.model import Comparison
from ..results.records import ItemScores, PartitionResult, Runs, ScoreRow, Scores, TestResult
from ..results.run_result import RunResult
from ..scores.evidence import Evidence, Floats
from .given_evidence import ResultsEvidence
from .item_evidence import ItemEvidence
from .planned_tests import pairs_of
from .runs import runs_on_tasks
from .tests.partition_tests import averaged_t


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
            for partition, row in enumerate(scores.tolist()):
                for fold, score in enumerate(row):
                    value = score if math.isfinite(score) else None
                    yield ScoreRow(name, learner, dataset, partition, fold, 0, metric, value)


def _items(comparison: Comparison, given: ItemEvidence, dataset: str) -> ItemScores:
    items = given.items(dataset)
    shared: dict[tuple[float, ...], tuple[float, ...]] = {}  # few distinct values: most items get or miss a point
    return ItemScores(
        comparison=comparison.name,
        dataset=dataset,
        learners=given.learners,
        items=items.names,
        scores=tuple(_samples(given.samples(dataset, learner), shared) for learner in given.learners),
        means=tuple((m.label, means) for m in comparison.metrics if (means := _means(given, dataset, m.label))),
        groups=() if items.groups is None else tuple(items.group_names[g] for g in items.groups),
        contents=items.contents,
    )


def _samples(values: Floats, shared: dict[tuple[float, ...], tuple[float, ...]]) -> tuple[tuple[float, ...], ...]:
    """Return the samples of each item without the missing ones; equal tuples are one object."""
    rows = [tuple(row) for row in (values + 0.0).tolist()]  # + 0.0: no negative zero
    if np.isnan(values).any():
        rows = [tuple(x for x in row if not math.isnan(x)) for row in rows]
    return tuple(shared.setdefault(row, row) for row in rows)


def _means(given: ItemEvidence, dataset: str, metric: str) -> tuple[float, ...]:
    """Return the mean of each learner; () where the samples do not give the metric, which the verdict explains."""
    try:
        values = given.row_values(dataset, metric)
    except EvalangError:
        return ()
    return tuple(float(np.nanmean(values[name])) for name in given.learners)


def _partitions(comparison: Comparison, evidence: Evidence) -> Iterator[PartitionResult]:
    """Yield the t and p of each partition where averaged-t decides, which is made of them (bradford2001)."""
    nested = comparison.scheme.nested if comparison.scheme else None
    for metric in comparison.metrics:
        if not any(t.name == "averaged-t" and metric.name in (t.metrics or (metric.name,)) for t in comparison.tests):
            continue
        for dataset in evidence.datasets:
            try:
                scores = evidence.fold_scores(dataset, metric.label)
            except EvalangError:
                continue
            for pair in pairs_of(comparison, evidence.learners):
                one, two = (scores[name].reshape(-1, *nested) if nested else scores[name] for name in pair)
                for i, (a, b) in enumerate(zip(one, two, strict=True)):
                    found = _of_partition(a, b)
                    yield PartitionResult(
                        comparison=comparison.name,
                        dataset=dataset,
                        metric=metric.label,
                        learners=pair,
                        partition=i,
                        statistic=found.statistic if found else None,
                        pvalue=found.pvalue if found else None,
                        df=found.df[0] if found and found.df else None,
                    )


def _of_partition(one: Floats, two: Floats) -> TestResult | None:
    """Return averaged-t of one partition; None where its folds differ by one and the same amount."""
    try:
        return averaged_t([one], [two])
    except EvalangError:
        return None
