"""`estimate`: the score of one learner with an interval, and the same procedure on shuffled labels (randomization)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np

from ..catalogue.metrics import COUNTED
from ..data.table import Table
from ..errors import EvalangError, TestError
from ..plans.model import Comparison, Metric, Plan, Test
from ..results.records import Alternative, Estimate, Interval, TestResult
from ..scores.evidence import Evidence
from ..scores.metrics import score
from .apply import TESTS, compute, rng_of
from .arithmetic.tails import Sided
from .shapes import TestSubject, metric_card
from .tests.intervals import ScoreInterval
from .tests.resampling_tests import randomization

RESAMPLES = 2_000
SHUFFLES = 99  # the smallest number that can reach p = 0.01
MOST_SHUFFLES = 10_000


def estimates_of(comparison: Comparison, evidence: Evidence, all_of_them: Mapping[str, Evidence]) -> Iterator[Estimate]:
    """Yield one estimate per dataset and metric; `all_of_them` holds the evidence on shuffled labels."""
    for metric in comparison.metrics:
        for dataset in evidence.datasets:
            for test in comparison.tests[:1]:
                at = TestSubject(
                    comparison=comparison,
                    evidence=evidence.among(evidence.learners[:1]),
                    metric=metric,
                    learners=evidence.learners[:1],
                    dataset=dataset,
                )
                found = _estimate(at, test)
                if test.name == "randomization" and found.score is not None:
                    found = replace(found, test=_randomized(at, all_of_them))
                yield found


def _estimate(at: TestSubject, test: Test) -> Estimate:
    shared: dict[str, Any] = {
        "comparison": at.comparison.name,
        "learner": at.learners[0],
        "dataset": at.dataset,
        "metric": at.metric.label,
        "question": at.comparison.question,
        "trained_again": test.name == "retrained-interval",
        "rows": at.evidence.mean_rows(at.dataset),
    }
    try:
        (folds,) = at.each(at.evidence.fold_scores(at.on, at.metric.label))
    except EvalangError as error:
        return Estimate(**shared, score=None, interval=None, method="", undecided_because=str(error))
    values = [float(v) for v in folds.ravel()]
    mean = math.fsum(values) / len(values)
    spread = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1)) if len(values) > 1 else None
    try:
        found = _interval(at, test)
    except EvalangError as error:
        shared |= {"n_units": len(values), "unit": "fold", "undecided_because": str(error)}
        return Estimate(**shared, score=mean, interval=None, method="", spread=spread)
    shared |= {"interval": found.interval, "method": found.method, "n_units": found.n_units, "unit": found.unit}
    if test.name == "item-interval":
        return Estimate(**shared, score=found.value, details=found.details, units=at.evidence.described(at.dataset))
    return Estimate(**shared, score=mean, spread=spread)


def _interval(at: TestSubject, test: Test) -> ScoreInterval:
    level = 1.0 - at.comparison.alpha.value
    if test.name in ("wilson", "clopper-pearson") and at.metric.name not in COUNTED:
        raise TestError(
            f"{test.name} counts right and wrong rows, so it cannot be used for {at.metric.name}",
            hint="measure accuracy or error, or leave out `by`",
        )
    if test.name == "bootstrap":
        return _bootstrapped(at, level)
    # The interval beside a randomization, which judges the procedure, is that of its folds.
    name = "corrected-interval" if test.name == "randomization" else test.name
    found: ScoreInterval = compute(name, **TESTS[name][1][0](at), level=level)
    return found


def _bootstrapped(at: TestSubject, level: float) -> ScoreInterval:
    """Return the percentile interval of the metric over resamples of the test rows."""
    metric = at.metric
    (answer,) = at.each(at.evidence.answers(at.on, metric.label))
    rng = rng_of(at.comparison, "estimate", metric.label)
    found: list[float] = []
    for _ in range(2 * RESAMPLES):
        rows = rng.integers(0, answer.rows, size=answer.rows)
        try:
            found.append(score(metric.name, answer.take(rows), metric.options))
        except EvalangError:  # a draw with one class only has no such score
            continue
        if len(found) == RESAMPLES:
            break
    if len(found) < RESAMPLES:
        raise TestError(f"{metric.name} is undefined on most resamples of these rows", hint="more test rows")
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    method = f"percentiles of {RESAMPLES:,} bootstrap resamples of the test rows"
    return ScoreInterval(
        method_name="bootstrap",
        value=score(metric.name, answer, metric.options),
        interval=Interval(low=float(low), high=float(high), level=level, method=method),
        standard_error=None,
        n_units=answer.rows,
        unit="test row",
        method=method,
    )


def shuffles_of(comparison: Comparison) -> int:
    """Return how many shuffles an estimate asks for; 0 when it is not judged by randomization."""
    for test in comparison.tests:
        if test.name == "randomization":
            asked = dict(test.options).get("shuffles", SHUFFLES)
            return min(max(int(asked), 1), MOST_SHUFFLES) if isinstance(asked, int | float) else SHUFFLES
    return 0


def with_shuffled(plan: Plan, tables: Mapping[str, Table]) -> tuple[Plan, dict[str, Table]]:
    """Return the plan with one more estimate for every shuffle, and the tables with shuffled targets."""
    comparisons: list[Comparison] = list(plan.comparisons)
    found = dict(tables)
    for comparison in plan.comparisons:
        for number in range(shuffles_of(comparison)):
            names = tuple(_shuffle_name(d, comparison, number) for d in comparison.datasets)
            name = _shuffle_name(comparison.name, comparison, number)
            comparisons.append(replace(comparison, name=name, datasets=names))
            for dataset, name in zip(comparison.datasets, names, strict=True):
                found[name] = _shuffle(tables[dataset], name, comparison, number)
    return replace(plan, comparisons=tuple(comparisons)), found


def _shuffle_name(word: str, comparison: Comparison, number: int) -> str:
    return f"{word} ({comparison.name}, shuffle {number + 1})"


def _shuffle(table: Table, name: str, comparison: Comparison, number: int) -> Table:
    rng = rng_of(comparison, "shuffle", table.name, str(number))
    order = rng.permutation(table.rows)
    mark = sha256(
        f"{table.content_hash} {comparison.seed.value if comparison.seed else 0} {number}".encode()
    ).hexdigest()
    return replace(table, name=name, y=table.y[order], content_hash=mark)


def _randomized(at: TestSubject, evidence: Mapping[str, Evidence]) -> TestResult | None:
    """Return the test of the score on the true labels against those on shuffled ones."""
    comparison = at.comparison
    side: Alternative = "greater" if metric_card(at.metric).higher_is_better else "less"
    try:
        shuffled = [
            _mean_score(
                evidence[_shuffle_name(comparison.name, comparison, i)],
                _shuffle_name(at.on, comparison, i),
                at.metric,
            )
            for i in range(shuffles_of(comparison))
        ]
        observed = _mean_score(at.evidence, at.on, at.metric)
        return randomization(observed, np.array(shuffled), asked=Sided(side, 1.0 - comparison.alpha.value))
    except EvalangError:
        return None


def _mean_score(evidence: Evidence, dataset: str, metric: Metric) -> float:
    return float(evidence.fold_scores(dataset, metric.label)[evidence.learners[0]].mean())
