"""`estimate`: the score of one learner with an interval, no comparison."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..errors import EvalangError, TestError
from ..plans.model import Comparison, Metric, Test
from ..results.records import Estimate, Interval, TestResult
from ..scores.answer import Answer
from ..scores.metrics import score
from ..scores.samples import reduced_by_mean
from .apply import COUNTED, metric_card, rng_of
from .compute import compute, shapes_of
from .evidence import (
    Evidence,
    LearnerFolds,
    LearnerItems,
    LearnerLosses,
    LearnerRows,
    RowPredictions,
    Successes,
    rows_of,
)
from .item_evidence import ItemEvidence
from .tested import judged

RESAMPLES = 2_000


def estimates_of(comparison: Comparison, evidence: Evidence, all_of_them: Mapping[str, Evidence]) -> Iterator[Estimate]:
    """One estimate per dataset and metric."""
    for metric in comparison.metrics:
        for dataset in evidence.datasets:
            for test in comparison.tests[:1]:
                found = _one(comparison, evidence, test, metric, dataset)
                if test.name == "randomization" and found.score is not None:
                    found = dataclasses.replace(found, test=_randomized(comparison, dataset, metric, all_of_them))
                yield found


def _randomized(
    comparison: Comparison, dataset: str, metric: Metric, evidence: Mapping[str, Evidence]
) -> TestResult | None:
    try:
        return judged(comparison, dataset, metric.label, evidence)
    except EvalangError:
        return None


def _one(comparison: Comparison, evidence: Evidence, test: Test, metric: Metric, dataset: str) -> Estimate:
    learner, label = evidence.learners[0], metric.label
    shared: dict[str, Any] = {
        "comparison": comparison.name,
        "learner": learner,
        "dataset": dataset,
        "metric": label,
        "question": comparison.question,
        "trained_again": test.name == "retrained-interval",
        "rows": rows_of(comparison, evidence, dataset),
    }
    try:
        folds = evidence.fold_scores(dataset, label)[learner]
    except EvalangError as error:
        return Estimate(**shared, score=None, interval=None, method="", undecided_because=str(error))
    values = [float(v) for v in folds.ravel()]
    mean = math.fsum(values) / len(values)
    spread = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1)) if len(values) > 1 else None
    try:
        if isinstance(evidence, ItemEvidence) and LearnerItems in shapes_of(test.name):
            return _of_items(evidence, test, metric, shared, 1.0 - comparison.alpha.value)
        interval, method, n, unit = _interval(comparison, evidence, test, metric, dataset)
    except EvalangError as error:
        return Estimate(
            **shared,
            score=mean,
            interval=None,
            method="",
            spread=spread,
            n_units=len(values),
            unit="fold",
            undecided_because=str(error),
        )
    return Estimate(**shared, score=mean, interval=interval, method=method, n_units=n, unit=unit, spread=spread)


def _of_items(evidence: ItemEvidence, test: Test, metric: Metric, shared: dict[str, Any], level: float) -> Estimate:
    """The mean over items, each of whose samples were made one as the metric says."""
    learner, dataset = shared["learner"], shared["dataset"]
    card, items = metric_card(metric), evidence.items(dataset)
    shown = LearnerItems(
        scores=evidence.row_values(dataset, metric.label)[learner][0],
        values=evidence.samples(dataset, learner) if reduced_by_mean(metric) else None,
        groups=items.groups,
        bounds=(card.low, card.high),
    )
    found = compute(test.name, shown, level=level)
    return Estimate(
        **shared,
        score=found.value,
        interval=found.interval,
        method=found.method,
        n_units=found.n_units,
        unit=found.unit,
        details=found.details,
        units=evidence.described(dataset),
    )


def _interval(
    comparison: Comparison, evidence: Evidence, test: Test, metric: Metric, dataset: str
) -> tuple[Interval | None, str, int, str]:
    learner, label, level = evidence.learners[0], metric.label, 1.0 - comparison.alpha.value
    card = metric_card(metric)
    bounds = (card.low, card.high)
    shapes = shapes_of(test.name)
    if Successes in shapes:
        if metric.name not in COUNTED:
            raise TestError(
                f"{test.name} counts right and wrong rows, so it cannot judge {metric.name}",
                hint="measure accuracy or error, or leave out `by`",
            )
        right = evidence.outcomes(dataset)[learner]
        hits = int(np.count_nonzero(right if metric.name == "accuracy" else ~right))
        found = compute(test.name, Successes(right=hits, rows=int(right.size)), level=level)
        return found.interval, found.method, int(right.size), "test row"
    if LearnerLosses in shapes:
        values = evidence.training_values(dataset, label)[learner]
        found = compute(test.name, LearnerLosses(losses=values, bounds=bounds), level=level)
        return found.interval, found.method, int(values.shape[0]), "training set"
    if LearnerRows in shapes:
        found = compute(
            test.name, LearnerRows(values=evidence.row_values(dataset, label)[learner], bounds=bounds), level=level
        )
        return found.interval, found.method, found.n_units, found.unit
    if RowPredictions in shapes:
        return _drawn(comparison, evidence.answers(dataset, label)[learner], metric, level)
    folds = evidence.fold_scores(dataset, label)[learner]
    train, tested = evidence.sizes(dataset)
    shown = LearnerFolds(scores=folds, train_size=train, test_size=tested, bounds=bounds)
    # Shuffled labels judge the procedure; the interval beside them is that of its folds.
    found = compute(test.name if LearnerFolds in shapes else "corrected-interval", shown, level=level)
    return found.interval, found.method, int(folds.size), "fold"


def _drawn(
    comparison: Comparison, answer: Answer, metric: Metric, level: float
) -> tuple[Interval | None, str, int, str]:
    """The percentile interval of the metric over resamples of the test rows."""
    rng = rng_of(comparison, "estimate", metric.label)
    found = []
    for _ in range(2 * RESAMPLES):
        rows = rng.integers(0, answer.rows, size=answer.rows)
        drawn = Answer(
            truth=answer.truth[rows],
            labels=answer.labels[rows],
            scores=None if answer.scores is None else answer.scores[rows],
            classes=answer.classes,
            positive=answer.positive,
            probabilities=answer.probabilities,
            weights=None if answer.weights is None else answer.weights[rows],
        )
        try:
            found.append(score(metric.name, drawn, metric.options))
        except EvalangError:  # a draw with one class only has no such score
            continue
        if len(found) == RESAMPLES:
            break
    if len(found) < RESAMPLES:
        raise TestError(f"{metric.name} is undefined on most resamples of these rows", hint="more test rows")
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    method = f"percentiles of {RESAMPLES:,} bootstrap resamples of the test rows"
    return Interval(low=float(low), high=float(high), level=level, method=method), method, answer.rows, "test row"
