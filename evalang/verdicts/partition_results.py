"""What each partition alone would have said: Bradford and Brodley's spread."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import EvalangError
from ..plans.model import Comparison, Metric, Plan
from ..results.test_result import TestResult
from ..results.trial_rows import PartitionResult
from .evidence import Evidence, Floats
from .tested import pairs_of
from .tests.five_by_two import five_by_two_t
from .tests.kfold_t import kfold_t


def _folds(evidence: Evidence, dataset: str, metric: Metric, pair: tuple[str, str]) -> tuple[Floats, Floats] | None:
    try:
        scores = evidence.fold_scores(dataset, metric.label)
    except EvalangError:
        return None
    return scores[pair[0]], scores[pair[1]]


def partition_values(comparison: Comparison, one: Floats, two: Floats) -> list[TestResult | None]:
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
    return found


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
                    values = partition_values(comparison, *both) if both else []
                    found += [
                        PartitionResult(
                            comparison=comparison.name,
                            dataset=dataset,
                            metric=metric.label,
                            learners=pair,
                            partition=i,
                            statistic=r.statistic if r else None,
                            pvalue=r.pvalue if r else None,
                            df=r.df[0] if r and r.df else None,
                        )
                        for i, r in enumerate(values)
                    ]
    return tuple(found)
