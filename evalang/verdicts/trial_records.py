"""What comes straight from the trials: scores, failures, candidates, baselines, and what each partition alone would
say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, TypedDict

import numpy as np

from ..catalogue.metrics import find_metric
from ..errors import EvalangError
from ..plans.model import Comparison, Metric, Plan
from ..results.records import (
    Baseline,
    Curve,
    ItemScores,
    LearnerCost,
    MissingScore,
    PartitionResult,
    ScoreRow,
    Scores,
    TestResult,
    Tried,
)
from ..results.run_aggregates import Runs
from ..results.training_choice import TrainingChoice
from ..scores.answer import positive_scores
from ..scores.score_table import ScoreTable
from .evidence import Evidence, Floats
from .existing import ResultsEvidence
from .item_evidence import ItemEvidence
from .runs import runs_on_tasks
from .tested import pairs_of
from .tests.five_by_two import five_by_two_t
from .tests.kfold_t import kfold_t

POINTS = 200  # of a curve; more cannot be seen
BINS = 10  # of a reliability diagram (caruana2005 uses ten)


def failures_of(tables: Mapping[str, ScoreTable]) -> tuple[MissingScore, ...]:
    """Every trial without a score, by the names of the script."""
    return tuple(one for table in tables.values() for one in table.failures)


class ScoreFields(TypedDict):
    """The scores of a result, and those in the halves of `N halvings`, from which halving-t has its standard error."""

    scores: Scores
    halves: Scores


def scores_of(tables: Mapping[str, ScoreTable], plan: Plan, evidence: Mapping[str, Evidence]) -> ScoreFields:
    """Every score, by column; a trial without one has None. A table of results has one for each fold."""
    rows = [ScoreRow(*row) for table in tables.values() for row in table.score_rows()]
    for comparison in plan.comparisons:
        given = evidence.get(comparison.name)
        if isinstance(given, ResultsEvidence):
            rows += [row for metric in comparison.metrics for row in _given(comparison.name, metric.label, given)]
    halves = [ScoreRow(*row) for table in tables.values() for row in table.half_rows()]
    return {"scores": Scores.of(rows), "halves": Scores.of(halves)}


def _given(name: str, metric: str, given: ResultsEvidence) -> Iterator[ScoreRow]:
    for dataset in given.datasets:
        for learner, scores in given.fold_scores(dataset, metric).items():
            for (partition, fold), score in np.ndenumerate(scores):
                value = float(score) if np.isfinite(score) else None
                yield ScoreRow(name, learner, dataset, partition, fold, 0, metric, value)


def items_of(plan: Plan, evidence: Mapping[str, Evidence]) -> tuple[ItemScores, ...]:
    """The scores of items as they were read, by comparison and dataset."""
    found = []
    for comparison in plan.comparisons:
        given = evidence.get(comparison.name)
        if isinstance(given, ItemEvidence):
            found += [_items(comparison, given, dataset) for dataset in given.datasets]
    return tuple(one for one in found if one.means)


def _items(comparison: Comparison, given: ItemEvidence, dataset: str) -> ItemScores:
    items = given.items(dataset)
    samples = (given.samples(dataset, learner) for learner in given.learners)
    return ItemScores(
        comparison=comparison.name,
        dataset=dataset,
        learners=given.learners,
        items=items.names,
        scores=tuple(tuple(_floats(one[~np.isnan(one)]) for one in of_learner) for of_learner in samples),
        means=tuple((m.label, means) for m in comparison.metrics if (means := _means(given, dataset, m.label))),
        groups=() if items.groups is None else tuple(items.group_names[g] for g in items.groups),
        contents=items.contents,
    )


def _means(given: ItemEvidence, dataset: str, metric: str) -> tuple[float, ...]:
    """Of each learner; empty where the samples do not give the metric, which the verdict says."""
    try:
        values = given.row_values(dataset, metric)
    except EvalangError:
        return ()
    return tuple(float(values[name].mean()) for name in given.learners)


def runs_of_seeds(plan: Plan, evidence: Mapping[str, Evidence]) -> tuple[Runs, ...]:
    """What the seeds of a table of results say of its tasks."""
    found = []
    for comparison in plan.comparisons:
        given = evidence.get(comparison.name)
        if isinstance(given, ResultsEvidence) and (tables := given.runs()):
            found += [runs_on_tasks(comparison, metric, tables) for metric in comparison.metrics]
    return tuple(found)


def candidates_of(tables: Mapping[str, ScoreTable]) -> tuple[Tried, ...]:
    """Every setting tried in tuning."""
    return tuple(one for table in tables.values() for one in table.tried)


def choices_of(tables: Mapping[str, ScoreTable]) -> tuple[TrainingChoice, ...]:
    """Every threshold that was chosen, and every training that was to end early."""
    return tuple(one for table in tables.values() for one in table.choices)


def costs_of(tables: Mapping[str, ScoreTable]) -> tuple[LearnerCost, ...]:
    """Seconds and memory of each learner on each dataset."""
    return tuple(one for table in tables.values() for one in table.costs)


def warnings_of(tables: Mapping[str, ScoreTable]) -> tuple[tuple[str, int], ...]:
    """What learners warned of, and in how many trials."""
    found: Counter[str] = Counter()
    for table in tables.values():
        found.update(table.warnings)
    return tuple(sorted(found.items()))


def baselines_of(tables: Mapping[str, ScoreTable]) -> tuple[Baseline, ...]:
    """The score of a learner that knows nothing."""
    return tuple(
        Baseline(comparison=name, dataset=dataset, metric=metric, score=score)
        for name, table in tables.items()
        for dataset, metric, score in table.baselines()
    )


def curves_of(tables: Mapping[str, ScoreTable]) -> tuple[Curve, ...]:
    """ROC, precision-recall and reliability of the first partition, where there are two classes and scores."""
    return tuple(curve for name, table in tables.items() for curve in _curves(name, table))


def _curves(name: str, table: ScoreTable) -> Iterator[Curve]:
    wanted = {
        m.name
        for m in table.comparison.metrics
        if (card := find_metric(m.name)) and card.needs in ("scores", "probabilities")
    }
    if not wanted:
        return
    label = next(m for m in table.comparison.metrics if m.name in wanted).label
    for dataset in table.datasets:
        try:
            answers = table.first_partition(dataset, label)
        except EvalangError:
            continue
        for learner, answer in answers.items():
            if len(answer.classes) != 2 or answer.scores is None:
                continue
            try:
                positive, scores = positive_scores(answer, "the curve")
            except EvalangError:
                continue
            shared = {"comparison": name, "learner": learner, "dataset": dataset, "partition": 0}
            yield from _rank_curves(positive, scores, shared)
            if answer.probabilities:
                yield _reliability(positive, scores, shared)


def _rank_curves(positive: np.ndarray, scores: np.ndarray, shared: dict[str, Any]) -> Iterator[Curve]:
    order = np.argsort(-scores, kind="stable")
    hits, ranked = positive[order], scores[order]
    ends = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)  # rows with equal scores move together
    true, false = np.cumsum(hits)[ends], np.cumsum(~hits)[ends]
    total_true, total_false = int(true[-1]), int(false[-1])
    if not total_true or not total_false:
        return
    x, y = np.append(0.0, false / total_false), np.append(0.0, true / total_true)
    keep = _thin(len(x))
    yield Curve(kind="roc", x=_floats(x[keep]), y=_floats(y[keep]), **shared)
    keep = _thin(len(true))
    yield Curve(
        kind="precision-recall",
        x=_floats((true / total_true)[keep]),
        y=_floats((true / (true + false))[keep]),
        **shared,
    )


def _reliability(positive: np.ndarray, scores: np.ndarray, shared: dict[str, Any]) -> Curve:
    bins = np.minimum((scores * BINS).astype(int), BINS - 1)
    used = [b for b in range(BINS) if np.any(bins == b)]
    return Curve(
        kind="reliability",
        x=tuple(float(scores[bins == b].mean()) for b in used),
        y=tuple(float(positive[bins == b].mean()) for b in used),
        weight=tuple(float(np.count_nonzero(bins == b)) for b in used),
        **shared,
    )


def _thin(length: int) -> np.ndarray:
    return np.unique(np.linspace(0, length - 1, min(length, POINTS)).round().astype(int))


def _floats(values: np.ndarray) -> tuple[float, ...]:
    return tuple(float(v) for v in values)


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
